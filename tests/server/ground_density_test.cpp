// SPDX-License-Identifier: MIT
#include "ground_density.hpp"

#include <gtest/gtest.h>

#include <random>

#include <throng/navigation.hpp>

namespace throng::server {
namespace {

/// A room of 20 m x 10 m, with a wall from (10, 0) to (10, 8) that is `thick` metres thick; 0: without it.
Navigation room(double thick) {
  Scene scene;
  scene.layers.emplace_back();
  scene.layers[0].walkable.push_back({{{0, 0}, {20, 0}, {20, 10}, {0, 10}}, {}});
  if (thick > 0) scene.layers[0].obstacles.push_back({{{10, -1}, {10 + thick, -1}, {10 + thick, 8}, {10, 8}}, {}});
  auto navigation = Navigation::bake(scene, {.threads = 1});
  EXPECT_TRUE(navigation);
  return std::move(*navigation);
}

double sum_of(const DensityMap& map, double from_x, double to_x) {
  double sum = 0;
  for (std::size_t i = 0; i < map.density.size(); ++i) {
    const double x = map.low.x + map.square * (static_cast<double>(i % map.columns) + 0.5);
    if (x > from_x && x < to_x) sum += map.density[i] * map.square * map.square;
  }
  return sum;
}

TEST(GroundDensity, TheSumIsTheNumberOfPeopleAlsoBesideWalls) {
  const Navigation navigation = room(0.2);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> x(0.2, 19.8), y(0.2, 9.8);
  std::vector<SomePeople> people;
  while (people.size() < 200)
    if (const Vec2 p{x(random), y(random)}; navigation.data().locator.cell_at(p, 0) != kNoCell) people.push_back({p});
  const DensityMap map = ground_density(navigation.data(), 0, people);
  EXPECT_NEAR(sum_of(map, -100, 100), 200, 1e-6);
}

TEST(GroundDensity, NothingReachesThroughAWallThatIsThinnerThanASquare) {
  const std::vector<SomePeople> beside = {{{9.7, 4}}, {{9.8, 5}}, {{9.6, 3}}};
  const Navigation walled = room(0.1), open = room(0);
  EXPECT_NEAR(sum_of(ground_density(walled.data(), 0, beside), 10.1, 100), 0, 1e-9);
  // Without the wall some of them count there.
  EXPECT_GT(sum_of(ground_density(open.data(), 0, beside), 10.1, 100), 0.5);
}

TEST(GroundDensity, NothingLiesOutsideOfTheGround) {
  const Navigation navigation = room(0);
  const std::vector<SomePeople> people = {{{0.3, 0.3}}, {{19.7, 9.7}}, {{0.3, 9.7}, 3}};
  const DensityMap map = ground_density(navigation.data(), 0, people);
  for (std::size_t i = 0; i < map.density.size(); ++i) {
    const Vec2 middle = map.low + map.square * Vec2{static_cast<double>(i % map.columns) + 0.5, static_cast<double>(i / map.columns) + 0.5};
    if (navigation.data().locator.cell_at(middle, 0) == kNoCell) EXPECT_EQ(map.density[i], 0) << middle.x << " " << middle.y;
  }
  EXPECT_NEAR(sum_of(map, -100, 100), 5, 1e-9);
}

TEST(GroundDensity, AWideSceneHasLargerSquaresAndNobodyHasNone) {
  const Navigation navigation = room(0);
  EXPECT_TRUE(ground_density(navigation.data(), 0, {}).density.empty());
  const std::vector<SomePeople> people = {{{1, 1}}, {{19, 9}}};
  const DensityMap map = ground_density(navigation.data(), 0, people, kDensityReach, 100);
  EXPECT_LE(map.density.size(), 200u);
  EXPECT_NEAR(sum_of(map, -100, 100), 2, 1e-9);
}

}  // namespace
}  // namespace throng::server
