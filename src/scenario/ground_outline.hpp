// SPDX-License-Identifier: MIT
// The walkable ground as polygons again, from the walls of the baked cells: what other tools need beside trajectories.
#pragma once
#include <string>
#include <vector>

#include <throng/navigation.hpp>

namespace throng {

/// Outer rings counter-clockwise with their holes, one polygon for every connected part of a layer. O(cells), plus holes × parts.
/// Walls that are lines in the ground become blocks 3 cm wide, because no valid polygon has a line inside: then the map is
/// extracted anew, O(n log n).
std::vector<Polygon> ground_outline(const Navigation& navigation, std::uint32_t layer = 0);
/// The same as WKT, with the scene's origin added: POLYGON, or MULTIPOLYGON for several parts.
std::string ground_wkt(const Navigation& navigation, std::uint32_t layer = 0);

}  // namespace throng
