// SPDX-License-Identifier: MIT
// Flows: people spread over several paths between two areas (Pettré et al. 2007, section 5; ALGORITHMS §2.7, §2.8).
//
// Who sets out chooses one of its flow's paths, by length, width, what is seen of it, or the time it takes in the crowd that is
// there (counted once a second). Discs say which way; how it is walked, cells know better: a gate is a chord of two discs and
// often much narrower than the passage it stands for. So the narrow places of a path, the gates that are no wider than those
// before and behind them, become stops, joined by corridors of cells once for all. Who sets out needs but two more corridors, to
// the first stop outside its area and from the last one to its place.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "world/state.hpp"

namespace throng {
namespace {

enum OnFlow : std::uint8_t { kNo, kYes, kSetsOut };  // Agents::on_flow

FlowPath turned_round(FlowPath path) {
  std::reverse(path.discs.begin(), path.discs.end());
  std::reverse(path.gates.begin(), path.gates.end());
  return path;
}

/// Goes on with a further corridor; what would be walked to and fro at once is left out.
void append(std::vector<PortalIndex>& portals, std::span<const PortalIndex> more) {
  for (const PortalIndex portal : more)
    if (!portals.empty() && portals.back() == portal)
      portals.pop_back();
    else
      portals.push_back(portal);
}

}  // namespace

Vec3 World::State::place_in_space(Vec2 place, std::uint32_t layer) const {
  return {place.x, place.y, navigation.elevation(place, layer)};
}

/// Nothing if the cells have no way where the graph has one.
std::optional<World::State::FlowWay> World::State::way_along(const FlowPath& path, const std::array<Vec3, 2>& ends,
                                                             PathFinder& finder) const {
  const NavGraph& discs = graph->data();
  const auto width = [&](std::size_t gate) { return discs.gates[path.gates[gate]].width(); };
  FlowWay way;
  const std::size_t count = path.gates.size();
  for (std::size_t i = 0; i < count; ++i) {
    if ((i > 0 && width(i - 1) < width(i)) || (i + 1 < count && width(i + 1) <= width(i))) continue;
    const Vec3 middle = discs.gates[path.gates[i]].middle();
    const std::uint32_t layer = navigation.layer_at(plan_of(middle), middle.z);
    way.stops.push_back({plan_of(middle), layer, static_cast<std::uint32_t>(i + 1), 0});
  }
  PathRequest request{.radius = discs.body_radius};
  Path leg;
  const auto walk = [&](Vec2 from, std::uint32_t from_layer, Vec2 to, std::uint32_t to_layer) {
    request.from = from, request.from_layer = from_layer;
    request.to = to, request.to_layer = to_layer;
    way.length += finder.find_pulled(request, leg) == PathStatus::kFound ? leg.length : 0;
    return leg.found;
  };
  const auto layer_of_end = [&](Vec3 end) { return navigation.layer_at(plan_of(end), end.z); };
  const std::uint32_t home = layer_of_end(ends[0]), goal = layer_of_end(ends[1]);
  if (way.stops.empty()) return walk(plan_of(ends[0]), home, plan_of(ends[1]), goal) ? std::optional(way) : std::nullopt;
  if (!walk(plan_of(ends[0]), home, way.stops[0].point, way.stops[0].layer)) return std::nullopt;
  for (std::size_t i = 0; i + 1 < way.stops.size(); ++i) {
    way.stops[i].first_portal = static_cast<std::uint32_t>(way.portals.size());
    if (!walk(way.stops[i].point, way.stops[i].layer, way.stops[i + 1].point, way.stops[i + 1].layer)) return std::nullopt;
    way.portals.insert(way.portals.end(), leg.portals.begin(), leg.portals.end());
  }
  way.stops.back().first_portal = static_cast<std::uint32_t>(way.portals.size());
  if (!walk(way.stops.back().point, way.stops.back().layer, plan_of(ends[1]), goal)) return std::nullopt;
  return way;
}

/// The middles of two areas, or what is free next to them.
std::array<Vec3, 2> World::State::ends_of_flow(std::uint32_t from, std::uint32_t to) const {
  std::array<Vec3, 2> ends;
  for (int end = 0; end < 2; ++end) {
    const GoalArea& area = areas[end == 0 ? from : to];
    const Vec2 middle = 0.5 * (area.low + area.high);
    const auto place = navigation.nearest_walkable(middle, graph->data().body_radius, area.layer);
    ends[end] = place_in_space(place.value_or(middle), area.layer);
  }
  return ends;
}

/// The paths of a flow on the graph as it is, those that the cells have, too. False: there is none.
bool World::State::find_paths(WorldFlow& flow, PathFinder& search) const {
  const std::array<Vec3, 2> ends = ends_of_flow(flow.area[0], flow.area[1]);
  flow.flow = {}, flow.ways = {};
  flow.lengths.clear();
  Result<Flow> found = graph->flow(ends[0], ends[1], flow.paths);
  if (found)
    for (FlowPath& path : found->paths) {
      FlowPath back = turned_round(path);
      auto way = way_along(path, ends, search);
      auto way_back = way ? way_along(back, {ends[1], ends[0]}, search) : std::nullopt;
      if (!way_back) continue;
      flow.flow[0].paths.push_back(std::move(path));
      flow.flow[1].paths.push_back(std::move(back));
      flow.lengths.push_back(way->length);
      flow.ways[0].push_back(std::move(*way));
      flow.ways[1].push_back(std::move(*way_back));
    }
  flow.trips.assign(flow.lengths.size(), 0);
  return !flow.lengths.empty();
}

/// After an edit the paths of all flows are searched again: they follow from the graph alone, never from those before. Who is on
/// a path that is still there stays on it; others take the one that is nearest. Without `change` nothing is known of what was
/// before.
void World::State::lay_flows_again(const GraphChange* change) {
  if (!graph) return;
  std::vector<std::uint32_t> trips(graph->data().gates.size(), 0);
  if (change != nullptr)
    for (GateIndex g = 0; g < change->new_gate.size(); ++g)
      if (change->new_gate[g] != kNoGate) trips[change->new_gate[g]] = gate_trips[g];
  gate_trips = std::move(trips);
  const std::vector<WorldFlow> before = flows;
  std::vector<std::vector<std::uint32_t>> same_path(flows.size());
  PathFinder search(navigation);
  std::uint32_t first = 0;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    WorldFlow& flow = flows[f];
    find_paths(flow, search);
    flow.first_path = first;
    first += static_cast<std::uint32_t>(flow.trips.size());
    same_path[f].assign(before[f].trips.size(), kNoIndex);
    if (change == nullptr) continue;
    for (std::size_t i = 0; i < same_path[f].size(); ++i) {
      const auto& discs = before[f].flow[0].paths[i].discs;
      if (std::any_of(discs.begin(), discs.end(), [&](DiscIndex d) { return change->is_dropped[d] != 0; })) continue;
      const auto& now = flow.flow[0].paths;
      const auto at = std::find_if(now.begin(), now.end(), [&](const FlowPath& path) { return path.discs == discs; });
      if (at == now.end()) continue;
      same_path[f][i] = static_cast<std::uint32_t>(at - now.begin());
      flow.trips[same_path[f][i]] = before[f].trips[i];
    }
  }
  if (change == nullptr) return;
  for (Agents* store : {&agents, &aboard})
    for (std::uint32_t row = 0; row < store->count; ++row) take_other_path(*store, row, before, same_path);
  if (!people_in_disc.empty()) count_crowd_now();
}

