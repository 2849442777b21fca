// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <tuple>

#include "navigation/buckets.hpp"
#include "navigation/layer_walls.hpp"
#include "navigation/locator.hpp"

namespace throng {

std::optional<Locator> Locator::updated(const Locator& old, const Cells& before, const Cells& cells,
                                        std::span<const CellIndex> new_cell, std::span<const std::uint8_t> is_new) {
  Locator fresh;
  fresh.grids = old.grids;
  const std::uint32_t cell_count = cells.cell_count();
  fresh.outline.reserve(cells.sides.size());
  fresh.outline_start.reserve(cell_count + 1);
  fresh.outline_start.push_back(0);
  for (CellIndex c = 0; c < cell_count; ++c) {
    for (const Side& side : cells.sides_of(c)) fresh.outline.push_back(cells.vertices[side.vertex]);
    fresh.outline_start.push_back(static_cast<std::uint32_t>(fresh.outline.size()));
  }
  std::vector<std::pair<std::uint32_t, CellIndex>> come;  // bucket and cell
  for (CellIndex c = 0; c < cell_count; ++c) {
    if (!is_new[c]) continue;
    if (cells.layer[c] >= fresh.grids.size()) return std::nullopt;
    const Grid& grid = fresh.grids[cells.layer[c]];
    for (const CellTriangle& t : cells.triangles_of(c)) {
      const std::array<Point, 3> corners = {cells.vertices[t.vertex[0]], cells.vertices[t.vertex[1]],
                                            cells.vertices[t.vertex[2]]};
      for (const Point p : corners) {
        const std::int32_t x = p.x - grid.origin.x, y = p.y - grid.origin.y;
        if (x < 0 || y < 0 || x / grid.bucket_units >= grid.columns || y / grid.bucket_units >= grid.rows) return std::nullopt;
      }
      for_buckets(grid, corners, [&](std::uint32_t bucket) { come.push_back({bucket, c}); });
    }
  }
  std::sort(come.begin(), come.end());
  come.erase(std::unique(come.begin(), come.end()), come.end());
  const auto bucket_count = static_cast<std::uint32_t>(old.cell_start.size() - 1);
  fresh.cell_start.reserve(bucket_count + 1);
  fresh.cell_list.reserve(old.cell_list.size() + come.size());
  fresh.cell_start.push_back(0);
  auto next = come.begin();
  for (std::uint32_t b = 0; b < bucket_count; ++b) {
    const auto first = fresh.cell_list.size();
    for (std::uint32_t i = old.cell_start[b]; i < old.cell_start[b + 1]; ++i)
      if (const CellIndex c = new_cell[old.cell_list[i]]; c != kNoCell) fresh.cell_list.push_back(c);
    for (; next != come.end() && next->first == b; ++next) fresh.cell_list.push_back(next->second);
    const auto begin = fresh.cell_list.begin() + static_cast<std::ptrdiff_t>(first);
    if (!std::is_sorted(begin, fresh.cell_list.end())) std::sort(begin, fresh.cell_list.end());
    fresh.cell_start.push_back(static_cast<std::uint32_t>(fresh.cell_list.size()));
  }

  // A wall that stays has had a cell of the edit on one side at most, and that side has it again.
  const auto gone = walls_of(before, [&](CellIndex c) { return new_cell[c] == kNoCell; });
  const auto here = walls_of(cells, [&](CellIndex c) { return is_new[c] != 0; });
  struct Change {
    std::uint32_t bucket;
    Wall wall;
    bool comes;
  };
  std::vector<Change> changes;
  const auto list = [&](const std::vector<LayerWall>& walls, const std::vector<LayerWall>& others, bool comes) {
    for (const LayerWall& w : walls) {
      if (std::binary_search(others.begin(), others.end(), w)) continue;
      const std::array<Point, 2> ends = {w.wall.a, w.wall.b};
      for_buckets(fresh.grids[w.layer], ends, [&](std::uint32_t bucket) { changes.push_back({bucket, w.wall, comes}); });
    }
  };
  list(gone, here, false);
  list(here, gone, true);
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return std::tie(a.bucket, a.wall) < std::tie(b.bucket, b.wall); });
  fresh.wall_start.reserve(bucket_count + 1);
  fresh.wall_list.reserve(old.wall_list.size() + changes.size());
  fresh.wall_start.push_back(0);
  auto change = changes.begin();
  for (std::uint32_t b = 0; b < bucket_count; ++b) {
    const auto from = old.wall_list.begin() + old.wall_start[b], to = old.wall_list.begin() + old.wall_start[b + 1];
    const auto first = static_cast<std::ptrdiff_t>(fresh.wall_list.size());
    fresh.wall_list.insert(fresh.wall_list.end(), from, to);
    for (; change != changes.end() && change->bucket == b; ++change) {
      const auto begin = fresh.wall_list.begin() + first;
      const auto at = std::lower_bound(begin, fresh.wall_list.end(), change->wall);
      const bool is_there = at != fresh.wall_list.end() && *at == change->wall;
      if (change->comes && !is_there) fresh.wall_list.insert(at, change->wall);
      if (!change->comes && is_there) fresh.wall_list.erase(at);
    }
    fresh.wall_start.push_back(static_cast<std::uint32_t>(fresh.wall_list.size()));
  }
  return fresh;
}

}  // namespace throng
