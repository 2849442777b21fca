// SPDX-License-Identifier: MIT
// The named scene of regions of interest: fields inside, corridors round them, and nobody between the two.
#include "fixtures.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

struct Outcome {
  std::uint64_t goals = 0, stuck = 0;
};

/// What a run comes to with people at three levels, or all at one.
Outcome run_at_level(Scenario scenario, std::optional<std::uint8_t> level) {
  if (level) scenario.settings.interest.regions.clear(), scenario.regions.clear(), scenario.settings.interest.elsewhere = *level;
  scenario.settings.duration = 240;
  Simulation simulation = start(scenario);
  while (!simulation.is_done()) simulation.step();
  return {simulation.tally().goals_reached, simulation.tally().stuck};
}

/// The region is smaller than the discs of the square, so that paths leave it and come back at once. When each of these was a
/// sub-goal, fields led people out of the crowd and corridors in again: 17 of 600 were stuck at the border.
TEST(RegionsScene, nobody_is_caught_between_the_field_and_the_corridor) {
  const auto scenario = load_scenario(test::source_dir() / "scenes/regions.json");
  ASSERT_TRUE(scenario) << listed_problems(scenario);
  const Outcome mixed = run_at_level(*scenario, {}), corridors = run_at_level(*scenario, 1), fields = run_at_level(*scenario, 0);
  RecordProperty("goals_mixed", static_cast<int>(mixed.goals));
  RecordProperty("goals_corridors", static_cast<int>(corridors.goals));
  RecordProperty("goals_fields", static_cast<int>(fields.goals));
  EXPECT_EQ(mixed.stuck, 0u);
  EXPECT_GT(static_cast<double>(mixed.goals), 0.9 * static_cast<double>(corridors.goals));
  EXPECT_GT(static_cast<double>(mixed.goals), 0.9 * static_cast<double>(fields.goals));
}

/// Everything at once, for three minutes. (Followers of groups, who have no way of their own, once counted as stuck: 21 of 270.)
TEST(StationSquareScene, everybody_arrives_and_nobody_is_stuck) {
  const auto scenario = load_scenario(test::source_dir() / "scenes/station_square.json");
  ASSERT_TRUE(scenario) << listed_problems(scenario);
  Simulation simulation = start(*scenario);
  while (!simulation.is_done()) simulation.step();
  EXPECT_EQ(simulation.tally().arrived, simulation.tally().people);
  EXPECT_EQ(simulation.tally().stuck, 0u);
  EXPECT_EQ(simulation.tally().wall_penetrations, 0u);
}

}  // namespace
}  // namespace throng
