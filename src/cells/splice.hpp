// SPDX-License-Identifier: MIT
// Puts a patch into the cells: everything that stays is copied under its new number, nothing of it is computed again.
#pragma once
#include <span>

#include "cells/edit.hpp"

namespace throng {

/// The cells after an edit. `cell_order` and `portal_order` have the extended number of each (graft.hpp). `boxes` hold all walls
/// that have come or gone, `radius` is of the default body.
Cells splice_cells(const Cells& old, const CellsPatch& patch, std::span<const std::uint32_t> cell_order,
                   std::span<const std::uint32_t> portal_order, std::span<const GridBox> boxes, const AreaSets& areas,
                   double radius);

}  // namespace throng
