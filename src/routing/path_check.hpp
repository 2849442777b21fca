// SPDX-License-Identifier: MIT
// Whether a pulled path can be walked at all: every leg and arc of it against the walls and the forbidden ground near them.
//
// Where areas cut the ground, corners of their borders stand on no wall. A corridor between such a corner and a wall may be
// narrower than the body, which then leans over the border; the funnel lets it, though the ground behind may be forbidden, and
// walls there are not the corridor's. So paths near borders are checked by the same tests with which the exact search
// (shortest.hpp) takes or leaves a leg: what passes here it would find, too.
#pragma once
#include <span>

#include "routing/corridor.hpp"
#include "routing/disc_clearance.hpp"

namespace throng {

struct PathCheckScratch {
  ClearanceScratch clearance;
  std::vector<CellIndex> visited;
};

/// `cell` holds the start. Cells with a non-zero entry in `blocked` (may be empty) are closed to the centre. Cost: the cells
/// within reach of the path.
bool can_be_walked(const Cells& cells, const PulledPath& path, CellIndex cell, std::span<const std::uint8_t> blocked,
                   PathCheckScratch& scratch);

}  // namespace throng
