// SPDX-License-Identifier: MIT
// The triangulation under the graph: against brute force, against CGAL, and where it is degenerate.
#include <gtest/gtest.h>

#include <random>

#include "neighbours/edge_check.hpp"
#include "neighbours/oracle.hpp"
#include "neighbours/predicates.hpp"
#ifdef THRONG_HAVE_CGAL
#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#endif

namespace throng {
namespace {

using namespace throng::testing;

Crowd crowd_of(const std::vector<Point>& points) {
  Crowd crowd;
  for (const Point p : points) crowd.add(p.x * kUnit, p.y * kUnit);
  return crowd;
}

Links links_of_points(const std::vector<Point>& points) {
  const Crowd crowd = crowd_of(points);
  NeighbourGraph graph(bare_settings());
  InlineTasks tasks;
  graph.update(crowd.input(), tasks);
  return links_of(graph);
}

TEST(InCircleByPosition, OfTwoDiagonalsExactlyOneIsLegal) {
  std::mt19937 random(1);
  int ties = 0;
  for (int round = 0; round < 200000; ++round) {
    // A grid so small that most quadrilaterals are cocircular or nearly so.
    Point p[4];
    for (Point& q : p) q = {static_cast<std::int32_t>(random() % 6), static_cast<std::int32_t>(random() % 6)};
    const auto [a, d, b, c] = p;
    if (orient(a, d, b) <= 0 || orient(d, b, c) <= 0 || orient(b, c, a) <= 0 || orient(c, a, d) <= 0) continue;
    EXPECT_NE(inside_circle(a, b, c, d), inside_circle(c, d, b, a));
    EXPECT_EQ(inside_circle(a, b, c, d), inside_circle(b, c, a, d));
    EXPECT_EQ(inside_circle(a, b, c, d), inside_raised(a, b, c, d));
    ties += in_circle(a, b, c, d) == 0;
  }
  EXPECT_GT(ties, 100);
}

TEST(InCircleByPosition, AgreesWithWideIntegersAtTheEdgeOfTheCoordinates) {
  std::mt19937 random(2);
  const auto far = [&] {
    return (random() % 2 != 0 ? 1 : -1) * (kAgentCoordinateLimit - static_cast<std::int32_t>(random() % 3));
  };
  int decided = 0;
  for (int round = 0; round < 20000; ++round) {
    Point p[4];
    for (Point& q : p) q = {far(), far()};
    if (round % 2 != 0) p[random() % 4] = {static_cast<std::int32_t>(random() % 100), static_cast<std::int32_t>(random() % 100)};
    if (orient(p[0], p[1], p[2]) <= 0) continue;
    const int sign = in_circle(p[0], p[1], p[2], p[3]);
    if (sign == 0) continue;
    EXPECT_EQ(inside_circle(p[0], p[1], p[2], p[3]), sign > 0);
    ++decided;
  }
  EXPECT_GT(decided, 1000);
}

TEST(EdgeCheck, VectorAndPlainNameTheSameEdges) {
  std::mt19937 random(3);
  for (const std::int32_t range : {3, 50, 5000, kAgentCoordinateLimit}) {
    std::vector<Point> points;
    std::uniform_int_distribution<std::int32_t> coordinate(-range, range);
    for (int i = 0; i < 500; ++i) points.push_back({coordinate(random), coordinate(random)});
    std::vector<std::uint32_t> corners;
    for (int i = 0; i < 4 * 1003; ++i) corners.push_back(static_cast<std::uint32_t>(random() % (i % 5 == 0 ? 4 : 500)));
    for (const auto& [begin, end] : {std::pair(0u, 1003u), std::pair(5u, 6u), std::pair(3u, 999u), std::pair(7u, 7u)}) {
      std::vector<std::uint32_t> fast, plain;
      find_doubtful_edges(corners, points, begin, end, fast);
      find_doubtful_edges_plain(corners, points, begin, end, plain);
      EXPECT_EQ(fast, plain);
      EXPECT_TRUE(end - begin < 500 || plain.size() < end - begin);
    }
  }
}

TEST(Triangulation, OfFewPointsOnATinyGridIsTheRaisedOne) {
  std::mt19937 random(4);
  int flat = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t count = static_cast<std::uint32_t>(random() % 12), range = 1 + static_cast<std::uint32_t>(random() % 5);
    std::vector<Point> points;
    for (std::uint32_t i = 0; i < count; ++i)
      points.push_back(
          {static_cast<std::int32_t>(random() % range), static_cast<std::int32_t>(random() % (round % 3 == 0 ? 1 : range))});
    flat += round % 3 == 0;
    ASSERT_EQ(links_of_points(points), brute_links(points)) << "round " << round;
  }
  EXPECT_GT(flat, 100);
}

TEST(Triangulation, MovesOnATinyGridAsTheRaisedOneDoes) {
  std::mt19937 random(5);
  InlineTasks tasks;
  int stages[5] = {};
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t count = 6 + static_cast<std::uint32_t>(random() % 8),
                        range = 3 + static_cast<std::uint32_t>(random() % 20);
    std::vector<Point> points;
    for (std::uint32_t i = 0; i < count; ++i)
      points.push_back({static_cast<std::int32_t>(random() % range), static_cast<std::int32_t>(random() % range)});
    NeighbourGraph graph(bare_settings());
    for (int step = 0; step < 60; ++step) {
      const Crowd crowd = crowd_of(points);
      graph.update(crowd.input(), tasks);
      ++stages[static_cast<int>(graph.report().stage)];
      ASSERT_EQ(links_of(graph), brute_links(points)) << "round " << round << ", step " << step;
      for (Point& p : points)
        if (random() % 3 == 0)
          p.x += static_cast<std::int32_t>(random() % 3) - 1, p.y += static_cast<std::int32_t>(random() % 3) - 1;
    }
  }
  for (const int count : stages) EXPECT_GT(count, 10);
}

