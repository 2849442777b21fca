// SPDX-License-Identifier: MIT
// From goals to directions: planning corridors, keeping to them, and aiming along them.
#include <algorithm>
#include <cmath>

#include "world/state.hpp"

namespace throng {
namespace {

constexpr std::size_t kRouteGrain = 16, kGuideGrain = 256;
constexpr float kToTheRight = 0.2f;  // of the cone, where people keep to the right
constexpr float kArriveTime = 1.0f;  // s: in front of a goal to stop at, speed is distance over this

/// Brings `next` to the walker's cell: forward where it crossed portals, back where it was pushed back. False if it left the
/// corridor.
bool keep_to_route(Route& route, CellIndex cell) {
  if (route.cells[route.next] == cell) return true;
  constexpr std::uint32_t kLook = 8;
  const auto count = static_cast<std::uint32_t>(route.cells.size());
  for (std::uint32_t step = 1; step <= kLook; ++step) {
    if (route.next + step < count && route.cells[route.next + step] == cell) {
      route.next += step;
      return true;
    }
    if (step <= route.next && route.cells[route.next - step] == cell) {
      route.next -= step;
      return true;
    }
  }
  return false;
}

/// The width of the narrowest place of a corridor.
float narrowest(const Cells& cells, CellIndex cell, std::span<const PortalIndex> portals) {
  float least = 1e30f;
  for (std::size_t i = 0; i + 1 < portals.size(); ++i) {
    cell = cells.across(portals[i], cell);
    const std::uint32_t in = cells.portals[portals[i]].slot[cells.end_of(portals[i], cell)];
    const std::uint32_t out = cells.portals[portals[i + 1]].slot[cells.end_of(portals[i + 1], cell)];
    least = std::min(least, cells.width(cell, in, out));
  }
  return least;
}

}  // namespace

/// The way for a body. Where it is too narrow for two, one for two is preferred if it is not much longer: people who meet in an
/// alley of one person's width have to walk back. And nobody squeezes through a gap of its own width while it can go round.
/// Who walks by rules finds its ways from tile to tile, and asks its corridor only where there are none: any will do.
PathStatus World::State::find_way(PathRequest request, PathFinder& finder, Path& path, bool by_rules) const {
  constexpr double kLongest = 1.4;  // times the narrow way
  const double for_two = 2.25 * request.radius, at_ease = request.radius + 0.06;
  const Locator& locator = data().locator;
  const auto freed = [&](Vec2 place, std::uint32_t layer, double radius) {
    return locator.nearest_walkable(place, layer, radius).value_or(place);
  };
  PathStatus status = finder.find_pulled(request, path);
  if (status == PathStatus::kStartBlocked) {
    // Positions are floats: who stands against a wall may be a hair too close to it.
    const Vec2 from = freed(request.from, request.from_layer, request.radius);
    if (locator.cell_at(from, request.from_layer) != locator.cell_at(request.from, request.from_layer)) return status;
    request.from = from;
    status = finder.find_pulled(request, path);
  }
  if (status != PathStatus::kFound || by_rules) return status;
  const CellIndex first = locator.cell_at(request.from, request.from_layer), last = locator.cell_at(request.to, request.to_layer);
  const double width = narrowest(data().cells, first, path.portals), length = path.length;
  for (const double wide : {for_two, at_ease}) {
    if (width >= 2 * wide) break;
    PathRequest roomy = request;
    roomy.radius = wide;
    roomy.from = freed(request.from, request.from_layer, wide);
    roomy.to = freed(request.to, request.to_layer, wide);
    if (locator.cell_at(roomy.from, request.from_layer) != first || locator.cell_at(roomy.to, request.to_layer) != last) continue;
    if (finder.find_pulled(roomy, path) == PathStatus::kFound && (wide == at_ease || path.length < kLongest * length + 10))
      return PathStatus::kFound;
  }
  return width >= 2 * for_two ? status : finder.find_pulled(request, path);
}

/// One of a few people in a large crowd will need a way soon: every column of it is another line of memory.
void World::State::expect_row(std::uint32_t row) const {
  const auto expect = [row](const auto&... column) { (__builtin_prefetch(&column[row], 1), ...); };
  expect(agents.slot, agents.now.x, agents.now.y, agents.cell, agents.goal_x, agents.goal_y, agents.goal_layer, agents.radius,
         agents.profile, agents.model, agents.needs_route, agents.activity, agents.best_left, agents.best_time, agents.left,
         agents.route_cell);
}

void World::State::find_routes() {
  take_replans();
  count_crowd();
  rows.clear();
  for (std::uint32_t row = 0; row < agents.count; ++row)
    if (agents.needs_route[row] != 0) rows.push_back(row);
  if (rows.empty()) return;
  if (finders.empty())
    for (unsigned w = 0; w < tasks->worker_count(); ++w) {
      finders.emplace_back(navigation);
      paths.emplace_back();
      corridors.emplace_back();
      link_scratch.emplace_back();
      flow_scratch.emplace_back();
    }
  tasks->parallel_for(rows.size(), kRouteGrain, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t k = begin; k < end; ++k) {
      if (k + 2 < end) expect_row(rows[k + 2]);
      if (k + 1 < end) __builtin_prefetch(&routes[agents.slot[rows[k + 1]]], 1);
      const std::uint32_t row = rows[k];
      agents.needs_route[row] = 0;
      wake(row);
      Path& path = paths[worker];
      PathRequest request;
      request.from = position(row);
      if (agents.has_links) {
        // To the goal itself: the way may be another one now.
        agents.goal_x[row] = agents.final_x[row], agents.goal_y[row] = agents.final_y[row];
        agents.goal_layer[row] = agents.final_layer[row], agents.stops_at_goal[row] = agents.final_stops[row];
      }
      request.to = {agents.goal_x[row], agents.goal_y[row]};
      request.radius = agents.radius[row];
      request.profile = agents.profile[row];
      request.from_layer = layer_of(row);
      request.to_layer = agents.goal_layer[row];
      const bool by_rules = agents.has_rules && models.rules().ground_of(agents.model[row]) != nullptr;
      GroupMember* member = member_of(row);
      bool is_found = false;
      if (member != nullptr && member->follows == Follows::kSeeks) {
        // To the leader, out of whose sight it got; if that is not to be done, its own way.
        const Group& group = groups[agents.band[row]];
        PathRequest to_leader = request;
        to_leader.to = {group.place.x, group.place.y};
        to_leader.to_layer = request.from_layer;
        is_found = find_way(to_leader, finders[worker], path, by_rules) == PathStatus::kFound;
        if (is_found)
          forget_link(row);
        else
          member->follows = Follows::kItself;
      }
      const bool seeks = is_found;
      if (!seeks) is_found = find_flow_route(row, request, worker);
      if (!is_found) {
        is_found = find_way(request, finders[worker], path, by_rules) == PathStatus::kFound;
        if (agents.has_links) is_found = find_link_route(row, request, is_found, worker);
      } else if (!seeks) {
        forget_link(row);
      }
      Route& route = routes[agents.slot[row]];
      route.portals.clear();
      route.cells.clear();
      route.next = 0;
      agents.best_left[row] = 0xffffffffu;
      agents.best_time[row] = time();
      if (!is_found) {
        agents.activity[row] = Activity::kLost;
        continue;
      }
      CellIndex cell = data().locator.cell_at(request.from, request.from_layer);
      route.cells.push_back(cell);
      for (const PortalIndex portal : path.portals) {
        route.portals.push_back(portal);
        route.cells.push_back(cell = data().cells.across(portal, cell));
      }
      agents.left[row] = static_cast<std::uint32_t>(route.portals.size());
      agents.route_cell[row] = route.cells[0];
    }
  });
  for (const std::uint32_t row : rows)
    if (agents.activity[row] == Activity::kLost) tell(EventKind::kNoWay, row);
  if (graph) count_trips();
}

