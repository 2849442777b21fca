// SPDX-License-Identifier: MIT
// Bake a scene once, then plan paths in it from any number of threads.
//
//   throng::Scene scene = …;
//   auto navigation = throng::Navigation::bake(scene);
//   if (!navigation) for (auto& problem : navigation.problems()) std::puts(to_string(problem).c_str());
//   throng::PathFinder finder(*navigation);           // one per thread: it owns the scratch memory
//   throng::Path path;
//   if (finder.find({.from = {1, 1}, .to = {9, 4}}, path) == throng::PathStatus::kFound) use(path.points);
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <throng/result.hpp>
#include <throng/scene.hpp>

namespace throng {

struct NavigationData;

/// How a path is searched. All four return a corridor and the path pulled tight in it for the body's radius.
enum class Planner : std::uint8_t {
  kHierarchy,  ///< hub labels on the abstraction tree: microseconds, optimal on the roadmap (default)
  kZones,      ///< Lamarche & Donikian's own query over stored paths of zones: the same cost
  kRoadmap,    ///< A* on the whole roadmap, their baseline: the same cost
  kShortest,   ///< exact Euclidean search on the cells: the shortest path there is for a disc
};

std::optional<Planner> planner_from_name(std::string_view name);
const char* name_of(Planner planner);

struct BakeSettings {
  std::uint32_t key_points = 1;  ///< per portal, 1 to 8: more give shorter paths, longer labels (1: 1 % excess, 3: 0.1 %)
  unsigned threads = 0;          ///< 0: one per core; the result does not depend on it
  bool editable = false;         ///< keep what NavigationEditor needs (edits.hpp): about as much memory again
  /// Called at the start of each stage, on the calling thread.
  std::function<void(std::string_view stage)> progress;
};

struct BakeStage {
  std::string name;
  double ms = 0;
};

/// What a bake made. Areas are in grid units (2^-10 m)², doubled, so that they are exact.
struct BakeReport {
  std::uint32_t cells = 0, portals = 0, walls = 0, holes = 0, components = 0, layers = 0;
  std::uint32_t joints = 0;       ///< lines where two layers meet
  std::uint32_t links = 0;        ///< rides from area to area
  std::uint32_t bottlenecks = 0;  ///< portals of locally minimal width
  std::uint32_t feet = 0;         ///< points inserted by the bottleneck rule
  std::uint32_t refused = 0;      ///< triangles at rest that only a guard of the rule refuses
  std::uint32_t unguarded = 0;    ///< triangles at rest that qualify and no guard refuses: 0
  double area = 0;                ///< walkable, m²
  double wall_length = 0;         ///< m
  std::int64_t doubled_map_area = 0, doubled_cell_area = 0;
  std::uint32_t zones = 0, depth = 0;
  std::uint64_t stored_paths = 0;   ///< of zones, all profiles
  std::uint64_t label_entries = 0;  ///< of key points, all profiles and radii
  std::uint64_t bytes = 0;          ///< of everything kept
  std::uint64_t peak_bytes = 0;     ///< most memory the process held
  std::vector<BakeStage> stages;
};

struct PathRequest {
  Vec2 from;
  Vec2 to;
  double radius = 0.20;       ///< of the body; 0 is a point, which may touch walls
  std::uint32_t profile = 0;  ///< index into the scene's profiles
  Planner planner = Planner::kHierarchy;
  std::uint32_t from_layer = 0;
  std::uint32_t to_layer = 0;
  /// How far `points` may lie inside the arcs round corners, metres.
  double sagitta = 0.0005;
};

enum class PathStatus : std::uint8_t {
  kFound,
  kNoWay,         ///< nothing this wide leads from start to goal
  kStartBlocked,  ///< the start is inside or too close to a wall
  kGoalBlocked,
  kStartForbidden,  ///< the profile may not stand there
  kGoalForbidden,
  kBadRequest,  ///< not a number, negative radius, unknown profile or layer
};

struct Path {
  bool found = false;
  double length = 0;                   ///< of the pulled path, arcs included exactly
  double cost = 0;                     ///< roadmap cost in metres × area factors; the length if the exact search found the way
  std::vector<std::uint32_t> portals;  ///< the corridor
  std::vector<Vec2> points;            ///< the pulled path, arcs as short chords
};

struct WalkablePlace {
  Vec2 point;
  std::uint32_t layer = 0;
};

/// A baked scene: immutable, shared, safe to query from any number of threads.
class Navigation {
 public:
  static Result<Navigation> bake(const Scene& scene, const BakeSettings& settings = {});
  /// A baked file's bytes (`save`). Nothing in them can do harm: counts, indices and the checksum are verified.
  static Result<Navigation> load(std::string_view bytes, const std::string& name);
  /// Versioned, checked, the same bytes for the same scene and settings on every machine.
  std::string save() const;

  /// One path, with memory of its own. Use a PathFinder for many.
  Result<Path> plan(const PathRequest& request) const;
  /// Why a request failed, where, and what would do.
  Problem explain(const PathRequest& request, PathStatus status) const;

  /// The nearest point where a disc of `radius` can stand; nothing if the layer has no room for it.
  std::optional<Vec2> nearest_walkable(Vec2 point, double radius, std::uint32_t layer = 0) const;
  /// The cell at a point, if it is walkable.
  std::optional<std::uint32_t> cell_at(Vec2 point, std::uint32_t layer = 0) const;
  /// Where the line from `from` to `to` first meets a wall; nothing if it stays on walkable ground.
  std::optional<Vec2> ray_cast(Vec2 from, Vec2 to, std::uint32_t layer = 0) const;
  /// Height of the ground of a layer, metres.
  double elevation(Vec2 point, std::uint32_t layer = 0) const;
  /// A path in space: its points with the heights of the layers it leads through, beginning on `layer`, and further points so
  /// that no two are farther apart than `spacing` metres: stairs show.
  std::vector<Vec3> in_space(const std::vector<Vec2>& points, std::uint32_t layer, double spacing = 0.25) const;
  /// The layer with ground at a place whose height there is nearest to `z`; the first if there is no ground at all.
  std::uint32_t layer_at(Vec2 point, double z) const;
  /// A place on walkable ground, uniform by area over all layers, as a function of two numbers in [0, 1).
  WalkablePlace random_walkable(double u, double v) const;

  const BakeReport& report() const;
  Vec2 origin() const;
  const NavigationData& data() const { return *data_; }

 private:
  friend class NavigationEditor;
  explicit Navigation(std::shared_ptr<const NavigationData> data) : data_(std::move(data)) {}
  std::shared_ptr<const NavigationData> data_;
};

/// Plans paths with memory it keeps: after the first queries nothing is allocated. One per thread.
class PathFinder {
 public:
  explicit PathFinder(const Navigation& navigation);
  ~PathFinder();
  PathFinder(PathFinder&&) noexcept;
  PathFinder& operator=(PathFinder&&) noexcept;

  /// Corridor, length and points. `path` is overwritten; its memory is reused.
  PathStatus find(const PathRequest& request, Path& path);
  /// The same without `points`: the path as the corners it bends round, ready for `throng bench` and for walkers.
  PathStatus find_pulled(const PathRequest& request, Path& path);

 private:
  struct Scratch;
  Navigation navigation_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace throng
