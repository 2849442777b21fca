// SPDX-License-Identifier: MIT
#include "cells/widths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cells/look.hpp"

namespace throng {
float round_down(double width) {
  auto f = static_cast<float>(width);
  if (f > width) f = std::nextafter(f, 0.0f);
  return f;
}

double edge_width(const Map& map, std::span<const VertexKind> kind, EdgeRef e) {
  const Triangulation& cdt = map.triangulation;
  const VertexIndex a = cdt.from(e), b = cdt.to(e);
  if (kind[a] == VertexKind::kOpen || kind[b] == VertexKind::kOpen) return std::numeric_limits<double>::infinity();
  return distance(to_metres(cdt.point(a)), to_metres(cdt.point(b)));
}

double turn_reach(const Map& map, std::span<const VertexKind> kind, TriangleIndex t, int i) {
  const Triangulation& cdt = map.triangulation;
  const Vec2 a = to_metres(cdt.point(cdt.triangle(t).vertex[i]));
  double reach = std::numeric_limits<double>::infinity();
  for (const int other : {(i + 1) % 3, (i + 2) % 3})
    if (const VertexIndex v = cdt.triangle(t).vertex[other]; kind[v] != VertexKind::kOpen)
      reach = std::min(reach, distance(a, to_metres(cdt.point(v))));
  return reach;
}

namespace {

bool is_ground(const Map& map, TriangleIndex t) {
  return map.triangulation.is_alive(t) && !map.triangulation.is_ghost(t) && map.is_free(t);
}

/// As if the corner were solid.
double solid_turn(CornerView& view, const Map& map, std::uint32_t layer, std::span<const VertexKind> kind, TriangleIndex t,
                  int i) {
  if (map.is_wall({t, (i + 1) % 3}) || map.is_wall({t, (i + 2) % 3})) return 0;
  const Point corner = map.triangulation.point(map.triangulation.triangle(t).vertex[i]);
  double best = turn_reach(map, kind, t, i);
  view.look(corner, layer, {t, i}, best, [&](const CornerView::View& wall) {
    best = std::min(best, view.distance_in_view(corner, wall));
    return true;
  });
  return best;
}

}  // namespace

std::vector<std::array<double, 3>> turn_widths(std::span<const Map> maps, std::uint32_t layer, const JointEdges& joints,
                                               std::span<const VertexKind> kind) {
  const Map& map = maps[layer];
  const Triangulation& cdt = map.triangulation;
  std::vector<std::array<double, 3>> width(cdt.triangle_slot_count(), {0, 0, 0});
  CornerView view(maps, &joints);
  std::vector<double> open_clearance(kind.size(), std::numeric_limits<double>::infinity());
  for (std::size_t slot = 0; slot < width.size(); ++slot) {
    const auto t = static_cast<TriangleIndex>(slot);
    if (!is_ground(map, t)) continue;
    for (int i = 0; i < 3; ++i) {
      width[slot][i] = solid_turn(view, map, layer, kind, t, i);
      if (const VertexIndex corner = cdt.triangle(t).vertex[i]; kind[corner] == VertexKind::kOpen && width[slot][i] > 0)
        open_clearance[corner] = std::min(open_clearance[corner], width[slot][i]);
    }
  }
  // The triangles round an open corner have looked in every direction by now.
  for (std::size_t slot = 0; slot < width.size(); ++slot)
    for (int i = 0; i < 3; ++i)
      if (width[slot][i] > 0)
        if (const VertexIndex v = cdt.triangle(static_cast<TriangleIndex>(slot)).vertex[i]; kind[v] == VertexKind::kOpen)
          width[slot][i] = std::max(width[slot][i], 2 * open_clearance[v]);
  return width;
}

void update_turn_widths(std::span<const Map> maps, std::uint32_t layer, const JointEdges& joints,
                        std::span<const VertexKind> kind, std::span<const TriangleIndex> triangles,
                        std::vector<std::array<double, 3>>& width, std::vector<TriangleIndex>& changed) {
  const Map& map = maps[layer];
  const Triangulation& cdt = map.triangulation;
  width.resize(cdt.triangle_slot_count(), {0, 0, 0});
  CornerView view(maps, &joints);
  std::vector<VertexIndex> open;
  for (const TriangleIndex t : triangles) {
    std::array<double, 3> fresh{0, 0, 0};
    if (is_ground(map, t))
      for (int i = 0; i < 3; ++i) {
        if (const VertexIndex v = cdt.triangle(t).vertex[i]; kind[v] == VertexKind::kOpen) {
          open.push_back(v);
          fresh[i] = width[t][i];
        } else {
          fresh[i] = solid_turn(view, map, layer, kind, t, i);
        }
      }
    if (fresh != width[t]) changed.push_back(t);
    width[t] = fresh;
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  std::vector<std::pair<EdgeRef, double>> around;
  for (const VertexIndex v : open) {
    double clearance = std::numeric_limits<double>::infinity();
    around.clear();
    cdt.for_each_edge_around(v, [&](EdgeRef spoke) {
      const EdgeRef opposite{spoke.triangle, (spoke.edge + 1) % 3};
      if (!is_ground(map, spoke.triangle)) return;
      around.emplace_back(opposite, solid_turn(view, map, layer, kind, opposite.triangle, opposite.edge));
      if (around.back().second > 0) clearance = std::min(clearance, around.back().second);
    });
    for (const auto& [corner, solid] : around) {
      const double fresh = solid > 0 ? std::max(solid, 2 * clearance) : 0;
      if (double& entry = width[corner.triangle][corner.edge]; entry != fresh) {
        entry = fresh;
        changed.push_back(corner.triangle);
      }
    }
  }
}

}  // namespace throng
