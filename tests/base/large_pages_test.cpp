// SPDX-License-Identifier: MIT
// Tables in large pages are vectors like any other, on a page border of their own once they are large.
#include "base/large_pages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace throng {
namespace {

constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20;

TEST(LargePages, keep_what_is_in_them_when_they_grow_from_small_to_large) {
  LargeTable<std::uint32_t> table;
  for (std::uint32_t i = 0; i < 1'500'000; ++i) table.push_back(i);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(table.data()) % kPage, 0u);
  const LargeTable<std::uint32_t> copy = table;
  table.clear(), table.shrink_to_fit();
  EXPECT_EQ(std::accumulate(copy.begin(), copy.end(), std::uint64_t{0}), 1'500'000ull * 1'499'999 / 2);
}

TEST(LargePages, small_tables_take_no_page_of_their_own) {
  // Sixty-four of them on page borders would be 128 MB of addresses; here they lie close together.
  std::vector<LargeTable<std::uint64_t>> tables(64, LargeTable<std::uint64_t>(16));
  std::size_t on_border = 0;
  for (const auto& table : tables) on_border += reinterpret_cast<std::uintptr_t>(table.data()) % kPage == 0;
  EXPECT_LT(on_border, 4u);
}

struct alignas(64) Line {
  std::uint8_t byte[64];
};

TEST(LargePages, respect_what_alignment_their_elements_ask_for) {
  for (const std::size_t count : {1u, 3u, 100u, 40'000u}) {
    const LargeTable<Line> table(count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(table.data()) % 64, 0u) << count;
  }
}

}  // namespace
}  // namespace throng
