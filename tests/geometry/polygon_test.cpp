// SPDX-License-Identifier: MIT
// Rings and segments against formulas, sampling and all-pairs search.
#include "geometry/polygon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "geometry/mesh_checks.hpp"

namespace throng {
namespace {

Ring circle(Vec2 centre, double radius, std::size_t count, double turn = 0) {
  Ring ring;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = turn + 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
    ring.push_back(centre + radius * Vec2{std::cos(angle), std::sin(angle)});
  }
  return ring;
}

TEST(Polygon, AreaIsSignedAndExactUpToTheEdgeOfTheGrid) {
  constexpr std::int32_t kFar = kCoordinateLimit - 1;
  const std::vector<Point> all{{-kFar, -kFar}, {kFar, -kFar}, {kFar, kFar}, {-kFar, kFar}};
  const std::int64_t expected = 2 * (2 * std::int64_t{kFar}) * (2 * std::int64_t{kFar});
  EXPECT_EQ(doubled_area(all), expected);
  EXPECT_EQ(doubled_area(std::vector<Point>(all.rbegin(), all.rend())), -expected);
  EXPECT_EQ(doubled_area(std::vector<Point>{}), 0);
  EXPECT_EQ(doubled_area(std::vector<Point>{{1, 2}, {3, 4}}), 0);
  // The ring may start anywhere.
  std::vector<Point> ring{{0, 0}, {7, 1}, {3, 3}, {9, 8}, {-2, 5}};
  const std::int64_t area = doubled_area(ring);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    std::rotate(ring.begin(), ring.begin() + 1, ring.end());
    EXPECT_EQ(doubled_area(ring), area);
  }
  EXPECT_NEAR(signed_area(circle({1e4, -1e4}, 2, 720)), 4 * std::numbers::pi, 1e-3);
}

TEST(Polygon, DirectionsAreNormalised) {
  Polygon polygon{circle({0, 0}, 5, 12), {circle({0, 0}, 1, 6), circle({2, 2}, 0.5, 6)}};
  std::reverse(polygon.outer.begin(), polygon.outer.end());
  normalise_direction(polygon);
  EXPECT_GT(signed_area(polygon.outer), 0);
  for (const Ring& hole : polygon.holes) EXPECT_LT(signed_area(hole), 0);
  const Polygon once = polygon;
  normalise_direction(polygon);
  EXPECT_EQ(polygon.outer, once.outer);
}

/// Inside iff some triangle of the constrained triangulation that is on the inner side holds the point; the ring's side is known
/// by flooding from outside with parity: independent of the ray test.
TEST(Polygon, FindInRingAgreesWithFloodingATriangulation) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    // A star-shaped ring with integer corners: simple by construction.
    std::vector<Point> ring;
    for (int i = 0; i < 24; ++i) {
      const double angle = 2 * std::numbers::pi * i / 24, radius = 10 + static_cast<double>(random() % 30);
      ring.push_back(
          {static_cast<int>(std::lround(radius * std::cos(angle))), static_cast<int>(std::lround(radius * std::sin(angle)))});
    }
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    Triangulation mesh;
    const auto v = mesh.insert_points(ring);
    for (std::size_t i = 0; i < ring.size(); ++i)
      mesh.insert_constraint(v[i], v[(i + 1) % v.size()], static_cast<ConstraintId>(i));
    ASSERT_VALID(mesh);
    std::vector<int> parity(mesh.triangle_slot_count(), -1);
    std::vector<TriangleIndex> open;
    for (TriangleIndex t = 0; t < static_cast<TriangleIndex>(parity.size()); ++t) {
      if (!mesh.is_alive(t) || !mesh.is_ghost(t)) continue;
      parity[t] = 0;
      open.push_back(t);
    }
    while (!open.empty()) {
      const TriangleIndex t = open.back();
      open.pop_back();
      for (int i = 0; i < 3; ++i) {
        const TriangleIndex n = mesh.triangle(t).neighbour[i];
        if (parity[n] >= 0) continue;
        parity[n] = parity[t] ^ static_cast<int>(mesh.is_constrained({t, i}));
        open.push_back(n);
      }
    }
    for (int y = -42; y <= 42; ++y) {
      for (int x = -42; x <= 42; ++x) {
        const auto at = mesh.locate({x, y});
        Containment expected = Containment::kOutside;
        if (at.kind == Triangulation::Location::kOnVertex ||
            (at.kind == Triangulation::Location::kOnEdge && mesh.is_constrained({at.triangle, at.edge}))) {
          expected = Containment::kOn;
        } else if (parity[at.triangle] == 1) {
          expected = Containment::kInside;
        }
        ASSERT_EQ(find_in_ring(ring, {x, y}), expected) << x << ' ' << y;
        if (expected == Containment::kOn) continue;
        Ring metres;
        for (const Point p : ring) metres.push_back(to_metres(p));
        ASSERT_EQ(contains(metres, to_metres({x, y})), expected == Containment::kInside);
      }
    }
  }
}

