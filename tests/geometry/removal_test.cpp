// SPDX-License-Identifier: MIT
// Removal: what was inserted and taken back leaves no trace.
#include <gtest/gtest.h>

#include "geometry/mesh_checks.hpp"
#include "geometry/triangulation.hpp"

namespace throng {
namespace {

using test::edges_of;
using test::EdgeSet;
using test::random_points;
using test::vertex_count;

TEST(Removal, InsertThenRemoveRestoresTheEdgesInGeneralPosition) {
  std::mt19937 random(1);
  for (int round = 0; round < 40; ++round) {
    Triangulation mesh;
    const auto v = mesh.insert_points(random_points(random, 80, 1 << 23));
    for (int i = 0; i < 10; ++i) mesh.insert_constraint(v[i], v[i + 10], i);
    const auto all = edges_of(mesh), walls = edges_of(mesh, true);
    const std::size_t vertices = vertex_count(mesh);
    for (int i = 20; i < 50; ++i) mesh.insert_constraint(v[i], v[i + 30], i);
    ASSERT_GT(vertex_count(mesh), vertices) << "the scene must have crossings";
    std::vector<int> order;
    for (int i = 20; i < 50; ++i) order.push_back(i);
    std::shuffle(order.begin(), order.end(), random);
    for (const int i : order) {
      mesh.remove_constraint(i);
      ASSERT_VALID(mesh);
      ASSERT_TRUE(mesh.edges_of(i).empty());
    }
    EXPECT_EQ(vertex_count(mesh), vertices);
    EXPECT_EQ(edges_of(mesh), all);
    EXPECT_EQ(edges_of(mesh, true), walls);
  }
}

TEST(Removal, ReleasedPointsVanishAndTheRestIsDelaunayAgain) {
  std::mt19937 random(2);
  for (const std::int32_t range : {8, 300, 1 << 22}) {
    const auto points = random_points(random, 120, range);
    Triangulation mesh, rest;
    const auto v = mesh.insert_points(points);
    for (int i = 0; i < 80; ++i) {
      mesh.release_point(v[i]);
      ASSERT_VALID(mesh);
    }
    rest.insert_points(std::span(points).subspan(80));
    EXPECT_EQ(vertex_count(mesh), vertex_count(rest));
    if (range == 1 << 22) {
      EXPECT_EQ(edges_of(mesh), edges_of(rest));
    }
    EXPECT_EQ(edges_of(mesh).size(), edges_of(rest).size());
  }
}

TEST(Removal, ABentWallBecomesStraightAgain) {
  Triangulation mesh;
  mesh.insert_points(std::vector<Point>{{-5000, -5000}, {5000, -5000}, {0, 5000}});
  const VertexIndex a = mesh.insert_point({0, 0}), b = mesh.insert_point({1000, 999}), c = mesh.insert_point({0, 1000}),
                    d = mesh.insert_point({1000, 3});
  mesh.insert_constraint(a, b, 1);
  mesh.insert_constraint(c, d, 2);
  EXPECT_FALSE(mesh.find_edge(a, b));
  mesh.remove_constraint(2);
  ASSERT_VALID(mesh);
  EXPECT_EQ(edges_of(mesh, true), (EdgeSet{{{0, 0}, {1000, 999}}}));
  EXPECT_EQ(vertex_count(mesh), 7u);
}

TEST(Removal, ABentWallStaysBentWhileAVertexLiesBetween) {
  const Point start{0, 0}, end{9970, 6161};
  std::mt19937 random(3);
  for (int found = 0; found < 5;) {
    Triangulation mesh;
    mesh.insert_points(std::vector<Point>{{-50000, -50000}, {50000, -50000}, {0, 50000}});
    const VertexIndex a = mesh.insert_point(start), b = mesh.insert_point(end);
    const std::int32_t x = 1000 + static_cast<std::int32_t>(random() % 8000);
    const VertexIndex c = mesh.insert_point({x, 9000}),
                      d = mesh.insert_point({x + 1 + static_cast<std::int32_t>(random() % 50), -9000});
    mesh.insert_constraint(a, b, 1);
    mesh.insert_constraint(c, d, 2);
    Point bend = start;
    for (const EdgeRef e : mesh.edges_of(1)) {
      for (const VertexIndex v : {mesh.from(e), mesh.to(e)}) bend = v != a && v != b ? mesh.point(v) : bend;
    }
    // A grid point strictly between the straight and the bent wall.
    const std::int64_t side = orient(start, end, bend);
    if (side == 0) continue;
    Point between = bend;
    for (std::int32_t i = 1; i < end.x; ++i) {
      for (std::int32_t j = i * end.y / end.x - 1; j <= i * end.y / end.x + 2; ++j) {
        const auto inside = [&](Point p, Point q) {
          return (orient(p, q, {i, j}) > 0) == (side > 0) && orient(p, q, {i, j}) != 0;
        };
        if (inside(start, end) && inside(end, bend) && inside(bend, start)) between = {i, j};
      }
    }
    if (between == bend) continue;
    ++found;
    const VertexIndex v = mesh.insert_point(between);
    mesh.remove_constraint(2);
    ASSERT_VALID(mesh);
    EXPECT_EQ(edges_of(mesh, true), (EdgeSet{{start, bend}, {bend, end}})) << "or the vertex would change sides";
    mesh.release_point(v);
    ASSERT_VALID(mesh);
    EXPECT_EQ(edges_of(mesh, true), (EdgeSet{{start, end}})) << "nothing is in the way any more";
  }
}

TEST(Removal, TheLastTriangleGoesAndConstraintsSurviveOnTheLine) {
  Triangulation mesh;
  const VertexIndex a = mesh.insert_point({0, 0}), b = mesh.insert_point({20, 0});
  mesh.insert_point({10, 0});
  const VertexIndex top = mesh.insert_point({5, 9});
  mesh.insert_constraint(a, b, 1);
  mesh.release_point(top);
  EXPECT_TRUE(mesh.is_flat());
  ASSERT_VALID(mesh);
  mesh.insert_point({5, -9});
  ASSERT_VALID(mesh);
  EXPECT_EQ(mesh.edges_of(1).size(), 2u);
}

TEST(Removal, AnySequenceOfOperationsStaysValidAndEndsEmpty) {
  for (int seed = 0; seed < 1500; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<int>(random() % n); };
    const std::int32_t range = 2 + below(seed % 3 == 0 ? 6 : seed % 3 == 1 ? 40 : 100000);
    Triangulation mesh;
    auto vertices = mesh.insert_points(random_points(random, below(30), range));
    std::vector<ConstraintId> live;
    ConstraintId next = 0;
    for (int step = 0; step < 40; ++step) {
      const int kind = below(10);
      if (kind < 2) {
        vertices.push_back(mesh.insert_point(random_points(random, 1, range).front()));
      } else if (kind < 6 && !vertices.empty()) {
        // Few ids, so that segments share them.
        const ConstraintId id = below(4) == 0 && !live.empty() ? live[below(live.size())] : next++;
        mesh.insert_constraint(vertices[below(vertices.size())], vertices[below(vertices.size())], id);
        live.push_back(id);
      } else if (kind == 6 && !live.empty()) {
        mesh.remove_constraint(live[below(live.size())]);
      } else if (kind == 7 && !vertices.empty()) {
        const auto chosen = vertices.begin() + below(vertices.size());
        mesh.release_point(*chosen);
        vertices.erase(chosen);
      } else if (!mesh.is_flat()) {
        const EdgeRef e{below(mesh.triangle_slot_count()), below(3)};
        if (!mesh.is_alive(e.triangle) || mesh.from(e) == kGhost || mesh.to(e) == kGhost) continue;
        const Point a = mesh.point(mesh.from(e)), b = mesh.point(mesh.to(e));
        const VertexIndex v = mesh.split_edge(e, {(a.x + b.x) / 2 + below(3) - 1, (a.y + b.y) / 2 + below(3) - 1});
        if (v != kNone) vertices.push_back(v);
      }
      ASSERT_VALID(mesh) << "seed " << seed << " step " << step << " kind " << kind;
    }
    for (const ConstraintId id : live) mesh.remove_constraint(id);
    ASSERT_VALID(mesh) << "seed " << seed;
    for (const VertexIndex v : vertices) mesh.release_point(v);
    ASSERT_VALID(mesh) << "seed " << seed;
    ASSERT_EQ(vertex_count(mesh), 0u) << "seed " << seed;
  }
}

}  // namespace
}  // namespace throng
