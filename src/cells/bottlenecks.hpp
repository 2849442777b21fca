// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "cells/cells.hpp"
#include "scene/map_edit.hpp"

namespace throng {

/// What the bottleneck rule did, and what its guards kept it from doing at rest.
struct BottleneckReport {
  std::vector<VertexKind> kind;  ///< of each vertex slot of the triangulation
  std::uint32_t inserted = 0;
  std::uint32_t refused_near_end = 0;   ///< triangles at rest whose foot is within two grid units of an end of its wall
  std::uint32_t refused_twice = 0;      ///< triangles at rest whose pair (corner, original wall) already fired
  std::uint32_t refused_inverting = 0;  ///< triangles at rest whose rounded foot would turn a triangle inside out
  std::uint32_t unguarded = 0;          ///< triangles at rest that qualify although no guard refuses: always 0
};

/// The feet in a map and why each is there: what is needed to keep them right when the map changes.
struct Feet {
  struct Foot {
    VertexIndex vertex;
    Point place;
    VertexIndex corner;  ///< whose foot it is; kNone: nobody's any more, but it could not be taken out
    Point corner_place;
    ConstraintId segment;
  };
  std::vector<VertexKind> kind;  ///< of each vertex slot
  std::vector<Foot> list;
  std::unordered_set<std::uint64_t> fired, inverting;  ///< pairs (corner, segment)
};

/// Lamarche & Donikian's corner-to-wall projection (ALGORITHMS §1.2, erratum L-8): wherever a corner A of the map faces a wall BC
/// across a free triangle and projects inside it, split the wall at the foot, until no triangle qualifies. The shortest way
/// across every gap between a corner and a wall becomes an edge. Guards: each pair (corner, original wall) fires once; feet
/// nearer than two grid units to an end, or whose rounding would invert a triangle, are refused.
///
/// Beyond the paper: gaps narrower than `narrow_gap` metres get their foot also where free edges lie between corner and wall.
/// Below that width every gap is then an edge of the triangulation, and comparing widths with edges and turns (cells/widths.hpp)
/// is exact.
BottleneckReport insert_bottlenecks(Map& map, double narrow_gap = 0, Feet* keep = nullptr);

/// After an edit of the map's segments: takes out feet whose corner or wall is gone, finds the regions of what changed, and
/// applies the rule there. `boxes` hold all walls that have come or gone. `touched` are the triangles that the edit changed;
/// those that change here are added. It comes back sorted and without doubles.
void update_bottlenecks(Map& map, Feet& feet, const RunChange& change, std::span<const GridBox> boxes, double narrow_gap,
                        std::vector<TriangleIndex>& touched);

}  // namespace throng