TEST(Triangulation, HasTheNumberOfEdgesThatEulerSays) {
  RandomStream random(6, 0, 0);
  std::vector<Point> points;
  for (int i = 0; i < 500; ++i)
    points.push_back(
        {static_cast<std::int32_t>(random.integer(-50000, 50000)), static_cast<std::int32_t>(random.integer(-50000, 50000))});
  std::size_t hull = 0;  // edges with all others on one side
  for (const Point a : points)
    for (const Point b : points)
      hull +=
          a != b && std::all_of(points.begin(), points.end(), [&](Point p) { return p == a || p == b || orient(a, b, p) > 0; });
  const Links links = links_of_points(points);
  EXPECT_EQ(links.size() / 2, 3 * points.size() - 3 - hull);
  EXPECT_LE(links.size() / 2, 3 * points.size() - 6);
  for (const auto& [i, j] : links) EXPECT_TRUE(has_empty_circle(points[i], points[j], points));
}

TEST(Triangulation, OfNobodyOneAndTwo) {
  EXPECT_TRUE(links_of_points({}).empty());
  EXPECT_TRUE(links_of_points({{3, 4}}).empty());
  EXPECT_EQ(links_of_points({{3, 4}, {-7, 9}}), (Links{{0, 1}, {1, 0}}));
  EXPECT_EQ(links_of_points({{3, 4}, {3, 4}}), (Links{{0, 1}, {1, 0}}));
}