TEST(Polygon, HolesAreOutside) {
  const Polygon polygon{circle({0, 0}, 5, 40), {circle({1, 0}, 1, 20)}};
  EXPECT_TRUE(contains(polygon, {-3, 0}));
  EXPECT_FALSE(contains(polygon, {1, 0.2}));
  EXPECT_FALSE(contains(polygon, {6, 0}));
}

TEST(Segments, DistancesAgreeWithDenseSampling) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> coordinate(-5, 5);
  const auto point = [&] { return Vec2{coordinate(random), coordinate(random)}; };
  for (int round = 0; round < 300; ++round) {
    const Vec2 a = point(), b = round % 10 == 0 ? a : point(), c = point(), d = point();
    double to_point = 1e9, to_segment = 1e9;
    constexpr int kSamples = 200;
    for (int i = 0; i <= kSamples; ++i) {
      const Vec2 p = a + (i / double{kSamples}) * (b - a);
      to_point = std::min(to_point, distance(c, p));
      for (int j = 0; j <= kSamples; ++j) to_segment = std::min(to_segment, distance(p, c + (j / double{kSamples}) * (d - c)));
    }
    EXPECT_LE(distance_to_segment(c, a, b), to_point + 1e-12);
    EXPECT_NEAR(distance_to_segment(c, a, b), to_point, 0.04);
    EXPECT_LE(segment_distance(a, b, c, d), to_segment + 1e-12);
    EXPECT_NEAR(segment_distance(a, b, c, d), to_segment, 0.08);
    EXPECT_NEAR(segment_distance(a, b, c, d), segment_distance(d, c, b, a), 1e-12);
  }
}

TEST(FindCrossing, AcceptsSimpleOutlinesWithHolesThatTouch) {
  EXPECT_FALSE(find_crossing({}));
  EXPECT_FALSE(find_crossing(std::vector<Ring>{circle({0, 0}, 10, 100), circle({0, 0}, 3, 50), circle({5, 0}, 1, 7)}));
  // A hole whose corner touches the outline's edge, and two that share a corner.
  EXPECT_FALSE(
      find_crossing(std::vector<Ring>{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {{5, 0}, {6, 2}, {4, 2}}, {{6, 2}, {8, 2}, {8, 4}}}));
  // Straight corners and a repeated point.
  EXPECT_FALSE(find_crossing(std::vector<Ring>{{{0, 0}, {5, 0}, {5, 0}, {10, 0}, {10, 10}, {0, 10}}}));
}

