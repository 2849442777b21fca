// SPDX-License-Identifier: MIT
// The union of footprints of a town: buildings that overlap, touch or cross themselves become clean obstacles.
//
// Everything happens on the 2^-10 m grid of the bake with Clipper 6 (Vatti's sweep on integers). Footprints are first
// gathered into clusters whose boxes touch, because Clipper walks all active edges at every vertex: a town as one sweep
// costs minutes, cluster by cluster milliseconds. The work a cluster would take is counted beforehand; input tangled beyond
// reason (millions of crossings) is refused instead of taking all time and memory.
#pragma once
#include <optional>
#include <vector>

#include <throng/scene.hpp>

namespace throng {

/// One footprint: its rings, filled by the even-odd rule; their order and direction do not matter.
using Footprint = std::vector<Ring>;

/// The union as polygons (outer counter-clockwise, holes clockwise, holes may touch their outer ring), clipped to the ring
/// `clip` if it is given; nothing if the footprints are too tangled. Coordinates must be within ±1000 km.
std::optional<std::vector<Polygon>> unite(const std::vector<Footprint>& footprints, const Ring* clip = nullptr);

}  // namespace throng
