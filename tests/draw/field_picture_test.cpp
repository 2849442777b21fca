// SPDX-License-Identifier: MIT
#include "draw/field_picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace throng {
namespace {

/// Keeps what is drawn.
struct Kept : DrawStream {
  void begin_layer(std::string_view name) override { layers.emplace_back(name); }
  void polyline(std::span<const Vec2> points, Pen) override { lines.emplace_back(points.begin(), points.end()); }
  void polygon(std::span<const std::span<const Vec2>> rings, Color fill) override {
    squares.emplace_back(rings[0].begin(), rings[0].end());
    fills.push_back(fill);
  }
  void disc(Vec2, double, Color) override {}
  void text(Vec2, std::string_view, double, Color) override {}

  std::vector<std::string> layers;
  std::vector<std::vector<Vec2>> lines, squares;
  std::vector<Color> fills;
};

/// Ten tiles in a row that lead west, the goal at their west end, one more on another layer and one that knows no way.
std::vector<FieldTile> row_of_tiles() {
  std::vector<FieldTile> tiles;
  for (int i = 0; i < 10; ++i)
    tiles.push_back({{0.25 + 0.5 * i, 0.25}, 0, static_cast<float>(i), i < 3 ? 2.0f : 0.0f, {i == 0 ? 0.0 : -1.0, 0}});
  tiles.push_back({{0.25, 0.25}, 1, 3, 1, {0, 1}});
  tiles.push_back({{5.25, 0.25}, 0, std::numeric_limits<float>::infinity(), 0, {}});
  return tiles;
}

double brightness(Color c) { return 0.3 * c.r + 0.6 * c.g + 0.1 * c.b; }

TEST(FieldPicture, tiles_of_one_layer_are_brighter_the_nearer_the_goal) {
  Kept kept;
  draw_field(kept, row_of_tiles(), {.show = FieldShow::kPotential, .tile = 0.5, .origin = {100, 0}, .pixel = 0});
  ASSERT_EQ(kept.squares.size(), 10u) << "neither the other layer's nor the one without a way";
  EXPECT_EQ(kept.squares[0][0], (Vec2{100, 0})) << "moved by the origin";
  EXPECT_EQ(kept.squares[0][2], (Vec2{100.5, 0.5}));
  EXPECT_GT(brightness(kept.fills.front()), brightness(kept.fills.back()) + 50);
  EXPECT_TRUE(kept.lines.empty());
}

TEST(FieldPicture, density_leaves_empty_tiles_out_and_velocity_has_arrows) {
  Kept density, velocity;
  draw_field(density, row_of_tiles(), {.show = FieldShow::kDensity, .tile = 0.5});
  EXPECT_EQ(density.squares.size(), 3u);
  draw_field(velocity, row_of_tiles(), {.show = FieldShow::kVelocity, .tile = 0.5, .pixel = 0.02});
  EXPECT_EQ(velocity.lines.size(), 18u) << "a shaft and a head for each tile but the goal";
  EXPECT_LT(velocity.lines[0].back().x, velocity.lines[0].front().x) << "to the west";
  Kept thinned;
  draw_field(thinned, row_of_tiles(), {.show = FieldShow::kVelocity, .tile = 0.5, .pixel = 0.1});
  EXPECT_LT(thinned.lines.size(), 8u) << "as many as can be read";
  EXPECT_FALSE(thinned.lines.empty());
}

TEST(FieldPicture, goals_have_a_potential_and_no_speed) {
  Kept kept;
  draw_field(kept, row_of_tiles(), {.show = FieldShow::kSpeed, .tile = 0.5});
  EXPECT_EQ(kept.squares.size(), 9u);
}

TEST(FieldPicture, the_legend_has_round_numbers_and_units) {
  const auto legend = field_legend(row_of_tiles(), {.show = FieldShow::kDensity, .tile = 0.5});
  ASSERT_EQ(legend.size(), 5u);
  EXPECT_EQ(legend.front().words, "density 0 /m²");
  EXPECT_EQ(legend.back().words, "2 /m²");
  EXPECT_EQ(field_legend(row_of_tiles(), {.show = FieldShow::kPotential, .tile = 0.5}).back().words, "9");
  EXPECT_EQ(field_legend({}, {.show = FieldShow::kSpeed}).back().words, "0.5 m/s");
}

}  // namespace
}  // namespace throng
