// SPDX-License-Identifier: MIT
// The pass over all edges after the agents have moved: which edges are no longer certainly Delaunay between certainly positive
// triangles? A filter in double arithmetic: it names too many edges, never too few; the exact predicates decide on those it
// names.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/point.hpp"

namespace throng {

/// Appends to `doubtful` the edges of [begin, end) that the filter cannot clear, in ascending order. Edge e has the corners
/// corners[4e … 4e+3]: its two ends and the vertices opposite it on its left and on its right. Corner 0 is the vertex at
/// infinity: edges that touch it are always named. Vectorised where the machine can; `_plain` names the same edges.
void find_doubtful_edges(std::span<const std::uint32_t> corners, std::span<const Point> points, std::uint32_t begin,
                         std::uint32_t end, std::vector<std::uint32_t>& doubtful);
void find_doubtful_edges_plain(std::span<const std::uint32_t> corners, std::span<const Point> points, std::uint32_t begin,
                               std::uint32_t end, std::vector<std::uint32_t>& doubtful);

}  // namespace throng
