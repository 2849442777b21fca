// SPDX-License-Identifier: MIT
// What continuum crowds do in the corridor without ends (ALGORITHMS.md §8.1, §8.7): lanes, and how speed falls with density.
#include <gtest/gtest.h>

#include "behaviour_support.hpp"

namespace throng::behaviour {
namespace {

/// Neither density nor what others will do counts: what is left walks straight on and is pushed aside.
ContinuumSettings without_fields() {
  ContinuumSettings model;
  model.field.prediction_time = 0;
  model.field.discomfort_weight = 0;
  model.field.low_density = 1e4f, model.field.high_density = 2e4f;
  model.field.jam_density = 0;
  return model;
}

Figures lanes_of(const MotionModel& model, std::uint64_t seed, double density = 1) {
  const Result<Figures> measured = measure_counterflow(model, seed, density);
  EXPECT_TRUE(measured);
  return measured ? *measured : Figures{};
}

TEST(ContinuumCrowds, TwoStreamsThatMeetFormLanesAtOnce) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Figures fields = lanes_of(ContinuumSettings{}, seed), pushed = lanes_of(without_fields(), seed);
    EXPECT_GE(fields.at("corrected_order").get<double>(), 0.9) << seed;
    ASSERT_TRUE(fields.at("formation_s").is_number());
    EXPECT_LT(fields.at("formation_s").get<double>(), 8) << seed;
    // Being pushed aside sorts streams as well, in the end: several times as slowly, and never so well.
    EXPECT_LT(pushed.at("corrected_order").get<double>(), fields.at("corrected_order").get<double>() - 0.1) << seed;
    EXPECT_TRUE(!pushed.at("formation_s").is_number() ||
                pushed.at("formation_s").get<double>() > 3 * fields.at("formation_s").get<double>())
        << seed;
  }
  // Nothing of it all: straight through each other.
  EXPECT_LT(lanes_of(LinearSettings{}, 1).at("corrected_order").get<double>(), 0.1);
}

TEST(ContinuumCrowds, FormLanesOnTilesOfAMetreAndAtOtherDensities) {
  ContinuumSettings coarse;
  coarse.tile = 1;
  EXPECT_GE(lanes_of(coarse, 1).at("corrected_order").get<double>(), 0.6);
  for (const double density : {0.5, 1.5})
    EXPECT_GE(lanes_of(ContinuumSettings{}, 1, density).at("corrected_order").get<double>(), 0.6);
}

TEST(ContinuumCrowds, SpeedFallsWithDensityAsItShould) {
  const auto speed = [](const MotionModel& model, double density) {
    const Result<double> measured = measure_speed_at(model, 1, density);
    EXPECT_TRUE(measured);
    return measured ? *measured : 0;
  };
  double before = 10;
  for (const double density : {0.3, 1.0, 2.0, 3.0, 4.0}) {
    const double now = speed(ContinuumSettings{}, density);
    EXPECT_LT(now, before) << density;
    before = now;
  }
  EXPECT_GE(speed(ContinuumSettings{}, 0.3), 0.9 * 1.34);
  EXPECT_LE(before, 0.5);
  // As printed, a crowd that walks one way has the speed of its own mean, whatever its density.
  ContinuumSettings printed;
  printed.field.jam_density = 0;
  EXPECT_GT(speed(printed, 4), 1.0);
}

}  // namespace
}  // namespace throng::behaviour
