// SPDX-License-Identifier: MIT
// Our triangulation against CGAL's, where it is installed (an oracle only: CGAL is GPL and never linked into what ships).
#include <gtest/gtest.h>

#ifdef THRONG_HAVE_CGAL
#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include "geometry/mesh_checks.hpp"
#include "geometry/triangulation.hpp"

namespace throng {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Oracle = CGAL::Constrained_Delaunay_triangulation_2<Kernel, CGAL::Default,
                                                          CGAL::No_constraint_intersection_requiring_constructions_tag>;
using test::EdgeSet;

Kernel::Point_2 to_cgal(Point p) { return {static_cast<double>(p.x), static_cast<double>(p.y)}; }
Point from_cgal(const Kernel::Point_2& p) { return {static_cast<std::int32_t>(p.x()), static_cast<std::int32_t>(p.y())}; }

EdgeSet edges_of(const Oracle& oracle, bool constrained_only = false) {
  EdgeSet edges;
  for (auto e = oracle.finite_edges_begin(); e != oracle.finite_edges_end(); ++e) {
    if (constrained_only && !oracle.is_constrained(*e)) continue;
    const Point a = from_cgal(e->first->vertex(Oracle::cw(e->second))->point());
    const Point b = from_cgal(e->first->vertex(Oracle::ccw(e->second))->point());
    edges.insert({std::min(a, b), std::max(a, b)});
  }
  return edges;
}

bool may_cross(Point a, Point b, Point c, Point d) {
  const auto sign = [](std::int64_t value) { return (value > 0) - (value < 0); };
  return sign(orient(a, b, c)) * sign(orient(a, b, d)) < 0 && sign(orient(c, d, a)) * sign(orient(c, d, b)) < 0;
}

struct Input {
  std::vector<Point> points;
  std::vector<std::pair<std::size_t, std::size_t>> segments;
};

/// Random points and segments between them that do not cross properly; they may touch, overlap and run through points.
Input random_input(std::mt19937& random, std::size_t points, std::size_t tries, std::int32_t range) {
  Input input{test::random_points(random, points, range), {}};
  for (std::size_t i = 0; i < tries; ++i) {
    const std::size_t a = random() % points, b = random() % points;
    const bool crosses = std::any_of(input.segments.begin(), input.segments.end(), [&](const auto& s) {
      return may_cross(input.points[a], input.points[b], input.points[s.first], input.points[s.second]);
    });
    if (!crosses && input.points[a] != input.points[b]) input.segments.push_back({a, b});
  }
  return input;
}

void build(const Input& input, Triangulation& mesh, Oracle& oracle) {
  const auto v = mesh.insert_points(input.points);
  std::vector<Oracle::Vertex_handle> handles;
  for (const Point p : input.points) handles.push_back(oracle.insert(to_cgal(p)));
  for (std::size_t i = 0; i < input.segments.size(); ++i) {
    const auto [a, b] = input.segments[i];
    mesh.insert_constraint(v[a], v[b], static_cast<ConstraintId>(i));
    oracle.insert_constraint(handles[a], handles[b]);
  }
}

TEST(CgalOracle, DelaunayEdgesAreTheSame) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    Triangulation mesh;
    Oracle oracle;
    build(random_input(random, 2000, 0, kCoordinateLimit - 1), mesh, oracle);
    ASSERT_EQ(test::edges_of(mesh), edges_of(oracle));
  }
}

TEST(CgalOracle, ConstrainedEdgesAreTheSame) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    const Input input = random_input(random, 150, 600, kCoordinateLimit - 1);
    Triangulation mesh;
    Oracle oracle;
    build(input, mesh, oracle);
    ASSERT_VALID(mesh);
    ASSERT_GT(input.segments.size(), 40u);
    ASSERT_EQ(test::edges_of(mesh, true), edges_of(oracle, true));
    ASSERT_EQ(test::edges_of(mesh), edges_of(oracle));
  }
}

TEST(CgalOracle, CoarseGridsDifferOnlyInCocircularTies) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const Input input = random_input(random, 40, 100, 4 + round % 20);
    Triangulation mesh;
    Oracle oracle;
    build(input, mesh, oracle);
    ASSERT_VALID(mesh);
    ASSERT_EQ(test::edges_of(mesh, true), edges_of(oracle, true));
    const EdgeSet ours = test::edges_of(mesh), theirs = edges_of(oracle);
    ASSERT_EQ(ours.size(), theirs.size());
    for (const auto& [a, b] : ours) {
      if (theirs.contains({a, b})) continue;
      // An edge they do not have must be the diagonal of a cocircular quadrilateral, or lie inside a larger cocircular polygon.
      const auto [from, to] = std::pair{mesh.locate(a).vertex, mesh.locate(b).vertex};
      const EdgeRef e = *mesh.find_edge(from, to);
      const VertexIndex left = mesh.apex(e), right = mesh.apex(mesh.twin(e));
      ASSERT_EQ(in_circle(a, b, mesh.point(left), mesh.point(right)), 0);
    }
  }
}

TEST(CgalOracle, RemovedPointsAndConstraintsLeaveWhatCgalBuildsWithoutThem) {
  std::mt19937 random(4);
  for (int round = 0; round < 30; ++round) {
    Input input = random_input(random, 120, 200, kCoordinateLimit - 1);
    Triangulation mesh;
    Oracle unused, oracle;
    build(input, mesh, unused);
    const std::size_t kept = input.segments.size() / 2;
    for (std::size_t i = kept; i < input.segments.size(); ++i) mesh.remove_constraint(static_cast<ConstraintId>(i));
    for (const Point p : input.points) mesh.release_point(mesh.locate(p).vertex);
    ASSERT_VALID(mesh);
    // Only the ends of constraints are left.
    for (std::size_t i = 0; i < kept; ++i) {
      oracle.insert_constraint(to_cgal(input.points[input.segments[i].first]), to_cgal(input.points[input.segments[i].second]));
    }
    ASSERT_EQ(test::edges_of(mesh, true), edges_of(oracle, true));
    ASSERT_EQ(test::edges_of(mesh), edges_of(oracle));
  }
}

}  // namespace
}  // namespace throng
#else
TEST(CgalOracle, IsInstalled) { GTEST_SKIP() << "skipped: CGAL is not installed (libcgal-dev)"; }
#endif
