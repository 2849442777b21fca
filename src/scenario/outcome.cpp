// SPDX-License-Identifier: MIT
#include "scenario/outcome.hpp"

#include "scenario/simulation_state.hpp"

namespace throng {

RunOutcome Simulation::outcome() const {
  const World& world = state_->world;
  const World::Columns rows = world.columns();
  RunOutcome outcome;
  outcome.dropped = state_->dropped;
  outcome.waiting_outside = waiting_outside();
  outcome.riding = world.riders().size();
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    const State::Person& person = state_->people[rows.number[i] - 1];
    const Plan* plan = rows.plan[i] == kNoPlan ? nullptr : &world.plan(rows.plan[i]);
    const bool ends = plan != nullptr && !plan->goals.empty() && (plan->end == PlanEnd::kStay || plan->end == PlanEnd::kLeave);
    const bool is_lost = rows.activity[i] == Activity::kLost;
    const bool has_arrived = person.has_arrived != 0;
    outcome.ending += ends;
    outcome.arrived += ends && has_arrived;
    if (is_lost)
      ++outcome.lost;
    else if (ends)
      ++(has_arrived ? outcome.at_goal : outcome.under_way);
    else if (plan != nullptr && plan->end == PlanEnd::kLoop)
      ++outcome.looping;
    else if (plan != nullptr && plan->end == PlanEnd::kWander)
      ++outcome.wandering;
    else
      ++outcome.without_plan;
  }
  for (const State::Person& person : state_->people) {
    const bool has_arrived_and_left = person.has_arrived != 0 && !world.is_alive(person.id);
    outcome.ending += has_arrived_and_left;
    outcome.arrived += has_arrived_and_left;
  }
  return outcome;
}

}  // namespace throng
