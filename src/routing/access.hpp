// SPDX-License-Identifier: MIT
// How wide a gap must be for a body, and how wide a body at a place inside a cell may be to reach the cell's portals.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cells/cells.hpp"

namespace throng {

/// Walls may reach this far into a body (m): widths are stored in floats and legs computed in doubles. One number for all, so
/// that what one planner lets through no other one refuses.
inline constexpr double kBodySlack = 1e-6;

/// The least width, as stored in Cells, of what a body may get through: by the rounding of a float less than what it needs.
/// `pull` finds out about the rest.
inline float width_needed(double radius) { return static_cast<float>(std::max(0.0, (1 - 2e-7) * 2 * radius - kBodySlack)); }

/// Index into cells.triangles of the triangle of this cell that holds the place (snapped to the grid), or that it misses by
/// least.
inline std::uint32_t triangle_in_cell(const Cells& cells, CellIndex cell, Vec2 place) {
  const Point p = snap(place);
  std::uint32_t best = cells.triangle_start[cell];
  double best_depth = -std::numeric_limits<double>::infinity();
  for (std::uint32_t t = cells.triangle_start[cell]; t < cells.triangle_start[cell + 1]; ++t) {
    const auto& v = cells.triangles[t].vertex;
    double depth = 0;
    for (int i = 0; i < 3; ++i) {
      const Point a = cells.vertices[v[i]], b = cells.vertices[v[i == 2 ? 0 : i + 1]];
      const std::int64_t area = orient(a, b, p);
      if (area < 0) depth = std::min(depth, static_cast<double>(area) / std::sqrt(static_cast<double>(distance_squared(a, b))));
    }
    if (depth == 0) return t;
    if (depth > best_depth) best_depth = depth, best = t;
  }
  return best;
}

/// The largest diameter of a disc that can get from a triangle (index into cells.triangles) of the cell to one of its portals.
inline float access_width(const Cells& cells, CellIndex cell, std::uint32_t triangle, std::uint32_t slot) {
  const std::uint32_t portals = cells.portal_start[cell + 1] - cells.portal_start[cell];
  return cells.access[cells.access_start[cell] + (triangle - cells.triangle_start[cell]) * portals + slot];
}

}  // namespace throng
