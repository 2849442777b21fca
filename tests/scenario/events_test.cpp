// SPDX-License-Identifier: MIT
// Events of scenario files: each happens once, at its time or when its condition holds, and does what it says.
#include <gtest/gtest.h>

#include <filesystem>

#include "fixtures.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;

std::string two_halls(const std::string& events, const std::string& more = "") {
  return R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[20,0],[20,10],[0,10]]],
    "obstacles": [[[9.8,1.5],[10.2,1.5],[10.2,4],[9.8,4]], [[9.8,6],[10.2,6],[10.2,10],[9.8,10]]],
    "areas": [{"name": "door", "polygon": [[9.8,4],[10.2,4],[10.2,6],[9.8,6]]}]},
    "areas": {"west": {"box": [1,1,6,9]}, "east": {"box": [16,1,19,9]}, "beyond": {"box": [10.2,0,20,10]}},
    "plans": {"cross": {"goals": ["east"], "end": "stay"}, "stay": {"goals": ["west"], "end": "stay"}},
    "populations": [{"count": 12, "area": "west", "plan": "cross"}, {"count": 6, "area": "west", "plan": "cross"}],
    "measurements": {"lines": {"near": {"from": [10,4], "to": [10,6]}, "far": {"from": [10,0], "to": [10,1.5]}}},
    "settings": {"duration": 60)" +
         more + R"(}, "events": )" + events + "}";
}

struct Counts {
  std::size_t near = 0, far = 0;
};
Counts run_until(Simulation& simulation, double until) {
  while (simulation.world().time() < until - 1e-9) simulation.step();
  return {simulation.tally().lines[1].size(), simulation.tally().lines[0].size()};
}

TEST(ScenarioEvents, a_door_closes_at_its_time) {
  Simulation simulation = start(two_halls(R"([{"time": 1, "actions": [{"close_door": "door"}]}])"));
  Simulation control = start(two_halls("[]"));
  EXPECT_EQ(run_until(simulation, 60).near, 0u);
  EXPECT_EQ(run_until(simulation, 60).far, 18u);
  EXPECT_GT(run_until(control, 60).near, 9u);
  EXPECT_EQ(run_until(control, 60).near + run_until(control, 60).far, 18u);
  EXPECT_TRUE(simulation.notices().empty());
}

TEST(ScenarioEvents, a_condition_is_waited_for_and_holds_once) {
  Simulation simulation = start(two_halls(
      R"([{"when": {"area": "beyond", "over": 4}, "actions": [{"close_door": "door"}]},
          {"when": {"arrived": 0.5}, "actions": [{"open_door": "door"}]}])"));
  while (simulation.world().edits().empty()) simulation.step();
  const auto columns = simulation.world().columns();
  EXPECT_GT(std::count_if(columns.x.begin(), columns.x.end(), [](float x) { return x > 10; }), 4);
  EXPECT_LT(std::count_if(columns.x.begin(), columns.x.end(), [](float x) { return x > 10; }), 9);
  while (!simulation.is_done()) simulation.step();
  EXPECT_EQ(simulation.world().edits().size(), 2u);
  EXPECT_EQ(simulation.tally().arrived, 18u);
  EXPECT_GT(simulation.tally().lines[0].size(), 0u);
}

