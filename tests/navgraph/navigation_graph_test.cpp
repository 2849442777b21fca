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

TEST(PeopleOnGraph, AreNearOnTheirOwnStoreyOnly) {
  Scene scene;
  scene.mesh = two_storeys();
  const auto graph = NavigationGraph::bake(scene, {.sight_range = 40});
  ASSERT_TRUE(graph);
  // The second is right above the first, the third beside it; nobody knows where the fourth is.
  const std::vector<Vec3> places = {{14, 10, 0}, {14, 10, 3}, {13, 9, 0}, {100, 100, 0}};
  const PeopleOnGraph people(*graph, places);
  EXPECT_EQ(people.near(places[0], 4), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(people.near(places[1], 4), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(people.near(places[0], 1), (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(people.near({100, 100, 0}, 5).empty());
  const auto seen = people.seen_from(places[0], {.range = 10});
  ASSERT_TRUE(seen);
  EXPECT_EQ(*seen, (std::vector<std::uint32_t>{0, 2})) << "the floor is between the two storeys";
  EXPECT_EQ(*people.seen_from(places[0], {.range = 10, .towards = Vec2{1, 0}, .cosine = 0.9}), (std::vector<std::uint32_t>{0}));
  const auto too_far = people.seen_from(places[0], {.range = 41});
  ASSERT_FALSE(too_far);
  EXPECT_NE(too_far.problems()[0].fix.find("sight_range"), std::string::npos);
}

TEST(PeopleOnGraph, ChooseAWayRoundTheCrowd) {
  const auto graph = NavigationGraph::bake(**make_builtin("city:12"));
  ASSERT_TRUE(graph);
  const NavGraph& discs = graph->data();
  std::uint32_t from = 0, to = 0;  // the most western and the most eastern disc
  for (std::uint32_t d = 0; d < discs.disc_count(); ++d) {
    if (discs.centre[d].x < discs.centre[from].x) from = d;
    if (discs.centre[d].x > discs.centre[to].x) to = d;
  }
  const auto flow = graph->flow(discs.centre[from], discs.centre[to], {.max_paths = 6});
  ASSERT_TRUE(flow);
  ASSERT_GE(flow->paths.size(), 3u);
  const PeopleOnGraph nobody(*graph, {});
  EXPECT_EQ(nobody.choose(*flow, PathCriterion::kLength), 0u);
  std::uint32_t widest = 0;
  for (std::uint32_t i = 1; i < flow->paths.size(); ++i)
    if (flow->paths[i].narrowest > flow->paths[widest].narrowest) widest = i;
  EXPECT_EQ(flow->paths[nobody.choose(*flow, PathCriterion::kWidth)].narrowest, flow->paths[widest].narrowest);
  const std::uint32_t fastest = nobody.choose(*flow, PathCriterion::kTravelTime);
  EXPECT_EQ(nobody.choose(*flow, PathCriterion::kTravelTime, fastest), fastest);
  // Three hundred people on every disc that only this path has.
  std::vector<Vec3> places;
  for (const std::uint32_t disc : flow->paths[fastest].discs)
    for (int i = 0; i < 300; ++i) places.push_back(graph->data().centre[disc]);
  EXPECT_NE(PeopleOnGraph(*graph, places).choose(*flow, PathCriterion::kTravelTime), fastest);
  EXPECT_EQ(PeopleOnGraph(*graph, places).choose(*flow, PathCriterion::kLength), 0u) << "length knows nobody";
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
