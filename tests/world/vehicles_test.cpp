// SPDX-License-Identifier: MIT
// Vehicles among people: they brake, nobody is touched, people get out of the way.
#include <throng/world.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "support/built_cells.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Navigation street(double width = 100, double height = 20) {
  Layer layer;
  layer.walkable = {box(0, 0, width, height)};
  Result<Navigation> baked = Navigation::bake(scene_of(layer), {.threads = 1});
  EXPECT_TRUE(baked);
  return std::move(*baked);
}

/// How deep the deepest body is in a vehicle; negative: nobody is.
double deepest(const World& world) {
  double most = -1e9;
  const auto columns = world.columns();
  for (std::uint32_t v = 0; v < world.vehicle_count(); ++v) {
    const VehicleState car = world.vehicle(v);
    if (!car.is_there) continue;
    for (std::size_t i = 0; i < columns.x.size(); ++i) {
      const Vec2 to = Vec2{columns.x[i], columns.y[i]} - car.position;
      const double along = std::abs(dot(to, car.ahead)), across = std::abs(cross(car.ahead, to));
      const double x = std::max(0.0, along - 2.2), y = std::max(0.0, across - 0.9);
      most = std::max(most, static_cast<double>(columns.radius[i]) - std::hypot(x, y));
    }
  }
  return most;
}

TEST(Vehicles, TouchNobodyWhoWalksByRulesAndDriveOn) {
  WorldSettings settings;
  settings.models = {RulesSettings{}};
  Result<World> world = World::create(street(), settings);
  ASSERT_TRUE(world);
  for (int i = 0; i < 40; ++i) {
    const double x = 20 + 1.5 * i;
    const bool up = i % 2 == 0;
    const AgentId person = world->add({.position = {x, up ? 2.0 : 18.0}});
    ASSERT_TRUE(person);
    ASSERT_TRUE(world->set_goal(person, {x, up ? 18.0 : 2.0}));
  }
  const auto car = world->add_vehicle({.path = {{5, 10}, {95, 10}}, .speed = 5, .acceleration = 2});
  ASSERT_TRUE(car);
  int across = 0;
  for (int i = 0; i < 900; ++i) {
    world->step();
    ASSERT_LT(deepest(*world), 0.02) << "step " << i;
  }
  EXPECT_FALSE(world->vehicle(*car).is_there) << "it stands at " << world->vehicle(*car).position.x;
  for (const Activity activity : world->columns().activity) across += activity == Activity::kStaying;
  EXPECT_EQ(across, 40);
}

TEST(Vehicles, DriveTheirPathAndLeave) {
  Result<World> world = World::create(street());
  const auto car = world->add_vehicle({.path = {{5, 10}, {60, 10}, {60, 15}}, .speed = 5, .acceleration = 2});
  ASSERT_TRUE(car);
  EXPECT_FALSE(world->vehicle(*car).is_there);
  double driven = 0;
  Vec2 last{5, 10};
  for (int i = 0; i < 200; ++i) {
    world->step();
    const VehicleState state = world->vehicle(*car);
    if (!state.is_there) break;
    driven += distance(state.position, last), last = state.position;
    EXPECT_LE(state.speed, 5);
  }
  EXPECT_FALSE(world->vehicle(*car).is_there);
  EXPECT_NEAR(driven, 60, 0.8);
  // 2.5 s to reach 5 m/s, 6.25 m; the rest at 5 m/s.
  EXPECT_NEAR(world->time(), 2.5 + (60 - 6.25) / 5, 0.4);
}

TEST(Vehicles, BrakeForSomebodyWhoDoesNotMind) {
  Result<World> world = World::create(street());
  const AgentId stubborn = world->add({.position = {50, 10}});
  ASSERT_TRUE(world->add_vehicle({.path = {{5, 10}, {95, 10}}, .speed = 8, .discomfort = 0}));
  double hardest = 0, speed = 0;
  for (int i = 0; i < 200; ++i) {
    world->step();
    hardest = std::max(hardest, speed - world->vehicle(0).speed);
    speed = world->vehicle(0).speed;
    EXPECT_LE(deepest(*world), 0);
  }
  EXPECT_NEAR(world->position(stubborn).x, 50, 1e-3);
  EXPECT_NEAR(world->vehicle(0).position.x, 50 - 0.2 - 2.2 - 0.3, 0.1);
  EXPECT_LT(speed, 0.05);
  EXPECT_LT(hardest, 0.1 * 5 * 1.6) << "it sees people from afar";
  world->remove(stubborn);
  for (int i = 0; i < 100; ++i) world->step();
  EXPECT_FALSE(world->vehicle(0).is_there) << "it goes on when the way is free";
}

TEST(Vehicles, AreWalkedRound) {
  Result<World> world = World::create(street());
  ASSERT_TRUE(world->add_vehicle({.path = {{50, 10}, {50.1, 10}}, .speed = 1e-3}));
  world->step(), world->step();
  const AgentId walker = world->add({.position = {30, 10.2}});
  world->set_goal(walker, {70, 10.2});
  for (int i = 0; i < 600 && world->activity(walker) == Activity::kWalking; ++i) {
    world->step();
    EXPECT_LE(deepest(*world), 1e-4);
  }
  EXPECT_GT(world->position(walker).x, 69);
}

struct Flight {
  double speed_inside = 0, speed_outside = 0;  ///< times the preferred one
  double in_zone = 0;                          ///< of those in front of a car, how many still are 2 s later
  double overlap = -1e9;
};

