// SPDX-License-Identifier: MIT
// The walkable surfaces of a triangle mesh as linked samples (Pettré, Grillon & Thalmann 2007 §3; ALGORITHMS §2.1, §2.2, §2.11).
//
// A square grid of columns is laid over the plan. In each column every surface that a person can stand on is one *node*: level
// enough, with head room above. Bridges, storeys and spirals simply are columns with several nodes; nothing is quantised in
// height. Nodes of the eight columns around are *linked* when a person gets from one to the other: the step between them is low
// or gentle, and nothing stands in between.
//
// "Nothing in between" is exact. Every triangle is sliced by the vertical planes of the links (along rows, columns and both
// diagonals), and a link is cut when the slice enters the body's slab [step height, head room − |rise|] above the line from node
// to node. The slab is sheared with that line, so that stairs and slopes do not block themselves. Where a link is missing, what
// ended it is kept as *wall pieces*: the blocking triangle's plan within reach of the crossing, or the edge at which the floor
// ends. Clearance measured to pieces is exact where distance to border nodes is off by up to 0.7 g.
//
// Columns live in square tiles, and only tiles with surface exist: memory grows with the surface, not with the extent. Tiles are
// also the unit of parallel work; the result does not depend on the number of threads. The grid is offset by irrational parts of
// a step, so that walls at round coordinates do not fall on columns.
//
// Cost: O(triangles + crossings), 0.5 to 2 million samples a second and thread; 24 bytes a node and 16 for each wall piece.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <throng/result.hpp>
#include <throng/scene.hpp>

#include "base/tasks.hpp"

namespace throng {

struct SurfaceSettings {
  double step = 0.25;                      ///< metres between columns (g), at most step_height / tan(slope)
  double slope = 35;                       ///< degrees; the steepest ground one walks on
  double step_height = 0.2;                ///< metres; kerbs and stairs up to here are stepped over
  double head_room = 1.9;                  ///< metres; a person and a little air
  double min_island = 2;                   ///< m²; smaller connected pieces are dropped unless a seed stands on them
  std::vector<Vec3> seeds;                 ///< places of interest; their islands stay
  std::uint64_t max_samples = 50'000'000;  ///< crossings of columns with triangles: bounds time and memory
};

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = 0xffffffffu;
inline constexpr std::uint32_t kNoColumn = 0xffffffffu;
inline constexpr std::uint8_t kNoLink = 0xff;

/// Column (i, j) of the whole grid.
struct ColumnPlace {
  std::int32_t i = 0, j = 0;
};

/// The eight directions, counter-clockwise from east; the opposite of d is d ^ 4, odd ones are diagonal.
inline constexpr std::array<ColumnPlace, 8> kDirections{{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

/// What ends the ground near a border node, in plan: a segment, or a point if both ends are equal.
struct WallPiece {
  float ax, ay, bx, by;
};
inline double squared_distance_to(const WallPiece& piece, Vec2 p) {
  const double dx = static_cast<double>(piece.bx) - piece.ax, dy = static_cast<double>(piece.by) - piece.ay;
  const double px = p.x - piece.ax, py = p.y - piece.ay;
  const double squared = dx * dx + dy * dy, along = px * dx + py * dy;
  const double t = along <= 0 ? 0 : along >= squared ? 1 : along / squared;
  const double x = px - t * dx, y = py - t * dy;
  return x * x + y * y;
}
inline double distance_to(const WallPiece& piece, Vec2 p) { return std::sqrt(squared_distance_to(piece, p)); }

struct Surface {
  static constexpr std::int32_t kTileSide = 64;
  static constexpr std::uint32_t kTileColumns = kTileSide * kTileSide;

  double step = 0;  ///< metres between columns
  double head_room = 0;
  double step_height = 0;
  Vec2 origin;  ///< of column (0, 0)
  std::int32_t tiles_x = 0, tiles_y = 0;
  std::vector<std::uint32_t> tile_slot;     ///< of each tile, row by row; kNoColumn if it has no nodes
  std::vector<std::uint32_t> slot_tile;     ///< the tile of each slot
  std::vector<std::uint32_t> column_start;  ///< nodes of column slot · 4096 + 64 · row + place, lowest first (CSR)

  std::vector<float> z;
  std::vector<std::uint32_t> column;               ///< of each node
  std::vector<std::array<std::uint8_t, 8>> links;  ///< which node of the column in each direction; kNoLink

  std::vector<NodeIndex> border;           ///< nodes that have wall pieces, ascending
  std::vector<std::uint32_t> piece_start;  ///< of each border node (CSR)
  std::vector<WallPiece> pieces;

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(z.size()); }
  std::uint64_t bytes() const;

  ColumnPlace place_of_column(std::uint32_t c) const {
    const std::uint32_t tile = slot_tile[c / kTileColumns], local = c % kTileColumns;
    return {static_cast<std::int32_t>(tile % tiles_x * kTileSide + local % kTileSide),
            static_cast<std::int32_t>(tile / tiles_x * kTileSide + local / kTileSide)};
  }
  ColumnPlace place_of(NodeIndex n) const { return place_of_column(column[n]); }
  Vec2 position(ColumnPlace p) const { return {origin.x + step * p.i, origin.y + step * p.j}; }
  Vec2 position(NodeIndex n) const { return position(place_of(n)); }
  /// kNoColumn outside the grid and in empty tiles.
  std::uint32_t column_at(ColumnPlace p) const {
    if (p.i < 0 || p.j < 0 || p.i >= tiles_x * kTileSide || p.j >= tiles_y * kTileSide) return kNoColumn;
    const std::uint32_t slot = tile_slot[static_cast<std::size_t>(p.j / kTileSide) * tiles_x + p.i / kTileSide];
    if (slot == kNoColumn) return kNoColumn;
    return slot * kTileColumns + static_cast<std::uint32_t>(p.j % kTileSide * kTileSide + p.i % kTileSide);
  }
  /// The column one step in a direction.
  std::uint32_t neighbour_column(std::uint32_t c, int direction) const {
    const std::uint32_t local = c % kTileColumns;
    const std::int32_t i = static_cast<std::int32_t>(local % kTileSide) + kDirections[direction].i,
                       j = static_cast<std::int32_t>(local / kTileSide) + kDirections[direction].j;
    if (i >= 0 && j >= 0 && i < kTileSide && j < kTileSide) return c - local + static_cast<std::uint32_t>(j * kTileSide + i);
    const ColumnPlace p = place_of_column(c);
    return column_at({p.i + kDirections[direction].i, p.j + kDirections[direction].j});
  }
  /// The node linked in a direction, or kNoNode.
  NodeIndex neighbour(NodeIndex n, int direction) const {
    const std::uint8_t link = links[n][direction];
    return link == kNoLink ? kNoNode : column_start[neighbour_column(column[n], direction)] + link;
  }
  /// The node of a column nearest in height, or kNoNode.
  NodeIndex nearest_in_column(std::uint32_t c, double height) const;
  /// The node nearest to a point in space among the columns within `reach` metres, heights counting like distances in plan.
  NodeIndex nearest(Vec3 p, double reach) const;
};

/// Samples a mesh. Problems: broken numbers or settings, more crossings than `max_samples` (found before memory is asked for),
/// nothing to stand on.
Result<Surface> sample_surface(const Mesh& mesh, const SurfaceSettings& settings, TaskRunner& tasks);

}  // namespace throng
