// SPDX-License-Identifier: MIT
// Round a corner from cell to cell, and where a shortest way can bend: at corners round which the free ground, from the wall on
// one side through portals to the wall on the other side, takes more than half a turn. Inner corners fail, and so do feet of
// bottlenecks that rounding left flush with or behind their wall. Exact; costs the cells round the corner.
#pragma once
#include <cstdint>
#include <span>

#include "cells/cells.hpp"

namespace throng {

/// A corner as one of the cells round it has it: side `side` of the cell begins there. Of several sectors of free ground round
/// the corner, parted by walls, this names the one that the cell is in.
struct CornerInCell {
  CellIndex cell;
  std::uint32_t side;
};

/// The side of the cell by which one leaves it, going round the corner.
inline std::uint32_t side_towards(const Cells& cells, CornerInCell at, bool counter_clockwise) {
  if (!counter_clockwise) return at.side;
  return at.side == 0 ? cells.side_start[at.cell + 1] - cells.side_start[at.cell] - 1 : at.side - 1;
}

/// Goes on to the next cell round the corner; false at a wall, and where `blocked` (may be empty) does not let one in.
inline bool turn_round(const Cells& cells, CornerInCell& at, bool counter_clockwise, std::span<const std::uint8_t> blocked = {}) {
  const PortalIndex p = cells.sides[cells.side_start[at.cell] + side_towards(cells, at, counter_clockwise)].portal;
  if (p == kNoPortal) return false;
  const Portal& portal = cells.portals[p];
  const int far = portal.cell[0] == at.cell ? 1 : 0;
  if (!blocked.empty() && blocked[portal.cell[far]] != 0) return false;
  // The neighbour has the portal the other way round: counter-clockwise it begins at the corner, clockwise it ends there.
  std::uint32_t side = portal.side[far];
  if (!counter_clockwise) side = side + 1 == portal.side_count[far] ? 0 : side + 1;
  at = {portal.cell[far], side};
  return true;
}

/// The free ground round a corner, from wall to wall.
struct BendSector {
  CornerInCell first;  ///< in the most clockwise of its cells
  Vec2 wall[2];        ///< directions of the walls that end it, clockwise first, if it bends
  double wall_length[2];
  bool bends;  ///< it takes more than half a turn
};

/// The sector that holds `corner`. Calls in_sector(CornerInCell) for each of its cells, counter-clockwise.
template <class F>
BendSector sector_round(const Cells& cells, CornerInCell corner, std::span<const std::uint8_t> blocked, F&& in_sector) {
  BendSector sector{corner, {}, {}, false};
  CornerInCell& first = sector.first;
  while (turn_round(cells, first, false, blocked) && first.cell != corner.cell) {
  }
  CornerInCell last = first, next = first;
  do in_sector(last = next);
  while (turn_round(cells, next, true, blocked) && next.cell != first.cell);
  if (turn_round(cells, last, true, blocked)) return sector;  // all the way round: no wall here
  const auto far_end = [&](CornerInCell at, bool counter_clockwise) {
    const auto sides = cells.sides_of(at.cell);
    const std::uint32_t side = side_towards(cells, at, counter_clockwise);
    return sides[counter_clockwise ? side : (side + 1 == sides.size() ? 0 : side + 1)].vertex;
  };
  const std::uint32_t vertex = cells.sides[cells.side_start[first.cell] + first.side].vertex;
  const std::uint32_t end[2] = {far_end(first, false), far_end(last, true)};
  // Half a turn and a whole one (the end of a thin wall) are both collinear.
  sector.bends = end[0] == end[1] || orient(cells.vertices[vertex], cells.vertices[end[0]], cells.vertices[end[1]]) < 0;
  if (sector.bends)
    for (const int way : {0, 1}) {
      const Vec2 wall = cells.position(end[way]) - cells.position(vertex);
      sector.wall_length[way] = length(wall);
      sector.wall[way] = (1 / sector.wall_length[way]) * wall;
    }
  return sector;
}

}  // namespace throng
