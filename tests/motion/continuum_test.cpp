// SPDX-License-Identifier: MIT
// Continuum crowds in a world: alone, in streams that cross, among walls, vehicles and people of other models, on storeys. Lanes
// and the fundamental diagram are in tests/validation/continuum_test.cpp.
#include "motion/continuum/continuum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <throng/world.hpp>

#include "base/random.hpp"
#include "support/count_allocations.hpp"
#include "support/layered_scenes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Scene hall(double width, double height, std::vector<Polygon> obstacles = {}) {
  Layer layer;
  layer.walkable = {box(0, 0, width, height)};
  layer.obstacles = std::move(obstacles);
  return scene_of(layer);
}

WorldSettings by(std::vector<MotionModel> models, unsigned threads = 1) {
  WorldSettings settings;
  settings.models = std::move(models);
  settings.threads = threads;
  return settings;
}

World made(const Navigation& navigation, const WorldSettings& settings) {
  Result<World> world = World::create(navigation, settings);
  EXPECT_TRUE(world) << to_string(world.problems()[0]);
  return std::move(*world);
}

/// Fields that know nothing of people: the shortest way, at one's own speed.
ContinuumSettings blind() {
  ContinuumSettings model;
  model.field.prediction_time = 0;
  model.field.low_density = 1e4f, model.field.high_density = 2e4f;
  model.field.jam_density = 0;
  return model;
}

/// A plan to one area.
std::uint32_t plan_to(World& world, const Polygon& area, PlanEnd end = PlanEnd::kLeave, std::uint32_t layer = 0) {
  return world.add_plan({{{.area = world.add_area(area, layer)}}, end});
}

void crowd(World& world, const Polygon& where, int people, std::uint32_t plan, std::uint64_t seed, std::uint8_t model = 0) {
  RandomStream random(seed, 0, 5);
  const std::uint32_t area = world.add_area(where);
  for (int i = 0; i < people; ++i)
    if (const auto place = world.free_place(area, 0.2, random.integer(0, 1u << 30))) {
      const auto speed = static_cast<float>(random.between(1.1, 1.6));
      world.add({.position = *place, .person = {.preferred_speed = speed, .model = model}, .plan = plan});
    }
}

TEST(Continuum, somebody_alone_keeps_its_speed_from_tile_to_tile) {
  const Navigation navigation = baked(hall(40, 12));
  const auto slowest = [&](const ContinuumSettings& model, float tile) {
    ContinuumSettings sized = model;
    sized.tile = tile;
    World world = made(navigation, by({sized}));
    const std::uint32_t plan = plan_to(world, box(36, 8, 40, 12));
    const AgentId agent = world.add({.position = {2.13, 1.37}, .person = {.preferred_speed = 1.3f}, .plan = plan});
    double least = 10;
    for (int i = 0; i < 220; ++i) {
      world.step();
      if (i > 20) least = std::min(least, length(world.velocity(agent)));
    }
    EXPECT_TRUE(world.is_alive(agent));
    return least;
  };
  EXPECT_NEAR(slowest({}, 0.5f), 1.3, 0.02);
  EXPECT_NEAR(slowest({}, 1), 1.3, 0.02);
  ContinuumSettings fearful;  // slowed down by what it weighs itself
  fearful.field.free_density = 0.01f, fearful.field.jam_density = 1;
  EXPECT_LT(slowest(fearful, 0.5f), 1.1);
}

TEST(Continuum, the_length_of_a_step_changes_little) {
  const Navigation navigation = baked(hall(40, 12, {box(15, 0, 16, 8)}));
  double times[2];
  int k = 0;
  for (const double dt : {0.1, 0.05}) {
    WorldSettings settings = by({ContinuumSettings{}});
    settings.dt = dt;
    World world = made(navigation, settings);
    const std::uint32_t plan = plan_to(world, box(36, 0, 40, 4));
    const AgentId agent = world.add({.position = {2, 2}, .plan = plan});
    while (world.is_alive(agent) && world.time() < 100) world.step();
    times[k++] = world.time();
  }
  EXPECT_NEAR(times[0], times[1], 0.02 * times[1]);
  EXPECT_LT(times[0], 40);
}

