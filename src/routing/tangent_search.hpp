// SPDX-License-Identifier: MIT
// The shortest way of a disc through a corridor by brute force: Dijkstra over all common tangents of the circles round the
// corners, each leg and arc checked against every wall. The last resort of `pull`, for the few corridors whose circles come in an
// order that the funnel cannot follow: for n corners n² tangents are checked against n walls, about 2 ms for 10 cells.
#pragma once
#include <span>

#include "routing/corridor.hpp"

namespace throng {

/// Replaces the bends of `path` (start, goal and radius are given) by the corners of the shortest way whose centre stays in the
/// corridor: vertex and turns_left only. `row` are the corridor's cells in order. False, and nothing is changed, if there is
/// none. Allocates.
bool search_tangents(const Cells& cells, const Corridor& corridor, std::span<const CellIndex> row, PulledPath& path);

}  // namespace throng
