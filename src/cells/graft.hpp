// SPDX-License-Identifier: MIT
// The abstraction tree after an edit (ALGORITHMS §1.19). Zones without a freed cell stay as they are, with all below them. A zone
// that has some keeps its place: the new cells take the seats of those they lie on, child by child, down to zones so small that
// they are grouped anew. So an edit across the border of two large zones costs no more than one in the middle of a small zone.
//
// Zones need not be connected for queries to be exact, only for their answers to be found at a low level. Two parts of a zone
// that a wall has cut apart therefore stay in it: when the wall goes, they are one again, at no cost.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cells/abstraction.hpp"
#include "cells/edit.hpp"

namespace throng {

struct Graft {
  AbstractionBuild build;                  ///< orders: new number → extended number
  std::vector<std::uint32_t> old_zone;     ///< of each zone: what it was, kNoZone if it is new
  std::vector<std::uint8_t> is_as_it_was;  ///< of each zone: nothing in it has changed
};

/// `seat` (of each new cell) is the freed cell in whose place it comes, or kNoCell where there was no ground near.
Graft graft_zones(const Cells& cells, const Abstraction& tree, const CellsPatch& patch, std::span<const CellIndex> seat);

}  // namespace throng