/// The number of somebody's path as it is now. One that is gone is changed for another if it walks on it.
void World::State::take_other_path(Agents& store, std::uint32_t row, const std::vector<WorldFlow>& before,
                                   const std::vector<std::vector<std::uint32_t>>& same_path) {
  const auto flow = static_cast<std::size_t>(
      std::find_if(before.begin(), before.end(), [&](const WorldFlow& f) { return f.has(store.path[row]); }) - before.begin());
  if (flow == before.size()) return;
  std::uint32_t path = same_path[flow][store.path[row] - before[flow].first_path];
  if (path == kNoIndex && store.on_flow[row] == kYes && &store == &agents && !flows[flow].trips.empty())
    path = path_nearest(flows[flow], flow_of(row).direction, position(row));
  store.path[row] = path == kNoIndex ? kNoRow : flows[flow].first_path + path;
  if (path == kNoIndex) store.on_flow[row] = kNo;
}

/// The path by which least is left from a place, with the way to it.
std::uint32_t World::State::path_nearest(const WorldFlow& flow, std::uint32_t direction, Vec2 place) const {
  const NavGraph& discs = graph->data();
  std::uint32_t best = 0;
  double least = 1e300;
  for (std::uint32_t i = 0; i < flow.flow[direction].paths.size(); ++i) {
    const auto& way = flow.flow[direction].paths[i].discs;
    double left = 0;
    for (std::size_t k = way.size(); k-- > 0;) {
      const Vec2 centre = plan_of(discs.centre[way[k]]);
      if (k + 1 < way.size()) left += length(plan_of(discs.centre[way[k + 1]]) - centre);
      const double gap = std::max(0.0, length(centre - place) - discs.radius[way[k]]);
      if (left + gap < least) least = left + gap, best = i;
    }
  }
  return best;
}

