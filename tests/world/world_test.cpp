// SPDX-License-Identifier: MIT
#include <throng/world.hpp>

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "navigation/navigation_data.hpp"
#include "scene/city.hpp"
#include "support/random_scene.hpp"
#include "world/hall.hpp"

namespace throng {
namespace {

using namespace throng::testing;

/// A crowd on a square with obstacles, everybody wandering.
World crowd(const Navigation& navigation, int count, const WorldSettings& settings = {}) {
  Result<World> world = World::create(navigation, settings);
  EXPECT_TRUE(world);
  const std::uint32_t wander = world->add_plan({{}, PlanEnd::kWander});
  RandomStream random(5, 0, 1);
  for (int tries = 0; tries < 100 * count && static_cast<int>(world->agent_count()) < count; ++tries) {
    const double u = random.unit(), v = random.unit();
    AgentDef definition;
    definition.position = navigation.random_walkable(u, v).point;
    definition.person.radius = static_cast<float>(random.between(0.15, 0.3));
    definition.person.preferred_speed = static_cast<float>(random.between(0.8, 1.8));
    definition.plan = wander;
    if (!world->is_free(definition.position, 0, definition.person.radius)) continue;
    EXPECT_TRUE(world->add(definition));
  }
  return std::move(*world);
}

TEST(World, AnIdOutlivesNothingButItsAgent) {
  Result<World> world = World::create(hall(10, 10));
  ASSERT_TRUE(world);
  const AgentId anna = world->add({.position = {2, 2}}), bert = world->add({.position = {4, 4}});
  ASSERT_TRUE(anna && bert);
  EXPECT_TRUE(world->remove(anna));
  EXPECT_FALSE(world->is_alive(anna));
  EXPECT_FALSE(world->remove(anna));
  EXPECT_FALSE(world->set_goal(anna, {5, 5}));
  const AgentId carl = world->add({.position = {6, 6}});
  EXPECT_EQ(carl.slot, anna.slot);
  EXPECT_NE(carl, anna);
  EXPECT_FALSE(world->is_alive(anna));
  EXPECT_NEAR(world->position(bert).x, 4, 1e-6);
  EXPECT_NE(world->number(carl), 1u);
  EXPECT_FALSE(world->is_alive({}));
  EXPECT_FALSE(world->is_alive({99, 1}));
}

TEST(World, NobodyIsAddedWhereABodyDoesNotFit) {
  Result<World> world = World::create(hall(10, 10));
  EXPECT_FALSE(world->add({.position = {0.1, 5}}));
  EXPECT_FALSE(world->add({.position = {-3, 5}}));
  EXPECT_FALSE(world->add({.position = {std::nan(""), 5}}));
  EXPECT_FALSE(world->add({.position = {5, 5}, .person = {.radius = -1}}));
  EXPECT_FALSE(world->add({.position = {5, 5}, .person = {.model = 3}}));
  EXPECT_FALSE(world->add({.position = {5, 5}, .plan = 0}));
  EXPECT_EQ(world->agent_count(), 0u);
}

TEST(World, SomebodyAloneWalksTheStraightWayAtItsSpeedAndArrives) {
  Result<World> world = World::create(hall(50, 4));
  const AgentId agent = world->add({.position = {2, 2}});
  ASSERT_TRUE(world->set_goal(agent, {42, 2}));
  int steps = 0;
  for (; world->activity(agent) != Activity::kStaying && steps < 1000; ++steps) {
    world->step();
    EXPECT_NEAR(world->position(agent).y, 2, 1e-3);
  }
  EXPECT_NEAR(world->position(agent).x, 42, 0.51);
  // 39.5 m at 1.34 m/s, and a little for getting going and slowing down.
  EXPECT_NEAR(world->time(), 39.5 / 1.34, 1.5);
  ASSERT_FALSE(world->events().empty());
  EXPECT_EQ(world->events()[0].kind, EventKind::kArrived);
}

TEST(World, PeopleGoRoundCornersWithoutTouchingThem) {
  const Navigation navigation = bake_boxes({box(0, 0, 12, 2), box(10, 0, 12, 12)});
  Result<World> world = World::create(navigation);
  const auto walls = wall_segments_of(navigation.data().cells);
  std::vector<AgentId> people;
  for (int i = 0; i < 10; ++i) people.push_back(world->add({.position = {1 + 0.5 * (i % 5), 0.6 + 0.8 * (i / 5)}}));
  for (const AgentId a : people) ASSERT_TRUE(world->set_goal(a, {11, 11}));
  for (int step = 0; step < 400; ++step) {
    world->step();
    const auto columns = world->columns();
    for (std::size_t i = 0; i < columns.x.size(); ++i)
      ASSERT_GT(clearance_of(walls, {columns.x[i], columns.y[i]}), columns.radius[i] - 0.001);
  }
  int near = 0;
  for (const AgentId a : people) near += distance(world->position(a), {11, 11}) < 2.5;
  EXPECT_EQ(near, 10);
}

TEST(World, IsBitForBitTheSameForAnyNumberOfThreads) {
  const Result<Navigation> navigation = Navigation::bake(random_scene(3, 40, 20), {.threads = 1});
  ASSERT_TRUE(navigation);
  std::set<std::uint64_t> hashes;
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    World world = crowd(*navigation, 400, {.threads = threads, .sort_every = 16});
    for (int step = 0; step < 60; ++step) world.step();
    hashes.insert(world.hash());
  }
  EXPECT_EQ(hashes.size(), 1u);
}

TEST(World, ContinuesFromASnapshotWithTheSameBits) {
  const Result<Navigation> navigation = Navigation::bake(random_scene(4, 30, 16), {.threads = 1});
  ASSERT_TRUE(navigation);
  World world = crowd(*navigation, 200, {.sort_every = 16});
  for (int step = 0; step < 37; ++step) world.step();
  const std::string snapshot = world.snapshot();
  const std::uint64_t then = world.hash();
  for (int step = 0; step < 40; ++step) world.step();
  World other = crowd(*navigation, 200, {.threads = 2, .sort_every = 16});
  for (int step = 0; step < 5; ++step) other.step();
  const Result<bool> restored = other.restore(snapshot);
  ASSERT_TRUE(restored) << to_string(restored.problems()[0]);
  EXPECT_EQ(other.hash(), then);
  for (int step = 0; step < 40; ++step) other.step();
  EXPECT_EQ(other.hash(), world.hash());
}

TEST(World, ADamagedSnapshotIsRefusedAndChangesNothing) {
  const Navigation navigation = hall(20, 20);
  World world = crowd(navigation, 30);
  for (int step = 0; step < 10; ++step) world.step();
  const std::string snapshot = world.snapshot();
  const std::uint64_t before = world.hash();
  RandomStream random(1, 0, 3);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = snapshot;
    if (i % 3 == 0)
      damaged.resize(static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(snapshot.size()) - 1)));
    else
      damaged[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(snapshot.size()) - 1))] ^=
          static_cast<char>(1 << (i % 8));
    EXPECT_FALSE(world.restore(damaged));
  }
  EXPECT_EQ(world.hash(), before);
  World elsewhere = crowd(hall(21, 20), 30);
  EXPECT_FALSE(elsewhere.restore(snapshot));
}

