// SPDX-License-Identifier: MIT
// Square tiles over the layers of a baked scene: what fields and rules count and search on (ALGORITHMS §4.1, §5.2).
//
// A tile is a square of a layer, (column, row, layer), in which somebody can stand. Its borders are multiples of its size from
// the scene's origin, whatever the scene: the same place is in the same square after an edit. All decisions are made on the grid
// of baked coordinates with exact predicates, so tiles and links are a function of the cells.
//
//  - A square is a tile if its centre is on ground; if not, but some ground reaches into it, if one of 7 × 7 points spread over
//    it is. The free point nearest to the centre is the tile's `point`, from which the others are judged.
//  - Two tiles that share an edge are linked if a body gets from point to point over the edge: to some place of it in a straight
//    line, or with one bend, that keeps `room` from all walls. A door need not stand in the middle of an edge, a wall thinner
//    than a tile separates, and a slit is no way.
//  - Two that share a corner only are linked if the four tiles round it are linked in a ring, and the line from point to point
//    keeps `room` from walls: nobody cuts a corner.
//  - Where a joint runs through a square, the parts of both layers are one tile, found from either; links lead across joints.
//    (Two grounds of one layer that meet in a square, either side of a wall, are one tile too: that of the nearer point. Only the
//    ground seen from the point is linked.)
//
// Memory: 60 bytes a tile and 4 for each square of a layer's box. Building takes about a microsecond a tile. Immutable
// afterwards, so any number of threads may read.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "base/large_pages.hpp"
#include "base/tasks.hpp"
#include "cells/cells.hpp"

namespace throng {

using TileIndex = std::uint32_t;
inline constexpr TileIndex kNoTile = 0xffffffffu;

/// Neighbours that share an edge, counter-clockwise; the opposite of i is (i + 2) % 4.
enum Direction : int { kEast, kNorth, kWest, kSouth };
/// Neighbours that share a corner.
enum Diagonal : int { kNorthEast, kNorthWest, kSouthWest, kSouthEast };

constexpr int opposite(int direction) { return direction ^ 2; }

struct GridSettings {
  double size = 1;     ///< m, side of a tile; rounded to an even number of grid units
  double room = 0.15;  ///< m, between a way and walls; at most a quarter of a tile
};

class Grid {
 public:
  Grid() = default;
  /// `elevation` gives the height of a layer's ground at a place.
  Grid(const Cells& cells, const GridSettings& settings, FunctionRef<double(Vec2 place, std::uint32_t layer)> elevation);

  float size() const { return size_; }
  std::uint32_t tile_count() const { return static_cast<std::uint32_t>(next_.size()); }

  /// The tile at a place of a layer, kNoTile where there is none. O(1).
  TileIndex tile_at(float x, float y, std::uint32_t layer) const { return entry(column_of(x), column_of(y), layer); }
  /// The tile at a place; where a sliver of ground has none, the nearest of the eight squares around.
  TileIndex tile_near(float x, float y, std::uint32_t layer) const;

  /// The same with the place's offset from the middle of the tile's square, in tiles: ±0.5, more if it is not the place's own.
  struct Spot {
    TileIndex tile;
    float dx, dy;
  };
  Spot spot_at(float x, float y, std::uint32_t layer) const;

  /// Column and row of a tile's square: 0, 0 has the scene's origin as its lower corner.
  std::array<std::int32_t, 2> square(TileIndex t) const { return square_[t]; }
  /// A square will be asked for soon: starts to fetch it from memory.
  void expect_square(TileIndex t) const { __builtin_prefetch(&square_[t]); }
  /// The tile of a square, kNoTile where there is none.
  TileIndex tile_of_square(std::int32_t column, std::int32_t row, std::uint32_t layer) const { return entry(column, row, layer); }
  /// The middle of a tile's square, which may be in a wall.
  Vec2 centre(TileIndex t) const { return {size_ * (square_[t][0] + 0.5), size_ * (square_[t][1] + 0.5)}; }
  /// A place of the tile that is on free ground: its centre, if that is.
  Vec2 point(TileIndex t) const { return to_metres(point_[t]); }
  /// The cell at `point`.
  CellIndex cell(TileIndex t) const { return cell_[t]; }
  std::uint32_t layer(TileIndex t) const { return layer_[t]; }
  float height(TileIndex t) const { return height_[t]; }  ///< m, at `point`
  bool is_flat() const { return is_flat_; }               ///< all heights are equal
  /// By Direction and Diagonal; kNoTile where there is none.
  const std::array<TileIndex, 4>& next(TileIndex t) const { return next_[t]; }
  const std::array<TileIndex, 4>& diagonal(TileIndex t) const { return diagonal_[t]; }

  std::uint64_t bytes() const;

 private:
  friend class GridBuilder;
  /// The squares of a layer: the box of its ground and one more all round, for what joints add.
  struct Table {
    std::int32_t first_column = 0, first_row = 0, columns = 0, rows = 0;
    std::size_t first_entry = 0;
  };

  std::int32_t column_of(float x) const {
    const float at = x * per_metre_;
    const auto whole = static_cast<std::int32_t>(at);
    return static_cast<float>(whole) > at ? whole - 1 : whole;
  }
  TileIndex entry(std::int32_t column, std::int32_t row, std::uint32_t layer) const {
    if (layer >= tables_.size()) return kNoTile;
    const Table& table = tables_[layer];
    const auto c = static_cast<std::uint32_t>(column - table.first_column), r = static_cast<std::uint32_t>(row - table.first_row);
    if (c >= static_cast<std::uint32_t>(table.columns) || r >= static_cast<std::uint32_t>(table.rows)) return kNoTile;
    return entries_[table.first_entry + static_cast<std::size_t>(r) * static_cast<std::uint32_t>(table.columns) + c];
  }

  float size_ = 1, per_metre_ = 1;
  std::vector<Table> tables_;      ///< by layer
  LargeTable<TileIndex> entries_;  ///< of all tables
  LargeTable<std::array<std::int32_t, 2>> square_;
  std::vector<Point> point_;
  std::vector<CellIndex> cell_;
  std::vector<std::uint32_t> layer_;
  std::vector<float> height_;
  std::vector<std::array<TileIndex, 4>> next_, diagonal_;
  bool is_flat_ = true;
};

}  // namespace throng
