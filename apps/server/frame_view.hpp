// SPDX-License-Identifier: MIT
// A studio frame as the metrics and pictures of trajectories want it: metres in columns.
#pragma once
#include <cmath>
#include <vector>

#include "frame.hpp"
#include "trajectory/trajectory.hpp"

namespace throng::server {

class FrameColumnsOf {
 public:
  /// `low`: where the frame's centimetres count from.
  FrameColumnsOf(const Frame& frame, Vec2 low) : time_(frame.time) {
    const std::size_t n = frame.rows.size();
    agent_.resize(n), facts_.resize(n), x_.resize(n), y_.resize(n), z_.resize(n), hx_.resize(n), hy_.resize(n), layer_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const FrameRow& row = frame.rows[i];
      agent_[i] = static_cast<std::uint32_t>(i);
      facts_[i] = {row.number, 0.01f * row.radius, 0.01f * row.preferred, row.kind, row.group == kAlone ? 0 : row.group};
      x_[i] = static_cast<float>(low.x + 0.01 * row.x);
      y_[i] = static_cast<float>(low.y + 0.01 * row.y);
      z_[i] = 0.01f * row.z;
      const float angle = static_cast<float>(row.heading) * (2 * 3.14159265f / 256);
      hx_[i] = std::cos(angle);
      hy_[i] = std::sin(angle);
      layer_[i] = row.layer;
    }
  }
  FrameView view() const { return {0, time_, facts_, agent_, x_, y_, hx_, hy_, z_, layer_}; }

 private:
  double time_;
  std::vector<AgentFacts> facts_;
  std::vector<std::uint32_t> agent_;
  std::vector<float> x_, y_, z_, hx_, hy_;
  std::vector<std::uint16_t> layer_;
};

}  // namespace throng::server
