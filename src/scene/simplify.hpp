// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "scene/map.hpp"

namespace throng {

/// Merges near-collinear runs (ALGORITHMS §1.1 step 5): a vertex where exactly two segments of one kind meet is dropped if it and
/// all vertices dropped before it stay within `tolerance_units` of the new chord and no other vertex lies in the swept sliver.
void merge_collinear_runs(std::vector<MapSegment>& segments, double tolerance_units);

}  // namespace throng
