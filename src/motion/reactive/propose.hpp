// SPDX-License-Identifier: MIT
// The four reactions to one collision and their qualities, side by side: a lane a module.
//
// The same operations in the same order as the plain rules (reactions.hpp), hence the same bits. Which module has an answer, and
// which of two roots is it, cannot be foretold; one after the other they cost more in wrong guesses of the processor than in
// arithmetic.
#pragma once
#include <throng/reactive.hpp>

#include "motion/reactive/reactions.hpp"

namespace throng::reactive_rules {

typedef float Four __attribute__((vector_size(16)));
typedef std::int32_t FourMask __attribute__((vector_size(16)));

THRONG_INLINE Four root(Four v) {
  for (int i = 0; i < 4; ++i) v[i] = std::sqrt(v[i]);
  return v;
}

/// base to the exponent, lane by lane; exponents are small.
THRONG_INLINE Four power(Four base, FourMask exponent) {
  Four result = {1, 1, 1, 1};
  for (std::int32_t k = 0;; ++k) {
    const FourMask goes_on = exponent > k;
    std::uint64_t words[2];
    __builtin_memcpy(words, &goes_on, sizeof words);
    if ((words[0] | words[1]) == 0) return result;
    result = goes_on ? result * base : result;
  }
}

/// By ReactionModule. A quality of 0: the module has no answer, or is not used.
struct Proposals {
  Four x, y;
  Four quality;
};

/// What each module of a row of the table makes of the velocity `mine`, of quality `mines`, against somebody who walks with
/// `others`.
THRONG_INLINE Proposals propose(const std::array<Reaction, kReactionModules>& row, float mines, Vec2f mine, Vec2f others,
                                const Tangents& tangents, float max_speed) {
  static_assert(static_cast<int>(ReactionModule::kRight) == 0 && static_cast<int>(ReactionModule::kLeft) == 1 &&
                static_cast<int>(ReactionModule::kDecelerate) == 2 && static_cast<int>(ReactionModule::kAccelerate) == 3);
  // Turning: the first two lanes.
  const Four tangent_x = {tangents.right.x, tangents.left.x, tangents.right.x, tangents.left.x};
  const Four tangent_y = {tangents.right.y, tangents.left.y, tangents.right.y, tangents.left.y};
  const Four b = others.x * tangent_x + others.y * tangent_y;
  const Four rest = b * b - dot(others, others) + dot(mine, mine);
  const Four half = root(rest), high = half - b, low = -half - b;
  Four x = others.x + high * tangent_x, y = others.y + high * tangent_y;
  const Four second_x = others.x + low * tangent_x, second_y = others.y + low * tangent_y;
  const FourMask is_second = (low > 0) & (second_x * mine.x + second_y * mine.y > x * mine.x + y * mine.y);
  x = is_second ? second_x : x;
  y = is_second ? second_y : y;
  FourMask is_possible = (rest >= 0) & (high > 0);

  // Changing speed: both tangents give a factor; the one nearest to 1 on either side is taken.
  const float speed = length(mine), most = speed > 0 ? max_speed / speed : 0;
  const Four den = mine.x * tangent_y - mine.y * tangent_x;
  const Four factor = (others.x * tangent_y - others.y * tangent_x) / den, alpha = cross(others, mine) / den;
  const FourMask is_met = ((den >= 1e-9f) | (den <= -1e-9f)) & (alpha >= -1e-6f);
  const FourMask is_slower = is_met & (factor >= 0) & (factor < 1), is_faster = is_met & (factor > 1) & (factor <= most);
  const Four none = {};
  const Four slow = is_slower ? factor : none - 1, fast = is_faster ? factor : none + 1e30f;
  const float slower = slow[0] > slow[1] ? slow[0] : slow[1], faster = fast[0] < fast[1] ? fast[0] : fast[1];
  x = Four{x[0], x[1], slower * mine.x, faster * mine.x};
  y = Four{y[0], y[1], slower * mine.y, faster * mine.y};
  is_possible = FourMask{is_possible[0], is_possible[1], is_slower[0] | is_slower[1], is_faster[0] | is_faster[1]};

  FourMask is_used, direction_power, norm_power;
  Four weight;
  for (int m = 0; m < kReactionModules; ++m) {
    is_used[m] = -static_cast<std::int32_t>(row[m].is_used);
    direction_power[m] = row[m].direction_power;
    norm_power[m] = row[m].norm_power;
    weight[m] = row[m].factor;
  }
  is_possible &= is_used;
  const Four length_of = root(x * x + y * y);
  const Four cosine = (x * mine.x + y * mine.y) / (length_of * speed);
  const Four direction = 2 * power(0.5f * (1 + cosine), direction_power) - 1;
  const FourMask is_shorter = length_of < speed;
  const Four norm = power((is_shorter ? length_of : none + speed) / (is_shorter ? none + speed : length_of), norm_power);
  const Four quality = direction > 0 ? direction * norm : none;
  const FourMask is_zero = length_of == 0;
  const Four alike = speed > 0 ? (is_zero ? none : quality) : (is_zero ? none + 1 : none);
  return {x, y, is_possible ? mines * weight * alike : none};
}

}  // namespace throng::reactive_rules
