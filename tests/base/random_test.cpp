// SPDX-License-Identifier: MIT
#include "base/random.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace throng {
namespace {

using Block = std::array<std::uint32_t, 4>;

TEST(Random, PhiloxGivesTheKnownAnswersOfRandom123) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}), (Block{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
  EXPECT_EQ(philox({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u}),
            (Block{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(Random, EveryArgumentChangesTheNumber) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed : {1ull, 2ull, 1ull << 40})
    for (std::uint32_t agent = 0; agent < 4; ++agent)
      for (std::uint64_t step : {0ull, 1ull, 1ull << 35})
        for (std::uint32_t purpose = 0; purpose < 4; ++purpose) seen.insert(random_bits(seed, agent, step, purpose));
  EXPECT_EQ(seen.size(), 3u * 4 * 3 * 4);
}

TEST(Random, UnitNumbersStayBelowOneAndFillTheirTenthsEvenly) {
  EXPECT_EQ(unit_from_bits(0), 0.0);
  EXPECT_LT(unit_from_bits(~0ull), 1.0);
  RandomStream random(7, 0, 0);
  std::vector<int> count(10);
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) ++count[static_cast<int>(random.unit() * 10)];
  double chi_squared = 0;
  for (const int c : count) chi_squared += (c - kDraws / 10.0) * (c - kDraws / 10.0) / (kDraws / 10.0);
  EXPECT_LT(chi_squared, 27.9) << "nine degrees of freedom: one seed in a thousand exceeds this";
}

TEST(Random, IntegersReachBothEndsAndNeverLeaveThem) {
  RandomStream random(3, 1, 2);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.integer(-2, 3));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2, 3}));
  EXPECT_EQ(random.integer(5, 5), 5);
  (void)random.integer(INT64_MIN, INT64_MAX);  // the full range must not divide by a span of zero
}

}  // namespace
}  // namespace throng
