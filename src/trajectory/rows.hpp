// SPDX-License-Identifier: MIT
// A Trajectory from rows in any order, as other tools' files hold them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <throng/result.hpp>

#include "trajectory/trajectory.hpp"

namespace throng {

struct TrajectoryRow {
  std::int64_t frame = 0;
  std::uint32_t id = 0;
  float x = 0, y = 0, z = 0;
  float heading_x = 0, heading_y = 0;  ///< (0, 0): unknown
};

/// Sorts the rows, numbers frames from 0, and puts empty frames where nobody was. Files that hold every n-th frame (all numbers
/// n apart) become frames n / frames_per_second apart. Unknown headings become the direction of motion. Problems: a place beyond
/// kFarthest, somebody twice in a frame, frame numbers that are too far apart. O(n log n), 32 bytes a row besides the result.
Result<Trajectory> trajectory_from_rows(std::vector<TrajectoryRow> rows, double frames_per_second, const std::string& name);

/// What is wrong with a frame rate, if anything.
std::vector<Problem> check_frame_rate(double frames_per_second, const std::string& where);

}  // namespace throng
