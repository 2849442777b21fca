// SPDX-License-Identifier: MIT
// Small triangle meshes with known floors, and rays against them by brute force.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <throng/scene.hpp>

#include "base/random.hpp"

namespace throng::testing {

inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 cross3(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double dot3(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

inline void add_triangle(Mesh& mesh, Vec3 a, Vec3 b, Vec3 c) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
  mesh.triangles.push_back({first, first + 1, first + 2});
}
inline void add_quad(Mesh& mesh, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  add_triangle(mesh, a, b, c);
  add_triangle(mesh, a, c, d);
}
inline void add_floor(Mesh& mesh, Vec2 low, Vec2 high, double z) {
  add_quad(mesh, {low.x, low.y, z}, {high.x, low.y, z}, {high.x, high.y, z}, {low.x, high.y, z});
}
/// An upright sheet.
inline void add_wall(Mesh& mesh, Vec2 a, Vec2 b, double bottom, double top) {
  add_quad(mesh, {a.x, a.y, bottom}, {b.x, b.y, bottom}, {b.x, b.y, top}, {a.x, a.y, top});
}
/// A prism over a ring, with a roof.
inline void add_prism(Mesh& mesh, const std::vector<Vec2>& ring, double bottom, double top) {
  for (std::size_t i = 0; i < ring.size(); ++i) add_wall(mesh, ring[i], ring[(i + 1) % ring.size()], bottom, top);
  for (std::size_t i = 1; i + 1 < ring.size(); ++i)
    add_triangle(mesh, {ring[0].x, ring[0].y, top}, {ring[i].x, ring[i].y, top}, {ring[i + 1].x, ring[i + 1].y, top});
}
inline std::vector<Vec2> rectangle(Vec2 middle, double half_x, double half_y, double angle = 0) {
  const Vec2 x{std::cos(angle), std::sin(angle)}, y = left(x);
  return {middle - half_x * x - half_y * y, middle + half_x * x - half_y * y, middle + half_x * x + half_y * y,
          middle - half_x * x + half_y * y};
}

/// Hills, gentle enough to walk on.
inline void add_terrain(Mesh& mesh, Vec2 low, int cells, double size, double height) {
  const auto z = [&](int i, int j) { return height * (std::sin(0.9 * i) + std::cos(0.7 * j + 0.3 * i)); };
  const auto at = [&](int i, int j) { return Vec3{low.x + size * i, low.y + size * j, z(i, j)}; };
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j) add_quad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
}

/// Stairs that climb along x from `foot` (their middle line), `count` steps; closed fronts, no sides.
inline void add_stairs(Mesh& mesh, Vec3 foot, double width, int count, double rise, double tread) {
  for (int i = 0; i < count; ++i) {
    const double x0 = foot.x + tread * i, x1 = x0 + tread, z0 = foot.z + rise * i, z1 = z0 + rise;
    const double y0 = foot.y - width / 2, y1 = foot.y + width / 2;
    add_quad(mesh, {x0, y0, z0}, {x0, y1, z0}, {x0, y1, z1}, {x0, y0, z1});
    add_quad(mesh, {x0, y0, z1}, {x1, y0, z1}, {x1, y1, z1}, {x0, y1, z1});
  }
}

/// Two floors of 16 × 12 m, 3 m apart, joined by stairs of 18 steps through an opening; a parapet guards the opening.
inline Mesh two_storeys() {
  Mesh mesh;
  add_floor(mesh, {0, 0}, {16, 12}, 0);
  const double x0 = 5, x1 = 5 + 18 * 0.28, y0 = 4, y1 = 6;
  add_stairs(mesh, {x0, 5, 0}, 2, 18, 3.0 / 18, 0.28);
  add_floor(mesh, {0, 0}, {16, y0}, 3);
  add_floor(mesh, {0, y1}, {16, 12}, 3);
  add_floor(mesh, {0, y0}, {x0, y1}, 3);
  add_floor(mesh, {x1, y0}, {16, y1}, 3);
  for (const double floor : {0.0, 3.0}) {
    add_wall(mesh, {0, 0}, {16, 0}, floor, floor + 2.9), add_wall(mesh, {16, 0}, {16, 12}, floor, floor + 2.9);
    add_wall(mesh, {16, 12}, {0, 12}, floor, floor + 2.9), add_wall(mesh, {0, 12}, {0, 0}, floor, floor + 2.9);
  }
  add_wall(mesh, {x0, y0}, {x1, y0}, 0, 4), add_wall(mesh, {x0, y1}, {x1, y1}, 0, 4), add_wall(mesh, {x0, y0}, {x0, y1}, 3, 4);
  return mesh;
}

/// A ramp that winds `turns` times round (0, 0), 3 m up each time, between radius 3 and 6.
inline Mesh spiral_ramp(int turns) {
  Mesh mesh;
  constexpr int kParts = 48;
  for (int i = 0; i < kParts * turns; ++i) {
    const auto at = [](int k, double r) {
      const double a = 2 * 3.14159265358979 * k / kParts;
      return Vec3{r * std::cos(a), r * std::sin(a), 3.0 * k / kParts};
    };
    add_quad(mesh, at(i, 3), at(i, 6), at(i + 1, 6), at(i + 1, 3));
  }
  return mesh;
}

/// A road along x with a bridge along y over it, each with its own ends; they never meet.
inline Mesh bridge_over_road() {
  Mesh mesh;
  add_floor(mesh, {-20, -3}, {20, 3}, 0);
  add_floor(mesh, {-2, -20}, {2, 20}, 4);
  return mesh;
}

/// Where the segment from a to b first crosses a triangle, 0 to 1 along it (Möller & Trumbore).
inline std::optional<double> first_hit(const Mesh& mesh, Vec3 a, Vec3 b) {
  std::optional<double> first;
  const Vec3 d = b - a;
  for (const auto& t : mesh.triangles) {
    const Vec3 o = mesh.vertices[t[0]], e1 = mesh.vertices[t[1]] - o, e2 = mesh.vertices[t[2]] - o;
    const Vec3 p = cross3(d, e2);
    const double det = dot3(e1, p);
    if (std::abs(det) < 1e-12) continue;
    const Vec3 s = a - o;
    const double u = dot3(s, p) / det;
    const Vec3 q = cross3(s, e1);
    const double v = dot3(d, q) / det, along = dot3(e2, q) / det;
    if (u < 0 || v < 0 || u + v > 1 || along < 0 || along > 1) continue;
    if (!first || along < *first) first = along;
  }
  return first;
}

/// Heights and cosines of all triangles over a point, lowest first.
struct TriangleHit {
  double z, cosine;
};
inline std::vector<TriangleHit> hits_above(const Mesh& mesh, Vec2 p) {
  std::vector<TriangleHit> hits;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const Vec3 n = cross3(b - a, c - a);
    if (n.z == 0) continue;
    const auto side = [&](Vec3 from, Vec3 to) { return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x); };
    const double s0 = side(a, b), s1 = side(b, c), s2 = side(c, a);
    if ((s0 < 0 || s1 < 0 || s2 < 0) && (s0 > 0 || s1 > 0 || s2 > 0)) continue;
    hits.push_back({a.z - (n.x * (p.x - a.x) + n.y * (p.y - a.y)) / n.z, std::abs(n.z) / std::sqrt(dot3(n, n))});
  }
  std::sort(hits.begin(), hits.end(), [](const TriangleHit& x, const TriangleHit& y) { return x.z < y.z; });
  return hits;
}

/// Random triangles in a cube.
inline Mesh noise(std::size_t count, double extent, double size, std::uint64_t seed) {
  Mesh mesh;
  RandomStream random(seed, 0, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 o{random.between(0, extent), random.between(0, extent), random.between(0, extent / 4)};
    const auto near = [&] {
      return Vec3{o.x + random.between(-size, size), o.y + random.between(-size, size), o.z + random.between(-size, size)};
    };
    add_triangle(mesh, o, near(), near());
  }
  return mesh;
}

}  // namespace throng::testing
