// SPDX-License-Identifier: MIT
// Constraints: chains, crossings, overlaps, T-junctions, split_edge.
#include <gtest/gtest.h>

#include "geometry/mesh_checks.hpp"
#include "geometry/triangulation.hpp"

namespace throng {
namespace {

using test::edges_of;
using test::EdgeSet;
using test::random_points;
using test::vertex_count;

std::vector<ConstraintId> ids_between(const Triangulation& mesh, VertexIndex a, VertexIndex b) {
  const auto e = mesh.find_edge(a, b);
  if (!e) return {};
  const auto ids = mesh.constraints(*e);
  return {ids.begin(), ids.end()};
}

TEST(Constraints, ASegmentThroughACloudBecomesOneStraightEdge) {
  std::mt19937 random(1);
  for (int round = 0; round < 30; ++round) {
    Triangulation mesh;
    mesh.insert_points(random_points(random, 300, 100000));
    const VertexIndex a = mesh.insert_point({-150000, round}), b = mesh.insert_point({150000, -round});
    mesh.insert_constraint(a, b, 3);
    ASSERT_VALID(mesh);
    EXPECT_EQ(ids_between(mesh, a, b), std::vector<ConstraintId>{3});
    EXPECT_EQ(ids_between(mesh, b, a), std::vector<ConstraintId>{3});
    EXPECT_EQ(edges_of(mesh, true).size(), 1u);
  }
}

TEST(Constraints, AChannelWithDanglingEdgesIsRefilled) {
  // Spikes from both sides reach towards the segment: edges with both sides in the channel.
  Triangulation mesh;
  std::vector<Point> points{{-1000, 0}, {1000, 0}};
  for (int i = -9; i <= 9; ++i) {
    points.push_back({100 * i, i % 2 == 0 ? 3 : -3});
    points.push_back({100 * i + 1, i % 2 == 0 ? 700 : -700});
  }
  const auto v = mesh.insert_points(points);
  for (std::size_t i = 2; i + 1 < points.size(); i += 2) mesh.insert_constraint(v[i], v[i + 1], static_cast<ConstraintId>(i));
  const auto walls = edges_of(mesh, true);
  mesh.insert_constraint(v[0], v[1], 1);
  ASSERT_VALID(mesh);
  EXPECT_EQ(ids_between(mesh, v[0], v[1]), std::vector<ConstraintId>{1});
  for (const auto& wall : walls) EXPECT_TRUE(edges_of(mesh, true).contains(wall));
}

TEST(Constraints, VerticesOnTheSegmentSplitItExactly) {
  Triangulation mesh;
  std::vector<Point> points;
  for (int y = 0; y <= 10; ++y) {
    for (int x = 0; x <= 10; ++x) points.push_back({x, y});
  }
  const auto v = mesh.insert_points(points);
  mesh.insert_constraint(v[0], v[120], 5);          // the diagonal: ten pieces
  mesh.insert_constraint(v[0], v[11 * 5 + 10], 6);  // slope 1/2: five pieces
  ASSERT_VALID(mesh);
  EXPECT_EQ(mesh.edges_of(5).size(), 10u);
  EXPECT_EQ(mesh.edges_of(6).size(), 5u);
  EXPECT_EQ(test::deviation(mesh, 6, {0, 0}, {10, 5}), 0);
}

TEST(Constraints, OverlappingSegmentsShareEdgesAndCarryBothIds) {
  Triangulation mesh;
  mesh.insert_points(std::vector<Point>{{0, -50}, {50, 80}, {-60, 40}});
  const VertexIndex a = mesh.insert_point({-30, 0}), b = mesh.insert_point({-10, 0}), c = mesh.insert_point({10, 0}),
                    d = mesh.insert_point({30, 0});
  mesh.insert_constraint(a, c, 1);
  mesh.insert_constraint(d, b, 2);
  mesh.insert_constraint(b, c, 2);  // again: changes nothing
  ASSERT_VALID(mesh);
  EXPECT_EQ(ids_between(mesh, a, b), (std::vector<ConstraintId>{1}));
  EXPECT_EQ(ids_between(mesh, b, c), (std::vector<ConstraintId>{1, 2}));
  EXPECT_EQ(ids_between(mesh, c, d), (std::vector<ConstraintId>{2}));
  mesh.remove_constraint(1);
  ASSERT_VALID(mesh);
  EXPECT_EQ(ids_between(mesh, a, b), (std::vector<ConstraintId>{}));
  EXPECT_EQ(ids_between(mesh, b, c), (std::vector<ConstraintId>{2}));
}

TEST(Constraints, InsertingTheSameSegmentAgainChangesNothing) {
  std::mt19937 random(2);
  const auto points = random_points(random, 60, 1 << 20);
  Triangulation mesh;
  const auto v = mesh.insert_points(points);
  for (int i = 0; i < 30; ++i) mesh.insert_constraint(v[i], v[59 - i], i);
  const auto all = edges_of(mesh), walls = edges_of(mesh, true);
  // Each piece of each chain, under its id, in the other direction.
  for (int i = 0; i < 30; ++i) {
    std::vector<std::pair<VertexIndex, VertexIndex>> pieces;
    for (const EdgeRef e : mesh.edges_of(i)) pieces.push_back({mesh.to(e), mesh.from(e)});
    for (const auto& [a, b] : pieces) mesh.insert_constraint(a, b, i);
  }
  ASSERT_VALID(mesh);
  EXPECT_EQ(edges_of(mesh), all);
  EXPECT_EQ(edges_of(mesh, true), walls);
}

TEST(Constraints, TwoWallsCrossInTheNearestGridPoint) {
  Triangulation mesh;
  const VertexIndex a = mesh.insert_point({0, 0}), b = mesh.insert_point({1000, 999}), c = mesh.insert_point({0, 1000}),
                    d = mesh.insert_point({1000, 3});
  mesh.insert_constraint(a, b, 1);
  mesh.insert_constraint(c, d, 2);
  ASSERT_VALID(mesh);
  // x = 1000000 / (999 + 997) = 501.002…, y = 500.501…
  const auto crossing = mesh.locate({501, 501});
  ASSERT_EQ(crossing.kind, Triangulation::Location::kOnVertex);
  EXPECT_EQ(vertex_count(mesh), 5u);
  for (const VertexIndex end : {a, b}) EXPECT_EQ(ids_between(mesh, crossing.vertex, end), (std::vector<ConstraintId>{1}));
  for (const VertexIndex end : {c, d}) EXPECT_EQ(ids_between(mesh, crossing.vertex, end), (std::vector<ConstraintId>{2}));
}

TEST(Constraints, ATJunctionEndsExactlyOnTheWall) {
  Triangulation mesh;
  const VertexIndex a = mesh.insert_point({-90, -30}), b = mesh.insert_point({90, 30});
  const VertexIndex foot = mesh.insert_point({30, 10}), top = mesh.insert_point({10, 70});
  mesh.insert_constraint(a, b, 1);
  mesh.insert_constraint(top, foot, 2);
  ASSERT_VALID(mesh);
  EXPECT_EQ(edges_of(mesh, true), (EdgeSet{{{-90, -30}, {30, 10}}, {{30, 10}, {90, 30}}, {{10, 70}, {30, 10}}}));
}

TEST(Constraints, ManyCrossingsKeepEveryChainOnItsLine) {
  std::mt19937 random(3);
  for (int round = 0; round < 4; ++round) {
    const auto points = random_points(random, 120, 1 << 22);
    Triangulation mesh;
    const auto v = mesh.insert_points(points);
    for (int i = 0; i < 60; ++i) mesh.insert_constraint(v[2 * i], v[2 * i + 1], i);
    ASSERT_VALID(mesh);
    for (int i = 0; i < 60; ++i) {
      const Point a = points[2 * i], b = points[2 * i + 1];
      // Half a diagonal of a grid square: crossings are computed on the original lines, so errors do not add up.
      ASSERT_LE(test::deviation(mesh, i, a, b), 0.7072);
      ASSERT_NEAR(test::chain_length(mesh, i), std::sqrt(static_cast<double>(distance_squared(a, b))), 1.0);
    }
  }
}

TEST(Constraints, CrossingsOnACoarseGridEndAndStayWithinAUnitEach) {
  // Nearly every crossing is rounded onto something: end points, other walls, other crossings.
  std::mt19937 random(4);
  for (int round = 0; round < 150; ++round) {
    const std::int32_t range = 4 + round % 30;
    const auto points = random_points(random, 40, range);
    Triangulation mesh;
    const auto v = mesh.insert_points(points);
    for (int i = 0; i < 20; ++i) {
      mesh.insert_constraint(v[2 * i], v[2 * i + 1], i);
      ASSERT_VALID(mesh) << "round " << round << " constraint " << i;
    }
    for (int i = 0; i < 20; ++i) {
      if (v[2 * i] == v[2 * i + 1]) continue;
      const auto pieces = static_cast<double>(mesh.edges_of(i).size());
      ASSERT_LE(test::deviation(mesh, i, points[2 * i], points[2 * i + 1]), pieces);
    }
  }
}

TEST(Constraints, AFanOfNearlyParallelWallsEnds) {
  for (const int shift : {0, 1, 2, 3}) {
    Triangulation mesh;
    mesh.insert_points(std::vector<Point>{{-100000, -100000}, {100000, -100000}, {0, 100000}});
    for (int i = 0; i < 60; ++i) {
      const VertexIndex a = mesh.insert_point({-60000 - i * shift, i}), b = mesh.insert_point({60000 + i, 60 - i});
      mesh.insert_constraint(a, b, i);
    }
    ASSERT_VALID(mesh);
    for (int i = 0; i < 60; ++i) {
      EXPECT_LE(test::deviation(mesh, i, {-60000 - i * shift, i}, {60000 + i, 60 - i}), 60.0);
    }
  }
}

TEST(Constraints, ABundleTooTightToCrossProperlyIsLedAlongEdges) {
  // A hundred walls of 50 m within 4 cm: these seeds exhaust the detours allowed and take the way along existing edges.
  for (const int seed : {5, 12, 18}) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::int32_t>(random() % n); };
    Triangulation mesh;
    mesh.insert_points(std::vector<Point>{{-100000, -100000}, {100000, -100000}, {0, 100000}});
    std::vector<std::pair<Point, Point>> walls;
    for (int i = 0; i < 100; ++i) {
      const Point a{-below(5000), below(40)}, b{50000 + below(5000), below(40)};
      const VertexIndex from = mesh.insert_point(a), to = mesh.insert_point(b);
      mesh.insert_constraint(from, to, i);
      walls.push_back({a, b});
    }
    ASSERT_VALID(mesh);
    for (int i = 0; i < 100; ++i) EXPECT_LE(test::deviation(mesh, i, walls[i].first, walls[i].second), 10.0);
    for (int i = 0; i < 100; ++i) mesh.remove_constraint(i);
    ASSERT_VALID(mesh);
    EXPECT_TRUE(edges_of(mesh, true).empty());
  }
}

