// SPDX-License-Identifier: MIT
#include "scene/least_cut.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "base/random.hpp"

namespace throng {
namespace {

TEST(LeastCut, IsTheLeastOfAllCutsAndHasTheFewestNodes) {
  constexpr std::uint32_t kNodes = 9;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed, 0, 1);
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>> edges;
    LeastCut cut(kNodes);
    for (std::uint32_t a = 0; a < kNodes; ++a)
      for (std::uint32_t b = a + 1; b < kNodes; ++b)
        if (random.unit() < 0.4) {
          edges.push_back({a, b, static_cast<std::int64_t>(random.integer(1, 5))});
          cut.join(a, b, std::get<2>(edges.back()));
        }
    cut.fix_to_source(0);
    cut.fix_to_source(3);
    cut.fix_to_sink(8);
    std::int64_t least = 1 << 30;
    int fewest = 0;
    for (std::uint32_t set = 0; set < 1u << kNodes; ++set) {
      if (!(set & 1) || !(set >> 3 & 1) || set >> 8 & 1) continue;
      std::int64_t width = 0;
      for (const auto& [a, b, w] : edges)
        if ((set >> a & 1) != (set >> b & 1)) width += w;
      const int size = __builtin_popcount(set);
      if (width < least || (width == least && size < fewest)) least = width, fewest = size;
    }
    const std::vector<bool> side = cut.source_side();
    EXPECT_TRUE(side[0] && side[3] && !side[8]);
    std::int64_t width = 0;
    for (const auto& [a, b, w] : edges)
      if (side[a] != side[b]) width += w;
    EXPECT_EQ(width, least) << seed;
    EXPECT_EQ(std::count(side.begin(), side.end(), true), fewest) << seed;
  }
}

}  // namespace
}  // namespace throng