Result<std::uint32_t> World::State::add_flow(const FlowDef& definition) {
  if (!graph)
    return Problem{"flow", "a flow in a world without a navigation graph",
                   "create the world with a NavigationGraph of the scene"};
  if (definition.from >= areas.size() || definition.to >= areas.size() || definition.from == definition.to)
    return Problem{"flow", "it needs two different areas of this world", "add them with add_area first"};
  const std::array<Vec3, 2> ends = ends_of_flow(definition.from, definition.to);
  if (const Result<Flow> found = graph->flow(ends[0], ends[1], definition.paths); !found) return found.problems();
  WorldFlow flow{.area = {definition.from, definition.to}, .paths = definition.paths, .choice = definition.choice};
  PathFinder search(navigation);
  if (!find_paths(flow, search))
    return Problem{"flow", "no way on the navigation graph joins its two areas",
                   "check that a body fits through every door between them, and the graph's grid step"};
  if (!flows.empty()) flow.first_path = flows.back().first_path + static_cast<std::uint32_t>(flows.back().trips.size());
  flows.push_back(std::move(flow));
  return static_cast<std::uint32_t>(flows.size() - 1);
}

/// The flow that leads to somebody's present goal, and which way.
World::State::FlowLeg World::State::flow_of(const Agents& columns, std::uint32_t row) const {
  const std::uint32_t plan = columns.plan[row], entry = columns.plan_entry[row];
  if (plan == kNoPlan || entry >= plans[plan].goals.size()) return {};
  const PlanGoal& goal = plans[plan].goals[entry];
  if (goal.flow >= flows.size()) return {};
  for (std::uint32_t end = 0; end < 2; ++end)
    if (flows[goal.flow].area[end] == goal.area) return {goal.flow, 1 - end};
  return {};
}

/// Where people are, once a second, if anybody asks.
void World::State::count_crowd() {
  const auto asks = [&](const WorldFlow& flow) { return flow.choice == PathCriterion::kTravelTime || has_interest(); };
  if (std::none_of(flows.begin(), flows.end(), asks)) return;
  const auto every = static_cast<std::uint64_t>(std::max(1.0, std::round(1 / settings.dt)));
  if (steps % every != 0 && !people_in_disc.empty()) return;
  count_crowd_now();
}

void World::State::count_crowd_now() {
  people_in_disc.assign(graph->data().disc_count(), 0);
  are_paths_weighed = false;
  bound_for_gate.assign(graph->data().gates.size(), 0);
  for (std::uint32_t row = 0; row < agents.count; ++row) {
    const DiscIndex disc = levels_go_by_discs() ? agents.disc[row] : disc_of(row);
    if (disc != kNoDisc) ++people_in_disc[disc];
    const FlowLeg leg = agents.on_flow[row] == kYes ? flow_of(row) : FlowLeg{};
    if (leg.flow == kNoIndex) continue;
    const WorldFlow& flow = flows[leg.flow];
    const FlowPath& path = flow.flow[leg.direction].paths[agents.path[row] - flow.first_path];
    auto at = static_cast<std::size_t>(std::find(path.discs.begin(), path.discs.end(), disc) - path.discs.begin());
    if (at == path.discs.size()) at = place_on_path(path, position(row));
    if (at < path.gates.size()) ++bound_for_gate[path.gates[at]];
  }
}

