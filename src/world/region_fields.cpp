// SPDX-License-Identifier: MIT
// Guidance by potential fields where regions of interest ask for it (Yersin et al. 2008; ALGORITHMS §4.3, §4.7).
//
// A *set* is a flow and a direction. Its potential is solved on the tiles of interest and on those of its sub-goals: for every
// path of the flow, where it leaves a connected part of the region for good, the first disc outside, whose potential is what the
// rest of the path costs in the crowd that is there (eq. 1). A goal inside the region has potential 0. People walk down the
// gradient, at the share of their speed that the crowd allows; routes are kept up meanwhile, so that whoever leaves the region
// goes on by its corridor.
//
// (The paper has a sub-goal each time a path leaves. Where discs are larger than the region, paths leave it and come back at
// once: such a sub-goal led people out of the crowd inside, and their corridors led them in again.)
//
// (The paper aims at the middle of the next tile. Interpolated velocities lead to the same places without the tiles' directions
// showing in the walk.)
#include <algorithm>
#include <cmath>

#include "guidance/path_potential.hpp"
#include "world/state.hpp"

namespace throng {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
constexpr float kLeastKnown = 0.5f;  // of the tiles around somebody, by area
constexpr float kLookAhead = 1.0f;   // m: a field of large tiles knows nothing of corners that are nearer
constexpr float kLeastShare = 0.1f;  // of the preferred speed: a jam must not freeze

}  // namespace

/// Once: which discs tiles belong to.
void World::State::make_region_fields() {
  if (!graph) return;
  const NavGraph& discs = graph->data();
  fields.disc_tiles.resize(discs.disc_count());
  for (TileIndex t = 0; t < grid.tile_count(); ++t) {
    const DiscIndex disc = disc_near(discs, place_in_space(grid.point(t), grid.layer(t)));
    if (disc != kNoDisc) fields.disc_tiles[disc].push_back(t);
  }
  for (const Vec3& c : discs.centre)
    fields.disc_tile.push_back(
        grid.tile_near(static_cast<float>(c.x), static_cast<float>(c.y), navigation.layer_at(plan_of(c), c.z)));
}

/// Whether the people of a tile follow fields.
bool World::State::has_field(TileIndex tile) const {
  return tile != kNoTile && settings.interest.levels[interest.level(tile)].guidance == Guidance::kField;
}

/// Connected parts of the tiles whose people follow fields, which are all in `fields.tiles`.
void World::State::find_parts() {
  fields.part.assign(grid.tile_count(), kNone);
  std::vector<TileIndex> waiting;
  std::uint32_t parts = 0;
  for (const TileIndex first : fields.tiles) {
    if (fields.part[first] != kNone) continue;
    fields.part[first] = parts;
    waiting.push_back(first);
    while (!waiting.empty()) {
      const TileIndex t = waiting.back();
      waiting.pop_back();
      for (const TileIndex next : grid.next(t)) {
        if (next == kNoTile || !has_field(next) || fields.part[next] != kNone) continue;
        fields.part[next] = parts;
        waiting.push_back(next);
      }
    }
    ++parts;
  }
}

/// Sub-goals of all sets, and the tiles that fields are solved on.
void World::State::find_sub_goals() {
  const auto add_tile = [&](TileIndex t) {
    if (t == kNoTile || fields.is_listed[t] != 0) return;
    fields.is_listed[t] = 1;
    fields.tiles.push_back(t);
  };
  are_fields_stale = false;
  fields.tiles.clear();
  fields.is_listed.assign(grid.tile_count(), 0);
  fields.sub_goals.resize(2 * flows.size());
  for (auto& list : fields.sub_goals) list.clear();
  for (TileIndex t = 0; t < grid.tile_count(); ++t)
    if (has_field(t)) add_tile(t);
  if (fields.tiles.empty()) return;
  const std::size_t in_region = fields.tiles.size();
  find_parts();
  const auto part_of = [&](DiscIndex disc) {
    const TileIndex t = fields.disc_tile[disc];
    return t == kNoTile ? kNone : fields.part[t];
  };
  std::vector<std::uint32_t> left_parts;
  for (std::size_t set = 0; set < fields.sub_goals.size(); ++set) {
    const WorldFlow& flow = flows[set / 2];
    auto& goals = fields.sub_goals[set];
    const auto& ways = flow.flow[set % 2].paths;
    for (std::uint32_t p = 0; p < ways.size(); ++p) {
      const auto& discs = ways[p].discs;
      left_parts.clear();  // those that the path does not come back to
      for (std::size_t k = discs.size(); k-- > 1;) {
        const std::uint32_t part = part_of(discs[k]), before = part_of(discs[k - 1]);
        if (part != kNone) left_parts.push_back(part);
        if (before == kNone || part != kNone || fields.disc_tile[discs[k]] == kNoTile) continue;
        if (std::find(left_parts.begin(), left_parts.end(), before) != left_parts.end()) continue;
        goals.push_back({fields.disc_tile[discs[k]], p, static_cast<std::uint32_t>(k)});
        add_tile(fields.disc_tile[discs[k]]);
        for (const TileIndex t : fields.disc_tiles[discs[k]]) add_tile(t);
      }
    }
    const GoalArea& end = areas[flow.area[1 - set % 2]];
    const std::size_t before = goals.size();
    for (std::size_t i = 0; i < in_region; ++i)
      if (const TileIndex t = fields.tiles[i]; grid.layer(t) == end.layer && end.holds(grid.point(t)))
        goals.push_back({t, kNone, 0});
    // An area smaller than a tile.
    const Vec2 middle = 0.5 * (end.low + end.high);
    const TileIndex t = grid.tile_near(static_cast<float>(middle.x), static_cast<float>(middle.y), end.layer);
    if (goals.size() == before && has_field(t)) goals.push_back({t, kNone, 0});
  }
  fields.domain.assign(grid, fields.tiles);
}

/// Who follows which field in this step, and their potentials.
void World::State::solve_fields() {
  set_of_row.clear();
  if (!has_interest() || flows.empty()) return;
  if (are_fields_stale) find_sub_goals();
  if (fields.tiles.empty()) return;
  set_of_row.assign(agents.active, kNone);
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
    if (!has_field(tile)) continue;  // somebody on the way to a sub-goal: part of the crowd there
    const FlowLeg leg = agents.activity[row] == Activity::kWalking ? flow_of(row) : FlowLeg{};
    if (leg.flow == kNone) continue;
    set_of_row[row] = 2 * leg.flow + leg.direction;
    fields.rows_of_set[set_of_row[row]].push_back(number);
  }
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
      const auto& ways = flows[set / 2].flow[set % 2].paths;
      mine.seeds.clear();
      for (const RegionFields::SubGoal& goal : fields.sub_goals[set]) {
        const double rest = goal.path == kNone ? 0
                                               : path_potential(graph->data(), ways[goal.path], goal.disc, people_in_disc,
                                                                settings.interest.field);
        mine.seeds.push_back({fields.domain.number(goal.tile), static_cast<float>(rest)});
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
  const float speed = length(here.velocity);
  if (here.known < kLeastKnown || speed <= 0) return by_corridor;
  const Vec2f ahead = (1 / speed) * here.velocity;
  if (walk(ground, agents.cell[row], x, y, x + kLookAhead * ahead.x, y + kLookAhead * ahead.y).is_blocked) return by_corridor;
  const float share = std::max(kLeastShare, speed / settings.interest.field.max_speed);
  return std::min(share * length(by_corridor), agents.max_speed[row]) * ahead;
}

}  // namespace throng
