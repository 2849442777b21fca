// SPDX-License-Identifier: MIT
// Lanes in counterflow (ALGORITHMS.md §8.1; order parameter after Nowak & Schadschneider 2012).
//
// Each person looks along a strip in walking direction and counts who goes the same way and who comes the other: φ = ((s - o) /
// (s + o))². Φ is the mean over those who see anybody. Chance alone gives Φ₀ > 0, found by shuffling the directions among the
// people where they stand; Φ' = (Φ - Φ₀) / (1 - Φ₀) is 0 without order and 1 with perfect lanes.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/period.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

struct LaneSettings {
  Vec2 along{1, 0};    ///< unit vector of the corridor
  double strip = 0.4;  ///< metres to each side that count as the same lane
  double reach = 5;    ///< metres ahead and behind
  std::uint32_t shuffles = 20;
  std::uint64_t seed = 1;
  double every = 0.5;          ///< seconds between measurements
  double from = 0;             ///< seconds: means begin here
  double formed = 0.5;         ///< lanes have formed when Φ' stays above this …
  double formed_seconds = 10;  ///< … for so long
  Period period;
};

struct LaneOrder {
  double time = 0;
  double order = 0;         ///< Φ
  double chance = 0;        ///< Φ₀
  double corrected = 0;     ///< Φ'; 0 when chance alone gives perfect order
  std::uint32_t lanes = 0;  ///< changes of the majority's direction across the corridor, and one
};

struct LaneSummary {
  double order = 0, chance = 0, corrected = 0, lanes = 0;  ///< means from `from` on
  std::optional<double> formation_time;                    ///< seconds, if lanes formed and stayed
  std::vector<LaneOrder> series;
};

/// +1, -1 or 0 (who did not move) for each agent of the trajectory: the sign of its whole way along the corridor.
std::vector<std::int8_t> directions_of(const Trajectory& trajectory, Vec2 along, const Period& period = {});

/// `direction` by dense agent index; who has 0 does not count.
LaneOrder lane_order(const FrameView& frame, std::span<const std::int8_t> direction, const LaneSettings& settings = {});

/// With directions_of the trajectory.
LaneSummary lanes_of(const Trajectory& trajectory, const LaneSettings& settings = {});

}  // namespace throng
