// SPDX-License-Identifier: MIT
// Guidance by potential fields where regions of interest ask for it (Yersin et al. 2008; ALGORITHMS §4.3, §4.7).
//
// A *set* is a flow and a direction. Its potential is solved on the tiles of interest, from sub-goals: the tiles just outside
// from which the way to the goal does not come back. A sub-goal has the potential that a field over the whole empty scene gives
// it, which is solved once, and half of what the crowd on the rest of the paths there adds to it (the share of ρ in eq. 1): the
// other half walks along with one.
// A goal inside the region has potential 0. People walk down the gradient, at the share of their speed that the crowd allows;
// routes are kept up meanwhile, so that whoever leaves the region goes on by its corridor.
//
// (The paper's sub-goals are the middles of the first discs outside, each time a path leaves, with the potential of the path
// alone. Where discs are larger than the region, paths leave it and come back at once, and everybody heads for the same few
// tiles: fields led people out and corridors led them in again, and half of them never arrived.)
//
// (The paper aims at the middle of the next tile. Interpolated velocities lead to the same places without the tiles' directions
// showing in the walk.)
#include <algorithm>
#include <cmath>

#include "guidance/path_potential.hpp"
#include "world/state.hpp"

namespace throng {
namespace {

constexpr float kLeastKnown = 0.5f;  // of the tiles around somebody, by area
constexpr float kLookAhead = 1.0f;   // m: a field of large tiles knows nothing of corners that are nearer
constexpr float kLeastShare = 0.1f;  // of the preferred speed: a jam must not freeze
constexpr float kInTheWay = 0.5f;    // of the crowd on a path: the others walk the same way

}  // namespace

/// Whether the people of a tile follow fields.
bool World::State::has_field(TileIndex tile) const {
  return tile != kNoTile && settings.interest.levels[interest.level(tile)].guidance == Guidance::kField;
}

/// Tiles of a set's goal.
void World::State::goal_tiles(std::uint32_t set, std::vector<TileIndex>& out) const {
  out.clear();
  const GoalArea& end = areas[flows[set / 2].area[1 - set % 2]];
  for (TileIndex t = 0; t < grid.tile_count(); ++t)
    if (grid.layer(t) == end.layer && end.holds(grid.point(t))) out.push_back(t);
  if (!out.empty()) return;
  // An area smaller than a tile.
  const Vec2 middle = 0.5 * (end.low + end.high);
  const TileIndex t = grid.tile_near(static_cast<float>(middle.x), static_cast<float>(middle.y), end.layer);
  if (t != kNoTile) out.push_back(t);
}

/// For sets that have none yet: potentials of the whole scene with nobody in it.
void World::State::find_far_fields() {
  if (fields.far.size() >= 2 * flows.size()) return;
  TileDomain whole;
  whole.assign(grid);
  CrowdField nobody;
  nobody.begin(whole, settings.interest.field);
  nobody.finish(*tasks);
  FieldSolver solver;
  Potential potential;
  std::vector<FieldSeed> seeds;
  for (auto set = static_cast<std::uint32_t>(fields.far.size()); set < 2 * flows.size(); ++set) {
    RegionFields::Far& far = fields.far.emplace_back();
    goal_tiles(set, far.goal);
    seeds.clear();
    for (const TileIndex t : far.goal) seeds.push_back({whole.number(t), 0});
    solver.solve(whole, nobody.common_costs(), seeds, {}, potential);
    find_velocities(nobody, potential);
    far.value.resize(grid.tile_count());
    far.next.resize(grid.tile_count());
    for (TileIndex t = 0; t < grid.tile_count(); ++t) {
      far.value[t] = potential.value[whole.number(t)];
      far.next[t] = next_tile(whole, potential, whole.number(t));
    }
    for (const FlowPath& path : flows[set / 2].flow[set % 2].paths)
      path_potentials(graph->data(), path, {}, settings.interest.field, far.empty_path.emplace_back());
    far.crowded_path = far.empty_path;
    are_paths_weighed = false;
  }
}

/// Connected parts of the tiles whose people follow fields, which are all in `fields.tiles`.
void World::State::find_parts() {
  fields.part.assign(grid.tile_count(), kNoIndex);
  std::vector<TileIndex> waiting;
  std::uint32_t parts = 0;
  for (const TileIndex first : fields.tiles) {
    if (fields.part[first] != kNoIndex) continue;
    fields.part[first] = parts;
    waiting.push_back(first);
    while (!waiting.empty()) {
      const TileIndex t = waiting.back();
      waiting.pop_back();
      for (const TileIndex next : grid.next(t)) {
        if (next == kNoTile || !has_field(next) || fields.part[next] != kNoIndex) continue;
        fields.part[next] = parts;
        waiting.push_back(next);
      }
    }
    ++parts;
  }
}

/// The crowd that those at a tile will meet is that of the discs of the set's paths that hold it, each the more the deeper the
/// tile is inside; or of the nearest one. (With that of one disc alone it jumped from tile to tile, and fields led people
/// sideways to the better one.)
World::State::RegionFields::SubGoal World::State::sub_goal_at(std::uint32_t set, TileIndex tile) {
  const auto& ways = flows[set / 2].flow[set % 2].paths;
  const NavGraph& discs = graph->data();
  const auto first = static_cast<std::uint32_t>(fields.shares.size());
  RegionFields::Share nearest{0, 0, 1};
  double most = -1e300, sum = 0;
  for (std::uint32_t p = 0; p < ways.size(); ++p)
    for (std::uint32_t k = 0; k < ways[p].discs.size(); ++k) {
      const Vec2 to = plan_of(discs.centre[ways[p].discs[k]]) - grid.point(tile);
      const double radius = discs.radius[ways[p].discs[k]], power = radius * radius - dot(to, to);
      if (power > most) most = power, nearest.path = p, nearest.disc = k;
      if (power > 0) fields.shares.push_back({p, k, static_cast<float>(power)}), sum += power;
    }
  if (sum > 0)
    for (std::size_t i = first; i < fields.shares.size(); ++i) fields.shares[i].weight /= static_cast<float>(sum);
  else
    fields.shares.push_back(nearest);
  return {tile, first, static_cast<std::uint32_t>(fields.shares.size()) - first};
}

/// Sub-goals of all sets, and the tiles that fields are solved on.
void World::State::find_sub_goals() {
  are_fields_stale = false;
  fields.tiles.clear();
  fields.sub_goals.resize(2 * flows.size());
  for (auto& list : fields.sub_goals) list.clear();
  fields.shares.clear();
  for (TileIndex t = 0; t < grid.tile_count(); ++t)
    if (has_field(t)) fields.tiles.push_back(t);
  if (fields.tiles.empty()) return;
  find_far_fields();
  find_parts();
  const std::size_t in_region = fields.tiles.size();
  fields.is_listed.assign(grid.tile_count(), 0);
  for (std::size_t i = 0; i < in_region; ++i) fields.is_listed[fields.tiles[i]] = 1;
  for (std::size_t i = 0; i < in_region; ++i)
    for (const TileIndex t : grid.next(fields.tiles[i])) {
      if (t == kNoTile || fields.is_listed[t] != 0) continue;
      fields.is_listed[t] = 1;
      fields.tiles.push_back(t);
    }
  for (std::uint32_t set = 0; set < fields.sub_goals.size(); ++set) {
    const RegionFields::Far& far = fields.far[set];
    for (std::size_t i = in_region; i < fields.tiles.size(); ++i) {
      const TileIndex tile = fields.tiles[i];
      if (far.value[tile] == kNoPotential) continue;
      bool comes_back = false;
      for (TileIndex t = far.next[tile]; t != kNoTile && !comes_back; t = far.next[t])
        if (fields.part[t] != kNoIndex)
          for (const TileIndex inside : grid.next(tile)) comes_back |= inside != kNoTile && fields.part[inside] == fields.part[t];
      if (!comes_back) fields.sub_goals[set].push_back(sub_goal_at(set, tile));
    }
    for (const TileIndex t : far.goal)
      if (has_field(t)) fields.sub_goals[set].push_back({t, 0, 0});
  }
  fields.domain.assign(grid, fields.tiles);
}

/// What the crowd adds to the rest of every path, as often as it is counted.
void World::State::weigh_paths() {
  if (are_paths_weighed) return;
  are_paths_weighed = true;
  for (std::uint32_t set = 0; set < fields.far.size(); ++set) {
    const auto& ways = flows[set / 2].flow[set % 2].paths;
    for (std::uint32_t p = 0; p < ways.size(); ++p)
      path_potentials(graph->data(), ways[p], people_in_disc, settings.interest.field, fields.far[set].crowded_path[p]);
  }
}

/// Who follows which field in this step, and their potentials.
void World::State::solve_fields() {
  set_of_row.clear();
  if (!has_interest() || flows.empty()) return;
  if (are_fields_stale || fields.sub_goals.size() < 2 * flows.size()) find_sub_goals();
  if (fields.tiles.empty()) return;
  set_of_row.assign(agents.active, kNoIndex);
  for (auto* column : {&fields.x, &fields.y, &fields.vx, &fields.vy}) column->clear();
  fields.cell.clear();
  fields.rows_of_set.resize(fields.sub_goals.size());
  for (auto& list : fields.rows_of_set) list.clear();
  for (std::uint32_t row = 0; row < agents.active; ++row) {
    const TileIndex tile = tile_of(row);
    if (tile == kNoTile || fields.is_listed[tile] == 0) continue;
    const auto number = static_cast<std::uint32_t>(fields.x.size());
    fields.x.push_back(agents.now.x[row]), fields.y.push_back(agents.now.y[row]);
    fields.vx.push_back(agents.now.vx[row]), fields.vy.push_back(agents.now.vy[row]);
    fields.cell.push_back(agents.cell[row]);
    if (!has_field(tile)) continue;  // somebody at the border: part of the crowd
    const FlowLeg leg = agents.activity[row] == Activity::kWalking ? flow_of(row) : FlowLeg{};
    if (leg.flow == kNoIndex) continue;
    set_of_row[row] = 2 * leg.flow + leg.direction;
    fields.rows_of_set[set_of_row[row]].push_back(number);
  }
  weigh_paths();
  fields.crowd.begin(fields.domain, settings.interest.field);
  const FieldPeople people_there{fields.x, fields.y, fields.vx, fields.vy, fields.cell, data().cells.layer};
  fields.crowd.add_people(people_there, *tasks);
  add_vehicles(fields.crowd);
  fields.crowd.finish(*tasks);
  fields.active.clear();
  for (std::uint32_t set = 0; set < fields.sub_goals.size(); ++set)
    if (!fields.rows_of_set[set].empty()) fields.active.push_back(set);
  fields.potential.resize(fields.sub_goals.size());
  fields.workers.resize(tasks->worker_count());
  tasks->parallel_for(fields.active.size(), 1, [&](std::size_t begin, std::size_t end, unsigned worker) {
    RegionFields::Worker& mine = fields.workers[worker];
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t set = fields.active[i];
      const RegionFields::Far& far = fields.far[set];
      mine.seeds.clear();
      for (const RegionFields::SubGoal& goal : fields.sub_goals[set]) {
        float crowd = 0;
        for (const auto& [path, disc, weight] : std::span(fields.shares).subspan(goal.first, goal.count))
          crowd += weight * (far.crowded_path[path][disc] - far.empty_path[path][disc]);
        mine.seeds.push_back({fields.domain.number(goal.tile), far.value[goal.tile] + kInTheWay * crowd});
      }
      const bool predicts = settings.interest.field.prediction_time > 0;
      if (predicts) fields.crowd.costs(people_there, fields.rows_of_set[set], {}, mine.expected, mine.cost);
      mine.solver.solve(fields.domain, predicts ? mine.cost : fields.crowd.common_costs(), mine.seeds, {}, fields.potential[set]);
      find_velocities(fields.crowd, fields.potential[set]);
    }
  });
}

