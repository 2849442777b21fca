// SPDX-License-Identifier: MIT
// The ring of stones: people spread over many ways where the crowd decides, and fewer where length alone does. Left out under
// sanitizers, which make a step some twenty times slower: there the tests of flows and of the named scenes have it.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <algorithm>
#include <cmath>

#include "fixtures.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

struct Spread {
  double effective_paths = 0;  ///< exponential of the entropy of trips over paths
  double busiest_gate = 0;     ///< share of trips
  std::uint64_t stuck = 0;
};

Spread spread_of(PathCriterion choice) {
  auto scenario = load_scenario(test::source_dir() / "scenes" / "ring_of_stones.json", {.duration = 400});
  if (!scenario) throw std::runtime_error(listed_problems(scenario));
  scenario->flows[0].choice = choice;
  Simulation simulation = start(*scenario);
  EXPECT_EQ(simulation.tally().people, 1000u);
  while (!simulation.is_done()) simulation.step();
  Spread spread;
  spread.stuck = simulation.tally().stuck;
  const FlowLoad load = simulation.world().load(0);
  double trips = 0, entropy = 0;
  for (const std::uint64_t count : load.trips) trips += static_cast<double>(count);
  for (const std::uint64_t count : load.trips)
    if (count > 0) entropy -= static_cast<double>(count) / trips * std::log(static_cast<double>(count) / trips);
  spread.effective_paths = std::exp(entropy);
  const auto gates = simulation.world().gate_trips();
  spread.busiest_gate = *std::max_element(gates.begin(), gates.end()) / trips;
  return spread;
}

TEST(RingOfStones, a_thousand_people_spread_over_many_paths_and_no_gate_carries_most_of_them) {
  const Spread crowd = spread_of(PathCriterion::kTravelTime), length = spread_of(PathCriterion::kLength);
  EXPECT_GE(crowd.effective_paths, 4);
  EXPECT_LE(crowd.busiest_gate, 0.4);
  EXPECT_EQ(crowd.stuck, 0u);
  EXPECT_LE(crowd.busiest_gate, 0.8 * length.busiest_gate) << "control: by length alone";
}

}  // namespace
}  // namespace throng
#endif
