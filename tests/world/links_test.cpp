// SPDX-License-Identifier: MIT
// Lifts and escalators: who rides, how long it takes, and that nobody is lost, doubled or seen on the way.
#include <throng/world.hpp>

#include <cmath>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "support/layered_scenes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Area area_of(const char* name, std::uint32_t layer, Polygon shape) { return {name, layer, std::move(shape), 1, {}}; }

/// Two floors of 20 × 10 m above each other, joined by a lift only; up and down are boarded and left at places of their own.
Scene lift(double time, std::uint32_t capacity) {
  Scene scene;
  scene.name = "lift";
  scene.layers = {layer_of("ground", box(0, 0, 20, 10)), layer_of("upper", box(0, 0, 20, 10), 4)};
  scene.areas = {area_of("going up", 0, box(16, 1, 19, 4)), area_of("come up", 1, box(16, 1, 19, 4)),
                 area_of("going down", 1, box(16, 6, 19, 9)), area_of("come down", 0, box(16, 6, 19, 9))};
  scene.links = {{"up", 0, 1, time, capacity}, {"down", 2, 3, time, capacity}};
  return scene;
}

/// A ground floor, stairs of 6 m, an upper floor, and an escalator up beside them.
Scene stairs_and_escalator(double time) {
  Scene scene;
  scene.layers = {layer_of("ground", box(0, 0, 20, 10)), layer_of("stairs", box(20, 4, 26, 6), -40.0 / 3, {2.0 / 3, 0}),
                  layer_of("upper", box(26, 0, 46, 10), 4)};
  scene.joints = {{{0, 1}, {{20, 4}, {20, 6}}}, {{1, 2}, {{26, 4}, {26, 6}}}};
  scene.areas = {area_of("foot", 0, box(15, 7, 17, 9)), area_of("head", 2, box(30, 7, 32, 9))};
  scene.links = {{"escalator", 0, 1, time, 0}};
  return scene;
}

World world_of(const Navigation& navigation, const WorldSettings& settings = {}) {
  Result<World> world = World::create(navigation, settings);
  EXPECT_TRUE(world);
  return std::move(*world);
}

std::uint32_t layer_of_row(const World& world, std::uint32_t row) {
  return world.navigation().data().cells.layer[world.columns().cell[row]];
}

/// People in rows on a floor, each with the mirrored place of the other floor as goal.
void add_people(World& world, std::uint32_t count, std::uint32_t layer) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec2 place = {1 + 0.8 * (i % 12), 1 + 0.8 * (i / 12)};
    const AgentId agent = world.add({.position = place, .layer = layer});
    ASSERT_TRUE(agent);
    world.set_goal(agent, place, 1 - layer);
  }
}

TEST(Links, ARideTakesItsTimeAndTheWayWalkingAndRiding) {
  constexpr double kTime = 20;
  World world = world_of(baked(lift(kTime, 0)));
  const AgentId anna = world.add({.position = {2, 2.5}, .layer = 0});
  const AgentId bert = world.add({.position = {4, 8}, .layer = 1});
  ASSERT_TRUE(world.set_goal(anna, {2, 2.5}, 1));
  double boarded = 0, left = 0;
  Vec2 appeared;
  for (int step = 0; step < 1000 && world.activity(anna) != Activity::kStaying; ++step) {
    const bool rode = world.activity(anna) == Activity::kRiding;
    world.step();
    const bool rides = world.activity(anna) == Activity::kRiding;
    ASSERT_EQ(world.agent_count() + world.riders().size(), 2u);
    if (rides && !rode) {
      boarded = world.time();
      EXPECT_TRUE(world.is_alive(anna));
      EXPECT_EQ(world.number(anna), 1u);
      EXPECT_EQ(world.riders()[0], 1u);
      EXPECT_NEAR(world.position(anna).x, 16, 0.3);
      EXPECT_FALSE(world.set_goal(anna, {1, 1}));
      EXPECT_FALSE(world.teleport(anna, {1, 1}));
    }
    if (rode && !rides) left = world.time(), appeared = world.position(anna);
  }
  ASSERT_EQ(world.activity(anna), Activity::kStaying);
  EXPECT_NEAR(left - boarded, kTime, 0.11);
  EXPECT_GT(appeared.x, 16);
  const double walked = 14 + length(appeared - Vec2{2, 2.5}) - world.settings().arrival_distance;
  // Setting out twice and slowing down before the goal take a second or two.
  EXPECT_NEAR(world.time(), walked / 1.34 + kTime, 2.0);
  EXPECT_GT(world.time(), walked / 1.34 + kTime - 0.2);
  EXPECT_EQ(world.activity(bert), Activity::kStaying);
  EXPECT_NEAR(length(world.position(bert) - Vec2{4, 8}), 0, 0.01);
}

