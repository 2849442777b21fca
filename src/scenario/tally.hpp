// SPDX-License-Identifier: MIT
// What happened in a run so far, as plain numbers: part of a simulation's state, so that a run that was interrupted and restored
// ends with the same summary.
#pragma once
#include <cstdint>
#include <vector>

#include <throng/world.hpp>

#include "groups/cohesion.hpp"

namespace throng {

struct Tally {
  std::uint64_t people = 0;         ///< who were ever there
  std::uint64_t arrived = 0;        ///< who reached the last goal of their plan at least once
  std::uint64_t left = 0;           ///< who left the world
  std::uint64_t goals_reached = 0;  ///< by all, again and again
  std::uint64_t stuck = 0;          ///< who were stuck at some time
  std::uint64_t lost = 0;           ///< who had no way to a goal at some time

  // Sums over steps.
  std::uint64_t agent_steps = 0, walker_steps = 0, counted_steps = 0;
  double overlaps_per_1000 = 0, before_separate_per_1000 = 0;  ///< divide by counted_steps
  std::uint64_t deep_overlaps = 0, wall_penetrations = 0;
  double speed_ratio = 0, progress_ratio = 0;  ///< divide by walker_steps

  std::vector<double> travel_times;  ///< s from the start of moving to the first arrival at the last goal, in order of arrival
  double last_arrival = 0;           ///< s

  struct Crossing {
    double time = 0;
    std::uint32_t number = 0;   ///< of the agent
    std::uint32_t to_left = 0;  ///< 1: from the right of from → to to its left
  };
  std::vector<std::vector<Crossing>> lines;  ///< by measurement line
  struct Density {
    double sum = 0;  ///< over steps, per m²
    double most = 0;
    std::uint64_t steps = 0;
  };
  std::vector<Density> densities;  ///< by measured area
  Cohesion groups;                 ///< once a second, where populations walk in groups
};

}  // namespace throng
