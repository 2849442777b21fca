// SPDX-License-Identifier: MIT
// Where a shortest way can bend: at corners round which the free ground, from the wall on one side of a cell through portals to
// the wall on the other side, takes more than half a turn. Inner corners fail, and so do feet of bottlenecks that rounding left
// flush with or behind their wall. Exact; costs the cells round the corner.
#pragma once
#include <cstdint>
#include <span>

#include "cells/cells.hpp"

namespace throng {

/// `vertex` is a corner of the cell `c`; other sectors of free ground round it, behind walls, are not looked at.
inline bool can_bend_at(const Cells& cells, std::uint32_t vertex, CellIndex c, std::span<const std::uint8_t> blocked) {
  std::uint32_t wall[2];  // the far ends of the two walls, clockwise first
  for (const int way : {0, 1}) {
    CellIndex at = c;
    for (std::uint32_t turns = 0;; ++turns) {
      const auto sides = cells.sides_of(at);
      const auto count = static_cast<std::uint32_t>(sides.size());
      std::uint32_t k = 0;
      while (k < count && sides[k].vertex != vertex) ++k;
      if (k == count || turns > 64) return true;
      const std::uint32_t before = k == 0 ? count - 1 : k - 1, after = k + 1 == count ? 0 : k + 1;
      const PortalIndex portal = sides[way == 0 ? k : before].portal;
      wall[way] = sides[way == 0 ? after : before].vertex;
      if (portal == kNoPortal) break;
      const CellIndex next = cells.across(portal, at);
      if (!blocked.empty() && blocked[next] != 0) break;  // forbidden ground is as good as a wall
      at = next;
      if (at == c) return false;  // all the way round: no wall here
    }
  }
  // Half a turn and a whole one (the end of a thin wall) are both collinear.
  return wall[0] == wall[1] || orient(cells.vertices[vertex], cells.vertices[wall[0]], cells.vertices[wall[1]]) < 0;
}

}  // namespace throng
