// SPDX-License-Identifier: MIT
// The baked cells as a picture: what the bake sees, layer by layer of the structure, for papers and for finding out why a path
// goes where it goes.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cells/cells.hpp"
#include "draw/canvas.hpp"
#include "geometry/draw_stream.hpp"

namespace throng {

struct CellsPicture {
  enum Fill {
    kPlain,       ///< ground is paper
    kCells,       ///< a light tint per cell, the same in every picture
    kTopology,    ///< dead ends, passages, crossroads, closed cells
    kZones,       ///< a tint per zone: needs `zone_of_cell`
    kComponents,  ///< ground that hangs together
  };
  Fill fill = kCells;
  std::span<const std::uint32_t> zone_of_cell;
  bool portals = true;
  bool bottlenecks = true;  ///< strong lines, with their width in metres where words are readable at this scale
  bool roadmap = false;     ///< middles of portals, joined inside cells
  bool walls = true;
  std::uint32_t layer = 0;
  bool solid = true;   ///< a ground of grey under the layer; false: it is laid over what is drawn already
  double shade = 0;    ///< 0 to 1: how much darker, for storeys below others
  double pixel = 0.5;  ///< metres a pixel covers (Canvas::metres_per_pixel)
};

/// Of one layer, or of all.
std::pair<Vec2, Vec2> bounds_of(const Cells& cells, std::optional<std::uint32_t> layer = {});

void draw_cells(DrawStream& out, const Cells& cells, const CellsPicture& settings);
/// All layers, in their order, each over the one before and lighter: a building seen from above.
void draw_storeys(DrawStream& out, const Cells& cells, std::uint32_t layer_count, CellsPicture settings);

/// A path as a line with a round start and a ringed goal.
void draw_path(DrawStream& out, std::span<const Vec2> points, Color color, double pixel);

/// What a reader needs to know about the colours of draw_cells with these settings.
std::vector<LegendEntry> cells_legend(const CellsPicture& settings);

/// The outlines of the walkable ground of a layer, each wall side and each joint once, ground on the left: outer outlines
/// counter-clockwise, islands clockwise. Filled even-odd they are the ground exactly, without the seams that a mosaic of
/// antialiased cells has.
std::vector<std::vector<Vec2>> ground_outlines(const Cells& cells, std::uint32_t layer);

}  // namespace throng
