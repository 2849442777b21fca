// SPDX-License-Identifier: MIT
// The shortest of all ways of a disc through the cells: exact Euclidean any-angle search, the yardstick of the other planners.
//
// A shortest way is a chain of straight legs that touch the circles of the body's radius round corners, and arcs on those
// circles. For radius 0 the legs run from corner to corner, and Polyanya (Cui, Harabor & Grastien 2017) finds the chain by
// carrying what a corner sees from cell to cell. What a circle sees is no such simple thing: circles of about the size of the
// gaps between them hide each other in an order that is not that of the cells. But what the corner itself sees is enough:
//
//   If the leg that touches the circles of two corners u and v is free, no wall crosses the segment uv.
//
// For uv lies in the rectangle between the leg and the touching radii, which the disc sweeps. So the search looks from corner
// centres, exactly as Polyanya does (signs on the grid are exact), and takes each concrete leg and arc to a test of its own
// (disc_clearance.hpp) when it comes to the top of the heap. Both tests are exact, hence so is the answer.
//
//   Arrival  a touch of a corner's circle, left or right of it, by a leg of some direction; the start is the first.
//   View     a portal, and the directions in which the corner of an arrival sees the cell behind it.
//
// An arrival that comes to the top is dropped if another got to its place by the arc and was not longer, or if its leg or the
// arc before it is not free; otherwise it looks into all cells round its corner. A view looks into one more cell. To look into a
// cell is to make an arrival of each corner seen there at which a way can bend to that side, and a view of each portal seen. What
// makes it fast is what it need not look at:
//   - A way that bends at a corner turns towards the corner (it is taut): what lies behind the leg that came is cut off.
//   - Bounds: an arrival's is its length and the straight way on. A way through a view passes within the radius of a point of the
//     seen part of its portal (least_length.hpp).
//   - Parts of a portal that a corner at its end reaches on a shorter way are cut off (Search::trim). Otherwise every corner of a
//     street would look down the whole street again: four times the views, in a city.
//   - Behind a gap narrower than the body only corners that it can touch through the gap are looked at.
//
// Area costs are not weighed: the answer is the shortest by length among allowed cells. The centre keeps to those; the rim may
// lean over forbidden ground but for the walls there. A corner of an area's border has no circle. A segment uv may then cross
// forbidden ground though the leg does not: views go there too, no further than the radius.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/tangents.hpp"
#include "routing/cells_at.hpp"
#include "routing/corridor.hpp"
#include "routing/disc_clearance.hpp"
#include "routing/hand_heap.hpp"

namespace throng {

/// Memory of the search: one for each thread, nothing is allocated once it has grown.
struct ShortestScratch {
  struct Arrival {
    SignedCircle circle;
    Vec2 direction;      ///< unit vector of the leg; (0, 0) at the start
    double length;       ///< up to the touch
    std::uint32_t from;  ///< arrival before
    std::uint32_t view;  ///< of that arrival, which found this one; kNone: found in a cell round its corner
    CornerInCell corner;
    std::uint32_t vertex, sector;  ///< kNone: start or goal
    std::uint32_t next;            ///< of the same sector and side, among those tested
    bool is_left;                  ///< the corner is left of the way: it turns counter-clockwise
  };
  struct View {
    Vec2 right, left;  ///< borders of the directions
    std::uint32_t arrival;
    std::uint32_t parent;  ///< view; kNone: the first
    PortalIndex portal;
    CellIndex cell;   ///< behind the portal
    PortalIndex gap;  ///< too narrow for the body, crossed before; kNoPortal: none
  };
  struct Known {
    std::uint32_t stamp;
    std::uint32_t index;
  };
  /// The ground round a corner, and the arrivals there.
  struct Sector : BendSector {
    bool is_room_known, has_room;  ///< DiscClearance::has_room_round
    std::uint32_t touched[2];      ///< the last tested arrival, right and left
    double least[2];               ///< and the least length: for points of all arrivals, for bodies of those tested
  };
  struct Room : DiscClearance::Room {
    std::uint32_t stamp;
  };
  static constexpr std::uint32_t kNone = 0xffffffffu, kIsArrival = 0x80000000u;

  std::vector<Arrival> arrivals;
  std::vector<View> views;
  HandHeap heap;               ///< views, and arrivals with kIsArrival set
  std::vector<Known> corners;  ///< index into Cells::sides → sector, where the stamp is that of this query
  std::vector<Sector> sectors;
  std::vector<Room> rooms;  ///< of portals, likewise
  std::vector<Known> gaps;  ///< portal and end of it → DiscClearance::has_touch_behind, likewise
  std::vector<CellAt> start_cells, goal_cells;
  std::vector<std::uint32_t> chain;
  std::vector<PortalIndex> back, fan;
  std::vector<Vec2> points;
  Corridor walked;
  std::uint32_t stamp = 0;
  ClearanceScratch clearance;
  std::uint32_t expanded = 0;  ///< views and arrivals that looked into cells, in the last query
};

/// The shortest way of a disc from start to goal. False if there is none; otherwise `corridor` and `path` are filled.
/// `start_cell` and `goal_cell` hold the two points (neighbours across a border are found). Cells with a non-zero entry in
/// `blocked` (may be empty) are not entered.
bool shortest_path(const Cells& cells, Vec2 start, CellIndex start_cell, Vec2 goal, CellIndex goal_cell, double radius,
                   std::span<const std::uint8_t> blocked, ShortestScratch& scratch, Corridor& corridor, PulledPath& path);

}  // namespace throng
