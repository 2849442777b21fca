// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scene/map.hpp"

namespace throng {

/// Convex cells by merging triangles (Lamarche & Donikian 2004 §3.1.3; ALGORITHMS §1.3): free edges by decreasing length; an edge
/// goes if the union of its two cells is convex and it is strictly longer than every free edge that would bound the union. One
/// pass, exact lengths. Returns the cell of each triangle slot (numbered by first triangle), kNone on solid ground, and the
/// number of cells. With `among` only triangles whose entry is not 0 are merged, with each other; the others have no cell.
std::vector<std::int32_t> merge_triangles(const Map& map, std::uint32_t& cell_count, std::span<const std::uint8_t> among = {});

}  // namespace throng