struct Crossing {
  std::uint64_t overlaps = 0;  ///< pairs that pressed on each other so much that pushing them apart did not suffice
  double time = 0;             ///< until all have left
  std::uint64_t hash = 0;      ///< after 20 s
};

/// Two streams of 60 that cross in a hall of 24 × 24 m.
Crossing cross(const ContinuumSettings& model, unsigned threads = 1) {
  WorldSettings settings = by({model}, threads);
  settings.count_contacts = true;
  World world = made(baked(hall(24, 24)), settings);
  crowd(world, box(0, 8, 6, 16), 60, plan_to(world, box(22, 8, 24, 16)), 1);
  crowd(world, box(8, 0, 16, 6), 60, plan_to(world, box(8, 22, 16, 24)), 2);
  EXPECT_EQ(world.agent_count(), 120u);
  Crossing crossing;
  while (world.agent_count() > 0 && world.time() < 200) {
    const StepReport& report = world.step();
    crossing.overlaps += report.overlaps;
    EXPECT_EQ(report.wall_penetrations, 0u);
    if (world.steps() == 200) crossing.hash = world.hash();
  }
  EXPECT_EQ(world.agent_count(), 0u) << "all have arrived";
  crossing.time = world.time();
  return crossing;
}

TEST(Continuum, streams_that_cross_press_less_on_each_other_than_blind_ones) {
  const Crossing seeing = cross({}), unseeing = cross(blind());
  EXPECT_LT(seeing.overlaps, unseeing.overlaps / 4);
  EXPECT_GT(unseeing.overlaps, 50u);
  EXPECT_LT(seeing.time, 60) << "nobody waits for long";
}

TEST(Continuum, has_the_same_bits_at_any_number_of_threads) {
  const std::uint64_t one = cross({}).hash;
  for (const unsigned threads : {2u, 4u, 8u}) EXPECT_EQ(cross({}, threads).hash, one);
}

TEST(Continuum, goes_on_with_the_same_bits_after_a_snapshot) {
  const Navigation navigation = baked(hall(30, 20, {box(10, 5, 12, 15)}));
  const auto make = [&](unsigned threads) {
    World world = made(navigation, by({ContinuumSettings{}, reactive()}, threads));
    const std::uint32_t there = world.add_area(box(25, 0, 30, 20)), back = world.add_area(box(0, 0, 5, 20));
    const std::uint32_t plan = world.add_plan({{{.area = there}, {.area = back}}, PlanEnd::kLoop});
    crowd(world, box(0, 0, 8, 20), 40, plan, 3);
    crowd(world, box(14, 0, 24, 20), 20, plan, 4, 1);
    return world;
  };
  World first = make(1), second = make(2);
  for (int i = 0; i < 150; ++i) first.step();
  for (int i = 0; i < 31; ++i) second.step();
  ASSERT_TRUE(second.restore(first.snapshot()));
  for (int i = 0; i < 150; ++i) first.step(), second.step();
  EXPECT_EQ(first.hash(), second.hash());
}

TEST(Continuum, leads_through_doors_and_round_pillars_and_through_no_wall) {
  // Three rooms in a row with doors of 1 m at either end, and pillars in between.
  std::vector<Polygon> walls = {box(10, 0, 10.4, 8), box(10, 9, 10.4, 10), box(20, 0, 20.4, 1), box(20, 2, 20.4, 10)};
  for (int i = 0; i < 3; ++i) walls.push_back(box(13 + 2 * i, 4, 13.5 + 2 * i, 4.5));
  WorldSettings settings = by({ContinuumSettings{}});
  settings.count_contacts = true;
  World world = made(baked(hall(30, 10, walls)), settings);
  crowd(world, box(0, 0, 8, 10), 50, plan_to(world, box(26, 0, 30, 10)), 6);
  while (world.agent_count() > 0 && world.time() < 300) EXPECT_EQ(world.step().wall_penetrations, 0u);
  EXPECT_EQ(world.agent_count(), 0u);
  EXPECT_GT(world.time(), 30 / 1.6);
}

