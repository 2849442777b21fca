// SPDX-License-Identifier: MIT
// Small measures of outlines that readers need before anything is snapped to the grid.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include <throng/scene.hpp>

#include "geometry/polygon.hpp"

namespace throng::outline {

/// Area of the outer ring without the holes, in square metres.
inline double area(const Polygon& polygon) {
  double sum = std::abs(signed_area(polygon.outer));
  for (const Ring& hole : polygon.holes) sum -= std::abs(signed_area(hole));
  return sum;
}

/// Drops points equal to their predecessor, and a last point equal to the first.
inline void drop_repeated(Ring& ring) {
  ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
  while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
}

/// A counter-clockwise rectangle.
inline Ring rectangle(Vec2 low, Vec2 high) { return {low, {high.x, low.y}, high, {low.x, high.y}}; }

/// About how many pairs of edges `find_crossing` would compare: those whose boxes meet, estimated from a sample of edges.
/// It grows with the square for outlines such as a saw of long slanting teeth, which nobody draws except to hurt.
std::uint64_t estimate_crossing_work(std::span<const Ring> rings);

}  // namespace throng::outline
