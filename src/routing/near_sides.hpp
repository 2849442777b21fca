// SPDX-License-Identifier: MIT
// What lies near a straight leg of a way: the sides of cells it crosses, and of cells behind their free sides within reach.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "cells/cells.hpp"

namespace throng {

/// A part of a straight line; places are measured along it from `origin` and to the left of it.
struct LegPart {
  Vec2 origin, direction;  ///< direction: unit vector
  double begin, end;

  /// {along, height}
  Vec2 local(Vec2 p) const {
    const Vec2 d = p - origin;
    return {dot(d, direction), cross(direction, d)};
  }
};

/// Calls visit(side, next_vertex, a, b) for each side of the cells in `visited` and of those reached through free sides closer
/// than `reach` to the leg; a and b are the places of the side's two ends (LegPart::local). Adds the cells to `visited`, up to
/// `most`.
template <class Visit>
void for_sides_near(const Cells& cells, const LegPart& leg, double reach, std::size_t most, std::vector<CellIndex>& visited,
                    Visit visit) {
  for (std::size_t next = 0; next < visited.size(); ++next) {
    const CellIndex c = visited[next];
    const auto sides = cells.sides_of(c);
    const Side* side = &sides.back();
    Vec2 a = leg.local(cells.position(side->vertex));
    for (const Side& after : sides) {
      const Vec2 b = leg.local(cells.position(after.vertex));
      visit(*side, after.vertex, a, b);
      if (side->portal != kNoPortal && std::min(a.x, b.x) < leg.end + reach && std::max(a.x, b.x) > leg.begin - reach &&
          std::min(a.y, b.y) < reach && std::max(a.y, b.y) > -reach && visited.size() < most) {
        const CellIndex across = cells.across(side->portal, c);
        if (std::find(visited.begin(), visited.end(), across) == visited.end()) visited.push_back(across);
      }
      side = &after;
      a = b;
    }
  }
}

}  // namespace throng
