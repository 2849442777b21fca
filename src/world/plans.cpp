// SPDX-License-Identifier: MIT
// What people want: waiting, goals one after the other, arriving, leaving, and being stuck.
#include <algorithm>
#include <cmath>

#include "world/state.hpp"

namespace throng {
namespace {

constexpr int kTries = 64;
constexpr int kPlacesToChoose = 8;  // of an area
constexpr double kStuckAfter = 60;  // s
constexpr float kPatience = 1;      // s of standing in a jam
constexpr float kProgress = 0.1f;   // m
constexpr std::size_t kFinishGrain = 512;
constexpr std::uint32_t kNoArea = 0xffffffffu, kNoFlow = 0xffffffffu;

}  // namespace

void World::State::tell(EventKind kind, std::uint32_t row) {
  events.push_back({time(), kind, agents.number[row], agents.plan_entry[row]});
}

void World::State::set_goal(std::uint32_t row, Vec2 goal, std::uint32_t layer, bool stops) {
  agents.goal_x[row] = static_cast<float>(goal.x);
  agents.goal_y[row] = static_cast<float>(goal.y);
  agents.goal_layer[row] = layer;
  agents.has_heading[row] = 0;
  agents.stops_at_goal[row] = stops;
  agents.activity[row] = Activity::kWalking;
  agents.needs_route[row] = 1;
  leave_flow(row);
  if (agents.has_links) {
    forget_link(row);
    agents.final_x[row] = agents.goal_x[row], agents.final_y[row] = agents.goal_y[row];
    agents.final_layer[row] = layer, agents.final_stops[row] = stops;
  }
}

/// Walks to the goal of the present entry, or does what the end of the plan says.
void World::State::start_plan_entry(std::uint32_t row) {
  if (agents.plan[row] == kNoPlan) return;
  const Plan& plan = plans[agents.plan[row]];
  std::uint32_t& entry = agents.plan_entry[row];
  if (entry >= plan.goals.size() && plan.end == PlanEnd::kLoop && !plan.goals.empty()) entry = 0;
  const double radius = agents.radius[row];
  if (entry < plan.goals.size()) {
    const PlanGoal& goal = plan.goals[entry];
    const bool stops = goal.wait_high > 0 || (entry + 1 == plan.goals.size() && plan.end == PlanEnd::kStay);
    if (goal.area == kNoArea) return set_goal(row, goal.point, goal.layer, stops);
    const GoalArea& area = areas[goal.area];
    auto place = place_in(area, radius, agents.number[row], agents.draws[row]++);
    // Fields lead to the nearest part of an area; so do corridors where the two meet.
    for (int more = 1; more < kPlacesToChoose && has_interest() && goal.flow != kNoFlow && place; ++more)
      if (const auto other = place_in(area, radius, agents.number[row], agents.draws[row]++))
        if (length(*other - position(row)) < length(*place - position(row))) place = other;
    if (place) return set_goal(row, *place, area.layer, stops);
    const Vec2 middle = 0.5 * (area.low + area.high);
    place = data().locator.nearest_walkable(middle, area.layer, radius);
    return set_goal(row, place.value_or(middle), area.layer, stops);
  }
  if (plan.end == PlanEnd::kWander) {
    const std::uint32_t component = data().cells.component[agents.cell[row]];
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const double u = unit_from_bits(draw(row, Draw::kWander)), v = unit_from_bits(draw(row, Draw::kWander));
      const auto place = data().sampler.at(data().cells, u, v);
      if (place.cell == kNoCell || data().cells.component[place.cell] != component) continue;
      const std::uint32_t layer = data().cells.layer[place.cell];
      if (fits(place.position, layer, radius)) return set_goal(row, place.position, layer, false);
    }
  }
  agents.activity[row] = Activity::kStaying;
}

void World::State::begin_waits_and_plans() {
  const double now = time();
  for (std::uint32_t row = 0; row < agents.count; ++row)
    if (agents.activity[row] == Activity::kWaiting && now + 1e-9 >= agents.until[row]) {
      agents.activity[row] = Activity::kStaying;
      start_plan_entry(row);
    }
}

bool World::State::has_arrived(std::uint32_t row) const {
  // Far away, and not through a wall. Who follows a field gets to the goal without its corridor.
  if (agents.left[row] > 1 && !follows_field(row)) return false;
  if (is_follower(row) && !leaves_at_goal(row)) return false;  // but when its leader has
  const std::uint32_t plan = agents.plan[row], entry = agents.plan_entry[row];
  // In a world without areas no plan is looked at: many people may have one each, far away in memory.
  if (!areas.empty() && plan != kNoPlan && entry < plans[plan].goals.size()) {
    const PlanGoal& goal = plans[plan].goals[entry];
    // Who will wait goes to its place, or it would stand in the door; where that is taken, as far as it gets.
    const bool goes_on = goal.wait_high <= 0 || agents.wait[row] > kPatience;
    if (goal.area != kNoArea && goes_on && areas[goal.area].layer == layer_of(row) && areas[goal.area].holds(position(row)))
      return true;
    // Who walks by rules waits on the tile beside a place that is taken for good, which may lie just outside the area.
    if (goal.area != kNoArea && agents.has_rules && agents.wait[row] > kPatience &&
        models.rules().is_beside_its_place(agents.slot[row]))
      return true;
  }
  const double dx = agents.goal_x[row] - agents.now.x[row], dy = agents.goal_y[row] - agents.now.y[row];
  const double reach = settings.arrival_distance;
  // Who walks by rules stands still on the goal, which may be the very border of two cells.
  const bool is_on_goal =
      agents.has_rules && agents.rules_tile[row] != kNoTile && agents.rules_tile[row] == agents.rules_goal[row];
  return dx * dx + dy * dy < reach * reach && (agents.left[row] == 0 || is_on_goal);
}

