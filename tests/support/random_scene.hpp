// SPDX-License-Identifier: MIT
// Small random scenes, and the brute force that answers are held against.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include <throng/scene.hpp>

#include "base/random.hpp"
#include "cells/cells.hpp"

namespace throng::testing {

/// A convex polygon with 3 to 7 corners round a centre.
inline Ring random_convex(RandomStream& random, Vec2 centre, double size) {
  const auto corners = static_cast<int>(random.integer(3, 7));
  const double turn = random.between(0, 6.28);
  Ring ring;
  for (int i = 0; i < corners; ++i) {
    const double angle = turn + 6.283185307179586 * i / corners;
    ring.push_back(centre + size * Vec2{std::cos(angle), std::sin(angle)});
  }
  return ring;
}

/// A square of `side` metres with `obstacles` convex obstacles, which may overlap; some are thin bars.
inline Scene random_scene(std::uint64_t seed, double side, int obstacles) {
  Scene scene;
  scene.name = "random";
  Layer layer;
  layer.name = "ground";
  layer.walkable.push_back({{{0, 0}, {side, 0}, {side, side}, {0, side}}, {}});
  RandomStream random(seed, 0, 99);
  for (int i = 0; i < obstacles; ++i) {
    const Vec2 centre{random.between(0.05, 0.95) * side, random.between(0.05, 0.95) * side};
    if (random.chance(0.3)) {
      const double angle = random.between(0, 3.14), half = random.between(0.1, 0.3) * side;
      const Vec2 u{std::cos(angle), std::sin(angle)};
      layer.obstacles.push_back({{centre - half * u - 0.05 * left(u), centre + half * u - 0.05 * left(u),
                                  centre + half * u + 0.05 * left(u), centre - half * u + 0.05 * left(u)},
                                 {}});
    } else {
      layer.obstacles.push_back({random_convex(random, centre, random.between(0.03, 0.14) * side), {}});
    }
  }
  scene.layers.push_back(std::move(layer));
  return scene;
}

struct WallSegment {
  Vec2 a, b;
};

inline std::vector<WallSegment> wall_segments_of(const Cells& cells) {
  std::vector<WallSegment> walls;
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    const auto sides = cells.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i)
      if (sides[i].portal == kNoPortal)
        walls.push_back({cells.position(sides[i].vertex), cells.position(sides[(i + 1) % sides.size()].vertex)});
  }
  return walls;
}

inline double distance_to(const WallSegment& w, Vec2 p) {
  const Vec2 d = w.b - w.a;
  const double t = std::clamp(dot(p - w.a, d) / std::max(dot(d, d), 1e-30), 0.0, 1.0);
  return distance(p, w.a + t * d);
}

inline double clearance_of(const std::vector<WallSegment>& walls, Vec2 p) {
  double best = std::numeric_limits<double>::infinity();
  for (const WallSegment& w : walls) best = std::min(best, distance_to(w, p));
  return best;
}

/// Least distance of a polyline to the walls, sampled every 2 mm.
inline double path_clearance(const std::vector<WallSegment>& walls, const std::vector<Vec2>& points) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const double length = distance(points[i], points[i + 1]);
    const int steps = std::max(1, static_cast<int>(length / 0.002));
    for (int s = 0; s <= steps; ++s)
      best = std::min(best, clearance_of(walls, points[i] + (static_cast<double>(s) / steps) * (points[i + 1] - points[i])));
  }
  return best;
}

/// Whether ground hangs together for a disc of `radius`, on a grid of `pitch`, eight neighbours; brute force.
inline bool grid_connects(const std::vector<WallSegment>& walls, double side, Vec2 from, Vec2 to, double radius, double pitch) {
  const int n = static_cast<int>(side / pitch) + 1;
  std::vector<std::int8_t> open(static_cast<std::size_t>(n) * n, -1);
  const auto place = [&](int x, int y) { return Vec2{x * pitch, y * pitch}; };
  const auto is_open = [&](int x, int y) {
    std::int8_t& state = open[static_cast<std::size_t>(y) * n + x];
    if (state < 0) state = clearance_of(walls, place(x, y)) >= radius ? 1 : 0;
    return state == 1;
  };
  const auto index_of = [&](Vec2 p) {
    return std::pair{static_cast<int>(std::lround(p.x / pitch)), static_cast<int>(std::lround(p.y / pitch))};
  };
  const auto [sx, sy] = index_of(from);
  const auto [gx, gy] = index_of(to);
  if (!is_open(sx, sy) || !is_open(gx, gy)) return false;
  std::vector<std::uint8_t> seen(open.size(), 0);
  std::queue<std::pair<int, int>> queue;
  queue.push({sx, sy});
  seen[static_cast<std::size_t>(sy) * n + sx] = 1;
  while (!queue.empty()) {
    const auto [x, y] = queue.front();
    queue.pop();
    if (x == gx && y == gy) return true;
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy) {
        const int nx = x + dx, ny = y + dy;
        if (nx < 0 || ny < 0 || nx >= n || ny >= n || seen[static_cast<std::size_t>(ny) * n + nx] || !is_open(nx, ny)) continue;
        seen[static_cast<std::size_t>(ny) * n + nx] = 1;
        queue.push({nx, ny});
      }
  }
  return false;
}

}  // namespace throng::testing
