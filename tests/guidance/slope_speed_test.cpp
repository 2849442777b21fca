// SPDX-License-Identifier: MIT
#include "navigation/slope_speed.hpp"

#include <gtest/gtest.h>

#include "guidance/grade.hpp"
#include "support/layered_scenes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Layer sloping(Vec2 slope) { return layer_of("slope", box(0, 0, 10, 2), 0, slope); }

TEST(SlopeSpeed, IsWhatTheLayerSaysOrWhatItsSteepnessSays) {
  EXPECT_EQ(slope_speed(sloping({})).up, 1);
  EXPECT_NEAR(slope_speed(sloping({0, 0.1})).up, 0.905, 0.001);
  EXPECT_EQ(slope_speed(sloping({0, 0.1})).down, 1);
  EXPECT_NEAR(slope_speed(sloping({0.12, 0.16})).up, 0.745, 0.001);  // 20 %
  EXPECT_NEAR(slope_speed(sloping({0.12, 0.16})).down, 0.905, 0.001);
  EXPECT_EQ(slope_speed(sloping({-0.6, 0})).up, 0.53);
  Layer stated = sloping({0.6, 0});
  stated.speed_up = 0.4;
  EXPECT_EQ(slope_speed(stated).up, 0.4);
  EXPECT_EQ(slope_speed(stated).down, 0.60);
}

TEST(SlopeSpeed, OfAWantedVelocityGoesByItsDirection) {
  Scene scene;
  scene.layers = {sloping({0.75, 0}), layer_of("flat", box(20, 0, 30, 2))};
  scene.layers[0].speed_up = 0.5;
  scene.layers[0].speed_down = 0.6;
  const auto grades = grades_of(baked(scene).data());
  ASSERT_EQ(grades.size(), 2u);
  // A metre along this slope has 0.8 m of plan.
  EXPECT_NEAR(grades[0].slowed({1.2f, 0}).x, 1.2 * 0.5 * 0.8, 1e-5);
  EXPECT_NEAR(grades[0].slowed({-1.2f, 0}).x, -1.2 * 0.6 * 0.8, 1e-5);
  EXPECT_EQ(grades[0].slowed({0, 1.2f}), (Vec2f{0, 1.2f}));
  EXPECT_EQ(grades[0].slowed({0, 0}), (Vec2f{0, 0}));
  // At 60° to the slope half of its rise, and half of what it takes.
  const Vec2f aslant = grades[0].slowed({0.5f, 0.8660254f});
  EXPECT_NEAR(length(aslant), 0.75 / std::sqrt(1 + 0.375 * 0.375), 1e-5);
  EXPECT_NEAR(aslant.y / aslant.x, 1.7320508, 1e-4);
  EXPECT_EQ(grades[1].slowed({1.2f, 0}), (Vec2f{1.2f, 0}));
  Scene flat;
  flat.layers = {layer_of("flat", box(0, 0, 10, 2))};
  EXPECT_TRUE(grades_of(baked(flat).data()).empty());
}

/// Two ways of the same length in plan, one over a hill: the level one is chosen, unless the hill is level too.
TEST(SlopeSpeed, PlannersWeighTheTimeThatASlopeTakes) {
  const auto cost = [](Vec2 slope) {
    Scene scene;
    scene.layers = {layer_of("west", box(0, 0, 10, 10)), layer_of("hill", box(10, 4, 20, 6), 0, slope),
                    layer_of("east", box(20, 0, 30, 10))};
    scene.joints = {{{0, 1}, {{10, 4}, {10, 6}}}, {{1, 2}, {{20, 4}, {20, 6}}}};
    PathRequest request{.from = {5, 5}, .to = {25, 5}, .to_layer = 2};
    return baked(scene).plan(request)->cost;
  };
  EXPECT_NEAR(cost({}), 20, 0.1);
  const double stairs = std::sqrt(1 + 0.36) * 0.5 * (1 / 0.53 + 1 / 0.6);
  EXPECT_NEAR(cost({0.6, 0}), 10 + 10 * stairs, 0.1);
}

TEST(SlopeSpeed, OutOfRangeIsAProblem) {
  for (const double speed : {0.01, 1.5, -1.0}) {
    Scene scene;
    scene.layers = {sloping({0.5, 0})};
    scene.layers[0].speed_down = speed;
    const auto navigation = Navigation::bake(scene, {.threads = 1});
    ASSERT_FALSE(navigation);
    EXPECT_NE(navigation.problems()[0].what.find("speed factor"), std::string::npos);
  }
}

}  // namespace
}  // namespace throng
