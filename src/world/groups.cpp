// SPDX-License-Identifier: MIT
// Groups in a world (groups/rules.hpp says how they keep together; ALGORITHMS §4.8).
//
// Before routes are found, each group agrees on who leads and where to, one group after the other; then, in parallel, each finds
// the places and speeds of its members from the present. Guidance only reads that. A follower in sight of its leader needs no
// corridor of its own: its way-point is beside the leader's, whatever guides that one (a corridor, a field, a heading), so groups
// are the same at every level of interest. One out of sight has a corridor to the leader.
//
// A world without groups has none of their columns, and does not come here.
#include <algorithm>
#include <cmath>

#include "groups/rules.hpp"
#include "world/state.hpp"

namespace throng {
namespace {

using namespace group_rules;

constexpr std::size_t kGroupGrain = 64;
constexpr float kWayPoint = 2.5f;    // m ahead of the leader
constexpr float kNoRoom = 0.45f;     // m beside the leader: less is no place beside it
constexpr float kGathered = 1.5f;    // m from a leader who stands
constexpr float kTooFar = 40;        // m: whom the leader does not wait for
constexpr float kStandAside = 0.2f;  // share of the preferred speed of those who have run ahead
constexpr float kJamPatience = 1;    // s of standing in a jam, after which one has arrived

}  // namespace

Result<std::uint32_t> World::State::add_group(std::span<const AgentId> list) {
  const auto wrong = [](const char* what, const char* fix) { return Problem{"group", what, fix}; };
  if (list.size() < 2) return wrong("fewer than two members", "give two or more");
  if (list.size() > kMostMembers) return wrong("more than twelve members", "split it into several groups");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::uint32_t row = slots.row_of(list[i]);
    if (row == kNoRow) return wrong("a member who has left the world or rides", "give agents of the crowd");
    if (std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]) !=
        list.begin() + static_cast<std::ptrdiff_t>(i))
      return wrong("somebody who is a member twice", "name everybody once");
    if (agents.has_groups && agents.group[row] != 0) return wrong("a member of another group", "let it leave that one first");
  }
  if (!agents.has_groups) {
    agents.set_images({});
    agents.begin_groups();
    aboard.begin_groups();
  }
  std::uint32_t band = 0;
  if (!free_groups.empty()) {
    band = free_groups.back();
    free_groups.pop_back();
  } else {
    band = static_cast<std::uint32_t>(groups.size());
    groups.emplace_back();
  }
  Group& group = groups[band];
  group = {};
  group.number = ++groups_made;
  group.count = static_cast<std::uint32_t>(list.size());
  float common = 0;
  for (const AgentId id : list) common += agents.preferred_speed[slots.row_of(id)] / static_cast<float>(list.size());
  for (std::uint32_t k = 0; k < group.count; ++k) {
    const std::uint32_t row = slots.row_of(list[k]);
    group.members[k].slot = list[k].slot;
    group.members[k].pace = common_pace(common, agents.preferred_speed[row]);
    agents.group[row] = group.number;
    agents.band[row] = band;
    agents.member[row] = static_cast<std::uint8_t>(k);
    wake(row);
  }
  return group.number;
}

/// Of somebody who leaves the world, or its group: the next in line takes its place.
void World::State::leave_group(Agents& store, std::uint32_t row) {
  if (!store.has_groups || store.group[row] == 0) return;
  const std::uint32_t band = store.band[row], gone = store.member[row];
  Group& group = groups[band];
  store.group[row] = 0;
  for (std::uint32_t k = gone; k + 1 < group.count; ++k) group.members[k] = group.members[k + 1];
  if (group.leader != Group::kNobody && group.leader > gone)
    --group.leader;
  else if (group.leader == gone)
    group.leader = Group::kNobody;
  if (--group.count == 0) {
    group = {};
    free_groups.push_back(band);
    return;
  }
  for (std::uint32_t k = gone; k < group.count; ++k) {
    const std::uint32_t slot = group.members[k].slot;
    if (const std::uint32_t other = row_of_slot(slot); other != kNoRow)
      agents.member[other] = static_cast<std::uint8_t>(k);
    else if (const std::uint32_t rider = aboard_row_of(slots.id_of(slot)); rider != kNoRow)
      aboard.member[rider] = static_cast<std::uint8_t>(k);
  }
}

