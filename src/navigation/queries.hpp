// SPDX-License-Identifier: MIT
// Spatial questions beside planning: what does a ray hit, how wide is the way here, and where is a random walkable place?
//
// The ray walks from cell to cell (ALGORITHMS §7.4), decided exactly on the grid. Touching does not block: a ray may graze the
// end of a wall, pass a corner, or run along a wall. Through a corner it goes on if it can get round the corner on at least one
// side without crossing a wall, so two obstacles that meet in a corner block it there. The rule is the same from both ends. Cost:
// cells crossed.
#pragma once
#include <cstdint>
#include <vector>

#include "cells/cells.hpp"

namespace throng {

struct RayHit {
  bool hit = false;                ///< a wall is in the way; otherwise the ray ends at its target
  Vec2 place;                      ///< of the hit, or the target
  double parameter = 1;            ///< place = from + parameter·(to - from)
  CellIndex cell = kNoCell;        ///< the last cell the ray was in
  std::uint32_t side = kNoPortal;  ///< index into Cells::sides of the wall; kNoPortal for a hit at a corner and for no hit
};

/// `from` and `to` are snapped to the grid. `cell` holds `from`.
RayHit ray_cast(const Cells& cells, Vec2 from, CellIndex cell, Vec2 to);

/// A straight way from wall to wall through a place.
struct Passage {
  Vec2 from, to;
  bool is_between_walls = false;  ///< false: at one end or both there is none within reach
};
/// The shortest of them: across a corridor, not along it. `cell` holds `place`; walls are looked for up to `reach` metres away.
/// 180 directions are tried and the best ones refined, so that a length is at most 2 mm above the least there is, unless
/// something narrower than a degree stands out from a wall. Cost: some 500 rays.
Passage narrowest_passage(const Cells& cells, Vec2 place, CellIndex cell, double reach);

/// Walkable places, uniform by area.
class PlaceSampler {
 public:
  PlaceSampler() = default;
  /// With `blocked`, cells whose entry is not 0 are left out.
  explicit PlaceSampler(const Cells& cells, std::span<const std::uint8_t> blocked = {});

  struct Place {
    Vec2 position;
    CellIndex cell = kNoCell;
  };
  /// The place that belongs to two numbers in [0, 1); uniform if they are. kNoCell if there is no ground.
  Place at(const Cells& cells, double u, double v) const;
  double area() const { return cumulative_.empty() ? 0 : cumulative_.back(); }

 private:
  std::vector<double> cumulative_;  // area up to and with each triangle
};

}  // namespace throng
