// SPDX-License-Identifier: MIT
#include "analysis/lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "people.hpp"

namespace throng {
namespace {

/// 160 people in a ring corridor of 40 × 4 m, half to each side; `lanes` of them ordered, or mixed for 0; `formed` seconds after
/// the start.
Trajectory counterflow(int lanes, double formed = 0, double seconds = 30) {
  RandomStream random(4, 1, 1);
  std::vector<Vec2> start;
  std::vector<double> lane_y, mixed_y;
  for (int i = 0; i < 160; ++i) {
    start.push_back({random.between(0, 40), 0});
    mixed_y.push_back(random.between(0, 4));
    const int lane = lanes == 0 ? 0 : 2 * static_cast<int>(random.integer(0, (lanes - 1 - i % 2) / 2)) + i % 2;
    // Clear of the next lane by the strip that is looked along.
    lane_y.push_back(lanes == 0 ? mixed_y.back() : 4.0 * lane / lanes + random.between(0.2, 4.0 / lanes - 0.2));
  }
  return people(160, static_cast<std::uint32_t>(seconds * 10) + 1, 0.1, [=](std::uint32_t a, std::uint32_t k) {
    const double way = 0.1 * k * 1.2 * (a % 2 ? -1 : 1), x = std::fmod(std::fmod(start[a].x + way, 40) + 40, 40);
    return Vec2{x, 0.1 * k >= formed ? lane_y[a] : mixed_y[a]};
  });
}

LaneSettings ring() {
  LaneSettings settings;
  settings.period = {40, 0};
  return settings;
}

TEST(Lanes, order_of_four_people_is_that_of_the_formula) {
  // 0 and 1 go right and see each other and 2, who goes left; 3 is far away and sees nobody.
  const Trajectory t = standing({{0, 0}, {1, 0.1}, {2, 0.2}, {20, 0}});
  const std::vector<std::int8_t> direction = {1, 1, -1, 1};
  LaneSettings settings;
  settings.shuffles = 0;
  // φ₀ = φ₁ = ((1 - 1) / 2)² = 0; φ₂ = ((0 - 2) / 2)² = 1.
  EXPECT_DOUBLE_EQ(lane_order(t.frame(0), direction, settings).order, 1.0 / 3);
  settings.strip = 0.15;  // now 0 and 2 do not see each other: φ₀ = 1, φ₁ = 0, φ₂ = 1
  EXPECT_DOUBLE_EQ(lane_order(t.frame(0), direction, settings).order, 2.0 / 3);
}

TEST(Lanes, perfect_lanes_are_1_and_a_mixture_is_0_after_chance) {
  for (const int lanes : {2, 4}) {
    const LaneSummary s = lanes_of(counterflow(lanes), ring());
    EXPECT_NEAR(s.order, 1, 1e-9) << lanes;
    EXPECT_NEAR(s.corrected, 1, 1e-9) << lanes;
    EXPECT_NEAR(s.lanes, lanes, 0.5);
    ASSERT_TRUE(s.formation_time);
    EXPECT_EQ(*s.formation_time, 0);
  }
  const LaneSummary mixed = lanes_of(counterflow(0), ring());
  EXPECT_GT(mixed.chance, 0.05);
  EXPECT_NEAR(mixed.corrected, 0, 0.05);
  EXPECT_FALSE(mixed.formation_time);
}

TEST(Lanes, formation_is_when_order_begins_to_last) {
  const LaneSummary s = lanes_of(counterflow(2, 12), ring());
  ASSERT_TRUE(s.formation_time);
  EXPECT_NEAR(*s.formation_time, 12, 0.51);
  EXPECT_FALSE(lanes_of(counterflow(2, 25), ring()).formation_time);  // 5 s at the end are not enough
}

TEST(Lanes, do_not_depend_on_who_is_first_or_on_how_the_corridor_lies) {
  const Trajectory t = counterflow(2, 12);
  Trajectory turned = t;
  for (std::size_t i = 0; i < t.row_count(); ++i) turned.x[i] = -t.y[i], turned.y[i] = t.x[i];
  LaneSettings settings = ring();
  settings.along = {0, 1};
  settings.period = {0, 40};
  const LaneSummary a = lanes_of(t, ring()), b = lanes_of(turned, settings);
  EXPECT_NEAR(a.order, b.order, 1e-6);
  EXPECT_NEAR(a.corrected, b.corrected, 0.01);
  EXPECT_EQ(lanes_of(t, ring()).corrected, a.corrected);  // and the seed says what chance is
}

TEST(Lanes, directions_are_those_of_the_whole_way) {
  const Trajectory t = people(3, 300, 0.1, [](std::uint32_t a, std::uint32_t k) {
    const double way = a == 0 ? 0.1 * k : a == 1 ? -0.1 * k : 0;
    return Vec2{std::fmod(std::fmod(5 + way, 10) + 10, 10), 1.0 * a};
  });
  EXPECT_EQ(directions_of(t, {1, 0}, {10, 0}), (std::vector<std::int8_t>{1, -1, 0}));
}

}  // namespace
}  // namespace throng
