// SPDX-License-Identifier: MIT
#include "navigation/queries.hpp"

#include <gtest/gtest.h>

#include "navigation/locator.hpp"
#include "routing/test_oracle.hpp"

namespace throng {
namespace {

using namespace test_scenes;

TEST(RayCast, StopsAtTheFirstOfAllWalls) {
  std::mt19937 random(21);
  int hits = 0;
  for (int round = 0; round < 40; ++round) {
    const WallScene scene = random_hall(random, 20, 8, 0.3);
    const Cells cells = make_cells(scene, random, 0.8);
    std::uniform_real_distribution<> uniform(0, 20);
    for (int i = 0; i < 60; ++i) {
      const Vec2 a = to_metres(snap({uniform(random), uniform(random)})), b = to_metres(snap({uniform(random), uniform(random)}));
      const CellIndex cell = brute_cell_at(cells, a);
      if (cell == kNoCell || clearance(cells, a) < 1e-6) continue;
      double first = 1;
      bool blocked = false;
      for (const auto& [i0, i1] : wall_pairs_of(cells)) {
        const Vec2 c = cells.position(i0), d = cells.position(i1);
        if (!properly_cross(a, b, c, d)) continue;
        blocked = true;
        first = std::min(first, cross(c - a, d - c) / cross(b - a, d - c));
      }
      const RayHit hit = ray_cast(cells, a, cell, b);
      EXPECT_EQ(hit.hit, blocked);
      EXPECT_NEAR(hit.parameter, first, 1e-9);
      EXPECT_NEAR(distance(hit.place, a + first * (b - a)), 0, 1e-8);
      if (hit.hit) {
        EXPECT_EQ(cells.sides[hit.side].portal, kNoPortal);
      }
      hits += blocked;
    }
  }
  EXPECT_GT(hits, 200);
}

/// By all walls, without cells: how far it is from a place in a direction to the first wall; `reach` if there is none.
double brute_reach(const Cells& cells, Vec2 place, double angle, double reach) {
  const Vec2 to = place + Vec2{reach * std::cos(angle), reach * std::sin(angle)};
  double first = 1;
  for (const auto& [i0, i1] : wall_pairs_of(cells)) {
    const Vec2 c = cells.position(i0), d = cells.position(i1);
    if (properly_cross(place, to, c, d)) first = std::min(first, cross(c - place, d - c) / cross(to - place, d - c));
  }
  return first * reach;
}

TEST(Passage, IsAsShortAsTheShortestOfFourThousandDirections) {
  std::mt19937 random(23);
  int passages = 0;
  for (int round = 0; round < 12; ++round) {
    const Cells cells = make_cells(random_hall(random, 20, 8, 0.3), random, 0.8);
    std::uniform_real_distribution<> uniform(0, 20);
    for (int i = 0; i < 6; ++i) {
      const Vec2 place = to_metres(snap({uniform(random), uniform(random)}));
      const CellIndex cell = brute_cell_at(cells, place);
      if (cell == kNoCell || clearance(cells, place) < 0.01) continue;
      double least = 1e9;
      for (int k = 0; k < 4000; ++k) {
        const double angle = k * M_PI / 4000;
        least = std::min(least, brute_reach(cells, place, angle, 40) + brute_reach(cells, place, angle + M_PI, 40));
      }
      const Passage found = narrowest_passage(cells, place, cell, 40);
      EXPECT_TRUE(found.is_between_walls);
      EXPECT_LE(distance(found.from, found.to), least + 0.005) << place.x << ' ' << place.y;
      // Its ends are at walls, it leads through the place, and no wall crosses it.
      EXPECT_LT(clearance(cells, found.from), 1e-3);
      EXPECT_LT(clearance(cells, found.to), 1e-3);
      EXPECT_LT(distance_to_segment(place, found.from, found.to), 1e-3);
      EXPECT_NEAR(distance(found.from, found.to), distance(found.from, place) + distance(place, found.to), 1e-6);
      ++passages;
    }
  }
  EXPECT_GT(passages, 30);
}

TEST(Passage, OnOpenGroundThereIsNoneWithinReach) {
  std::mt19937 random(24);
  WallScene scene;
  scene.outer = {at(0, 0), at(100, 0), at(100, 8), at(0, 8)};
  const Cells cells = make_cells(scene, random);
  const Vec2 middle{50, 4};
  EXPECT_FALSE(narrowest_passage(cells, middle, brute_cell_at(cells, middle), 3).is_between_walls);
  const Passage across = narrowest_passage(cells, middle, brute_cell_at(cells, middle), 5);
  EXPECT_TRUE(across.is_between_walls);
  EXPECT_NEAR(distance(across.from, across.to), 8, 1e-3);
}

TEST(RayCast, BetweenCornersAgreesWithExactVisibilityFromBothEnds) {
  std::mt19937 random(22);
  int visible = 0, hidden = 0;
  for (int round = 0; round < 12; ++round) {
    // Separate convex obstacles, their corners on a coarse lattice: many rays through corners and along walls.
    WallScene scene;
    scene.outer = {at(0, 0), at(13, 0), at(13, 13), at(0, 13)};
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x)
        if (std::uniform_int_distribution<>(0, 2)(random)) {
          const int w = std::uniform_int_distribution<>(1, 3)(random), h = std::uniform_int_distribution<>(1, 3)(random);
          scene.obstacles.push_back({at(1 + 4 * x, 1 + 4 * y), at(1 + 4 * x + w, 1 + 4 * y), at(1 + 4 * x + w, 1 + 4 * y + h),
                                     at(1 + 4 * x, 1 + 4 * y + h)});
        }
    const Cells cells = make_cells(scene, random, 0.8);
    const Locator locator(cells);
    std::vector<Point> places;
    for (std::uint32_t v = 0; v < cells.vertices.size(); ++v) places.push_back(cells.vertices[v]);
    for (Point a : places)
      for (Point b : places) {
        if (a == b) continue;
        const bool expected = sees(cells, a, b);
        // A corner belongs to several cells; the ray may start in any of them.
        std::array<CellIndex, 32> start;
        const std::size_t count = locator.cells_at(to_metres(a), 0, start);
        bool found = false;
        for (std::size_t i = 0; i < count; ++i) found |= !ray_cast(cells, to_metres(a), start[i], to_metres(b)).hit;
        EXPECT_EQ(found, expected) << a.x / 1024.0 << ' ' << a.y / 1024.0 << " to " << b.x / 1024.0 << ' ' << b.y / 1024.0;
        ++(expected ? visible : hidden);
      }
  }
  EXPECT_GT(visible, 500);
  EXPECT_GT(hidden, 500);
}

TEST(RayCast, IsBlockedWhereTwoObstaclesMeetInACorner) {
  std::mt19937 random(23);
  WallScene scene;
  scene.outer = {at(0, 0), at(10, 0), at(10, 10), at(0, 10)};
  scene.obstacles = {{at(3, 3), at(5, 3), at(5, 5), at(3, 5)}, {at(5, 5), at(7, 5), at(7, 7), at(5, 7)}};
  const Cells cells = make_cells(scene, random);
  const auto cast = [&](Vec2 a, Vec2 b) { return ray_cast(cells, a, brute_cell_at(cells, a), b); };
  EXPECT_TRUE(cast({4, 6}, {6, 4}).hit);
  EXPECT_NEAR(cast({4, 6}, {6, 4}).parameter, 0.5, 1e-12);
  EXPECT_FALSE(cast({4, 2}, {9, 7}).hit);  // grazes nothing
  EXPECT_FALSE(cast({3, 9}, {3, 1}).hit);  // along a wall
  EXPECT_FALSE(cast({2, 4}, {4, 2}).hit);  // touches the corner (3, 3)
  EXPECT_TRUE(cast({5, 9}, {5, 1}).hit);   // along one wall and then along another, through the pinch between them
}

TEST(PlaceSampler, IsUniformByAreaAndStaysOnTheGround) {
  std::mt19937 random(24);
  const WallScene scene = random_hall(random, 10, 4, 0.3);
  const Cells cells = make_cells(scene, random);
  const PlaceSampler sampler(cells);
  std::vector<int> counts(cells.cell_count(), 0);
  std::vector<double> areas(cells.cell_count(), 0);
  for (CellIndex c = 0; c < cells.cell_count(); ++c)
    for (const CellTriangle& t : cells.triangles_of(c))
      areas[c] += 0.5 * cross(cells.position(t.vertex[1]) - cells.position(t.vertex[0]),
                              cells.position(t.vertex[2]) - cells.position(t.vertex[0]));
  std::uniform_real_distribution<> uniform(0, 1);
  constexpr int kDraws = 20000;
  Vec2 mean{0, 0};
  for (int i = 0; i < kDraws; ++i) {
    const auto place = sampler.at(cells, uniform(random), uniform(random));
    ASSERT_NE(place.cell, kNoCell);
    EXPECT_GE(depth_in_cell(cells, place.cell, place.position), -1e-9);
    ++counts[place.cell];
    mean = mean + (1.0 / kDraws) * place.position;
  }
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    const double expected = kDraws * areas[c] / sampler.area();
    EXPECT_NEAR(counts[c], expected, 5 * std::sqrt(expected) + 5);
  }
  EXPECT_EQ(PlaceSampler(Cells{}).at(Cells{}, 0.5, 0.5).cell, kNoCell);
}

TEST(PlaceSampler, LeavesBlockedCellsOut) {
  std::mt19937 random(25);
  const Cells cells = make_cells(random_hall(random, 10, 4, 0.3), random);
  std::vector<std::uint8_t> blocked(cells.cell_count(), 0);
  for (CellIndex c = 0; c < cells.cell_count(); c += 2) blocked[c] = 1;
  const PlaceSampler sampler(cells, blocked);
  std::uniform_real_distribution<> uniform(0, 1);
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(sampler.at(cells, uniform(random), uniform(random)).cell % 2, 1u);
}

}  // namespace
}  // namespace throng