TEST(World, BodiesNeverEnterWallsInRandomScenes) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Result<Navigation> navigation = Navigation::bake(random_scene(seed, 14, 16), {.threads = 1});
    ASSERT_TRUE(navigation);
    const auto walls = wall_segments_of(navigation->data().cells);
    World world = crowd(*navigation, 120, {.seed = seed});
    for (int step = 0; step < 150; ++step) {
      world.step();
      const auto columns = world.columns();
      for (std::size_t i = 0; i < columns.x.size(); ++i)
        ASSERT_GT(clearance_of(walls, {columns.x[i], columns.y[i]}), columns.radius[i] - 0.001) << seed << " " << step;
    }
  }
}

// Portals in line with walls, feet rounded off their walls by a millimetre, alleys of a person's width: a city has them all.
TEST(World, PeopleInACityNeitherEnterWallsNorGetStuck) {
  const Result<Navigation> navigation = Navigation::bake(make_city(120), {.threads = 1});
  ASSERT_TRUE(navigation);
  const NavigationData& data = navigation->data();
  World world = crowd(*navigation, 250);
  int arrivals = 0;
  for (int step = 0; step < 900; ++step) {
    world.step();
    for (const Event& event : world.events()) {
      EXPECT_NE(event.kind, EventKind::kStuck) << event.number << " at " << event.time;
      arrivals += event.kind == EventKind::kArrived;
    }
    if (step % 10 != 0) continue;
    const auto columns = world.columns();
    for (std::size_t i = 0; i < columns.x.size(); ++i)
      ASSERT_GT(data.locator.clearance({columns.x[i], columns.y[i]}, 0, 0.5), columns.radius[i] - 0.001) << step;
  }
  EXPECT_GT(arrivals, 50);
}

