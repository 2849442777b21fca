// SPDX-License-Identifier: MIT
// Flows: people spread over several ways, walk the one they chose, turn back, and take new goals.
#include <throng/world.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "navgraph/nav_graph.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

constexpr double kDoors[] = {6, 15, 24};  // y of their middles, 2 m wide

/// Two rooms of 30 × 20 m with three doors between them: at x = 0, through a wall of half a metre.
struct Hall {
  Navigation navigation;
  NavigationGraph graph;

  static Hall make(const Layer& layer) {
    const Scene scene = scene_of(layer);
    Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
    Result<NavigationGraph> graph = NavigationGraph::bake(scene, {.threads = 1});
    EXPECT_TRUE(navigation && graph);
    return {std::move(*navigation), std::move(*graph)};
  }
  static Hall make() {
    Layer layer;
    layer.walkable.push_back(box(-20, 0, 20, 30));
    double y = 0;
    for (const double door : kDoors) {
      layer.obstacles.push_back(box(-0.25, y, 0.25, door - 1));
      y = door + 1;
    }
    layer.obstacles.push_back(box(-0.25, y, 0.25, 30));
    return make(layer);
  }
};

/// Corridors of 3 m in a grid of 4 × 4 crossings, 15 m apart.
Hall corridors() {
  Layer layer;
  for (int i = 0; i < 4; ++i) {
    layer.walkable.push_back(box(-25, 15 * i - 8, 23, 15 * i - 5));
    layer.walkable.push_back(box(15 * i - 25, -8, 15 * i - 22, 40));
  }
  layer.walkable.push_back(box(-20, 10, -14, 20));
  layer.walkable.push_back(box(14, 10, 20, 20));
  return Hall::make(layer);
}

struct Walkers {
  World world;
  std::uint32_t flow = 0;

  /// In the west, to go to the east and back, for ever.
  static Walkers make(const Hall& hall, int count, PathCriterion choice, bool by_flow = true, WorldSettings settings = {}) {
    Result<World> world = World::create(hall.navigation, hall.graph, settings);
    EXPECT_TRUE(world);
    const std::uint32_t west = world->add_area(box(-20, 10, -14, 20)), east = world->add_area(box(14, 10, 20, 20));
    const auto flow = world->add_flow({.from = west, .to = east, .paths = {.max_paths = 24, .max_ratio = 2}, .choice = choice});
    EXPECT_TRUE(flow);
    PlanGoal there{.area = east}, back{.area = west};
    if (by_flow) there.flow = back.flow = *flow;
    const std::uint32_t plan = world->add_plan({{there, back}, PlanEnd::kLoop});
    for (int i = 0; i < count; ++i)
      world->add({.position = {-19.5 + 0.5 * (i % 11), 10.5 + 0.5 * (i / 11)}, .plan = plan, .start_time = 0.3 * i});
    EXPECT_EQ(world->agent_count(), static_cast<std::uint32_t>(count));
    return {std::move(*world), *flow};
  }
};

int door_at(double y) {
  for (int door = 0; door < 3; ++door)
    if (std::abs(y - kDoors[door]) < 1.01) return door;
  return -1;
}

/// Which door each agent last went through, and how often each was used.
struct Doors {
  std::vector<double> x;
  std::vector<int> last;
  std::array<int, 3> used{};

  void look(const World& world) {
    const auto columns = world.columns();
    x.resize(columns.x.size() + 1, -20), last.resize(x.size(), -1);
    for (std::size_t row = 0; row < columns.x.size(); ++row) {
      const std::uint32_t number = columns.number[row];
      if (x[number] * columns.x[row] < 0) {
        last[number] = door_at(columns.y[row]);
        ASSERT_GE(last[number], 0) << "through the wall at " << columns.y[row];
        ++used[static_cast<std::size_t>(last[number])];
      }
      x[number] = columns.x[row];
    }
  }
};

TEST(Flows, a_flow_has_a_path_through_every_door) {
  const Hall hall = Hall::make();
  Walkers walkers = Walkers::make(hall, 1, PathCriterion::kLength);
  const Flow& flow = walkers.world.flow(walkers.flow);
  std::array<bool, 3> has_door{};
  for (const FlowPath& path : flow.paths)
    for (const std::uint32_t gate : path.gates) {
      const Vec3 middle = hall.graph.data().gates[gate].middle();
      if (std::abs(middle.x) < 0.25) has_door[static_cast<std::size_t>(door_at(middle.y))] = true;
    }
  EXPECT_EQ(has_door, (std::array{true, true, true}));
}

