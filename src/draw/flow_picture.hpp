// SPDX-License-Identifier: MIT
// What flows have to carry, as a picture: their paths from gate to gate, as wide and as bright as many trips lead along them.
#pragma once
#include <span>
#include <vector>

#include <throng/graph.hpp>

#include "draw/canvas.hpp"
#include "geometry/draw_stream.hpp"
#include "navgraph/nav_graph.hpp"

namespace throng {

/// A flow's paths and the trips on each.
struct FlowTrips {
  std::span<const FlowPath> paths;
  std::vector<std::uint64_t> trips;
};

/// Trips that lead from one gate to the next, over all paths of all flows.
struct LoadedStretch {
  Vec2 from, to;
  double trips = 0;
};
/// Those with trips, the least first: later ones cover earlier ones. Paths begin and end in the middles of discs. `origin` is
/// added to all places.
std::vector<LoadedStretch> stretches_of(const NavGraph& graph, std::span<const FlowTrips> flows, Vec2 origin);

/// The busiest stretch is `widest` metres wide.
void draw_load(DrawStream& out, const NavGraph& graph, Vec2 origin, std::span<const LoadedStretch> stretches, double widest);
std::vector<LegendEntry> load_legend(std::span<const LoadedStretch> stretches);

}  // namespace throng
