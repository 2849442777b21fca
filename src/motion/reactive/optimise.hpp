// SPDX-License-Identifier: MIT
// From a wanted velocity to one that meets nobody too soon (Lamarche & Donikian 2004, section 4.2.4; ALGORITHMS §1.13).
//
// Best first: proposals wait in a list ordered by quality × time of the collision they were made against. The best is taken; if
// it meets nobody earlier than that, it is the answer; else each module the table names for that kind of collision adds a
// proposal. Along a chain of proposals the times fall, so it ends; `max_pops` bounds it.
#pragma once
#include <throng/reactive.hpp>

#include "motion/reactive/collision.hpp"
#include "motion/reactive/reactions.hpp"

namespace throng::reactive_rules {

struct Proposal {
  float quality;
  Vec2f velocity;
  float time;  ///< of the collision it answers
};

inline constexpr int kMostPops = 32;
inline constexpr float kWorstQuality = 1e-3f;

struct Optimised {
  Vec2f velocity;
  int pops = 0;
};

THRONG_INLINE Optimised optimise(const ReactiveSettings& settings, const Surroundings& around, Vec2f wanted, float max_speed,
                                 float reaction_time) {
  Proposal list[1 + kReactionModules * kMostPops];
  int count = 1;
  list[0] = {1, wanted, kNever};
  // Where the list or the patience ends, the best of what was looked at, slowed down to the time it leaves.
  float best_worth = -1;
  Vec2f best{};
  for (int pops = 0; count > 0 && pops < settings.max_pops;) {
    int at = 0;
    for (int i = 1; i < count; ++i) {
      const float a = list[i].quality * list[i].time, b = list[at].quality * list[at].time;
      if (a > b || (a == b && list[i].quality > list[at].quality)) at = i;
    }
    const Proposal taken = list[at];
    list[at] = list[--count];
    ++pops;
    const Collision collision = first_collision(around, taken.velocity, settings.margin, settings.horizon);
    if (collision.other < 0 || collision.time >= taken.time) return {taken.velocity, pops};
    const Vec2f offset = around.offset(collision.other), others = around.velocity(collision.other);
    const int type = static_cast<int>(classify(offset, taken.velocity, others, collision.time));
    if (settings.table.accepts[type]) return {taken.velocity, pops};
    if (const float worth = taken.quality * collision.time; worth > best_worth) {
      best_worth = worth;
      best = (collision.time < reaction_time ? collision.time / reaction_time : 1) * taken.velocity;
    }
    const Tangents tangents = tangents_round(offset, around.contact[collision.other] + settings.margin);
    const auto& row = settings.table.rows[type];
    for (int m = 0; m < kReactionModules; ++m) {
      if (!row[m].is_used) continue;
      Vec2f v{};
      float factor = 0;
      switch (static_cast<ReactionModule>(m)) {
        case ReactionModule::kRight:
          if (!turn_along(taken.velocity, others, tangents.right, v)) continue;
          break;
        case ReactionModule::kLeft:
          if (!turn_along(taken.velocity, others, tangents.left, v)) continue;
          break;
        case ReactionModule::kDecelerate:
          if (!change_speed(taken.velocity, others, tangents, true, 1, factor)) continue;
          v = factor * taken.velocity;
          break;
        case ReactionModule::kAccelerate: {
          const float speed = length(taken.velocity);
          if (speed <= 0 || !change_speed(taken.velocity, others, tangents, false, max_speed / speed, factor)) continue;
          v = factor * taken.velocity;
          break;
        }
      }
      const float q = taken.quality * row[m].factor * quality(v, taken.velocity, row[m].direction_power, row[m].norm_power);
      if (q >= kWorstQuality) list[count++] = {q, v, collision.time};
    }
  }
  return {best, settings.max_pops};
}

}  // namespace throng::reactive_rules
