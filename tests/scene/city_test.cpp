// SPDX-License-Identifier: MIT
#include "scene/city.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace throng {
namespace {

std::uint64_t hash(const Scene& scene) {
  std::uint64_t h = 14695981039346656037ull;
  for (const Polygon& p : scene.layers[0].obstacles)
    for (const Vec2 v : p.outer)
      for (const double c : {v.x, v.y}) h = (h ^ std::bit_cast<std::uint64_t>(c)) * 1099511628211ull;
  return h;
}

double area(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) twice += cross(ring[i], ring[(i + 1) % ring.size()]);
  return twice / 2;
}

double segment_distance(Vec2 p, Vec2 a, Vec2 b) {
  const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
  return distance(p, a + t * (b - a));
}

bool inside(Vec2 p, const Ring& ring) {
  bool in = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++)
    if ((ring[i].y > p.y) != (ring[j].y > p.y) &&
        p.x < ring[i].x + (p.y - ring[i].y) / (ring[j].y - ring[i].y) * (ring[j].x - ring[i].x))
      in = !in;
  return in;
}

bool cross_properly(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  return cross(b - a, c - a) * cross(b - a, d - a) < 0 && cross(d - c, a - c) * cross(d - c, b - c) < 0;
}

/// Brute force: the smallest distance of two outlines, 0 if they overlap.
double gap(const Ring& a, const Ring& b) {
  double least = 1e9;
  if (inside(a[0], b) || inside(b[0], a)) return 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      const Vec2 p = a[i], q = a[(i + 1) % a.size()], r = b[j], s = b[(j + 1) % b.size()];
      if (cross_properly(p, q, r, s)) return 0;
      least = std::min({least, segment_distance(p, r, s), segment_distance(r, p, q)});
    }
  return least;
}

struct Neighbours {
  std::size_t islands = 0;  ///< connected groups of touching footprints
  std::size_t narrow = 0;   ///< pairs closer than 0.6 m that do not touch
  double least_gap = 1e9;   ///< of pairs that do not touch
};

Neighbours look_at_neighbours(const std::vector<Polygon>& obstacles) {
  std::vector<std::size_t> leader(obstacles.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  Neighbours result{obstacles.size(), 0, 1e9};
  for (std::size_t i = 0; i < obstacles.size(); ++i)
    for (std::size_t j = i + 1; j < obstacles.size(); ++j) {
      if (distance(obstacles[i].outer[0], obstacles[j].outer[0]) > 75) continue;
      const double g = gap(obstacles[i].outer, obstacles[j].outer);
      if (g < 1e-9) {
        const std::size_t a = find(i), b = find(j);
        if (a != b) leader[a] = b, --result.islands;
      } else {
        result.least_gap = std::min(result.least_gap, g);
        result.narrow += g < 0.6;
      }
    }
  return result;
}

TEST(City, TheSameSeedGivesTheSameBitsAndAnotherSeedAnotherCity) {
  EXPECT_EQ(hash(make_city(300)), hash(make_city(300)));
  EXPECT_EQ(hash(make_city(300, 7)), hash(make_city(300, 7)));
  EXPECT_NE(hash(make_city(300)), hash(make_city(300, 7)));
}

TEST(City, EverySizeHasExactlyItsBuildingsCounterClockwiseInsideTheFrame) {
  for (const std::uint32_t n : {1u, 2u, 3u, 5u, 12u, 40u, 100u, 333u, 2600u, 10000u})
    for (const std::uint64_t seed : {1ull, 2ull}) {
      const Scene city = make_city(n, seed);
      const double side = 1300 * std::sqrt(n / 2600.0);
      ASSERT_EQ(city.layers.size(), 1u);
      ASSERT_EQ(city.layers[0].obstacles.size(), n);
      EXPECT_NEAR(area(city.layers[0].walkable.at(0).outer), side * side, 1e-6 * side * side);
      for (const Polygon& p : city.layers[0].obstacles) {
        EXPECT_GT(area(p.outer), 0.05);
        for (const Vec2 v : p.outer) {
          EXPECT_GT(std::min(v.x, v.y), 0.9);
          EXPECT_LT(std::max(v.x, v.y), side - 0.9);
        }
      }
    }
}

TEST(City, HasThePublishedShareOfIslandsAndSomePassagesNarrowerThanAPerson) {
  for (const std::uint64_t seed : {1ull, 5ull}) {
    const Scene city = make_city(2600, seed);
    const Neighbours n = look_at_neighbours(city.layers[0].obstacles);
    EXPECT_NEAR(static_cast<double>(n.islands), 2275, 80) << "Lamarche & Donikian's city has 2275";
    EXPECT_GT(n.narrow, 30u);
    EXPECT_GT(n.least_gap, 0.25) << "houses of different rows stay apart";
  }
}

TEST(City, MostBuildingsAreRotatedAndSomeAreNotConvex) {
  const Scene city = make_city(2600);
  int rotated = 0, with_notch = 0;
  double built = 0;
  for (const Polygon& p : city.layers[0].obstacles) {
    const Vec2 side = p.outer[1] - p.outer[0];
    rotated += std::min(std::abs(side.x), std::abs(side.y)) > 0.02 * length(side);
    with_notch += p.outer.size() > 4;
    built += area(p.outer);
  }
  EXPECT_GT(rotated, 2600 * 0.8);
  EXPECT_GT(with_notch, 100);
  EXPECT_GT(built / (1300.0 * 1300.0), 0.2);
  EXPECT_LT(built / (1300.0 * 1300.0), 0.65);
}

}  // namespace
}  // namespace throng
