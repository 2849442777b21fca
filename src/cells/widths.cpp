// SPDX-License-Identifier: MIT
#include "cells/widths.hpp"

#include <cmath>

namespace throng {
namespace {

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 ab = b - a;
  const double along = dot(p - a, ab), length_squared = dot(ab, ab);
  if (along <= 0) return distance(p, a);
  if (along >= length_squared) return distance(p, b);
  return std::abs(cross(ab, p - a)) / std::sqrt(length_squared);
}

/// Looks from `corner` through edge `e`; `best` is the least distance so far.
double look_through(const Map& map, Vec2 corner, EdgeRef e, double best) {
  const Triangulation& cdt = map.triangulation;
  // An explicit stack: a fan of slivers may be long.
  std::vector<EdgeRef> stack{e};
  while (!stack.empty()) {
    const EdgeRef edge = stack.back();
    stack.pop_back();
    const double d = distance_to_segment(corner, to_metres(cdt.point(cdt.from(edge))), to_metres(cdt.point(cdt.to(edge))));
    if (d >= best) continue;
    if (map.is_wall(edge)) {
      best = d;
      continue;
    }
    const EdgeRef beyond = cdt.twin(edge);
    stack.push_back({beyond.triangle, (beyond.edge + 1) % 3});
    stack.push_back({beyond.triangle, (beyond.edge + 2) % 3});
  }
  return best;
}

}  // namespace

float round_down(double width) {
  auto f = static_cast<float>(width);
  if (f > width) f = std::nextafter(f, 0.0f);
  return f;
}

std::vector<std::array<double, 3>> turn_widths(const Map& map) {
  const Triangulation& cdt = map.triangulation;
  std::vector<std::array<double, 3>> width(cdt.triangle_slot_count(), {0, 0, 0});
  for (std::size_t slot = 0; slot < width.size(); ++slot) {
    const auto t = static_cast<TriangleIndex>(slot);
    if (!cdt.is_alive(t) || cdt.is_ghost(t) || !map.is_free(t)) continue;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      if (map.is_wall({t, j}) || map.is_wall({t, k})) continue;
      const Triangle& triangle = cdt.triangle(t);
      const Vec2 a = to_metres(cdt.point(triangle.vertex[i]));
      const double best = std::min(distance(a, to_metres(cdt.point(triangle.vertex[j]))), distance(a, to_metres(cdt.point(triangle.vertex[k]))));
      width[slot][i] = look_through(map, a, {t, i}, best);
    }
  }
  return width;
}

}  // namespace throng
