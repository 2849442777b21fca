// SPDX-License-Identifier: MIT
// Regions of interest in a world: who walks how, borders, followers, snapshots.
#include <throng/world.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/random.hpp"
#include "fields/potential.hpp"
#include "guidance/path_potential.hpp"
#include "navigation/navigation_data.hpp"
#include "support/built_cells.hpp"

namespace throng {
namespace {

using namespace throng::testing;

struct Square {
  Navigation navigation;
  NavigationGraph graph;
};

/// 90 × 60 m with pillars.
Square square_with_pillars() {
  Layer layer;
  layer.walkable = {box(0, 0, 90, 60)};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) layer.obstacles.push_back(box(14 + 15 * i, 13 + 16 * j, 17 + 15 * i, 16 + 16 * j));
  const Scene scene = scene_of(layer);
  Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
  Result<NavigationGraph> graph = NavigationGraph::bake(scene, {.threads = 1});
  EXPECT_TRUE(navigation && graph);
  return {std::move(*navigation), std::move(*graph)};
}

/// The two ends of a flow.
using Ends = std::array<Polygon, 2>;
const std::vector<Ends> kTwoWide = {{box(1, 5, 9, 55), box(81, 5, 89, 55)}, {box(20, 1, 70, 8), box(20, 52, 70, 59)}};
const std::vector<Ends> kFourNarrow = {{box(1, 18, 9, 28), box(81, 18, 89, 28)},
                                       {box(1, 34, 9, 44), box(81, 34, 89, 44)},
                                       {box(25, 1, 35, 8), box(25, 52, 35, 59)},
                                       {box(55, 1, 65, 8), box(55, 52, 65, 59)}};

/// Flows that cross, people of both directions on each, for ever.
World crossing_flows(const Square& square, const WorldSettings& settings, int people, const std::vector<Ends>& flows = kTwoWide) {
  Result<World> world = World::create(square.navigation, square.graph, settings);
  EXPECT_TRUE(world);
  std::vector<std::array<std::uint32_t, 2>> area;
  for (const Ends& ends : flows) area.push_back({world->add_area(ends[0]), world->add_area(ends[1])});
  RandomStream random(7, 0, 1);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const auto flow = world->add_flow({.from = area[f][0], .to = area[f][1], .paths = {.max_paths = 8}});
    EXPECT_TRUE(flow);
    for (std::size_t end = 0; end < 2; ++end) {
      const PlanGoal there{.area = area[f][1 - end], .flow = *flow}, back{.area = area[f][end], .flow = *flow};
      const std::uint32_t plan = world->add_plan({{there, back}, PlanEnd::kLoop});
      for (std::size_t i = 0; i < static_cast<std::size_t>(people) / (2 * flows.size()); ++i)
        if (const auto place = world->free_place(area[f][end], 0.2, random.integer(0, 1u << 30)))
          world->add({.position = *place, .plan = plan});
    }
  }
  return std::move(*world);
}

WorldSettings with_regions(std::vector<Region> regions, std::uint8_t elsewhere = 1, unsigned threads = 1) {
  WorldSettings settings;
  settings.threads = threads;
  settings.interest.enabled = true;
  settings.interest.regions = std::move(regions);
  settings.interest.elsewhere = elsewhere;
  return settings;
}

TEST(Regions, GiveLevelsToPlacesAndPeople) {
  const Square square = square_with_pillars();
  World world = crossing_flows(square, with_regions({{.centre = {45, 30}, .radius = 15}}, 2), 200);
  std::array<int, 3> people{};
  for (int i = 0; i < 600; ++i) {
    world.step();
    const auto columns = world.columns();
    for (std::uint32_t row = 0; row < world.agent_count(); ++row) {
      const double away = std::hypot(columns.x[row] - 45, columns.y[row] - 30);
      ++people[columns.level[row]];
      // Tiles are 3 m wide, and who walks straight is looked at once a second: near the border either is right.
      if (away < 15 - 5.5) EXPECT_EQ(columns.level[row], 0);
      if (away > 15 + 5.5) EXPECT_EQ(columns.level[row], 2);
    }
  }
  EXPECT_EQ(world.level_at({45, 30}), 0);
  EXPECT_EQ(world.level_at({45, 50}), 2);
  EXPECT_GT(people[0], 10000);
  EXPECT_GT(people[2], 10000);
  EXPECT_EQ(people[1], 0);
}