TEST(Constraints, ALongWallAcrossAHundredThousandPoints) {
  std::mt19937 random(5);
  Triangulation mesh;
  mesh.insert_points(random_points(random, 100000, 1 << 23));
  for (int i = 0; i < 20; ++i) {
    const VertexIndex a = mesh.insert_point({-(1 << 23) + 11 * i, (i - 10) * 700000}),
                      b = mesh.insert_point({1 << 23, (10 - i) * 700000 + 17});
    mesh.insert_constraint(a, b, i);
  }
  EXPECT_VALID(mesh);
}

TEST(SplitEdge, InheritsTheIdsAndReportsWhatChanged) {
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    Triangulation mesh;
    const auto v = mesh.insert_points(random_points(random, 40, 2000));
    if (v[0] == v[1]) continue;
    mesh.insert_constraint(v[0], v[1], 4);
    mesh.insert_constraint(v[1], v[0], 9);
    const EdgeRef e = mesh.edges_of(4).front();
    const Point a = mesh.point(mesh.from(e)), b = mesh.point(mesh.to(e));
    const Point p{(a.x + b.x) / 2 + static_cast<int>(random() % 3) - 1, (a.y + b.y) / 2 + static_cast<int>(random() % 3) - 1};
    const Triangulation before = mesh;
    const VertexIndex from = mesh.from(e), to = mesh.to(e);
    std::vector<TriangleIndex> touched{-7};
    const VertexIndex middle = mesh.split_edge(e, p, &touched);
    ASSERT_VALID(mesh);
    EXPECT_EQ(touched.front(), -7);
    if (middle == kNone) {
      EXPECT_EQ(edges_of(mesh), edges_of(before));
      EXPECT_EQ(touched.size(), 1u);
      continue;
    }
    EXPECT_EQ(mesh.point(middle), p);
    for (const VertexIndex end : {from, to}) EXPECT_EQ(ids_between(mesh, middle, end), (std::vector<ConstraintId>{4, 9}));
    EXPECT_FALSE(mesh.find_edge(from, to) && mesh.is_constrained(*mesh.find_edge(from, to)));
    const std::set<TriangleIndex> reported(touched.begin() + 1, touched.end());
    EXPECT_EQ(reported.size(), touched.size() - 1) << "each triangle once";
    for (TriangleIndex t = 0; t < static_cast<TriangleIndex>(mesh.triangle_slot_count()); ++t) {
      const bool is_new = t >= static_cast<TriangleIndex>(before.triangle_slot_count());
      if (is_new || mesh.triangle(t).vertex != before.triangle(t).vertex) {
        EXPECT_TRUE(reported.contains(t)) << t;
      }
    }
  }
}

