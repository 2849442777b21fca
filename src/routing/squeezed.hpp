// SPDX-License-Identifier: MIT
// Where a pulled path goes round a corner so close to another wall that there may be no room. Internal to `pull`.
#pragma once
#include <algorithm>
#include <cstddef>

#include "routing/funnel.hpp"
#include "routing/near_sides.hpp"
#include "routing/path_overlap.hpp"

namespace throng {

inline constexpr double kDepthTolerance = 1e-7;    // metres into a wall that count as rounding
inline constexpr std::size_t kMaxCellsNear = 256;  // looked at beside the corridor, for one leg

inline bool has_corner(const Cells& cells, CellIndex c, std::uint32_t vertex) {
  const auto sides = cells.sides_of(c);
  return std::any_of(sides.begin(), sides.end(), [&](const Side& s) { return s.vertex == vertex; });
}

/// Whether a body that goes round the i-th bend reaches into a wall there: between a corner and a wall that face each other
/// otherwise than by an edge or a turn in a triangle there may be less room than the widths say. That is so near start and goal,
/// of whose place in its triangle the widths know nothing, and where a guard of the bottleneck rule refused the corner's foot.
[[gnu::noinline]] inline bool is_squeezed(const Cells& cells, FunnelScratch& scratch, const PulledPath& path, std::size_t i) {
  const FunnelScratch::Corner& corner = scratch.path[i];
  const Bend& bend = path.bends[i];
  scratch.visited.assign(1, scratch.cells[corner.stage]);
  for (std::size_t next = corner.stage + 1; next < scratch.cells.size() && has_corner(cells, scratch.cells[next], corner.vertex);
       ++next)
    scratch.visited.push_back(scratch.cells[next]);
  const double radius = path.radius;
  const Vec2 centre = corner.circle.centre, arrive = bend.arrive - centre, leave = bend.leave - centre;
  const PathArc arc = {{0, 0}, arrive, leave, corner.circle.offset > 0};
  bool squeezed = false;
  for_sides_near(cells, {centre, {1, 0}, 0, 0}, 2 * radius, scratch.visited.size() + kMaxCellsNear, scratch.visited,
                 [&](const Side& side, std::uint32_t, Vec2 a, Vec2 b) {
                   if (side.portal != kNoPortal || squeezed) return;
                   const double apart = std::min(distance_to_wall(arrive, a, b), distance_to_wall(leave, a, b));
                   squeezed = radius - apart > kDepthTolerance || overlap_of_arc(arc, radius, a, b) > kDepthTolerance;
                 });
  return squeezed;
}

}  // namespace throng
