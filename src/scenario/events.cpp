// SPDX-License-Identifier: MIT
// What happens to a scenario from outside while it runs: at a time, or once a condition holds.
#include <algorithm>

#include "geometry/polygon.hpp"
#include "scenario/simulation_state.hpp"

namespace throng {

bool Simulation::State::is_due(const ScenarioEvent& event) const {
  if (event.time) return world.time() + 1e-9 >= *event.time;
  const ScenarioEvent::Condition& when = event.when;
  if (when.share_arrived)
    return tally.people > 0 && static_cast<double>(tally.arrived) >= *when.share_arrived * static_cast<double>(tally.people);
  std::uint32_t inside = 0;
  const auto columns = world.columns();
  const auto& parts = scenario.areas[when.area].parts;
  for (std::uint32_t row = 0; row < world.agent_count(); ++row)
    inside += std::any_of(parts.begin(), parts.end(), [&](const ScenarioArea::Part& part) {
      return layer_of(columns.cell[row]) == part.layer && contains(part.shape, Vec2{columns.x[row], columns.y[row]});
    });
  return when.is_over ? inside > when.count : inside < when.count;
}

/// Before a step. Each event happens once.
void Simulation::State::let_happen() {
  for (std::uint32_t e = 0; e < scenario.events.size(); ++e) {
    if (has_happened[e] != 0 || !is_due(scenario.events[e])) continue;
    has_happened[e] = 1;
    for (std::size_t a = 0; a < scenario.events[e].actions.size(); ++a) {
      const auto problem = carry_out(scenario.events[e].actions[a]);
      if (!problem) continue;
      notices.push_back(*problem);
      notices.back().where = "/events/" + std::to_string(e) + "/actions/" + std::to_string(a);
    }
  }
}

std::optional<Problem> Simulation::State::carry_out(const ScenarioAction& action) {
  using Do = ScenarioAction::Do;
  switch (action.what) {
    case Do::kAddObstacle:
    case Do::kMoveObstacle:
    case Do::kRemoveObstacle:
    case Do::kCloseDoor:
    case Do::kOpenDoor:
      return change_scene(action);
    case Do::kSetSpeed:
    case Do::kScaleSpeed:
    case Do::kSetPlan:
      for (std::uint32_t row = 0; row < world.agent_count(); ++row) change_person(action, row);
      return std::nullopt;
    case Do::kAddRegion:
    case Do::kSetRegion:
    case Do::kRemoveRegion:
      return change_region(action);
  }
  return std::nullopt;
}

std::optional<Problem> Simulation::State::change_scene(const ScenarioAction& action) {
  using Do = ScenarioAction::Do;
  Edit edit;
  edit.layer = action.layer;
  edit.shape = action.shape;
  edit.door = action.door;
  if (action.what == Do::kAddObstacle) edit.kind = EditKind::kAddObstacle;
  if (action.what == Do::kMoveObstacle) edit.kind = EditKind::kMoveObstacle;
  if (action.what == Do::kRemoveObstacle) edit.kind = EditKind::kRemoveObstacle;
  if (action.what == Do::kCloseDoor) edit.kind = EditKind::kCloseDoor;
  if (action.what == Do::kOpenDoor) edit.kind = EditKind::kOpenDoor;
  if (action.what == Do::kMoveObstacle || action.what == Do::kRemoveObstacle) {
    edit.obstacle = action.is_named ? obstacle_numbers[action.obstacle] : action.obstacle;
    if (action.is_named && edit.obstacle == kNotThere)
      return Problem{"", "the obstacle \"" + scenario.obstacle_names[action.obstacle] + "\" is not there", "add it first"};
  }
  const Result<EditReport> done = world.edit(edit);
  if (!done) return done.problems()[0];
  if (action.what == Do::kAddObstacle) obstacle_numbers[action.obstacle] = done->obstacle;
  if (action.what == Do::kRemoveObstacle && action.is_named) obstacle_numbers[action.obstacle] = kNotThere;
  finder = PathFinder(world.navigation());
  return std::nullopt;
}

std::optional<Problem> Simulation::State::change_region(const ScenarioAction& action) {
  using Do = ScenarioAction::Do;
  std::uint32_t& number = region_numbers[action.region];
  const auto said = [&](const char* what, const char* fix) {
    return Problem{"", "the region \"" + scenario.regions[action.region].name + "\" is " + what, fix};
  };
  if (action.what == Do::kAddRegion) {
    if (number != kNotThere) return said("there already", "change it with set_region, or choose another name");
    number = world.add_region(action.region_value).value_or(kNotThere);
    if (action.vehicle && number != kNotThere) world.follow_vehicle(number, *action.vehicle);
    return std::nullopt;
  }
  if (number == kNotThere) return said("not there", "add it first");
  if (action.what == Do::kRemoveRegion) {
    world.remove_region(number);
    number = kNotThere;
    return std::nullopt;
  }
  Region region = *world.region(number);
  if (action.sets_centre) region.centre = action.region_value.centre;
  if (action.sets_radius) region.radius = action.region_value.radius;
  if (action.sets_level) region.level = action.region_value.level;
  world.set_region(number, region);
  return std::nullopt;
}

/// Whoever is in the crowd and of the population, if one is named. Plans begin with the goal that is nearest now; somebody whom
/// no way leads there keeps what it does.
void Simulation::State::change_person(const ScenarioAction& action, std::uint32_t row) {
  const auto columns = world.columns();
  Person& person = people[columns.number[row] - 1];
  if (action.population &&
      (person.population == kFromSource || scenario.populations[person.population].entry != *action.population))
    return;
  if (action.what == ScenarioAction::Do::kSetSpeed) {
    world.set_preferred_speed(person.id, action.value);
  } else if (action.what == ScenarioAction::Do::kScaleSpeed) {
    world.set_preferred_speed(person.id, std::min(20.0, action.value * static_cast<double>(columns.preferred_speed[row])));
  } else {
    Body body;
    body.plan = action.plan;
    body.person.radius = columns.radius[row];
    if (person.population != kFromSource)
      body.person.profile = static_cast<std::uint8_t>(scenario.populations[person.population].profile);
    const PlanVariant* variant = nearest_variant(body, {world.position(person.id), world.layer(person.id)});
    if (variant == nullptr) return;
    world.set_plan(person.id, variant->plan);
    person.last_entry = static_cast<std::uint32_t>(std::max<std::size_t>(1, scenario.plans[action.plan].goals.size())) - 1;
  }
}

}  // namespace throng
