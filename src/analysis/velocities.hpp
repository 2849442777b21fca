// SPDX-License-Identifier: MIT
// Velocities from positions, the same way for every source: the move from `half_window` seconds before to as long after, over its
// time. Where somebody appears or leaves, the window is cut off at that side.
#pragma once
#include <vector>

#include "analysis/period.hpp"
#include "analysis/statistics.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

/// One for each row of the trajectory, m/s; (0, 0) for somebody seen in a single frame. The window is whole frames, at least one
/// to each side; with a period, moves in it must stay below half of that. O(rows).
std::vector<Vec2> velocities_of(const Trajectory& trajectory, double half_window = 0.2, const Period& period = {});

/// Of all rows.
Distribution speeds_of(const Trajectory& trajectory, double half_window = 0.2, const Period& period = {});

}  // namespace throng
