// SPDX-License-Identifier: MIT
#include "fields/tile_domain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace throng {

void TileDomain::assign(const Grid& grid) {
  grid_ = &grid;
  tiles_.resize(grid.tile_count());
  std::iota(tiles_.begin(), tiles_.end(), 0u);
  numbers_.assign(tiles_.begin(), tiles_.end());
  link();
}

void TileDomain::assign(const Grid& grid, std::span<const TileIndex> tiles) {
  if (grid_ == &grid && numbers_.size() == grid.tile_count()) {
    for (const TileIndex tile : tiles_) numbers_[tile] = kNoTile;
  } else {
    numbers_.assign(grid.tile_count(), kNoTile);
  }
  grid_ = &grid;
  tiles_.assign(tiles.begin(), tiles.end());
  for (DomainTile t = 0; t < tiles_.size(); ++t) numbers_[tiles_[t]] = t;
  link();
}

void TileDomain::link() {
  next_.resize(tiles_.size() + 1);
  for (DomainTile t = 0; t < tiles_.size(); ++t)
    for (int direction = 0; direction < 4; ++direction) next_[t][direction] = number(grid_->next(tiles_[t])[direction]);
  next_[ghost()].fill(ghost());
}

Stencil TileDomain::around(float x, float y, std::uint32_t layer) const {
  Stencil stencil{{ghost(), ghost(), ghost(), ghost()}, 0, 0};
  const auto [tile, dx, dy] = grid_->spot_at(x, y, layer);
  const DomainTile own = number(tile);
  if (own == ghost()) return stencil;
  const int across = dx < 0 ? kWest : kEast, up = dy < 0 ? kSouth : kNorth;
  // Half a tile at most, also for the sliver of ground without a tile that this one stands for.
  stencil.across = std::min(0.5f, std::abs(dx)), stencil.up = std::min(0.5f, std::abs(dy));
  const DomainTile beside = next_[own][across], above = next_[own][up];
  stencil.tile = {own, beside, above, ghost()};
  if (next_[beside][up] == next_[above][across]) stencil.tile[3] = next_[beside][up];
  return stencil;
}

}  // namespace throng
