// SPDX-License-Identifier: MIT
// Steering behaviours (Reynolds 1999; ALGORITHMS §6): seek, arrive, unaligned avoidance, separation.
//
// The wanted velocity is the guidance's, less in front of a goal to stop at (arrive), turned aside from the encounter that is
// nearest in time (avoidance) and pushed away from those who are close (separation). It is taken up within `steer_time`, with
// bounded acceleration. Everything is in seconds, so a run does not depend on the length of its steps; the original adds a
// vector per frame.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include <throng/models.hpp>

#include "agents/vec2f.hpp"
#include "motion/frozen.hpp"

namespace throng {

class ReynoldsMotion {
 public:
  /// One entry a model of the world; those of other kinds are never asked for.
  explicit ReynoldsMotion(std::span<const MotionModel> models);

  /// Writes velocity, intent, body and urge of the next generation of agents [begin, end).
  void move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const;

 private:
  std::vector<ReynoldsSettings> models_;
};

namespace reynolds_rules {

/// The speed at which somebody may come to a goal at a distance: half the acceleration suffices to stop there, and the rest is
/// left for taking it up late; close by, distance over four times the steering time, which approaches without overshooting.
inline float arrival_speed(float distance, float max_acceleration, float steer_time) {
  const float braking = std::sqrt(max_acceleration * distance), easing = distance / (4 * steer_time);
  return std::min(braking, easing);
}

/// The present velocity after a step towards the wanted one.
inline Vec2f steered(Vec2f present, Vec2f wanted, float steer_time, float max_acceleration, float max_speed, float dt) {
  const Vec2f change = (1 / std::max(steer_time, dt)) * (wanted - present);
  const float much = length(change);
  const float share = much > max_acceleration ? dt * max_acceleration / much : dt;
  const Vec2f velocity = present + share * change;
  const float fast = length(velocity);
  return fast > max_speed ? (max_speed / fast) * velocity : velocity;
}

/// When two who keep their velocities are nearest; `offset` and `approach` are the other's, seen from me.
inline float nearest_time(Vec2f offset, Vec2f approach) {
  const float squared = dot(approach, approach);
  return squared > 1e-6f ? -dot(offset, approach) / squared : 0;
}

}  // namespace reynolds_rules
}  // namespace throng