/// Seconds between the first and the last who get off, and the most aboard at once.
std::pair<double, std::size_t> getting_off(std::uint32_t capacity) {
  World world = world_of(baked(lift(10, capacity)));
  add_people(world, 30, 0);
  double first = 0, last = 0;
  std::size_t up = 0, most = 0;
  for (int step = 0; step < 3000 && up < 30; ++step) {
    world.step();
    std::size_t now = 0;
    for (std::uint32_t row = 0; row < world.agent_count(); ++row) now += layer_of_row(world, row) == 1;
    if (now > up) last = world.time();
    if (up == 0 && now > 0) first = world.time();
    up = now;
    most = std::max(most, world.riders().size());
    for (const Event& event : world.events()) EXPECT_NE(event.kind, EventKind::kStuck) << event.number;
  }
  EXPECT_EQ(up, 30u);
  return {last - first, most};
}

TEST(Links, CapacityLimitsHowManyAreCarried) {
  // Thirty people, three in ten seconds: nine more rides after the first has brought somebody.
  const auto [few, three] = getting_off(3);
  EXPECT_EQ(three, 3u);
  EXPECT_GE(few, 89);
  EXPECT_LE(few, 100);
  // The control: without a limit they get off as they come.
  const auto [all, many] = getting_off(0);
  EXPECT_GT(many, 10u);
  EXPECT_LT(all, 25);
}

TEST(Links, AnEscalatorLeadsOneWay) {
  Scene scene = lift(8, 0);
  scene.links.pop_back();
  World world = world_of(baked(scene));
  const AgentId up = world.add({.position = {2, 2}, .layer = 0});
  const AgentId down = world.add({.position = {2, 2}, .layer = 1});
  world.set_goal(up, {4, 2}, 1);
  world.set_goal(down, {4, 2}, 0);
  std::set<std::uint32_t> without_way;
  for (int step = 0; step < 600; ++step) {
    world.step();
    for (const Event& event : world.events())
      if (event.kind == EventKind::kNoWay) without_way.insert(event.number);
  }
  EXPECT_EQ(world.activity(up), Activity::kStaying);
  EXPECT_EQ(world.activity(down), Activity::kLost);
  EXPECT_EQ(without_way, std::set<std::uint32_t>{2});
}

TEST(Links, StairsOrEscalatorIsAMatterOfTime) {
  const Vec2 from = {10, 5}, to = {36, 5};
  const Navigation navigation = baked(stairs_and_escalator(1));
  PathFinder finder(navigation);
  Path path;
  const auto cost = [&](Vec2 a, std::uint32_t layer_a, Vec2 b, std::uint32_t layer_b) {
    PathRequest request;
    request.from = a, request.from_layer = layer_a, request.to = b, request.to_layer = layer_b;
    EXPECT_EQ(finder.find(request, path), PathStatus::kFound);
    return path.cost;
  };
  const auto& ends = navigation.data().links[0].ends;
  const double spared = cost(from, 0, to, 2) - cost(from, 0, ends[0].place, 0) - cost(ends[1].place, 2, to, 2);
  ASSERT_GT(spared, 2);
  for (const double share : {0.95, 1.05}) {
    World world = world_of(baked(stairs_and_escalator(share * spared / 1.34)));
    const AgentId anna = world.add({.position = from, .layer = 0});
    world.set_goal(anna, to, 2);
    bool rode = false;
    for (int step = 0; step < 1000 && world.activity(anna) != Activity::kStaying; ++step) {
      world.step();
      rode = rode || world.activity(anna) == Activity::kRiding;
    }
    EXPECT_EQ(world.activity(anna), Activity::kStaying);
    EXPECT_EQ(rode, share < 1);
  }
}

