// SPDX-License-Identifier: MIT
#include "cells/widths.hpp"

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

std::vector<std::array<double, 3>> turn_widths(std::span<const Map> maps, std::uint32_t layer, const JointEdges& joints,
                                               std::span<const VertexKind> kind) {
  const Map& map = maps[layer];
  const Triangulation& cdt = map.triangulation;
  std::vector<std::array<double, 3>> width(cdt.triangle_slot_count(), {0, 0, 0});
  CornerView view(maps, &joints);
  std::vector<double> open_clearance(kind.size(), std::numeric_limits<double>::infinity());
  for (std::size_t slot = 0; slot < width.size(); ++slot) {
    const auto t = static_cast<TriangleIndex>(slot);
    if (!cdt.is_alive(t) || cdt.is_ghost(t) || !map.is_free(t)) continue;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      if (map.is_wall({t, j}) || map.is_wall({t, k})) continue;
      const VertexIndex corner = cdt.triangle(t).vertex[i];
      const Vec2 a = to_metres(cdt.point(corner));
      double best = std::numeric_limits<double>::infinity();
      for (int other : {j, k})
        if (const VertexIndex v = cdt.triangle(t).vertex[other]; kind[v] != VertexKind::kOpen)
          best = std::min(best, distance(a, to_metres(cdt.point(v))));
      view.look(cdt.point(corner), layer, {t, i}, best, [&](const CornerView::View& wall) {
        best = std::min(best, view.distance_in_view(cdt.point(corner), wall));
        return true;
      });
      width[slot][i] = best;
      if (kind[corner] == VertexKind::kOpen) open_clearance[corner] = std::min(open_clearance[corner], width[slot][i]);
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

}  // namespace throng