TEST(ScenarioEvents, obstacles_come_move_and_go_by_name) {
  Simulation simulation = start(two_halls(
      R"([{"time": 0.5, "actions": [{"add_obstacle": "crate", "polygon": [[9.5,3.5],[10.5,3.5],[10.5,6.5],[9.5,6.5]]}]},
          {"time": 1, "actions": [{"move_obstacle": "crate", "polygon": [[9.5,0],[10.5,0],[10.5,2],[9.5,2]]}]},
          {"time": 2, "actions": [{"remove_obstacle": "crate"}, {"remove_obstacle": 1}]},
          {"time": 3, "actions": [{"remove_obstacle": "crate"}]}])"));
  run_until(simulation, 0.6);
  EXPECT_NEAR(simulation.world().navigation().report().area, 200 - 1 - 1.6 - (3 - 0.4), 0.05);
  run_until(simulation, 1.1);
  EXPECT_NEAR(simulation.world().navigation().report().area, 200 - 1 - 1.6 - (2 - 0.2), 0.05);
  run_until(simulation, 2.1);
  EXPECT_NEAR(simulation.world().navigation().report().area, 200 - 1, 0.05);
  EXPECT_TRUE(simulation.notices().empty());
  run_until(simulation, 3.1);
  // What cannot be done is said, and the run goes on.
  ASSERT_EQ(simulation.notices().size(), 1u);
  EXPECT_EQ(simulation.notices()[0].where, "/events/3/actions/0");
}

TEST(ScenarioEvents, speeds_and_plans_change_for_whom_they_name) {
  Simulation simulation = start(two_halls(
      R"([{"time": 1, "actions": [{"set_speed": 0.5, "population": 0}, {"scale_speed": 2, "population": 1}]},
          {"time": 2, "actions": [{"set_plan": "stay", "population": 1}]}])"));
  std::vector<float> before;
  run_until(simulation, 0.9);
  const auto speeds = [&] {
    std::vector<float> list(19);
    for (std::uint32_t row = 0; row < simulation.world().agent_count(); ++row)
      list[simulation.world().columns().number[row]] = simulation.world().columns().preferred_speed[row];
    return list;
  };
  before = speeds();
  run_until(simulation, 1.2);
  for (std::size_t number = 1; number <= 18; ++number)
    EXPECT_FLOAT_EQ(speeds()[number], number <= 12 ? 0.5f : 2 * before[number]) << number;
  run_until(simulation, 60);
  for (std::uint32_t row = 0; row < simulation.world().agent_count(); ++row)
    EXPECT_EQ(simulation.world().columns().x[row] > 10, simulation.world().columns().number[row] <= 12);
}

TEST(ScenarioEvents, regions_change) {
  const std::string interest =
      R"(, "interest": {"regions": {"stage": {"centre": [3, 5], "radius": 4}}, "elsewhere": 2, "tile": 1})";
  Simulation simulation = start(two_halls(
      R"([{"time": 1, "actions": [{"set_region": "stage", "centre": [17, 5], "radius": 3, "level": 1}]},
          {"time": 2, "actions": [{"remove_region": "stage"}]}])",
      interest));
  run_until(simulation, 0.9);
  EXPECT_EQ(simulation.world().level_at({3, 5}), 0);
  EXPECT_EQ(simulation.world().level_at({17, 5}), 2);
  run_until(simulation, 1.9);
  EXPECT_EQ(simulation.world().level_at({3, 5}), 2);
  EXPECT_EQ(simulation.world().level_at({17, 5}), 1);
  run_until(simulation, 2.9);
  EXPECT_EQ(simulation.world().level_at({17, 5}), 2);
}

const std::string kInterest =
    R"(, "interest": {"regions": {"stage": {"centre": [3, 5], "radius": 2}}, "elsewhere": 2, "tile": 1, "slack": 0})";

