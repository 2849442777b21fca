// SPDX-License-Identifier: MIT
// Levels of simulation: who is looked at in a step, and what the others do meanwhile.
//
// Rows [0, active) are the people of high patches and of those that high ones see into; they go through all phases of the step, a
// contiguous crowd of its own. Behind them everybody coasts: a step adds velocity to place, nothing else. A coasting row whose
// time has come (`due`) is guided, walks one step among the walls, and plans a leg on which nothing can happen to it
// (detail/leg.hpp): until its end, or its patch's next beat, nobody looks at it again.
//
// Who changes sides keeps place and velocity; two rows are exchanged. All decisions are made from columns that snapshots hold, in
// the order of rows, so runs have the same bits at any number of threads and after a restore.
#include <algorithm>
#include <cmath>

#include "detail/leg.hpp"
#include "motion/linear/linear.hpp"
#include "world/state.hpp"

namespace throng {
namespace {

constexpr std::size_t kDueGrain = 256, kCoastGrain = 4096;
constexpr double kAreaLook = 0.2;    // s: how late somebody may notice that it has entered the area it goes to
constexpr float kFilterTime = 0.2f;  // s, of what is shown
constexpr float kMostTurn = 4;       // m/s², as of short-term avoidance

}  // namespace

bool sees_anything(const Viewpoint& viewpoint) {
  const auto is_positive = [](double v) { return std::isfinite(v) && v > 0; };
  return std::isfinite(viewpoint.position.x) && std::isfinite(viewpoint.position.y) && is_positive(length(viewpoint.direction)) &&
         is_positive(viewpoint.field_of_view) && is_positive(viewpoint.distance);
}

bool World::State::look_from(const std::optional<Viewpoint>& viewpoint) {
  if (!agents.has_levels || (viewpoint && !sees_anything(*viewpoint))) return false;
  if (has_interest()) {
    settings.interest.camera = viewpoint;
    return true;
  }
  settings.detail.viewpoint = viewpoint;
  rate_patches();
  wake_patches();
  return true;
}

/// Whoever leaves the fields of a region looks for the way from where they have led it.
void World::State::set_level(std::uint32_t row, std::uint8_t level) {
  const auto goes_by_field = [&](std::uint8_t l) {
    return has_interest() && settings.interest.levels[l].guidance == Guidance::kField;
  };
  if (goes_by_field(agents.level[row]) && !goes_by_field(level) && agents.activity[row] == Activity::kWalking &&
      agents.has_heading[row] == 0)
    agents.needs_route[row] = 1;
  agents.level[row] = level;
}

/// After patches got other levels.
void World::State::wake_patches() {
  const auto now = static_cast<std::uint32_t>(steps);
  for (std::uint32_t row = agents.active; row < agents.count; ++row) {
    const PatchIndex patch = patch_of(row);
    const std::uint32_t soon = patches.level(patch) != PatchLevel::kLow ? 0 : patches.next_due(patch, now);
    agents.due[row] = std::min(agents.due[row], soon);
  }
}

void World::State::rate_patches() {
  if (levels_go_by_discs())
    patches.update(graph->data(), settings.detail, settings.dt);
  else
    patches.update(data().cells, settings.detail, settings.dt);
}

/// In a gap where no disc is, the first one stands for all.
void World::State::find_disc(std::uint32_t row) {
  if (!levels_go_by_discs()) return;
  const DiscIndex disc = disc_of(row);
  agents.disc[row] = disc == kNoDisc ? 0 : disc;
}

/// Who is still in its disc needs no look at the grid, which lies all over memory.
void World::State::keep_disc(std::uint32_t row) {
  if (levels_go_by_discs() && graph->data().depth(agents.disc[row], position(row)) < 0) find_disc(row);
}

void World::State::begin_leg(std::uint32_t row) {
  agents.leg_x[row] = agents.now.x[row];
  agents.leg_y[row] = agents.now.y[row];
}

void World::State::find_due() {
  due.clear();
  const auto now = static_cast<std::uint32_t>(steps);
  constexpr std::uint32_t kBatch = 64;
  const std::uint32_t* when = agents.due.data();
  for (std::uint32_t block = agents.active; block < agents.count; block += kBatch) {
    const std::uint32_t end = std::min(block + kBatch, agents.count);
    std::uint32_t earliest = 0xffffffffu;
    for (std::uint32_t row = block; row < end; ++row) earliest = std::min(earliest, when[row]);
    if (earliest > now) continue;
    for (std::uint32_t row = block; row < end; ++row)
      if (when[row] <= now) due.push_back(row);
  }
}

/// Who is active, who is due, and at which level.
void World::State::share_out_work() {
  if (!agents.has_levels) return;
  rate_interest();
  const auto is_active = [&](std::uint32_t row) {
    return patches.level(patch_of(row)) != PatchLevel::kLow || agents.activity[row] == Activity::kDriven;
  };
  const auto exchange = [&](std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    agents.swap_rows(a, b);
    slots.move(agents.slot[a], a);
    slots.move(agents.slot[b], b);
  };
  find_due();
  tasks->parallel_for(due.size(), kDueGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t row = due[k];
      // Along the leg it has walked, on which there is no wall.
      const Walk at = walk(ground, agents.cell[row], agents.leg_x[row], agents.leg_y[row], agents.now.x[row], agents.now.y[row]);
      agents.cell[row] = at.cell;
      begin_leg(row);
      keep_disc(row);
      if (has_interest()) agents.level[row] = interest.level(tile_of(row));
    }
  });
  if (levels_go_by_discs())
    tasks->parallel_for(agents.active, kDueGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t row = begin; row < end; ++row) keep_disc(static_cast<std::uint32_t>(row));
    });
  for (std::uint32_t row = agents.active; row-- > 0;) {
    if (is_active(row)) continue;
    set_level(row, has_interest() ? interest.level(patch_of(row)) : 1);
    begin_leg(row);
    wake(row);
    exchange(row, --agents.active);
  }
  find_due();
  for (const std::uint32_t row : due)
    if (is_active(row)) exchange(row, agents.active++);
  find_due();
  serving.resize(agents.active);
  for (std::uint32_t row = 0; row < agents.active; ++row) {
    const PatchIndex patch = patch_of(row);
    if (has_interest()) {
      set_level(row, interest.level(patch));
      const std::uint8_t model = model_of_level[agents.level[row]];
      serving[row] = model == kOwnModel ? agents.model[row] : model;
    } else {
      agents.level[row] = agents.activity[row] != Activity::kDriven && patches.level(patch) != PatchLevel::kHigh;
      serving[row] = agents.level[row] == 0 ? agents.model[row] : models.straight();
    }
  }
}

