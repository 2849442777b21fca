// SPDX-License-Identifier: MIT
// What a motion model sees during a step: everybody as they were, the ground, and who sees whom. Nothing in it changes.
#pragma once
#include <cstdint>
#include <span>

#include "agents/agents.hpp"
#include "navigation/ground.hpp"
#include "neighbours/neighbour_graph.hpp"

namespace throng {

struct Frozen {
  const Agents& agents;
  const Ground& ground;
  const NeighbourGraph& neighbours;
  std::span<const std::uint8_t> model;  ///< by which each row walks in this step, whatever its own is
  float dt;
  std::uint64_t step;
};

}  // namespace throng
