// SPDX-License-Identifier: MIT
// Who comes first under priority rules, in the situations that are named scenarios; each beside the same run without the cause.
#include <gtest/gtest.h>

#include <map>

#include "scenario/simulation.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

constexpr double kLongest = 120;  // s: who is not there then counts as having taken so long

/// Mean times to arrive of those whose population is set first by `lead`, and of the others.
struct Means {
  double lead = 0, others = 0;
};
Means run_seed(const char* name, std::uint64_t seed, bool by_rules, std::array<std::int32_t, 2> priority) {
  auto scenario = load_scenario(test::source_dir() / "scenes" / (std::string(name) + ".json"),
                                {.duration = kLongest, .seed = seed});
  EXPECT_TRUE(scenario);
  for (MotionModel& model : scenario->models)
    if (auto* rules = std::get_if<RulesSettings>(&model)) rules->priority_rules = by_rules;
  EXPECT_EQ(scenario->populations.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) scenario->populations[i].priority = priority[i];
  scenario->settings.count_contacts = false;
  const auto navigation = Navigation::bake(scenario->scene);
  EXPECT_TRUE(navigation);
  auto simulation = Simulation::create(*scenario, *navigation);
  EXPECT_TRUE(simulation);
  World& world = simulation->world();
  std::map<std::uint32_t, double> time;
  std::map<std::uint32_t, bool> is_lead;
  while (!simulation->is_done()) {
    simulation->step();
    for (const Event& event : world.events())
      if (event.kind == EventKind::kArrived) time[event.number] = event.time;
    if (world.steps() != 2) continue;
    for (std::uint32_t row = 0; row < world.agent_count(); ++row)
      if (const auto said = world.rules_decision(world.id_at(row))) is_lead[world.columns().number[row]] = said->priority > 0;
  }
  Means means;
  std::uint32_t lead = 0, others = 0;
  for (const auto& [number, leads] : is_lead) {
    const double took = time.contains(number) ? time[number] : kLongest;
    (leads ? means.lead : means.others) += took;
    ++(leads ? lead : others);
  }
  EXPECT_GT(lead, 0u);
  EXPECT_GT(others, 0u);
  means.lead /= lead, means.others /= others;
  return means;
}

TEST(RulesScenario, a_higher_social_priority_waits_less_whichever_side_has_it) {
  double with = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const std::array<std::int32_t, 2> priority : {std::array{1, 0}, std::array{0, 1}}) {
      const Means a = run_seed("rules_narrow_passage", seed, true, priority);
      with += (a.others - a.lead) / 6;
      // The control knows no priority: whatever the sides differ by is exchanged with them.
      const Means b = run_seed("rules_narrow_passage", seed, false, priority);
      without += (b.others - b.lead) / 6;
    }
  EXPECT_GT(with, 0.3) << "seconds";
  EXPECT_NEAR(without, 0, 1e-6);
}

TEST(RulesScenario, leavers_are_faster_than_boarders_and_not_by_their_place_alone) {
  double with = 0, reversed = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    auto scenario = load_scenario(test::source_dir() / "scenes" / "rules_queue_a.json",
                                  {.duration = 1.0, .seed = seed});
    ASSERT_TRUE(scenario);
    const std::array given = {scenario->populations[0].priority, scenario->populations[1].priority};
    ASSERT_NE(given[0] > 0, given[1] > 0) << "one side leaves";
    const Means a = run_seed("rules_queue_a", seed, true, given);
    with += (a.others - a.lead) / 3;
    const Means b = run_seed("rules_queue_a", seed, true, {given[1], given[0]});
    reversed += (b.lead - b.others) / 3;  // the same people as above: boarders less leavers
  }
  EXPECT_GT(with, 0);
  EXPECT_LT(reversed, with) << "with the priority on the other side, boarders gain";
}

}  // namespace
}  // namespace throng
