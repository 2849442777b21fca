// SPDX-License-Identifier: MIT
// The exact predicates against untranslated determinants in 128 bits, and their axioms, on near-degenerate input.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "geometry/point.hpp"

namespace throng {
namespace {

__extension__ using Wide = __int128;

int sign(Wide value) { return (value > 0) - (value < 0); }

/// |1 x y| rows a, b, c, expanded without translating to c.
int orient_oracle(Point a, Point b, Point c) {
  return sign(Wide{a.x} * (Wide{b.y} - c.y) + Wide{b.x} * (Wide{c.y} - a.y) + Wide{c.x} * (Wide{a.y} - b.y));
}

/// |x y x²+y² 1| rows a, b, c, d, by cofactors of the last column, without translating to d.
int in_circle_oracle(Point a, Point b, Point c, Point d) {
  const auto minor = [](Point p, Point q, Point r) {
    const auto lift = [](Point s) { return Wide{s.x} * s.x + Wide{s.y} * s.y; };
    return Wide{p.x} * (q.y * lift(r) - r.y * lift(q)) - Wide{p.y} * (q.x * lift(r) - r.x * lift(q)) +
           lift(p) * (Wide{q.x} * r.y - Wide{r.x} * q.y);
  };
  return sign(-minor(b, c, d) + minor(a, c, d) - minor(a, b, d) + minor(a, b, c));
}

void expect_orient(Point a, Point b, Point c) {
  const int expected = orient_oracle(a, b, c);
  ASSERT_EQ(sign(orient(a, b, c)), expected) << a.x << ' ' << a.y << ' ' << b.x << ' ' << b.y << ' ' << c.x << ' ' << c.y;
  ASSERT_EQ(orient(b, c, a), orient(a, b, c));
  ASSERT_EQ(orient(c, a, b), orient(a, b, c));
  ASSERT_EQ(orient(b, a, c), -orient(a, b, c));
}

void expect_in_circle(Point a, Point b, Point c, Point d) {
  const int expected = in_circle_oracle(a, b, c, d);
  ASSERT_EQ(in_circle(a, b, c, d), expected);
  ASSERT_EQ(in_circle(b, c, a, d), expected);
  ASSERT_EQ(in_circle(b, a, c, d), -expected);
  // For a counter-clockwise quadrilateral the two triangles of either diagonal agree: rows may be exchanged.
  ASSERT_EQ(in_circle(a, b, d, c), -expected);
}

constexpr std::int32_t kFar = kCoordinateLimit - 1;

TEST(Predicates, OrientIsExactOnLatticesAroundALine) {
  const std::array<std::pair<Point, Point>, 4> lines{
      {{{-kFar, -kFar}, {kFar, kFar - 1}}, {{-kFar, 5}, {kFar, 6}}, {{0, 0}, {3, 7}}, {{-kFar, kFar}, {kFar, -kFar}}}};
  for (const auto& [a, b] : lines) {
    const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    for (int dy = -128; dy < 128; ++dy) {
      for (int dx = -128; dx < 128; ++dx) expect_orient(a, b, {middle.x + dx, middle.y + dy});
    }
  }
}

TEST(Predicates, OrientIsZeroExactlyForCollinearPoints) {
  std::mt19937 random(1);
  std::uniform_int_distribution<std::int32_t> step(-1000, 1000), factor(-1000, 1000);
  for (int i = 0; i < 100000; ++i) {
    const Point a{step(random), step(random)};
    const std::int32_t dx = step(random), dy = step(random), f = factor(random), g = factor(random);
    const Point b{a.x + f * dx, a.y + f * dy}, c{a.x + g * dx, a.y + g * dy};
    ASSERT_EQ(orient(a, b, c), 0);
    if (f != 0 && (dx != 0 || dy != 0)) {
      // The neighbour across the longer extent of the line is off it.
      const Point off = std::abs(dx) >= std::abs(dy) ? Point{c.x, c.y + 1} : Point{c.x + 1, c.y};
      ASSERT_NE(orient(a, b, off), 0);
    }
  }
}

TEST(Predicates, InCircleIsExactOnLatticesAroundACircle) {
  // 3-4-5 and 5-12-13 points on one circle, at three scales, the largest filling the grid.
  for (const std::int32_t scale : {1, 1000, kFar / 65}) {
    const Point a{65 * scale, 0}, b{0, 65 * scale}, c{-39 * scale, -52 * scale};
    for (const Point on : {Point{60, 25}, {-60, 25}, {25, -60}, {33, 56}, {-63, 16}, {-65, 0}, {0, -65}}) {
      const Point d{on.x * scale, on.y * scale};
      ASSERT_EQ(in_circle(a, b, c, d), 0);
      for (int dy = -32; dy < 32; ++dy) {
        for (int dx = -32; dx < 32; ++dx) {
          const Point p{std::clamp(d.x + dx, -kFar, kFar), std::clamp(d.y + dy, -kFar, kFar)};
          expect_in_circle(a, b, c, p);
        }
      }
    }
  }
}

TEST(Predicates, InCircleAgreesWithTheOracleOnRandomAndExtremePoints) {
  std::mt19937 random(2);
  for (int i = 0; i < 300000; ++i) {
    const std::int32_t range = i % 3 == 0 ? 4 : i % 3 == 1 ? 1000 : kFar;
    std::uniform_int_distribution<std::int32_t> coordinate(-range, range);
    const auto point = [&] { return Point{coordinate(random), coordinate(random)}; };
    expect_in_circle(point(), point(), point(), point());
  }
  for (int bits = 0; bits < 256; ++bits) {
    const auto corner = [&](int i) { return Point{bits >> (2 * i) & 1 ? kFar : -kFar, bits >> (2 * i + 1) & 1 ? kFar : -kFar}; };
    expect_in_circle(corner(0), corner(1), corner(2), corner(3));
    expect_orient(corner(0), corner(1), corner(2));
  }
}

TEST(Predicates, SnapRoundsToTheNearestUnitAndRefusesWhatDoesNotFit) {
  EXPECT_EQ(snap({1.0, -1.0}), (Point{1024, -1024}));
  EXPECT_EQ(snap({0.4 * kUnit, -0.6 * kUnit}), (Point{0, -1}));
  EXPECT_EQ(to_metres(snap({12.5, -3.25})), (Vec2{12.5, -3.25}));
  EXPECT_TRUE(fits_grid({16383.0, -16383.0}));
  EXPECT_FALSE(fits_grid({16384.0, 0}));
  EXPECT_FALSE(fits_grid({0, std::nan("")}));
}

}  // namespace
}  // namespace throng
