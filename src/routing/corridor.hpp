// SPDX-License-Identifier: MIT
// The common currency of planners and walkers: a path as the portals it crosses, and that path pulled tight for a disc.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cells/cells.hpp"

namespace throng {

/// A path through cells: from `first_cell` across each portal in turn.
struct Corridor {
  CellIndex first_cell = kNoCell;
  std::vector<PortalIndex> portals;
};

/// A place where a pulled path bends: it touches the circle of the body's radius round a map vertex at `arrive`,
/// follows it to `leave`. For a point (radius 0) the three coincide.
struct Bend {
  Vec2 arrive;
  Vec2 leave;
  std::uint32_t vertex = 0;
  bool turns_left = false;  ///< counter-clockwise round the vertex
};

/// The shortest way of a disc through a corridor: straight lines between arcs. `length` includes the arcs exactly.
struct PulledPath {
  Vec2 start;
  Vec2 goal;
  double radius = 0;
  double length = 0;
  std::vector<Bend> bends;
};

/// The path as a polyline that stays within `sagitta` metres of the arcs.
void sample(const PulledPath& path, std::span<const Point> vertices, double sagitta, std::vector<Vec2>& points);

}  // namespace throng