/// Forty people change floors both ways by a small lift: the hashes of some steps.
std::vector<std::uint64_t> busy_lift(unsigned threads, bool levels, bool with_snapshot) {
  const Navigation navigation = baked(lift(6, 4));
  WorldSettings settings;
  settings.threads = threads;
  settings.detail.enabled = levels;
  World world = world_of(navigation, settings);
  add_people(world, 24, 0);
  add_people(world, 24, 1);
  std::vector<std::uint64_t> hashes;
  std::set<std::uint32_t> arrived;
  for (int step = 0; step < 1500; ++step) {
    world.step();
    std::set<std::uint32_t> numbers(world.columns().number.begin(), world.columns().number.end());
    numbers.insert(world.riders().begin(), world.riders().end());
    EXPECT_EQ(numbers.size(), 48u);
    EXPECT_EQ(world.agent_count() + world.riders().size(), 48u);
    for (const Event& event : world.events()) {
      EXPECT_TRUE(event.kind == EventKind::kArrived) << name_of(event.kind);
      arrived.insert(event.number);
    }
    if (step % 100 == 99) hashes.push_back(world.hash());
    if (with_snapshot && step == 250) {
      EXPECT_GT(world.riders().size(), 2u);
      const std::string bytes = world.snapshot();
      World other = world_of(navigation, settings);
      const auto restored = other.restore(bytes);
      EXPECT_TRUE(restored);
      EXPECT_EQ(other.hash(), world.hash());
      EXPECT_EQ(other.riders().size(), world.riders().size());
      world = std::move(other);
    }
  }
  EXPECT_EQ(arrived.size(), 48u);
  EXPECT_TRUE(world.riders().empty());
  return hashes;
}

TEST(Links, EverybodyArrivesWithTheSameBitsAtAnyNumberOfThreadsAndAfterARestore) {
  const std::vector<std::uint64_t> once = busy_lift(1, false, false);
  for (const unsigned threads : {2u, 4u, 8u}) EXPECT_EQ(busy_lift(threads, false, false), once) << threads;
  EXPECT_EQ(busy_lift(2, false, true), once);
}

TEST(Links, PeopleRideWithLevelsOfSimulationToo) { EXPECT_EQ(busy_lift(1, true, true), busy_lift(2, true, false)); }

TEST(Links, ARiderCanBeTakenOutAndItsSeatIsFree) {
  World world = world_of(baked(lift(1000, 1)));
  const AgentId anna = world.add({.position = {17, 2}, .layer = 0});
  const AgentId bert = world.add({.position = {14, 2}, .layer = 0});
  for (const AgentId agent : {anna, bert}) world.set_goal(agent, {2, 2}, 1);
  for (int step = 0; step < 100; ++step) world.step();
  ASSERT_EQ(world.activity(anna), Activity::kRiding);
  EXPECT_EQ(world.activity(bert), Activity::kWalking);
  EXPECT_TRUE(world.remove(anna));
  EXPECT_FALSE(world.is_alive(anna));
  EXPECT_FALSE(world.remove(anna));
  for (int step = 0; step < 5; ++step) world.step();
  EXPECT_EQ(world.activity(bert), Activity::kRiding);
}

TEST(Links, WhoFindsNoRoomAtTheOtherEndStaysAboard) {
  Scene scene = lift(2, 0);
  scene.areas[1].shape = box(17, 2, 17.4, 2.4);
  World world = world_of(baked(scene));
  const AgentId guard = world.add({.position = {17.2, 2.2}, .layer = 1});
  const AgentId anna = world.add({.position = {17, 2}, .layer = 0});
  world.set_goal(anna, {2, 2}, 1);
  for (int step = 0; step < 100; ++step) world.step();
  EXPECT_EQ(world.activity(anna), Activity::kRiding);
  ASSERT_TRUE(world.teleport(guard, {5, 8}, 1));
  world.step();
  EXPECT_EQ(world.activity(anna), Activity::kWalking);
  EXPECT_NEAR(length(world.position(anna) - Vec2{17.2, 2.2}), 0, 0.6);
}

TEST(Links, AForgedSnapshotOfRidersIsRefusedOrDoesNoHarm) {
  const Navigation navigation = baked(lift(50, 0));
  World world = world_of(navigation);
  add_people(world, 6, 0);
  for (int step = 0; step < 120; ++step) world.step();
  ASSERT_GT(world.riders().size(), 0u);
  const std::string whole = world.snapshot();
  EXPECT_FALSE(world_of(baked(lift(60, 0))).restore(whole)) << "of a slower lift";
  RandomStream random(5, 0, 1);
  int refused = 0;
  World other = world_of(navigation);
  for (int attempt = 0; attempt < 3000; ++attempt) {
    std::string bytes = whole;
    bytes[static_cast<std::size_t>(random.integer(8, static_cast<std::int64_t>(bytes.size()) - 9))] =
        static_cast<char>(random.integer(0, 255));
    const std::uint64_t sum = hash_of(std::string_view(bytes).substr(0, bytes.size() - 8));
    std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
    if (!other.restore(bytes)) {
      ++refused;
      continue;
    }
    EXPECT_EQ(other.agent_count() + other.riders().size(), 6u);
    for (int step = 0; step < 3; ++step) other.step();
  }
  EXPECT_GT(refused, 100);
  EXPECT_TRUE(other.restore(whole));
  EXPECT_EQ(other.hash(), world.hash());
}

}  // namespace
}  // namespace throng