/// What the field asks of somebody whom its corridor leads otherwise.
Vec2f World::State::down_the_field(std::uint32_t row, Vec2f by_corridor) const {
  if (by_corridor == Vec2f{}) return by_corridor;
  const float x = agents.now.x[row], y = agents.now.y[row];
  const FieldSample here = sample(fields.potential[set_of_row[row]], fields.domain.around(x, y, layer_of(row)));
  const float along = length(here.velocity);
  if (here.known < kLeastKnown || along <= 0) return by_corridor;
  // Where a wall is in the way, along it: the corridor may lead to the other end of it, and somebody to and fro between the two.
  const Vec2f straight = (1 / along) * here.velocity;
  constexpr float kCos = 0.8660254f, kSin = 0.5f;  // 30° to either side, and 60°
  const auto turned = [](Vec2f v, float sine) { return Vec2f{kCos * v.x - sine * v.y, sine * v.x + kCos * v.y}; };
  const Vec2f left = turned(straight, kSin), right = turned(straight, -kSin);
  for (const Vec2f ahead : {straight, left, right, turned(left, kSin), turned(right, -kSin)}) {
    if (walk(ground, agents.cell[row], x, y, x + kLookAhead * ahead.x, y + kLookAhead * ahead.y).is_blocked) continue;
    const float share = std::max(kLeastShare, here.speed / settings.interest.field.max_speed);
    return std::min(share * length(by_corridor), agents.max_speed[row]) * ahead;
  }
  return by_corridor;
}

}  // namespace throng
