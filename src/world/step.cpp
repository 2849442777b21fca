// SPDX-License-Identifier: MIT
// One step of the world, as a table of contents.
#include <algorithm>
#include <cmath>

#include "geometry/hilbert.hpp"
#include "world/state.hpp"

namespace throng {
namespace {

constexpr std::size_t kGrain = 256, kMoveGrain = 64;

/// People who walked through each other while nobody looked may stand in one place when somebody does. They part no faster than
/// they walk, so that nobody is seen to jump.
void keep_to_speed(Agents& agents, std::size_t row, float dt) {
  const Vec2f from = {agents.now.x[row], agents.now.y[row]}, way = Vec2f{agents.next.x[row], agents.next.y[row]} - from;
  const float most = agents.max_speed[row] * dt, much = length(way);
  if (much <= most) return;
  agents.next.x[row] = from.x + most / much * way.x;
  agents.next.y[row] = from.y + most / much * way.y;
}

}  // namespace

void World::State::step() {
  std::size_t phase = 0;
  auto began = std::chrono::steady_clock::now();
  const auto done = [&](const char* name) {
    const auto now = std::chrono::steady_clock::now();
    if (phase == phases.size()) phases.push_back({name, 0});
    phases[phase++].seconds += std::chrono::duration<double>(now - began).count();
    began = now;
  };
  events.clear();
  events.swap(early_events);
  people.is_valid = false;
  if (agents.has_links) ride();
  begin_waits_and_plans(), done("plans");
  lead_groups(), done("groups");
  find_routes(), done("routes");
  sort_rows(), done("sort");
  make_images(), done("images");
  share_out_work(), done("levels");
  drive_vehicles(), done("vehicles");
  see_neighbours(), done("neighbours");
  watch_groups(), done("watch");
  solve_fields(), prepare_continuum(), done("fields");
  guide(), done("guide");
  prepare_rules(), done("rules");
  move(), done("move");
  const Frozen world = frozen();
  if (settings.count_contacts) report.before_separate = count_overlaps(agents.next.x, agents.next.y).overlaps;
  done("contacts");
  separation.run(world, agents, settings.separate_sweeps, who_stands_out(), *tasks), done("separate");
  coast(), done("coast");
  settle(), done("settle");
  finish_explanation();
  retired.clear();
  ++steps;
  finish(), done("finish");
  if (settings.count_contacts) {
    const ClosePairs::Counts counts = count_overlaps(agents.now.x, agents.now.y);
    report.overlaps = counts.overlaps;
    report.deep_overlaps = counts.deep;
    report.wall_penetrations = count_wall_penetrations();
  }
  done("count");
}

/// Rows that are near in space become near in memory. On a fixed schedule, so that runs can be repeated.
void World::State::sort_rows() {
  if (settings.sort_every == 0 || steps % settings.sort_every != 0 || agents.count < 2) return;
  agents.set_images({});
  const std::uint32_t count = agents.count;
  float low_x = agents.now.x[0], high_x = low_x, low_y = agents.now.y[0], high_y = low_y;
  for (std::uint32_t i = 1; i < count; ++i) {
    low_x = std::min(low_x, agents.now.x[i]), high_x = std::max(high_x, agents.now.x[i]);
    low_y = std::min(low_y, agents.now.y[i]), high_y = std::max(high_y, agents.now.y[i]);
  }
  const float scale = 65535 / std::max({high_x - low_x, high_y - low_y, 1.0f});
  keys.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto column = static_cast<std::uint32_t>(scale * (agents.now.x[i] - low_x));
    const auto row = static_cast<std::uint32_t>(scale * (agents.now.y[i] - low_y));
    keys[i] = (std::uint64_t{hilbert_key(std::min(column, 65535u), std::min(row, 65535u))} << 32) | i;
  }
  const auto first_coasting = keys.begin() + agents.active_count();
  std::sort(keys.begin(), first_coasting);
  std::sort(first_coasting, keys.end());
  order.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = static_cast<std::uint32_t>(keys[i]);
  agents.reorder(order);
  for (std::uint32_t i = 0; i < count; ++i) slots.move(agents.slot[i], i);
}

void World::State::see_neighbours() {
  const std::uint32_t rows_in_all = agents.active_count() + agents.images;
  NeighbourInput input;
  input.x = {agents.now.x.data(), rows_in_all};
  input.y = {agents.now.y.data(), rows_in_all};
  input.radius = {agents.radius.data(), rows_in_all};
  input.vx = {agents.now.vx.data(), rows_in_all};
  input.vy = {agents.now.vy.data(), rows_in_all};
  input.cell = {agents.cell.data(), rows_in_all};
  input.id = {agents.number.data(), rows_in_all};
  if (agents.images > 0) {
    // Names of their own for images: an agent has at most eight.
    ids.assign(agents.number.begin(), agents.number.end());
    for (std::uint32_t i = agents.count; i < rows_in_all; ++i) {
      const Agents::Image& image = agents.image[i - agents.count];
      const auto side = [](float shift) { return shift > 0 ? 2u : shift < 0 ? 1u : 0u; };
      ids[i] = 0x80000000u | (agents.number[i] * 9 + 3 * side(image.shift_x) + side(image.shift_y));
    }
    input.id = ids;
  }
  if (data().locator.grids.size() > 1) {
    layers.resize(rows_in_all);
    for (std::uint32_t i = 0; i < rows_in_all; ++i) layers[i] = layer_of(i);
    input.layer = layers;
  }
  input.cells = &data().cells;
  input.dt = static_cast<float>(settings.dt);
  neighbours.update(input, *tasks);
}

