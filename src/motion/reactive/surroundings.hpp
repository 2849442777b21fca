// SPDX-License-Identifier: MIT
// What one agent sees of others and of walls in this step, gathered once and read by all modules of the pipe.
#pragma once
#include <cstdint>

#include "agents/vec2f.hpp"
#include "base/lanes.hpp"

namespace throng::reactive_rules {

/// People as small columns, padded to whole vectors; a pad is far away and stands still.
struct Surroundings {
  static constexpr int kMaxPeople = 24;  ///< the nearest, where the neighbourhood graph has more (next to never)
  static constexpr int kMaxWalls = 8;

  int people = 0;
  int padded = 0;                    ///< a multiple of kLanes
  alignas(32) float dx[kMaxPeople];  ///< from me to them
  alignas(32) float dy[kMaxPeople];
  alignas(32) float vx[kMaxPeople];
  alignas(32) float vy[kMaxPeople];
  alignas(32) float contact[kMaxPeople];  ///< sum of the two radii
  alignas(32) float distance[kMaxPeople];
  std::uint32_t row[kMaxPeople];

  int walls = 0;
  struct Wall {
    Vec2f normal;  ///< unit, from me to its nearest point
    float gap;     ///< from my body to it
  } wall[kMaxWalls];

  Vec2f offset(int j) const { return {dx[j], dy[j]}; }
  Vec2f velocity(int j) const { return {vx[j], vy[j]}; }
  /// Unit vector from me to somebody; (0, 0) on the same spot.
  Vec2f normal(int j) const { return distance[j] > 0 ? (1 / distance[j]) * offset(j) : Vec2f{}; }
  float gap(int j) const { return distance[j] - contact[j]; }
};

}  // namespace throng::reactive_rules