TEST(SplitEdge, RefusesAPointThatWouldInvertATriangle) {
  Triangulation mesh;
  const VertexIndex a = mesh.insert_point({0, 0}), b = mesh.insert_point({100, 0});
  mesh.insert_point({50, 2});
  mesh.insert_point({50, -40});
  mesh.insert_constraint(a, b, 1);
  const EdgeRef e = *mesh.find_edge(a, b);
  const auto before = edges_of(mesh);
  for (const Point p : {Point{50, 2}, {50, 3}, {0, 0}, {100, 0}, {25, 1}, {120, 0}, {-1, 0}, {50, -40}, {80, -30}}) {
    EXPECT_EQ(mesh.split_edge(e, p), kNone) << p.x << ' ' << p.y;
    EXPECT_EQ(edges_of(mesh), before);
  }
  EXPECT_NE(mesh.split_edge(e, {50, 1}), kNone);
  EXPECT_VALID(mesh);
}

TEST(SplitEdge, KeepsTheHullConvexWhereOneSideIsAGhost) {
  for (const int off : {-1, 0, 1}) {
    for (const bool from_ghost : {false, true}) {
      Triangulation mesh;
      const VertexIndex a = mesh.insert_point({0, 0}), b = mesh.insert_point({1000, 0});
      mesh.insert_points(std::vector<Point>{{500, 800}, {1, 400}, {999, 400}});
      mesh.insert_constraint(a, b, 1);
      const EdgeRef e = *mesh.find_edge(a, b);
      const VertexIndex middle = mesh.split_edge(from_ghost ? mesh.twin(e) : e, {500, off});
      ASSERT_NE(middle, kNone);
      ASSERT_VALID(mesh);
      EXPECT_EQ(edges_of(mesh, true), (EdgeSet{{{0, 0}, {500, off}}, {{500, off}, {1000, 0}}}));
    }
  }
}

}  // namespace
}  // namespace throng
