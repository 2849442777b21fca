// SPDX-License-Identifier: MIT
#include "navigation/locator.hpp"

#include <gtest/gtest.h>

#include "routing/test_oracle.hpp"

namespace throng {
namespace {

using namespace test_scenes;

Vec2 anywhere(std::mt19937& random, double low, double high) {
  std::uniform_real_distribution<> uniform(low, high);
  return {uniform(random), uniform(random)};
}

TEST(Locator, FindsTheSameCellAsAllCellsTried) {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    const Cells cells = make_cells(random_hall(random, 20, 8, 0.3), random, 0.7);
    const Locator locator(cells);
    for (int i = 0; i < 300; ++i) {
      const Vec2 p = to_metres(snap(anywhere(random, -1, 21)));
      const CellIndex expected = brute_cell_at(cells, p), found = locator.cell_at(p);
      if (expected != kNoCell || found == kNoCell) {
        EXPECT_EQ(found, expected);
      } else {
        EXPECT_GT(depth_in_cell(cells, found, p), -2 * kUnit);
      }
    }
  }
}

TEST(Locator, GivesCornersAndBordersToTheSmallestCell) {
  std::mt19937 random(4);
  const Cells cells = make_cells(random_board(random, 5, 1, 0.3, true), random, 0.5);
  const Locator locator(cells);
  for (std::uint32_t v = 0; v < cells.vertices.size(); ++v) {
    const Vec2 p = cells.position(v);
    EXPECT_EQ(locator.cell_at(p), brute_cell_at(cells, p));
    std::array<CellIndex, 32> found;
    const std::size_t count = locator.cells_at(p, 0, found);
    std::vector<CellIndex> expected;
    for (CellIndex c = 0; c < cells.cell_count(); ++c)
      if (depth_in_cell(cells, c, p) >= 0) expected.push_back(c);
    EXPECT_EQ(std::vector<CellIndex>(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count)), expected);
  }
}

TEST(Locator, KnowsNothingOfOtherLayersAndFarPlaces) {
  std::mt19937 random(5);
  Cells cells = make_cells(random_hall(random, 10, 3, 0.3), random);
  for (auto& layer : cells.layer) layer = 1;
  const Locator locator(cells);
  EXPECT_EQ(locator.cell_at({0.01, 0.01}, 0), kNoCell);
  EXPECT_NE(locator.cell_at({0.01, 0.01}, 1), kNoCell);
  EXPECT_EQ(locator.cell_at({0.01, 0.01}, 2), kNoCell);
  EXPECT_EQ(locator.cell_at({1e9, -1e9}, 1), kNoCell);
  EXPECT_EQ(locator.cell_at({NAN, 0}, 1), kNoCell);
  EXPECT_EQ(Locator(Cells{}).cell_at({0, 0}, 0), kNoCell);
}

TEST(Locator, MeasuresClearanceAsAllWallsTried) {
  std::mt19937 random(6);
  for (int round = 0; round < 20; ++round) {
    const Cells cells = make_cells(random_hall(random, 20, 8, 0.3), random);
    const Locator locator(cells);
    for (int i = 0; i < 100; ++i) {
      const Vec2 p = anywhere(random, -2, 22);
      const double exact = clearance(cells, p);
      EXPECT_NEAR(locator.clearance(p, 0, 1e3), exact, 1e-9);
      EXPECT_NEAR(locator.clearance(p, 0, 0.5), std::min(exact, 0.5), 1e-9);
    }
  }
}

TEST(Locator, NamesTheNearestPlaceWhereADiscFits) {
  std::mt19937 random(7);
  for (int round = 0; round < 12; ++round) {
    const WallScene scene = random_hall(random, 12, 6, 0.3);
    const Cells cells = make_cells(scene, random);
    const Locator locator(cells);
    for (int i = 0; i < 10; ++i) {
      const Vec2 p = anywhere(random, -2, 14);
      const double radius = i % 3 == 0 ? 0 : std::uniform_real_distribution<>(0.05, 0.8)(random);
      const auto found = locator.nearest_walkable(p, 0, radius);
      ASSERT_TRUE(found);
      EXPECT_GE(clearance(cells, *found), radius - 2e-6);
      EXPECT_NE(locator.cell_at(*found), kNoCell);
      // No free place of a fine lattice is nearer.
      double best = kNever;
      for (double x = 0; x <= 12; x += 0.06)
        for (double y = 0; y <= 12; y += 0.06)
          if (distance({x, y}, p) < best && brute_cell_at(cells, {x, y}) != kNoCell && clearance(cells, {x, y}) >= radius)
            best = distance({x, y}, p);
      EXPECT_LE(distance(*found, p), best + 1e-6) << "round " << round << " query " << i << " radius " << radius;
    }
  }
}

TEST(Locator, SaysWhereNoRoomIs) {
  std::mt19937 random(8);
  const Cells cells = make_cells({{at(0, 0), at(2, 0), at(2, 2), at(0, 2)}, {}, {}}, random);
  const Locator locator(cells);
  EXPECT_FALSE(locator.nearest_walkable({1, 1}, 0, 1.5));
  EXPECT_TRUE(locator.nearest_walkable({50, 70}, 0, 0.9));
}

TEST(Locator, FindsTheTriangleOfACell) {
  std::mt19937 random(9);
  const Cells cells = make_cells(random_hall(random, 20, 8, 0.3), random, 1.0);
  for (int i = 0; i < 500; ++i) {
    const Vec2 p = to_metres(snap(anywhere(random, 0, 20)));
    const CellIndex c = brute_cell_at(cells, p);
    if (c == kNoCell) continue;
    const std::uint32_t t = triangle_in_cell(cells, c, p);
    ASSERT_GE(t, cells.triangle_start[c]);
    ASSERT_LT(t, cells.triangle_start[c + 1]);
    for (int k = 0; k < 3; ++k)
      EXPECT_GE(
          orient(cells.vertices[cells.triangles[t].vertex[k]], cells.vertices[cells.triangles[t].vertex[(k + 1) % 3]], snap(p)),
          0);
  }
}

}  // namespace
}  // namespace throng
