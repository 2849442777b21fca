// SPDX-License-Identifier: MIT
#include "motion/short_term/short_term.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "motion/collision_class.hpp"
#include "motion/group_manners.hpp"
#include "motion/separate.hpp"
#include "motion/steering.hpp"

namespace throng {
namespace {

using namespace short_term_rules;

constexpr std::size_t kShortTermGrain = 1024;
constexpr float kReached = 0.5f;      // m from the place aside
constexpr float kStartled = 2.5f;     // times as fast do those change their ways who must get out of somebody's
constexpr float kHurried = 1.05f;     // times the preferred speed: faster is whoever gets out of a danger
constexpr float kCatchingUp = 1.35f;  // the same in a group, where one may hurry after the others
constexpr float kHardly = 0.02f;      // m/s: so slowly nobody comes nearer
constexpr float kCourtesy = 0.1f;     // m beyond the margin
constexpr float kLeastSideSpeed = 0.3f;   // share of the preferred speed, while stepping aside

/// Whether two who keep their velocities get no nearer than that; `to` and `approach` are the other's, seen from me.
bool will_pass(Vec2f to, Vec2f approach, float near) {
  const float squared = dot(approach, approach), closing = -dot(to, approach);
  if (closing <= kHardly * std::sqrt(squared)) return true;
  const Vec2f then = to + (closing / squared) * approach;
  return dot(then, then) > near * near;
}

std::int32_t floor_of(float v) {
  const auto whole = static_cast<std::int32_t>(v);
  return static_cast<float>(whole) > v ? whole - 1 : whole;
}

}  // namespace

TileName TileRegister::tile_at(Vec2f place, std::uint32_t layer) const {
  return {floor_of(place.x * inverse_), floor_of(place.y * inverse_), layer};
}

std::size_t TileRegister::bucket_of(TileName tile) const {
  const std::uint32_t mixed = static_cast<std::uint32_t>(tile.column) * 0x9E3779B1u +
                              static_cast<std::uint32_t>(tile.row) * 0x85EBCA77u + tile.layer * 0xC2B2AE3Du;
  return (mixed ^ (mixed >> 15)) & mask_;
}

void TileRegister::build(const Agents& agents, std::span<const std::uint32_t> layer_of_cell, float tile, TaskRunner& tasks) {
  tile_ = tile, inverse_ = 1 / tile;
  const std::size_t count = agents.active_count() + agents.images;
  mask_ = static_cast<std::uint32_t>(std::bit_ceil(2 * count + 64) - 1);
  names_.resize(count);
  tasks.parallel_for(count, kShortTermGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i)
      names_[i] = tile_at({agents.now.x[i], agents.now.y[i]}, layer_of_cell[agents.cell[i]]);
  });
  start_.assign(mask_ + 2, 0);
  for (std::size_t i = 0; i < count; ++i) ++start_[bucket_of(names_[i]) + 1];
  for (std::size_t b = 1; b < start_.size(); ++b) start_[b] += start_[b - 1];
  next_.assign(start_.begin(), start_.end() - 1);
  entries_.resize(count);
  for (std::size_t i = 0; i < count; ++i) entries_[next_[bucket_of(names_[i])]++] = {names_[i], static_cast<std::uint32_t>(i)};
}

ShortTermMotion::ShortTermMotion(std::span<const MotionModel> models) : registers_(models.size()) {
  for (const MotionModel& model : models) {
    const auto* mine = std::get_if<ShortTermSettings>(&model);
    models_.push_back(mine != nullptr ? *mine : ShortTermSettings{});
  }
}

void ShortTermMotion::prepare(const Frozen& world, const Cells& cells, TaskRunner& tasks) {
  layer_of_cell_ = cells.layer;
  is_walked_by_.assign(models_.size() + 1, 0);
  for (std::size_t i = 0; i < world.agents.active_count(); ++i) is_walked_by_[world.model[i]] = 1;
  for (std::size_t m = 0; m < models_.size(); ++m)
    if (is_walked_by_[m] != 0) registers_[m].build(world.agents, layer_of_cell_, models_[m].tile, tasks);
}

