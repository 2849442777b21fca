// SPDX-License-Identifier: MIT
#include "world_marks.hpp"

#include <algorithm>
#include <cmath>

namespace throng::server {

GoalTable::GoalTable(const Scenario& scenario) {
  // The world has an area for each part of one of the scenario.
  for (std::size_t a = 0; a < scenario.areas.size(); ++a)
    area_of_world_area_.insert(area_of_world_area_.end(), scenario.areas[a].parts.size(),
                               static_cast<std::uint16_t>(std::min<std::size_t>(a, kNoGoal)));
}

std::uint16_t GoalTable::of(const World& world, std::uint32_t plan, std::uint32_t entry) {
  if (plan == kNoPlan) return kNoGoal;
  while (plan >= goal_of_plan_.size()) {
    std::vector<std::uint16_t>& goals = goal_of_plan_.emplace_back();
    for (const PlanGoal& goal : world.plan(static_cast<std::uint32_t>(goal_of_plan_.size()) - 1).goals)
      goals.push_back(goal.area < area_of_world_area_.size() ? area_of_world_area_[goal.area] : kNoGoal);
  }
  return entry < goal_of_plan_[plan].size() ? goal_of_plan_[plan][entry] : kNoGoal;
}

std::vector<FrameVehicle> vehicles_of(const World& world, Vec2 low) {
  std::vector<FrameVehicle> list;
  for (std::uint32_t v = 0; v < world.vehicle_count(); ++v) {
    const VehicleState vehicle = world.vehicle(v);
    if (!vehicle.is_there) continue;
    list.push_back({static_cast<float>(vehicle.position.x - low.x), static_cast<float>(vehicle.position.y - low.y),
                    static_cast<float>(world.navigation().elevation(vehicle.position, vehicle.layer)),
                    static_cast<float>(std::atan2(vehicle.ahead.y, vehicle.ahead.x)), static_cast<float>(vehicle.length),
                    static_cast<float>(vehicle.width)});
  }
  return list;
}

void add_marks(Frame& frame, const World& world, GoalTable& goals, Vec2 low) {
  const World::Columns rows = world.columns();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // number, row
  order.reserve(rows.number.size());
  for (std::uint32_t i = 0; i < rows.number.size(); ++i) order.emplace_back(rows.number[i], i);
  std::sort(order.begin(), order.end());
  auto at = order.begin();
  for (FrameRow& row : frame.rows) {
    while (at != order.end() && at->first < row.number) ++at;
    if (at == order.end() || at->first != row.number) continue;
    const std::uint32_t i = at->second;
    row.level = i < rows.level.size() ? rows.level[i] : 0;
    row.model = rows.model[i];
    row.goal = goals.of(world, rows.plan[i], rows.plan_entry[i]);
  }
  frame.vehicles = vehicles_of(world, low);
  frame.has_marks = true;
}

}  // namespace throng::server