TEST(Regions, MoveChangeFollowAndGo) {
  const Square square = square_with_pillars();
  World world = crossing_flows(square, with_regions({{.centre = {45, 30}, .radius = 15}}, 2), 40);
  world.step();
  EXPECT_TRUE(world.set_region(0, {.centre = {20, 30}, .radius = 10, .level = 1}));
  const auto second = world.add_region({.centre = {70, 30}, .radius = 10});
  ASSERT_EQ(second, 1u);
  world.step();
  EXPECT_EQ(world.level_at({45, 30}), 2);
  EXPECT_EQ(world.level_at({20, 30}), 1);
  EXPECT_EQ(world.level_at({70, 30}), 0);
  const AgentId leader = world.id_at(3);
  EXPECT_TRUE(world.follow(*second, leader));
  for (int i = 0; i < 200; ++i) {
    world.step();
    const Vec2 at = world.region(1)->centre;
    EXPECT_LT(distance(at, world.position(leader)), 0.5);
  }
  EXPECT_TRUE(world.remove_region(1));
  EXPECT_FALSE(world.set_region(1, {.centre = {1, 1}}));
  EXPECT_FALSE(world.follow(1, leader));
  EXPECT_FALSE(world.add_region({.centre = {1, 1}, .radius = 0}));
  EXPECT_FALSE(world.add_region({.centre = {1, 1}, .level = 3}));
  EXPECT_EQ(world.add_region({.centre = {30, 30}, .radius = 10}), 1u) << "its number is free again";
  EXPECT_TRUE(world.set_viewpoint(Viewpoint{.position = {10, 30}, .direction = {1, 0}}));
  world.step();
  EXPECT_EQ(world.level_at({15, 30}), 0);
  EXPECT_EQ(world.level_at({60, 30}), 1);
  EXPECT_EQ(world.level_at({5, 55}), 2);
}

TEST(Regions, ThatMakeNoSenseAreProblems) {
  const Square square = square_with_pillars();
  const auto what = [&](auto&& change) {
    WorldSettings settings = with_regions({});
    change(settings);
    const Result<World> world = World::create(square.navigation, square.graph, settings);
    return world ? std::string("none") : world.problems()[0].what;
  };
  EXPECT_NE(what([](WorldSettings& s) { s.detail.enabled = true; }).find("at once"), std::string::npos);
  EXPECT_NE(what([](WorldSettings& s) { s.interest.tile = 0; }).find("tiles"), std::string::npos);
  EXPECT_NE(what([](WorldSettings& s) { s.interest.levels[0].model = 7; }).find("served"), std::string::npos);
  EXPECT_NE(what([](WorldSettings& s) {
              s.interest.regions = {{.centre = {0, 0}, .radius = -1}};
            }).find("region"),
            std::string::npos);
  EXPECT_EQ(what([](WorldSettings&) {}), "none");
}

/// Everybody stays, once, whatever moves; and nobody leaves the ground.
TEST(Regions, LoseAndDoubleNobodyAtAnyBorder) {
  const Square square = square_with_pillars();
  World world = crossing_flows(
      square, with_regions({{.centre = {45, 30}, .radius = 12}, {.centre = {20, 20}, .radius = 8, .level = 1}}, 2), 300);
  std::set<std::uint32_t> everybody(world.columns().number.begin(), world.columns().number.end());
  std::vector<std::uint8_t> level(everybody.size() + 2, 9);
  std::uint64_t crossings = 0;
  for (int i = 0; i < 1500; ++i) {
    const double t = 0.02 * i;
    world.set_region(0, {.centre = {45 + 25 * std::cos(t), 30 + 15 * std::sin(t)}, .radius = 12});
    world.step();
    const auto columns = world.columns();
    ASSERT_EQ(columns.number.size(), everybody.size());
    std::set<std::uint32_t> now(columns.number.begin(), columns.number.end());
    ASSERT_EQ(now, everybody);
    for (std::uint32_t row = 0; row < now.size(); ++row) {
      std::uint8_t& was = level[columns.number[row]];
      crossings += was != 9 && was != columns.level[row];
      was = columns.level[row];
    }
  }
  EXPECT_GT(crossings, 3000u);
}