TEST(Flows, people_go_through_the_door_of_the_path_they_chose_and_come_back) {
  const Hall hall = Hall::make();
  for (const PathCriterion choice : {PathCriterion::kLength, PathCriterion::kWidth, PathCriterion::kTravelTime}) {
    Walkers walkers = Walkers::make(hall, 40, choice);
    World& world = walkers.world;
    Doors doors;
    std::uint32_t arrivals = 0;
    std::vector<std::uint64_t> trips;
    for (int step = 0; step < 1200; ++step) {
      world.step();
      doors.look(world);
      for (const Event& event : world.events()) arrivals += event.kind == EventKind::kArrived;
      const FlowLoad load = world.load(walkers.flow);
      std::uint64_t sum = 0, walking = 0;
      for (const std::uint64_t t : load.trips) sum += t;
      for (const std::uint32_t w : load.walkers) walking += w;
      ASSERT_EQ(sum, arrivals + walking) << "a trip that began has ended or goes on";
    }
    EXPECT_GT(arrivals, 100u);
    // What the paths promised is what the doors saw, but for those who are on their way.
    std::array<double, 3> promised{};
    const FlowLoad load = world.load(walkers.flow);
    const Flow& flow = world.flow(walkers.flow);
    for (std::size_t i = 0; i < flow.paths.size(); ++i)
      for (const std::uint32_t gate : flow.paths[i].gates) {
        const Vec3 middle = hall.graph.data().gates[gate].middle();
        if (std::abs(middle.x) > 0.25) continue;
        promised[static_cast<std::size_t>(door_at(middle.y))] += static_cast<double>(load.trips[i]);
        break;
      }
    for (std::size_t door = 0; door < 3; ++door) EXPECT_NEAR(promised[door], doors.used[door], 40) << door;
  }
}

TEST(Flows, a_crowd_spreads_over_doors_that_one_person_would_not_take) {
  const Hall hall = Hall::make();
  const auto used = [&](PathCriterion choice, bool by_flow) {
    Walkers walkers = Walkers::make(hall, 200, choice, by_flow);
    Doors doors;
    for (int step = 0; step < 1500; ++step) {
      walkers.world.step();
      doors.look(walkers.world);
    }
    return doors.used;
  };
  const auto share = [](const std::array<int, 3>& doors) {
    return static_cast<double>(*std::max_element(doors.begin(), doors.end())) / (doors[0] + doors[1] + doors[2]);
  };
  const double crowd = share(used(PathCriterion::kTravelTime, true)), shortest = share(used(PathCriterion::kLength, true)),
               none = share(used(PathCriterion::kLength, false));
  EXPECT_LT(crowd, 0.75);
  EXPECT_GT(shortest, 0.95) << "control: the middle door is the shortest way by more than people err";
  EXPECT_GT(none, 0.95) << "control: without a flow";
}

TEST(Flows, new_goals_are_taken_while_walking) {
  const Hall hall = Hall::make();
  Walkers walkers = Walkers::make(hall, 20, PathCriterion::kTravelTime);
  World& world = walkers.world;
  for (int step = 0; step < 60; ++step) world.step();
  std::vector<AgentId> everybody;
  for (std::uint32_t row = 0; row < world.agent_count(); ++row) everybody.push_back(world.id_at(row));
  for (const AgentId id : everybody) ASSERT_TRUE(world.set_goal(id, {-10, 4}));
  for (int step = 0; step < 600; ++step) world.step();
  for (const AgentId id : everybody) EXPECT_LT(distance(world.position(id), {-10, 4}), 3.0);
  EXPECT_EQ(world.load(walkers.flow).walkers, std::vector<std::uint32_t>(world.flow(walkers.flow).paths.size()));
}

TEST(Flows, who_waits_at_the_end_of_one_flow_and_goes_on_by_another_can_be_counted_and_saved_at_any_time) {
  const Hall hall = Hall::make();
  Result<World> world = World::create(hall.navigation, hall.graph);
  ASSERT_TRUE(world);
  const std::uint32_t west = world->add_area(box(-20, 10, -14, 20)), east = world->add_area(box(14, 10, 20, 20)),
                      south = world->add_area(box(5, 1, 10, 5));
  const auto one = world->add_flow({.from = west, .to = east, .paths = {.max_paths = 24, .max_ratio = 2}});
  const auto two = world->add_flow({.from = east, .to = south, .paths = {.max_paths = 1}});
  ASSERT_TRUE(one && two);
  const std::uint32_t plan = world->add_plan({{{.area = east, .wait_low = 3, .wait_high = 9, .flow = *one},
                                               {.area = south, .wait_low = 1, .wait_high = 4, .flow = *two},
                                               {.area = west}},
                                              PlanEnd::kLoop});
  std::vector<AgentId> people;
  for (int i = 0; i < 40; ++i)
    people.push_back(
        world->add({.position = {-19.5 + 0.5 * (i % 11), 10.5 + 0.5 * (i / 11)}, .plan = plan, .start_time = 0.2 * i}));
  for (int step = 0; step < 1500; ++step) {
    world->step();
    if (step == 400) EXPECT_TRUE(world->set_heading(people[0], {1, 0}));
    if (step == 400) EXPECT_TRUE(world->set_plan(people[1], plan));
    if (step % 50 != 0) continue;
    const std::string snapshot = world->snapshot();
    ASSERT_TRUE(world->restore(snapshot)) << step;
    ASSERT_EQ(world->snapshot(), snapshot);
  }
  EXPECT_GT(world->load(*one).trips[0] + world->load(*two).trips[0], 40u);
}

