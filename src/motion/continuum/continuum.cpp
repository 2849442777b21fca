// SPDX-License-Identifier: MIT
#include "motion/continuum/continuum.hpp"

#include <algorithm>
#include <cmath>

#include "motion/steering.hpp"

namespace throng {
namespace {

constexpr std::uint8_t kOther = 0xff;
constexpr float kLeastKnown = 0.25f;  // of the tiles around somebody, by area
constexpr float kInFront = 0.1f;      // m beyond the body: a wall there is in the way
constexpr float kForesight = 0.3f;    // s: who would be in a forbidden place then turns or stops
constexpr float kStandstill = 0.1f;   // share of the preferred speed below which somebody waits

/// The list of a key in a short table; a new, empty one and `true` if there was none.
template <class Key, class Value>
std::pair<std::vector<Value>&, bool> entry_of(std::vector<std::pair<Key, std::vector<Value>>>& table, Key key) {
  for (auto& [known, list] : table)
    if (known == key) return {list, false};
  table.emplace_back(key, std::vector<Value>());
  return {table.back().second, true};
}

template <class Key, class Value>
std::span<const Value> find_entry(const std::vector<std::pair<Key, std::vector<Value>>>& table, Key key) {
  for (const auto& [known, list] : table)
    if (known == key) return list;
  return {};
}

/// Potentials of seeds are given, not marched: nothing leads down from them.
bool is_seed(const Potential& field, DomainTile t) { return field.value[t] != kNoPotential && field.upwind[t] == 0; }

/// Whether somebody would walk straight into a wall: tiles know nothing of corners inside them. Its corridor does.
bool is_walled(const Frozen& world, std::size_t me, Vec2f ahead) {
  const Agents& agents = world.agents;
  const Vec2f at = {agents.now.x[me], agents.now.y[me]}, to = at + (agents.radius[me] + kInFront) * ahead;
  return walk(world.ground, agents.cell[me], at.x, at.y, to.x, to.y).is_blocked;
}

}  // namespace

ContinuumMotion::ContinuumMotion(std::span<const MotionModel> models) {
  for (const MotionModel& model : models) {
    const auto* mine = std::get_if<ContinuumSettings>(&model);
    field_of_model_.push_back(mine == nullptr ? kOther : static_cast<std::uint8_t>(fields_.size()));
    if (mine == nullptr) continue;
    fields_.emplace_back();
    fields_.back().settings = *mine;
  }
}

void ContinuumMotion::lay_tiles(const Cells& cells, FunctionRef<double(Vec2 place, std::uint32_t layer)> elevation) {
  for (ContinuumFields& fields : fields_) {
    fields.grid = Grid(cells, {.size = fields.settings.tile}, elevation);
    fields.domain.assign(fields.grid);
    fields.is_used = false;
    fields.sets.clear();
  }
  forget_places();
}

void ContinuumMotion::forget_places() {
  for (ContinuumFields& fields : fields_) fields.goal_tiles.clear(), fields.factors.clear();
}

const ContinuumFields* ContinuumMotion::fields_of(std::size_t model) const {
  if (model >= field_of_model_.size() || field_of_model_[model] == kOther) return nullptr;
  return &fields_[field_of_model_[model]];
}

/// Who walks by this model, by goal; the goals of the most people become sets.
void ContinuumMotion::find_sets(ContinuumFields& fields, std::uint8_t model, const Frozen& world,
                                const ContinuumDirectory& directory) {
  const Agents& agents = world.agents;
  fields.is_used = false;
  fields.members.clear();
  fields.sets.clear();
  fields.set_of_row.assign(agents.count + agents.images, kNoSet);
  for (std::uint32_t row = 0; row < agents.active_count(); ++row) {
    if (world.model[row] != model || agents.activity[row] != Activity::kWalking) continue;
    fields.is_used = true;
    if (const ContinuumGoal goal = directory.goal_of(row, fields.grid); goal.is_there()) fields.members.push_back({goal, row});
  }
  std::sort(fields.members.begin(), fields.members.end());
  for (std::uint32_t i = 0; i < fields.members.size(); ++i) {
    if (i == 0 || fields.members[i].goal != fields.members[i - 1].goal) fields.sets.push_back({fields.members[i].goal, i, 0, 0});
    ++fields.sets.back().people;
  }
  if (fields.sets.size() > fields.settings.max_goals) {
    std::sort(fields.sets.begin(), fields.sets.end(),
              [](const auto& a, const auto& b) { return a.people != b.people ? a.people > b.people : a.goal < b.goal; });
    fields.sets.resize(fields.settings.max_goals);
  }
  for (std::uint32_t set = 0; set < fields.sets.size(); ++set)
    for (std::uint32_t i = 0; i < fields.sets[set].people; ++i)
      fields.set_of_row[fields.members[fields.sets[set].first + i].row] = set;
  // Rows by set, images behind the people they are of: nobody fears itself across a border either.
  for (std::uint32_t row = agents.count; row < agents.count + agents.images; ++row)
    fields.set_of_row[row] = fields.set_of_row[agents.image[row - agents.count].of];
  fields.rows.clear();
  for (ContinuumFields::Set& set : fields.sets) set.rows = set.people;
  for (std::uint32_t row = agents.count; row < agents.count + agents.images; ++row)
    if (fields.set_of_row[row] != kNoSet) ++fields.sets[fields.set_of_row[row]].rows;
  std::uint32_t end = 0;
  for (ContinuumFields::Set& set : fields.sets) {
    const std::uint32_t first = set.first;
    set.first = end;
    end += set.rows;
    for (std::uint32_t i = 0; i < set.people; ++i) fields.rows.push_back(fields.members[first + i].row);
    fields.rows.resize(end);
    set.rows = set.people;  // counted again below, as they are filled in
  }
  for (std::uint32_t row = agents.count; row < agents.count + agents.images; ++row) {
    if (fields.set_of_row[row] == kNoSet) continue;
    ContinuumFields::Set& set = fields.sets[fields.set_of_row[row]];
    fields.rows[set.first + set.rows++] = row;
  }
  // Tiles and factors that have not been asked for yet, here, where nobody works beside us.
  for (const ContinuumFields::Set& set : fields.sets) {
    if (!set.goal.is_tile)
      if (auto [tiles, is_new] = entry_of(fields.goal_tiles, set.goal.number); is_new)
        directory.tiles_of(set.goal.number, fields.grid, tiles);
    if (auto [factors, is_new] = entry_of(fields.factors, set.goal.profile); is_new)
      directory.factors_of(set.goal.profile, fields.grid, factors);
  }
}

void ContinuumMotion::prepare(const Frozen& world, const Cells& cells, const ContinuumDirectory& directory, TaskRunner& tasks) {
  const Agents& agents = world.agents;
  layer_of_cell_ = cells.layer;
  const std::size_t everybody = agents.count + agents.images;
  const FieldPeople people{{agents.now.x.data(), everybody},  {agents.now.y.data(), everybody}, {agents.now.vx.data(), everybody},
                           {agents.now.vy.data(), everybody}, {agents.cell.data(), everybody},  cells.layer};
  for (std::size_t model = 0; model < field_of_model_.size(); ++model) {
    if (field_of_model_[model] == kOther) continue;
    ContinuumFields& fields = fields_[field_of_model_[model]];
    find_sets(fields, static_cast<std::uint8_t>(model), world, directory);
    if (!fields.is_used) continue;
    fields.crowd.begin(fields.domain, fields.settings.field);
    fields.crowd.add_people(people, tasks);
    directory.add_vehicles(fields.crowd);
    fields.crowd.finish(tasks);
    if (fields.potential.size() < fields.sets.size()) fields.potential.resize(fields.sets.size());
    fields.workers.resize(tasks.worker_count());
    tasks.parallel_for(fields.sets.size(), 1, [&](std::size_t begin, std::size_t end, unsigned worker) {
      for (std::size_t set = begin; set < end; ++set)
        solve(fields, fields.sets[set], people, fields.workers[worker], fields.potential[set]);
    });
  }
}

void ContinuumMotion::solve(ContinuumFields& fields, const ContinuumFields::Set& set, const FieldPeople& people,
                            ContinuumFields::Worker& worker, Potential& potential) const {
  const TileDomain& domain = fields.domain;
  const FieldSettings& settings = fields.settings.field;
  worker.seeds.clear();
  if (set.goal.is_tile) {
    const Vec2 at = fields.grid.point(set.goal.number);
    const float per_metre = settings.length_weight + settings.time_weight / settings.max_speed;
    add_disc_seeds(domain, {static_cast<float>(at.x), static_cast<float>(at.y)}, fields.grid.layer(set.goal.number), per_metre,
                   worker.seeds);
    worker.seeds.push_back({domain.number(set.goal.number), 0});
  } else {
    for (const TileIndex tile : find_entry(fields.goal_tiles, set.goal.number)) worker.seeds.push_back({domain.number(tile), 0});
  }
  // Marching ends where everybody of the set knows the tiles around itself.
  const std::span<const std::uint32_t> rows{fields.rows.data() + set.first, set.rows};
  worker.needed.clear();
  for (const std::uint32_t row : rows.first(set.people)) {
    const Stencil around = domain.around(people.x[row], people.y[row], people.layer_of_cell[people.cell[row]]);
    for (const DomainTile t : around.tile)
      if (t != domain.ghost() && !fields.crowd.is_blocked(t)) worker.needed.push_back(t);
  }
  const std::span<const float> factors = find_entry(fields.factors, set.goal.profile);
  const bool is_common = settings.prediction_time <= 0 && factors.empty();
  if (!is_common) fields.crowd.costs(people, rows, factors, worker.expected, worker.cost);
  worker.solver.solve(domain, is_common ? fields.crowd.common_costs() : worker.cost, worker.seeds, worker.needed, potential);
  find_velocities(fields.crowd, potential);
}

/// The part of a velocity that does not lead into an area that a profile may not enter: no wall holds people back there.
Vec2f ContinuumMotion::kept_out(const ContinuumFields& fields, const Agents& agents, std::size_t me, Vec2f velocity) const {
  const std::span<const float> factors = find_entry(fields.factors, agents.profile[me]);
  if (factors.empty()) return velocity;
  const std::uint32_t layer = layer_of_cell_[agents.cell[me]];
  const auto is_open = [&](Vec2f by) {
    const TileIndex tile = fields.grid.tile_near(agents.now.x[me] + by.x, agents.now.y[me] + by.y, layer);
    return tile == kNoTile || factors[tile] > 0;
  };
  if (!is_open({})) return velocity;
  for (const Vec2f part : {velocity, Vec2f{velocity.x, 0}, Vec2f{0, velocity.y}})
    if (is_open(kForesight * part + agents.radius[me] * unit(part))) return part;
  return {};
}

void ContinuumMotion::move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const {
  const Agents::Motion& now = world.agents.now;
  for (std::size_t me = begin; me < end; ++me) {
    const ContinuumFields& fields = fields_[field_of_model_[world.model[me]]];
    const ContinuumSettings& settings = fields.settings;
    const Vec2f guided = {agents.desired_x[me], agents.desired_y[me]}, present = {now.vx[me], now.vy[me]};
    const float free = length(guided);
    Vec2f wanted = guided;
    if (free > 0 && fields.is_used) {
      const Stencil around = fields.domain.around(now.x[me], now.y[me], layer_of_cell_[agents.cell[me]]);
      Vec2f ahead = (1 / free) * guided;
      if (const std::uint32_t set = fields.set_of_row[me]; set != kNoSet && !is_seed(fields.potential[set], around.tile[0])) {
        const FieldSample here = sample(fields.potential[set], around);
        if (here.known >= kLeastKnown && here.velocity != Vec2f{} && !is_walled(world, me, unit(here.velocity)))
          ahead = unit(here.velocity);
      }
      const bool is_outside = around.tile[0] == fields.domain.ghost();
      wanted = (is_outside ? free : fields.crowd.speed_of(around, ahead, free)) * ahead;
    }
    Vec2f velocity = wanted;
    if (settings.steer_time > 0)
      velocity = steered(present, wanted, settings.steer_time, settings.max_acceleration, agents.max_speed[me], world.dt);
    velocity = kept_out(fields, world.agents, me, velocity);
    // Nobody jumps over a tile whose crowd it has not seen.
    const float most = 0.5f * fields.grid.size() / world.dt, fast = length(velocity);
    if (fast > most) velocity = (most / fast) * velocity;
    take_up(agents, me, velocity, wanted);
    agents.wait[me] = free > 0 && fast < kStandstill * agents.preferred_speed[me] ? agents.wait[me] + world.dt : 0;
  }
}

}  // namespace throng
