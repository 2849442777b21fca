// SPDX-License-Identifier: MIT
// Manners towards groups, for all models: people walk round a group, not through it.
//
// The middle between two who walk together is in the way like a person. Who would pass between them then finds the room on both
// sides in one look; without it one avoids the one, and then the other, or slips through.
#pragma once
#include <cstdint>
#include <span>

#include "agents/agents.hpp"
#include "agents/vec2f.hpp"

namespace throng {

inline constexpr float kTogether = 2.0f;  ///< m: members who are further apart have let others through

/// The middle between two who walk together.
struct Middle {
  Vec2f place, velocity;
  float body;  ///< mean of the two
  float half;  ///< m, to each of them
  std::uint32_t group;
};

/// Calls f(middle) for each two of one group, not mine, that are among `seen`.
template <class F>
void visit_middles(const Agents& agents, std::uint32_t me, std::span<const std::uint32_t> seen, F&& f) {
  if (!agents.has_groups) return;
  const auto& now = agents.now;
  for (std::size_t a = 0; a < seen.size(); ++a) {
    const std::uint32_t one = seen[a];
    if (agents.group[one] == 0 || agents.group[one] == agents.group[me]) continue;
    for (std::size_t b = a + 1; b < seen.size(); ++b) {
      const std::uint32_t other = seen[b];
      if (agents.group[other] != agents.group[one]) continue;
      const Vec2f first = {now.x[one], now.y[one]}, second = {now.x[other], now.y[other]}, way = second - first;
      if (dot(way, way) > kTogether * kTogether) continue;
      const Vec2f velocity = 0.5f * (Vec2f{now.vx[one], now.vy[one]} + Vec2f{now.vx[other], now.vy[other]});
      f(Middle{0.5f * (first + second), velocity, 0.5f * (now.body[one] + now.body[other]), 0.5f * length(way),
               agents.group[one]});
    }
  }
}

}  // namespace throng
