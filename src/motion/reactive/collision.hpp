// SPDX-License-Identifier: MIT
// When would I run into somebody, and in which way? (Lamarche & Donikian 2004, section 4.2.2; ALGORITHMS §1.11.)
//
// Two discs of constant velocity touch when |P + V t| = R, a quadratic in t. The printed equation lacks a factor 2 and mixes
// signs (errata L-1, L-2); this is the right one, solved in the form that does not cancel. Tangency is no collision.
#pragma once
#include <bit>

#include <throng/reactive.hpp>

#include "motion/collision_class.hpp"
#include "motion/reactive/surroundings.hpp"

namespace throng::reactive_rules {

inline constexpr float kNever = 1e30f;

/// Time until two discs touch: `offset` from me to the other, `approach` my velocity minus the other's, `reach` the sum of radii
/// and margin. 0 where they already are too close and still approach; kNever where they part or miss.
inline float time_to_collision(Vec2f offset, Vec2f approach, float reach) {
  const float closing = dot(offset, approach);              // -b/2 of the quadratic
  const float apart = dot(offset, offset) - reach * reach;  // c
  const float speed2 = dot(approach, approach);             // a
  const float discriminant = closing * closing - speed2 * apart;
  const float root = std::sqrt(discriminant > 0 ? discriminant : 0);
  float t = apart / (closing + root);
  t = discriminant > 0 ? t : kNever;
  t = apart <= 0 ? 0 : t;
  return closing > 0 ? t : kNever;
}

struct Collision {
  float time = kNever;
  int other = -1;
};

/// The same for eight at once.
THRONG_INLINE Lanes times_to_collision(const Surroundings& around, int at, Vec2f velocity, float margin) {
  const Lanes dx = load(around.dx + at), dy = load(around.dy + at);
  const Lanes ax = velocity.x - load(around.vx + at), ay = velocity.y - load(around.vy + at);
  const Lanes reach = load(around.contact + at) + margin;
  const Lanes closing = dx * ax + dy * ay;
  const Lanes apart = dx * dx + dy * dy - reach * reach;
  const Lanes discriminant = closing * closing - (ax * ax + ay * ay) * apart;
  const Lanes never = lanes(kNever), zero = lanes(0);
  Lanes t = apart / (closing + root(higher(discriminant, zero)));
  t = select(discriminant > 0, t, never);
  t = select(apart <= 0, zero, t);
  return select(closing > 0, t, never);
}

/// The earliest within the horizon; ties go to the one listed first.
THRONG_INLINE Collision first_collision(const Surroundings& around, Vec2f velocity, float margin, float horizon) {
  Collision first{horizon, -1};
  for (int at = 0; at < around.padded; at += kLanes) {
    const Lanes times = times_to_collision(around, at, velocity, margin);
    const float time = least(times);
    if (time >= first.time) continue;
    first = {time, at + std::countr_zero(bits(times == time))};
  }
  if (first.other < 0) first.time = kNever;
  return first;
}

}  // namespace throng::reactive_rules
