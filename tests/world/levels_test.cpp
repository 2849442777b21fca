// SPDX-License-Identifier: MIT
// Levels of simulation: nobody jumps, nobody walks through walls, times are kept, and bits do not depend on threads.
#include <throng/world.hpp>

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "navigation/navigation_data.hpp"
#include "scene/city.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Navigation bake(const Scene& scene) {
  Result<Navigation> baked = Navigation::bake(scene, {.threads = 1});
  EXPECT_TRUE(baked);
  return std::move(*baked);
}

/// Corridors of 3 m in a grid of 5 × 5 crossings, 20 m apart.
Navigation two_corridors() {
  Layer layer;
  for (int i = 0; i < 5; ++i) {
    layer.walkable.push_back(box(0, 20 * i, 83, 20 * i + 3));
    layer.walkable.push_back(box(20 * i, 0, 20 * i + 3, 83));
  }
  return bake(scene_of(layer));
}

WorldSettings with_levels(std::optional<Viewpoint> viewpoint = {}) {
  WorldSettings settings;
  settings.dt = 0.04;
  settings.detail.enabled = true;
  settings.detail.viewpoint = viewpoint;
  return settings;
}

void fill(World& world, int count, PlanEnd end = PlanEnd::kWander) {
  const std::uint32_t wander = world.add_plan({{}, end});
  RandomStream random(5, 0, 1);
  for (int tries = 0; tries < 100 * count && static_cast<int>(world.agent_count()) < count; ++tries) {
    const double u = random.unit(), v = random.unit();
    AgentDef definition;
    definition.position = world.navigation().random_walkable(u, v).point;
    definition.person.preferred_speed = static_cast<float>(random.between(0.8, 1.8));
    definition.plan = wander;
    if (world.is_free(definition.position, 0, definition.person.radius)) world.add(definition);
  }
}

TEST(Levels, travel_times_at_one_look_a_second_are_those_of_twenty_five) {
  const Navigation navigation = two_corridors();
  double mean[2];
  std::uint32_t looks[2] = {0, 0};
  for (int run = 0; run < 2; ++run) {
    WorldSettings settings = with_levels();
    settings.detail.unseen_frequency = run == 0 ? 1 : 25;
    Result<World> world = World::create(navigation, settings);
    ASSERT_TRUE(world);
    RandomStream random(3, 0, 1);
    std::map<std::uint32_t, double> arrived;
    const int people = 200;
    for (int i = 0; i < people; ++i) {
      const auto place = [&] {
        const double u = random.unit(), v = random.unit();
        return navigation.random_walkable(u, v).point;
      };
      AgentId agent;
      while (!(agent = world->add({.position = place()}))) {
      }
      Vec2 goal = place();
      while (!world->is_free(goal, 0, 0.2)) goal = place();
      ASSERT_TRUE(world->set_goal(agent, goal));
    }
    while (arrived.size() < people && world->time() < 300) {
      looks[run] += world->step().updated;
      for (const Event& event : world->events())
        if (event.kind == EventKind::kArrived) arrived[event.number] = event.time;
    }
    ASSERT_EQ(arrived.size(), people);
    mean[run] = 0;
    for (const auto& [number, time] : arrived) mean[run] += time / people;
  }
  EXPECT_NEAR(mean[0] / mean[1], 1, 0.03) << mean[0] << " " << mean[1];
  EXPECT_LT(5 * looks[0], looks[1]);
}

TEST(Levels, nobody_jumps_while_the_viewpoint_and_the_people_move) {
  const Navigation navigation = two_corridors();
  Result<World> world = World::create(navigation, with_levels(Viewpoint{.position = {1, 1}, .direction = {1, 0.3}}));
  ASSERT_TRUE(world);
  fill(*world, 300);
  struct Last {
    Vec2 place;
    std::uint8_t level;
  };
  std::map<std::uint32_t, Last> last;
  int changes = 0, high = 0;
  const auto walls = wall_segments_of(navigation.data().cells);
  for (int step = 0; step < 750; ++step) {
    const double turn = 0.01 * step;
    ASSERT_TRUE(world->set_viewpoint(Viewpoint{.position = {0.1 * step, 41}, .direction = {std::cos(turn), std::sin(turn)}}));
    const StepReport& report = world->step();
    high = std::max(high, static_cast<int>(report.high_level));
    EXPECT_LE(report.high_level, report.updated);
    const World::Columns columns = world->columns();
    ASSERT_EQ(columns.level.size(), columns.x.size());
    for (std::size_t i = 0; i < columns.x.size(); ++i) {
      const Vec2 place = {columns.x[i], columns.y[i]};
      const auto known = last.find(columns.number[i]);
      if (known != last.end()) {
        // 2 mm: pushed out of a wall it touched.
        ASSERT_LE(distance(known->second.place, place), 1.5 * columns.preferred_speed[i] * 0.04 + 0.002);
        changes += known->second.level != columns.level[i];
      }
      last[columns.number[i]] = {place, columns.level[i]};
      if (step % 10 == 0) ASSERT_GT(clearance_of(walls, place), columns.radius[i] - 0.001);
    }
  }
  EXPECT_GT(changes, 100);
  EXPECT_GT(high, 20);
}

