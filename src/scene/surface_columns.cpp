// SPDX-License-Identifier: MIT
// Stage 1 of sample_surface: which heights of each column one can stand at (ALGORITHMS §2.1).
#include <algorithm>

#include "scene/surface_stages.hpp"

namespace throng {
namespace {

constexpr float kMerge = 0.05f;  ///< metres; surfaces closer than this are one, the upper (a carpet, a slab's two faces)

struct Hit {
  std::uint32_t column;  ///< within the tile
  float z;
  bool walkable;
};

struct TileNodes {
  std::vector<std::uint32_t> column;  ///< of each node within the tile, ascending
  std::vector<float> z;
};

/// All crossings of the tile's columns with the triangles, by column and height.
void collect_hits(const Mesh& mesh, const SamplingGrid& grid, std::size_t tile, std::vector<Hit>& hits) {
  hits.clear();
  const auto i0 = static_cast<std::int32_t>(tile % grid.tiles_x) * Surface::kTileSide;
  const auto j0 = static_cast<std::int32_t>(tile / grid.tiles_x) * Surface::kTileSide;
  for (std::uint64_t k = grid.bin_start[tile]; k < grid.bin_start[tile + 1]; ++k) {
    const GridTriangle t = grid.triangle(mesh, grid.bin_triangles[k]);
    const auto [v0, v1] = std::minmax({t.v[0], t.v[1], t.v[2]});
    const auto first = std::max<std::int32_t>(j0, static_cast<std::int32_t>(std::ceil(v0)));
    const auto last = std::min<std::int32_t>(j0 + Surface::kTileSide - 1, static_cast<std::int32_t>(std::floor(v1)));
    for (std::int32_t j = first; j <= last; ++j) {
      Slice slice;
      if (!slice_triangle(t.v, t.u, t.z, j, slice)) continue;
      std::int32_t i = std::max<std::int32_t>(i0, static_cast<std::int32_t>(std::ceil(slice.s0)));
      for (; i < slice.s1 && i < i0 + Surface::kTileSide; ++i)
        hits.push_back(
            {static_cast<std::uint32_t>((j - j0) * Surface::kTileSide + i - i0), static_cast<float>(slice.z_at(i)), t.walkable});
    }
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return a.column != b.column ? a.column < b.column : a.z != b.z ? a.z < b.z : a.walkable < b.walkable;
  });
}

void find_nodes(const std::vector<Hit>& hits, double head_room, TileNodes& nodes) {
  for (std::size_t i = 0; i < hits.size();) {
    std::size_t top = i;
    while (top + 1 < hits.size() && hits[top + 1].column == hits[i].column && hits[top + 1].z - hits[top].z < kMerge) ++top;
    const bool roof = top + 1 < hits.size() && hits[top + 1].column == hits[i].column;
    if (hits[top].walkable && (!roof || hits[top + 1].z - hits[top].z >= head_room)) {
      nodes.column.push_back(hits[i].column);
      nodes.z.push_back(hits[top].z);
    }
    i = top + 1;
  }
}

}  // namespace

void sample_columns(const Mesh& mesh, const SamplingGrid& grid, Surface& surface, std::uint32_t& most_in_column,
                    TaskRunner& tasks) {
  const std::size_t tiles = static_cast<std::size_t>(grid.tiles_x) * grid.tiles_y;
  std::vector<std::uint32_t> busy;
  for (std::size_t tile = 0; tile < tiles; ++tile)
    if (grid.bin_start[tile] < grid.bin_start[tile + 1]) busy.push_back(static_cast<std::uint32_t>(tile));
  std::vector<TileNodes> found(busy.size());
  std::vector<std::vector<Hit>> scratch(tasks.worker_count());
  tasks.parallel_for(busy.size(), 1, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t b = begin; b < end; ++b) {
      collect_hits(mesh, grid, busy[b], scratch[worker]);
      find_nodes(scratch[worker], grid.head_room, found[b]);
    }
  });

  surface.tile_slot.assign(tiles, kNoColumn);
  std::size_t nodes = 0;
  for (std::size_t b = 0; b < busy.size(); ++b) {
    if (found[b].z.empty()) continue;
    surface.tile_slot[busy[b]] = static_cast<std::uint32_t>(surface.slot_tile.size());
    surface.slot_tile.push_back(busy[b]);
    nodes += found[b].z.size();
  }
  surface.z.reserve(nodes);
  surface.column.reserve(nodes);
  surface.column_start.assign(surface.slot_tile.size() * Surface::kTileColumns + 1, 0);
  std::uint32_t base = 0;
  for (TileNodes& tile : found) {
    if (tile.z.empty()) continue;
    for (const std::uint32_t local : tile.column) {
      surface.column.push_back(base + local);
      most_in_column = std::max(most_in_column, ++surface.column_start[base + local + 1]);
    }
    surface.z.insert(surface.z.end(), tile.z.begin(), tile.z.end());
    base += Surface::kTileColumns;
    tile = {};
  }
  for (std::size_t c = 1; c < surface.column_start.size(); ++c) surface.column_start[c] += surface.column_start[c - 1];
}

}  // namespace throng