TEST(Regions, LetAsManyArriveAsFieldsEverywhereDo) {
  // Four streams of a tenth of a person a square metre, more where they meet. Throughput and travel time within 5 %.
  const Square square = square_with_pillars();
  struct Trips {
    double arrivals = 0, seconds = 0;
  };
  const auto measure = [&](std::vector<Region> regions, std::uint8_t elsewhere) {
    World world = crossing_flows(square, with_regions(std::move(regions), elsewhere), 520, kFourNarrow);
    for (int i = 0; i < 600; ++i) world.step();
    std::vector<double> since(world.agent_count() + 1, -1);
    Trips trips;
    double travels = 0;
    for (int i = 0; i < 1500; ++i) {
      world.step();
      for (const Event& event : world.events()) {
        if (event.kind != EventKind::kArrived) continue;
        if (since[event.number] >= 0) trips.seconds += event.time - since[event.number], ++travels;
        since[event.number] = event.time;
        ++trips.arrivals;
      }
    }
    trips.seconds /= travels;
    return trips;
  };
  const Trips everywhere = measure({}, 0), some = measure({{.centre = {45, 30}, .radius = 12},
                                                           {.centre = {20, 15}, .radius = 8},
                                                           {.centre = {70, 15}, .radius = 8},
                                                           {.centre = {20, 45}, .radius = 8},
                                                           {.centre = {70, 45}, .radius = 8}},
                                                          1);
  EXPECT_GT(everywhere.arrivals, 500);
  EXPECT_GT(some.arrivals, 0.95 * everywhere.arrivals);
  EXPECT_LT(some.arrivals, 1.05 * everywhere.arrivals);
  EXPECT_GT(some.seconds, 0.95 * everywhere.seconds);
  EXPECT_LT(some.seconds, 1.05 * everywhere.seconds);
}

TEST(Regions, PeopleWithoutFieldsKeepToTheRightOfTheirCorridor) {
  // Two streams that meet in a gap of 5 m; and the same model in a world without regions, which keeps to no side.
  Layer layer;
  layer.walkable = {box(0, 0, 60, 12)};
  layer.obstacles = {box(29, -1, 31, 3.5), box(29, 8.5, 31, 13)};
  const Scene scene = scene_of(layer);
  const Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
  const Result<NavigationGraph> graph = NavigationGraph::bake(scene, {.threads = 1});
  ASSERT_TRUE(navigation && graph);
  const auto to_the_right = [&](const WorldSettings& settings) {
    Result<World> world = World::create(*navigation, *graph, settings);
    EXPECT_TRUE(world);
    const std::uint32_t west = world->add_area(box(1, 1, 5, 11)), east = world->add_area(box(55, 1, 59, 11));
    const auto flow = world->add_flow({.from = west, .to = east});
    EXPECT_TRUE(flow);
    RandomStream random(3, 0, 1);
    for (int i = 0; i < 60; ++i) {
      const bool from_west = i % 2 == 0;
      const PlanGoal there{.area = from_west ? east : west, .flow = *flow}, back{.area = from_west ? west : east, .flow = *flow};
      if (const auto place = world->free_place(from_west ? west : east, 0.2, random.integer(0, 1u << 30)))
        world->add({.position = *place, .plan = world->add_plan({{there, back}, PlanEnd::kLoop})});
    }
    double off = 0, counted = 0;
    for (int i = 0; i < 1500; ++i) {
      world->step();
      if (i < 300) continue;
      const auto columns = world->columns();
      for (std::uint32_t row = 0; row < world->agent_count(); ++row) {
        if (columns.x[row] < 29 || columns.x[row] > 31 || std::abs(columns.vx[row]) < 0.3f) continue;
        off += columns.vx[row] > 0 ? 6 - static_cast<double>(columns.y[row]) : static_cast<double>(columns.y[row]) - 6;
        ++counted;
      }
    }
    EXPECT_GT(counted, 500);
    return off / counted;
  };
  WorldSettings plain;
  plain.models = {ShortTermSettings{}};
  const double kept = to_the_right(with_regions({}, 1)), control = to_the_right(plain);
  EXPECT_GT(kept, control + 0.2) << kept << " and " << control;
}

