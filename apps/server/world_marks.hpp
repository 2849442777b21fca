// SPDX-License-Identifier: MIT
// What frames show of a world and recordings do not hold: goals, levels, models, vehicles.
#pragma once
#include <cstdint>
#include <vector>

#include "frame.hpp"
#include "scenario/simulation.hpp"

namespace throng::server {

/// Areas of the scenario that are goals, by the world's plans.
class GoalTable {
 public:
  explicit GoalTable(const Scenario& scenario);
  /// Index of an area of the scenario, or kNoGoal.
  std::uint16_t of(const World& world, std::uint32_t plan, std::uint32_t entry);
  /// Before a world that is restored or another one: plans may have come meanwhile.
  void forget_plans() { goal_of_plan_.clear(); }

 private:
  std::vector<std::uint16_t> area_of_world_area_;
  std::vector<std::vector<std::uint16_t>> goal_of_plan_;  ///< the world's plan and entry → area of the scenario
};

/// Those that are there, relative to a corner.
std::vector<FrameVehicle> vehicles_of(const World& world, Vec2 low);

/// Fills in what a frame of a recording lacks, from the world at the same step.
void add_marks(Frame& frame, const World& world, GoalTable& goals, Vec2 low);

}  // namespace throng::server
