// SPDX-License-Identifier: MIT
// A navigation graph as a picture: ground, discs, gates, and what one of the discs sees. All storeys are drawn from the lowest
// up, so that a bridge covers the road below it.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "draw/canvas.hpp"
#include "draw/cells_picture.hpp"
#include "geometry/draw_stream.hpp"
#include "navgraph/nav_graph.hpp"

namespace throng {

struct GraphPicture {
  enum Fill {
    kPlain,       ///< the ground alone, darker where it is higher
    kDiscs,       ///< discs over it
    kClearance,   ///< how far each place is from the nearest wall
    kComponents,  ///< discs that hang together
  };
  Fill fill = kDiscs;
  bool gates = true;
  std::optional<DiscIndex> seen_from;  ///< mark the discs this one sees
  double pixel = 0.5;                  ///< metres a pixel covers (Canvas::metres_per_pixel)
};

std::pair<Vec2, Vec2> bounds_of(const NavGraph& graph);

void draw_graph_picture(DrawStream& out, const NavGraph& graph, const GraphPicture& settings);

std::vector<LegendEntry> graph_legend(const NavGraph& graph, const GraphPicture& settings);

}  // namespace throng