TEST(Continuum, nobody_is_caught_at_the_end_of_a_wall_inside_a_tile) {
  // A side corridor whose wall ends in the middle of a tile: the field leads up, the wall's end is in the way.
  Layer layer;
  layer.walkable = {box(0, 5, 20, 6), box(6, 5.9, 7.2, 13), box(7.25, 6.1, 10, 11), box(7.7, 5.9, 8.6, 6.2)};
  World world = made(baked(scene_of(layer)), by({ContinuumSettings{}}));
  const std::uint32_t plan = plan_to(world, box(6, 11, 7.2, 13));
  for (int i = 0; i < 12; ++i) {
    const AgentId agent = world.add({.position = {7.0 + 0.04 * i, 5.75}, .plan = plan});
    ASSERT_TRUE(agent);
    for (int step = 0; step < 150 && world.is_alive(agent); ++step) world.step();
    EXPECT_FALSE(world.is_alive(agent)) << i << " stands at " << world.position(agent).x << ", " << world.position(agent).y;
  }
}

TEST(Continuum, goes_round_people_of_another_model_who_stand_in_the_way) {
  const Navigation navigation = baked(hall(30, 16));
  const auto aside = [&](const ContinuumSettings& model) {
    World world = made(navigation, by({model, reactive()}));
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 9; ++j) world.add({.position = {14 + 0.5 * i, 6 + 0.5 * j}, .person = {.model = 1}});
    const AgentId agent = world.add({.position = {4, 8.1}, .plan = plan_to(world, box(27, 6, 30, 10))});
    double most = 0;
    while (world.is_alive(agent) && world.time() < 120) {
      world.step();
      if (std::abs(world.position(agent).x - 15) < 1) most = std::max(most, std::abs(world.position(agent).y - 8));
    }
    return most;
  };
  EXPECT_GT(aside({}), 2.3) << "round the group, which reaches 2.2 m to each side";
  EXPECT_LT(aside(blind()), 2.2) << "through it";
}

TEST(Continuum, leaves_the_place_in_front_of_a_vehicle_and_walks_round_one_that_stands) {
  const auto run = [](double discomfort) {
    WorldSettings settings = by({ContinuumSettings{}});
    World world = made(baked(hall(60, 20)), settings);
    // Along the street, towards each other, the vehicle in the middle.
    crowd(world, box(30, 7, 55, 13), 60, plan_to(world, box(0, 0, 4, 20)), 8);
    EXPECT_TRUE(world.add_vehicle({.path = {{6, 10}, {56, 10}}, .speed = 4, .discomfort = discomfort}));
    double in_danger = 0;
    while (world.agent_count() > 0 && world.time() < 120) {
      world.step();
      const VehicleState car = world.vehicle(0);
      const auto columns = world.columns();
      for (std::size_t i = 0; car.is_there && i < columns.x.size(); ++i) {
        const Vec2 to = Vec2{columns.x[i], columns.y[i]} - car.position;
        const double x = std::max(0.0, std::abs(dot(to, car.ahead)) - 2.2),
                     y = std::max(0.0, std::abs(cross(car.ahead, to)) - 0.9);
        EXPECT_GT(std::hypot(x, y), 0.199) << "nobody is touched";
        in_danger += dot(to, car.ahead) > 2.2 && dot(to, car.ahead) < 10.2 && std::abs(cross(car.ahead, to)) < 1.4;
      }
    }
    EXPECT_EQ(world.agent_count(), 0u) << "all got past";
    return in_danger;
  };
  const double minding = run(10), unminding = run(0);
  EXPECT_LT(minding, 0.6 * unminding);
  EXPECT_GT(unminding, 100);
}