TEST(ScenarioEvents, regions_come_at_their_time_and_can_be_changed_and_removed_by_name) {
  // The stage goes first: the number that the world had for it is free, and the lobby gets it.
  Simulation simulation = start(two_halls(
      R"([{"time": 1, "actions": [{"remove_region": "stage"}, {"add_region": "lobby", "centre": [14, 5], "radius": 2},
                                  {"add_region": "desk", "centre": [18, 2], "radius": 1.5, "level": 1}]},
          {"time": 2, "actions": [{"set_region": "lobby", "centre": [14, 8]}, {"set_region": "lobby", "level": 1}]},
          {"time": 3, "actions": [{"add_region": "stage", "centre": [3, 2], "radius": 2}, {"remove_region": "lobby"}]}])",
      kInterest));
  const auto level = [&](Vec2 place) { return simulation.world().level_at(place); };
  run_until(simulation, 0.9);
  EXPECT_EQ(level({3.5, 5.5}), 0);
  EXPECT_EQ(level({14.5, 5.5}), 2);
  run_until(simulation, 1.9);
  EXPECT_EQ(level({3.5, 5.5}), 2);
  EXPECT_EQ(level({14.5, 5.5}), 0);
  EXPECT_EQ(level({18.5, 2.5}), 1);
  run_until(simulation, 2.9);
  EXPECT_EQ(level({14.5, 5.5}), 2);
  EXPECT_EQ(level({14.5, 8.5}), 1) << "a change leaves alone what it does not name";
  EXPECT_EQ(level({18.5, 2.5}), 1) << "and other regions";
  run_until(simulation, 3.9);
  EXPECT_EQ(level({3.5, 2.5}), 0) << "one that was removed comes back, elsewhere";
  EXPECT_EQ(level({14.5, 8.5}), 2);
  EXPECT_EQ(level({18.5, 2.5}), 1);
  EXPECT_TRUE(simulation.notices().empty());
}

TEST(ScenarioEvents, a_region_that_comes_can_follow_a_vehicle) {
  std::string text =
      two_halls(R"([{"time": 1, "actions": [{"add_region": "around it", "follow": "car", "radius": 2}]}])", kInterest);
  text.insert(text.rfind('}'), R"(, "vehicles": {"car": {"path": [[12, 8], [18, 8]], "speed": 2, "length": 1, "width": 1}})");
  Simulation simulation = start(text);
  run_until(simulation, 0.9);
  EXPECT_EQ(simulation.world().region_count(), 1u);
  run_until(simulation, 2);
  const double before = simulation.world().region(1)->centre.x;
  EXPECT_LT(distance(simulation.world().region(1)->centre, simulation.world().vehicle(0).position), 0.5);
  run_until(simulation, 3);
  EXPECT_LT(distance(simulation.world().region(1)->centre, simulation.world().vehicle(0).position), 0.5);
  EXPECT_GT(simulation.world().region(1)->centre.x, before + 0.5);
}

TEST(ScenarioEvents, a_region_that_is_there_or_is_not_is_noted) {
  Simulation simulation = start(two_halls(
      R"([{"time": 1, "actions": [{"add_region": "stage", "centre": [14, 5]}]},
          {"time": 2, "actions": [{"remove_region": "stage"}, {"set_region": "stage", "level": 1}, {"remove_region": "stage"}]}])",
      kInterest));
  run_until(simulation, 3);
  ASSERT_EQ(simulation.notices().size(), 3u);
  EXPECT_EQ(simulation.notices()[0].where, "/events/0/actions/0");
  EXPECT_NE(simulation.notices()[0].what.find("there already"), std::string::npos);
  EXPECT_EQ(simulation.notices()[1].where, "/events/1/actions/1");
  EXPECT_NE(simulation.notices()[1].what.find("not there"), std::string::npos);
  EXPECT_EQ(simulation.notices()[2].where, "/events/1/actions/2");
}

