// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "scene/map.hpp"

namespace throng {

/// Exact widths of turns (ALGORITHMS §1.2, erratum L-8; Demyen & Buro 2006): entry [t][i] is the largest diameter in metres of a disc that can
/// cross the two edges of triangle t that meet in corner i, i.e. the shorter of them or the distance from the corner to the nearest wall seen
/// between them, possibly beyond the third edge. 0 where one of the two edges is a wall or the ground is solid.
std::vector<std::array<double, 3>> turn_widths(const Map& map);

/// A width as stored: rounded down, so that nobody is sent where he does not fit.
float round_down(double width);

}  // namespace throng
