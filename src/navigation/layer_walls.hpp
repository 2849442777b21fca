// SPDX-License-Identifier: MIT
// The walls that a locator lists, from the cells they bound.
#pragma once
#include <algorithm>
#include <vector>

#include "navigation/locator.hpp"

namespace throng {

struct LayerWall {
  std::uint32_t layer;
  Locator::Wall wall;
  friend auto operator<=>(const LayerWall&, const LayerWall&) = default;
};

/// Those of the cells that are chosen, sorted; a wall between two of them once only.
template <class IsChosen>
std::vector<LayerWall> walls_of(const Cells& cells, IsChosen is_chosen) {
  std::vector<LayerWall> walls;
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    if (!is_chosen(c)) continue;
    const auto sides = cells.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (sides[i].portal != kNoPortal) continue;
      Point a = cells.vertices[sides[i].vertex], b = cells.vertices[sides[(i + 1) % sides.size()].vertex];
      if (b < a) std::swap(a, b);
      walls.push_back({cells.layer[c], {a, b}});
    }
  }
  std::sort(walls.begin(), walls.end());
  walls.erase(std::unique(walls.begin(), walls.end()), walls.end());
  return walls;
}

}  // namespace throng