Aim World::State::follow_route(std::uint32_t row, Vec2f place, Vec2f goal) {
  Route& route = routes[agents.slot[row]];
  if (route.cells.empty()) {
    // Somebody who followed its leader and has lost it.
    agents.needs_route[row] = 1;
    return {};
  }
  if (!keep_to_route(route, agents.cell[row])) agents.needs_route[row] = 1;
  agents.left[row] = static_cast<std::uint32_t>(route.portals.size()) - route.next;
  agents.route_cell[row] = route.cells[route.next];
  Vec2f target = goal;
  if (agents.left[row] > 0) {
    const Portal& portal = data().cells.portals[route.portals[route.next]];
    const Vec2 middle = 0.5 * (to_metres(portal.position[0]) + to_metres(portal.position[1]));
    target = {static_cast<float>(middle.x), static_cast<float>(middle.y)};
  }
  agents.rest[row] = length(target - place);
  // In a world with regions a flow's paths are few, and people come against each other on all of them: they keep to the right.
  const float side = has_interest() ? kToTheRight * agents.side[row] : agents.side[row];
  return aim_in_corridor(data().cells, route, place, goal, agents.radius[row], agents.cone_tangent[row], side);
}

Vec2f World::State::on_its_slope(std::uint32_t row, Vec2f wanted) const {
  const std::uint32_t layer = layer_of(row);
  if (const HeightGrid& heights = data().layer_heights[layer]; !heights.empty())
    return climbs->slowed(heights, {agents.now.x[row], agents.now.y[row]}, wanted);
  return grades.empty() ? wanted : grades[layer].slowed(wanted);
}

