// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <throng/graph.hpp>

#include "navgraph/nav_graph.hpp"
#include "scene/builtin.hpp"
#include "support/layered_scenes.hpp"
#include "support/meshes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

TEST(NavigationGraph, OfAMeshFindsTheWayUpstairs) {
  Scene scene;
  scene.mesh = two_storeys();
  std::vector<std::string> stages;
  const auto graph = NavigationGraph::bake(scene, {.progress = [&](std::string_view s) { stages.emplace_back(s); }});
  ASSERT_TRUE(graph);
  EXPECT_EQ(stages, (std::vector<std::string>{"sample", "clearance", "cover", "connect", "gates"}));
  EXPECT_EQ(graph->report().stages.size(), stages.size());
  EXPECT_EQ(graph->report().layers, 2u);
  EXPECT_EQ(graph->report().components, 1u);
  EXPECT_NEAR(graph->report().area, 2 * 16 * 12, 20);
  EXPECT_GE(graph->report().covered, 0.96);
  const auto path = graph->path({2, 2, 0}, {14, 10, 3});
  ASSERT_TRUE(path && path->found);
  EXPECT_NEAR(path->points.back().z, 3, 0.01);
  EXPECT_NEAR(*graph->elevation_at({14, 10, 2.5}), 3, 1e-6);
  EXPECT_NEAR(*graph->elevation_at({14, 10, 0.5}), 0, 1e-6);
  EXPECT_FALSE(graph->elevation_at({100, 0, 0}));
  EXPECT_NE(*graph->disc_at({14, 10, 3}), *graph->disc_at({14, 10, 0}));
}

TEST(NavigationGraph, OfPolygonsStandsOnTheLayersElevation) {
  for (const char* name : {"city:12", "office:4"}) {
    const Result<Scene> scene = *make_builtin(name);
    ASSERT_TRUE(scene);
    const auto graph = NavigationGraph::bake(*scene);
    ASSERT_TRUE(graph) << to_string(graph.problems()[0]);
    EXPECT_GE(graph->report().covered, 0.96);
    const auto exact = Navigation::bake(*scene);
    ASSERT_TRUE(exact);
    // Samples count what is open to a column; houses closer than a step vanish from neither.
    EXPECT_NEAR(graph->report().area / exact->report().area, 1, 0.03);
  }
}

/// A road under a bridge and the ramp between them, as triangles: slopes and joints are those of the layers.
TEST(NavigationGraph, OfLayersGoesUpWhereTheyMeet) {
  Scene scene = bridge();
  const auto graph = NavigationGraph::bake(scene);
  ASSERT_TRUE(graph) << to_string(graph.problems()[0]);
  EXPECT_EQ(graph->report().components, 1u);
  const auto path = graph->path({3, 0, 0}, {3, 0, 4});
  ASSERT_TRUE(path && path->found);
  const auto exact = baked(scene).plan({.from = {3, 0}, .to = {3, 0}, .to_layer = 1});
  EXPECT_NEAR(path->length, exact->length, 0.1 * exact->length);
  EXPECT_NEAR(*graph->elevation_at({13, 16, 2}), 2, 0.05);
  // Without its last joint the bridge has a wall there.
  scene.joints.pop_back();
  const auto apart = NavigationGraph::bake(scene);
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->report().components, 2u);
  EXPECT_FALSE(apart->path({3, 0, 0}, {3, 0, 4})->found);
}

TEST(NavigationGraph, SaysWhereABodyWouldFit) {
  Scene scene;
  scene.mesh = two_storeys();
  const auto graph = NavigationGraph::bake(scene);
  ASSERT_TRUE(graph);
  const auto path = graph->path({-2, 2, 0}, {14, 10, 3});
  ASSERT_FALSE(path);
  EXPECT_NE(to_string(path.problems()[0]).find("nearest free place"), std::string::npos);
  EXPECT_FALSE(graph->flow({1, 1, 0}, {500, 500, 0}));
  EXPECT_FALSE(graph->flow({1, 1, 0}, {2, 2, 0}, {.max_ratio = 0.5}));
  EXPECT_FALSE(NavigationGraph::bake(Scene{}));
}

}  // namespace
}  // namespace throng
