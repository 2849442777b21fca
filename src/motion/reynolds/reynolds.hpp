// SPDX-License-Identifier: MIT
// Steering behaviours (Reynolds 1999; ALGORITHMS §6): seek, arrive, unaligned avoidance, separation.
//
// The wanted velocity is the guidance's, less in front of a goal to stop at (arrive), turned aside from the encounter that is
// nearest in time (avoidance) and pushed away from those who are close (separation). It is taken up within `steer_time`, with
// bounded acceleration. Everything is in seconds, so a run does not depend on the length of its steps; the original adds a
// vector per frame.
#pragma once
#include <span>
#include <vector>

#include <throng/models.hpp>

#include "agents/vec2f.hpp"
#include "motion/frozen.hpp"

namespace throng {

class ReynoldsMotion {
 public:
  /// One entry a model of the world; those of other kinds are never asked for.
  explicit ReynoldsMotion(std::span<const MotionModel> models);

  /// Writes velocity, intent, body and urge of the next generation of agents [begin, end).
  void move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const;

 private:
  std::vector<ReynoldsSettings> models_;
};

namespace reynolds_rules {

/// When two who keep their velocities are nearest; `offset` and `approach` are the other's, seen from me.
inline float nearest_time(Vec2f offset, Vec2f approach) {
  const float squared = dot(approach, approach);
  return squared > 1e-6f ? -dot(offset, approach) / squared : 0;
}

}  // namespace reynolds_rules
}  // namespace throng