TEST(ScenarioEvents, mistakes_in_new_regions_are_found_with_their_place) {
  for (const auto& [actions, where, words] : std::vector<std::array<const char*, 3>>{
           {R"({"add_region": "r"})", "/events/0/actions/0", "neither"},
           {R"({"add_region": "", "centre": [1, 1]})", "/events/0/actions/0/add_region", "empty"},
           {R"({"add_region": 3, "centre": [1, 1]})", "/events/0/actions/0/add_region", "number"},
           {R"({"add_region": "r", "centre": [1, 1], "follow": "car"})", "/events/0/actions/0", "follow"},
           {R"({"add_region": "r", "follow": "car"})", "/events/0/actions/0/follow", "vehicle"},
           {R"({"add_region": "r", "centre": [1, 1], "radius": 0})", "/events/0/actions/0/radius", "radius"},
           {R"({"add_region": "r", "centre": [1, 1], "level": 3})", "/events/0/actions/0/level", "level"},
           {R"({"add_region": "r", "centre": [1, 1], "is_limit": 1})", "/events/0/actions/0/is_limit", "true"},
           {R"({"add_region": "r", "centre": [1, 1], "set_region": "stage"})", "/events/0/actions/0", "one thing"},
           {R"({"set_region": "r", "level": 1}, {"add_region": "r", "centre": [1, 1]})", "/events/0/actions/0/set_region",
            "added before"}}) {
    const auto scenario = read(two_halls(std::string(R"([{"time": 1, "actions": [)") + actions + "]}]", kInterest));
    ASSERT_FALSE(scenario) << actions;
    const std::string problem = to_string(scenario.problems()[0]);
    EXPECT_NE(problem.find(where), std::string::npos) << actions << "\n" << problem;
    EXPECT_NE(problem.find(words), std::string::npos) << actions << "\n" << problem;
  }
}

TEST(ScenarioEvents, names_of_regions_survive_a_restore) {
  const std::string adds = two_halls(
      R"([{"time": 1, "actions": [{"remove_region": "stage"}, {"add_region": "lobby", "centre": [14, 5], "radius": 2},
                                  {"add_region": "desk", "centre": [18, 2], "radius": 1.5}]},
          {"time": 3, "actions": [{"set_region": "desk", "centre": [6, 5]}, {"remove_region": "lobby"}]}])",
      kInterest);
  // Without such an event a snapshot says nothing of regions, and those that are gone are told by the world's.
  const std::string removes = two_halls(
      R"([{"time": 1, "actions": [{"remove_region": "stage"}]}, {"time": 3, "actions": [{"set_region": "stage", "level": 1}]}])",
      kInterest);
  for (const std::string& text : {adds, removes}) {
    Simulation simulation = start(text), restored = start(text);
    run_until(simulation, 2);
    ASSERT_TRUE(restored.restore(simulation.snapshot()));
    run_until(simulation, 8);
    run_until(restored, 8);
    EXPECT_EQ(restored.hash(), simulation.hash());
    EXPECT_EQ(restored.notices().size(), simulation.notices().size());
    EXPECT_EQ(restored.world().level_at({6.5, 5.5}), simulation.world().level_at({6.5, 5.5}));
    EXPECT_EQ(simulation.world().level_at({6.5, 5.5}), text == adds ? 0 : 2);
  }
}

TEST(ScenarioEvents, a_run_that_is_continued_with_a_change_can_get_a_region) {
  Simulation before = start(two_halls("[]", kInterest));
  run_until(before, 1);
  Simulation changed = start(two_halls(
      R"([{"time": 1.5, "actions": [{"add_region": "lobby", "centre": [14, 5], "radius": 2}, {"set_region": "stage", "level": 1}]}])",
      kInterest));
  ASSERT_TRUE(changed.continue_from(before));
  run_until(before, 2.5);
  run_until(changed, 2.5);
  EXPECT_EQ(changed.world().level_at({14.5, 5.5}), 0);
  EXPECT_EQ(changed.world().level_at({3.5, 5.5}), 1);
  EXPECT_EQ(before.world().level_at({14.5, 5.5}), 2);
  EXPECT_EQ(before.world().level_at({3.5, 5.5}), 0);
  EXPECT_TRUE(changed.notices().empty());
}