/// The step at which a coasting agent that was just moved is looked at again.
std::uint32_t World::State::next_look(std::uint32_t row) const {
  const auto now = static_cast<std::uint32_t>(steps);
  const CellIndex cell = agents.cell[row];
  const PatchIndex patch = patch_of(row);
  if (patches.level(patch) != PatchLevel::kLow) return now + 1;
  std::uint32_t beat = patches.next_due(patch, now);
  const Vec2f velocity = {agents.next.vx[row], agents.next.vy[row]};
  const float speed = length(velocity), stride = speed * static_cast<float>(settings.dt);
  if (stride <= 0) return beat;
  const bool has_route = agents.has_heading[row] == 0 && agents.activity[row] == Activity::kWalking;
  if (has_route && agents.needs_route[row] != 0) return now + 1;
  LegRequest leg;
  leg.place = {agents.next.x[row], agents.next.y[row]};
  leg.ahead = (1 / speed) * velocity;
  leg.radius = agents.radius[row];
  leg.cell = cell;
  if (!levels_go_by_discs() && !has_interest()) leg.levels = &patches;
  if (has_route) {
    const Route& route = routes[agents.slot[row]];
    if (!route.cells.empty() && route.cells[route.next] == cell) leg.route = &route;
    const std::uint32_t plan = agents.plan[row], entry = agents.plan_entry[row];
    const bool to_area = plan != kNoPlan && entry < plans[plan].goals.size() && plans[plan].goals[entry].area != 0xffffffffu;
    if ((to_area || is_bound_for_link(row)) && agents.left[row] <= 2)
      beat = std::min(beat, now + 1 + static_cast<std::uint32_t>(kAreaLook / settings.dt));
  }
  leg.distance = static_cast<float>(beat - 1 - now) * stride;
  if (has_route) {
    const Vec2f to_goal = Vec2f{agents.goal_x[row], agents.goal_y[row]} - leg.place;
    leg.distance = std::min(leg.distance, length(to_goal) - 0.9f * static_cast<float>(settings.arrival_distance));
  }
  if (leg.distance < stride) return now + 1;
  return std::min(beat, now + 1 + static_cast<std::uint32_t>(leg_length(ground, data().cells, leg) / stride));
}