const Group* World::State::find_group(std::uint32_t number) const {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.number == number; });
  return number == 0 || found == groups.end() ? nullptr : &*found;
}

bool World::State::is_follower(std::uint32_t row) const {
  if (!agents.has_groups || agents.group[row] == 0) return false;
  const Group& group = groups[agents.band[row]];
  return group.leader != Group::kNobody && group.leader != agents.member[row];
}

/// Whether its plan lets somebody leave the world at its present goal.
bool World::State::leaves_at_goal(std::uint32_t row) const {
  const std::uint32_t plan = agents.plan[row];
  return plan != kNoPlan && plans[plan].end == PlanEnd::kLeave && agents.plan_entry[row] + 1 >= plans[plan].goals.size();
}

/// From one place to another; in a periodic world to its nearest image.
Vec2f World::State::between(Vec2f from, Vec2f to) const {
  Vec2f way = to - from;
  const auto wrap = [](float v, double size) {
    const auto period = static_cast<float>(size);
    return period <= 0 ? v : v > 0.5f * period ? v - period : v < -0.5f * period ? v + period : v;
  };
  return {wrap(way.x, settings.period_size.x), wrap(way.y, settings.period_size.y)};
}

/// A follower wants what its leader wants.
void World::State::share_intent(GroupMember& member, std::uint32_t row, std::uint32_t leader) {
  const Activity leads = agents.activity[leader];
  if (agents.activity[row] == Activity::kDriven) return;
  const bool has_gone_on = agents.plan[row] == agents.plan[leader] && agents.plan_entry[row] != agents.plan_entry[leader];
  const bool was_walking = agents.activity[row] == Activity::kWalking;
  if (leads == Activity::kWalking) {
    const bool is_the_same =
        was_walking && !has_gone_on && agents.plan[row] == agents.plan[leader] &&
        agents.has_heading[row] == agents.has_heading[leader] &&
        (agents.has_links ? agents.final_x[row] == agents.final_x[leader] && agents.final_y[row] == agents.final_y[leader] &&
                                agents.final_layer[row] == agents.final_layer[leader]
                          : agents.goal_x[row] == agents.goal_x[leader] && agents.goal_y[row] == agents.goal_y[leader] &&
                                agents.goal_layer[row] == agents.goal_layer[leader]);
    if (is_the_same) return;
    if (was_walking && has_gone_on) tell(EventKind::kArrived, row);
    agents.plan[row] = agents.plan[leader], agents.plan_entry[row] = agents.plan_entry[leader];
    agents.has_heading[row] = agents.has_heading[leader];
    agents.goal_x[row] = agents.goal_x[leader], agents.goal_y[row] = agents.goal_y[leader];
    agents.goal_layer[row] = agents.goal_layer[leader], agents.stops_at_goal[row] = agents.stops_at_goal[leader];
    if (agents.has_links) {
      agents.final_x[row] = agents.final_x[leader], agents.final_y[row] = agents.final_y[leader];
      agents.final_layer[row] = agents.final_layer[leader], agents.final_stops[row] = agents.final_stops[leader];
    }
    forget_link(row);
    leave_flow(row);
    agents.activity[row] = Activity::kWalking;
    agents.needs_route[row] = agents.has_heading[row] == 0;
    if (member.follows == Follows::kLeader) member.follows = Follows::kItself;
    agents.best_left[row] = 0xffffffffu;
    agents.best_time[row] = time();
    wake(row);
    return;
  }
  if (!was_walking) return;
  const Vec2f way = between({agents.now.x[row], agents.now.y[row]}, {agents.now.x[leader], agents.now.y[leader]});
  const float near = kGathered + kSpacing * static_cast<float>(std::abs(member.beside));
  if (dot(way, way) > near * near && agents.wait[row] < kJamPatience) return;
  tell(EventKind::kArrived, row);
  agents.plan[row] = agents.plan[leader], agents.plan_entry[row] = agents.plan_entry[leader];
  agents.activity[row] = leads;
  agents.until[row] = agents.until[leader];
  agents.needs_route[row] = 0;
  leave_flow(row);
  wake(row);
}

