// SPDX-License-Identifier: MIT
#include "base/hash.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace throng {
namespace {

std::string random_text(std::mt19937_64& random, std::size_t size) {
  std::string text(size, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

// Published values of XXH64 with seed 0: one each for no input, a tail of bytes, of words, and full blocks with a tail.
TEST(Hash, EqualsThePublishedVectorsOfXxh64) {
  EXPECT_EQ(hash_of(""), 0xef46db3751d8e999u);
  EXPECT_EQ(hash_of("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(hash_of("abc"), 0x44bc2cf5ad770999u);
  EXPECT_EQ(hash_of("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1u);
}

TEST(Hash, DoesNotDependOnHowTheBytesAreCut) {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::string text = random_text(random, random() % 200);
    Hash pieces;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = std::min<std::size_t>(random() % 70, text.size() - at);
      pieces.add(std::string_view(text).substr(at, size));
      at += size;
    }
    ASSERT_EQ(pieces.value(), hash_of(text)) << text.size();
  }
}

TEST(Hash, MayBeReadInTheMiddle) {
  Hash hash;
  hash.add("rush");
  EXPECT_EQ(hash.value(), hash_of("rush"));
  hash.add(" hour");
  EXPECT_EQ(hash.value(), hash_of("rush hour"));
}

TEST(Hash, ReadsNumbersLowestByteFirst) {
  EXPECT_EQ(Hash().add(std::uint32_t{0x64636261}).value(), hash_of("abcd"));
  EXPECT_EQ(Hash().add(std::int16_t{-2}).value(), hash_of("\xfe\xff"));
  EXPECT_EQ(Hash().add(1.0).value(), hash_of(std::string_view("\0\0\0\0\0\0\xf0\x3f", 8)));
  EXPECT_NE(Hash().add(0.0).value(), Hash().add(-0.0).value());
}

TEST(Hash, EveryInputBitFlipsAboutHalfOfTheOutput) {
  std::mt19937_64 random(2);
  for (const std::size_t size : {1u, 3u, 8u, 31u, 32u, 33u, 100u}) {
    std::string text = random_text(random, size);
    const std::uint64_t before = hash_of(text);
    double flipped = 0;
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
      const int n = std::popcount(before ^ hash_of(text));
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
      EXPECT_GE(n, 8) << "bit " << bit << " of " << size << " bytes";
      flipped += n;
    }
    EXPECT_NEAR(flipped / static_cast<double>(8 * size), 32, 6) << size;
  }
}

}  // namespace
}  // namespace throng
