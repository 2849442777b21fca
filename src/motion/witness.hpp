// SPDX-License-Identifier: MIT
// Who watches a decision being made. Models take one as a template argument: with `Unwatched` nothing of it is left in the code.
#pragma once
#include <span>

#include <throng/explain.hpp>

#include "agents/agents.hpp"
#include "agents/vec2f.hpp"

namespace throng {

inline Vec2 seen(Vec2f v) { return {v.x, v.y}; }

struct Unwatched {
  static constexpr bool kWatches = false;
};

/// Writes an explanation.
struct Watched {
  static constexpr bool kWatches = true;
  const Agents& agents;
  Explanation& said;

  std::uint32_t number_of(std::uint32_t row) const { return agents.number[row]; }
  void changed(Influence influence, Vec2f velocity) {
    const Vec2 now = seen(velocity);
    if (said.steps.empty() || said.steps.back().velocity != now) said.steps.push_back({influence, now});
  }
};

/// What a decision writes besides the next generation, so that it can be made twice.
struct RowMemory {
  explicit RowMemory(const Agents& agents, std::uint32_t row) : turn(agents.turn[row]), wait(agents.wait[row]) {
    if (agents.has_short_term)
      aside_x = agents.aside_x[row], aside_y = agents.aside_y[row], aside_until = agents.aside_until[row];
  }
  void put_back(Agents& agents, std::uint32_t row) const {
    agents.turn[row] = turn, agents.wait[row] = wait;
    if (agents.has_short_term)
      agents.aside_x[row] = aside_x, agents.aside_y[row] = aside_y, agents.aside_until[row] = aside_until;
  }
  std::int8_t turn;
  float wait;
  float aside_x = 0, aside_y = 0;
  std::uint32_t aside_until = 0;
};

}  // namespace throng