/// Who leads, and that the others go where it goes.
void World::State::agree(Group& group) {
  const auto can_lead = [&](std::uint32_t row) {
    return row != kNoRow && agents.activity[row] != Activity::kDriven && agents.activity[row] != Activity::kLost;
  };
  std::uint32_t leader = Group::kNobody;
  for (std::uint32_t k = group.count; k-- > 0;)
    if (can_lead(row_of_slot(group.members[k].slot))) leader = k;
  if (leader != group.leader) {
    group.leader = leader;
    group.waited = 0;
    if (leader == Group::kNobody) return;
    const std::uint32_t row = row_of_slot(group.members[leader].slot);
    if (group.members[leader].follows != Follows::kItself && agents.activity[row] == Activity::kWalking)
      agents.needs_route[row] = agents.has_heading[row] == 0;
    group.members[leader].follows = Follows::kItself;
    group.members[leader].is_split = false;
    wake(row);
  }
  if (leader == Group::kNobody) return;
  const std::uint32_t leads = row_of_slot(group.members[leader].slot);
  for (std::uint32_t k = 0; k < group.count; ++k)
    if (const std::uint32_t row = row_of_slot(group.members[k].slot); k != leader && row != kNoRow)
      share_intent(group.members[k], row, leads);
}

/// A place so far to the left of another, or as far as there is room for a body.
float World::State::room_beside(const Walk& from, Vec2f left, float aside, float radius) const {
  const float side = aside < 0 ? -1.0f : 1.0f, reach = aside + side * radius;
  const Walk to = walk(ground, from.cell, from.x, from.y, from.x + reach * left.x, from.y + reach * left.y);
  if (!to.is_blocked) return aside;
  const float free = side * dot(Vec2f{to.x - from.x, to.y - from.y}, left) - radius;
  return side * std::max(0.0f, free);
}

/// Where one member walks, and how fast.
void World::State::walk_beside(const Group& group, std::uint32_t k, const LeaderView& leader, GroupMember& member) {
  const std::uint32_t row = row_of_slot(member.slot);
  const float preferred = agents.preferred_speed[row], radius = agents.radius[row], dt = static_cast<float>(settings.dt);
  const Vec2f place = {agents.now.x[row], agents.now.y[row]}, to_leader = between(place, leader.place);
  const Vec2f image = place + to_leader - leader.place;  // the shift of a leader behind the border of a periodic world
  const Vec2f left = {-leader.ahead.y, leader.ahead.x};

  const Walk sight = walk(ground, agents.cell[row], place.x, place.y, place.x + to_leader.x, place.y + to_leader.y);
  const bool sees = !sight.is_blocked && data().cells.layer[sight.cell] == layer_of(leader.row);
  const float aside = kSpacing * static_cast<float>(member.beside);
  float beside = room_beside({leader.place.x, leader.place.y, agents.cell[leader.row], false}, left, aside, radius);
  float back = rank_behind(k, group.leader, group.count);
  // Where there is no room beside the leader they walk behind each other.
  if (std::abs(beside) < std::min(kNoRoom, std::abs(aside))) back += kSpacing * std::abs(static_cast<float>(member.beside));
  const Vec2f own = leader.place + image + beside * left - back * leader.ahead;
  const float lag = dot(own - place, leader.ahead), away = length(own - place);

  if (member.is_split ? away < kJoined || (std::abs(lag) < kAbreast && away < 2 * kJoined) : away > kSplit || !sees)
    member.is_split = !member.is_split;
  if (!sees) member.is_split = true;
  const float common = common_pace(leader.common_speed, preferred);
  member.pace = adapted_pace(member.pace, member.is_split ? 0 : lag, common, dt);
  const float needed = leader.speed + std::max(0.0f, member.is_split || leader.stands ? away : lag) / kCatchUpTime;
  if (member.is_split)
    member.speed = lag < -kAbreast && sees && !leader.stands ? kStandAside * preferred : std::min(kFastest * preferred, needed);
  else
    member.speed = std::min(member.pace * preferred + kTrim * std::clamp(lag, -kAbreast, kAbreast), needed);

  const bool can_walk_there = layer_of(leader.row) == layer_of(row) &&
                              data().cells.component[agents.cell[row]] == data().cells.component[agents.cell[leader.row]];
  const Follows before = member.follows;
  member.follows = sees ? Follows::kLeader : can_walk_there ? Follows::kSeeks : Follows::kItself;
  if (member.follows != Follows::kLeader) {
    // The leader walks on: the way to it is a new one every second.
    const auto every = static_cast<std::uint64_t>(std::max(1.0, std::round(1 / settings.dt)));
    const bool is_time = member.follows == Follows::kSeeks && (steps + agents.number[row]) % every == 0;
    if ((before != member.follows || is_time) && agents.has_heading[row] == 0) agents.needs_route[row] = 1;
    if (agents.has_heading[row] != 0) member.follows = Follows::kItself;
    return;
  }
  agents.needs_route[row] = 0;
  agents.left[row] = agents.left[leader.row], agents.rest[row] = agents.rest[leader.row];
  if (member.is_split || leader.stands) {
    member.target = own + (leader.stands ? 0 : 3 * dt) * leader.velocity;
  } else {
    const Walk& ahead = leader.way_point;
    const float there = room_beside(ahead, left, aside, radius);
    const Vec2f past = Vec2f{ahead.x, ahead.y} + image + there * left - back * leader.ahead;
    member.target = past;
  }
  const Walk way = walk(ground, agents.cell[row], place.x, place.y, member.target.x, member.target.y);
  if (way.is_blocked) member.target = place + to_leader;
}

