// SPDX-License-Identifier: MIT
// Gathers what a reader finds and turns it into a checked Scene: the rules that hold for every format live here.
//
// `finish` moves coordinates far from zero to a rounded origin, refuses what does not fit the grid (limits.hpp), drops
// repeated points, turns outer rings counter-clockwise and holes clockwise, and names every outline that has fewer than three
// points or no area, crosses itself, or has a hole outside. Cost O(n log n) for n points.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <throng/result.hpp>
#include <throng/scene.hpp>

#include "import/problem_list.hpp"

namespace throng {

class SceneBuilder {
 public:
  /// `name` names both the scene (without its folder) and the file in messages.
  explicit SceneBuilder(const std::string& name);

  ProblemList& problems() { return problems_; }
  Scene& scene() { return scene_; }
  Layer& layer(std::size_t index = 0);

  // `where` is the place in the file that messages name. All return at once when the scene is full.
  void add_walkable(std::size_t layer, Polygon polygon, std::string where);
  void add_obstacle(std::size_t layer, Polygon polygon, std::string where);
  void add_area(Area area, std::string where);
  /// Every two neighbouring points become a wall.
  void add_walls(std::size_t layer, const std::vector<Vec2>& line, const std::string& where);
  void add_joint(const Joint& joint, const std::string& where);
  void add_seed(std::size_t layer, Vec2 seed, const std::string& where);

  /// Whether the cap on points is reached: the reader should stop.
  bool full() const { return vertex_count_ > limits::kVertices; }

  /// Outlines of formats whose makers union them anyway (OSM, CityJSON, grids) need no check for crossings.
  enum class Outlines { check_crossings, trusted };
  /// The scene, or all problems. Keeps `Scene::origin` if the reader has set one, and then moves nothing.
  Result<Scene> finish(Outlines outlines, bool has_origin = false);

 private:
  struct Labelled {
    enum class Kind : std::uint8_t { walkable, obstacle, area } kind;
    std::uint32_t layer;
    std::uint32_t index;
    std::string where;
  };

  /// Counts and bounds the points; false if they cannot be used.
  bool take(const std::vector<Vec2>& points, const std::string& where);
  bool take(const Polygon& polygon, const std::string& where);
  Polygon& polygon_of(const Labelled& labelled);
  void settle_origin(bool has_origin);
  template <class Function>
  void for_each_point(Function&& change);
  void check_polygon(Polygon& polygon, const std::string& where, Outlines outlines);
  bool check_ring(Ring& ring, bool hole, const std::string& where);
  void check_holes_inside(const Polygon& polygon, const std::string& where);
  /// "(12.5, 3)" in the file's own coordinates.
  std::string place(Vec2 p) const;

  Scene scene_;
  ProblemList problems_;
  std::vector<Labelled> labels_;
  std::size_t vertex_count_ = 0;
  std::uint64_t containment_work_ = 0, crossing_work_ = 0;
  /// The outermost coordinates and who has them: a stray outline is named when the scene is too large.
  struct Extreme {
    double value;
    std::string where;
  };
  bool has_bounds_ = false;
  Extreme west_, east_, south_, north_;
};

/// Where a scene with these bounds is put: what is subtracted from its coordinates, (0, 0) if they are near zero already, or
/// nothing if the scene is larger than limits::kExtentMetres.
std::optional<Vec2> origin_for(Vec2 low, Vec2 high);
/// "plaza" for "maps/plaza.city.json".
std::string scene_name_of(const std::string& file);

}  // namespace throng