/// A crowd that strolls along a street, and two cars.
Flight flee(double discomfort, const WorldSettings& settings, std::uint64_t seed) {
  Result<World> world = World::create(street(), settings);
  EXPECT_TRUE(world);
  RandomStream random(seed, 0, 1);
  for (int i = 0; i < 120; ++i) {
    const double x = random.between(3, 97), y = random.between(3, 17);
    const AgentId id = world->add({.position = {x, y}});
    world->set_heading(id, {random.chance(0.5) ? 1.0 : -1.0, random.between(-0.3, 0.3)});
  }
  for (const double y : {7.0, 13.0})
    EXPECT_TRUE(world->add_vehicle({.path = {{4, y}, {96, y}}, .speed = 5, .comes_back = true, .discomfort = discomfort}));
  if (settings.interest.enabled)
    for (std::uint32_t v = 0; v < 2; ++v) EXPECT_TRUE(world->follow_vehicle(*world->add_region({.radius = 15}), v));
  Flight out;
  double inside = 0, outside = 0, looked_at = 0, still_there = 0;
  std::vector<std::vector<std::uint8_t>> zones;  // by step and number of the agent: in front of which car
  for (int i = 0; i < 400; ++i) {
    world->step();
    out.overlap = std::max(out.overlap, deepest(*world));
    if (i < 30) continue;
    const auto c = world->columns();
    zones.emplace_back(200, 0);
    for (std::size_t k = 0; k < c.x.size(); ++k) {
      bool is_inside = false;
      for (std::uint32_t v = 0; v < 2; ++v) {
        const VehicleState car = world->vehicle(v);
        const Vec2 to = Vec2{c.x[k], c.y[k]} - car.position;
        const double ahead = dot(to, car.ahead) - 2.2;
        if (!car.is_there || ahead <= 0 || ahead >= 2 * std::max(car.speed, 1.5) || std::abs(cross(car.ahead, to)) >= 1.4)
          continue;
        is_inside = true;
        zones.back()[c.number[k]] |= static_cast<std::uint8_t>(1 << v);
      }
      const double speed = std::hypot(c.vx[k], c.vy[k]) / static_cast<double>(c.preferred_speed[k]);
      (is_inside ? inside : outside) += 1;
      (is_inside ? out.speed_inside : out.speed_outside) += speed;
    }
  }
  for (std::size_t t = 0; t + 20 < zones.size(); ++t)
    for (std::size_t who = 0; who < 200; ++who)
      if (zones[t][who] != 0) looked_at += 1, still_there += (zones[t][who] & zones[t + 20][who]) != 0;
  out.in_zone = still_there / std::max(1.0, looked_at);
  out.speed_inside /= std::max(1.0, inside), out.speed_outside /= outside;
  return out;
}

TEST(Vehicles, AreFledFromAndTouchNobody) {
  WorldSettings plain, regions;
  regions.interest.enabled = true;
  regions.interest.elsewhere = 2;
  for (const WorldSettings& settings : {plain, regions}) {
    double inside = 0, outside = 0, zone = 0, control_zone = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Flight flight = flee(10, settings, seed), control = flee(0, settings, seed);
      EXPECT_LE(flight.overlap, 1e-4);
      EXPECT_LE(control.overlap, 1e-4);
      inside += flight.speed_inside, outside += flight.speed_outside;
      zone += flight.in_zone, control_zone += control.in_zone;
    }
    EXPECT_GE(inside, 1.3 * outside) << inside / 5 << " " << outside / 5;
    EXPECT_LT(zone, 0.2 * control_zone) << zone / 5 << " " << control_zone / 5;
  }
}

TEST(Vehicles, HaveTheSameBitsAtAnyNumberOfThreadsAndAfterASnapshot) {
  const Navigation place = street();
  std::uint64_t one = 0;
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    WorldSettings settings;
    settings.threads = threads;
    settings.interest.enabled = true;
    settings.interest.elsewhere = 2;
    const auto make = [&] {
      Result<World> world = World::create(place, settings);
      EXPECT_TRUE(world->add_vehicle({.path = {{5, 10}, {90, 10}, {90, 3}}, .speed = 5}));
      EXPECT_TRUE(world->follow_vehicle(*world->add_region({.radius = 12}), 0));
      return world;
    };
    Result<World> world = make(), copy = make();
    for (int i = 0; i < 60; ++i) {
      const AgentId id = world->add({.position = {10 + 1.3 * i, 4.0 + (i * 7) % 13}});
      world->set_heading(id, {i % 2 == 0 ? 1.0 : -1.0, 0.1});
    }
    for (int i = 0; i < 77; ++i) world->step();
    ASSERT_TRUE(copy->restore(world->snapshot()));
    for (int i = 0; i < 80; ++i) world->step(), copy->step();
    EXPECT_EQ(world->hash(), copy->hash());
    if (threads == 1) one = world->hash();
    EXPECT_EQ(world->hash(), one) << threads;
  }
}

TEST(Vehicles, ThatMakeNoSenseAreProblems) {
  Result<World> world = World::create(street());
  EXPECT_FALSE(world->add_vehicle({.path = {{5, 10}}}));
  EXPECT_FALSE(world->add_vehicle({.path = {{5, 10}, {5, 10}}}));
  EXPECT_FALSE(world->add_vehicle({.path = {{5, 10}, {9, 10}}, .speed = 0}));
  EXPECT_FALSE(world->add_vehicle({.path = {{5, 10}, {9, 10}}, .layer = 3}));
  EXPECT_FALSE(world->add_vehicle({.path = {{5, 10}, {9, std::nan("")}}}));
  EXPECT_EQ(world->vehicle_count(), 0u);
}

}  // namespace
}  // namespace throng
