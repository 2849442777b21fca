// SPDX-License-Identifier: MIT
// The part of the geometry doctor that looks at outlines and walls.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "scene/doctor.hpp"

namespace throng {

/// Numbers, corners, area and crossings of one polygon; thickness and spikes only if `alone`: a tile of a mosaic may well be a
/// needle.
void examine_polygon(const Polygon& polygon, const std::string& where, bool alone, std::vector<Finding>& findings);

/// All polygons of a layer, their duplicates, obstacles that lie nowhere near walkable ground, and walls that nearly meet.
void examine_layer(const Layer& layer, std::uint32_t index, std::vector<Finding>& findings);

}  // namespace throng