TEST(Continuum, serves_any_level_of_the_regions_of_interest) {
  const Scene scene = hall(60, 30);
  const Navigation navigation = baked(scene);
  const Result<NavigationGraph> graph = NavigationGraph::bake(scene, {.threads = 1});
  ASSERT_TRUE(graph);
  const auto run = [&](unsigned threads) {
    WorldSettings settings = by({reactive(), ContinuumSettings{}}, threads);
    settings.interest.enabled = true;
    settings.interest.regions = {{.centre = {30, 15}, .radius = 12}};
    settings.interest.levels[0] = {Guidance::kCorridor, 1};
    settings.interest.levels[1] = {Guidance::kCorridor, kOwnModel};
    World world = std::move(*World::create(navigation, *graph, settings));
    crowd(world, box(0, 5, 8, 25), 40, plan_to(world, box(55, 5, 60, 25)), 9);
    crowd(world, box(52, 5, 60, 25), 40, plan_to(world, box(0, 5, 5, 25)), 10);
    std::set<int> levels;
    for (int i = 0; i < 250; ++i) {
      world.step();
      for (const std::uint8_t level : world.columns().level) levels.insert(level);
    }
    EXPECT_EQ(levels, (std::set<int>{0, 1}));
    const std::uint64_t hash = world.hash();
    while (world.agent_count() > 0 && world.time() < 150) world.step();
    EXPECT_EQ(world.agent_count(), 0u);
    return hash;
  };
  EXPECT_EQ(run(1), run(3));
}

TEST(Continuum, goals_beyond_the_most_fields_are_reached_by_corridors) {
  ContinuumSettings one;
  one.max_goals = 1;
  World world = made(baked(hall(30, 20, {box(12, 4, 14, 16)})), by({one}));
  std::vector<AgentId> people;
  for (int i = 0; i < 12; ++i) {
    people.push_back(world.add({.position = {2 + 0.5 * i, 2 + 1.3 * i}}));
    ASSERT_TRUE(world.set_goal(people.back(), {28 - 0.5 * i, 2 + 1.3 * i}));
  }
  for (int i = 0; i < 600; ++i) world.step();
  for (int i = 0; i < 12; ++i) EXPECT_LT(distance(world.position(people[i]), {28 - 0.5 * i, 2 + 1.3 * i}), 0.6) << i;
}

TEST(Continuum, headings_without_a_period_lead_straight_on_and_driven_people_are_left_alone) {
  World world = made(baked(hall(40, 10)), by({ContinuumSettings{}}));
  const AgentId straight = world.add({.position = {2, 5}}), driven = world.add({.position = {30, 2}});
  world.set_heading(straight, {1, 0});
  for (int i = 0; i < 100; ++i) {
    world.drive(driven, {30 - 0.05 * i, 2}, {-0.5, 0});
    world.step();
  }
  EXPECT_NEAR(world.position(straight).x, 2 + 10 * 1.34, 0.4);
  EXPECT_NEAR(world.position(straight).y, 5, 0.01);
  EXPECT_NEAR(world.position(driven).x, 30 - 0.05 * 99, 1e-4);
}

TEST(Continuum, fields_know_where_a_profile_may_not_go) {
  Scene scene = hall(30, 16);
  scene.areas.push_back({.name = "lawn", .shape = box(12, 2, 16, 14), .forbidden_to = {"careful"}});
  scene.profiles = {{.name = "person"}, {.name = "careful"}};
  const Navigation navigation = baked(scene);
  const auto trespasses = [&](std::uint8_t profile) {
    World world = made(navigation, by({ContinuumSettings{}}));
    const AgentId agent =
        world.add({.position = {4, 8}, .person = {.profile = profile}, .plan = plan_to(world, box(26, 6, 30, 10))});
    int steps = 0;
    while (world.is_alive(agent) && world.time() < 60) {
      world.step();
      const Vec2 at = world.position(agent);
      steps += at.x > 12.3 && at.x < 15.7 && at.y > 2.3 && at.y < 13.7;
    }
    EXPECT_FALSE(world.is_alive(agent));
    return steps;
  };
  EXPECT_GT(trespasses(0), 20);
  EXPECT_EQ(trespasses(1), 0);
}

