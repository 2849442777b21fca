// SPDX-License-Identifier: MIT
#include "geometry/angle.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace throng {
namespace {

TEST(Angle, AgreesWithTheArcTangentOfTheLibrary) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<> uniform(-1, 1);
  double worst = 0;
  for (int i = 0; i < 1000000; ++i) {
    // Small angles, near the axes and the diagonals too: one of the two shrinks by up to 12 digits.
    const double shrink = i % 2 ? 1 : std::pow(10, 12 * uniform(random) - 12);
    double s = uniform(random), c = uniform(random);
    (i % 4 ? s : c) *= shrink;
    const long double exact = std::atan2(static_cast<long double>(s), static_cast<long double>(c));
    worst = std::max(worst, static_cast<double>(std::abs((angle_of(s, c) - exact) / exact)));
  }
  EXPECT_LT(worst, 2 * std::numeric_limits<double>::epsilon());
}

TEST(Angle, IsExactOnTheAxesAndZeroForNoDirection) {
  EXPECT_EQ(angle_of(0, 0), 0);
  EXPECT_EQ(angle_of(0, 5), 0);
  EXPECT_EQ(angle_of(3, 0), kPi / 2);
  EXPECT_EQ(angle_of(-3, 0), -kPi / 2);
  EXPECT_EQ(angle_of(0, -2), kPi);
  EXPECT_EQ(angle_of(2, 2), kPi / 4);
}

TEST(Angle, DoesNotDependOnLength) {
  EXPECT_NEAR(angle_of(3e-200, 4e-200), angle_of(3, 4), 1e-15);
  EXPECT_NEAR(angle_of(3e200, 4e200), angle_of(3, 4), 1e-15);
}

}  // namespace
}  // namespace throng
