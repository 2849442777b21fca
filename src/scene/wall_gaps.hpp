// SPDX-License-Identifier: MIT
// Cracks between walls that were meant to meet. Meshes are full of them: parts modelled one by one end a millimetre apart, and a
// wall that ends on a rotated one misses it by a grid unit after snapping. A flood leaks through, and the ground outside the
// building becomes walkable.
#pragma once
#include <span>
#include <vector>

#include <throng/scene.hpp>

namespace throng {

/// The walls (segments of the grid) with cracks up to `reach` closed: a bridge leads from each loose wall end, and from each
/// corner of one connected piece of wall, to the nearest wall of another piece. A wall that a bridge meets in its middle is split
/// there, at a point of the grid, so that they meet exactly. Sorted and unique, no segment of length zero. O(n log n) for bounded
/// local density.
std::vector<Segment> close_gaps(std::span<const Segment> walls, double reach);

}  // namespace throng
