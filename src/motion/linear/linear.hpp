// SPDX-License-Identifier: MIT
// The model without a crowd: straight along the guidance, at the preferred speed, through everybody (ALGORITHMS §2.8).
//
// What far people of a large scene walk by, and what others are compared with. Speed does not fade in front of a goal: the last
// step is as long as what is left, so that a way of d metres takes d / v seconds.
#pragma once
#include "agents/vec2f.hpp"
#include "motion/frozen.hpp"

namespace throng {

/// The next velocity of one person.
inline Vec2f linear_velocity(const Agents& agents, std::size_t me, float dt) {
  const Vec2f wanted = {agents.desired_x[me], agents.desired_y[me]};
  const float wanted_speed = length(wanted);
  if (wanted_speed <= 0) return {};
  float speed = agents.is_in_group(me) ? wanted_speed : agents.preferred_speed[me];  // who keeps pace with others walks as guided
  const bool stops_here = agents.left[me] == 0 && agents.stops_at_goal[me] != 0 && agents.has_heading[me] == 0;
  if (stops_here && speed * dt > agents.rest[me]) speed = agents.rest[me] / dt;
  return (speed / wanted_speed) * wanted;
}

/// Writes velocity, intent, body and urge of the next generation of agents [begin, end).
void move_linear(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end);

}  // namespace throng
