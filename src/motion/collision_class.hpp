// SPDX-License-Identifier: MIT
// In which way two meet (Lamarche & Donikian 2004, section 4.2.2; ALGORITHMS §1.11).
#pragma once
#include <throng/reactive.hpp>

#include "agents/vec2f.hpp"

namespace throng {

/// What kind of collision the walker with velocity `mine` meets at `time`. The order of the tests matters, and "back" has the
/// sign that the paper's text, not its formula, asks for (L-3).
inline CollisionType classify(Vec2f offset, Vec2f mine, Vec2f others, float time) {
  if (dot(others, others) < 0.05f * 0.05f) return CollisionType::kStatic;
  const Vec2f then = offset + time * (others - mine);
  if (dot(then, mine) < 0 || mine == Vec2f{}) return CollisionType::kRear;
  return dot(mine, others) < 0 ? CollisionType::kFront : CollisionType::kBack;
}

}  // namespace throng
