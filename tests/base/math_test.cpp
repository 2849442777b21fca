// SPDX-License-Identifier: MIT
#include "base/math.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace throng {
namespace {

constexpr int kSamples = 100'000;

TEST(Math, the_exponential_is_that_of_libm) {
  RandomStream random(1, 0, 0);
  for (int i = 0; i < kSamples; ++i) {
    const double x = i % 2 == 0 ? random.between(-2, 2) : random.between(-700, 700);
    ASSERT_NEAR(exponential(x) / std::exp(x), 1, 1e-12) << x;
  }
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(-1000), 0);
  EXPECT_EQ(exponential(1000), INFINITY);
  EXPECT_NEAR(exponential(709) / std::exp(709.0), 1, 1e-12);
  EXPECT_TRUE(std::isnan(exponential(NAN)));
}

TEST(Math, the_logarithm_is_that_of_libm) {
  RandomStream random(2, 0, 0);
  for (int i = 0; i < kSamples; ++i) {
    const double x = i % 2 == 0 ? random.between(0, 4) : std::exp(random.between(-700, 700));
    ASSERT_NEAR(logarithm(x), std::log(x), 1e-14 + 1e-14 * std::abs(std::log(x))) << x;
  }
  EXPECT_EQ(logarithm(1), 0);
  EXPECT_EQ(logarithm(0), -INFINITY);
  EXPECT_NEAR(logarithm(1 - 0x1p-53), std::log1p(-0x1p-53), 1e-30);
}

TEST(Math, sine_and_cosine_are_those_of_libm) {
  RandomStream random(3, 0, 0);
  for (int i = 0; i < kSamples; ++i) {
    const double x = i % 2 == 0 ? random.between(-7, 7) : random.between(-1e5, 1e5);
    const auto [sine, cosine] = sine_cosine(x);
    ASSERT_NEAR(sine, std::sin(x), 1e-14) << x;
    ASSERT_NEAR(cosine, std::cos(x), 1e-14) << x;
  }
}

TEST(Math, the_normal_share_is_that_of_erfc) {
  for (double x = -37; x <= 37; x += 0.013) {
    ASSERT_NEAR(normal_share(x), 0.5 * std::erfc(-x / std::sqrt(2.0)), 1e-14) << x;
    if (x < -4) {
      ASSERT_NEAR(normal_share(x) / (0.5 * std::erfc(-x / std::sqrt(2.0))), 1, 1e-10) << x;
    }
  }
}

TEST(Math, the_normal_quantile_inverts_the_share) {
  RandomStream random(4, 0, 0);
  for (int i = 0; i < 10'000; ++i) {
    const double share = random.between(1e-6, 1 - 1e-6);
    ASSERT_NEAR(0.5 * std::erfc(-normal_quantile(share) / std::sqrt(2.0)), share, 1e-12);
  }
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-13);
  EXPECT_NEAR(normal_quantile(1e-300), -37.0471, 1e-3);
}

}  // namespace
}  // namespace throng
