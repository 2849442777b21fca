// SPDX-License-Identifier: MIT
// The ground that belongs to each person: Voronoi cells, as pedestrian research measures density with them (Steffen & Seyfried
// 2010, "Methods for measuring pedestrian density, flow, speed and direction with minimal scatter").
//
// Idea: a cell is the polygon of a circle of radius `cutoff` (nobody owns a whole empty hall), clipped by the bisector to each
// neighbour within twice that, nearest first; it stays convex, and clipping stops as soon as no neighbour left can reach it. The
// ground is then the subject and the cell the clip, because the clip of Sutherland & Hodgman must be convex: the area is right
// for ground of any shape, with holes too, though a cell may reach through a thin wall. O(n log n) for crowds.
#pragma once
#include <cstdint>
#include <vector>

#include <throng/scene.hpp>

#include "analysis/period.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

struct VoronoiSettings {
  double cutoff = 0.8;              ///< metres; 0.8 m gives a lonely person 2 m²
  std::uint32_t cutoff_sides = 32;  ///< of the polygon that stands for the circle; it has the circle's area
  std::uint16_t layer = 0;
  /// More than five times the cutoff, or none. Cells are where their owner is, not cut at the seam: measure a cutoff away from
  /// it.
  Period period;
};

/// Convex, counter-clockwise.
struct VoronoiCell {
  std::uint32_t row = 0;  ///< of the frame
  Ring ring;
  double area = 0;
};

/// Cells of everybody on the layer. Of people in one place, the first owns the cell and the others have none.
std::vector<VoronoiCell> voronoi_cells(const FrameView& frame, const VoronoiSettings& settings = {});

/// The part of a ring on the left of the line through `on` in direction `along`, in place.
void clip_left_of(Ring& ring, Vec2 on, Vec2 along, Ring& scratch);
/// Area of the polygon inside a convex counter-clockwise ring.
double area_inside(const Polygon& polygon, const Ring& convex);
/// Area shared by two convex counter-clockwise rings.
double shared_area(const Ring& convex, const Ring& other);

}  // namespace throng
