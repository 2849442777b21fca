// SPDX-License-Identifier: MIT
// Layers that meet at joints: one connected ground, however they lie above each other.
#include <gtest/gtest.h>

#include <cmath>
#include <throng/navigation.hpp>

#include "base/random.hpp"
#include "navigation/navigation_data.hpp"
#include "support/built_cells.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Layer layer_of(const char* name, Polygon ground, double elevation = 0, Vec2 slope = {}) {
  Layer layer;
  layer.name = name;
  layer.walkable = {std::move(ground)};
  layer.elevation = elevation;
  layer.slope = slope;
  return layer;
}

Navigation baked(const Scene& scene) {
  Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
  if (!navigation) throw std::runtime_error(to_string(navigation.problems()[0]));
  return std::move(*navigation);
}

/// A road from south to north under a bridge from west to east, with a ramp from the road's north end up to the bridge's east
/// end.
Scene bridge() {
  Scene scene;
  scene.name = "bridge";
  scene.layers = {layer_of("road", box(0, -20, 6, 20)), layer_of("bridge", box(-20, -2, 20, 2), 4),
                  layer_of("ramp", box(6, 14, 20, 18), -12.0 / 7, {2.0 / 7, 0}), layer_of("tower", box(20, -2, 24, 18), 4)};
  scene.joints = {{{0, 2}, {{6, 14}, {6, 18}}}, {{2, 3}, {{20, 14}, {20, 18}}}, {{3, 1}, {{20, -2}, {20, 2}}}};
  return scene;
}

TEST(Joints, ABridgeIsReachedByItsRampAndNotFromBelow) {
  const Navigation navigation = baked(bridge());
  EXPECT_EQ(navigation.report().components, 1u);
  EXPECT_DOUBLE_EQ(navigation.elevation({13, 16}, 2), -12.0 / 7 + 26.0 / 7);
  for (const Planner planner : {Planner::kHierarchy, Planner::kZones, Planner::kRoadmap, Planner::kShortest}) {
    PathRequest request;
    request.planner = planner;
    request.from = {3, 0};
    request.to = {3, 0};
    request.to_layer = 1;
    const auto path = navigation.plan(request);
    ASSERT_TRUE(path && path->found) << name_of(planner);
    // The same place in plan, a storey higher: up the road, round (6, 14) and round (20, 14) and (20, 2).
    const double straight = distance({3, 0}, {6, 14}) + 14 + 12 + distance({20, 2}, {3, 0});
    EXPECT_NEAR(path->length, straight, 0.03 * straight) << name_of(planner);
    EXPECT_GT(path->length, straight) << name_of(planner);
  }
  Scene apart = bridge();
  apart.joints.pop_back();
  const Navigation two = baked(apart);
  EXPECT_EQ(two.report().components, 2u);
  PathRequest request{.from = {3, 0}, .to = {3, 0}, .to_layer = 1};
  EXPECT_FALSE(two.plan(request)->found);
}

/// Cut along x = 10 and x = 14, a hall is what it was: the joined layers must answer as the whole does.
TEST(Joints, AHallCutIntoLayersAnswersAsTheWholeHall) {
  const std::vector<Polygon> pillars = {box(4, 3, 5, 9), box(12, 0, 12.5, 4), box(11.5, 6, 15, 7), box(9.5, 8, 10.5, 9),
                                        box(17, 2, 18, 8)};
  Scene whole;
  whole.layers = {layer_of("hall", box(0, 0, 20, 10))};
  whole.layers[0].obstacles = pillars;
  Scene cut;
  cut.layers = {layer_of("west", box(0, 0, 10, 10)), layer_of("middle", box(10, 0, 14, 10)),
                layer_of("east", box(14, 0, 20, 10))};
  for (Layer& layer : cut.layers) layer.obstacles = pillars;
  cut.joints = {{{0, 1}, {{10, 0}, {10, 10}}}, {{1, 2}, {{14, 0}, {14, 10}}}};
  const Navigation one = baked(whole), three = baked(cut);
  EXPECT_EQ(three.report().components, 1u);
  EXPECT_EQ(three.report().doubled_map_area, one.report().doubled_map_area);
  RandomStream random(5, 0, 1);
  int found = 0, refused = 0;
  const auto layer_at = [](Vec2 p) { return p.x < 10 ? 0u : p.x < 14 ? 1u : 2u; };
  for (int i = 0; i < 400; ++i) {
    PathRequest request;
    request.from = {20 * random.unit(), 10 * random.unit()};
    request.to = {20 * random.unit(), 10 * random.unit()};
    request.radius = i % 2 == 0 ? 0.2 : 0.45;
    request.planner = Planner::kShortest;
    Path expected, got;
    PathFinder in_one(one), in_three(three);
    const PathStatus status = in_one.find(request, expected);
    request.from_layer = layer_at(request.from);
    request.to_layer = layer_at(request.to);
    ASSERT_EQ(in_three.find(request, got), status) << i;
    if (status == PathStatus::kFound) {
      EXPECT_NEAR(got.length, expected.length, 2e-3) << i;
      request.planner = Planner::kHierarchy;
      Path quick;
      ASSERT_EQ(in_three.find(request, quick), PathStatus::kFound) << i;
      EXPECT_GE(quick.length, got.length - 2e-3) << i;
      EXPECT_LE(quick.length, 1.5 * got.length + 1) << i;
    }
    (status == PathStatus::kFound ? found : refused)++;
  }
  EXPECT_GT(found, 200);
  EXPECT_GT(refused, 20);
}

TEST(Joints, ALineThatOneLayerDoesNotHaveIsAProblem) {
  Scene scene;
  scene.layers = {layer_of("a", box(0, 0, 10, 10)), layer_of("b", box(11, 0, 20, 10))};
  scene.joints = {{{0, 1}, {{10, 0}, {10, 10}}}};
  const auto apart = Navigation::bake(scene, {.threads = 1});
  ASSERT_FALSE(apart);
  EXPECT_NE(apart.problems()[0].what.find("outlines of both layers"), std::string::npos);
  scene.joints[0].layer = {0, 5};
  EXPECT_FALSE(Navigation::bake(scene, {.threads = 1}));
}

TEST(Joints, SurviveTheBakedFile) {
  const Navigation navigation = baked(bridge());
  const auto loaded = Navigation::load(navigation.save(), "bridge.nav");
  ASSERT_TRUE(loaded) << to_string(loaded.problems()[0]);
  EXPECT_EQ(loaded->save(), navigation.save());
  EXPECT_DOUBLE_EQ(loaded->elevation({13, 16}, 2), 2);
  PathRequest request{.from = {3, 0}, .to = {3, 0}, .to_layer = 1};
  EXPECT_EQ(loaded->plan(request)->length, navigation.plan(request)->length);
}

}  // namespace
}  // namespace throng