TEST(Continuum, walks_over_joints_up_to_another_layer) {
  const Scene scene = bridge();
  const Navigation navigation = baked(scene);
  WorldSettings settings = by({ContinuumSettings{}});
  World world = made(navigation, settings);
  std::vector<AgentId> people;
  const auto start = world.free_place(world.add_area(scene.layers[0].walkable[0]), 0.2, 1);
  ASSERT_TRUE(start);
  const std::uint32_t goal_layer = 1;
  const Ring& deck = scene.layers[goal_layer].walkable[0].outer;
  Vec2 low = deck[0], high = deck[0];
  for (const Vec2 p : deck)
    low = {std::min(low.x, p.x), std::min(low.y, p.y)}, high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  const AgentId agent = world.add({.position = *start});
  const Vec2 goal = {low.x + 1, 0.5 * (low.y + high.y)};
  ASSERT_TRUE(world.set_goal(agent, goal, goal_layer));
  while (world.activity(agent) == Activity::kWalking && world.time() < 300) world.step();
  EXPECT_EQ(world.activity(agent), Activity::kStaying);
  EXPECT_EQ(world.layer(agent), goal_layer);
  EXPECT_LT(distance(world.position(agent), goal), 0.6);
}

TEST(Continuum, fields_of_a_step_can_be_looked_at) {
  World world = made(baked(hall(30, 20)), by({reactive(), ContinuumSettings{}}));
  EXPECT_TRUE(world.fields().empty());
  const std::uint32_t plan = plan_to(world, box(26, 0, 30, 20));
  crowd(world, box(0, 0, 8, 20), 12, plan, 5, 1);
  const AgentId alone = world.add({.position = {4, 19}, .person = {.model = 1}});
  world.set_goal(alone, {20, 18});
  world.step();
  world.step();
  const std::vector<FieldInfo> fields = world.fields();
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].goal, FieldInfo::Goal::kArea);
  EXPECT_EQ(fields[0].index, 0u);
  EXPECT_EQ(fields[0].people, 12u);
  EXPECT_EQ(fields[0].model, 1u);
  EXPECT_EQ(fields[1].goal, FieldInfo::Goal::kPoint);
  EXPECT_LT(distance(fields[1].point, {20, 18}), 0.5);
  double people = 0;
  int goal_tiles = 0;
  for (const FieldTile& tile : world.field_tiles(0)) {
    people += 0.25 * static_cast<double>(tile.density);
    goal_tiles += tile.potential == 0;
    if (std::isfinite(tile.potential) && tile.potential > 0) EXPECT_GT(length(tile.velocity), 0);
  }
  EXPECT_NEAR(people, 13, 4) << "what somebody weighs depends on where in a tile it stands";
  EXPECT_EQ(goal_tiles, 4 * 20 * 4);
  EXPECT_TRUE(world.field_tiles(7).empty());
}

