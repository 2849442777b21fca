// SPDX-License-Identifier: MIT
// Layers that meet at joints: one connected ground, however they lie above each other.
#include <gtest/gtest.h>

#include <cmath>
#include <throng/navigation.hpp>

#include "base/random.hpp"
#include "support/layered_scenes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

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
  const Navigation one = baked(whole_hall()), three = baked(cut_hall());
  EXPECT_EQ(three.report().components, 1u);
  EXPECT_EQ(three.report().doubled_map_area, one.report().doubled_map_area);
  RandomStream random(5, 0, 1);
  int found = 0, refused = 0;
  for (int i = 0; i < 400; ++i) {
    PathRequest request;
    request.from = {20 * random.unit(), 10 * random.unit()};
    request.to = {20 * random.unit(), 10 * random.unit()};
    request.radius = i % 2 == 0 ? 0.2 : 0.45;
    request.planner = Planner::kShortest;
    Path expected, got;
    PathFinder in_one(one), in_three(three);
    const PathStatus status = in_one.find(request, expected);
    request.from_layer = layer_of_cut_hall(request.from);
    request.to_layer = layer_of_cut_hall(request.to);
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