TEST(World, OthersWalkRoundSomebodyDrivenFromOutside) {
  Result<World> world = World::create(hall(20, 6));
  const AgentId robot = world->add({.position = {10, 3}}), walker = world->add({.position = {2, 3}});
  ASSERT_TRUE(world->set_goal(walker, {18, 3}));
  double nearest = 1e9;
  for (int step = 0; step < 160; ++step) {
    ASSERT_TRUE(world->drive(robot, {10, 3 + 0.3 * std::sin(0.1 * step)}, {0, 0.3 * std::cos(0.1 * step)}));
    world->step();
    nearest = std::min(nearest, distance(world->position(robot), world->position(walker)));
  }
  EXPECT_GT(nearest, 0.399);
  EXPECT_LT(distance(world->position(walker), {18, 3}), 1);
  EXPECT_EQ(world->activity(robot), Activity::kDriven);
}

TEST(World, PlansWaitLoopLeaveAndTell) {
  Result<World> world = World::create(hall(20, 6));
  const std::uint32_t here = world->add_area(box(1, 1, 3, 5)), there = world->add_area(box(17, 1, 19, 5));
  PlanGoal first, second;
  first.area = there;
  first.wait_low = first.wait_high = 5;
  second.area = here;
  const std::uint32_t once = world->add_plan({{first, second}, PlanEnd::kLeave});
  const std::uint32_t loop = world->add_plan({{first, second}, PlanEnd::kLoop});
  const AgentId leaver = world->add({.position = {2, 2}, .plan = once, .start_time = 3});
  const AgentId looper = world->add({.position = {2, 4}, .plan = loop});
  std::vector<Event> seen;
  double moved = -1;
  for (int step = 0; step < 900; ++step) {
    world->step();
    seen.insert(seen.end(), world->events().begin(), world->events().end());
    if (moved < 0 && world->is_alive(leaver) && world->position(leaver).x > 2.01) moved = world->time();
  }
  EXPECT_NEAR(moved, 3, 0.3);
  EXPECT_FALSE(world->is_alive(leaver));
  EXPECT_TRUE(world->is_alive(looper));
  int arrivals[3] = {}, left = 0;
  double there_at = 0, here_at = 0;
  for (const Event& e : seen) {
    if (e.kind == EventKind::kArrived) ++arrivals[e.number];
    if (e.kind == EventKind::kArrived && e.number == 1) (e.entry == 0 ? there_at : here_at) = e.time;
    left += e.kind == EventKind::kLeft;
  }
  EXPECT_EQ(arrivals[1], 2);
  EXPECT_GE(arrivals[2], 4);
  EXPECT_EQ(left, 1);
  EXPECT_GT(here_at - there_at, 5 + 14 / 2.01);
}

TEST(World, AGoalWithoutAWayIsTold) {
  Layer layer;
  layer.walkable = {box(0, 0, 4, 4), box(6, 0, 10, 4)};
  const Result<Navigation> navigation = Navigation::bake(scene_of(layer), {.threads = 1});
  Result<World> world = World::create(*navigation);
  const AgentId agent = world->add({.position = {2, 2}});
  world->set_goal(agent, {8, 2});
  world->step();
  ASSERT_EQ(world->events().size(), 1u);
  EXPECT_EQ(world->events()[0].kind, EventKind::kNoWay);
  EXPECT_EQ(world->activity(agent), Activity::kLost);
}

TEST(World, WhoCannotMoveForAMinuteIsStuckAndIsFreedLater) {
  Result<World> world = World::create(bake_boxes({box(0, 0, 10, 0.7)}));
  const AgentId blocker = world->add({.position = {5, 0.35}, .person = {.radius = 0.3f}});
  const AgentId walker = world->add({.position = {2, 0.35}, .person = {.radius = 0.3f}});
  world->set_goal(walker, {9, 0.35});
  double stuck = -1, freed = -1;
  for (int step = 0; step < 1000; ++step) {
    world->drive(blocker, {5, 0.35}, {0, 0});
    if (step == 800) world->remove(blocker);
    world->step();
    for (const Event& e : world->events()) {
      if (e.kind == EventKind::kStuck) stuck = e.time;
      if (e.kind == EventKind::kFreed) freed = e.time;
    }
  }
  EXPECT_GT(stuck, 60);
  EXPECT_LT(stuck, 70);
  EXPECT_NEAR(freed, 80, 3);
}

