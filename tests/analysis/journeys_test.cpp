// SPDX-License-Identifier: MIT
#include "analysis/journeys.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/velocities.hpp"
#include "people.hpp"

namespace throng {
namespace {

TEST(Statistics, of_a_few_numbers_are_those_of_the_textbook) {
  const Distribution d = distribution_of({4, 1, 3, 2});
  EXPECT_EQ(d.count, 4u);
  EXPECT_DOUBLE_EQ(d.mean, 2.5);
  EXPECT_DOUBLE_EQ(d.deviation, std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(d.low, 1);
  EXPECT_DOUBLE_EQ(d.median, 2.5);
  EXPECT_DOUBLE_EQ(d.p95, 3.85);
  EXPECT_DOUBLE_EQ(d.high, 4);
  EXPECT_EQ(distribution_of({}).count, 0u);
  EXPECT_DOUBLE_EQ(distribution_of({7}).median, 7);
}

TEST(Journeys, a_straight_walk_has_its_time_length_and_speed) {
  // 40 m at 1 m/s, gone at second 40 of 60; wish 1.25 m/s.
  const Trajectory t = people(
      1, 600, 0.1,
      [](std::uint32_t, std::uint32_t k) -> std::optional<Vec2> {
        if (k > 400) return std::nullopt;
        return Vec2{0.1 * k, 1};
      },
      0.2f, 1.25f);
  const JourneySummary s = summarise_journeys(t);
  EXPECT_EQ(s.agents, 1u);
  EXPECT_EQ(s.finished, 1u);
  EXPECT_EQ(s.stuck, 0u);
  EXPECT_NEAR(s.travel_time.mean, 40, 1e-9);
  EXPECT_NEAR(s.speed.mean, 1, 1e-5);
  EXPECT_NEAR(s.detour, 1, 1e-6);
  EXPECT_NEAR(s.turning_rate, 0, 1e-3);
  EXPECT_NEAR(s.speed_ratio, 0.8, 1e-5);
  EXPECT_NEAR(s.progress_ratio, 0.8, 1e-5);
}

TEST(Journeys, a_circle_turns_at_its_rate_and_comes_back) {
  // Radius 2 m at 1 m/s: 0.5 rad/s; half a circle is π/2 longer than its diameter.
  const Trajectory t = people(1, 63, 0.1, [](std::uint32_t, std::uint32_t k) {
    return Vec2{2 * std::cos(0.05 * k), 2 * std::sin(0.05 * k)};
  });
  const Journey j = journeys_of(t)[0];
  EXPECT_NEAR(j.length, 6.2, 0.01);
  EXPECT_NEAR(j.length / j.straight, std::numbers::pi / 2, 0.03);
  EXPECT_NEAR(j.turned / j.turning_seconds, 0.5, 1e-3);
  EXPECT_FALSE(j.finished);
}

TEST(Journeys, the_frame_rate_does_not_change_them) {
  const auto at = [](double time) { return Vec2{time, std::sin(time)}; };
  const Trajectory coarse = people(1, 101, 0.1, [&](std::uint32_t, std::uint32_t k) { return at(0.1 * k); });
  const Trajectory fine = people(1, 1001, 0.01, [&](std::uint32_t, std::uint32_t k) { return at(0.01 * k); });
  const JourneySummary a = summarise_journeys(coarse), b = summarise_journeys(fine);
  EXPECT_NEAR(a.turning_rate, b.turning_rate, 1e-4);
  EXPECT_NEAR(a.detour, b.detour, 1e-4);
}

TEST(Journeys, who_moves_less_than_a_tenth_of_a_metre_in_a_minute_is_stuck) {
  // 0 stands, 1 trembles, 2 creeps on at 1 cm/s, 3 stands for 50 s and then leaves.
  const Trajectory t = people(4, 800, 0.1, [](std::uint32_t a, std::uint32_t k) -> std::optional<Vec2> {
    if (a == 1) return Vec2{0.04 * (k % 2), 5};
    if (a == 2) return Vec2{0.001 * k, 10};
    if (a == 3 && k > 500) return std::nullopt;
    return Vec2{0, 15.0 + a};
  });
  const auto all = journeys_of(t);
  EXPECT_TRUE(all[0].stuck);
  EXPECT_TRUE(all[1].stuck);
  EXPECT_FALSE(all[2].stuck);
  EXPECT_FALSE(all[3].stuck);
  EXPECT_EQ(summarise_journeys(t).stuck, 2u);
}

TEST(Journeys, go_on_over_the_seam_of_a_ring) {
  JourneySettings settings;
  settings.period = {10, 0};
  const Trajectory t = people(1, 501, 0.1, [](std::uint32_t, std::uint32_t k) { return Vec2{std::fmod(0.1 * k, 10), 0}; });
  const Journey j = journeys_of(t, settings)[0];
  EXPECT_NEAR(j.length, 50, 1e-3);
  EXPECT_NEAR(j.straight, 50, 1e-3);
}

TEST(Velocities, are_central_differences_cut_off_at_the_ends) {
  // x = t²: the central difference is exactly 2 t, whatever the window.
  const Trajectory t = people(1, 50, 0.1, [](std::uint32_t, std::uint32_t k) { return Vec2{0.01 * k * k, 0}; });
  for (const double half_window : {0.1, 0.3}) {
    const auto v = velocities_of(t, half_window);
    for (std::size_t k = 3; k < 47; ++k) EXPECT_NEAR(v[k].x, 0.2 * static_cast<double>(k), 1e-4);
    EXPECT_NEAR(v[0].x, half_window, 1e-4);  // (t² - 0) / t
    EXPECT_NEAR(v[49].x, 2 * 4.9 - half_window, 1e-4);
  }
}

TEST(Velocities, of_people_who_come_go_and_wrap_are_right) {
  const Trajectory t = people(3, 30, 0.1, [](std::uint32_t a, std::uint32_t k) -> std::optional<Vec2> {
    if (a == 0 && (k < 10 || k >= 20)) return std::nullopt;
    if (a == 1 && k != 5) return std::nullopt;
    return Vec2{std::fmod(9.5 + 0.1 * k * (a + 1), 10), 0};
  });
  const auto v = velocities_of(t, 0.2, {10, 0});
  for (std::size_t k = 0; k < 30; ++k) {
    const FrameView f = t.frame(k);
    for (std::size_t i = 0; i < f.size(); ++i) {
      const double expected = f.agent[i] == 0 ? 1 : f.agent[i] == 1 ? 0 : 3;
      EXPECT_NEAR(v[t.frame_start[k] + i].x, expected, 1e-4) << k << " " << i;
    }
  }
  EXPECT_EQ(speeds_of(t, 0.2, {10, 0}).count, t.row_count());
}

}  // namespace
}  // namespace throng
