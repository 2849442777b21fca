// SPDX-License-Identifier: MIT
// Where am I, and how much room is there? Point location and clearance for queries and walkers.
//
// One uniform grid of square buckets a layer, about two buckets a cell. A bucket lists the cells that overlap it and holds copies
// of the walls that touch it, so that both questions mostly read one short run of memory each. (Jump-and-walk needs no memory but
// about √cells steps, ALGORITHMS §7.4.) Cells are decided by exact orientation of the snapped point. They are convex up to 2 grid
// units only, since bottleneck feet are rounded, so the few points that no cell has exactly go to the cell they miss by least,
// within 2 units.
//
// Built once, read by any number of threads; holds copies of what it needs, so that it can be moved and written with the data it
// belongs to. Measured on a city of 9400 cells, two busy cores: cell_at about 60 ns, clearance within 0.2 m about 70 ns
// (tests/navigation/locator_test.cpp checks the answers against all cells and walls).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cells/cells.hpp"
#include "routing/access.hpp"  // triangle_in_cell, the next question after cell_at

namespace throng {

struct Locator {
  struct Grid {
    Point origin;                   ///< lower left corner
    std::int32_t bucket_units = 1;  ///< side of a bucket
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::uint32_t first_bucket = 0;
  };
  struct Wall {
    Point a;
    Point b;
    friend auto operator<=>(const Wall&, const Wall&) = default;
  };

  Locator() = default;
  explicit Locator(const Cells& cells);

  /// The locator of cells that came from those of `old` by an edit: `new_cell` has the number of each former cell or kNoCell,
  /// `is_new` says of each cell whether it had none. Lists of places where nothing changed are copied. Nothing if there is ground
  /// outside the grid now.
  static std::optional<Locator> updated(const Locator& old, const Cells& before, const Cells& cells,
                                        std::span<const CellIndex> new_cell, std::span<const std::uint8_t> is_new);

  /// The cell at a place, or kNoCell. On a border: the smallest index of the cells that meet there.
  CellIndex cell_at(Vec2 place, std::uint32_t layer = 0) const;
  /// All cells whose closed outline holds the place (several on borders), in increasing order; as many as fit in `found`. Returns
  /// how many.
  std::size_t cells_at(Vec2 place, std::uint32_t layer, std::span<CellIndex> found) const;

  /// Distance to the nearest wall of the layer, at most `up_to`.
  double clearance(Vec2 place, std::uint32_t layer, double up_to) const;

  /// The nearest place where a disc of this radius fits: the place itself if it does. None if the layer has no room for it
  /// anywhere near enough (the whole layer is searched). Slow (milliseconds where many walls meet): it words error messages.
  std::optional<Vec2> nearest_walkable(Vec2 place, std::uint32_t layer, double radius) const;

  std::uint64_t bytes() const;

  std::vector<Grid> grids;                ///< by layer
  std::vector<std::uint32_t> cell_start;  ///< bucket → its cells; bucket_count + 1 entries
  std::vector<CellIndex> cell_list;
  std::vector<std::uint32_t> wall_start;  ///< bucket → its walls
  std::vector<Wall> wall_list;
  std::vector<std::uint32_t> outline_start;  ///< cell → its corners, counter-clockwise
  std::vector<Point> outline;

 private:
  double nearest_wall(const Grid& grid, Vec2 place, double up_to) const;
  bool fits(Vec2 place, std::uint32_t layer, double radius) const;
};

}  // namespace throng
