// SPDX-License-Identifier: MIT
// The exact convex cells of a map (Lamarche & Donikian 2004, section 3): plain arrays, read by everyone, written by the bake
// only.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/point.hpp"

namespace throng {

using CellIndex = std::uint32_t;
using PortalIndex = std::uint32_t;
inline constexpr std::uint32_t kNoPortal = 0xffffffffu;
inline constexpr std::uint32_t kNoCell = 0xffffffffu;

/// What a vertex of the map is.
enum class VertexKind : std::uint8_t {
  kCorner,  ///< a corner of a wall, as the map gave it (the paper's Cp)
  kFoot,    ///< a point the bottleneck rule put on a wall (Dp)
  kOpen,    ///< a corner of an area's border on open ground: no wall touches it, bodies pass over it
};

enum class Topology : std::uint8_t { kClosed, kDeadEnd, kPassage, kCrossroads };

/// A free segment two cells share. cell[0] lies left of vertex[0] → vertex[1], cell[1] right of it.
/// One cache line with all that pulling a path through it needs: queries cross dozens.
struct alignas(64) Portal {
  std::array<std::uint32_t, 2> vertex;
  std::array<Point, 2> position;  ///< of the vertices
  std::array<CellIndex, 2> cell;
  std::array<std::uint32_t, 2> slot;        ///< index of this portal among the portals of cell[i]
  std::array<std::uint32_t, 2> side;        ///< and among its sides
  std::array<std::uint32_t, 2> side_count;  ///< how many sides cell[i] has
  std::uint32_t bottleneck;                 ///< 1: a locally minimal width (a corner and its foot on a wall, or two corners)
  std::uint32_t area_border;                ///< 1: cells stay apart here because areas differ
};

/// One side of a cell's boundary, in counter-clockwise order: from `vertex` to the next side's vertex.
struct Side {
  std::uint32_t vertex;
  std::uint32_t portal;  ///< kNoPortal: a wall
};

/// Triangles of a cell, as the triangulation had them; they form a tree inside the cell.
struct CellTriangle {
  std::array<std::uint32_t, 3> vertex;  ///< counter-clockwise
};

struct Cells {
  std::vector<Point> vertices;
  std::vector<VertexKind> vertex_kind;

  std::vector<std::uint32_t> side_start;  ///< cell → its sides; cell_count + 1 entries
  std::vector<Side> sides;
  std::vector<Portal> portals;
  std::vector<std::uint32_t> portal_start;  ///< cell → its portals, in the order of its sides; cell_count + 1 entries
  std::vector<PortalIndex> cell_portals;

  /// Cell → a square matrix over its portals (slots): the largest diameter in metres of a disc that can go from one to the
  /// other through the cell, rounded down (ALGORITHMS §1.2); the diagonal holds the portal's own length.
  std::vector<std::uint32_t> width_start;
  std::vector<float> widths;

  std::vector<std::uint32_t> triangle_start;  ///< cell → its triangles; cell_count + 1 entries
  std::vector<CellTriangle> triangles;
  /// Triangle-major: for triangle t of cell c and portal slot s, access[access_start[c] + (t - triangle_start[c]) * portals + s]
  /// is the largest diameter of a disc that can get from inside the triangle to the portal.
  std::vector<std::uint32_t> access_start;
  std::vector<float> access;

  /// Of each vertex: the diameter of the largest disc that touches it, from any side that its own walls allow, without reaching
  /// into another wall; rounded down, at most kMostFacing. Smaller bodies go round the corner undisturbed. Not in files: derived.
  std::vector<float> facing;
  static constexpr float kMostFacing = 2;

  std::vector<std::uint32_t> layer;                   ///< of each cell
  std::vector<std::uint32_t> component;               ///< of each cell; cells of different components cannot reach each other
  std::vector<std::uint32_t> area_set;                ///< of each cell: index into area_sets
  std::vector<std::vector<std::uint32_t>> area_sets;  ///< sorted areas of the scene that cover the cell; [0] is empty
  std::vector<Topology> topology;                     ///< of each cell, for the default radius

  std::uint32_t cell_count() const { return static_cast<std::uint32_t>(layer.size()); }
  std::uint32_t portal_count() const { return static_cast<std::uint32_t>(portals.size()); }
  std::span<const Side> sides_of(CellIndex c) const { return {sides.data() + side_start[c], side_start[c + 1] - side_start[c]}; }
  std::span<const PortalIndex> portals_of(CellIndex c) const {
    return {cell_portals.data() + portal_start[c], portal_start[c + 1] - portal_start[c]};
  }
  std::span<const CellTriangle> triangles_of(CellIndex c) const {
    return {triangles.data() + triangle_start[c], triangle_start[c + 1] - triangle_start[c]};
  }
  float width(CellIndex c, std::uint32_t slot_in, std::uint32_t slot_out) const {
    return widths[width_start[c] + slot_in * (portal_start[c + 1] - portal_start[c]) + slot_out];
  }
  /// Which end of the portal a cell is: 0 or 1.
  int end_of(PortalIndex p, CellIndex c) const { return portals[p].cell[0] == c ? 0 : 1; }
  CellIndex across(PortalIndex p, CellIndex c) const { return portals[p].cell[1 - end_of(p, c)]; }
  Vec2 position(std::uint32_t vertex) const { return to_metres(vertices[vertex]); }
};

/// Makes portal_start and cell_portals and each portal's position, slots and sides, from the vertices, the sides and the portals'
/// vertices and cells.
void link_sides(Cells& cells);
/// Makes portal_start and cell_portals, each portal's position, slots and sides, and `facing`, from the vertices, the sides and
/// the portals' vertices and cells.
void link_portals(Cells& cells);

/// The largest diameter of a disc that can get from one triangle of a cell to another without leaving it, by the edges between
/// them (triangles counted from the cell's first). Infinite within one triangle.
struct InnerWidthScratch {
  struct Reached {
    std::uint32_t triangle;
    float width;
  };
  std::vector<Reached> queue;
  std::vector<std::uint8_t> seen;
};
float inner_width(const Cells& cells, CellIndex cell, std::uint32_t from, std::uint32_t to, InnerWidthScratch& scratch);

}  // namespace throng