/// Borders of regions are in view: who comes across one does not turn on the spot. Whether the velocity had to be changed.
bool World::State::bound_turn(std::uint32_t row, Vec2f& velocity) const {
  const Vec2f before = {agents.now.vx[row], agents.now.vy[row]}, change = velocity - before;
  const float most = kMostTurn * static_cast<float>(settings.dt), much = length(change);
  if (much <= most) return false;
  velocity = before + (most / much) * change;
  return true;
}

/// One step of a coasting agent that is due, as one at the high level would walk it alone, and its next leg.
void World::State::look_at(std::uint32_t row) {
  guide(row);
  const auto dt = static_cast<float>(settings.dt);
  Vec2f velocity = linear_velocity(agents, row, dt);
  const bool turns = has_interest() && bound_turn(row, velocity);
  const float x = agents.now.x[row], y = agents.now.y[row];
  Walk to = move_body(ground, agents.cell[row], x, y, x + dt * velocity.x, y + dt * velocity.y, agents.radius[row]);
  if (!vehicles.empty()) to = keep_beside_vehicles(row, to);
  agents.next.x[row] = to.x;
  agents.next.y[row] = to.y;
  agents.cell[row] = to.cell;
  agents.leg_x[row] = to.x;
  agents.leg_y[row] = to.y;
  // In both generations: until the next look nobody writes them again.
  for (Agents::Motion* motion : {&agents.now, &agents.next}) {
    motion->vx[row] = motion->intent_x[row] = velocity.x;
    motion->vy[row] = motion->intent_y[row] = velocity.y;
    motion->body[row] = agents.radius[row];
    motion->urge[row] = 0;
  }
  agents.wait[row] = 0;
  if (velocity != Vec2f{}) {
    const Vec2f heading = unit(velocity);
    agents.heading_x[row] = heading.x, agents.heading_y[row] = heading.y;
  }
  agents.due[row] = turns ? static_cast<std::uint32_t>(steps) + 1 : next_look(row);
}

void World::State::coast() {
  if (!agents.has_levels) return;
  const auto dt = static_cast<float>(settings.dt);
  const float filter = std::min(1.0f, dt / kFilterTime);
  const std::size_t from = agents.active;
  tasks->parallel_for(agents.count - from, kCoastGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    const auto drift = [&](const float* now, const float* speed, float* __restrict next, float* __restrict shown) {
      for (std::size_t i = from + begin; i < from + end; ++i) {
        next[i] = now[i] + dt * speed[i];
        shown[i] += filter * (next[i] - shown[i]);
      }
    };
    drift(agents.now.x.data(), agents.now.vx.data(), agents.next.x.data(), agents.shown_x.data());
    drift(agents.now.y.data(), agents.now.vy.data(), agents.next.y.data(), agents.shown_y.data());
  });
  if (!vehicles.empty())
    for (std::uint32_t row = agents.active; row < agents.count; ++row) {
      const Walk as_wanted{agents.next.x[row], agents.next.y[row], agents.cell[row], false};
      const Walk to = keep_beside_vehicles(row, as_wanted);
      if (to.x == as_wanted.x && to.y == as_wanted.y) continue;
      // Nobody who coasts stands anywhere but on its leg: it waits, and looks in the next step.
      agents.next.x[row] = agents.now.x[row], agents.next.y[row] = agents.now.y[row];
      wake(row);
    }
  tasks->parallel_for(due.size(), kDueGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t k = begin; k < end; ++k) {
      fetch_routes(k, end, [&](std::size_t at) { return due[at]; });
      look_at(due[k]);
    }
  });
}

}  // namespace throng
