// SPDX-License-Identifier: MIT
#include "analysis/overlaps.hpp"

#include <gtest/gtest.h>

#include "analysis/point_grid.hpp"
#include "base/random.hpp"
#include "people.hpp"

namespace throng {
namespace {

TEST(PointGrid, finds_what_a_search_through_everybody_finds) {
  RandomStream random(1, 1, 1);
  for (int round = 0; round < 40; ++round) {
    const Period period{round % 2 ? 7.0 : 0.0, round % 3 ? 0.0 : 5.0};
    std::vector<float> x, y;
    for (int i = 0; i < 200; ++i) {
      x.push_back(static_cast<float>(random.between(-10, 10)));
      y.push_back(static_cast<float>(random.between(-10, 10)));
    }
    const PointGrid grid(x, y, random.between(0.1, 4), period);
    for (int query = 0; query < 20; ++query) {
      const Vec2 centre{random.between(-12, 12), random.between(-12, 12)};
      const double radius = random.between(0.05, 6);
      std::vector<std::uint32_t> expected, got;
      for (std::uint32_t i = 0; i < x.size(); ++i) {
        if (length(period.shortest(Vec2{x[i], y[i]} - centre)) < radius) expected.push_back(i);
      }
      grid.for_each_near(centre, radius, [&](std::uint32_t i, Vec2 offset) {
        got.push_back(i);
        EXPECT_EQ(offset, period.shortest(Vec2{x[i], y[i]} - centre));
      });
      std::sort(got.begin(), got.end());
      ASSERT_EQ(got, expected) << round << " " << query;
    }
  }
}

TEST(Overlaps, are_counted_by_hand) {
  // Radii 0.2: 0–1 overlap by 0.1 (25 %), 1–2 by 0.05, 3 alone, 4 touches 3 without overlap.
  const Trajectory t = standing({{0, 0}, {0.3, 0}, {0.65, 0}, {5, 5}, {5, 5.5}});
  const OverlapSummary s = overlaps_of(t);
  EXPECT_EQ(s.pairs, 2u);
  EXPECT_EQ(s.deep_pairs, 1u);
  EXPECT_DOUBLE_EQ(s.per_1000, 400);
  EXPECT_DOUBLE_EQ(s.deep_per_1000, 200);
  EXPECT_NEAR(s.deepest, 0.1, 1e-6);
  EXPECT_NEAR(s.deepest_share, 0.25, 1e-6);
}

TEST(Overlaps, agree_with_all_pairs_for_unequal_bodies_layers_and_periods) {
  RandomStream random(2, 1, 1);
  for (int round = 0; round < 20; ++round) {
    Trajectory t = people(150, 3, 0.1, [&](std::uint32_t, std::uint32_t) {
      return Vec2{random.between(0, 8), random.between(0, 8)};
    });
    for (AgentFacts& a : t.agents) a.radius = static_cast<float>(random.chance(0.2) ? 0 : random.between(0.1, 0.6));
    for (auto& layer : t.layer) layer = random.chance(0.3);
    OverlapSettings settings;
    settings.default_radius = 0.3;
    if (round % 2) settings.period = {8, 8};
    std::uint64_t pairs = 0, deep = 0;
    double deepest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const FrameView f = t.frame(k);
      for (std::size_t i = 0; i < f.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const double ri = f.facts(i).radius > 0 ? double{f.facts(i).radius} : 0.3,
                       rj = f.facts(j).radius > 0 ? double{f.facts(j).radius} : 0.3;
          const double depth = ri + rj - length(settings.period.shortest(f.position(i) - f.position(j)));
          if (f.layer[i] != f.layer[j] || depth <= 0) continue;
          ++pairs;
          deep += depth > 0.2 * (ri + rj);
          deepest = std::max(deepest, depth);
        }
      }
    }
    const OverlapSummary s = overlaps_of(t, settings);
    EXPECT_EQ(s.pairs, pairs);
    EXPECT_EQ(s.deep_pairs, deep);
    EXPECT_DOUBLE_EQ(s.deepest, deepest);
    EXPECT_EQ(s.frames, 3u);
  }
}

TEST(Overlaps, frames_with_nobody_do_not_count) {
  const Trajectory t = people(2, 4, 0.1, [](std::uint32_t, std::uint32_t k) -> std::optional<Vec2> {
    if (k % 2) return std::nullopt;
    return Vec2{0, 0};
  });
  EXPECT_EQ(overlaps_of(t).frames, 2u);
  EXPECT_DOUBLE_EQ(overlaps_of(t).per_1000, 500);
  EXPECT_DOUBLE_EQ(overlaps_of(Trajectory{}).per_1000, 0);
}

}  // namespace
}  // namespace throng
