// SPDX-License-Identifier: MIT
#include "neighbours/sight.hpp"

#include "navigation/queries.hpp"

namespace throng {
namespace {

struct Exit {
  std::uint32_t side = 0;
  std::uint32_t crossings = 0;  // strict, out of the cell
  bool corner = false;          // the line meets a corner of the cell
};

/// Where the line a→b leaves a cell: a counter-clockwise outline crosses it there from right to left.
Exit find_exit(const Cells& cells, CellIndex cell, Point a, Point b) {
  const auto sides = cells.sides_of(cell);
  Exit exit;
  std::int64_t before = orient(a, b, cells.vertices[sides.back().vertex]);
  for (std::uint32_t i = 0; i < sides.size(); ++i) {
    const std::int64_t here = orient(a, b, cells.vertices[sides[i].vertex]);
    exit.corner |= here == 0;
    if (before < 0 && here > 0) {
      exit.side = i == 0 ? static_cast<std::uint32_t>(sides.size()) - 1 : i - 1;
      ++exit.crossings;
    }
    before = here;
  }
  return exit;
}

Point corner_of(const Cells& cells, CellIndex cell, std::uint32_t side) {
  const auto sides = cells.sides_of(cell);
  return cells.vertices[sides[side < sides.size() ? side : 0].vertex];
}

/// The neighbour that holds `p`, if rounding put it just outside the cell.
CellIndex cell_beyond(const Cells& cells, CellIndex cell, Point p) {
  const auto sides = cells.sides_of(cell);
  for (std::uint32_t i = 0; i < sides.size(); ++i)
    if (sides[i].portal != kNoPortal && orient(corner_of(cells, cell, i), corner_of(cells, cell, i + 1), p) < 0)
      return cells.across(sides[i].portal, cell);
  return kNoCell;
}

}  // namespace

bool can_see(const Cells& cells, Point from, CellIndex from_cell, Point to, CellIndex to_cell) {
  if (from_cell == to_cell || from_cell == kNoCell || to_cell == kNoCell || from == to) return true;
  CellIndex start = from_cell, cell = from_cell;
  std::uint32_t entry = kNoPortal;
  for (std::uint32_t steps = cells.cell_count() + 4; steps > 0; --steps) {
    const Exit exit = find_exit(cells, cell, from, to);
    if (exit.crossings == 0 && cell == start && entry == kNoPortal) {
      // The line misses the cell it begins in: rounding moved the beginning across a portal.
      if (const CellIndex beyond = cell_beyond(cells, cell, from); beyond != kNoCell) {
        entry = kNoPortal - 1;  // once
        start = cell = beyond;
        if (cell == to_cell) return true;
        continue;
      }
    }
    const std::uint32_t portal = cells.sides_of(cell)[exit.side].portal;
    if (exit.crossings != 1 || exit.corner || (portal != kNoPortal && portal == entry)) break;
    if (orient(corner_of(cells, cell, exit.side), corner_of(cells, cell, exit.side + 1), to) >= 0) return true;
    if (portal == kNoPortal) return false;
    entry = portal;
    cell = cells.across(portal, cell);
    if (cell == to_cell) return true;
  }
  return !ray_cast(cells, to_metres(from), start, to_metres(to)).hit;
}

}  // namespace throng
