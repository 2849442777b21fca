// SPDX-License-Identifier: MIT
// Points: Delaunay by brute force, degenerate input, location, numbering.
#include "geometry/triangulation.hpp"

#include <gtest/gtest.h>

#include "geometry/mesh_checks.hpp"

namespace throng {
namespace {

using test::edges_of;
using test::random_points;
using test::vertex_count;
using Location = Triangulation::Location;

/// No vertex strictly inside any circle, and every triangle counter-clockwise: the definition, over all pairs.
void expect_delaunay_by_definition(const Triangulation& mesh) {
  for (TriangleIndex t = 0; t < static_cast<TriangleIndex>(mesh.triangle_slot_count()); ++t) {
    if (!mesh.is_alive(t) || mesh.is_ghost(t)) continue;
    const auto& c = mesh.triangle(t).vertex;
    for (VertexIndex v = 0; v < static_cast<VertexIndex>(mesh.vertex_slot_count()); ++v) {
      ASSERT_LE(in_circle(mesh.point(c[0]), mesh.point(c[1]), mesh.point(c[2]), mesh.point(v)), 0);
    }
  }
}

/// Twice the area of the convex hull (monotone chain), to compare with the sum of the triangles.
std::int64_t doubled_hull_area(std::vector<Point> points) {
  std::sort(points.begin(), points.end());
  std::vector<Point> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = hull.size();
    for (const Point p : points) {
      while (hull.size() >= start + 2 && orient(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  std::int64_t area = 0;
  for (std::size_t i = 2; i < hull.size(); ++i) area += orient(hull[0], hull[i - 1], hull[i]);
  return area;
}

std::int64_t doubled_area(const Triangulation& mesh) {
  std::int64_t area = 0;
  for (TriangleIndex t = 0; t < static_cast<TriangleIndex>(mesh.triangle_slot_count()); ++t) {
    if (!mesh.is_alive(t) || mesh.is_ghost(t)) continue;
    const auto& c = mesh.triangle(t).vertex;
    area += orient(mesh.point(c[0]), mesh.point(c[1]), mesh.point(c[2]));
  }
  return area;
}

TEST(Triangulation, IsDelaunayByDefinitionAndCoversTheHull) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const std::int32_t range = round % 3 == 0 ? 5 : round % 3 == 1 ? 100 : kCoordinateLimit - 1;
    const auto points = random_points(random, 5 + 3 * static_cast<std::size_t>(round), range);
    Triangulation mesh;
    const auto vertices = mesh.insert_points(points);
    ASSERT_VALID(mesh);
    expect_delaunay_by_definition(mesh);
    EXPECT_EQ(doubled_area(mesh), doubled_hull_area(points));
    for (std::size_t i = 0; i < points.size(); ++i) ASSERT_EQ(mesh.point(vertices[i]), points[i]);
    EXPECT_EQ(vertex_count(mesh), std::set<Point>(points.begin(), points.end()).size());
  }
}

TEST(Triangulation, HoldsAHundredThousandPointsOfEveryKind) {
  std::mt19937 random(2);
  std::vector<std::vector<Point>> inputs;
  inputs.push_back(random_points(random, 100000, kCoordinateLimit - 1));
  inputs.push_back(random_points(random, 100000, 150));  // mostly duplicates, all cocircular
  std::vector<Point> line_and_one;
  for (int i = 0; i < 30000; ++i) line_and_one.push_back({3 * i - 40000, 2 * i});
  line_and_one.push_back({0, 1 << 20});
  inputs.push_back(line_and_one);
  std::vector<Point> circle;
  for (int i = 0; i < 20000; ++i) {
    circle.push_back(
        {static_cast<int>(std::lround(1e7 * std::cos(i * 1e-3))), static_cast<int>(std::lround(1e7 * std::sin(i * 1e-3)))});
  }
  inputs.push_back(circle);
  for (const auto& points : inputs) {
    Triangulation mesh;
    mesh.insert_points(points);
    EXPECT_VALID(mesh);
    EXPECT_EQ(doubled_area(mesh), doubled_hull_area(points));
  }
}

TEST(Triangulation, OneByOneAndTogetherGiveTheSameEdgesInGeneralPosition) {
  std::mt19937 random(3);
  const auto points = random_points(random, 500, kCoordinateLimit - 1);
  Triangulation together, one_by_one;
  together.insert_points(points);
  for (const Point p : points) one_by_one.insert_point(p);
  ASSERT_VALID(one_by_one);
  EXPECT_EQ(edges_of(together), edges_of(one_by_one));
}

TEST(Triangulation, SameInputGivesTheSameNumbering) {
  std::mt19937 random(4);
  const auto points = random_points(random, 3000, 1000);
  Triangulation one, two;
  EXPECT_EQ(one.insert_points(points), two.insert_points(points));
  ASSERT_EQ(one.triangle_slot_count(), two.triangle_slot_count());
  for (TriangleIndex t = 0; t < static_cast<TriangleIndex>(one.triangle_slot_count()); ++t) {
    ASSERT_EQ(one.triangle(t).vertex, two.triangle(t).vertex);
    ASSERT_EQ(one.triangle(t).neighbour, two.triangle(t).neighbour);
  }
}

TEST(Triangulation, StaysFlatUntilAPointLeavesTheLine) {
  Triangulation mesh;
  EXPECT_VALID(mesh);
  EXPECT_TRUE(mesh.insert_points({}).empty());
  EXPECT_EQ(mesh.locate({0, 0}).kind, Location::kOutside);
  const VertexIndex a = mesh.insert_point({0, 0}), b = mesh.insert_point({10, 10}), c = mesh.insert_point({-30, -30});
  EXPECT_EQ(mesh.insert_point({10, 10}), b);
  EXPECT_TRUE(mesh.is_flat());
  EXPECT_EQ(mesh.triangle_at(a), kNone);
  mesh.insert_constraint(c, b, 7);
  EXPECT_VALID(mesh);
  EXPECT_TRUE(mesh.edges_of(7).empty());
  mesh.insert_point({3, -8});
  EXPECT_FALSE(mesh.is_flat());
  ASSERT_VALID(mesh);
  EXPECT_EQ(edges_of(mesh, true), (test::EdgeSet{{{-30, -30}, {0, 0}}, {{0, 0}, {10, 10}}}));
}

TEST(Triangulation, ManyCollinearPointsWorkInAnyDirection) {
  for (const Point step : {Point{1, 0}, {0, 1}, {-3, 5}, {7, 2}}) {
    std::vector<Point> points;
    for (int i = -500; i < 500; ++i) points.push_back({i * step.x, i * step.y});
    for (const int side : {1, -1}) {
      Triangulation mesh;
      mesh.insert_points(points);
      EXPECT_TRUE(mesh.is_flat());
      mesh.insert_point({-step.y * side, step.x * side});
      ASSERT_VALID(mesh);
      mesh.insert_point({step.y * side * 3, -step.x * side * 3});
      ASSERT_VALID(mesh);
    }
  }
}

TEST(Triangulation, LocateAgreesWithBruteForceEverywhere) {
  std::mt19937 random(5);
  for (const std::int32_t range : {6, 200, 100000}) {
    Triangulation mesh;
    const auto vertices = mesh.insert_points(random_points(random, 60, range));
    for (int i = 0; i < 30; ++i) mesh.insert_constraint(vertices[i], vertices[i + 30], i);
    ASSERT_VALID(mesh);
    auto queries = random_points(random, 2000, range + range / 4);
    for (const VertexIndex v : vertices) queries.push_back(mesh.point(v));
    for (const Point p : queries) {
      const TriangleIndex hint = static_cast<TriangleIndex>(random() % (mesh.triangle_slot_count() + 1)) - 1;
      const Location found = mesh.locate(p, hint);
      // Which triangles hold p, and on how many of their edges.
      std::vector<std::pair<TriangleIndex, int>> holders;
      for (TriangleIndex t = 0; t < static_cast<TriangleIndex>(mesh.triangle_slot_count()); ++t) {
        if (!mesh.is_alive(t) || mesh.is_ghost(t)) continue;
        int zeros = 0, negatives = 0;
        for (int i = 0; i < 3; ++i) {
          const std::int64_t side = orient(mesh.point(mesh.from({t, i})), mesh.point(mesh.to({t, i})), p);
          zeros += side == 0;
          negatives += side < 0;
        }
        if (negatives == 0) holders.push_back({t, zeros});
      }
      if (holders.empty()) {
        ASSERT_EQ(found.kind, Location::kOutside);
        ASSERT_TRUE(mesh.is_ghost(found.triangle));
        for (int i = 0; i < 3; ++i) {
          const EdgeRef hull{found.triangle, i};
          if (mesh.apex(hull) == kGhost) {
            ASSERT_GT(orient(mesh.point(mesh.from(hull)), mesh.point(mesh.to(hull)), p), 0);
          }
        }
        continue;
      }
      const auto holder = std::find_if(holders.begin(), holders.end(), [&](const auto& h) { return h.first == found.triangle; });
      ASSERT_NE(holder, holders.end());
      ASSERT_EQ(found.kind, holder->second == 0   ? Location::kInside
                            : holder->second == 1 ? Location::kOnEdge
                                                  : Location::kOnVertex);
      if (found.kind == Location::kOnVertex) {
        ASSERT_EQ(mesh.point(found.vertex), p);
      }
      if (found.kind == Location::kOnEdge) {
        const EdgeRef e{found.triangle, found.edge};
        ASSERT_EQ(orient(mesh.point(mesh.from(e)), mesh.point(mesh.to(e)), p), 0);
      }
    }
  }
}

TEST(Triangulation, EdgesAroundAVertexComeCounterClockwiseAndComplete) {
  std::mt19937 random(6);
  Triangulation mesh;
  mesh.insert_points(random_points(random, 200, 1000));
  const auto all = edges_of(mesh);
  std::size_t seen = 0;
  for (VertexIndex v = 0; v < static_cast<VertexIndex>(mesh.vertex_slot_count()); ++v) {
    std::vector<VertexIndex> ends;
    mesh.for_each_edge_around(v, [&](EdgeRef e) {
      EXPECT_EQ(mesh.from(e), v);
      EXPECT_EQ(mesh.twin(mesh.twin(e)), e);
      if (mesh.to(e) != kGhost) {
        EXPECT_EQ(mesh.find_edge(v, mesh.to(e)), e);
      }
      ends.push_back(mesh.to(e));
    });
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const VertexIndex w = ends[i], next = ends[(i + 1) % ends.size()];
      seen += w != kGhost;
      if (w != kGhost && next != kGhost) {
        EXPECT_GT(orient(mesh.point(v), mesh.point(w), mesh.point(next)), 0);
      }
    }
  }
  EXPECT_EQ(seen, 2 * all.size());
}

}  // namespace
}  // namespace throng
