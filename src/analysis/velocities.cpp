// SPDX-License-Identifier: MIT
#include "analysis/velocities.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

std::vector<Vec2> velocities_of(const Trajectory& t, double half_window, const Period& period) {
  // Rows of each agent, one after the other, in order of frames.
  std::vector<std::uint64_t> start(t.agents.size() + 1, 0), rows(t.row_count());
  std::vector<std::uint32_t> frame_of(t.row_count());
  for (const std::uint32_t agent : t.agent) ++start[agent + 1];
  for (std::size_t a = 1; a < start.size(); ++a) start[a] += start[a - 1];
  std::vector<std::uint64_t> fill(start.begin(), start.end() - 1);
  for (std::size_t k = 0; k < t.frame_count(); ++k) {
    for (std::uint64_t row = t.frame_start[k]; row < t.frame_start[k + 1]; ++row) {
      rows[fill[t.agent[row]]++] = row;
      frame_of[row] = static_cast<std::uint32_t>(k);
    }
  }

  const auto reach = static_cast<std::uint32_t>(std::clamp(std::round(half_window / t.frame_seconds), 1.0, 1e6));
  std::vector<Vec2> velocity(t.row_count());
  for (std::size_t a = 0; a + 1 < start.size(); ++a) {
    // `low` and `high` are the ends of the window: first and last row within reach of the middle one.
    std::uint64_t low = start[a], high = start[a];
    for (std::uint64_t middle = start[a]; middle < start[a + 1]; ++middle) {
      const std::uint32_t frame = frame_of[rows[middle]];
      while (frame_of[rows[low]] + reach < frame) ++low;
      while (high + 1 < start[a + 1] && frame_of[rows[high + 1]] <= frame + reach) ++high;
      if (low == high) continue;
      const std::uint64_t from = rows[low], to = rows[high];
      const Vec2 move = period.shortest({double{t.x[to]} - t.x[from], double{t.y[to]} - t.y[from]});
      velocity[rows[middle]] = 1 / ((frame_of[to] - frame_of[from]) * t.frame_seconds) * move;
    }
  }
  return velocity;
}

Distribution speeds_of(const Trajectory& trajectory, double half_window, const Period& period) {
  std::vector<double> speeds;
  speeds.reserve(trajectory.row_count());
  for (const Vec2 v : velocities_of(trajectory, half_window, period)) speeds.push_back(length(v));
  return distribution_of(std::move(speeds));
}

}  // namespace throng
