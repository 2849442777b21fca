// SPDX-License-Identifier: MIT
// From a wanted velocity to one that meets nobody too soon (Lamarche & Donikian 2004, section 4.2.4; ALGORITHMS §1.13).
//
// Best first: proposals wait in a list ordered by quality × time of the collision they were made against. The best is taken; if
// it meets nobody earlier than that, it is the answer; else each module the table names for that kind of collision adds a
// proposal. Along a chain of proposals the times fall, so it ends; `max_pops` bounds it.
#pragma once
#include <throng/reactive.hpp>

#include "motion/reactive/collision.hpp"
#include "motion/reactive/propose.hpp"
#include "motion/witness.hpp"

namespace throng::reactive_rules {

inline constexpr int kMostPops = 32;
inline constexpr float kWorstQuality = 1e-3f;

struct Optimised {
  Vec2f velocity;
  int pops = 0;
};

template <class Witness>
THRONG_INLINE Optimised optimise(const ReactiveSettings& settings, const Surroundings& around, Vec2f wanted, float max_speed,
                                 float reaction_time, Witness& witness) {
  // Columns of proposals: of each its quality and velocity, and the time of the collision it answers.
  constexpr int kMost = 1 + kReactionModules * kMostPops;
  float quality[kMost], x[kMost], y[kMost], time[kMost];
  int count = 0, at = -1;  // `at`: taken and not yet gone from the columns
  float taken_quality = 1, taken_time = kNever;
  Vec2f taken = wanted;
  // Where the list or the patience ends, the best of what was looked at, slowed down to the time it leaves.
  float best_worth = -1;
  Vec2f best{};
  for (int pops = 1; pops <= settings.max_pops; ++pops) {
    const Collision collision = first_collision(around, taken, settings.margin, settings.horizon);
    if (collision.other < 0 || collision.time >= taken_time) return {taken, pops};
    const Vec2f offset = around.offset(collision.other), others = around.velocity(collision.other);
    const int type = static_cast<int>(classify(offset, taken, others, collision.time));
    if constexpr (Witness::kWatches) witness.met(around, collision, static_cast<CollisionType>(type), taken);
    if (settings.table.accepts[type]) {
      if constexpr (Witness::kWatches) witness.accepted();
      return {taken, pops};
    }
    if (const float worth = taken_quality * collision.time; worth > best_worth) {
      best_worth = worth;
      best = (collision.time < reaction_time ? collision.time / reaction_time : 1) * taken;
    }
    if (at >= 0) {
      --count;
      quality[at] = quality[count], x[at] = x[count], y[at] = y[count], time[at] = time[count];
    }
    const Tangents tangents = tangents_round(offset, around.contact[collision.other] + settings.margin);
    const Proposals made = propose(settings.table.rows[type], taken_quality, taken, others, tangents, max_speed);
    for (int m = 0; m < kReactionModules; ++m) {
      quality[count] = made.quality[m], x[count] = made.x[m], y[count] = made.y[m], time[count] = collision.time;
      count += made.quality[m] >= kWorstQuality;
    }
    if constexpr (Witness::kWatches) witness.proposed(made);
    if (count == 0) break;
    at = 0;
    float most = quality[0] * time[0];
    for (int i = 1; i < count; ++i) {
      const float worth = quality[i] * time[i];
      if (worth > most || (worth == most && quality[i] > quality[at])) at = i, most = worth;
    }
    taken = {x[at], y[at]};
    taken_quality = quality[at], taken_time = time[at];
  }
  if constexpr (Witness::kWatches) witness.gave_up();
  return {best, settings.max_pops};
}
THRONG_INLINE Optimised optimise(const ReactiveSettings& settings, const Surroundings& around, Vec2f wanted, float max_speed,
                                 float reaction_time) {
  Unwatched nobody;
  return optimise(settings, around, wanted, max_speed, reaction_time, nobody);
}

}  // namespace throng::reactive_rules
