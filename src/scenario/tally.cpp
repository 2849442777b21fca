// SPDX-License-Identifier: MIT
#include "scenario/tally.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "geometry/polygon.hpp"
#include "scenario/simulation_state.hpp"

namespace throng {

void Simulation::State::remember_places() {
  if (scenario.lines.empty()) return;
  const World::Columns rows = world.columns();
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    Person& person = people[rows.number[i] - 1];
    person.x = rows.x[i];
    person.y = rows.y[i];
  }
  // Who rides past a line does not cross it.
  for (const std::uint32_t number : world.riders()) people[number - 1].x = std::numeric_limits<float>::quiet_NaN();
}

void Simulation::State::count_events() {
  for (const Event& event : world.events()) {
    Person& person = people[event.number - 1];
    switch (event.kind) {
      case EventKind::kArrived:
        ++tally.goals_reached;
        if (event.entry < person.last_entry || person.has_arrived != 0) break;
        person.has_arrived = 1;
        ++tally.arrived;
        tally.travel_times.push_back(event.time - person.start);
        tally.last_arrival = event.time;
        break;
      case EventKind::kLeft:
        ++tally.left;
        break;
      case EventKind::kStuck:
        tally.stuck += person.was_stuck == 0;
        person.was_stuck = 1;
        break;
      case EventKind::kNoWay:
        if (tally.lost == 0)
          notices.push_back({"people",
                             fmt::format("at {:g} s somebody (number {}) has no way to goal {} of its plan", event.time,
                                         event.number, event.entry),
                             "see whether the area can be reached by its kind and profile: throng check"});
        tally.lost += person.was_lost == 0;
        person.was_lost = 1;
        break;
      case EventKind::kFreed:
      case EventKind::kMoved:
        break;
    }
  }
}

void Simulation::State::count_crossings() {
  if (scenario.lines.empty()) return;
  const World::Columns rows = world.columns();
  const double now = world.time(), dt = scenario.settings.dt;
  const Vec2 period = scenario.settings.period_size;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    const Person& person = people[rows.number[i] - 1];
    if (std::isnan(person.x)) continue;
    const Vec2 from = {person.x, person.y}, to = {rows.x[i], rows.y[i]};
    // Over the seam of a periodic world nobody walks: it is one place.
    if ((period.x > 0 && std::abs(to.x - from.x) > period.x / 2) || (period.y > 0 && std::abs(to.y - from.y) > period.y / 2))
      continue;
    for (std::size_t l = 0; l < scenario.lines.size(); ++l) {
      const ScenarioLine& line = scenario.lines[l];
      if (layer_of(rows.cell[i]) != line.layer) continue;
      const Vec2 along = line.to - line.from;
      const double before = cross(along, from - line.from), after = cross(along, to - line.from);
      if ((before >= 0) == (after >= 0)) continue;  // the line itself belongs to its left side
      const double share = before / (before - after);
      const double place = dot(from + share * (to - from) - line.from, along);
      if (place < 0 || place > dot(along, along)) continue;
      tally.lines[l].push_back({now - dt + share * dt, rows.number[i], after >= 0 ? 1u : 0u});
    }
  }
}

void Simulation::State::count_densities() {
  if (scenario.density_areas.empty()) return;
  const World::Columns rows = world.columns();
  for (std::size_t a = 0; a < scenario.density_areas.size(); ++a) {
    const std::uint32_t area = scenario.density_areas[a];
    std::uint32_t inside = 0;
    for (std::size_t i = 0; i < rows.x.size(); ++i)
      inside += std::any_of(scenario.areas[area].parts.begin(), scenario.areas[area].parts.end(), [&](const auto& part) {
        return part.layer == layer_of(rows.cell[i]) && contains(part.shape, Vec2{rows.x[i], rows.y[i]});
      });
    const double density = inside / drawers[area].ground();
    Tally::Density& of_area = tally.densities[a];
    of_area.sum += density;
    of_area.most = std::max(of_area.most, density);
    ++of_area.steps;
  }
}

void Simulation::State::count_groups() {
  const auto every = static_cast<std::uint64_t>(std::max(1.0, std::round(1 / scenario.settings.dt)));
  const World::Columns rows = world.columns();
  if (!has_groups(scenario) || world.steps() % every != 0 || rows.group.empty()) return;
  cohesion.add({rows.group, rows.number, rows.x, rows.y, rows.vx, rows.vy}, tally.groups);
}

void Simulation::State::count(const StepReport& report) {
  count_events();
  count_crossings();
  count_densities();
  count_groups();
  tally.agent_steps += report.agents;
  tally.walker_steps += report.walkers;
  tally.speed_ratio += report.speed_ratio * report.walkers;
  tally.progress_ratio += report.progress_ratio * report.walkers;
  if (!scenario.settings.count_contacts || report.agents == 0) return;
  ++tally.counted_steps;
  tally.overlaps_per_1000 += 1000.0 * report.overlaps / report.agents;
  tally.before_separate_per_1000 += 1000.0 * report.before_separate / report.agents;
  tally.deep_overlaps += report.deep_overlaps;
  tally.wall_penetrations += report.wall_penetrations;
}

}  // namespace throng
