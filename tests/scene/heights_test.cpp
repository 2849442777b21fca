// SPDX-License-Identifier: MIT
#include "scene/heights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.hpp"

namespace throng {
namespace {

struct Sparse {
  HeightGrid grid;
  std::map<std::pair<std::int32_t, std::int32_t>, float> at;  // row, column
};

/// A plane with holes, from row −7 on.
Sparse holey_plane(double slope_x, double slope_y) {
  Sparse s;
  s.grid.origin = {0.3, -0.7};
  s.grid.step = 0.25;
  s.grid.rise = 10;
  s.grid.first_row = -7;
  RandomStream random(4, 0, 1);
  for (std::int32_t row = -7; row < 13; ++row) {
    s.grid.row_start.push_back(static_cast<std::uint32_t>(s.grid.runs.size()));
    bool open = false;
    for (std::int32_t column = -5; column < 20; ++column) {
      if (random.unit() < 0.15 || row == 3) {
        open = false;
        continue;
      }
      if (!open) s.grid.runs.push_back({column, static_cast<std::uint32_t>(s.grid.heights.size())});
      open = true;
      const Vec2 p = s.grid.origin + s.grid.step * Vec2{static_cast<double>(column), static_cast<double>(row)};
      s.grid.heights.push_back(static_cast<float>(1 + slope_x * p.x + slope_y * p.y));
      s.at[{row, column}] = s.grid.heights.back();
    }
  }
  s.grid.row_start.push_back(static_cast<std::uint32_t>(s.grid.runs.size()));
  return s;
}

TEST(Heights, GridPointsAreFoundWhereTheyAreAndNowhereElse) {
  const Sparse s = holey_plane(0.5, -0.2);
  EXPECT_TRUE(is_consistent(s.grid));
  for (std::int32_t row = -12; row < 20; ++row)
    for (std::int32_t column = -12; column < 30; ++column) {
      const auto found = height_of(s.grid, column, row);
      const auto expected = s.at.find({row, column});
      ASSERT_EQ(found.has_value(), expected != s.at.end()) << row << ", " << column;
      if (found) EXPECT_EQ(*found, expected->second);
    }
}

TEST(Heights, BetweenFourPointsAPlaneIsExact) {
  const Sparse s = holey_plane(0.5, -0.2);
  RandomStream random(9, 0, 1);
  int whole = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec2 p{random.between(-2, 7), random.between(-4, 4)};
    const double u = (p.x - s.grid.origin.x) / s.grid.step, v = (p.y - s.grid.origin.y) / s.grid.step;
    const auto column = static_cast<std::int32_t>(std::floor(u)), row = static_cast<std::int32_t>(std::floor(v));
    int present = 0;
    for (int k = 0; k < 4; ++k) present += s.at.contains({row + k / 2, column + k % 2});
    const auto height = height_at(s.grid, p);
    if (present > 0) {
      ASSERT_TRUE(height);
      EXPECT_NEAR(*height, 1 + 0.5 * p.x - 0.2 * p.y, present == 4 ? 1e-5 : 0.2);
    }
    whole += present == 4;
  }
  EXPECT_GT(whole, 500);
  EXPECT_FALSE(height_at(s.grid, {100, 100}));
  EXPECT_FALSE(height_at(s.grid, {std::nan(""), 0}));
  EXPECT_FALSE(height_at({}, {0, 0}));
}

TEST(Heights, GroundBeyondALedgeHasNoSay) {
  HeightGrid grid;  // two points at 0, two at 2
  grid.step = 1;
  grid.rise = 0.3;
  grid.row_start = {0, 1};
  grid.runs = {{0, 0}};
  grid.heights = {0, 0, 2, 2};
  EXPECT_EQ(*height_at(grid, {1.4, 0}), 0);
  EXPECT_EQ(*height_at(grid, {1.6, 0}), 2);
  grid.rise = 3;
  EXPECT_NEAR(*height_at(grid, {1.5, 0}), 1, 1e-12);
}

TEST(Heights, ABrokenGridIsRecognised) {
  const HeightGrid good = holey_plane(0, 0).grid;
  const auto broken = [&](auto change) {
    HeightGrid grid = good;
    change(grid);
    return !is_consistent(grid);
  };
  EXPECT_TRUE(broken([](HeightGrid& g) { g.row_start.back() += 1; }));
  EXPECT_TRUE(broken([](HeightGrid& g) {
    g.row_start[2] = g.row_start[5];
    g.row_start[3] = g.row_start[1];
  }));
  EXPECT_TRUE(broken([](HeightGrid& g) { g.runs[3].first = g.runs[2].first; }));
  EXPECT_TRUE(broken([](HeightGrid& g) { g.runs[1].column = g.runs[0].column; }));
  EXPECT_TRUE(broken([](HeightGrid& g) { g.heights.pop_back(), g.heights.resize(g.runs.back().first); }));
  EXPECT_TRUE(broken([](HeightGrid& g) { g.heights[5] = std::nanf(""); }));
  EXPECT_TRUE(broken([](HeightGrid& g) { g.step = 0; }));
  EXPECT_TRUE(broken([](HeightGrid& g) { g.runs[0].first = 1; }));
  EXPECT_TRUE(is_consistent({}));
}

}  // namespace
}  // namespace throng
