// SPDX-License-Identifier: MIT
#include "motion/reynolds/reynolds.hpp"

#include <algorithm>
#include <cmath>

#include "motion/group_manners.hpp"
#include "motion/steering.hpp"

namespace throng {
namespace {

using namespace reynolds_rules;

constexpr float kParallel = 0.9f;    // cosine: walking alike, the one behind brakes
constexpr float kAmongMates = 0.6f;  // of the distance to strangers: who walks with me may be close, but not touch
constexpr float kOnTheSpot = 1e-4f;

/// What others add to the velocity that somebody wants.
Vec2f among_people(const Frozen& world, const ReynoldsSettings& settings, std::uint32_t me, Vec2f wanted) {
  const auto& now = world.agents.now;
  const Vec2f place = {now.x[me], now.y[me]}, present = {now.vx[me], now.vy[me]};
  const float preferred = world.agents.preferred_speed[me];
  float soonest = settings.horizon;
  Vec2f soonest_offset{}, soonest_velocity{}, apart{};
  bool is_threatened = false;
  std::uint32_t group_ahead = 0;
  const auto meet = [&](Vec2f offset, Vec2f velocity, float body) {
    const Vec2f approach = velocity - present;
    const float time = nearest_time(offset, approach);
    if (time <= 0 || time >= soonest) return false;
    const Vec2f then = offset + time * approach;
    const float clear = now.body[me] + body + settings.margin;
    if (dot(then, then) >= clear * clear) return false;
    soonest = time, soonest_offset = offset, soonest_velocity = velocity;
    is_threatened = true;
    return true;
  };
  // Two who walk together are one, as wide as both.
  visit_middles(world.agents, me, world.neighbours.of(me), [&](const Middle& middle) {
    const float wide = middle.body + middle.half;
    if (length(middle.place - place) > now.body[me] + wide && meet(middle.place - place, middle.velocity, wide))
      group_ahead = middle.group;
  });
  for (const std::uint32_t other : world.neighbours.of(me)) {
    const Vec2f offset = Vec2f{now.x[other], now.y[other]} - place, velocity = {now.vx[other], now.vy[other]};
    const float squared = dot(offset, offset);
    const float distance = (world.agents.are_mates(me, other) ? kAmongMates : 1) * settings.separation_distance;
    if (squared < distance * distance && squared > kOnTheSpot) apart = apart - (1 / squared) * offset;
    if (group_ahead == 0 || world.agents.group[other] != group_ahead) meet(offset, velocity, now.body[other]);
  }
  Vec2f out = wanted + settings.separation_strength * apart;
  if (!is_threatened) return out;
  const float urgency = 1 - soonest / settings.horizon;
  const Vec2f ahead = unit(wanted);
  const float alike = dot(ahead, unit(soonest_velocity));
  if (alike > kParallel && dot(soonest_offset, ahead) > 0) {
    // Who walks the same way ahead of me: I slow down to its pace.
    return out - urgency * std::max(0.0f, length(wanted) - dot(soonest_velocity, ahead)) * ahead;
  }
  // Aside from where the other will be; straight ahead of me, to the right, so that two who meet do not mirror each other.
  const Vec2f then = soonest_offset + soonest * soonest_velocity;
  const float side = cross(ahead, then) < -0.01f ? 1.0f : -1.0f;
  return out + settings.avoidance * urgency * preferred * side * Vec2f{-ahead.y, ahead.x};
}

}  // namespace

ReynoldsMotion::ReynoldsMotion(std::span<const MotionModel> models) {
  for (const MotionModel& model : models) {
    const auto* mine = std::get_if<ReynoldsSettings>(&model);
    models_.push_back(mine != nullptr ? *mine : ReynoldsSettings{});
  }
}

void ReynoldsMotion::move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const {
  const auto& now = world.agents.now;
  for (std::size_t row = begin; row < end; ++row) {
    const auto me = static_cast<std::uint32_t>(row);
    const ReynoldsSettings& settings = models_[world.model[me]];
    const float most = agents.max_speed[me];
    Vec2f wanted = arriving(agents, me, settings.max_acceleration, settings.steer_time);
    if (wanted != Vec2f{}) {
      wanted = among_people(world, settings, me, wanted);
      if (const float fast = length(wanted); fast > most) wanted = (most / fast) * wanted;
    }
    const Vec2f velocity =
        steered({now.vx[me], now.vy[me]}, wanted, settings.steer_time, settings.max_acceleration, most, world.dt);
    take_up(agents, me, velocity, wanted);
    agents.wait[me] = 0;
  }
}

}  // namespace throng