/// A crowd as a model sees it, without a world: so that nobody else allocates.
TEST(Continuum, allocates_nothing_for_the_fields_of_later_steps) {
  const Navigation navigation = baked(hall(30, 20));
  const NavigationData& data = navigation.data();
  const Ground ground(data.cells);
  const NeighbourGraph nobody{NeighbourSettings{}};
  const std::vector<MotionModel> models = {ContinuumSettings{}};
  ContinuumMotion motion(models);
  motion.lay_tiles(data.cells, [](Vec2, std::uint32_t) { return 0.0; });
  Agents agents;
  RandomStream random(1, 0, 3);
  const std::vector<std::uint8_t> model(60, 0);
  for (std::uint32_t row = 0; row < model.size(); ++row) {
    agents.add_row();
    agents.now.x[row] = static_cast<float>(random.between(1, 29)), agents.now.y[row] = static_cast<float>(random.between(1, 19));
    agents.radius[row] = 0.2f, agents.preferred_speed[row] = 1.3f, agents.max_speed[row] = 2;
    agents.activity[row] = Activity::kWalking;
    agents.cell[row] = *navigation.cell_at({agents.now.x[row], agents.now.y[row]}, 0);
  }
  const auto goal_of = [](std::uint32_t row, const Grid&) { return ContinuumGoal{row % 2, false, 0}; };
  const auto tiles_of = [](std::uint32_t number, const Grid& grid, std::vector<TileIndex>& tiles) {
    tiles.push_back(grid.tile_at(number == 0 ? 1.0f : 29.0f, 10, 0));
  };
  const auto no_factors = [](std::uint8_t, const Grid&, std::vector<float>&) {};
  const auto no_vehicles = [](CrowdField&) {};
  InlineTasks tasks;
  const auto step = [&](std::uint64_t number) {
    const Frozen world{agents, ground, nobody, model, 0.1f, number};
    for (std::uint32_t row = 0; row < model.size(); ++row) agents.desired_x[row] = row % 2 == 0 ? -1.3f : 1.3f;
    motion.prepare(world, data.cells, {goal_of, tiles_of, no_factors, no_vehicles}, tasks);
    motion.move(world, agents, 0, model.size());
    for (std::uint32_t row = 0; row < model.size(); ++row) {
      agents.now.vx[row] = agents.next.vx[row], agents.now.vy[row] = agents.next.vy[row];
      agents.now.x[row] = std::clamp(agents.now.x[row] + 0.1f * agents.now.vx[row], 0.3f, 29.7f);
      agents.now.y[row] = std::clamp(agents.now.y[row] + 0.1f * agents.now.vy[row], 0.3f, 19.7f);
    }
  };
  const std::size_t before_control = allocations;
  std::uint64_t number = 0;
  for (; number < 60; ++number) step(number);
  EXPECT_GT(allocations, before_control) << "the counter counts";
  const std::size_t before = allocations;
  for (; number < 100; ++number) step(number);
  EXPECT_LE(allocations - before, 1u) << "but for a queue of marching that a jam may make longer than ever";
  EXPECT_GT(length(Vec2f{agents.now.vx[0], agents.now.vy[0]}), 0.1f) << "people walk";
}

TEST(Continuum, settings_that_make_no_sense_are_problems) {
  const Navigation navigation = baked(hall(30, 20));
  const auto what = [&](auto&& change) {
    ContinuumSettings model;
    change(model);
    const Result<World> world = World::create(navigation, by({model}));
    return world ? std::string("none") : world.problems()[0].what;
  };
  EXPECT_EQ(what([](ContinuumSettings&) {}), "none");
  EXPECT_NE(what([](ContinuumSettings& m) { m.tile = 0; }).find("tiles"), std::string::npos);
  EXPECT_NE(what([](ContinuumSettings& m) { m.steer_time = -1; }).find("steering"), std::string::npos);
  EXPECT_NE(what([](ContinuumSettings& m) { m.field.high_density = 0; }).find("out of range"), std::string::npos);
  EXPECT_NE(what([](ContinuumSettings& m) { m.field.max_speed = NAN; }).find("out of range"), std::string::npos);
  ContinuumSettings fine;
  fine.tile = 0.25f;
  const Result<World> vast = World::create(baked(hall(3000, 3000)), by({fine}));
  ASSERT_FALSE(vast);
  EXPECT_NE(vast.problems()[0].what.find("million tiles"), std::string::npos);
}

}  // namespace
}  // namespace throng
