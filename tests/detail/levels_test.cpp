// SPDX-License-Identifier: MIT
#include "detail/levels.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "detail/leg.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

TEST(Score, is_that_of_the_formula) {
  const Viewpoint eye{.position = {10, 20}, .direction = {0, 2}, .field_of_view = 1, .distance = 80};
  EXPECT_DOUBLE_EQ(score_of(eye, {10, 20}), 1);
  EXPECT_DOUBLE_EQ(score_of(eye, {10, 60}), 0.6 * 0.5 + 0.4);
  EXPECT_DOUBLE_EQ(score_of(eye, {10, 200}), 0.4);
  const double angle = 0.25;
  EXPECT_NEAR(score_of(eye, {10 + 40 * std::sin(angle), 20 + 40 * std::cos(angle)}), 0.6 * 0.5 + 0.4 * 0.5, 1e-12);
  EXPECT_EQ(score_of(eye, {10 + 40 * std::sin(0.51), 20 + 40 * std::cos(0.51)}), 0);
  EXPECT_EQ(score_of(eye, {10, 10}), 0);
}

TEST(Score, gives_frequencies_from_the_unseen_to_just_below_the_high_level) {
  const DetailSettings settings;
  EXPECT_DOUBLE_EQ(frequency_of(settings, 0), 1);
  EXPECT_NEAR(frequency_of(settings, 1e-9), 5, 1e-6);
  EXPECT_DOUBLE_EQ(frequency_of(settings, 0.3), 10);
  EXPECT_NEAR(frequency_of(settings, 0.6 - 1e-9), 15, 1e-6);
}

TEST(Patches, are_due_once_a_period_and_not_all_at_once) {
  PatchLevels levels;
  const BuiltCells built = build(random_scene(3, 40, 20));
  const Cells& cells = built.cells();
  levels.update(cells, {.enabled = true}, 0.04);
  std::set<std::uint32_t> beats;
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    EXPECT_EQ(levels.level(c), PatchLevel::kLow);
    EXPECT_EQ(levels.period(c), 25u);
    std::uint32_t last = levels.next_due(c, 100);
    EXPECT_GT(last, 100u);
    EXPECT_LE(last, 125u);
    EXPECT_EQ(levels.next_due(c, last), last + 25);
    EXPECT_EQ(levels.next_due(c, last - 1), last);
    beats.insert(last % 25);
  }
  EXPECT_GT(beats.size(), std::min<std::size_t>(10, cells.cell_count() / 3));
}

TEST(WayToWall, agrees_with_small_steps) {
  RandomStream random(1, 2, 3);
  int hits = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec2 a = {random.between(-3, 3), random.between(-3, 3)}, b = {random.between(-3, 3), random.between(-3, 3)};
    const Vec2 d = b - a;
    const Ground::Wall wall{static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(d.x), static_cast<float>(d.y),
                            static_cast<float>(1 / dot(d, d))};
    const double radius = random.between(0.1, 0.6), angle = random.between(0, 6.28), limit = 4;
    const Vec2 place = {random.between(-3, 3), random.between(-3, 3)}, ahead = {std::cos(angle), std::sin(angle)};
    const auto gap = [&](Vec2 p) {
      return std::sqrt(static_cast<double>(foot_on(wall, static_cast<float>(p.x), static_cast<float>(p.y)).distance_squared));
    };
    if (gap(place) < radius) continue;
    double expected = 0;
    while (expected < limit && gap(place + expected * ahead) >= radius - 0.8 * Ground::kTouch) expected += 0.001;
    const float found = way_to_wall(wall, {static_cast<float>(place.x), static_cast<float>(place.y)},
                                    {static_cast<float>(ahead.x), static_cast<float>(ahead.y)}, static_cast<float>(radius), 4);
    EXPECT_NEAR(found, std::min(expected, limit), 0.02) << i;
    EXPECT_LE(found, expected + 0.001) << i;
    hits += expected < limit;
  }
  EXPECT_GT(hits, 300);
}

}  // namespace
}  // namespace throng
