// SPDX-License-Identifier: MIT
// Rings and segments: areas, containment, distances, and whether outlines cross themselves.
//
// Points of the grid are decided exactly. Vec2 (metres, before snapping) are doubles: a sign that rounding could have
// changed counts as zero, so an outline is never accused of a crossing that is not there.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include <throng/scene.hpp>
#include <throng/vec.hpp>

#include "geometry/point.hpp"

namespace throng {

/// Twice the signed area, positive iff counter-clockwise. Exact; fits as long as the ring winds fewer than 2048 times
/// around the whole grid.
std::int64_t doubled_area(std::span<const Point> ring);
/// Signed area in square metres, positive iff counter-clockwise.
double signed_area(std::span<const Vec2> ring);

void make_counter_clockwise(Ring& ring);
void make_clockwise(Ring& ring);
/// Outer ring counter-clockwise, holes clockwise.
void normalise_direction(Polygon& polygon);

enum class Containment { kOutside, kOn, kInside };
/// Exact, even–odd; the direction of the ring does not matter.
Containment find_in_ring(std::span<const Point> ring, Point p);
/// Even–odd in doubles; a point on the border may come out either way.
bool contains(std::span<const Vec2> ring, Vec2 p);
bool contains(const Polygon& polygon, Vec2 p);

Vec2 nearest_on_segment(Vec2 p, Vec2 a, Vec2 b);
double distance_to_segment(Vec2 p, Vec2 a, Vec2 b);
/// Zero if they touch or cross.
double segment_distance(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

/// Two edges of a set of rings that cross properly or overlap along a stretch, and where. Edges are numbered through all
/// rings: those of the first ring, from point i to point i + 1 and last back to the first, then those of the second, …
struct Crossing {
  std::size_t edge_a = 0;
  std::size_t edge_b = 0;  ///< greater than edge_a
  Vec2 at;
};
/// The crossing with the smallest edges, if there is any. Rings may touch at points: a corner on another edge is no crossing.
/// Coordinates must be finite and below 1e150. O(n log n) for outlines met in practice, by a tree of boxes; many long slanting
/// edges side by side make it slower.
std::optional<Crossing> find_crossing(std::span<const Ring> rings);

}  // namespace throng
