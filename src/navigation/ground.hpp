// SPDX-License-Identifier: MIT
// The cells as walkers need them: which way out of my cell, and which walls are near.
//
// Single precision and flat arrays, made from Cells once. A side is a point and an outward unit normal, so "inside" is a sign per
// side and a straight move leaves through the side with the smallest crossing parameter (ALGORITHMS §7.4). A cell also lists all
// walls within kWallReach of it that can be reached without passing another wall: those of neighbours count too, since a body is
// wider than the point that crosses a portal. Walls are therefore felt alike on both sides of a portal.
//
// Rounding: positions are floats relative to the scene's origin, 0.06 mm at 1 km, and cells are convex up to two grid units only
// (2 mm, where feet were rounded): kSlack is what counts as still inside. Less, and somebody on a portal in line with a wall
// would be held by the wall's extension. Bodies keep their distance to walls as segments, so the slack lets nobody into one.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "cells/cells.hpp"

namespace throng {

struct Ground {
  /// How far outside its cell a wall is still listed, metres.
  static constexpr double kWallReach = 0.8;
  static constexpr float kSlack = 0.003f;
  /// How far a body may overlap a wall before it is pushed out.
  static constexpr float kTouch = 0.0005f;

  struct Edge {
    float x, y;    ///< where it begins, the cell on its left
    float nx, ny;  ///< outward
    float length;
    CellIndex next;  ///< behind it; kNoCell: a wall
  };
  struct Wall {
    float x, y;    ///< one end
    float dx, dy;  ///< to the other
    float inverse_length_squared;
  };

  Ground() = default;
  explicit Ground(const Cells& cells);

  std::span<const Edge> edges_of(CellIndex c) const { return {edges.data() + edge_start[c], edge_start[c + 1] - edge_start[c]}; }
  std::span<const Wall> walls_near(CellIndex c) const {
    return {walls.data() + wall_start[c], wall_start[c + 1] - wall_start[c]};
  }

  std::vector<std::uint32_t> edge_start;
  std::vector<Edge> edges;
  std::vector<std::uint32_t> wall_start;
  std::vector<Wall> walls;
};

/// Where a straight move ends.
struct Walk {
  float x, y;
  CellIndex cell;
  bool is_blocked;  ///< by a wall, at (x, y)
};

/// From (x, y) in `cell` straight towards (to_x, to_y), up to the first wall.
inline Walk walk(const Ground& ground, CellIndex cell, float x, float y, float to_x, float to_y) {
  for (int steps = 0; steps < 256; ++steps) {
    float first = 2;
    const Ground::Edge* exit = nullptr;
    for (const Ground::Edge& e : ground.edges_of(cell)) {
      const float after = e.nx * (to_x - e.x) + e.ny * (to_y - e.y);
      if (after <= Ground::kSlack) continue;
      const float before = e.nx * (x - e.x) + e.ny * (y - e.y);
      // Moving inwards through a side that rounding left us outside of is no way out.
      if (before >= after) continue;
      const float t = before >= 0 ? 0 : before / (before - after);
      if (t >= first) continue;
      // Sides may lie in line: only the one that is really crossed counts, not the extension of its neighbour.
      const float along = (x + t * (to_x - x) - e.x) * -e.ny + (y + t * (to_y - y) - e.y) * e.nx;
      if (along < -Ground::kSlack || along > e.length + Ground::kSlack) continue;
      first = t, exit = &e;
    }
    if (exit == nullptr) return {to_x, to_y, cell, false};
    if (exit->next == kNoCell) return {x + first * (to_x - x), y + first * (to_y - y), cell, true};
    cell = exit->next;
  }
  return {x, y, cell, true};
}

/// The wall's point nearest to (x, y), seen from there.
struct WallFoot {
  float dx, dy;  ///< from the place to the foot
  float distance_squared;
};
inline WallFoot foot_on(const Ground::Wall& wall, float x, float y) {
  const float px = x - wall.x, py = y - wall.y;
  float t = (px * wall.dx + py * wall.dy) * wall.inverse_length_squared;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const float dx = t * wall.dx - px, dy = t * wall.dy - py;
  return {dx, dy, dx * dx + dy * dy};
}

/// Where a body of this radius comes to rest that wants to move from one place to another: it stops at walls and slides out of
/// those that it would touch. The start must be free; then so is the result, which is the start itself where there is no room.
Walk move_body(const Ground& ground, CellIndex cell, float x, float y, float to_x, float to_y, float radius);

}  // namespace throng
