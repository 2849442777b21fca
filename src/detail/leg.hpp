// SPDX-License-Identifier: MIT
// How long somebody may walk straight on without anybody looking (ALGORITHMS §2.8: large steps, several portals).
//
// A leg ends where the line would leave the corridor, touch a wall with the body, reach the goal, or enter a patch where people
// are looked at each step. Up to there nothing has to be checked while it is walked, and the person is nowhere it could not have
// walked to step by step: so a low frequency makes nobody cut corners, overshoot bends or reach into walls.
#pragma once
#include <span>

#include "agents/vec2f.hpp"
#include "detail/levels.hpp"
#include "guidance/corridor_cone.hpp"
#include "navigation/ground.hpp"

namespace throng {

/// How far a disc that moves along the unit vector `ahead` gets before it touches a wall; at most `limit`.
float way_to_wall(const Ground::Wall& wall, Vec2f place, Vec2f ahead, float radius, float limit);

struct LegRequest {
  Vec2f place, ahead;  ///< a unit vector
  float distance = 0;  ///< at most
  float radius = 0;
  CellIndex cell = 0;            ///< that holds the place
  const Route* route = nullptr;  ///< null: no corridor, the leg ends with the cell
  /// Of cells: the leg ends where people are looked at each step. Null where levels go by other patches: there the beat of the
  /// patch must end it within the width of the strip that is looked at round the high ones.
  const PatchLevels* levels = nullptr;
};
/// Metres, from 0 to the distance asked for.
float leg_length(const Ground& ground, const Cells& cells, const LegRequest& request);

}  // namespace throng
