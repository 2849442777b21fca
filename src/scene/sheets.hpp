// SPDX-License-Identifier: MIT
// Sampled ground as sheets that never lie over themselves (ALGORITHMS §1.19, "Layers").
//
// A sheet is a connected set of linked nodes of which no two share a column, nor lie in neighbouring columns a head room or more
// apart (the turns of a spiral would touch). Atoms are what is linked inside a block of up to 8 × 8 columns. Neighbours with the
// widest common border are merged first, until every pair left would overlap. (Growing sheets node by node interleaves them.)
// Where two sheets meet, atoms that overlap one of the other sheet must stay; the others change sides where a least cut says so:
// joints are as short as can be, and stairs belong to the storey below as far as they may. Then sheets are merged again. Last,
// sheets that are not linked and do not overlap share a layer if they are about as high: a layer is a storey, not a piece of one.
//
// Cost: O(nodes) for the atoms; a merge compares only nodes that have something above, below or steeply beside them.
#pragma once
#include <cstdint>
#include <vector>

#include "scene/surface.hpp"

namespace throng {

struct Sheets {
  std::vector<std::uint32_t> of;              ///< the sheet of each node
  std::vector<std::uint32_t> layer_of_sheet;  ///< layers count from the lowest mean height
  std::uint32_t layer_count = 0;

  std::uint32_t layer(NodeIndex n) const { return layer_of_sheet[of[n]]; }
};

Sheets split_into_sheets(const Surface& surface);

}  // namespace throng
