// SPDX-License-Identifier: MIT
// Where people can be put: how much ground an area has, random places in it, and whether somebody stands there already.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <throng/navigation.hpp>

#include "base/random.hpp"
#include "scenario/scenario.hpp"

namespace throng {

/// A place as the world's columns hold it: rounded to floats. A call, not an expression: g++ 12 takes the two conversions of a
/// pair of doubles for none at all, at -O3 and not at -O1, and places would depend on that.
Vec2 rounded_to_floats(Vec2 place);

/// Square metres of walkable ground inside a polygon: exact, cell by cell. O(cells).
double ground_in(const NavigationData& data, const ScenarioArea::Part& part);

/// Whether a body fits there without touching a wall.
bool fits_ground(const NavigationData& data, Vec2 place, std::uint32_t layer, double radius);

/// An area's parts, weighted by their ground; draws places by rejection from their boxes.
class PlaceDrawer {
 public:
  PlaceDrawer(const NavigationData& data, const ScenarioArea& area);
  double ground() const { return ground_; }
  /// A place of the area, walkable or not, as a function of the stream; nothing if it landed outside the outline.
  std::optional<WalkablePlace> draw(RandomStream& random) const;
  /// Places of a triangular grid in the area where bodies of this radius fit and do not touch: at least `count` if there is
  /// room, as wide as that allows. A grid point every `spacing`; rows are √3/2 of it apart.
  std::vector<WalkablePlace> grid(const NavigationData& data, std::size_t count, double radius) const;

 private:
  std::vector<WalkablePlace> grid_of(const NavigationData& data, double spacing, double radius) const;

  const ScenarioArea* area_;
  std::vector<double> ground_up_to_;  ///< by part
  double ground_ = 0;
};

/// Bodies, sorted into squares of a metre: a question looks at a few of them, however many people there are.
class Occupancy {
 public:
  /// In a periodic world people on both sides of the seam meet.
  Occupancy(Vec2 period_size) : period_(period_size) {}
  void clear();
  void add(Vec2 place, std::uint32_t layer, double radius);
  /// Whether nobody there comes closer than a millimetre to a body.
  bool is_free(Vec2 place, std::uint32_t layer, double radius) const;

 private:
  struct Body {
    Vec2 place;
    double radius;
    std::uint32_t layer;
    std::uint32_t next;  ///< in the same square
  };
  bool is_free_of_images(Vec2 place, std::uint32_t layer, double radius) const;

  Vec2 period_;
  double largest_ = 0;
  std::vector<Body> bodies_;
  std::unordered_map<std::uint64_t, std::uint32_t> first_;  ///< square → its last added body
};

}  // namespace throng