TEST(FindCrossing, NamesTheEdgesAndThePlace) {
  const auto bow = find_crossing(std::vector<Ring>{{{0, 0}, {4, 4}, {4, 0}, {0, 4}}});
  ASSERT_TRUE(bow);
  EXPECT_EQ(bow->edge_a, 0u);
  EXPECT_EQ(bow->edge_b, 2u);
  EXPECT_NEAR(distance(bow->at, {2, 2}), 0, 1e-12);
  // A hole that leaves the outline: edges are numbered through.
  const auto hole = find_crossing(std::vector<Ring>{{{0, 0}, {9, 0}, {9, 9}, {0, 9}}, {{5, 5}, {12, 5}, {7, 8}}});
  ASSERT_TRUE(hole);
  EXPECT_EQ(hole->edge_a, 1u);
  EXPECT_EQ(hole->edge_b, 4u);
  EXPECT_NEAR(distance(hole->at, {9, 5}), 0, 1e-12);
  // A spike that runs back over itself, and a hole along the outline, overlap.
  EXPECT_TRUE(find_crossing(std::vector<Ring>{{{0, 0}, {9, 0}, {9, 9}, {9, 3}, {0, 3}}}));
  EXPECT_TRUE(find_crossing(std::vector<Ring>{{{0, 0}, {9, 0}, {9, 9}, {0, 9}}, {{2, 0}, {3, 0}, {3, 1}}}));
}

TEST(FindCrossing, FindsTheFirstOneThatAllPairsFind) {
  std::mt19937 random(3);
  const auto sign = [](std::int64_t value) { return (value > 0) - (value < 0); };
  int crossed = 0;
  for (int round = 0; round < 600; ++round) {
    const auto points = test::random_points(random, 3 + random() % 5, 3 + static_cast<std::int32_t>(random() % 30));
    Ring ring;
    for (const Point p : points) ring.push_back(to_metres(p));
    // Exact, on the grid points the doubles stand for.
    std::optional<std::pair<std::size_t, std::size_t>> expected;
    const std::size_t n = points.size();
    for (std::size_t i = 0; i < n && !expected; ++i) {
      for (std::size_t j = i + 1; j < n && !expected; ++j) {
        const Point a = points[i], b = points[(i + 1) % n], c = points[j], d = points[(j + 1) % n];
        const int sides[4] = {sign(orient(a, b, c)), sign(orient(a, b, d)), sign(orient(c, d, a)), sign(orient(c, d, b))};
        bool crosses = sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0;
        if (a != b && c != d && std::all_of(sides, sides + 4, [](int s) { return s == 0; })) {
          // Collinear, so lexicographic order is order along the line.
          crosses = std::max(std::min(a, b), std::min(c, d)) < std::min(std::max(a, b), std::max(c, d));
        }
        if (crosses) expected = {i, j};
      }
    }
    const auto found = find_crossing(std::vector<Ring>{ring});
    ASSERT_EQ(found.has_value(), expected.has_value()) << "round " << round;
    if (!found) continue;
    ++crossed;
    ASSERT_EQ(found->edge_a, expected->first);
    ASSERT_EQ(found->edge_b, expected->second);
    ASSERT_LE(distance_to_segment(found->at, ring[found->edge_a], ring[(found->edge_a + 1) % n]), 1e-12);
    ASSERT_LE(distance_to_segment(found->at, ring[found->edge_b], ring[(found->edge_b + 1) % n]), 1e-12);
  }
  EXPECT_GT(crossed, 200);
  EXPECT_LT(crossed, 500);
}

TEST(FindCrossing, HandlesAHundredThousandEdges) {
  EXPECT_FALSE(find_crossing(std::vector<Ring>{circle({0, 0}, 1000, 100000)}));
  // A comb: half of its edges are long and parallel.
  Ring comb;
  for (int i = 0; i < 25000; ++i) {
    const double x = i * 0.1;
    comb.insert(comb.end(), {{x, 1}, {x, 100}, {x + 0.05, 100}, {x + 0.05, 1}});
  }
  comb.insert(comb.end(), {{2500, 0}, {0, 0}});
  EXPECT_FALSE(find_crossing(std::vector<Ring>{comb}));
  comb[70002].x -= 0.06;
  EXPECT_TRUE(find_crossing(std::vector<Ring>{comb}));
}

}  // namespace
}  // namespace throng
