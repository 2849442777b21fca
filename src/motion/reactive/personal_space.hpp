// SPDX-License-Identifier: MIT
// Keeping one's distance while there is room (Lamarche & Donikian 2004, section 4.2.1; ALGORITHMS §1.10).
//
// Everybody and every wall closer than a personal distance pushes the wanted velocity away, the more the closer; the speed stays.
// The printed sum attracts, attracts more from beyond the distance and vanishes at contact (L-4); this is the corrected one.
#pragma once
#include "motion/reactive/surroundings.hpp"

namespace throng::reactive_rules {

THRONG_INLINE Vec2f keep_distance(const Surroundings& around, Vec2f wanted, float strength, float personal_distance,
                                  float wall_distance, float radius) {
  Vec2f push{};
  for (int at = 0; at < around.padded; at += kLanes) {
    const Lanes d = load(around.distance + at);
    const LaneMask is_near = d < personal_distance;
    if (!any(is_near)) continue;
    const Lanes weight = select(is_near, (1 - d / personal_distance) / higher(d, lanes(1e-6f)), lanes(0));
    push = push - Vec2f{sum(weight * load(around.dx + at)), sum(weight * load(around.dy + at))};
  }
  for (int k = 0; k < around.walls; ++k) {
    const float d = around.wall[k].gap + radius;
    if (d < wall_distance) push = push - (1 - d / wall_distance) * around.wall[k].normal;
  }
  if (push == Vec2f{}) return wanted;
  const float speed = length(wanted);
  const Vec2f sum = wanted + (strength * speed) * push;
  const float norm = length(sum);
  return norm < 1e-6f ? wanted : (speed / norm) * sum;
}

}  // namespace throng::reactive_rules
