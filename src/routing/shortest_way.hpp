// SPDX-License-Identifier: MIT
// The way that the search of shortest.hpp has found, as a path and as a corridor.
#pragma once
#include "routing/shortest.hpp"

namespace throng {

/// Fills the bends and the length from the chain of arrivals that ends with `goal`, and the corridor from the portals of their
/// views and round their corners.
void tell_way(const Cells& cells, ShortestScratch& scratch, const ShortestScratch::Arrival& goal, double radius,
              std::span<const std::uint8_t> blocked, Corridor& corridor, PulledPath& path);

}  // namespace throng
