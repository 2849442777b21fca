// SPDX-License-Identifier: MIT
#include "routing/disc_clearance.hpp"

#include <gtest/gtest.h>

#include "routing/least_length.hpp"
#include "routing/test_cells.hpp"

namespace throng {
namespace {

using namespace test_scenes;

using Walls = std::vector<std::array<std::uint32_t, 2>>;

double distance_to_walls(const Cells& cells, const Walls& walls, Vec2 a, Vec2 b) {
  double best = 1e30;
  for (const auto& [i, j] : walls) best = std::min(best, distance_of_segments(a, b, cells.position(i), cells.position(j)));
  return best;
}

TEST(DiscClearance, OfALegIsItsDistanceFromAllWalls) {
  std::mt19937 random(51);
  int free = 0, blocked = 0;
  for (int round = 0; round < 60; ++round) {
    const Cells cells = make_cells(random_hall(random, 12, 7, 0.1), random, round % 3 ? 0.95 : 0.3);
    const Walls walls = wall_pairs_of(cells);
    ClearanceScratch scratch;
    for (int i = 0; i < 60; ++i) {
      const double radius = std::uniform_real_distribution<>(0.05, 0.8)(random);
      std::uniform_real_distribution<> uniform(0, 12);
      const Vec2 a = {uniform(random), uniform(random)}, b = {uniform(random), uniform(random)};
      const CellIndex at = brute_cell_at(cells, b);
      const double apart = distance_to_walls(cells, walls, a, b);
      if (at == kNoCell || std::abs(apart - radius) < 1e-5) continue;
      DiscClearance clearance(cells, radius, {}, scratch);
      ASSERT_EQ(clearance.leg_is_free({a, b}, at), apart > radius) << "round " << round << " leg " << i;
      ++(apart > radius ? free : blocked);
    }
  }
  EXPECT_GT(free, 200);
  EXPECT_GT(blocked, 200);
}

TEST(DiscClearance, OfAnArcIsTheDistanceOfItsPlacesFromAllWalls) {
  std::mt19937 random(52);
  int free = 0, blocked = 0;
  for (int round = 0; round < 25; ++round) {
    const Cells cells = make_cells(random_hall(random, 8, 9, 0.1), random, round % 3 ? 0.95 : 0.3);
    const Walls walls = wall_pairs_of(cells);
    ClearanceScratch scratch;
    for (CellIndex c = 0; c < cells.cell_count(); ++c)
      for (std::uint32_t k = 0; k < cells.sides_of(c).size(); ++k) {
        const CornerInCell corner = {c, k};
        const BendSector sector = sector_round(cells, corner, {}, [](CornerInCell) {});
        if (!sector.bends) continue;
        const double radius = std::uniform_real_distribution<>(0.05, 0.6)(random);
        // Between the two directions in which the disc touches the walls of the corner.
        const Vec2 m = left(sector.wall[0]), n = -1.0 * left(sector.wall[1]);
        const Vec2 centre = cells.position(cells.sides_of(c)[k].vertex);
        const double first = std::atan2(m.y, m.x), turn = std::atan2(cross(m, n), dot(m, n));
        // The discs at the ends belong to the legs before and behind.
        const auto room_at = [&](double angle) {
          const Vec2 place = centre + radius * Vec2{std::cos(angle), std::sin(angle)};
          return distance_to_walls(cells, walls, place, place);
        };
        if (turn < 0.1 || std::min(room_at(first), room_at(first + turn)) < radius - 1e-9) continue;
        double apart = 1e30;
        for (int s = 1; s < 500; ++s) apart = std::min(apart, room_at(first + turn * s / 500));
        DiscClearance clearance(cells, radius, {}, scratch);
        const bool is_free = clearance.arc_is_free(corner, m, n, true);
        if (std::abs(apart - radius) > 1e-5 || is_free) {
          ASSERT_EQ(is_free, apart > radius - 1e-5) << "round " << round << " cell " << c << " corner " << k;
        }
        if (clearance.has_room_round(corner)) {
          ASSERT_TRUE(is_free);
        }
        ++(is_free ? free : blocked);
      }
  }
  EXPECT_GT(free, 100);
  EXPECT_GT(blocked, 40);
}

TEST(LeastLength, IsNeverMoreThanAWayThatComesNearTheSegment) {
  std::mt19937 random(53);
  std::uniform_real_distribution<> uniform(-5, 5);
  double closest = 1e30;
  for (int round = 0; round < 20000; ++round) {
    const auto place = [&] { return Vec2{uniform(random), uniform(random)}; };
    const Vec2 from = place(), to = place(), low = place(), high = place();
    const double radius = round % 2 ? std::uniform_real_distribution<>(0, 2)(random) : 0;
    const double bound = least_length(from, low, high, to, radius);
    for (int i = 0; i < 20; ++i) {
      const double t = std::uniform_real_distribution<>(0, 1)(random), angle = uniform(random);
      const Vec2 near = low + t * (high - low) + radius * Vec2{std::cos(angle), std::sin(angle)};
      const double way = distance(from, near) + distance(near, to);
      ASSERT_LE(bound, way + 1e-12);
      closest = std::min(closest, way - bound);
    }
  }
  EXPECT_LT(closest, 1e-3);
}

}  // namespace
}  // namespace throng
