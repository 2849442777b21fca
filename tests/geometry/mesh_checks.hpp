// SPDX-License-Identifier: MIT
// What several geometry tests look at: edge sets, chains of constraints, random points.
#pragma once
#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "geometry/triangulation.hpp"

namespace throng::test {

using EdgeSet = std::set<std::pair<Point, Point>>;

/// All edges between real vertices (or the constrained ones only), each once with the smaller point first.
inline EdgeSet edges_of(const Triangulation& mesh, bool constrained_only = false) {
  EdgeSet edges;
  for (TriangleIndex t = 0; t < static_cast<TriangleIndex>(mesh.triangle_slot_count()); ++t) {
    for (int i = 0; mesh.is_alive(t) && i < 3; ++i) {
      const EdgeRef e{t, i};
      if (mesh.from(e) == kGhost || mesh.to(e) == kGhost || (constrained_only && !mesh.is_constrained(e))) continue;
      const Point a = mesh.point(mesh.from(e)), b = mesh.point(mesh.to(e));
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  }
  return edges;
}

inline std::size_t vertex_count(const Triangulation& mesh) {
  std::size_t count = 0;
  for (VertexIndex v = 0; v < static_cast<VertexIndex>(mesh.vertex_slot_count()); ++v) count += mesh.is_vertex_alive(v);
  return count;
}

inline std::vector<Point> random_points(std::mt19937& random, std::size_t count, std::int32_t range) {
  std::uniform_int_distribution<std::int32_t> coordinate(-range, range);
  std::vector<Point> points(count);
  for (Point& p : points) p = {coordinate(random), coordinate(random)};
  return points;
}

/// Distance from p to the line through a and b, in grid units.
inline double distance_to_line(Point p, Point a, Point b) {
  return std::abs(static_cast<double>(orient(a, b, p))) / std::sqrt(static_cast<double>(distance_squared(a, b)));
}

/// The largest distance of a vertex of the constraint's chain to the line a–b.
inline double deviation(const Triangulation& mesh, ConstraintId id, Point a, Point b) {
  double worst = 0;
  for (const EdgeRef e : mesh.edges_of(id)) {
    worst = std::max({worst, distance_to_line(mesh.point(mesh.from(e)), a, b), distance_to_line(mesh.point(mesh.to(e)), a, b)});
  }
  return worst;
}

/// Length of all edges of a constraint, in grid units.
inline double chain_length(const Triangulation& mesh, ConstraintId id) {
  double sum = 0;
  for (const EdgeRef e : mesh.edges_of(id)) {
    sum += std::sqrt(static_cast<double>(distance_squared(mesh.point(mesh.from(e)), mesh.point(mesh.to(e)))));
  }
  return sum;
}

}  // namespace throng::test

#define EXPECT_VALID(mesh) EXPECT_EQ((mesh).validate().value_or(""), "")
#define ASSERT_VALID(mesh) ASSERT_EQ((mesh).validate().value_or(""), "")