TEST(Regions, HaveTheSameBitsAtAnyNumberOfThreadsAndAfterASnapshot) {
  const Square square = square_with_pillars();
  std::uint64_t one = 0;
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    WorldSettings settings =
        with_regions({{.centre = {45, 30}, .radius = 12}, {.centre = {20, 20}, .radius = 8, .level = 1}}, 2, threads);
    settings.interest.budget = 150;
    World world = crossing_flows(square, settings, 200), copy = crossing_flows(square, settings, 200);
    for (int i = 0; i < 155; ++i) {
      world.set_region(0, {.centre = {30.0 + 0.2 * i, 30}, .radius = 12});
      world.step();
    }
    world.follow(1, world.id_at(5));
    ASSERT_TRUE(copy.restore(world.snapshot()));
    for (int i = 0; i < 100; ++i) world.step(), copy.step();
    EXPECT_EQ(world.hash(), copy.hash());
    if (threads == 1) one = world.hash();
    EXPECT_EQ(world.hash(), one) << threads;
  }
}

TEST(Regions, AnyModelServesAnyLevel) {
  const Square square = square_with_pillars();
  for (const MotionModel& model : {MotionModel(reactive()), MotionModel(ReynoldsSettings{})}) {
    WorldSettings settings = with_regions({{.centre = {45, 30}, .radius = 20}}, 2);
    settings.models = {LinearSettings{}, model};
    settings.interest.levels[0] = {Guidance::kField, 1};
    settings.interest.levels[1] = {Guidance::kCorridor, kOwnModel};
    settings.count_contacts = true;
    World world = crossing_flows(square, settings, 200);
    std::uint64_t deep = 0, high = 0;
    for (int i = 0; i < 400; ++i) {
      const StepReport& report = world.step();
      high += report.high_level, deep += report.wall_penetrations;
    }
    EXPECT_GT(high, 400u * 10);
    EXPECT_EQ(deep, 0u);
  }
}

/// In an empty scene eq. (1) gives a sub-goal what a field over the whole scene gives it.
TEST(PathPotential, IsWhatAFieldOverTheWholeSceneSays) {
  const Square square = square_with_pillars();
  const FieldSettings field = field_settings_for(3);
  const NavGraph& discs = square.graph.data();
  const auto flow = square.graph.flow({5, 30, 0}, {85, 30, 0}, {.max_paths = 4, .max_ratio = 1.2});
  ASSERT_TRUE(flow);
  const Grid grid(square.navigation.data().cells, {.size = 1}, [](Vec2, std::uint32_t) { return 0.0; });
  TileDomain domain;
  domain.assign(grid);
  const auto tasks = make_task_runner(1);
  CrowdField nobody;
  nobody.begin(domain, field);
  nobody.finish(*tasks);
  FieldSolver solver;
  Potential potential;
  double worst = 0;
  for (const FlowPath& path : flow->paths) {
    const Vec3 end = discs.centre[path.discs.back()];
    const FieldSeed seed{domain.at(static_cast<float>(end.x), static_cast<float>(end.y), 0), 0};
    solver.solve(domain, nobody.common_costs(), std::vector{seed}, {}, potential);
    std::vector<float> empty, crowded;
    path_potentials(discs, path, {}, field, empty);
    for (std::size_t k = 0; k + 3 < path.discs.size(); ++k) {
      const Vec3 at = discs.centre[path.discs[k]];
      const double whole = potential.value[domain.at(static_cast<float>(at.x), static_cast<float>(at.y), 0)];
      if (&path != &flow->paths[0]) continue;  // longer ones are detours, which the field does not make
      worst = std::max(worst, std::abs(empty[k] - whole) / whole);
    }
    std::vector<std::uint32_t> people(discs.disc_count(), 0);
    path_potentials(discs, path, people, field, crowded);
    EXPECT_EQ(crowded, empty) << "nobody";
    people[path.discs.back()] = 500;
    path_potentials(discs, path, people, field, crowded);
    EXPECT_GT(crowded[0], empty[0]) << "a crowd on the way costs";
  }
  EXPECT_LT(worst, 0.25);
}

}  // namespace
}  // namespace throng