/// The disc of a path, as an index into it, that a place belongs to: the one with the greatest power, as gates divide discs.
std::uint32_t World::State::place_on_path(const FlowPath& path, Vec2 place) const {
  const NavGraph& discs = graph->data();
  std::uint32_t best = 0;
  double most = -1e300;
  for (std::uint32_t i = 0; i < path.discs.size(); ++i) {
    const Vec2 to = plan_of(discs.centre[path.discs[i]]) - place;
    const double radius = discs.radius[path.discs[i]], power = radius * radius - dot(to, to);
    if (power > most) most = power, best = i;
  }
  return best;
}

/// The path to go on by for somebody who is at `place`, having been led off from `own` by a field: that one if the place is on
/// it; else, of those that the place is on, the one of which least is left; else its own.
std::uint32_t World::State::path_at(const WorldFlow& flow, std::uint32_t direction, std::uint32_t own, Vec2 place) const {
  const NavGraph& discs = graph->data();
  const auto& ways = flow.flow[direction].paths;
  const auto has = [&](DiscIndex disc) { return length(plan_of(discs.centre[disc]) - place) <= discs.radius[disc]; };
  if (std::any_of(ways[own].discs.begin(), ways[own].discs.end(), has)) return own;
  std::uint32_t best = own;
  double least = 1e300;
  for (std::uint32_t i = 0; i < ways.size(); ++i) {
    double left = 0;
    for (std::size_t k = ways[i].discs.size(); k-- > 0;) {
      const Vec2 centre = plan_of(discs.centre[ways[i].discs[k]]);
      if (k + 1 < ways[i].discs.size()) left += length(plan_of(discs.centre[ways[i].discs[k + 1]]) - centre);
      if (!has(ways[i].discs[k])) continue;
      if (left < least) least = left, best = i;
      break;
    }
  }
  return best;
}

/// kNoDisc where no body of the graph's size fits.
DiscIndex World::State::disc_of(std::uint32_t row) const {
  return disc_near(graph->data(), place_in_space(position(row), layer_of(row)));
}

/// Metres from a place to another by each path of a flow, pulled taut through its gates. Inside the areas everybody walks as it
/// likes.
std::span<const double> World::State::own_lengths(const WorldFlow& flow, std::uint32_t direction, Vec2 from, Vec2 to,
                                                  FlowScratch& scratch) const {
  scratch.lengths.clear();
  for (const FlowPath& path : flow.flow[direction].paths) {
    scratch.gates.clear();
    for (std::size_t i = 0; i < path.gates.size(); ++i) {
      const Gate& gate = graph->data().gates[path.gates[i]];
      const Vec2 middle = plan_of(gate.middle());
      if (areas[flow.area[0]].holds(middle) || areas[flow.area[1]].holds(middle)) continue;
      const bool forward = gate.disc[0] == path.discs[i];
      scratch.gates.push_back({plan_of(gate.end[forward ? 0 : 1]), plan_of(gate.end[forward ? 1 : 0])});
    }
    scratch.lengths.push_back(pull_through(from, to, scratch.gates, scratch.pull, scratch.crossings));
  }
  return scratch.lengths;
}

