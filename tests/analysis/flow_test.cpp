// SPDX-License-Identifier: MIT
#include "analysis/flow.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "people.hpp"

namespace throng {
namespace {

const MeasurementLine kDoor{{0, -1}, {0, 1}, 0};  // x > 0 is to its right

TEST(Flow, people_one_after_the_other_are_counted_at_the_right_times) {
  // Agent a starts at x = -a - 1 and walks 1 m/s: it crosses at a + 1 seconds, from left to right.
  const Trajectory t = people(20, 300, 0.1, [](std::uint32_t a, std::uint32_t k) { return Vec2{0.1 * k - a - 1, 0.5}; });
  const auto crossings = crossings_of(t, kDoor);
  ASSERT_EQ(crossings.size(), 20u);
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    EXPECT_EQ(crossings[i].agent, i);
    EXPECT_NEAR(crossings[i].time, static_cast<double>(i) + 1, 1e-4);
    EXPECT_FALSE(crossings[i].to_left);
    EXPECT_NEAR(crossings[i].place, 0.75, 1e-9);
  }
  const FlowSummary s = flow_through(t, kDoor);
  EXPECT_EQ(s.to_right, 20u);
  EXPECT_EQ(s.to_left, 0u);
  EXPECT_NEAR(s.flow, 1, 1e-4);
  EXPECT_NEAR(s.specific_flow, 0.5, 1e-4);
  EXPECT_NEAR(s.bottleneck_flow, 1, 1e-4);
  EXPECT_NEAR(s.gaps.mean, 1, 1e-4);
  EXPECT_NEAR(s.gap_variation, 0, 1e-4);
}

TEST(Flow, somebody_who_stops_on_the_line_or_turns_back_is_counted_as_often_as_it_changes_sides) {
  const double x[] = {-1, -0.5, 0, 0, 0, 0.5, 0.2, -0.3, 0, 1};
  const Trajectory t = people(1, 10, 1, [&](std::uint32_t, std::uint32_t k) { return Vec2{x[k], 0}; });
  const auto crossings = crossings_of(t, kDoor);
  ASSERT_EQ(crossings.size(), 3u);
  EXPECT_FALSE(crossings[0].to_left);
  EXPECT_TRUE(crossings[1].to_left);
  EXPECT_FALSE(crossings[2].to_left);
  EXPECT_NEAR(crossings[1].time, 6.4, 1e-6);
}

TEST(Flow, who_passes_beside_the_line_on_another_layer_or_after_a_gap_is_not_counted) {
  Trajectory beside = people(1, 2, 1, [](std::uint32_t, std::uint32_t k) { return Vec2{k - 0.5, 1.5}; });
  EXPECT_TRUE(crossings_of(beside, kDoor).empty());
  Trajectory above = people(1, 2, 1, [](std::uint32_t, std::uint32_t k) { return Vec2{k - 0.5, 0}; });
  EXPECT_EQ(crossings_of(above, kDoor).size(), 1u);
  above.layer = {1, 1};
  EXPECT_TRUE(crossings_of(above, kDoor).empty());
  const Trajectory gap = people(1, 3, 1, [](std::uint32_t, std::uint32_t k) -> std::optional<Vec2> {
    if (k == 1) return std::nullopt;
    return Vec2{k - 0.5, 0};
  });
  EXPECT_TRUE(crossings_of(gap, kDoor).empty());
}

TEST(Flow, random_walks_agree_with_a_test_of_every_move) {
  RandomStream random(3, 1, 1);
  std::vector<Vec2> at(50);
  const Trajectory t = people(50, 200, 0.1, [&](std::uint32_t a, std::uint32_t) {
    at[a] = at[a] + Vec2{random.between(-0.4, 0.4), random.between(-0.4, 0.4)};
    return at[a];
  });
  const MeasurementLine line{{-0.7, 0.3}, {1.1, -0.5}, 0};
  std::size_t expected = 0;
  for (std::size_t k = 1; k < t.frame_count(); ++k) {
    for (std::uint32_t a = 0; a < 50; ++a) {
      // The move p → q and the line cross iff each has the ends of the other on both sides.
      const Vec2 p = t.frame(k - 1).position(a), q = t.frame(k).position(a);
      const auto side = [](Vec2 u, Vec2 v, Vec2 w) { return cross(v - u, w - u) > 0; };
      expected += side(line.a, line.b, p) != side(line.a, line.b, q) && side(p, q, line.a) != side(p, q, line.b);
    }
  }
  EXPECT_GT(expected, 100u);
  EXPECT_EQ(crossings_of(t, line).size(), expected);
}

TEST(Flow, a_ring_corridor_is_crossed_at_its_seam_too) {
  const Period ring{10, 0};
  const Trajectory t = people(1, 1000, 0.1, [](std::uint32_t, std::uint32_t k) { return Vec2{std::fmod(0.13 * k, 10), 0}; });
  // 999 moves of 0.13 m: 129.87 m, so x = 9.99 is passed 12 times, 0.01 thirteen times (once at the start), 5 thirteen times.
  EXPECT_EQ(crossings_of(t, {{9.99, -1}, {9.99, 1}}, ring).size(), 12u);
  EXPECT_EQ(crossings_of(t, {{0.01, -1}, {0.01, 1}}, ring).size(), 13u);
  EXPECT_EQ(crossings_of(t, {{5, -1}, {5, 1}}, ring).size(), 13u);
}

TEST(Flow, the_central_share_leaves_the_ends_out) {
  // Ten people: the first two and last two far apart, the six between a second apart.
  const std::vector<double> times = {0, 50, 100, 101, 102, 103, 104, 105, 200, 300};
  EXPECT_DOUBLE_EQ(central_flow(times, 0.6), 1);
  EXPECT_DOUBLE_EQ(central_flow(times, 1), 9.0 / 300);
  EXPECT_DOUBLE_EQ(central_flow(std::vector<double>{1}, 0.6), 0);
  EXPECT_DOUBLE_EQ(central_flow(std::vector<double>{}, 0.6), 0);
  EXPECT_DOUBLE_EQ(central_flow(std::vector<double>{2, 2}, 1), 0);
}

TEST(Flow, gaps_vary_as_computed_by_hand) {
  // Crossings at 1, 2, 4, 8: gaps 1, 2, 4; mean 7/3, deviation sqrt(7/3).
  const double start[] = {1, 2, 4, 8};
  const Trajectory t = people(4, 100, 0.1, [&](std::uint32_t a, std::uint32_t k) { return Vec2{0.1 * k - start[a], 0}; });
  const FlowSummary s = flow_through(t, kDoor);
  EXPECT_NEAR(s.gaps.mean, 7.0 / 3, 1e-4);
  EXPECT_NEAR(s.gaps.deviation, std::sqrt(7.0 / 3), 1e-4);
  EXPECT_NEAR(s.gap_variation, std::sqrt(7.0 / 3) / (7.0 / 3), 1e-4);
}

}  // namespace
}  // namespace throng
