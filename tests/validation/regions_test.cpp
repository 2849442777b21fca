// SPDX-License-Identifier: MIT
// Lanes in the regions of interest (ALGORITHMS.md §4.11): potential fields make them, short-term avoidance alone does not.
#include <gtest/gtest.h>

#include "behaviour_support.hpp"

namespace throng::behaviour {
namespace {

double order_at(const RegionLanes& definition, std::uint64_t seed) {
  const Result<Figures> measured = measure_region_lanes(definition, seed);
  EXPECT_TRUE(measured);
  return measured ? measured->at("corrected_order").get<double>() : 0;
}

TEST(RegionsOfInterest, TwoStreamsFormLanesAtLevelNoughtAndNotAtLevelOne) {
  for (const std::uint64_t seed : {1, 2}) {
    EXPECT_GE(order_at({.level = 0}, seed), 0.6) << seed;
    EXPECT_LE(order_at({.level = 1}, seed), 0.35) << seed;
  }
  EXPECT_LE(order_at({.level = 2}, 1), 0.1) << "straight through each other";
  // Fields that know nothing of the crowd are no better than corridors.
  RegionLanes blind;
  blind.field.prediction_time = 0;
  blind.field.low_density = 1e4f, blind.field.high_density = 2e4f;
  EXPECT_LE(order_at(blind, 1), 0.4);
}

}  // namespace
}  // namespace throng::behaviour