void World::State::walk_together(Group& group) {
  group.is_waiting = false;
  if (group.leader == Group::kNobody) {
    for (std::uint32_t k = 0; k < group.count; ++k)
      if (const std::uint32_t row = row_of_slot(group.members[k].slot); row != kNoRow)
        group.members[k].speed = agents.preferred_speed[row];
    return;
  }
  GroupMember& leads = group.members[group.leader];
  LeaderView leader;
  leader.row = row_of_slot(leads.slot);
  leader.place = group.place = {agents.now.x[leader.row], agents.now.y[leader.row]};
  leader.velocity = {agents.now.vx[leader.row], agents.now.vy[leader.row]};
  leader.stands = agents.activity[leader.row] != Activity::kWalking;
  // What guided it in the last step; who coasts walks straight on since it was looked at.
  const bool coasts = leader.row >= agents.active_count();
  // A continuum crowd's fields guide it in its motion model.
  const bool by_field = std::holds_alternative<ContinuumSettings>(settings.models[agents.model[leader.row]]);
  const Vec2f wanted = coasts     ? leader.velocity
                       : by_field ? Vec2f{agents.now.intent_x[leader.row], agents.now.intent_y[leader.row]}
                                  : Vec2f{agents.desired_x[leader.row], agents.desired_y[leader.row]};
  leader.speed = leader.stands ? 0 : length(wanted);
  leader.ahead = unit(wanted);
  if (leader.ahead == Vec2f{}) leader.ahead = {agents.heading_x[leader.row], agents.heading_y[leader.row]};

  // Everybody in the crowd, the leader first.
  float across[kMostMembers];
  std::int8_t beside[kMostMembers];
  std::uint32_t present[kMostMembers], count = 0, own = 0;
  float speeds = 0;
  for (std::uint32_t k = 0; k < group.count; ++k) {
    const std::uint32_t row = row_of_slot(group.members[k].slot);
    if (row == kNoRow) continue;
    const Vec2f way = between(leader.place, {agents.now.x[row], agents.now.y[row]});
    across[count] = cross(leader.ahead, way);
    beside[count] = group.members[k].beside;
    if (k == group.leader) own = count;
    speeds += agents.preferred_speed[row];
    present[count++] = k;
  }
  leader.common_speed = speeds / static_cast<float>(count);
  const float preferred = agents.preferred_speed[leader.row], common = common_pace(leader.common_speed, preferred);
  if (count < 2) {
    leads.pace = adapted_pace(leads.pace, 0, common, static_cast<float>(settings.dt));
    leads.speed = leads.pace * preferred;
    return;
  }
  line_up({across, count}, own, {beside, count});
  for (std::uint32_t i = 0; i < count; ++i) group.members[present[i]].beside = beside[i];

  leader.way_point = walk(ground, agents.cell[leader.row], leader.place.x, leader.place.y,
                          leader.place.x + kWayPoint * leader.ahead.x, leader.place.y + kWayPoint * leader.ahead.y);
  bool somebody_is_split = false, waits = false;
  float lag = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t k = present[i];
    GroupMember& member = group.members[k];
    const std::uint32_t row = row_of_slot(member.slot);
    if (k == group.leader) continue;
    if (agents.activity[row] != Activity::kWalking) {
      member.speed = agents.preferred_speed[row];
      member.follows = Follows::kItself;
      member.is_split = false;
      continue;
    }
    walk_beside(group, k, leader, member);
    const Vec2f way = between({agents.now.x[row], agents.now.y[row]}, leader.place);
    const float behind = dot(way, leader.ahead);
    if (count == 2) lag = behind;
    somebody_is_split |= member.is_split;
    waits |= member.is_split && dot(way, way) < kTooFar * kTooFar && (behind > kAbreast || member.follows != Follows::kLeader);
  }
  group.waited = somebody_is_split ? group.waited + (waits ? static_cast<float>(settings.dt) : 0) : 0;
  group.is_waiting = waits && group.waited < kPatience;
  // A leader of two goes by the other as well; one of more does not (ALGORITHMS §4.8).
  leads.pace = adapted_pace(leads.pace, somebody_is_split ? 0 : -lag, common, static_cast<float>(settings.dt));
  leads.speed = (group.is_waiting ? kWaitingPace : leads.pace) * preferred;
}