/// The corridor to a goal by a chosen path of a flow. False: none leads there, or the path's cells are too narrow for it.
bool World::State::find_flow_route(std::uint32_t row, PathRequest request, unsigned worker) {
  if (flows.empty()) return false;
  const FlowLeg leg = flow_of(row);
  if (leg.flow == kNoIndex) return false;
  const WorldFlow& flow = flows[leg.flow];
  // Edits may have left no path at all: then cells lead the way, or nothing does.
  if (flow.trips.empty()) {
    leave_flow(row);
    return false;
  }
  const bool sets_out = agents.on_flow[row] == kNo;
  const bool knows_one = flow.has(agents.path[row]);
  std::uint32_t chosen = agents.path[row] - flow.first_path;
  if (sets_out || !knows_one) {
    Chooser chooser{.criterion = flow.choice, .lengths = flow.lengths, .seed = settings.seed, .agent = agents.number[row]};
    if (has_interest()) {
      // As fields lead: by what is quickest now, from where it stands.
      chooser.whim = 0;
      chooser.lengths = own_lengths(flow, leg.direction, request.from, request.to, flow_scratch[worker]);
    } else if (knows_one) {
      chooser.current = chosen;
    }
    chosen = choose_path(graph->data(), flow.flow[leg.direction], {people_in_disc, bound_for_gate}, chooser);
  }
  if (!sets_out && has_interest()) chosen = path_at(flow, leg.direction, chosen, request.from);
  const FlowWay& way = flow.ways[leg.direction][chosen];
  const FlowPath& discs = flow.flow[leg.direction].paths[chosen];
  // Not back into the middle of the area, nor, for somebody who was carried off, to where it has been.
  std::uint32_t past = 0;
  if (sets_out) {
    const GoalArea& home = areas[flow.area[leg.direction]];
    while (past + 1 < discs.discs.size() && home.holds(plan_of(graph->data().centre[discs.discs[past]]))) ++past;
  } else {
    past = place_on_path(discs, request.from);
  }
  const auto stop = std::find_if(way.stops.begin(), way.stops.end(), [&](const FlowWay::Stop& s) { return s.disc > past; });
  agents.path[row] = flow.first_path + chosen;
  if (sets_out) agents.on_flow[row] = kSetsOut;
  if (stop == way.stops.end()) return false;
  PathFinder& finder = finders[worker];
  Path& path = paths[worker];
  std::vector<PortalIndex>& portals = corridors[worker];
  PathRequest first = request, last = request;
  first.to = stop->point, first.to_layer = stop->layer;
  last.from = way.stops.back().point, last.from_layer = way.stops.back().layer;
  if (find_way(first, finder, path) != PathStatus::kFound) return false;
  portals.assign(path.portals.begin(), path.portals.end());
  append(portals, std::span(way.portals).subspan(stop->first_portal));
  if (finder.find_pulled(last, path) != PathStatus::kFound) return false;
  append(portals, path.portals);
  path.portals.assign(portals.begin(), portals.end());
  return true;
}

/// Those of `rows` who have just set out on a flow.
void World::State::count_trips() {
  for (const std::uint32_t row : rows) {
    if (agents.on_flow[row] != kSetsOut) continue;
    agents.on_flow[row] = kYes;
    count_trip(row);
  }
}

void World::State::count_trip(std::uint32_t row) {
  const FlowLeg leg = flow_of(row);
  WorldFlow& flow = flows[leg.flow];
  const std::uint32_t path = agents.path[row] - flow.first_path;
  ++flow.trips[path];
  for (const GateIndex gate : flow.flow[leg.direction].paths[path].gates) {
    // Inside the areas everybody walks as it likes.
    const Vec2 middle = plan_of(graph->data().gates[gate].middle());
    if (!areas[flow.area[0]].holds(middle) && !areas[flow.area[1]].holds(middle)) ++gate_trips[gate];
  }
}

double FlowLoad::effective_paths() const {
  const double all = std::accumulate(trips.begin(), trips.end(), 0.0);
  double entropy = 0;
  for (const std::uint64_t count : trips)
    if (count > 0) entropy -= static_cast<double>(count) / all * std::log(static_cast<double>(count) / all);
  return std::exp(entropy);
}

FlowLoad World::State::load(std::uint32_t flow) const {
  FlowLoad load;
  load.trips = flows[flow].trips;
  load.walkers.resize(load.trips.size());
  for (std::uint32_t row = 0; row < agents.count; ++row)
    if (agents.activity[row] == Activity::kWalking && agents.on_flow[row] == kYes && flow_of(row).flow == flow)
      ++load.walkers[agents.path[row] - flows[flow].first_path];
  return load;
}

}  // namespace throng
