// SPDX-License-Identifier: MIT
// What priority rules make of streams, beside the same people without them (ALGORITHMS §3.9).
#include <gtest/gtest.h>

#include "behaviour_support.hpp"

namespace throng::behaviour {
namespace {

TEST(RulesStreams, two_that_meet_part_into_lanes_on_their_right_and_without_rules_do_not) {
  RulesSettings control;
  control.priority_rules = false;
  const auto with = measure_counterflow(RulesSettings{}, 1, 1.0), without = measure_counterflow(control, 1, 1.0);
  ASSERT_TRUE(with && without);
  EXPECT_GE(with->at("corrected_order").get<double>(), 0.6);
  EXPECT_LT(without->at("corrected_order").get<double>(), 0.6);
  EXPECT_GE(with->at("to_own_right_m").get<double>(), 0.25) << "half a tile";
  EXPECT_LT(without->at("to_own_right_m").get<double>(), 0.25);
}

TEST(RulesStreams, who_keeps_left_drifts_to_the_left) {
  RulesSettings left;
  left.side = RulesSide::kLeft;
  const auto figures = measure_counterflow(left, 1, 1.0);
  ASSERT_TRUE(figures);
  EXPECT_LE(figures->at("to_own_right_m").get<double>(), -0.25);
}

TEST(RulesStreams, flow_is_most_between_one_and_two_and_a_half_people_a_square_metre) {
  double most = 0, at = 0;
  for (const double density : {0.5, 1.0, 1.75, 2.5, 3.0}) {
    const auto speed = measure_speed_at(RulesSettings{}, 1, density);
    ASSERT_TRUE(speed);
    if (density * *speed > most) most = density * *speed, at = density;
  }
  EXPECT_GE(at, 1.0);
  EXPECT_LE(at, 2.5);
}

}  // namespace
}  // namespace throng::behaviour
