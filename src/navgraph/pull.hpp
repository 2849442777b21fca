// SPDX-License-Identifier: MIT
// The shortest way through a sequence of gates, as the point at which it crosses each.
//
// Lee & Preparata's funnel gives it in linear time while each gate lies behind the next. Chords of one disc may cross: then the
// line through the funnel's corners can miss a gate, or bend needlessly. Its crossings are then clamped to their gates and moved
// along them until the sum of distances, which is convex, is least (Newton's method, linear in the gates). Either way every
// crossing lies on its gate, and a line from gate to gate stays inside the convex disc between them: the way is safe by
// construction, not by the funnel.
#pragma once
#include <span>
#include <vector>

#include <throng/vec.hpp>

namespace throng {

/// A gate as seen by a walker.
struct PullGate {
  Vec2 left, right;
};

/// Memory that pull_through reuses.
struct PullScratch {
  struct Corner {
    Vec2 point;
    std::size_t gate;  ///< how many gates come before the one it is an end of
  };
  std::vector<Corner> corners;
  std::vector<double> at, step, diagonal, upper, tried;
  std::vector<Vec2> taut;
};

/// Fills `crossings` with one point for each gate; returns the length in plan from start over them to goal.
double pull_through(Vec2 start, Vec2 goal, std::span<const PullGate> gates, PullScratch& scratch, std::vector<Vec2>& crossings);

}  // namespace throng