void World::State::guide(std::uint32_t i) {
  Vec2f desired{};
  const GroupMember* member = member_of(i);
  const bool follows = member != nullptr && member->follows == Follows::kLeader;
  if (agents.activity[i] == Activity::kWalking) {
    const float speed = member != nullptr ? member->speed : agents.preferred_speed[i];
    Vec2f goal = {agents.goal_x[i], agents.goal_y[i]};
    if (member != nullptr && member->follows == Follows::kSeeks) goal = groups[agents.band[i]].place;
    if (follows) {
      desired = beside_leader(i, *member);
    } else if (agents.has_heading[i] != 0) {
      desired = speed * goal;
    } else {
      const Vec2f place = {agents.now.x[i], agents.now.y[i]};
      Aim aim;
      if (agents.left[i] == 0 && agents.cell[i] == agents.route_cell[i]) {
        // In the goal's cell nothing is in the way, and the route, which lies elsewhere in memory, says nothing more.
        const Vec2f to_goal = goal - place;
        agents.rest[i] = length(to_goal);
        aim = {agents.rest[i] > 0 ? (1 / agents.rest[i]) * to_goal : to_goal, true};
      } else {
        aim = follow_route(i, place, goal);
      }
      desired = speed * aim.direction;
      if (aim.sees_goal && agents.stops_at_goal[i] != 0) {
        const float slow = length(goal - place) / kArriveTime;
        if (slow < speed) desired = slow * aim.direction;
      }
    }
  }
  const Vec2f by_corridor = desired;
  if (!vehicles.empty() && agents.activity[i] != Activity::kDriven) desired = out_of_the_way(i, desired);
  // Whom a vehicle drives away follows no field, which may lead it back there at every other step.
  if (!follows && follows_field(i) && desired == by_corridor) desired = down_the_field(i, desired);
  if ((!grades.empty() || climbs) && desired != Vec2f{}) desired = on_its_slope(i, desired);
  agents.desired_x[i] = desired.x;
  agents.desired_y[i] = desired.y;
}

void World::State::guide() {
  tasks->parallel_for(agents.active_count(), kGuideGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      fetch_routes(i, end, [](std::size_t k) { return static_cast<std::uint32_t>(k); });
      guide(static_cast<std::uint32_t>(i));
    }
  });
}

}  // namespace throng
