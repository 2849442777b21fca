// SPDX-License-Identifier: MIT
// Stage 1 of sample_surface: which heights of each column one can stand at (ALGORITHMS §2.1).
#include <algorithm>
#include <cmath>

#include "scene/surface_stages.hpp"

namespace throng {
namespace {

constexpr float kMerge = 0.05f;  ///< metres; surfaces closer than this are one, the upper (a carpet, a slab's two faces)

/// Columns of a tile and one more on each side.
constexpr std::int32_t kSide = Surface::kTileSide + 2;
constexpr std::uint32_t kColumns = kSide * kSide;

struct Hit {
  std::uint32_t column;  ///< of the tile and its rim
  float z;
  Ground ground;
};

struct TileNodes {
  std::vector<std::uint32_t> column;  ///< of each node within the tile, ascending
  std::vector<float> z;
};

/// All crossings of the columns of a tile and its rim with the triangles, by column and height.
void collect_hits(const Mesh& mesh, const SamplingGrid& grid, std::size_t tile, std::vector<Hit>& hits) {
  hits.clear();
  const auto i0 = static_cast<std::int32_t>(tile % grid.tiles_x) * Surface::kTileSide - 1;
  const auto j0 = static_cast<std::int32_t>(tile / grid.tiles_x) * Surface::kTileSide - 1;
  for (std::uint64_t k = grid.bin_start[tile]; k < grid.bin_start[tile + 1]; ++k) {
    const GridTriangle t = grid.triangle(mesh, grid.bin_triangles[k]);
    const auto [v0, v1] = std::minmax({t.v[0], t.v[1], t.v[2]});
    const auto first = std::max<std::int32_t>(j0, static_cast<std::int32_t>(std::ceil(v0)));
    const auto last = std::min<std::int32_t>(j0 + kSide - 1, static_cast<std::int32_t>(std::floor(v1)));
    for (std::int32_t j = first; j <= last; ++j) {
      Slice slice;
      if (!slice_triangle(t.v, t.u, t.z, j, slice)) continue;
      std::int32_t i = std::max<std::int32_t>(i0, static_cast<std::int32_t>(std::ceil(slice.s0)));
      for (; i < slice.s1 && i < i0 + kSide; ++i)
        hits.push_back({static_cast<std::uint32_t>((j - j0) * kSide + i - i0), static_cast<float>(slice.z_at(i)), t.ground});
    }
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return a.column != b.column ? a.column < b.column : a.z != b.z ? a.z < b.z : a.ground < b.ground;
  });
}

/// Of the hits those with head room that are level or steep; `start` says where each column's begin.
void find_floors(std::vector<Hit>& hits, double head_room, std::vector<std::uint32_t>& start) {
  start.assign(kColumns + 1, 0);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < hits.size();) {
    std::size_t top = i;
    while (top + 1 < hits.size() && hits[top + 1].column == hits[i].column && hits[top + 1].z - hits[top].z < kMerge) ++top;
    const bool roof = top + 1 < hits.size() && hits[top + 1].column == hits[i].column;
    i = top + 1;
    if (hits[top].ground == Ground::kNone || (roof && hits[top + 1].z - hits[top].z < head_room)) continue;
    hits[kept++] = hits[top];
    ++start[hits[top].column + 1];
  }
  hits.resize(kept);
  for (std::uint32_t c = 0; c < kColumns; ++c) start[c + 1] += start[c];
}

/// Level floors, and steep ones no wider than a column: what has level floor on both sides is stepped over, such as the slanted
/// riser of a stair or the flank of a kerb. (Upright risers are never hit.)
void find_nodes(const std::vector<Hit>& floors, const std::vector<std::uint32_t>& start, double step_height, TileNodes& nodes) {
  const auto is_stepped_over = [&](const Hit& steep) {
    for (const std::uint32_t stride : {1u, static_cast<std::uint32_t>(kSide)}) {
      const std::uint32_t before = steep.column - stride, after = steep.column + stride;
      for (std::uint32_t a = start[before]; a < start[before + 1]; ++a) {
        if (floors[a].ground != Ground::kLevel || std::abs(floors[a].z - steep.z) > step_height) continue;
        for (std::uint32_t b = start[after]; b < start[after + 1]; ++b)
          if (floors[b].ground == Ground::kLevel && std::abs(floors[b].z - steep.z) <= step_height &&
              std::abs(floors[b].z - floors[a].z) <= step_height)
            return true;
      }
    }
    return false;
  };
  for (const Hit& floor : floors) {
    const std::int32_t i = static_cast<std::int32_t>(floor.column % kSide) - 1,
                       j = static_cast<std::int32_t>(floor.column / kSide) - 1;
    if (i < 0 || j < 0 || i >= Surface::kTileSide || j >= Surface::kTileSide) continue;
    if (floor.ground == Ground::kSteep && !is_stepped_over(floor)) continue;
    nodes.column.push_back(static_cast<std::uint32_t>(j * Surface::kTileSide + i));
    nodes.z.push_back(floor.z);
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
  struct Scratch {
    std::vector<Hit> hits;
    std::vector<std::uint32_t> start;
  };
  std::vector<Scratch> scratch(tasks.worker_count());
  tasks.parallel_for(busy.size(), 1, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t b = begin; b < end; ++b) {
      auto& [hits, start] = scratch[worker];
      collect_hits(mesh, grid, busy[b], hits);
      find_floors(hits, grid.head_room, start);
      find_nodes(hits, start, grid.step_height, found[b]);
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
