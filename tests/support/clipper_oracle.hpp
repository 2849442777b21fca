// SPDX-License-Identifier: MIT
// The walkable ground of a layer by polygon clipping (ClipperLib): shares no line with our triangulation.
#pragma once
#include <cmath>
#include <polyclipping/clipper.hpp>

#include <throng/scene.hpp>

#include "geometry/point.hpp"

namespace throng::testing {

struct ClippedGround {
  double area_units = 0;       ///< in grid units squared
  std::size_t components = 0;  ///< connected pieces of ground
  std::size_t holes = 0;       ///< obstacle islands in them
};

inline ClipperLib::Path to_clipper(const Ring& ring) {
  ClipperLib::Path path;
  for (Vec2 p : ring) path.push_back({snap(p).x, snap(p).y});
  return path;
}

/// Polygons by non-zero winding, as a layer means them: union of walkable minus union of obstacles.
inline ClippedGround clip_ground(const Layer& layer) {
  ClipperLib::Clipper clipper;
  for (const Polygon& p : layer.walkable) {
    clipper.AddPath(to_clipper(p.outer), ClipperLib::ptSubject, true);
    for (const Ring& hole : p.holes) clipper.AddPath(to_clipper(hole), ClipperLib::ptSubject, true);
  }
  for (const Polygon& p : layer.obstacles) {
    clipper.AddPath(to_clipper(p.outer), ClipperLib::ptClip, true);
    for (const Ring& hole : p.holes) clipper.AddPath(to_clipper(hole), ClipperLib::ptClip, true);
  }
  clipper.StrictlySimple(true);
  ClipperLib::PolyTree tree;
  clipper.Execute(ClipperLib::ctDifference, tree, ClipperLib::pftNonZero, ClipperLib::pftNonZero);
  ClippedGround ground;
  for (const ClipperLib::PolyNode* node = tree.GetFirst(); node != nullptr; node = node->GetNext()) {
    ground.area_units += (node->IsHole() ? -1 : 1) * std::abs(ClipperLib::Area(node->Contour));
    ++(node->IsHole() ? ground.holes : ground.components);
  }
  return ground;
}

}  // namespace throng::testing