TEST(Levels, those_who_stand_on_one_spot_when_somebody_looks_part_at_walking_speed) {
  Layer layer;
  layer.walkable = {box(0, 0, 40, 40)};
  Result<World> world = World::create(bake(scene_of(layer)), with_levels());
  ASSERT_TRUE(world);
  const AgentId a = world->add({.position = {20, 20}}), b = world->add({.position = {20, 20.01}});
  for (int i = 0; i < 30; ++i) world->step();
  EXPECT_NEAR(distance(world->position(a), world->position(b)), 0.01, 1e-4) << "at the low level nobody pushes";
  ASSERT_TRUE(world->set_viewpoint(Viewpoint{.position = {15, 20}}));
  for (int i = 0; i < 50; ++i) {
    const Vec2 before = world->position(a);
    world->step();
    EXPECT_LE(distance(before, world->position(a)), 2.01 * 0.04 + 1e-4);
  }
  EXPECT_GT(distance(world->position(a), world->position(b)), 0.39);
}

TEST(Levels, the_bits_depend_neither_on_threads_nor_on_a_restore) {
  const Navigation navigation = bake(make_city(40));
  const Vec2 middle = navigation.random_walkable(0.5, 0.5).point;
  const auto start = [&](unsigned threads) {
    WorldSettings settings = with_levels(Viewpoint{.position = middle, .field_of_view = 3, .distance = 150});
    settings.threads = threads;
    settings.models = {reactive(), ReynoldsSettings{}};
    Result<World> world = World::create(navigation, settings);
    EXPECT_TRUE(world);
    fill(*world, 1500);
    return std::move(*world);
  };
  const auto run = [&](World& world, int from, int to) {
    for (int step = from; step < to; ++step) {
      if (step == 60)
        world.set_viewpoint(Viewpoint{.position = middle, .direction = {0, 1}, .field_of_view = 3, .distance = 150});
      world.step();
    }
  };
  World first = start(1);
  run(first, 0, 100);
  const std::string snapshot = first.snapshot();
  run(first, 100, 200);
  EXPECT_GT(first.step().high_level, 50u);
  run(first, 201, 220);
  for (const unsigned threads : {2u, 4u, 8u}) {
    World other = start(threads);
    run(other, 0, 220);
    EXPECT_EQ(other.hash(), first.hash()) << threads;
  }
  World second = start(2);
  run(second, 0, 7);
  ASSERT_TRUE(second.restore(snapshot));
  run(second, 100, 220);
  EXPECT_EQ(second.hash(), first.hash());
}

TEST(Levels, ids_survive_and_people_come_and_go) {
  Result<World> world = World::create(two_corridors(), with_levels(Viewpoint{.position = {1, 1}, .direction = {1, 1}}));
  ASSERT_TRUE(world);
  fill(*world, 200, PlanEnd::kWander);
  std::map<std::uint32_t, AgentId> alive;
  for (std::uint32_t row = 0; row < world->agent_count(); ++row) alive[world->columns().number[row]] = world->id_at(row);
  RandomStream random(8, 0, 1);
  for (int step = 0; step < 300; ++step) {
    world->step();
    if (step % 3 == 0) {
      const auto chosen = std::next(alive.begin(), random.integer(0, static_cast<std::int64_t>(alive.size()) - 1));
      ASSERT_TRUE(world->remove(chosen->second));
      alive.erase(chosen);
    }
    for (const auto& [number, id] : alive) ASSERT_EQ(world->number(id), number);
    ASSERT_EQ(world->agent_count(), alive.size());
  }
  const AgentId driven = alive.begin()->second;
  ASSERT_TRUE(world->drive(driven, {81, 81}, {0, 0}));
  for (int i = 0; i < 5; ++i) world->step();
  EXPECT_NEAR(distance(world->position(driven), {81, 81}), 0, 1e-4) << "who is driven does not coast";
}

TEST(Levels, switched_off_change_nothing_and_cannot_be_looked_at) {
  WorldSettings settings;
  settings.detail.viewpoint = Viewpoint{};
  Result<World> off = World::create(two_corridors(), settings), plain = World::create(two_corridors());
  ASSERT_TRUE(off && plain);
  fill(*off, 50), fill(*plain, 50);
  for (int i = 0; i < 50; ++i) {
    const StepReport& report = off->step();
    EXPECT_EQ(report.high_level, 50u);
    EXPECT_EQ(report.updated, 50u);
    plain->step();
  }
  EXPECT_EQ(off->hash(), plain->hash());
  EXPECT_TRUE(off->columns().level.empty());
  EXPECT_FALSE(off->set_viewpoint(Viewpoint{}));
}

TEST(Levels, settings_that_make_no_sense_are_refused) {
  WorldSettings settings = with_levels(Viewpoint{.direction = {0, 0}});
  EXPECT_FALSE(World::create(two_corridors(), settings));
  settings = with_levels();
  settings.detail.unseen_frequency = 0;
  EXPECT_FALSE(World::create(two_corridors(), settings));
  settings = with_levels();
  settings.period_low = {12, 12};
  settings.period_size = {20, 0};
  EXPECT_FALSE(World::create(two_corridors(), settings));
}

}  // namespace
}  // namespace throng
