// SPDX-License-Identifier: MIT
// Which discs see each other (Pettré et al. 2007 §3.5; ALGORITHMS §2.6), in four quarters of the compass.
//
// Two discs see each other if, at eye height, a line from the centre of one to the centre of the other, or to one of eight points
// at 0.7 of its radius, meets no triangle; neighbours always do. Only pairs within the range are looked at, and a line ends at
// the first triangle, so hidden pairs are cheap. O(discs · discs within range).
#pragma once
#include "navgraph/nav_graph.hpp"
#include "scene/sight_grid.hpp"

namespace throng {

inline constexpr double kEyeHeight = 1.7;  ///< metres

/// 0 east, 1 north, 2 west, 3 south: [−45°, 45°) is east, and so on counter-clockwise.
constexpr int quarter_of(Vec2 direction) {
  if (direction.x > 0 && -direction.x <= direction.y && direction.y < direction.x) return 0;
  if (direction.y > 0 && -direction.y < direction.x) return 1;
  if (direction.x < 0 && direction.x < direction.y) return 2;
  return direction == Vec2{0, 0} ? 0 : 3;
}

/// Fills the sight lists of a graph whose triangles are there.
void find_sight(double range, NavGraph& graph, TaskRunner& tasks);

}  // namespace throng
