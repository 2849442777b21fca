// SPDX-License-Identifier: MIT
// The potential of one set of people, what a way to its goal costs from every tile, and the velocity it asks for: fast marching
// on costs that differ by direction, and the upwind gradient (ALGORITHMS §5.6, §5.7).
//
//   FieldSolver solver;                       // one a worker: it owns the queue
//   Potential field;
//   solver.solve(domain, crowd.common_costs(), {{goal_tile, 0}}, {}, field);
//   find_velocities(crowd, field);
//   const FieldSample here = sample(field, domain.around(x, y, layer));
//
// Tiles are accepted in the order of their potential. An update takes, of the four quadrants between a tile's neighbours, the one
// with the least solution of ((φ-φx)/cx)² + ((φ-φy)/cy)² = 1, or of one neighbour alone. (§5.6 chooses one neighbour for each
// axis first, by φ + c. The quadrants give the same wherever costs are equal, and never more; and with them what marching finds
// is bit for bit what iterating the update to its end finds, because a solution is never below its neighbours: the tests compare
// both.) Only quadrants that hold the newly accepted neighbour can improve, so a tile mostly costs one square root.
//
// Cost: some 100 ns a tile and set, of which the queue is a third. Ties are decided by number: nothing depends on threads.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "agents/vec2f.hpp"
#include "fields/crowd_field.hpp"
#include "fields/tile_domain.hpp"
#include "fields/wheel_queue.hpp"

namespace throng {

/// A tile where the potential is at most this: 0 at a goal, what is left of the way at a sub-goal (§4.3).
struct FieldSeed {
  DomainTile tile;
  float potential;
};

struct Potential {
  std::vector<float> value;          ///< by tile and of the ghost; kNoPotential where no way leads, or none was looked for
  std::vector<Vec2f> velocity;       ///< after find_velocities; 0 at seeds and where there is no way
  std::vector<std::uint8_t> upwind;  ///< which neighbours the value comes from; 0: none, a seed
  std::vector<DomainTile> reached;   ///< tiles with a value, by increasing value
};

class FieldSolver {
 public:
  /// Potentials of all tiles that are reached, or until all those of `needed` are (empty: no early end). Seeds are candidates:
  /// one whose value is more than the way to another seed loses it.
  void solve(const TileDomain& domain, const FaceValues& cost, std::span<const FieldSeed> seeds,
             std::span<const DomainTile> needed, Potential& field);

 private:
  void spread(const TileDomain& domain, const FaceValues& cost, DomainTile from, Potential& field);

  WheelQueue queue_;
  std::vector<float> candidate_;  ///< values of tiles that are not reached yet
  std::vector<std::uint8_t> is_needed_;
};

/// Down the gradient, at the speed that the crowd allows in each direction.
void find_velocities(const CrowdField& crowd, Potential& field);

struct FieldSample {
  Vec2f velocity{};
  float speed = 0;  ///< of the velocities around; that of their mean is less where they part or meet, and near seeds
  /// What share of the surroundings knows a way, 0 to 1. The velocity is of these alone: 0 where there are none.
  float known = 0;
};
/// Bilinear between the tiles of a stencil that know a way.
FieldSample sample(const Potential& field, const Stencil& stencil);

/// The neighbour towards the goal, for people who walk from tile to tile: of those linked to a tile the one most along the
/// velocity among those of lower potential; else that of the lowest; kNoTile at a seed and where no way leads (ALGORITHMS §4.3).
TileIndex next_tile(const TileDomain& domain, const Potential& field, DomainTile t);

/// Seeds of exact distances round a goal: all tiles within three of it that it is seen from, as far as tiles can tell. Takes away
/// a quarter to a half of the error of a point source. `cost` is that of a metre there.
void add_disc_seeds(const TileDomain& domain, Vec2f goal, std::uint32_t layer, float cost, std::vector<FieldSeed>& seeds);

}  // namespace throng
