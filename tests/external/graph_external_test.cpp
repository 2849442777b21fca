// SPDX-License-Identifier: MIT
// Navigation graphs of two game levels that nobody on this project made. Absent data is skipped.
#include <gtest/gtest.h>

#include "import/import.hpp"
#include "navgraph/graph_fixture.hpp"
#include "navgraph/graph_path.hpp"
#include "scene/sight_grid.hpp"
#include "support/external_data.hpp"

namespace throng {
namespace {

using namespace throng::testing;

class GraphOfLevel : public ::testing::TestWithParam<GameLevel> {};

TEST_P(GraphOfLevel, BakesSoundAndItsStoreysAreJoined) {
  const GameLevel& level = GetParam();
  THRONG_EXTERNAL(path, level.file);
  Result<Scene> scene = load_scene(path);
  ASSERT_TRUE(scene) << to_string(scene.problems()[0]);
  const Built built = build(scene->mesh, {.surface = {.step = level.step, .step_height = 0.9}}, 2);
  const NavGraph& g = built.graph;
  EXPECT_GE(static_cast<double>(built.report.covered), 0.96 * static_cast<double>(built.report.feasible));
  EXPECT_EQ(node_components(g.surface, [&](NodeIndex n) { return g.is_feasible(n); }).second, g.component_count);

  // No node the body can stand on is far from a disc: spread over discs, then over links.
  for (NodeIndex n = 0; n < g.surface.node_count(); ++n) {
    if (!g.is_feasible(n)) continue;
    double depth = g.depth(g.owner[n], g.surface.position(n));
    for (const GateIndex gate : g.gates_of(g.owner[n]))
      depth = std::max(depth, g.depth(g.gates[gate].other(g.owner[n]), g.surface.position(n)));
    if (depth >= -1.5) continue;
    for (DiscIndex d = 0; d < g.disc_count(); ++d)
      if (g.component[d] == g.component[g.owner[n]]) depth = std::max(depth, g.depth(d, g.surface.position(n)));
    EXPECT_GE(depth, -1.5);
  }

  const SightGrid lines(built.mesh);  // held against brute force in tests/navgraph
  EXPECT_EQ(discs_with_obstacles(built, 0.03, [&](Vec3 a, Vec3 b) { return lines.is_free(a, b); }), 0u);

  GraphSearch search(g);
  GraphPath found;
  ASSERT_EQ(search.find(level.low, level.high, found), GraphPathStatus::kFound);
  EXPECT_NEAR(found.points.back().z - found.points.front().z, level.high.z - level.low.z, 0.5);
  for (std::size_t i = 1; i < found.points.size(); ++i) {
    const double run = distance(plan_of(found.points[i - 1]), plan_of(found.points[i]));
    EXPECT_LE(std::abs(found.points[i].z - found.points[i - 1].z), 0.91 + 0.9 * run) << "no leg climbs faster than stairs";
  }
}

INSTANTIATE_TEST_SUITE_P(Graph, GraphOfLevel, kGameLevels, name_of_level);

}  // namespace
}  // namespace throng
