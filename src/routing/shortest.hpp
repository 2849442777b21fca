// SPDX-License-Identifier: MIT
// The shortest of all ways of a disc through the cells: exact Euclidean any-angle search, the yardstick of the other planners.
//
// Polyanya (Cui, Harabor & Grastien 2017) made to carry a radius. A search node is a portal that is being crossed, and the part
// of it that can be seen from a root: the start, or a corner that the way has turned round. It is bounded by a left and a right
// tangent from the root's circle. Expanding a node carries the two tangents through a cell as through a strip of triangles, one
// new corner at a time; a corner narrows what is seen, and becomes a new root for what lies behind it. The heap is ordered by the
// length to the root plus the straight way from there through the visible part of the portal to the goal, which never
// overestimates. When a node opens into the goal's cell its corridor is pulled (funnel.hpp), and the search ends when no node
// promises less than the best pulled length.
//
// For radius 0 this is Polyanya. For a body: tangents touch circles (geometry/tangents.hpp), the way follows an arc between them,
// and pairs of portals narrower than the body are left out (Cells::width). Corners behind free sides of the start and goal cells
// enter only through `pull`. Roots are pruned where the same corner has been reached cheaper: g + arc from the one arrival to the
// other; for a body per cell, since a gap between the two arrivals may be too narrow.
//
// Area costs are not weighed: the answer is the shortest by length among allowed cells.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "routing/funnel.hpp"

namespace throng {

/// Memory of the search: one for each thread, nothing is allocated once it has grown.
struct ShortestScratch {
  struct Limit {
    Vec2 direction;        ///< unit vector of the tangent from the root
    std::uint32_t vertex;  ///< the corner it touches; kOpen: the root itself; kPassed: a corner left behind
    bool is_turned;        ///< ways that turn round the corner have already been made
  };
  struct Node {
    SignedCircle root;
    Vec2 arrival;                ///< direction in which the way touches the root's circle; (0, 0) at the start
    double length;               ///< up to that touch
    double bound;                ///< of a whole way through this node
    Limit limit[2];              ///< right, left
    std::uint32_t root_vertex;   ///< kNobody: the start
    std::uint32_t root_arrival;  ///< index into arrivals
    CellIndex root_cell;         ///< in which the way touches the root
    PortalIndex portal;
    CellIndex cell;  ///< behind the portal
    std::uint32_t parent;
    std::uint32_t kept_open;  ///< how often since the root what it sees was kept although no line passes (shortest.cpp, close)
  };
  /// One touch of a corner's circle.
  struct Arrival {
    Vec2 direction;
    double length;
    CellIndex cell;
    std::uint32_t before;  ///< the arrival at the root before it
    std::uint32_t next;    ///< of the same corner and side
  };
  /// One triangle of a strip through a cell: `old` gives way to `vertex` on its side, `pivot` stays on the other.
  struct Step {
    std::uint32_t vertex;
    std::uint32_t pivot;
    std::uint32_t old;
    bool on_left;
  };
  struct Pending {
    Node state;
    std::uint32_t step;
  };
  static constexpr std::uint32_t kPassed = 0xffffffffu, kOpen = 0xfffffffeu, kNobody = 0xfffffffdu;

  std::vector<Node> nodes;
  std::vector<std::pair<double, std::uint32_t>> heap;
  std::vector<std::uint32_t> first_arrival;  ///< (vertex, side) → its arrivals, where the stamp is that of this query
  std::vector<std::uint32_t> arrival_stamp;
  std::vector<Arrival> arrivals;
  std::vector<Step> strip;
  std::vector<Pending> pending;
  std::vector<CellIndex> start_cells, goal_cells;
  std::vector<std::uint32_t> goal_triangles;
  std::uint32_t stamp = 0;
  FunnelScratch funnel;
  InnerWidthScratch inner;
  Corridor candidate;
  PulledPath pulled;
  std::uint32_t expanded = 0;  ///< nodes taken from the heap by the last query
};

/// The shortest way of a disc from start to goal. False if there is none; otherwise `corridor` and the pulled `path` are filled.
/// `start_cell` and `goal_cell` hold the two points (neighbours across a border are found). Cells with a non-zero entry in
/// `blocked` (may be empty) are not entered.
bool shortest_path(const Cells& cells, Vec2 start, CellIndex start_cell, Vec2 goal, CellIndex goal_cell, double radius,
                   std::span<const std::uint8_t> blocked, ShortestScratch& scratch, Corridor& corridor, PulledPath& path);

}  // namespace throng
