// SPDX-License-Identifier: MIT
// The shortest way of a disc through a corridor.
//
// Lee & Preparata's funnel on circles instead of points (Demyen & Buro 2006, section 4.2; ALGORITHMS §7.5): every corner of the
// corridor is a circle of the body's radius that must stay on its side; the funnel is a double-ended queue of circles joined by
// tangents, left chain – apex – right chain. A new corner pops circles it makes needless off its own chain; when it gets past the
// apex it crosses the other chain, whose circles then are bends of the answer. Linear time, about 20 ns a portal; signs of cross
// products decide, angles are computed for the bends of the answer only. Pulling portal ends in by the radius instead would cut
// corners that portals share.
//
// What must be circled: the ends of the portals, and, for a body with a size, corners of crossed cells that are on neither portal
// but within reach of a way that keeps to the corridor. A corner on no wall (VertexKind::kOpen) has no size. Near start and goal
// further corners can matter, of the cell itself or behind its free sides: the end legs are checked (end_legs.hpp), and corners
// found too close join the funnel, which is then run again (rare).
//
// A funnel forgets corners that a later one makes needless. Circles of about the size of the gaps between them can come in
// another order than that in which a way touches them, and then a forgotten corner may be missed. Where the order was disturbed
// (1 path in 30 in a city, 1 in 11 in halls full of gaps of a body's width) the legs and arcs are checked against all walls near
// them; if a corner was missed, the corridor is pulled from the goal as well, whose funnel forgets others, and the good halves
// are joined at a bend they share; if that misses one too (1 path in 50,000 of such halls), all tangents are searched
// (tangent_search.hpp). Of 2,000,000 random paths of discs in halls and scenes full of narrow gaps, radii often those of the gaps
// to a millionth, none came closer to a wall than the radius less a micrometre, but for 35 whose corridor had no room for the
// body (Cells::width or access too large).
//
// The result keeps `radius` from all walls if the corridor lets the body through: Cells::width of each consecutive pair of
// portals and the access of start and goal are at least 2·radius, and both points have that clearance.
#pragma once
#include <cstdint>
#include <vector>

#include "geometry/tangents.hpp"
#include "routing/corridor.hpp"

namespace throng {

/// Memory that `pull` reuses: one for each thread. Nothing is allocated once it has seen the longest corridor.
struct FunnelScratch {
  struct Corner {
    SignedCircle circle;
    Vec2 direction;        ///< of the tangent from the corner before it, towards the apex; not normalised
    std::uint32_t vertex;  ///< kNoVertex for start and goal
    std::uint32_t stage;   ///< how many portals of the corridor lie before it
  };
  /// A corner that came too close to an end leg.
  struct Extra {
    std::uint32_t stage;
    std::uint32_t vertex;
    bool on_left;
    bool done;     ///< already in the funnel of this run
    double along;  ///< its place on the leg, to order corners of one stage
    Vec2 leg;      ///< direction of that leg
  };
  struct Stages {
    std::uint32_t first, last;
  };
  static constexpr std::uint32_t kNoVertex = 0xffffffffu;

  std::vector<Corner> queue;
  std::vector<Corner> path;
  std::vector<Corner> held;
  std::vector<Extra> extras;
  std::vector<CellIndex> cells;  ///< of the corridor, in order
  std::vector<CellIndex> visited;
  bool open_ground =
      false;  ///< the corridor has corners on open ground (area borders): walls may be near that are on no cell of it
  std::vector<Stages> disturbed;  ///< where circles came in another order than that in which a way touches them
  Corridor rest, reversed;
  PulledPath back;
};

/// Fills `path` (radius, start, goal, bends, length) with the shortest way from start to goal through the corridor. False if it
/// was found that the corridor has no room for the body; the path then reaches into a wall. `start` lies in corridor.first_cell,
/// `goal` in the cell behind the last portal (or their nearest points of the grid do).
bool pull(const Cells& cells, const Corridor& corridor, Vec2 start, Vec2 goal, double radius, FunnelScratch& scratch,
          PulledPath& path);

}  // namespace throng