/// The place beside the way to walk to, if somebody is in the way.
template <class Witness>
std::optional<Vec2f> ShortTermMotion::find_aside(const Frozen& world, const Agents& agents, std::uint32_t me, bool& is_emergency,
                                                 Witness& witness) const {
  const auto& now = world.agents.now;
  const ShortTermSettings& settings = models_[world.model[me]];
  const TileRegister& people = registers_[world.model[me]];
  const Vec2f place = {now.x[me], now.y[me]}, present = {now.vx[me], now.vy[me]};
  const Vec2f wanted = {agents.desired_x[me], agents.desired_y[me]};
  const float speed = length(present);
  const Vec2f forward = speed > 0.1f ? (1 / speed) * present : unit(wanted);
  const Vec2f left = {-forward.y, forward.x};
  const std::uint32_t layer = layer_of_cell_[agents.cell[me]];
  const float w = settings.tile;
  const auto tile_ahead = [&](int row, int side) {
    return people.tile_at(place + static_cast<float>(row) * w * forward + static_cast<float>(side) * w * left, layer);
  };

  // Lines 8 to 12: who is too close, in the first two rows.
  TileName looked[6];
  int tiles = 0;
  is_emergency = false;
  for (int row = 0; row < 2; ++row)
    for (int side = -1; side <= 1; ++side) {
      const TileName tile = tile_ahead(row, side);
      if (std::find(looked, looked + tiles, tile) != looked + tiles) continue;
      looked[tiles++] = tile;
      people.visit(tile, [&](std::uint32_t other) {
        if (other == me) return;
        const Vec2f to = Vec2f{now.x[other], now.y[other]} - place;
        const float near = agents.radius[me] + agents.radius[other] + settings.margin;
        is_emergency |= dot(to, to) < near * near;
      });
    }
  if constexpr (Witness::kWatches) witness.said.is_emergency = is_emergency;
  if (is_emergency || agents.aside_until[me] != 0) return {};

  // Lines 14 to 18: the nearest one in the rows ahead, from the second on.
  const int rows = rows_ahead(speed, settings.horizon, w);
  // Between two who walk together there is no way: the nearest such middle that would be met.
  Vec2f gap{};
  int gap_row = rows;
  visit_middles(agents, me, world.neighbours.of(me), [&](const Middle& middle) {
    const Vec2f to = middle.place - place;
    const float near = agents.radius[me] + middle.body + settings.margin + kCourtesy;
    const int row = static_cast<int>(dot(to, forward) * (1 / w));
    if (dot(to, forward) <= near || row >= gap_row || will_pass(to, middle.velocity - present, near)) return;
    gap = to, gap_row = std::max(1, row);
  });
  TileName before = tile_ahead(0, 0);
  for (int row = 1; row < rows; ++row) {
    const TileName tile = tile_ahead(row, 0);
    if (tile == before) continue;
    std::uint32_t in_the_way = kNoRow;
    float nearest = 1e30f;
    people.visit(tile, [&](std::uint32_t other) {
      if (other == me || agents.are_mates(me, other)) return;
      const Vec2f to = Vec2f{now.x[other], now.y[other]} - place;
      const float near = agents.radius[me] + agents.radius[other] + settings.margin + kCourtesy;
      if (!settings.as_printed && will_pass(to, Vec2f{now.vx[other], now.vy[other]} - present, near)) return;
      const float squared = dot(to, to);
      if (squared < nearest || (squared == nearest && agents.number[other] < agents.number[in_the_way]))
        nearest = squared, in_the_way = other;
    });
    if (in_the_way == kNoRow && row < gap_row) {
      before = tile;
      continue;
    }
    const auto offered = [&](int side) -> std::optional<Vec2f> {
      TileName beside = tile_ahead(row - 1, side);
      // On a slant the tile beside may be the one ahead: the next row's is meant (erratum Y-4).
      if (beside == before || beside == tile) beside = tile_ahead(row, side);
      if (beside == tile) return {};
      Vec2f middle = people.middle_of(beside);
      if (!settings.as_printed) {
        bool is_taken = false;
        people.visit(beside, [&](std::uint32_t there) {
          is_taken |= there != me && dot(Vec2f{now.vx[there], now.vy[there]}, forward) < 0.5f * speed;
        });
        if (is_taken) return {};
        middle = place + static_cast<float>(row - 1) * w * forward + static_cast<float>(side) * w * left;
      }
      const Walk way = walk(world.ground, agents.cell[me], place.x, place.y, middle.x, middle.y);
      if (way.is_blocked) return {};
      return middle - place;
    };
    const auto on_left = offered(1), on_right = offered(-1);
    // Round a whole group, on the side where less of it is.
    const Vec2f other = gap_row < rows ? gap : Vec2f{now.x[in_the_way], now.y[in_the_way]} - place;
    if constexpr (Witness::kWatches) {
      const bool is_group = gap_row < rows;
      witness.met(is_group ? 0 : witness.number_of(in_the_way), other,
                  is_group ? Vec2f{} : Vec2f{now.vx[in_the_way], now.vy[in_the_way]}, present);
      witness.offered(on_left, on_right, choose_side(wanted, forward, other, on_left, on_right));
    }
    switch (choose_side(wanted, forward, other, on_left, on_right)) {
      case AsideTo::kLeft:
        return place + *on_left;
      case AsideTo::kRight:
        return place + *on_right;
      case AsideTo::kNone:
        return {};
    }
  }
  return {};
}

