// SPDX-License-Identifier: MIT
// Outlines of sheets (scene/sheets.hpp) as polygons of the 2^-10 m grid.
//
// A node stands for the square of its column; a sheet's outline runs between squares, where a link is missing (a *wall*) or leads
// into another sheet (a *joint*). Its vertices are the corners of squares: one for each fan of squares that links join round the
// corner, so that the two sides of a thin wall have vertices of their own, and the two sides of a joint have common ones.
//
// Vertices are then put where the walls are. The cell between four columns is a cell of dual contouring (Ju et al. 2002): where
// the two missing links of a fan meet walls, and how those walls run, is known (wall pieces), and the vertex goes to the corner
// they form, or between the two crossings if they are one wall. Vertices never leave their cells, which keeps outlines from
// crossing but at thin walls; there a vertex goes back to its corner.
//
// Last, chains of vertices between places where something changes are thinned (Douglas & Peucker): walls within a quarter step
// where ground is lost and a tenth where it is won, joints within some blocks of the sheets: they are straight. Wherever that
// would make outlines of a layer cross or touch, or swallow another outline, the chain is refined again. So what comes out is a
// plane graph, exactly, with the topology of the nodes: the cells baked from it are connected where the nodes are.
#pragma once
#include <cstdint>
#include <vector>

#include "geometry/point.hpp"
#include "scene/sheets.hpp"

namespace throng {

inline constexpr std::uint32_t kNoSheet = 0xffffffffu;
inline constexpr int kJointSteps = 24;  ///< how far a joint may move from where links are cut: stairs of blocks become straight

/// A piece of outline with its sheet on the left.
struct OutlineEdge {
  std::uint32_t from, to;  ///< vertices
  std::uint32_t sheet;
  std::uint32_t beyond;  ///< the sheet on the right, kNoSheet for a wall
};

struct SheetOutlines {
  std::vector<Point> vertices;
  std::vector<OutlineEdge> edges;         ///< ring by ring: each ends where the next of its ring begins
  std::vector<std::uint32_t> ring_start;  ///< (CSR)

  std::size_t ring_count() const { return ring_start.size() - 1; }
};

SheetOutlines trace_outlines(const Surface& surface, const Sheets& sheets);

/// Stages of trace_outlines, and what they share.
struct RawVertex {
  Point corner;    ///< near the corner of the squares, a little towards its fan
  bool is_corner;  ///< put there already, or nowhere else to go
};

/// Where the vertex of a fan goes. `first` and `last` are its nodes next to the missing links (clockwise and counter-clockwise
/// of them), each with the direction of that link; `middle` is the corner, `between` whether both are one link, seen from its two
/// ends.
struct FanEnds {
  NodeIndex first, last;
  int first_direction, last_direction;
  Vec2 middle;
  bool between;
};
Vec2 place_vertex(const Surface& surface, const FanEnds& fan);

/// Something that stands between four linked nodes of one sheet, and one of these; two points if it has no thickness.
struct Post {
  NodeIndex node;
  std::vector<Point> ring;  ///< clockwise
};
std::vector<Post> find_posts(const Surface& surface, const Sheets& sheets);

/// Puts vertices back to their corners where edges of a layer touch or cross.
void untangle_outlines(const Sheets& sheets, std::vector<RawVertex>& raw, SheetOutlines& outlines);
/// Drops vertices that are not needed.
void thin_outlines(const Sheets& sheets, double step, SheetOutlines& outlines);

}  // namespace throng