TEST(ScenarioEvents, the_named_scene_closes_its_door_and_opens_it_again) {
  const auto scenario = load_scenario(test::source_dir() / "scenes" / "closing_door.json");
  ASSERT_TRUE(scenario) << listed_problems(scenario);
  const auto navigation = Navigation::bake(scenario->scene);
  auto simulation = Simulation::create(*scenario, *navigation);
  ASSERT_TRUE(simulation);
  const auto near = [&] { return simulation->tally().lines[1].size(); };
  const auto far = [&] { return simulation->tally().lines[0].size(); };
  while (simulation->world().edits().empty()) simulation->step();
  EXPECT_LT(simulation->world().time(), 10) << "within the steps that its hash is taken after";
  EXPECT_EQ(simulation->world().edits().size(), 2u);
  EXPECT_GT(near(), 15u);
  const std::size_t before = near();
  while (simulation->world().time() < 44.9) simulation->step();
  EXPECT_EQ(near(), before) << "nobody walks through a closed door";
  EXPECT_GT(far(), 20u);
  while (!simulation->is_done()) simulation->step();
  EXPECT_GT(near(), before + 10) << "it is used again";
  EXPECT_EQ(simulation->world().edits().size(), 4u);
  EXPECT_TRUE(simulation->notices().empty());
}

TEST(ScenarioEvents, mistakes_are_found_with_their_place) {
  const auto problem = [](const std::string& events) {
    const auto scenario = read(two_halls(events));
    return scenario ? std::string() : to_string(scenario.problems()[0]);
  };
  EXPECT_EQ(problem(R"([{"time": 1, "actions": []}])"), "");
  for (const auto& [events, where, words] : std::vector<std::array<const char*, 3>>{
           {R"([{"actions": []}])", "/events/0", "neither"},
           {R"([{"time": 1, "when": {"arrived": 0.5}, "actions": []}])", "/events/0", "time"},
           {R"([{"time": -1, "actions": []}])", "/events/0/time", "seconds"},
           {R"([{"time": 1, "actions": [{"close_door": "gate"}]}])", "/events/0/actions/0/close_door", "a door, which is an area of the scene"},
           {R"([{"time": 1, "actions": [{"close_door": "west"}]}])", "/events/0/actions/0/close_door", "a door, which is an area of the scene"},
           {R"([{"time": 1, "actions": [{}]}])", "/events/0/actions/0", "does nothing"},
           {R"([{"time": 1, "actions": [{"close_door": "door", "open_door": "door"}]}])", "/events/0/actions/0", "one thing"},
           {R"([{"time": 1, "actions": [{"add_obstacle": "a"}]}])", "/events/0/actions/0", "polygon"},
           {R"([{"time": 1, "actions": [{"remove_obstacle": "a"}]}])", "/events/0/actions/0/remove_obstacle", "none"},
           {R"([{"time": 1, "actions": [{"remove_obstacle": 2}]}])", "/events/0/actions/0/remove_obstacle", "obstacle"},
           {R"([{"time": 1, "actions": [{"set_speed": 99}]}])", "/events/0/actions/0/set_speed", "speed"},
           {R"([{"time": 1, "actions": [{"set_plan": "x"}]}])", "/events/0/actions/0/set_plan", "plan"},
           {R"([{"time": 1, "actions": [{"set_speed": 1, "population": 7}]}])", "/events/0/actions/0/population", "population"},
           {R"([{"time": 1, "actions": [{"add_region": "r", "centre": [1, 1]}]}])", "/events/0/actions/0/add_region",
            "no regions"},
           {R"([{"time": 1, "actions": [{"set_region": "r"}]}])", "/events/0/actions/0/set_region", "region"},
           {R"([{"when": {"area": "west"}, "actions": []}])", "/events/0/when", "over"},
           {R"([{"when": {"area": "west", "over": 1, "under": 3}, "actions": []}])", "/events/0/when", "under"},
           {R"([{"time": 1, "actions": [{"explode": 1}]}])", "/events/0/actions/0", "explode"},
           {R"({"time": 1})", "/events", "list"}}) {
    EXPECT_NE(problem(events).find(where), std::string::npos) << events << "\n" << problem(events);
    EXPECT_NE(problem(events).find(words), std::string::npos) << events << "\n" << problem(events);
  }
}

}  // namespace
}  // namespace throng