/// On a flow a follower is on its leader's path.
void World::State::join_flow(std::uint32_t row, std::uint32_t leader) {
  if (!agents.has_graph || agents.on_flow[leader] != 1 || agents.on_flow[row] == 1) return;
  agents.path[row] = agents.path[leader];
  agents.on_flow[row] = 1;
  count_trip(row);
}

void World::State::lead_groups() {
  if (!agents.has_groups) return;
  for (Group& group : groups)
    if (group.number != 0) agree(group);
  tasks->parallel_for(groups.size(), kGroupGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t g = begin; g < end; ++g)
      if (groups[g].number != 0) walk_together(groups[g]);
  });
  if (!agents.has_graph || flows.empty()) return;
  for (const Group& group : groups) {
    if (group.number == 0 || group.leader == Group::kNobody) continue;
    const std::uint32_t leader = row_of_slot(group.members[group.leader].slot);
    for (std::uint32_t k = 0; k < group.count; ++k)
      if (group.members[k].follows == Follows::kLeader) join_flow(row_of_slot(group.members[k].slot), leader);
  }
}

/// After neighbours are known: who keeps near whom.
void World::State::watch_groups() {
  constexpr double kLookEvery = 0.2;  // s
  const auto every = static_cast<std::uint64_t>(std::max(1.0, std::round(kLookEvery / settings.dt)));
  if (!group_finder || steps % every != 0) return;
  const std::size_t count = agents.active_count();
  group_finder->look({{agents.number.data(), count},
                      {agents.now.x.data(), count},
                      {agents.now.y.data(), count},
                      {agents.now.vx.data(), count},
                      {agents.now.vy.data(), count}},
                     static_cast<float>(static_cast<double>(every) * settings.dt),
                     [&](std::uint32_t row) { return neighbours.of(row); });
}

/// The velocity of a follower towards its place beside the leader.
Vec2f World::State::beside_leader(std::uint32_t row, const GroupMember& member) const {
  const Vec2f to = member.target - Vec2f{agents.now.x[row], agents.now.y[row]};
  const float away = length(to);
  if (away <= 0) return {};
  return (std::min(member.speed, away / kCatchUpTime) / away) * to;
}

}  // namespace throng
