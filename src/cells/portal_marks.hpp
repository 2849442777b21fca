// SPDX-License-Identifier: MIT
// What follows from the cells as a whole: which portals are locally narrowest, and which cells can reach each other.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cells/cells.hpp"

namespace throng {

/// Portal::bottleneck of all portals that end in a vertex whose entry is not 0. Locally minimal width: leaving either end along a
/// wall does not shorten the way to the other end (feet are rounded: 1.5 units of slack).
void mark_bottlenecks(Cells& cells, std::span<const std::uint8_t> is_concerned);

/// Of each cell: the number of its component, counted by their first cells.
std::vector<std::uint32_t> find_components(const Cells& cells);

}  // namespace throng
