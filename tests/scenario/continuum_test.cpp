// SPDX-License-Identifier: MIT
// The named scene of continuum crowds, to its end.
#include "fixtures.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

TEST(ContinuumScene, four_streams_cross_and_everybody_arrives) {
  const auto scenario = load_scenario(test::source_dir() / "scenes" / "continuum_crossing.json");
  ASSERT_TRUE(scenario) << listed_problems(scenario);
  Simulation simulation = start(*scenario);
  std::uint64_t walls = 0;
  while (!simulation.is_done()) walls += simulation.step().wall_penetrations;
  EXPECT_GT(simulation.tally().people, 450u);
  EXPECT_EQ(simulation.tally().left, simulation.tally().people);
  EXPECT_LT(simulation.world().time(), 180);
  EXPECT_EQ(walls, 0u);
}

}  // namespace
}  // namespace throng
