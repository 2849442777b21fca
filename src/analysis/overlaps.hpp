// SPDX-License-Identifier: MIT
// Safety (ALGORITHMS.md §8.8): who stands inside whom. Streams; O(n log n) a frame.
#pragma once
#include <cstdint>

#include "analysis/period.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

struct OverlapSettings {
  double default_radius = 0.20;  ///< metres, for agents whose radius is unknown
  double deep_share = 0.20;      ///< of the sum of the radii
  Period period;
};

struct OverlapSummary {
  std::uint64_t frames = 0;      ///< with at least one agent
  std::uint64_t pairs = 0;       ///< closer than the sum of their radii, on one layer, over all frames
  std::uint64_t deep_pairs = 0;  ///< by more than deep_share of that sum
  double per_1000 = 0;           ///< pairs for 1000 agents, mean over frames
  double deep_per_1000 = 0;
  double deepest = 0;        ///< metres
  double deepest_share = 0;  ///< of the sum of the radii
};

class OverlapCounter {
 public:
  explicit OverlapCounter(const OverlapSettings& settings = {}) : settings_(settings) {}
  void add(const FrameView& frame);
  OverlapSummary summary() const;

 private:
  double radius_of(const AgentFacts& facts) const { return facts.radius > 0 ? facts.radius : settings_.default_radius; }

  OverlapSettings settings_;
  OverlapSummary sum_;  ///< per_1000 are sums until summary()
};

OverlapSummary overlaps_of(const Trajectory& trajectory, const OverlapSettings& settings = {});

}  // namespace throng
