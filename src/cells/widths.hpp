// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cells/bottlenecks.hpp"
#include "cells/joints.hpp"
#include "scene/map.hpp"

namespace throng {

/// Exact widths of turns (ALGORITHMS §1.2, erratum L-8; Demyen & Buro 2006): entry [t][i] is the largest diameter in metres of a
/// disc that can cross the two edges of triangle t that meet in corner i, i.e. the shorter of them or the distance from the
/// corner to the nearest wall seen between them, possibly beyond the third edge. 0 where one of the two edges is a wall or the
/// ground is solid.
///
/// Corners on open ground (area borders) are no obstacles: they do not limit edges that end in them, and a disc may pass right
/// over one, so there the entry is the larger of twice the corner's clearance and of what it would be if the corner were solid.
/// That is a lower bound: in a gap with such a corner between its walls up to a third of the width may be missing.
std::vector<std::array<double, 3>> turn_widths(std::span<const Map> maps, std::uint32_t layer, const JointEdges& joints,
                                               std::span<const VertexKind> kind);

/// Finds the entries of some triangles of a layer again, and of all triangles round the corners on open ground among theirs.
/// Triangles with an entry that is another one now are appended to `changed`.
void update_turn_widths(std::span<const Map> maps, std::uint32_t layer, const JointEdges& joints,
                        std::span<const VertexKind> kind, std::span<const TriangleIndex> triangles,
                        std::vector<std::array<double, 3>>& width, std::vector<TriangleIndex>& changed);

/// How far from corner i of a triangle its entry depends on walls, metres.
double turn_reach(const Map& map, std::span<const VertexKind> kind, TriangleIndex t, int i);

/// The largest diameter that fits across an edge as far as its own ends tell: its length, or no limit if an end is on open
/// ground.
double edge_width(const Map& map, std::span<const VertexKind> kind, EdgeRef e);

/// A width as stored: rounded down, so that nobody is sent where he does not fit.
float round_down(double width);

}  // namespace throng