TEST(Flows, have_one_hash_at_any_number_of_threads_and_after_a_restore_with_levels_by_discs) {
  const Hall hall = corridors();
  const auto settings = [](unsigned threads, Patch patch, bool has_levels) {
    WorldSettings s;
    s.dt = 0.04;
    s.threads = threads;
    s.detail.enabled = has_levels;
    s.detail.patch = patch;
    s.detail.viewpoint = Viewpoint{.position = {-24, 0}, .direction = {0, 1}, .field_of_view = 1.5, .distance = 40};
    return s;
  };
  for (const auto& [patch, has_levels] : {std::pair{Patch::kDisc, true}, {Patch::kCell, true}, {Patch::kCell, false}}) {
    const auto make = [&](unsigned threads) {
      return Walkers::make(hall, 100, PathCriterion::kTravelTime, true, settings(threads, patch, has_levels));
    };
    Walkers one = make(1);
    std::uint32_t high = 0, updated = 0, people = 0;
    std::string snapshot;
    for (int step = 0; step < 800; ++step) {
      if (step == 413) snapshot = one.world.snapshot();
      const StepReport& report = one.world.step();
      high += report.high_level, updated += report.updated, people += report.agents;
    }
    if (has_levels) {
      EXPECT_GT(high, people / 20) << "somebody is seen";
      EXPECT_LT(updated, people * 9 / 10) << "somebody is not";
    } else {
      EXPECT_EQ(updated, people);
    }
    for (const unsigned threads : {2u, 4u, 8u}) {
      Walkers other = make(threads);
      for (int step = 0; step < 800; ++step) other.world.step();
      EXPECT_EQ(other.world.hash(), one.world.hash()) << threads;
    }
    Walkers restored = make(2);
    ASSERT_TRUE(restored.world.restore(snapshot));
    EXPECT_EQ(restored.world.snapshot(), snapshot);
    for (int step = 413; step < 800; ++step) restored.world.step();
    EXPECT_EQ(restored.world.hash(), one.world.hash());
    EXPECT_EQ(restored.world.load(0).trips, one.world.load(0).trips);
  }
}

TEST(Flows, what_cannot_be_is_said) {
  const Hall hall = Hall::make();
  Result<World> plain = World::create(hall.navigation);
  ASSERT_TRUE(plain);
  const std::uint32_t a = plain->add_area(box(-20, 10, -14, 20)), b = plain->add_area(box(14, 10, 20, 20));
  EXPECT_FALSE(plain->add_flow({.from = a, .to = b})) << "no graph";
  WorldSettings settings;
  settings.detail.enabled = true;
  settings.detail.patch = Patch::kDisc;
  EXPECT_FALSE(World::create(hall.navigation, settings)) << "no graph";

  Layer layer;
  layer.walkable = {box(0, 0, 10, 10), box(20, 0, 30, 10)};
  const Scene scene = scene_of(layer);
  const auto navigation = Navigation::bake(scene, {.threads = 1});
  const auto graph = NavigationGraph::bake(scene, {.threads = 1});
  ASSERT_TRUE(navigation && graph);
  Result<World> world = World::create(*navigation, *graph);
  ASSERT_TRUE(world);
  const std::uint32_t left = world->add_area(box(1, 1, 5, 5)), right = world->add_area(box(21, 1, 25, 5));
  const auto flow = world->add_flow({.from = left, .to = right});
  ASSERT_FALSE(flow);
  EXPECT_NE(flow.problems()[0].what.find("no way"), std::string::npos);
  EXPECT_FALSE(world->add_flow({.from = left, .to = left}));
  EXPECT_FALSE(world->add_flow({.from = left, .to = 99}));
}

}  // namespace
}  // namespace throng
