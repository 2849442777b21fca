// SPDX-License-Identifier: MIT
// The scenario reader as a fuzzing target: whatever the bytes, problems that help or a scenario that keeps its promises.
#pragma once
#include <cmath>
#include <string_view>

#include "promises.hpp"
#include "scenario/scenario.hpp"

namespace throng::fuzz {

/// Aborts unless what was read can be run: everything named exists, and reading its text again gives the same text.
inline void require_sound(const Scenario& s, const SceneOpener& open) {
  const auto within = [](const std::vector<Share>& shares, std::size_t count) {
    for (const Share& share : shares) require(share.index < count && share.weight >= 0, "shares name what exists");
  };
  const auto sound = [](const Quantity& q, double low, double high) {
    require(q.least() >= low && q.most() <= high, "quantities keep their ranges");
    for (const double unit : {0.0, 0.5, 0.999}) require(std::isfinite(q.draw(unit, 3)), "draws are numbers");
  };
  for (const Kind& kind : s.kinds) {
    sound(kind.radius, 0.05, 2);
    sound(kind.preferred_speed, 0.05, 10);
  }
  const auto check_people = [&](const PeopleDef& people) {
    within(people.kinds, s.kinds.size());
    within(people.plans, s.plans.size());
    require(!people.area || *people.area < s.areas.size(), "areas exist");
    require(people.model < s.models.size(), "models exist");
    sound(people.pre_movement, 0, 1e7);
    for (const Share& group : people.groups)
      require(group.index >= 1 && group.index <= kMostMembers && group.weight >= 0, "groups have a size");
  };
  for (const Population& population : s.populations) check_people(population);
  for (const Source& source : s.sources) check_people(source);
  for (const ScenarioPlan& plan : s.plans)
    for (const ScenarioGoal& goal : plan.goals)
      for (const std::uint32_t area : goal.areas) require(area < s.areas.size(), "goals exist");
  for (const ScenarioArea& area : s.areas)
    for (const ScenarioArea::Part& part : area.parts)
      require(part.shape.outer.size() >= 3 && part.layer < s.scene.layers.size(), "areas have outlines");
  for (const ScenarioEvent& event : s.events)
    for (const ScenarioAction& action : event.actions) {
      using Do = ScenarioAction::Do;
      if (action.what == Do::kAddRegion || action.what == Do::kSetRegion || action.what == Do::kRemoveRegion)
        require(action.region < s.regions.size(), "regions exist");
      require(!action.vehicle || *action.vehicle < s.vehicles.size(), "vehicles exist");
      if (action.what == Do::kAddRegion)
        require(action.region_value.radius > 0 && action.region_value.level <= 2, "regions are discs");
      if (action.what == Do::kSetPlan) require(action.plan < s.plans.size(), "plans exist");
      if (action.is_named) require(action.obstacle < s.obstacle_names.size(), "obstacles have names");
    }
  std::size_t at_start = 0;
  for (const ScenarioRegion& region : s.regions) at_start += !region.is_added;
  require(s.settings.interest.regions.size() == at_start, "a region is there at the start, or an event adds it");
  require(s.settings.dt > 0, "steps have a length");
  const auto again = read_scenario(s.text, "again", open);
  require(static_cast<bool>(again) && again->text == s.text, "what was read can be read again");
}

inline void scenario(std::string_view bytes) {
  // Files and large built-in scenes are other readers' business.
  const SceneOpener open = [](const std::string& name) -> Result<Scene> {
    if (name != "room") return Problem{name, "no such scene here", "write room"};
    Scene scene;
    scene.layers.push_back({.walkable = {{{{0, 0}, {9, 0}, {9, 9}, {0, 9}}, {}}}});
    scene.areas.push_back({"door", 0, {{{0, 0}, {1, 0}, {1, 1}}, {}}});
    return scene;
  };
  const auto result = read_scenario(bytes, "input", open);
  if (!result) return require_problems(result);
  require_sound(*result, open);
}

}  // namespace throng::fuzz