template <class Witness>
void ShortTermMotion::move_rows(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end, Witness& witness) const {
  const auto& now = world.agents.now;
  for (std::size_t row = begin; row < end; ++row) {
    const auto me = static_cast<std::uint32_t>(row);
    const ShortTermSettings& settings = models_[world.model[me]];
    const Vec2f place = {now.x[me], now.y[me]};
    Vec2f wanted = arriving(agents, me, settings.max_acceleration, settings.steer_time);
    if constexpr (Witness::kWatches) {
      witness.changed(Influence::kGuidance, {agents.desired_x[me], agents.desired_y[me]});
      witness.changed(Influence::kArriving, wanted);
    }
    // Who gets out of somebody's way does not step aside for others.
    const float hurried = agents.is_in_group(me) ? kCatchingUp : kHurried;
    const bool is_in_danger = length(wanted) > hurried * agents.preferred_speed[me];
    if (agents.aside_until[me] != 0) {
      const Vec2f to = Vec2f{agents.aside_x[me], agents.aside_y[me]} - place;
      const bool is_over =
          world.step >= agents.aside_until[me] || dot(to, to) < kReached * kReached || dot(wanted, to) <= 0 || is_in_danger;
      if (is_over) agents.aside_until[me] = 0;
    }
    if (wanted != Vec2f{} && !is_in_danger && ((world.step + agents.number[me]) & 1) == 0) {
      bool is_emergency = false;
      const auto aside = find_aside(world, agents, me, is_emergency, witness);
      if (is_emergency) agents.aside_until[me] = 0;
      if (aside) {
        agents.aside_x[me] = aside->x, agents.aside_y[me] = aside->y;
        agents.aside_until[me] =
            static_cast<std::uint32_t>(world.step) + 1 + static_cast<std::uint32_t>(settings.patience / world.dt);
      }
    }
    if (agents.aside_until[me] != 0) {
      const float slow = std::max(kLeastSideSpeed * agents.preferred_speed[me], settings.slow_down * length(wanted));
      wanted = slow * unit(Vec2f{agents.aside_x[me], agents.aside_y[me]} - place);
    }
    if constexpr (Witness::kWatches) witness.changed(Influence::kAside, wanted);
    const float haste = is_in_danger ? kStartled : 1;
    const Vec2f velocity = steered({now.vx[me], now.vy[me]}, wanted, settings.steer_time / haste,
                                   haste * settings.max_acceleration, agents.max_speed[me], world.dt);
    if constexpr (Witness::kWatches) witness.changed(Influence::kInertia, velocity);
    agents.next.vx[me] = velocity.x;
    agents.next.vy[me] = velocity.y;
    agents.next.intent_x[me] = wanted.x;
    agents.next.intent_y[me] = wanted.y;
    agents.next.body[me] = (agents.radius[me] + 0.5f * settings.margin) / kBeyondContact;
    agents.next.urge[me] = 0;
    agents.wait[me] = 0;
  }
}

namespace {

struct WatchedAside : Watched {
  void met(std::uint32_t number, Vec2f to, Vec2f others, Vec2f present) {
    const Vec2f approach = others - present;
    const float squared = dot(approach, approach), time = squared > 0 ? -dot(to, approach) / squared : 0;
    said.meetings.push_back({number, classify(to, present, others, time), time, seen(present)});
  }
  void offered(const std::optional<Vec2f>& left, const std::optional<Vec2f>& right, AsideTo chosen) {
    const auto add = [&](const std::optional<Vec2f>& place, ReactionModule module, bool is_chosen) {
      TriedReaction tried;
      tried.module = module, tried.against = said.meetings.back().other, tried.type = said.meetings.back().type;
      if (place) tried.velocity = seen(*place), tried.quality = 1;
      tried.is_taken = is_chosen;
      if (!is_chosen) tried.not_because = !place ? "there is no room, or somebody comes from there" : "the other side is better";
      said.tried.push_back(tried);
    };
    add(right, ReactionModule::kRight, chosen == AsideTo::kRight);
    add(left, ReactionModule::kLeft, chosen == AsideTo::kLeft);
  }
};

}  // namespace

void ShortTermMotion::move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const {
  Unwatched nobody;
  move_rows(world, agents, begin, end, nobody);
}

void ShortTermMotion::explain(const Frozen& world, Agents& agents, std::uint32_t row, Explanation& said) const {
  WatchedAside witness{{agents, said}};
  move_rows(world, agents, row, row + 1, witness);
}

}  // namespace throng