TEST(Triangulation, ReachesAsFarAsCoordinatesDo) {
  // Corners of the largest square, its middle, and a tight knot far out: circles of a million metres beside ones of millimetres.
  constexpr std::int32_t kFar = 1 << 29;  // exactly representable in the columns
  std::vector<Point> points{{-kFar, -kFar}, {kFar, -kFar}, {kFar, kFar}, {-kFar, kFar}, {0, 0}, {1, 0}, {0, 1}, {5, 5}};
  const Links links = links_of_points(points);
  for (const auto& [i, j] : links) EXPECT_TRUE(has_empty_circle(points[i], points[j], points)) << i << ' ' << j;
  EXPECT_EQ(links.size() / 2, 3 * points.size() - 3 - 4);
  // Beyond the limit positions are moved to the border, and not-a-number too.
  Crowd crowd;
  for (int i = 0; i < 6; ++i) crowd.add(i % 2 == 0 ? 1e30 : -1e30, i);
  crowd.add(std::nan(""), 3), crowd.add(0, -HUGE_VAL), crowd.add(0, 0);
  NeighbourGraph graph(bare_settings());
  InlineTasks tasks;
  graph.update(crowd.input(), tasks);
  EXPECT_FALSE(graph.of(8).empty());
}

TEST(Triangulation, OfAHundredThousandOnOnePointOrOneLineEnds) {
  Crowd line;
  for (int i = 0; i < 100000; ++i) line.add(0.125 * i, 7);
  InlineTasks tasks;
  NeighbourGraph graph(bare_settings());
  graph.update(line.input(), tasks);
  EXPECT_EQ(graph.report().edges, 99999u);
  EXPECT_EQ(graph.of(0).size(), 1u);
  EXPECT_EQ(graph.of(500).size(), 2u);
  // Two points of the grid hold everybody: each sees its own place and the other.
  Crowd two;
  for (int i = 0; i < 3000; ++i) two.add(i % 2, 0);
  for (int step = 0; step < 3; ++step) graph.update(two.input(), tasks);
  EXPECT_EQ(graph.of(17).size(), 2999u);
}

#ifdef THRONG_HAVE_CGAL
TEST(Triangulation, HasTheEdgesOfCgal) {
  using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
  using Oracle = CGAL::Delaunay_triangulation_2<Kernel>;
  RandomStream random(8, 0, 0);
  InlineTasks tasks;
  Crowd crowd;
  for (int i = 0; i < 2000; ++i) crowd.add(random.between(0, 60), random.between(0, 60));
  NeighbourGraph graph(bare_settings());
  std::size_t cocircular = 0;
  for (int step = 0; step < 100; ++step) {
    for (std::uint32_t i = 0; i < crowd.size(); ++i) {
      crowd.x[i] += static_cast<float>(random.between(-0.15, 0.15)),
          crowd.y[i] += static_cast<float>(random.between(-0.15, 0.15));
    }
    graph.update(crowd.input(), tasks);
    Oracle oracle;
    std::map<Point, std::uint32_t> row_at;
    std::vector<Point> points;
    for (std::uint32_t i = 0; i < crowd.size(); ++i) {
      points.push_back(crowd.point(i));
      row_at[points[i]] = i;
    }
    for (const Point p : points) oracle.insert({static_cast<double>(p.x), static_cast<double>(p.y)});
    std::set<std::pair<Point, Point>> expected, ours;
    const auto from_cgal = [](const Kernel::Point_2& p) {
      return Point{static_cast<std::int32_t>(p.x()), static_cast<std::int32_t>(p.y())};
    };
    for (auto e = oracle.finite_edges_begin(); e != oracle.finite_edges_end(); ++e) {
      const Point a = from_cgal(e->first->vertex(Oracle::cw(e->second))->point()),
                  b = from_cgal(e->first->vertex(Oracle::ccw(e->second))->point());
      expected.insert({std::min(a, b), std::max(a, b)});
    }
    for (const auto& [i, j] : links_of(graph))
      if (points[i] < points[j]) ours.insert({points[i], points[j]});
    ASSERT_EQ(ours.size(), expected.size());
    for (const auto& edge : ours)
      if (!expected.contains(edge)) {
        ++cocircular;  // a tie: both diagonals have an empty circle
        ASSERT_TRUE(has_empty_circle(edge.first, edge.second, points));
      }
  }
  EXPECT_LT(cocircular, 200u);
}
#endif

}  // namespace
}  // namespace throng
