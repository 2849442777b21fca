// SPDX-License-Identifier: MIT
#include "grid/grid.hpp"

namespace throng {

TileIndex Grid::tile_near(float x, float y, std::uint32_t layer) const {
  const std::int32_t column = column_of(x), row = column_of(y);
  TileIndex best = entry(column, row, layer);
  if (best != kNoTile) return best;
  double least = 1e30;
  for (std::int32_t r = row - 1; r <= row + 1; ++r)
    for (std::int32_t c = column - 1; c <= column + 1; ++c) {
      const TileIndex t = entry(c, r, layer);
      if (t == kNoTile) continue;
      const Vec2 way = point(t) - Vec2{x, y};
      if (dot(way, way) < least) least = dot(way, way), best = t;
    }
  return best;
}

Grid::Spot Grid::spot_at(float x, float y, std::uint32_t layer) const {
  const std::int32_t column = column_of(x), row = column_of(y);
  if (const TileIndex own = entry(column, row, layer); own != kNoTile)
    return {own, x * per_metre_ - static_cast<float>(column) - 0.5f, y * per_metre_ - static_cast<float>(row) - 0.5f};
  const TileIndex near = tile_near(x, y, layer);
  if (near == kNoTile) return {near, 0, 0};
  const Vec2 middle = centre(near);
  return {near, (x - static_cast<float>(middle.x)) * per_metre_, (y - static_cast<float>(middle.y)) * per_metre_};
}

std::uint64_t Grid::bytes() const {
  return entries_.size() * sizeof(TileIndex) +
         tile_count() * std::uint64_t{sizeof(square_[0]) + sizeof(point_[0]) + sizeof(CellIndex) + sizeof(std::uint32_t) +
                                      sizeof(float) + sizeof(next_[0]) + sizeof(diagonal_[0])};
}

}  // namespace throng
