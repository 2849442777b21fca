// SPDX-License-Identifier: MIT
// Every behaviour case with few seeds passes for the default model, and fails for a model without the behaviour's cause; what the
// cases share does what it says.
#include <gtest/gtest.h>

#include <string>

#include "behaviour_support.hpp"

namespace throng::behaviour {
namespace {

// A sanitizer makes a step some twenty times slower: it then has the smallest cases only. The world's and the scenarios' tests
// walk the same code on every build.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSlow = true;
#else
constexpr bool kIsSlow = false;
#endif
bool is_small(const std::string& name) { return name == "head_on" || name == "overtaking" || name == "circle_swap"; }

Result<ValidationOutcome> run_case(const std::string& name, const ReactiveSettings& model, std::uint32_t seeds) {
  for (const ValidationCase& found : behaviour_cases())
    if (name == found.name) return found.run({.model = model, .seeds = seeds, .threads = 1});
  return Problem{name, "no such case", ""};
}

class EveryBehaviourCase : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryBehaviourCase, PassesForTheDefaultModelAndKeepsItsFigures) {
  const std::string name = GetParam();
  // The side that a control takes is a coin; one run would not tell it from a rule.
  const std::uint32_t seeds = name == "keep_right" ? 10 : is_small(name) ? 3 : 1;
  const Result<ValidationOutcome> outcome = run_case(name, reactive(), seeds);
  ASSERT_TRUE(outcome) << to_string(outcome.problems().front());
  EXPECT_TRUE(outcome->passed) << outcome->measured << "\n  " << outcome->control;
  EXPECT_NE(outcome->control.find("reactive_2004"), std::string::npos) << outcome->control;
  if (name == "stuck") return;  // by scene
  EXPECT_EQ(outcome->figures.at("model").size(), seeds);
  EXPECT_EQ(outcome->figures.at("reactive_2004").size(), seeds);
}

std::vector<std::string> tested_cases() {
  std::vector<std::string> names;
  for (const ValidationCase& found : behaviour_cases())
    if (!kIsSlow || is_small(found.name)) names.push_back(found.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Behaviour, EveryBehaviourCase, ::testing::ValuesIn(tested_cases()),
                         [](const auto& tested) { return tested.param; });

TEST(BehaviourCases, FailWithoutTheCauseOfTheBehaviour) {
  ReactiveSettings blind = reactive();
  blind.look_ahead = blind.prediction = false;
  blind.right_bias = 0;
  ReactiveSettings pushing = reactive();
  pushing.headway = false;
  std::vector<std::pair<std::string, ReactiveSettings>> failing{{"head_on", blind}};
  if (!kIsSlow) failing.insert(failing.end(), {{"lanes", blind}, {"counterflow", blind}, {"bottleneck", pushing}});
  for (const auto& [name, model] : failing) {
    const Result<ValidationOutcome> outcome = run_case(name, model, 1);
    ASSERT_TRUE(outcome) << to_string(outcome.problems().front());
    EXPECT_FALSE(outcome->passed) << name << ": " << outcome->measured;
  }
}

TEST(BehaviourCases, GiveTheSameFiguresForAnyNumberOfThreads) {
  const Result<ValidationOutcome> one = run_head_on({.seeds = 3, .threads = 1}), two = run_head_on({.seeds = 3, .threads = 2});
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->figures, two->figures);
  EXPECT_NE(one->figures.at("model").at(0), one->figures.at("model").at(1));  // seeds differ
}

TEST(BehaviourCases, DoNotMeasureThePapersPipeTwice) {
  EXPECT_EQ(with_control(reactive(), reactive()).size(), 3u);
  EXPECT_EQ(with_control(reactive_2004(), reactive_2004()).size(), 2u);
}

TEST(Measurements, LeaveOutRunsWithoutAValue) {
  const Measurements measured(Figures{{"model", {{{"s", 2.0}}, {{"s", nullptr}}, {{"s", 4.0}}}}});
  const Distribution over_seeds = measured.of("model", "s");
  EXPECT_EQ(over_seeds.count, 2u);
  EXPECT_EQ(over_seeds.mean, 3);
  EXPECT_EQ(spread(over_seeds, 1), "3.0 (2.0 to 4.0)");
  EXPECT_EQ(spread({}), "never");
}

TEST(Measurements, HandOnTheProblemOfARun) {
  const auto measured = measure_variants({.seeds = 2}, {{kModel, reactive()}}, [](const ReactiveSettings&, std::uint64_t seed) {
    return seed == 2 ? Result<Figures>(Problem{"run", "two", ""}) : Result<Figures>(Figures{{"s", 1}});
  });
  ASSERT_FALSE(measured);
  EXPECT_EQ(measured.problems().front().what, "two");
}

TEST(DrawnClearance, IsTheDistanceToTheOutlinesAndNegativeBehindThem) {
  Scene scene = scene_of({rectangle(0, 0, 10, 10)});
  scene.layers[0].obstacles = {rectangle(4, 4, 6, 6), rectangle(5, 5, 8, 6)};
  EXPECT_DOUBLE_EQ(drawn_clearance(scene, {1, 5}), 1);
  EXPECT_DOUBLE_EQ(drawn_clearance(scene, {3, 3}), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(drawn_clearance(scene, {4.5, 5}), -0.5);
  EXPECT_DOUBLE_EQ(drawn_clearance(scene, {10.25, 5}), -0.25);
  EXPECT_LT(drawn_clearance(scene, {5.5, 5.5}), 0);  // in both obstacles
}

TEST(FrameCollector, KeepsPeopleInOrderOfTheirNumbersWhileTheyComeAndGo) {
  Result<World> world = make_world({rectangle(0, 0, 20, 20)}, reactive(), 1);
  ASSERT_TRUE(world);
  std::vector<AgentId> people;
  for (int i = 0; i < 5; ++i) {
    AgentDef agent;
    agent.position = {18.0 - 3 * i, 5};
    people.push_back(world->add(agent));
  }
  FrameCollector frames(0.1);
  frames.add(*world);
  world->remove(people[1]);
  world->step();
  frames.add(*world);
  const Trajectory& seen = frames.trajectory();
  ASSERT_EQ(seen.frame_count(), 2u);
  EXPECT_EQ(seen.frame(0).size(), 5u);
  EXPECT_EQ(seen.frame(1).size(), 4u);
  for (const std::size_t number : {0u, 1u}) {
    const FrameView frame = seen.frame(number);
    for (std::size_t i = 1; i < frame.size(); ++i) EXPECT_LT(frame.facts(i - 1).id, frame.facts(i).id);
  }
  EXPECT_EQ(seen.presence[1].end, 1u);
  EXPECT_EQ(seen.frame(1).facts(1).id, world->number(people[2]));
  EXPECT_FLOAT_EQ(seen.frame(1).x[1], 12);
}

}  // namespace
}  // namespace throng::behaviour
