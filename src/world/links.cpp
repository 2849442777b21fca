// SPDX-License-Identifier: MIT
// Lifts and escalators: choosing them, queuing, riding, getting off (navigation/links.hpp plans).
//
// Somebody whose way leads over a link walks to a place of the area where it is boarded. Who has come there boards in the order
// of arrival, then of number, as long as there is room aboard. A rider is out of the crowd: its row moves from `agents` to
// `aboard`, so no phase of a step knows of riders. When the ride is over it appears at a free place of the area at the other end,
// and plans on from there; if there is none it stays aboard and keeps its seat until there is. It has its id, its number and its
// goal all the while. Everything happens at the start of a step, in one thread; a world without links does not come here.
#include <algorithm>
#include <tuple>

#include "world/state.hpp"

namespace throng {

void World::State::make_links() {
  agents.has_links = !data().links.empty();
  if (!agents.has_links) return;
  aboard.take_columns_of(agents);
  for (const BakedLink& link : data().links)
    links.push_back({GoalArea::of(link.ends[0].shape, link.ends[0].layer), GoalArea::of(link.ends[1].shape, link.ends[1].layer)});
  link_routes.emplace(navigation);
}

/// Puts a way over links into `paths[worker]` if it is cheaper than the one on foot that is there; whether there is any way.
bool World::State::find_link_route(std::uint32_t row, const PathRequest& request, bool is_walkable, unsigned worker) {
  const std::uint32_t before = agents.link[row];
  agents.link[row] = kNoRide;
  Path& path = paths[worker];
  PathFinder& finder = finders[worker];
  const double on_foot = is_walkable ? path.cost : kNoWalk;
  PathRequest leg = request;
  const auto walk = [&](Vec2 from, std::uint32_t from_layer, Vec2 to, std::uint32_t to_layer) {
    leg.from = from, leg.from_layer = from_layer, leg.to = to, leg.to_layer = to_layer;
    return find_way(leg, finder, path) == PathStatus::kFound ? path.cost : kNoWalk;
  };
  const auto way = link_routes->find(request, agents.preferred_speed[row], on_foot, walk, link_scratch[worker]);
  if (way.first == kNoRide) {
    agents.queued_at[row] = kNoRide;
    // The search has used the path's memory.
    return is_walkable && walk(request.from, request.from_layer, request.to, request.to_layer) != kNoWalk;
  }
  const LinkEnd& entry = data().links[way.first].ends[0];
  Vec2 place = place_in(links[way.first].entry, request.radius, agents.number[row], way.first).value_or(entry.place);
  if (walk(request.from, request.from_layer, place, entry.layer) == kNoWalk) {
    place = entry.place;
    walk(request.from, request.from_layer, place, entry.layer);
  }
  agents.link[row] = way.first;
  if (before != way.first) agents.queued_at[row] = kNoRide;
  agents.goal_x[row] = static_cast<float>(place.x), agents.goal_y[row] = static_cast<float>(place.y);
  agents.goal_layer[row] = entry.layer;
  agents.stops_at_goal[row] = 1;
  return true;
}

bool World::State::is_at_link(std::uint32_t row) const {
  const GoalArea& entry = links[agents.link[row]].entry;
  return entry.layer == layer_of(row) && entry.holds(position(row));
}

void World::State::ride() {
  alight();
  board();
}

/// Those whose ride is over, in the order of boarding, as far as there is room.
void World::State::alight() {
  const double now = time();
  rows.clear();
  for (std::uint32_t row = 0; row < aboard.count; ++row)
    if (now + 1e-9 >= aboard.until[row]) rows.push_back(row);
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(aboard.until[a], aboard.number[a]) < std::tie(aboard.until[b], aboard.number[b]);
  });
  order.clear();  // rows that have got off
  for (const std::uint32_t from : rows) {
    const GoalArea& exit = links[aboard.link[from]].exit;
    const auto place = free_place_in(exit, aboard.radius[from], random_bits(settings.seed, aboard.number[from], steps, 0));
    if (!place) continue;
    agents.set_images({});
    const std::uint32_t row = agents.count;
    agents.copy_row(aboard, from);
    order.push_back(from);
    slots.move(agents.slot[row], row);
    for (Agents::Motion* motion : {&agents.now, &agents.next}) {
      motion->x[row] = static_cast<float>(place->x), motion->y[row] = static_cast<float>(place->y);
      motion->vx[row] = motion->vy[row] = motion->intent_x[row] = motion->intent_y[row] = 0;
    }
    agents.shown_x[row] = agents.now.x[row], agents.shown_y[row] = agents.now.y[row];
    agents.cell[row] = data().locator.cell_at(*place, exit.layer);
    agents.activity[row] = Activity::kWalking;
    agents.needs_route[row] = 1;
    agents.wait[row] = 0;
    leave_flow(row);
    forget_link(row);
    if (agents.has_levels) {
      agents.level[row] = 1;
      begin_leg(row);
      wake(row);
    }
    find_disc(row);
    people.add(agents, row);
  }
  std::sort(order.begin(), order.end(), std::greater<>());
  for (const std::uint32_t row : order) aboard.remove_row(row);
  if (!order.empty()) count_riders();
}

void World::State::board() {
  for (LinkState& link : links) link.is_busy = false;
  rows.clear();
  for (std::uint32_t row = 0; row < agents.count; ++row)
    if (agents.link[row] != kNoRide && agents.queued_at[row] != kNoRide && agents.activity[row] == Activity::kWalking &&
        agents.has_heading[row] == 0 && is_at_link(row))
      rows.push_back(row);
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(agents.queued_at[a], agents.number[a]) < std::tie(agents.queued_at[b], agents.number[b]);
  });
  for (std::uint32_t& row : rows) row = agents.slot[row];  // rows move when others leave
  for (const std::uint32_t slot : rows) {
    std::uint32_t row = slots.row_of(slots.id_of(slot));
    LinkState& link = links[agents.link[row]];
    const BakedLink& baked = data().links[agents.link[row]];
    if (baked.capacity != 0 && link.riders >= baked.capacity) {
      link.is_busy = true;
      continue;
    }
    ++link.riders;
    agents.until[row] = time() + baked.time;
    agents.activity[row] = Activity::kRiding;
    agents.needs_route[row] = 0;
    row = detach(row);
    aboard.copy_row(agents, row);
    slots.move(slot, kNoRow);
    drop_row(row);
  }
}

void World::State::count_riders() {
  for (LinkState& link : links) link.riders = 0;
  for (std::uint32_t row = 0; row < aboard.count; ++row) ++links[aboard.link[row]].riders;
}

std::uint32_t World::State::aboard_row_of(AgentId agent) const {
  if (!slots.is_alive(agent)) return kNoRow;
  const auto found = std::find(aboard.slot.begin(), aboard.slot.end(), agent.slot);
  return found == aboard.slot.end() ? kNoRow : static_cast<std::uint32_t>(found - aboard.slot.begin());
}

}  // namespace throng