TEST(World, InAPeriodicCorridorOneMeetsThoseBehindTheBorder) {
  const Navigation navigation = hall(44, 4);
  WorldSettings settings;
  settings.period_low = {12, 0};
  settings.period_size = {20, 0};
  Result<World> world = World::create(navigation, settings);
  const AgentId east = world->add({.position = {31, 2}}), west = world->add({.position = {13.5, 2}});
  world->set_heading(east, {1, 0});
  world->set_heading(west, {-1, 0});
  double nearest = 1e9;
  for (int step = 0; step < 200; ++step) {
    world->step();
    const Vec2 a = world->position(east), b = world->position(west);
    double dx = std::abs(a.x - b.x);
    dx = std::min(dx, 20 - dx);
    nearest = std::min(nearest, std::sqrt(dx * dx + (a.y - b.y) * (a.y - b.y)));
    EXPECT_GT(a.x, 11.5);
    EXPECT_LT(a.x, 32.5);
  }
  EXPECT_GT(nearest, 0.399);
  EXPECT_LT(nearest, 2);
}

TEST(World, CountsOverlapsAsBruteForceDoes) {
  const Navigation navigation = hall(8, 8);
  Result<World> world = World::create(navigation, {.count_contacts = true, .separate_sweeps = 0});
  RandomStream random(9, 0, 2);
  for (int i = 0; i < 80; ++i) world->add({.position = {random.between(0.3, 7.7), random.between(0.3, 7.7)}});
  const StepReport report = world->step();
  const auto c = world->columns();
  std::uint32_t overlaps = 0, deep = 0;
  for (std::size_t i = 0; i < c.x.size(); ++i)
    for (std::size_t j = i + 1; j < c.x.size(); ++j) {
      const double d = std::hypot(c.x[i] - c.x[j], c.y[i] - c.y[j]), contact = c.radius[i] + c.radius[j];
      overlaps += d < contact - 1e-6;
      deep += d < 0.8 * contact - 1e-6;
    }
  EXPECT_EQ(report.overlaps, overlaps);
  EXPECT_EQ(report.deep_overlaps, deep);
  EXPECT_GT(overlaps, 20u);
}

TEST(World, SeparationEndsOverlapsThatItsControlLeaves) {
  for (const unsigned sweeps : {8u, 0u}) {
    Result<World> world = World::create(hall(12, 12), {.count_contacts = true, .separate_sweeps = sweeps});
    RandomStream random(9, 0, 2);
    for (int i = 0; i < 80; ++i) world->add({.position = {random.between(0.3, 11.7), random.between(0.3, 11.7)}});
    StepReport report;
    for (int step = 0; step < 10; ++step) report = world->step();
    if (sweeps > 0)
      EXPECT_EQ(report.overlaps, 0u);
    else
      EXPECT_GT(report.overlaps, 10u);
  }
}

TEST(World, FindsAFreePlaceWhileThereIsOneAndSaysWhenThereIsNone) {
  Result<World> world = World::create(hall(6, 6));
  const std::uint32_t area = world->add_area(box(1, 1, 3, 3));
  int added = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const auto place = world->free_place(area, 0.2, i);
    if (!place) break;
    ASSERT_TRUE(world->is_free(*place, 0, 0.2));
    ASSERT_TRUE(world->add({.position = *place}));
    ++added;
  }
  // Discs of 0.2 m whose centres lie in 2 × 2 m: random placing alone jams near half of the lattice's 33.
  EXPECT_GE(added, 16);
  EXPECT_LE(added, 36);
  EXPECT_FALSE(world->free_place(area, 0.2, 1000));
}

TEST(World, SettingsThatMakeNoSenseAreRefused) {
  const Navigation navigation = hall(6, 6);
  EXPECT_FALSE(World::create(navigation, {.dt = 0}));
  EXPECT_FALSE(World::create(navigation, {.dt = 7}));
  EXPECT_FALSE(World::create(navigation, {.period_size = {-1, 0}}));
  ReactiveSettings model = reactive();
  model.max_pops = 1000;
  EXPECT_FALSE(World::create(navigation, {.models = {model}}));
}

}  // namespace
}  // namespace throng
