// SPDX-License-Identifier: MIT
// Keeping one's distance while there is room (Lamarche & Donikian 2004, section 4.2.1; ALGORITHMS §1.10).
//
// Everybody and every wall closer than a personal distance pushes the wanted velocity away, the more the closer; the speed stays.
// The printed sum attracts, attracts more from beyond the distance and vanishes at contact (L-4); this is the corrected one.
#pragma once
#include "motion/reactive/surroundings.hpp"

namespace throng::reactive_rules {

inline Vec2f keep_distance(const Surroundings& around, Vec2f wanted, float strength, float personal_distance, float wall_distance,
                           float radius) {
  Vec2f push{};
  for (int j = 0; j < around.people; ++j) {
    const float d = around.distance[j];
    if (d >= personal_distance || d <= 0) continue;
    push = push - ((1 - d / personal_distance) / d) * around.offset(j);
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
