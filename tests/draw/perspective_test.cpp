// SPDX-License-Identifier: MIT
#include "draw/perspective.hpp"

#include <cmath>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "draw/stage.hpp"

namespace throng {
namespace {

const Polygon kField{{{-30, -30}, {30, -30}, {30, 30}, {-30, 30}}, {}};
constexpr Color kGrey{180, 180, 180};

/// Straight down from 40 m: x of the world is x of the picture, 10 pixels a metre at the ground.
PerspectiveSettings from_above() {
  PerspectiveSettings s;
  s.width = s.height = 400;
  s.eye = {0, -0.001, 40};
  s.target = {0, 0, 0};
  s.view_angle = 2 * std::atan(0.5);
  s.low = {-30, -30};
  s.high = {30, 30};
  s.threads = 1;
  return s;
}

/// From the south, level with the middle of a person.
PerspectiveSettings from_south() {
  PerspectiveSettings s = from_above();
  s.eye = {0, -20, 6};
  s.target = {0, 0, 1};
  return s;
}

std::vector<std::byte> pixels_of(const PerspectiveSettings& settings, std::span<const Figure> people,
                                 const Polygon* block = nullptr) {
  Perspective view(settings);
  view.add_ground(kField, 0, {0, 0}, kGrey, Material::kPlain);
  if (block != nullptr) view.add_block(*block, 0, 4, kGrey, kGrey, Material::kPlain);
  view.render(people);
  return {view.pixels().begin(), view.pixels().end()};
}

/// Brightness of a pixel from the top left.
int brightness(const std::vector<std::byte>& pixels, int x, int y) {
  const std::size_t at = 4 * (static_cast<std::size_t>(y) * 400 + static_cast<std::size_t>(x));
  return std::to_integer<int>(pixels[at]) + std::to_integer<int>(pixels[at + 1]) + std::to_integer<int>(pixels[at + 2]);
}

Figure figure_at(double x, double y) {
  Figure f;
  f.place = {x, y, 0};
  f.has_color = true;
  f.color = {200, 0, 0};
  return f;
}

/// Pixels that differ between two pictures, counted in a square round a pixel.
int changes(const std::vector<std::byte>& a, const std::vector<std::byte>& b, int x, int y, int reach) {
  int count = 0;
  for (int row = y - reach; row <= y + reach; ++row)
    for (int column = x - reach; column <= x + reach; ++column) count += brightness(a, column, row) != brightness(b, column, row);
  return count;
}

TEST(Perspective, a_figure_is_painted_where_it_stands_and_nowhere_far_from_it) {
  const auto empty = pixels_of(from_above(), {});
  const Figure one = figure_at(10, 5);
  const auto with = pixels_of(from_above(), {&one, 1});
  // 10 m east and 5 m north of the middle, a little farther out because heads are nearer to the eye.
  EXPECT_GT(changes(empty, with, 302, 149, 3), 20);
  EXPECT_EQ(changes(empty, with, 100, 250, 60), 0);
}

TEST(Perspective, a_block_hides_who_stands_behind_it_and_shows_who_stands_before_it) {
  const Polygon block{{{-3, -1}, {3, -1}, {3, 1}, {-3, 1}}, {}};
  const auto empty = pixels_of(from_south(), {}, &block);
  const Figure behind = figure_at(0, 2), before = figure_at(0, -4);
  EXPECT_EQ(changes(empty, pixels_of(from_south(), {&behind, 1}, &block), 200, 200, 60), 0);
  EXPECT_GT(changes(empty, pixels_of(from_south(), {&before, 1}, &block), 200, 230, 60), 100);
  // Control: without the block, the one behind is seen.
  EXPECT_GT(changes(pixels_of(from_south(), {}), pixels_of(from_south(), {&behind, 1}), 200, 200, 60), 100);
}

TEST(Perspective, shadows_fall_on_the_side_away_from_the_sun_only) {
  const Polygon block{{{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}, {}};
  const auto open = pixels_of(from_above(), {}), built = pixels_of(from_above(), {}, &block);
  // The sun is in the south-west: the ground north-east of the block is dark, that south-west of it as before.
  EXPECT_LT(brightness(built, 240, 173), brightness(open, 240, 173) * 3 / 4);
  EXPECT_EQ(brightness(built, 160, 227), brightness(open, 160, 227));
}

TEST(Perspective, pictures_do_not_depend_on_the_number_of_threads) {
  std::vector<Figure> people;
  for (int i = 0; i < 200; ++i) people.push_back(figure_at(i % 20 - 10, i / 20 - 5));
  PerspectiveSettings one = from_south(), three = from_south();
  three.threads = 3;
  EXPECT_EQ(pixels_of(one, people), pixels_of(three, people));
}

TEST(Perspective, what_lies_behind_the_eye_or_is_not_finite_harms_nothing) {
  std::vector<Figure> people{figure_at(0, -20), figure_at(0, -25), figure_at(0, 1e7)};
  people.push_back(figure_at(0, 0));
  people.back().heading = {0, 0};
  pixels_of(from_south(), people);
  Perspective view(from_south());
  view.add_ground({{{0, 0}, {1, 0}}, {}}, 0, {0, 0}, kGrey, Material::kPaving);
  view.add_wall({0, 0, 1}, {0, 0, 1}, 0, kGrey, Material::kFacade);
  view.render({});
  EXPECT_EQ(view.pixels().size(), 400u * 400 * 4);
}

TEST(Stage, a_standpoint_has_the_corners_of_its_rectangle_in_the_picture) {
  PerspectiveSettings s;
  s.width = 1600;
  s.height = 900;
  s.view_angle = 0.7;
  const Vec2 low{10, 20}, high{110, 60};
  for (const double turn : {0.0, 30.0, 135.0, -60.0}) {
    const Standpoint from = standpoint_on(low, high, 2, turn, 40, s);
    const Vec3 ahead{from.target.x - from.eye.x, from.target.y - from.eye.y, from.target.z - from.eye.z};
    const double far = std::sqrt(ahead.x * ahead.x + ahead.y * ahead.y + ahead.z * ahead.z);
    const double flat = std::hypot(ahead.x, ahead.y);
    for (int corner = 0; corner < 4; ++corner) {
      const Vec3 p{(corner & 1 ? low.x : high.x) - from.eye.x, (corner & 2 ? low.y : high.y) - from.eye.y, 2 - from.eye.z};
      const double depth = (p.x * ahead.x + p.y * ahead.y + p.z * ahead.z) / far;
      const double aside = (p.x * ahead.y - p.y * ahead.x) / flat;
      EXPECT_GT(depth, 0);
      EXPECT_LE(std::abs(aside) / depth, std::tan(0.35) * 1.001) << turn;
    }
  }
}

/// A person who walks 1.45 m, a full cycle of two steps, and one who stands.
TEST(Stage, steps_are_as_long_as_the_way_and_who_stands_takes_none) {
  Trajectory t;
  t.frame_seconds = 0.5;
  t.agents = {{1, 0.2f, 1.3f, 0, 0}, {2, 0.2f, 1.3f, 0, 0}};
  t.presence.resize(2);
  for (int k = 0; k < 9; ++k) {
    const std::uint32_t agent[] = {0, 1};
    const float x[] = {0.725f * static_cast<float>(k), 3}, y[] = {0, 3}, h[] = {1, 1}, z[] = {0, 0};
    const std::uint16_t layer[] = {0, 0};
    t.append({static_cast<std::uint64_t>(k), 0.5 * k, t.agents, agent, x, y, h, z, z, layer});
  }
  Figures figures(t);
  const auto first = figures.at(1, {});
  const double walker = first[0].phase, stander = first[1].phase;
  for (int i = 1; i <= 10; ++i) figures.at(1 + 0.1 * i, {});
  const auto later = figures.at(2, {});
  EXPECT_NEAR(later[0].phase - walker, 6.2832, 1e-3);
  EXPECT_NEAR(later[0].place.x, 2.9, 1e-5);
  EXPECT_EQ(later[1].phase, stander);
  EXPECT_EQ(later[1].stride, 0);
}

}  // namespace
}  // namespace throng
