// SPDX-License-Identifier: MIT
// The walkable ground of a layer by polygon clipping (ClipperLib), and islands by comparing all edges of all pairs: oracles that
// share no line with our triangulation.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <polyclipping/clipper.hpp>

#include <throng/scene.hpp>

#include "geometry/point.hpp"
#include "geometry/polygon.hpp"

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

inline bool segments_touch(Point a, Point b, Point c, Point d) {
  const auto sign = [](std::int64_t v) { return (v > 0) - (v < 0); };
  const auto on = [](Point p, Point q, Point r) {
    return std::min(p.x, q.x) <= r.x && r.x <= std::max(p.x, q.x) && std::min(p.y, q.y) <= r.y && r.y <= std::max(p.y, q.y);
  };
  const int s1 = sign(orient(a, b, c)), s2 = sign(orient(a, b, d)), s3 = sign(orient(c, d, a)), s4 = sign(orient(c, d, b));
  if (s1 * s2 < 0 && s3 * s4 < 0) return true;
  return (s1 == 0 && on(a, b, c)) || (s2 == 0 && on(a, b, d)) || (s3 == 0 && on(c, d, a)) || (s4 == 0 && on(c, d, b));
}

/// Groups of polygons that touch or overlap on the grid; a common corner is enough, since nobody passes through it.
inline std::size_t count_groups(const std::vector<Polygon>& polygons) {
  std::vector<std::vector<Point>> rings;
  std::vector<std::array<std::int32_t, 4>> bounds;
  for (const Polygon& polygon : polygons) {
    rings.emplace_back();
    bounds.push_back({INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN});
    auto& [west, south, east, north] = bounds.back();
    for (Vec2 v : polygon.outer) {
      const Point p = snap(v);
      rings.back().push_back(p);
      west = std::min(west, p.x), south = std::min(south, p.y), east = std::max(east, p.x), north = std::max(north, p.y);
    }
  }
  std::vector<std::size_t> parent(rings.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  std::size_t groups = rings.size();
  for (std::size_t i = 0; i < rings.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (bounds[i][0] > bounds[j][2] || bounds[j][0] > bounds[i][2] || bounds[i][1] > bounds[j][3] ||
          bounds[j][1] > bounds[i][3])
        continue;
      if (root(i) == root(j)) continue;
      const auto &a = rings[i], &b = rings[j];
      bool touch = find_in_ring(a, b[0]) != Containment::kOutside || find_in_ring(b, a[0]) != Containment::kOutside;
      for (std::size_t k = 0; k < a.size() && !touch; ++k)
        for (std::size_t m = 0; m < b.size() && !touch; ++m)
          touch = segments_touch(a[k], a[(k + 1) % a.size()], b[m], b[(m + 1) % b.size()]);
      if (touch) parent[root(i)] = root(j), --groups;
    }
  return groups;
}

}  // namespace throng::testing
