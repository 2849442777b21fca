// SPDX-License-Identifier: MIT
// All cells that hold a point: one, more on a border, many at a corner.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "cells/cells.hpp"

namespace throng {

struct CellAt {
  CellIndex cell;
  PortalIndex door;      ///< on which the point lies too; kNoPortal: the cell that was named
  std::uint32_t before;  ///< index of the cell before the door
};

inline bool holds(const std::vector<CellAt>& list, CellIndex c) {
  return std::any_of(list.begin(), list.end(), [c](const CellAt& at) { return at.cell == c; });
}

/// The cell and those behind portals on which, or by rounding to the grid behind which, the place lies. Returns how far it is
/// outside of all of them (a point on a wall may be, by rounding), at least a hair.
inline double find_cells_at(const Cells& cells, Vec2 place, CellIndex cell, std::vector<CellAt>& found) {
  constexpr double kHair = 1e-9;
  double outside = 1e300;
  found.assign(1, {cell, kNoPortal, 0});
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto sides = cells.sides_of(found[i].cell);
    double behind = 0;
    for (std::size_t k = 0; k < sides.size(); ++k) {
      const Vec2 a = cells.position(sides[k].vertex);
      const Vec2 d = cells.position(sides[k + 1 < sides.size() ? k + 1 : 0].vertex) - a;
      const double depth = cross(d, place - a) / length(d);
      behind = std::max(behind, -depth);
      if (sides[k].portal == kNoPortal || depth > kHair) continue;
      const double t = dot(place - a, d) / dot(d, d);
      const CellIndex other = cells.across(sides[k].portal, found[i].cell);
      const bool is_behind = depth > -2 * kUnit && t > 0 && t < 1;
      if ((is_behind || distance(place, a + std::clamp(t, 0.0, 1.0) * d) < kHair) && !holds(found, other))
        found.push_back({other, sides[k].portal, static_cast<std::uint32_t>(i)});
    }
    outside = std::min(outside, behind);
  }
  return outside + kHair;
}

}  // namespace throng