void World::State::go_on(std::uint32_t row) {
  tell(EventKind::kArrived, row);
  wake(row);
  leave_flow(row);
  agents.activity[row] = Activity::kStaying;
  if (agents.plan[row] == kNoPlan) return;
  const Plan& plan = plans[agents.plan[row]];
  const std::uint32_t entry = agents.plan_entry[row];
  if (entry < plan.goals.size()) ++agents.plan_entry[row];
  if (agents.plan_entry[row] >= plan.goals.size() && plan.end == PlanEnd::kLeave) {
    rows.push_back(row);
    return;
  }
  if (entry < plan.goals.size() && plan.goals[entry].wait_high > 0) {
    const PlanGoal& goal = plan.goals[entry];
    agents.activity[row] = Activity::kWaiting;
    agents.until[row] = time() + goal.wait_low + (goal.wait_high - goal.wait_low) * unit_from_bits(draw(row, Draw::kWait));
    return;
  }
  start_plan_entry(row);
}

/// Whether somebody who has not arrived has come on, has got stuck, or is free again.
void World::State::watch_progress(std::uint32_t row, std::vector<News>& news) {
  if (agents.left[row] < agents.best_left[row] || agents.rest[row] < agents.best_rest[row] - kProgress) {
    agents.best_left[row] = agents.left[row];
    agents.best_rest[row] = agents.rest[row];
    agents.best_time[row] = time();
    if (agents.is_stuck[row] != 0) news.push_back({row, EventKind::kFreed});
    agents.is_stuck[row] = 0;
  } else if (agents.is_stuck[row] == 0 && time() - agents.best_time[row] > kStuckAfter) {
    agents.is_stuck[row] = 1;
    news.push_back({row, EventKind::kStuck});
  }
}

void World::State::look_back(std::uint32_t row, Outcome& outcome) {
  if (agents.activity[row] != Activity::kWalking) return;
  ++outcome.walkers;
  // After the swap `next` is the generation before.
  const double per_second = 1 / settings.dt;
  const double dx = per_second * (agents.now.x[row] - agents.next.x[row]);
  const double dy = per_second * (agents.now.y[row] - agents.next.y[row]);
  const double wanted_x = agents.desired_x[row], wanted_y = agents.desired_y[row];
  const double wanted = std::sqrt(wanted_x * wanted_x + wanted_y * wanted_y), share = 1.0 / agents.preferred_speed[row];
  outcome.speed += share * std::sqrt(dx * dx + dy * dy);
  if (wanted > 0) outcome.progress += share * (dx * wanted_x + dy * wanted_y) / wanted;
  if (agents.has_heading[row] != 0) return;
  if (is_bound_for_link(row)) {
    if (agents.queued_at[row] == kNoRide && is_at_link(row)) agents.queued_at[row] = static_cast<std::uint32_t>(steps);
    // In a queue nobody comes on, and nobody is stuck.
    if (links[agents.link[row]].is_busy) agents.best_time[row] = time();
    watch_progress(row, outcome.news);
  } else if (has_arrived(row)) {
    outcome.news.push_back({row, EventKind::kArrived});
  } else if (is_follower(row)) {
    agents.best_time[row] = time();  // it goes where its leader goes, who is watched
  } else {
    watch_progress(row, outcome.news);
  }
}

/// Arrivals, progress, and the figures of the report; those whose plan ends here leave.
void World::State::finish() {
  const std::size_t looked_at = std::size_t{agents.active_count()} + due.size();
  const std::size_t chunks = (looked_at + kFinishGrain - 1) / kFinishGrain;
  if (outcomes.size() < chunks) outcomes.resize(chunks);
  tasks->parallel_for(looked_at, kFinishGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    Outcome& outcome = outcomes[begin / kFinishGrain];
    outcome.speed = outcome.progress = 0, outcome.walkers = 0;
    outcome.news.clear();
    const std::size_t active = agents.active_count();
    const auto row_of = [&](std::size_t k) { return k < active ? static_cast<std::uint32_t>(k) : due[k - active]; };
    for (std::size_t k = begin; k < end; ++k) {
      // Plans lie anywhere in memory: fetched ahead, first the plan, then its goal.
      if (k + 16 < end)
        if (const std::uint32_t plan = agents.plan[row_of(k + 16)]; plan != kNoPlan) __builtin_prefetch(&plans[plan]);
      if (k + 8 < end)
        if (const std::uint32_t row = row_of(k + 8), plan = agents.plan[row]; plan != kNoPlan)
          __builtin_prefetch(plans[plan].goals.data() + agents.plan_entry[row]);
      look_back(row_of(k), outcome);
    }
  });
  report.high_level = report.updated = static_cast<std::uint32_t>(looked_at);
  if (agents.has_levels)
    report.high_level = static_cast<std::uint32_t>(
        std::count_if(serving.begin(), serving.end(), [&](std::uint8_t model) { return model != models.straight(); }));
  double speed = 0, progress = 0;
  std::uint32_t walkers = 0;
  rows.clear();
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const Outcome& outcome = outcomes[chunk];
    speed += outcome.speed, progress += outcome.progress, walkers += outcome.walkers;
    for (const News& news : outcome.news) {
      if (news.kind == EventKind::kArrived)
        go_on(news.row);
      else
        tell(news.kind, news.row);
    }
  }
  std::sort(rows.begin(), rows.end(), std::greater<>());
  for (const std::uint32_t row : rows) {
    tell(EventKind::kLeft, row);
    remove(row);
  }
  report.agents = agents.count;
  report.walkers = walkers;
  report.speed_ratio = walkers > 0 ? speed / walkers : 0;
  report.progress_ratio = walkers > 0 ? progress / walkers : 0;
}

}  // namespace throng
