// SPDX-License-Identifier: MIT
// How far each node is from the nearest wall (Pettré et al. 2007 §3.2; ALGORITHMS §2.3, §2.11).
#pragma once
#include <vector>

#include "scene/surface.hpp"

namespace throng {

/// Metres in plan to the nearest wall piece, by vector propagation: pieces spread over links from their border nodes, each node
/// keeps the piece nearest to it and hands it on. So the distance is a true one, and never leaks through floors or walls. Where
/// several pieces compete a node may get the second nearest (off by a few centimetres, always too far; see the test). Nodes that
/// no wall bounds keep kOpenClearance. O(nodes) with buckets.
/// `nearest`, if given, gets the index of that piece for each node, kNoNode without any.
std::vector<float> measure_clearance(const Surface& surface, std::vector<std::uint32_t>* nearest = nullptr);

inline constexpr float kOpenClearance = 1e6f;

}  // namespace throng
