// SPDX-License-Identifier: MIT
// The named scenario of two storeys: everybody changes floors over the stairs, nobody is lost, nobody sticks.
#include <map>

#include "fixtures.hpp"
#include "geometry/polygon.hpp"
#include "navigation/navigation_data.hpp"
#include "scenario/ground_outline.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

Scenario two_storeys(const ScenarioOverrides& overrides = {}) {
  auto scenario = load_scenario(test::source_dir() / "scenes" / "two_storeys.json", overrides);
  if (!scenario) throw std::runtime_error(listed_problems(scenario));
  return std::move(*scenario);
}

constexpr std::uint32_t kGround = 0, kUpper = 3;

TEST(TwoStoreys, five_hundred_people_change_floors_and_nobody_is_lost_or_stuck) {
  Simulation simulation = start(two_storeys());
  const NavigationData& data = simulation.world().navigation().data();
  struct Seen {
    std::uint32_t first_layer, layer;
    double z;
  };
  std::map<std::uint32_t, Seen> people;  // by number
  std::map<EventKind, int> events;
  double largest_jump = 0;
  while (!simulation.is_done()) {
    simulation.step();
    for (const Event& event : simulation.world().events()) ++events[event.kind];
    const World::Columns rows = simulation.world().columns();
    for (std::size_t i = 0; i < rows.x.size(); ++i) {
      const std::uint32_t layer = data.cells.layer[rows.cell[i]];
      const double z = data.elevation({rows.x[i], rows.y[i]}, layer);
      const auto [person, is_new] = people.try_emplace(rows.number[i], Seen{layer, layer, z});
      // Heights change as people climb: nobody jumps from floor to floor.
      if (!is_new) largest_jump = std::max(largest_jump, std::abs(z - person->second.z));
      person->second.layer = layer, person->second.z = z;
    }
  }
  EXPECT_EQ(events[EventKind::kStuck], 0);
  EXPECT_EQ(events[EventKind::kNoWay], 0);
  EXPECT_EQ(simulation.tally().arrived, 500u);
  EXPECT_EQ(simulation.tally().left, 500u);
  ASSERT_EQ(people.size(), 500u);
  EXPECT_LT(largest_jump, 0.2);
  int up = 0;
  for (const auto& [number, person] : people) {
    EXPECT_EQ(person.layer, person.first_layer == kGround ? kUpper : kGround) << number;
    EXPECT_NEAR(person.z, person.layer == kUpper ? 4 : 0, 1e-6) << number;
    up += person.layer == kUpper;
  }
  EXPECT_EQ(up, 250);
  // Both flights are used, in both directions.
  for (const auto& line : simulation.tally().lines) {
    int left = 0;
    for (const auto& crossing : line) left += crossing.to_left != 0;
    EXPECT_GT(left, 50);
    EXPECT_GT(static_cast<int>(line.size()) - left, 50);
  }
}

TEST(TwoStoreys, have_one_hash_at_any_number_of_threads_while_people_meet_on_the_stairs) {
  const Scenario scenario = two_storeys();
  Simulation one = start(scenario), four = start(scenario, 4), restored = start(scenario, 2);
  for (int step = 0; step < 600; ++step) one.step(), four.step();
  ASSERT_TRUE(restored.restore(one.snapshot()));
  for (int step = 0; step < 200; ++step) one.step(), four.step(), restored.step();
  EXPECT_GT(one.world().agent_count(), 40u);
  EXPECT_EQ(four.hash(), one.hash());
  EXPECT_EQ(restored.hash(), one.hash());
}

TEST(TwoStoreys, without_joints_nobody_gets_upstairs) {
  Scenario scenario = two_storeys();
  scenario.scene.joints.clear();
  Simulation simulation = start(scenario);
  std::uint64_t no_way = 0;
  for (int step = 0; step < 200; ++step) {
    simulation.step();
    for (const Event& event : simulation.world().events()) no_way += event.kind == EventKind::kNoWay;
  }
  EXPECT_GT(no_way, 20u);
  EXPECT_EQ(no_way, simulation.world().agent_count());
  EXPECT_EQ(simulation.tally().arrived, 0u);
}

TEST(TwoStoreys, have_an_outline_for_each_layer) {
  const auto navigation = Navigation::bake(two_storeys().scene);
  ASSERT_TRUE(navigation);
  const auto area = [&](std::uint32_t layer) {
    double sum = 0;
    for (const Polygon& part : ground_outline(*navigation, layer)) {
      sum += signed_area(part.outer);
      for (const Ring& hole : part.holes) sum += signed_area(hole);
    }
    return sum;
  };
  const double stairs = 6.4 * 3.2;
  EXPECT_NEAR(area(0), 40 * 24 - 2 * stairs - 16, 0.1);
  EXPECT_NEAR(area(1), stairs, 0.1);
  EXPECT_NEAR(area(3), 40 * 24 - 2 * stairs - 16, 0.1);
}

}  // namespace
}  // namespace throng
