// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "cells/cells.hpp"

namespace throng {

/// Fills Cells::facing from the vertices, sides and portals: for each vertex a flood through portals that the largest disc so far
/// reaches into. Costs about a microsecond a vertex.
void find_facing(Cells& cells);
/// The same for the vertices whose entry in `which` is not 0; the others keep what they have.
void find_facing(Cells& cells, std::span<const std::uint8_t> which);

}  // namespace throng
