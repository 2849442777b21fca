// SPDX-License-Identifier: MIT
#include "neighbours/sight.hpp"

#include <algorithm>

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

/// Whether somebody at `p` in `cell` is on `layer`: by the cell, or because `p` lies on a joint, where rounding may have moved it
/// across. A walk that ends here in plan may end under or over the one it looks for.
bool is_on_layer(const Cells& cells, CellIndex cell, Point p, std::uint32_t layer) {
  constexpr double kRounding = 8;  // grid units: floats, the grid, and the slack of Ground
  constexpr std::size_t kMost = 16;
  CellIndex around[kMost] = {cell};
  std::size_t count = 1;
  for (std::size_t k = 0; k < count; ++k) {
    if (cells.layer[around[k]] == layer) return true;
    for (const PortalIndex portal : cells.portals_of(around[k])) {
      const auto [a, b] = cells.portals[portal].position;
      const double dx = b.x - a.x, dy = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
      const double t = std::clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0);
      const double off_x = px - t * dx, off_y = py - t * dy;
      if (off_x * off_x + off_y * off_y > kRounding * kRounding) continue;
      const CellIndex beyond = cells.across(portal, around[k]);
      if (count < kMost && std::find(around, around + count, beyond) == around + count) around[count++] = beyond;
    }
  }
  return false;
}

}  // namespace

bool can_see(const Cells& cells, Point from, CellIndex from_cell, Point to, CellIndex to_cell) {
  if (from_cell == to_cell || from_cell == kNoCell || to_cell == kNoCell) return true;
  const std::uint32_t layer = cells.layer[to_cell];
  if (from == to) return is_on_layer(cells, from_cell, to, layer);
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
    if (orient(corner_of(cells, cell, exit.side), corner_of(cells, cell, exit.side + 1), to) >= 0)
      return is_on_layer(cells, cell, to, layer);
    if (portal == kNoPortal) return false;
    entry = portal;
    cell = cells.across(portal, cell);
    if (cell == to_cell) return true;
  }
  const RayHit ray = ray_cast(cells, to_metres(from), start, to_metres(to));
  return !ray.hit && is_on_layer(cells, ray.cell, to, layer);
}

}  // namespace throng
