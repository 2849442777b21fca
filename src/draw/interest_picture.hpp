// SPDX-License-Identifier: MIT
// Where effort goes, and what drives: levels of tiles, regions of interest, vehicles.
#pragma once
#include <span>
#include <vector>

#include <throng/regions.hpp>
#include <throng/vehicles.hpp>

#include "draw/canvas.hpp"
#include "geometry/draw_stream.hpp"

namespace throng {

// `origin` is added to all places.
void draw_levels(DrawStream& out, std::span<const LevelTile> tiles, double size, Vec2 origin, std::uint32_t layer);
/// Their circles; those that limit are dashed.
void draw_regions(DrawStream& out, std::span<const Region> regions, Vec2 origin, std::uint32_t layer);
/// Those that are there, as boxes with a windscreen in front.
void draw_vehicles(DrawStream& out, std::span<const VehicleState> vehicles, Vec2 origin, std::uint32_t layer);
std::vector<LegendEntry> level_legend();

}  // namespace throng
