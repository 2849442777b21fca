// SPDX-License-Identifier: MIT
// The models `linear` and `reynolds`, in a world.
#include <throng/world.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "support/random_scene.hpp"
#include "world/hall.hpp"

namespace throng {
namespace {

using namespace throng::testing;

WorldSettings of_model(const MotionModel& model, double dt = 0.1) {
  WorldSettings settings;
  settings.dt = dt;
  settings.models = {model};
  return settings;
}

double walking_time(World& world, AgentId agent, int most_steps = 4000) {
  for (int i = 0; i < most_steps && world.activity(agent) != Activity::kStaying; ++i) world.step();
  EXPECT_EQ(world.activity(agent), Activity::kStaying);
  return world.time();
}

TEST(LinearModel, a_way_takes_its_length_over_the_preferred_speed) {
  for (const double dt : {0.02, 0.1, 0.5}) {
    WorldSettings settings = of_model(LinearSettings{}, dt);
    settings.arrival_distance = 0.01;
    Result<World> world = World::create(hall(60, 4), settings);
    ASSERT_TRUE(world);
    const AgentId agent = world->add({.position = {2, 2}, .person = {.preferred_speed = 1.25f}});
    ASSERT_TRUE(world->set_goal(agent, {52, 2}));
    EXPECT_NEAR(walking_time(*world, agent), 40, dt + 0.01) << dt;
    EXPECT_NEAR(world->position(agent).x, 52, 0.01);
  }
}

TEST(LinearModel, people_walk_through_each_other_without_turning_or_slowing) {
  Result<World> world = World::create(hall(30, 4), of_model(LinearSettings{}));
  ASSERT_TRUE(world);
  const AgentId east = world->add({.position = {5, 2}}), west = world->add({.position = {25, 2}});
  world->set_heading(east, {1, 0});
  world->set_heading(west, {-1, 0});
  for (int i = 0; i < 100; ++i) world->step();
  EXPECT_NEAR(world->position(east).x, 5 + 100 * 0.1 * 1.34, 0.01);
  EXPECT_NEAR(world->position(west).x, 25 - 100 * 0.1 * 1.34, 0.01);
  EXPECT_NEAR(world->position(east).y, 2, 1e-4);
}

TEST(LinearModel, walls_stop_it) {
  Result<World> world = World::create(hall(10, 4), of_model(LinearSettings{}));
  ASSERT_TRUE(world);
  const AgentId agent = world->add({.position = {5, 2}});
  world->set_heading(agent, {1, 0});
  for (int i = 0; i < 100; ++i) world->step();
  EXPECT_NEAR(world->position(agent).x, 9.8, 0.002);
}

TEST(ReynoldsModel, stops_at_its_goal_from_full_speed_without_overshooting) {
  for (const double dt : {0.02, 0.1}) {
    WorldSettings settings = of_model(ReynoldsSettings{}, dt);
    settings.arrival_distance = 0.009;
    Result<World> world = World::create(hall(20, 4), settings);
    ASSERT_TRUE(world);
    // At its greatest speed, which is more than the preferred one, three metres in front of the goal.
    const AgentId agent = world->add({.position = {7, 2}, .person = {.max_speed = 2}, .velocity = {2, 0}});
    ASSERT_TRUE(world->set_goal(agent, {10, 2}));
    double farthest = 0;
    for (double t = 0; t < 15; t += dt) {
      world->step();
      farthest = std::max(farthest, world->position(agent).x);
    }
    EXPECT_LT(farthest, 10.05) << dt;
    EXPECT_NEAR(world->position(agent).x, 10, 0.01) << dt;
    EXPECT_EQ(world->activity(agent), Activity::kStaying);
    EXPECT_LT(length(world->velocity(agent)), 0.001);
  }
}

TEST(ReynoldsModel, does_not_depend_on_the_length_of_steps) {
  double time[2];
  int i = 0;
  for (const double dt : {0.02, 0.1}) {
    Result<World> world = World::create(hall(40, 8), of_model(ReynoldsSettings{}, dt));
    ASSERT_TRUE(world);
    const AgentId agent = world->add({.position = {2, 4}});
    const AgentId other = world->add({.position = {38, 4.1}});
    ASSERT_TRUE(world->set_goal(agent, {36, 4}) && world->set_goal(other, {4, 4}));
    time[i++] = walking_time(*world, agent);
  }
  EXPECT_NEAR(time[0] / time[1], 1, 0.05);
  EXPECT_GT(time[0], 33.5 / 1.34);
}

TEST(ReynoldsModel, acceleration_is_bounded_and_so_is_speed) {
  ReynoldsSettings model;
  model.max_acceleration = 1;
  Result<World> world = World::create(hall(40, 8), of_model(model));
  ASSERT_TRUE(world);
  const AgentId agent = world->add({.position = {2, 4}});
  world->set_heading(agent, {1, 0});
  Vec2 before = world->velocity(agent);
  for (int i = 0; i < 60; ++i) {
    world->step();
    const Vec2 now = world->velocity(agent);
    EXPECT_LE(length(now - before), 0.1 * 1.0001);
    EXPECT_LE(length(now), 2.011);
    before = now;
  }
  EXPECT_NEAR(length(before), 1.34, 0.01);
}

/// Smallest distance between two who meet head on, a hand's breadth aside.
double closest_approach(const ReynoldsSettings& model) {
  WorldSettings settings = of_model(model);
  settings.separate_sweeps = 0;
  Result<World> world = World::create(hall(40, 10), settings);
  const AgentId east = world->add({.position = {5, 5}}), west = world->add({.position = {35, 5.05}});
  world->set_heading(east, {1, 0});
  world->set_heading(west, {-1, 0});
  double least = 1e9;
  for (int i = 0; i < 200; ++i) {
    world->step();
    least = std::min(least, distance(world->position(east), world->position(west)));
  }
  return least;
}

TEST(ReynoldsModel, two_who_meet_pass_without_touching_and_would_not_without_the_rules) {
  ReynoldsSettings none;
  none.avoidance = none.separation_strength = 0;
  EXPECT_LT(closest_approach(none), 0.2);
  EXPECT_GT(closest_approach({}), 0.4);
}

TEST(Models, of_all_kinds_walk_in_one_world_and_the_bits_do_not_depend_on_threads) {
  const Navigation navigation = hall(20, 20);
  std::uint64_t expected = 0;
  for (const unsigned threads : {1u, 2u, 4u}) {
    WorldSettings settings;
    settings.models = {reactive(), ReynoldsSettings{}, LinearSettings{}};
    settings.threads = threads;
    Result<World> world = World::create(navigation, settings);
    ASSERT_TRUE(world);
    const std::uint32_t wander = world->add_plan({{}, PlanEnd::kWander});
    for (int i = 0; i < 150; ++i) {
      AgentDef definition{.position = {1.0 + i % 15, 1.0 + 1.5 * (i / 15)}, .plan = wander};
      definition.person.model = static_cast<std::uint8_t>(i % 3);
      ASSERT_TRUE(world->add(definition));
    }
    for (int i = 0; i < 100; ++i) world->step();
    if (threads == 1) expected = world->hash();
    EXPECT_EQ(world->hash(), expected) << threads;
    EXPECT_GT(world->step().speed_ratio, 0.7);
  }
}

}  // namespace
}  // namespace throng
