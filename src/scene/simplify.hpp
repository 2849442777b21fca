// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scene/map.hpp"

namespace throng {

/// Merges near-collinear runs (ALGORITHMS §1.1 step 5): a vertex where exactly two segments of one kind meet is dropped if it and
/// all vertices dropped before it stay within `tolerance_units` of the new chord and no other vertex lies in the swept sliver.
/// `run_of`, if given, is the segment that each of them has become a part of. Vertices in `others` belong to segments that are
/// not looked at: they stay, and count as lying in slivers.
void merge_collinear_runs(std::vector<MapSegment>& segments, double tolerance_units, std::vector<std::uint32_t>* run_of = nullptr,
                          std::span<const Point> others = {});

}  // namespace throng
