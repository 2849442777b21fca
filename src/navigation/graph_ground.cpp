// SPDX-License-Identifier: MIT
#include "navigation/graph_ground.hpp"

#include <algorithm>

namespace throng {

void GraphGround::find_footings(Vec2 place, std::vector<Footing>& found) const {
  for (std::uint32_t layer = 0; layer < data_.locator.grids.size(); ++layer)
    if (const CellIndex cell = data_.locator.cell_at(place, layer); cell != kNoCell)
      found.push_back({static_cast<float>(data_.elevation(place, layer)), layer, cell});
}

bool GraphGround::leads(Vec2 from, const Footing& start, Vec2 to, const Footing& end) const {
  if (!ground_) ground_.emplace(data_.cells);
  const Walk there = walk(*ground_, start.cell, static_cast<float>(from.x), static_cast<float>(from.y), static_cast<float>(to.x),
                          static_cast<float>(to.y));
  return !there.is_blocked && data_.cells.layer[there.cell] == end.layer;
}

void GraphGround::find_walls(std::uint32_t layer, Vec2 low, Vec2 high, std::vector<Segment>& found) const {
  const Locator& locator = data_.locator;
  const Locator::Grid& grid = locator.grids[layer];
  const auto bucket = [&](double place, std::int32_t origin, std::int32_t count) {
    const double units = place / kUnit - origin;
    return static_cast<std::int32_t>(std::clamp(std::floor(units / grid.bucket_units), 0.0, static_cast<double>(count - 1)));
  };
  std::vector<Locator::Wall> walls;
  for (std::int32_t y = bucket(low.y, grid.origin.y, grid.rows); y <= bucket(high.y, grid.origin.y, grid.rows); ++y)
    for (std::int32_t x = bucket(low.x, grid.origin.x, grid.columns); x <= bucket(high.x, grid.origin.x, grid.columns); ++x) {
      const std::uint32_t b = grid.first_bucket + static_cast<std::uint32_t>(y * grid.columns + x);
      walls.insert(walls.end(), locator.wall_list.begin() + locator.wall_start[b],
                   locator.wall_list.begin() + locator.wall_start[b + 1]);
    }
  std::sort(walls.begin(), walls.end());
  walls.erase(std::unique(walls.begin(), walls.end()), walls.end());
  for (const Locator::Wall& wall : walls) found.push_back({to_metres(wall.a), to_metres(wall.b)});
}

}  // namespace throng
