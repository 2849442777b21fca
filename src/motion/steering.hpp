// SPDX-License-Identifier: MIT
// How a wanted velocity is taken up (Reynolds 1999; ALGORITHMS §6), for the models that seek and arrive. In seconds, so that a
// run does not depend on the length of its steps; the original adds a vector per frame.
#pragma once
#include <algorithm>
#include <cmath>

#include "agents/agents.hpp"
#include "agents/vec2f.hpp"

namespace throng {

/// The speed at which somebody may come to a goal at a distance: half the acceleration suffices to stop there, and the rest is
/// left for taking it up late; close by, distance over four times the steering time, which approaches without overshooting.
inline float arrival_speed(float distance, float max_acceleration, float steer_time) {
  const float braking = std::sqrt(max_acceleration * distance), easing = distance / (4 * steer_time);
  return std::min(braking, easing);
}

/// What guidance wants of somebody, less in front of a goal to stop at.
inline Vec2f arriving(const Agents& agents, std::size_t me, float max_acceleration, float steer_time) {
  const Vec2f wanted = {agents.desired_x[me], agents.desired_y[me]};
  if (agents.left[me] != 0 || agents.stops_at_goal[me] == 0 || agents.has_heading[me] != 0) return wanted;
  const float speed = length(wanted);
  if (speed <= 0) return wanted;
  const float arrives = arrival_speed(agents.rest[me], max_acceleration, steer_time);
  // A member of a group has its own reasons to walk more slowly.
  const float most = agents.is_in_group(me) ? speed : agents.preferred_speed[me];
  return (std::min(most, arrives) / speed) * wanted;
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

/// The end of a move: how somebody goes on and what it wants, with a body as wide as it is and no claim that others make way.
inline void take_up(Agents& agents, std::size_t me, Vec2f velocity, Vec2f wanted) {
  agents.next.vx[me] = velocity.x;
  agents.next.vy[me] = velocity.y;
  agents.next.intent_x[me] = wanted.x;
  agents.next.intent_y[me] = wanted.y;
  agents.next.body[me] = agents.radius[me];
  agents.next.urge[me] = 0;
}

}  // namespace throng
