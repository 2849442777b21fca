// SPDX-License-Identifier: MIT
// What to do about a predicted collision: pass left or right, slow down, speed up; and how good each proposal is
// (Lamarche & Donikian 2004, section 4.2.3; ALGORITHMS §1.12).
//
// All four keep the relative velocity on a tangent to the other's disc: S_O = S_N + α D with D one of the two tangent directions.
// Turning keeps the speed |S_I| and solves for α; changing speed keeps the direction and solves for β in S_O = β S_I. Pure
// following (α = 0) is allowed, which the printed α > 0 forbids (L-11). These are the rules one by one, as they are read and
// tested; a step takes all four side by side (propose.hpp), with the same bits.
#pragma once
#include <throng/reactive.hpp>

#include "motion/reactive/surroundings.hpp"

namespace throng::reactive_rules {

/// Solutions keep this much more than the reach, so that they are not found to collide again.
inline constexpr float kBeyondTangency = 1e-3f;

/// Unit tangents from me round the disc of radius `reach` about the other: to its left and to its right, as I see it. Closer than
/// the reach there are none; then those of the largest disc that leaves room are taken, which point along its rim.
struct Tangents {
  Vec2f left, right;
};
inline Tangents tangents_round(Vec2f offset, float reach) {
  const float distance = length(offset);
  if (distance <= 0) return {};
  const Vec2f u = (1 / distance) * offset;
  float s = (reach + kBeyondTangency) / distance;
  s = s < 0.98f ? s : 0.98f;
  const float c = std::sqrt(1 - s * s);
  return {{c * u.x - s * u.y, s * u.x + c * u.y}, {c * u.x + s * u.y, -s * u.x + c * u.y}};
}

/// Velocity of the walker's speed whose motion relative to the other runs along `tangent`; of two the one nearer to `wanted`.
inline bool turn_along(Vec2f wanted, Vec2f others, Vec2f tangent, Vec2f& turned) {
  const float b = dot(others, tangent);
  const float rest = b * b - dot(others, others) + dot(wanted, wanted);
  if (!(rest >= 0)) return false;
  const float root = std::sqrt(rest);
  const float high = root - b, low = -root - b;
  if (!(high > 0)) return false;
  turned = others + high * tangent;
  if (low > 0) {
    const Vec2f second = others + low * tangent;
    if (dot(second, wanted) > dot(turned, wanted)) turned = second;
  }
  return true;
}

/// Factor on the wanted velocity that makes the motion relative to the other run along one of the tangents; below 1 if `slower`,
/// else above 1 and up to `most`. The one nearest to 1.
inline bool change_speed(Vec2f wanted, Vec2f others, const Tangents& tangents, bool slower, float most, float& factor) {
  bool found = false;
  for (const Vec2f d : {tangents.left, tangents.right}) {
    const float den = cross(wanted, d);
    if (den < 1e-9f && den > -1e-9f) continue;
    const float beta = cross(others, d) / den, alpha = cross(others, wanted) / den;
    if (!(alpha >= -1e-6f)) continue;
    if (slower ? !(beta >= 0 && beta < 1) : !(beta > 1 && beta <= most)) continue;
    if (!found || (slower ? beta > factor : beta < factor)) factor = beta;
    found = true;
  }
  return found;
}

inline float power(float base, int exponent) {
  float result = 1;
  for (; exponent > 0; --exponent) result *= base;
  return result;
}

/// Quality of a proposal in [0, 1]: alike in direction and in speed. The printed formula adds two vectors where a dot product is
/// needed (L-5).
inline float quality(Vec2f proposed, Vec2f wanted, int direction_power, int norm_power) {
  const float a = length(proposed), b = length(wanted);
  if (b == 0) return a == 0 ? 1 : 0;
  if (a == 0) return 0;
  const float cosine = dot(proposed, wanted) / (a * b);
  const float direction = 2 * power(0.5f * (1 + cosine), direction_power) - 1;
  const float norm = power(a < b ? a / b : b / a, norm_power);
  return direction > 0 ? direction * norm : 0;
}

}  // namespace throng::reactive_rules
