// SPDX-License-Identifier: MIT
// The rules by which a group keeps together, one by one.
#include "groups/rules.hpp"

#include <gtest/gtest.h>

#include <array>

namespace throng {
namespace {

using namespace group_rules;

TEST(Pace, goes_up_behind_down_ahead_and_back_to_the_common_one_abreast) {
  EXPECT_NEAR(adapted_pace(1, 0.6f, 1, 0.1f), 1.01, 1e-6) << "a tenth of the preferred speed per second";
  EXPECT_NEAR(adapted_pace(1, -0.6f, 1, 0.1f), 0.99, 1e-6);
  EXPECT_NEAR(adapted_pace(1, 0.4f, 1, 0.1f), 1, 1e-6) << "within half a metre nobody changes";
  EXPECT_NEAR(adapted_pace(1.2f, 0.4f, 1, 0.1f), 1.19, 1e-6);
  EXPECT_NEAR(adapted_pace(0.9f, 0, 0.9f, 0.1f), 0.9, 1e-6);
}

TEST(Pace, stays_between_seven_and_thirteen_tenths) {
  float hurries = 1, dawdles = 1;
  for (int i = 0; i < 100; ++i) hurries = adapted_pace(hurries, 3, 1, 0.1f), dawdles = adapted_pace(dawdles, -3, 1, 0.1f);
  EXPECT_NEAR(hurries, 1.3, 1e-6);
  EXPECT_NEAR(dawdles, 0.7, 1e-6);
  EXPECT_NEAR(common_pace(1.2f, 1.5f), 0.8, 1e-6);
  EXPECT_NEAR(common_pace(2.0f, 1.0f), 1.3, 1e-6);
}

TEST(Places, keep_the_side_that_everybody_is_on) {
  std::array<std::int8_t, 4> beside{};
  line_up(std::array{0.0f, 1.5f, -0.7f, 0.6f}, 0, beside);
  EXPECT_EQ(beside, (std::array<std::int8_t, 4>{0, 2, -1, 1}));
  // The leader turns round: what was left is right, and nobody has to move.
  line_up(std::array{0.0f, -1.6f, 0.8f, -0.8f}, 0, beside);
  EXPECT_EQ(beside, (std::array<std::int8_t, 4>{0, -2, 1, -1}));
}

TEST(Places, are_kept_by_who_is_only_just_on_the_other_side) {
  std::array<std::int8_t, 2> beside{};
  line_up(std::array{0.0f, 0.8f}, 0, beside);
  EXPECT_EQ(beside[1], 1);
  line_up(std::array{0.0f, -0.1f}, 0, beside);
  EXPECT_EQ(beside[1], 1);
  line_up(std::array{0.0f, -0.4f}, 0, beside);
  EXPECT_EQ(beside[1], -1);
}

TEST(Places, of_a_large_group_are_in_ranks_and_all_different) {
  for (std::uint32_t members = 2; members <= 12; ++members) {
    std::array<float, 12> across{};
    for (std::uint32_t k = 0; k < members; ++k) across[k] = k == 0 ? 0 : 0.3f * static_cast<float>((k * 7) % 5) - 0.7f;
    std::array<std::int8_t, 12> beside{};
    line_up({across.data(), members}, 0, {beside.data(), members});
    EXPECT_EQ(beside[0], 0);
    for (std::uint32_t a = 0; a < members; ++a) {
      EXPECT_LE(std::abs(beside[a]), 4);
      for (std::uint32_t b = 0; b < a; ++b)
        EXPECT_TRUE(beside[a] != beside[b] || rank_behind(a, 0, members) != rank_behind(b, 0, members)) << members;
    }
    EXPECT_EQ(rank_behind(members - 1, 0, members), members <= 5 ? 0 : static_cast<float>((members - 1) / 4)) << members;
  }
}

}  // namespace
}  // namespace throng
