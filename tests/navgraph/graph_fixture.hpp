// SPDX-License-Identifier: MIT
// Graphs of small meshes, and what must be true of any of them.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/hash.hpp"
#include "navgraph/build.hpp"
#include "support/meshes.hpp"

namespace throng::testing {

struct Built {
  Mesh mesh;
  NavGraphSettings settings;
  NavGraph graph;
  NavGraphReport report;
};

inline Built build(Mesh mesh, const NavGraphSettings& settings = {}, unsigned threads = 1) {
  Built built{std::move(mesh), settings, {}, {}};
  const auto tasks = make_task_runner(threads);
  Result<NavGraph> graph = build_nav_graph(
      built.mesh, settings, *tasks, [](const char*) {}, built.report);
  if (graph)
    built.graph = std::move(*graph);
  else
    ADD_FAILURE() << to_string(graph.problems()[0]);
  return built;
}

/// A walled hall with random turned boxes, pillars and a sloping floor.
inline Mesh furnished_hall(std::uint64_t seed, double side = 20, int things = 14) {
  Mesh mesh;
  RandomStream random(seed, 0, 9);
  add_quad(mesh, {0, 0, 0}, {side, 0, 0.1 * side}, {side, side, 0.15 * side}, {0, side, 0.05 * side});
  const Vec2 corners[4] = {{0, 0}, {side, 0}, {side, side}, {0, side}};
  for (int i = 0; i < 4; ++i) add_wall(mesh, corners[i], corners[(i + 1) % 4], -1, 8);
  for (int i = 0; i < things; ++i)
    add_prism(mesh,
              rectangle({random.between(1, side - 1), random.between(1, side - 1)}, random.between(0.1, 2),
                        random.between(0.1, 1), random.between(0, 3)),
              -1, 7);
  return mesh;
}

/// Which component of the nodes that `use` holds each is in, over links; kNoNode for the others.
template <class Use>
std::pair<std::vector<std::uint32_t>, std::uint32_t> node_components(const Surface& s, Use use) {
  std::vector<std::uint32_t> of(s.node_count(), kNoNode);
  std::uint32_t count = 0;
  for (NodeIndex seed = 0; seed < s.node_count(); ++seed) {
    if (!use(seed) || of[seed] != kNoNode) continue;
    std::vector<NodeIndex> open{seed};
    of[seed] = count;
    while (!open.empty()) {
      const NodeIndex n = open.back();
      open.pop_back();
      for (int d = 0; d < 8; ++d)
        if (const NodeIndex other = s.neighbour(n, d); other != kNoNode && use(other) && of[other] == kNoNode)
          of[other] = count, open.push_back(other);
    }
    ++count;
  }
  return {of, count};
}

/// Cover, reach, components, gates, and no obstacle in any disc.
inline void expect_sound(const Built& built) {
  const NavGraph& g = built.graph;
  const Surface& s = g.surface;
  const auto feasible = [&](NodeIndex n) { return g.is_feasible(n); };
  EXPECT_GE(static_cast<double>(built.report.covered), 0.96 * static_cast<double>(built.report.feasible));

  const auto [component, count] = node_components(s, feasible);
  EXPECT_EQ(count, g.component_count);
  std::vector<std::uint32_t> of_disc_component(g.component_count, kNoNode);
  for (DiscIndex d = 0; d < g.disc_count(); ++d) {
    std::uint32_t& expected = of_disc_component[g.component[d]];
    if (expected == kNoNode) expected = component[g.centre_node[d]];
    EXPECT_EQ(component[g.centre_node[d]], expected);
  }
  std::uint64_t inside = 0;
  for (NodeIndex n = 0; n < s.node_count(); ++n) {
    if (!feasible(n)) continue;
    ASSERT_NE(g.owner[n], kNoDisc);
    EXPECT_EQ(component[g.centre_node[g.owner[n]]], component[n]);
    double depth = -1e300;
    for (DiscIndex d = 0; d < g.disc_count(); ++d)
      if (component[g.centre_node[d]] == component[n]) depth = std::max(depth, g.depth(d, s.position(n)));
    EXPECT_GE(depth, -1.5) << "node " << n << " is far from every disc";
    inside += depth > 0;
  }
  EXPECT_GE(inside + g.disc_count(), built.report.covered);  // discs of no size cover their own centre

  for (const Gate& gate : g.gates) {
    EXPECT_LT(gate.disc[0], gate.disc[1]);
    const double d = distance(plan_of(g.centre[gate.disc[0]]), plan_of(g.centre[gate.disc[1]]));
    const double r0 = g.radius[gate.disc[0]], r1 = g.radius[gate.disc[1]];
    if (d < r0 + r1 && d > std::abs(r0 - r1) && gate.width() > 0.05)
      for (const Vec3& end : gate.end) {
        EXPECT_NEAR(distance(plan_of(end), plan_of(g.centre[gate.disc[0]])), r0, 1e-6);
        EXPECT_NEAR(distance(plan_of(end), plan_of(g.centre[gate.disc[1]])), r1, 1e-6);
      }
    const Vec2 forward = plan_of(g.centre[gate.disc[1]]) - plan_of(g.centre[gate.disc[0]]);
    EXPECT_GE(cross(forward, plan_of(gate.end[0]) - plan_of(gate.end[1])), 0) << "the first end is the left one";
  }
}

/// Rays from the centre of each disc towards its rim, as far out as a body in it reaches, along the ground at several heights.
/// `is_free` says whether a line meets no triangle.
template <class IsFree>
std::size_t discs_with_obstacles(const Built& built, double slack, IsFree is_free) {
  const NavGraph& g = built.graph;
  std::size_t bad = 0;
  for (DiscIndex d = 0; d < g.disc_count(); ++d) {
    const double out = g.radius[d] + g.body_radius - slack;
    const int parts = 1 + static_cast<int>(out / 0.5);
    bool free = true;
    for (int k = 0; k < 16 && free; ++k) {
      const double angle = 2 * 3.14159265358979 * (k + 0.37) / 16;
      Vec3 from = g.centre[d];
      for (int part = 1; part <= parts && free; ++part) {
        const double away = out * part / parts;
        Vec3 to{g.centre[d].x + away * std::cos(angle), g.centre[d].y + away * std::sin(angle), from.z};
        to.z = elevation_at(g, to).value_or(to.z);
        for (const double w : {g.surface.step_height + 0.02, 1.0, g.surface.head_room - 0.25})
          free = free && is_free(Vec3{from.x, from.y, from.z + w}, Vec3{to.x, to.y, to.z + w});
        from = to;
      }
    }
    bad += !free;
  }
  return bad;
}

inline std::size_t discs_with_obstacles(const Built& built, double slack) {
  return discs_with_obstacles(built, slack, [&](Vec3 a, Vec3 b) { return !first_hit(built.mesh, a, b); });
}

inline std::uint64_t hash_of(const NavGraph& g) {
  Hash hash;
  for (const float c : g.clearance) hash.add(c);
  for (const DiscIndex d : g.owner) hash.add(d);
  for (const Vec3& c : g.centre) hash.add(c.x).add(c.y).add(c.z);
  for (const double r : g.radius) hash.add(r);
  for (const Gate& gate : g.gates) {
    hash.add(gate.disc[0]).add(gate.disc[1]).add(gate.cost);
    for (const Vec3& e : gate.end) hash.add(e.x).add(e.y).add(e.z);
  }
  for (const auto v : g.gate_start) hash.add(v);
  for (const auto v : g.disc_gates) hash.add(v);
  for (const auto v : g.component) hash.add(v);
  for (const auto v : g.sight.start) hash.add(v);
  for (const auto v : g.sight.discs) hash.add(v);
  return hash.value();
}

}  // namespace throng::testing
