// SPDX-License-Identifier: MIT
// Does the line between two people stay on walkable ground (ALGORITHMS §1.8, §7.4)?
//
// Cells are convex: in one cell people see each other. Otherwise the line walks from cell to cell; the general case, one strict
// crossing out of each cell, is decided here with integers; a line through a corner is left to ray_cast (navigation/queries.hpp),
// whose rule counts: touching does not block. The line crosses joints like any portal, and it must end on the other's layer: who
// stands above or below is not seen. Cost: about 4 ns a side of the cells crossed.
#pragma once
#include "cells/cells.hpp"

namespace throng {

/// `from` lies in `from_cell` and `to` in `to_cell`, up to the rounding of positions to the grid. Who is in no cell (kNoCell)
/// is seen by everyone. Coordinates within kCoordinateLimit.
bool can_see(const Cells& cells, Point from, CellIndex from_cell, Point to, CellIndex to_cell);

}  // namespace throng
