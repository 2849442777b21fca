// SPDX-License-Identifier: MIT
// Trajectories written down by hand: people at places, frame by frame.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "trajectory/trajectory.hpp"

namespace throng {

/// `place(agent, frame)` says where somebody is, or nothing.
inline Trajectory people(std::uint32_t agents, std::uint32_t frames, double frame_seconds,
                         const std::function<std::optional<Vec2>(std::uint32_t, std::uint32_t)>& place, float radius = 0.2f,
                         float preferred_speed = 0) {
  Trajectory t;
  t.frame_seconds = frame_seconds;
  for (std::uint32_t a = 0; a < agents; ++a) t.agents.push_back({a, radius, preferred_speed, 0});
  for (std::uint32_t k = 0; k < frames; ++k) {
    std::vector<std::uint32_t> agent;
    std::vector<float> x, y;
    for (std::uint32_t a = 0; a < agents; ++a) {
      if (const auto p = place(a, k)) {
        agent.push_back(a);
        x.push_back(static_cast<float>(p->x)), y.push_back(static_cast<float>(p->y));
      }
    }
    const std::vector<float> one(agent.size(), 1.0f), zero(agent.size(), 0.0f);
    const std::vector<std::uint16_t> layer(agent.size(), 0);
    t.append({k, frame_seconds * k, t.agents, agent, x, y, one, zero, zero, layer});
  }
  return t;
}

/// One frame.
inline Trajectory standing(const std::vector<Vec2>& places, float radius = 0.2f) {
  return people(
      static_cast<std::uint32_t>(places.size()), 1, 0.1, [&](std::uint32_t a, std::uint32_t) { return places[a]; }, radius);
}

}  // namespace throng