Frozen World::State::frozen() const {
  const std::span<const std::uint8_t> model = agents.has_levels ? std::span(serving) : agents.model;
  return {agents, ground, neighbours, model, static_cast<float>(settings.dt), steps};
}

/// Lets the one who is watched decide once more than the others, with a witness.
void World::State::explain_watched(const Frozen& world) {
  explanation.reset();
  const std::uint32_t row = watched ? slots.row_of(watched) : kNoRow;
  if (row == kNoRow || row >= agents.active_count()) return;
  Explanation& said = explanation.emplace();
  said.number = agents.number[row];
  said.step = steps, said.time = time();
  const std::uint8_t model = world.model[row];
  said.model = model < settings.models.size() ? name_of(settings.models[model]) : "straight";
  if (agents.has_levels) said.level = agents.level[row];
  said.place = {agents.now.x[row], agents.now.y[row]};
  said.velocity_before = {agents.now.vx[row], agents.now.vy[row]};
  models.explain(world, agents, row, said);
}

/// How it came.
void World::State::finish_explanation() {
  if (!explanation) return;
  const std::uint32_t row = slots.row_of(watched);
  explanation->moved = (1 / settings.dt) * (position(row) - explanation->place);
  if (agents.has_rules && watched.slot < models.rules().decisions().size()) {
    const RulesDecision& decision = models.rules().decisions()[watched.slot];
    if (decision.behaviour != RulesBehaviour::kNone && decision.step == explanation->step) explanation->rules = decision;
  }
}

void World::State::move() {
  const Frozen world = frozen();
  models.prepare(world, data().cells, *tasks);
  explain_watched(world);
  const float dt = world.dt;
  tasks->parallel_for(agents.active_count(), kMoveGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    models.move(world, agents, begin, end);
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_driven = agents.activity[i] == Activity::kDriven;  // it stands where it was put
      if (has_interest() && models.is_linear(serving[i])) {
        Vec2f velocity = {agents.next.vx[i], agents.next.vy[i]};
        if (bound_turn(static_cast<std::uint32_t>(i), velocity))
          agents.next.vx[i] = agents.next.intent_x[i] = velocity.x, agents.next.vy[i] = agents.next.intent_y[i] = velocity.y;
      }
      agents.next.x[i] = agents.now.x[i] + (is_driven ? 0 : dt * agents.next.vx[i]);
      agents.next.y[i] = agents.now.y[i] + (is_driven ? 0 : dt * agents.next.vy[i]);
    }
  });
}

/// Those who walk straight through others, whom pushing apart leaves out, and those who stay in their tiles; empty: nobody does.
std::span<const std::uint8_t> World::State::who_stands_out() {
  if (models.all_separate() && !agents.has_levels) return {};
  const std::span<const std::uint8_t> model = frozen().model;
  stands_out.resize(agents.active_count() + agents.images);
  for (std::size_t i = 0; i < stands_out.size(); ++i) stands_out[i] = static_cast<std::uint8_t>(models.pushed_apart(model[i]));
  return stands_out;
}

/// Bodies come to rest among the walls, cells are updated, the period is closed, and the generations swap.
void World::State::settle() {
  const auto dt = static_cast<float>(settings.dt);
  constexpr float kFilterTime = 0.2f;  // s, of what is shown
  const float filter = std::min(1.0f, dt / kFilterTime);
  tasks->parallel_for(agents.active_count(), kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      if (agents.has_levels) keep_to_speed(agents, i, dt);
      if (agents.activity[i] != Activity::kDriven) {
        Walk to = move_body(ground, agents.cell[i], agents.now.x[i], agents.now.y[i], agents.next.x[i], agents.next.y[i],
                            agents.radius[i]);
        if (!vehicles.empty()) to = keep_beside_vehicles(static_cast<std::uint32_t>(i), to);
        agents.next.x[i] = to.x;
        agents.next.y[i] = to.y;
        agents.cell[i] = to.cell;
      }
      agents.shown_x[i] += filter * (agents.next.x[i] - agents.shown_x[i]);
      agents.shown_y[i] += filter * (agents.next.y[i] - agents.shown_y[i]);
      const Vec2f v = {agents.next.vx[i], agents.next.vy[i]};
      if (dot(v, v) > 0.01f) {
        const Vec2f to = unit(v), from = {agents.heading_x[i], agents.heading_y[i]};
        const Vec2f heading = unit(from + filter * (to - from));
        if (heading != Vec2f{}) agents.heading_x[i] = heading.x, agents.heading_y[i] = heading.y;
      }
    }
  });
  agents.set_images({});
  std::swap(agents.now, agents.next);
}

}  // namespace throng
