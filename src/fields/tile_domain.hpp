// SPDX-License-Identifier: MIT
// The tiles that fields are solved on: all of a grid, or a few of them, numbered from 0.
//
// Everything about fields is stored by these numbers, so that its cost is that of the domain and not of the grid. Number `size()`
// is the ghost: what neighbours outside the domain, or behind a wall, lead to. Arrays by tile have an entry for it at their end,
// which no question has to test for.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "grid/grid.hpp"

namespace throng {

/// A tile's number in a domain.
using DomainTile = std::uint32_t;

/// The tile at a place and the three that, with it, surround the place: beside, above or below, and across the corner. Those
/// behind walls are the ghost. Fields are written and read through it, so nothing is felt through a wall.
struct Stencil {
  std::array<DomainTile, 4> tile;
  float across, up;  ///< offset of the place from the centre of tile[0] towards the others, 0 to 0.5 tiles
};

class TileDomain {
 public:
  /// All tiles of a grid. The grid must outlive the domain; so below.
  void assign(const Grid& grid);
  /// Some of them, without repetition. O(old and new tiles), not O(grid).
  void assign(const Grid& grid, std::span<const TileIndex> tiles);

  const Grid& grid() const { return *grid_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(tiles_.size()); }
  DomainTile ghost() const { return size(); }
  TileIndex tile(DomainTile t) const { return tiles_[t]; }
  /// The ghost for tiles outside.
  DomainTile number(TileIndex tile) const { return tile == kNoTile || numbers_[tile] == kNoTile ? ghost() : numbers_[tile]; }
  /// By Direction; the ghost where there is none.
  const std::array<DomainTile, 4>& next(DomainTile t) const { return next_[t]; }

  /// The tile at a place, and the four around it. tile[0] is the ghost if the place is outside.
  DomainTile at(float x, float y, std::uint32_t layer) const { return number(grid_->tile_near(x, y, layer)); }
  Stencil around(float x, float y, std::uint32_t layer) const;

 private:
  void link();

  const Grid* grid_ = nullptr;
  std::vector<TileIndex> tiles_;
  std::vector<DomainTile> numbers_;  ///< by tile of the grid; kNoTile: not in the domain
  std::vector<std::array<DomainTile, 4>> next_;
};

}  // namespace throng
