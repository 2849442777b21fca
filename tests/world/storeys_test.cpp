// SPDX-License-Identifier: MIT
// Worlds of several layers: people who meet at joints, and people above each other who never do.
#include <throng/world.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/layered_scenes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

/// Largest distance of an agent to the straight line of its walk, while two walk towards each other's places.
double swerve(const Navigation& navigation, Vec2 a, std::uint32_t layer_a, Vec2 b, std::uint32_t layer_b, bool swaps) {
  Result<World> world = World::create(navigation);
  EXPECT_TRUE(world);
  const AgentId anna = world->add({.position = a, .layer = layer_a});
  const AgentId bert = world->add({.position = b, .layer = layer_b});
  EXPECT_TRUE(anna && bert);
  // Either to each other's place, or, on crossing ways, each to the mirror image of its own.
  world->set_goal(anna, swaps ? b : Vec2{-a.x + 6, -a.y}, swaps ? layer_b : layer_a);
  world->set_goal(bert, swaps ? a : Vec2{-b.x + 6, -b.y}, swaps ? layer_a : layer_b);
  const Vec2 along_a = (1 / length(b - a)) * (b - a);
  double most = 0;
  for (int step = 0; step < 150; ++step) {
    world->step();
    if (swaps) most = std::max(most, std::abs(cross(along_a, world->position(anna) - a)));
    if (!swaps) most = std::max(most, std::abs(world->position(anna).x - a.x));
  }
  EXPECT_NE(world->activity(anna), Activity::kLost);
  return most;
}

TEST(Storeys, OneOnABridgeAndOneUnderItWalkStraightOnAtTheRampFootTheyGiveWay) {
  const Navigation navigation = baked(bridge());
  // Both reach (3, 0) after the same time, one on the road and one on the bridge.
  EXPECT_LT(swerve(navigation, {3, -6}, 0, {-3, 0}, 1, false), 0.02);
  // The control: the same crossing on one storey.
  Scene flat;
  flat.layers = {layer_of("plaza", box(-20, -20, 20, 20))};
  EXPECT_GT(swerve(baked(flat), {3, -6}, 0, {-3, 0}, 0, false), 0.05);
  // At the foot of the ramp two who want to change places have to step aside.
  EXPECT_GT(swerve(navigation, {2, 16}, 0, {10, 16}, 2, true), 0.2);
}

TEST(Storeys, ACrowdInACutHallTouchesNoMoreThanInTheWholeHall) {
  // Everybody wanders; overlaps are counted by the grid of their own, across joints too.
  const auto run = [](const Navigation& navigation, bool cut) {
    WorldSettings settings;
    settings.count_contacts = true;
    Result<World> world = World::create(navigation, settings);
    EXPECT_TRUE(world);
    const std::uint32_t wander = world->add_plan({{}, PlanEnd::kWander});
    RandomStream random(4, 0, 1);
    while (world->agent_count() < 160) {
      const Vec2 p = {random.between(0.3, 19.7), random.between(0.3, 9.7)};
      const std::uint32_t layer = cut ? layer_of_cut_hall(p) : 0;
      if (world->is_free(p, layer, 0.2)) world->add({.position = p, .layer = layer, .plan = wander});
    }
    std::uint64_t overlaps = 0, near_joints = 0, across = 0;
    for (int step = 0; step < 400; ++step) {
      const StepReport& report = world->step();
      overlaps += report.deep_overlaps;
      EXPECT_EQ(report.wall_penetrations, 0u);
      const World::Columns rows = world->columns();
      for (std::uint32_t i = 0; i < rows.x.size(); ++i) {
        if (std::abs(rows.x[i] - 10) < 1 || std::abs(rows.x[i] - 14) < 1) ++near_joints;
        for (const std::uint32_t j : world->neighbours_of(i))
          across += layer_of_cut_hall({rows.x[i], 0}) != layer_of_cut_hall({rows.x[j], 0});
      }
    }
    EXPECT_GT(near_joints, 2000u);
    EXPECT_GT(across, 2000u);
    return overlaps;
  };
  const std::uint64_t whole = run(baked(whole_hall()), false), cut = run(baked(cut_hall()), true);
  EXPECT_LE(cut, whole + 10);
}

TEST(Storeys, NobodyIsPlacedOnAnotherBeyondAJoint) {
  const Navigation navigation = baked(cut_hall());
  Result<World> world = World::create(navigation);
  ASSERT_TRUE(world->add({.position = {9.9, 5}, .layer = 0}));
  EXPECT_FALSE(world->is_free({10.1, 5}, 1, 0.2));
  EXPECT_TRUE(world->is_free({10.5, 5}, 1, 0.2));
  const Navigation crossing = baked(bridge());
  Result<World> storeys = World::create(crossing);
  ASSERT_TRUE(storeys->add({.position = {3, 0}, .layer = 0}));
  EXPECT_TRUE(storeys->is_free({3, 0}, 1, 0.2));
}

}  // namespace
}  // namespace throng
