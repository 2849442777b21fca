// SPDX-License-Identifier: MIT
// Whether a disc can go straight, and round a corner, without touching a wall: exact tests on the cells.
//
// What a disc sweeps is connected, so it is free iff a flood through the portals that cross it meets no wall in it: from a cell
// that reaches into it, through every portal that does, testing every wall on the way. The flood sees the walls behind the sides
// of the cells that the centre crosses, and none of another layer that happens to lie below. Cost: the cells within reach.
//
// Straight from a to b a disc sweeps all that is closer than its radius to the segment. Round a corner, with its rim on the
// corner from direction m to direction n, it sweeps the discs at both ends, which belong to the legs before and behind, and
// between them the sector from m to n of twice the radius; walls that end in the corner itself are not in it if the legs are
// free.
//
// Ground that is blocked for the centre (forbidden areas) does not stop the rim: floods go through, and the centre is tested.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "routing/access.hpp"
#include "routing/bend_corners.hpp"

namespace throng {

struct ClearanceScratch {
  std::vector<std::uint32_t> stamp;  ///< of each cell: the last flood that reached it
  std::vector<CellIndex> queue;
  std::uint32_t flood = 0;
};

class DiscClearance {
 public:
  /// Walls may reach this far into the disc (m).
  static constexpr double kSlack = kBodySlack;

  DiscClearance(const Cells& cells, double radius, std::span<const std::uint8_t> blocked, ClearanceScratch& scratch);

  struct Leg {
    Vec2 from, to;
    bool begins_tight = false, ends_tight = false;  ///< walls may be as close as they are to that end, however close
  };
  /// `inside` reaches into what the disc sweeps.
  bool leg_is_free(const Leg& leg, CellIndex inside);

  /// Round a corner from the rim direction `m` to `n` (unit vectors from the corner to the centre), by less than half a turn or
  /// just that, counter-clockwise or not. `corner` names the sector of free ground.
  bool arc_is_free(CornerInCell corner, Vec2 m, Vec2 n, bool counter_clockwise);

  /// Whether nothing but walls of the corner itself is within twice the radius of it: then every arc is free.
  bool has_room_round(CornerInCell corner);

  struct Room {
    double along[2];       ///< how far from each end, along the portal, only walls of that end are within twice the radius
    bool is_free_between;  ///< only walls of the two ends are within twice the radius of the portal
  };
  Room room_along(PortalIndex portal);

  /// Whether the segment ab, in a cell beside the portal, is within the radius of the portal.
  bool is_near(PortalIndex portal, Vec2 a, Vec2 b) const;

  /// Whether a disc before a portal narrower than itself may touch a corner behind it, in the cell `behind` or further on.
  bool has_touch_behind(PortalIndex portal, CellIndex behind);

  /// Whether ground that is not blocked is within the radius of a portal between blocked cells.
  bool is_near_allowed(PortalIndex portal);

  /// The cell round the corner that holds the direction, searched this way round from `corner`; false if a wall comes first.
  bool turn_to(CornerInCell& corner, Vec2 direction, bool counter_clockwise) const;

 private:
  void begin(CellIndex c);
  void reach(CellIndex c);
  bool is_blocked(CellIndex c) const { return !blocked_.empty() && blocked_[c] != 0; }

  const Cells& cells_;
  const double radius_, reach_;
  const std::span<const std::uint8_t> blocked_;
  ClearanceScratch& scratch_;
};

}  // namespace throng
