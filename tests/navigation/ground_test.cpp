// SPDX-License-Identifier: MIT
#include "navigation/ground.hpp"

#include <gtest/gtest.h>

#include "navigation/navigation_data.hpp"
#include "support/layered_scenes.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

TEST(Ground, WalksAsTheExactRayDoes) {
  int blocked = 0, free = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Result<Navigation> navigation = Navigation::bake(random_scene(seed, 12, 14), {.threads = 1});
    ASSERT_TRUE(navigation);
    const NavigationData& data = navigation->data();
    const Ground ground(data.cells);
    const auto walls = wall_segments_of(data.cells);
    RandomStream random(seed, 0, 7);
    for (int i = 0; i < 200; ++i) {
      const double u = random.unit(), v = random.unit();
      const Vec2 from = navigation->random_walkable(u, v).point;
      const Vec2 to = from + Vec2{random.between(-5, 5), random.between(-5, 5)};
      if (clearance_of(walls, from) < 0.01) continue;
      const Walk walked = walk(ground, data.locator.cell_at(from), static_cast<float>(from.x), static_cast<float>(from.y),
                               static_cast<float>(to.x), static_cast<float>(to.y));
      const RayHit hit = ray_cast(data.cells, from, data.locator.cell_at(from), to);
      // Rays that graze a corner may go either way by a rounding.
      const double miss = distance({walked.x, walked.y}, hit.place);
      if (miss > 0.01) {
        EXPECT_LT(std::min(clearance_of(walls, {walked.x, walked.y}), clearance_of(walls, hit.place)), 0.001)
            << seed << " " << i << ": walked to " << walked.x << "," << walked.y << (walked.is_blocked ? " blocked" : " free")
            << ", ray to " << hit.place.x << "," << hit.place.y << (hit.hit ? " hit" : " free");
        continue;
      }
      if (walked.is_blocked != hit.hit && distance(hit.place, to) < 0.01)
        continue;  // whether the last millimetres are still inside is the slack's to say
      EXPECT_EQ(walked.is_blocked, hit.hit) << seed << " " << i;
      (walked.is_blocked ? blocked : free) += 1;
    }
  }
  EXPECT_GT(blocked, 500);
  EXPECT_GT(free, 500);
}

TEST(Ground, ListsEveryWallWithinReachOfABodyInTheCell) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Result<Navigation> navigation = Navigation::bake(random_scene(seed, 10, 14), {.threads = 1});
    ASSERT_TRUE(navigation);
    const NavigationData& data = navigation->data();
    const Ground ground(data.cells);
    const auto walls = wall_segments_of(data.cells);
    RandomStream random(seed, 0, 8);
    for (int i = 0; i < 200; ++i) {
      const double u = random.unit(), v = random.unit();
      const Vec2 p = navigation->random_walkable(u, v).point;
      float nearest = 1e9f;
      for (const Ground::Wall& wall : ground.walls_near(data.locator.cell_at(p)))
        nearest = std::min(nearest, std::sqrt(foot_on(wall, static_cast<float>(p.x), static_cast<float>(p.y)).distance_squared));
      const double brute = clearance_of(walls, p);
      if (brute < Ground::kWallReach) {
        EXPECT_NEAR(nearest, brute, 1e-4) << seed;
      }
    }
  }
}

TEST(Ground, BodiesThatMoveAtRandomNeverEnterAWall) {
  int moved = 0, stopped = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Result<Navigation> navigation = Navigation::bake(random_scene(seed, 10, 16), {.threads = 1});
    ASSERT_TRUE(navigation);
    const NavigationData& data = navigation->data();
    const Ground ground(data.cells);
    const auto walls = wall_segments_of(data.cells);
    RandomStream random(seed, 0, 9);
    const float radius = 0.2f;
    for (int walker = 0; walker < 10; ++walker) {
      const double u = random.unit(), v = random.unit();
      const Vec2 start = navigation->random_walkable(u, v).point;
      if (clearance_of(walls, start) < radius) continue;
      Walk at{static_cast<float>(start.x), static_cast<float>(start.y), data.locator.cell_at(start), false};
      Vec2 heading{random.between(-1, 1), random.between(-1, 1)};
      for (int step = 0; step < 300; ++step) {
        if (random.chance(0.05)) heading = {random.between(-1, 1), random.between(-1, 1)};
        const Walk next = move_body(ground, at.cell, at.x, at.y, at.x + 0.3f * static_cast<float>(heading.x),
                                    at.y + 0.3f * static_cast<float>(heading.y), radius);
        (next.x == at.x && next.y == at.y ? stopped : moved) += 1;
        at = next;
        ASSERT_GT(clearance_of(walls, {at.x, at.y}), radius - 0.001) << seed << " " << walker << " " << step;
        ASSERT_NE(data.locator.cell_at({at.x, at.y}), kNoCell);
      }
    }
  }
  EXPECT_GT(moved, 10000);
  EXPECT_GT(stopped, 50);
}

/// Stairs between two floors that both go on beside them: the floors' walls lie where the stairs end, in plan.
TEST(Ground, WallsOfAFloorAboveOrBelowDoNotStandInTheWayOfStairs) {
  Scene scene;
  scene.layers = {layer_of("ground", box(0, 0, 20, 10)), layer_of("stairs", box(8, 4, 12, 6), -8, {1, 0}),
                  layer_of("upper", box(0, 0, 20, 10), 4)};
  scene.layers[0].obstacles = scene.layers[2].obstacles = {box(8, 4, 12, 6)};
  scene.joints = {{{0, 1}, {{8, 4}, {8, 6}}}, {{1, 2}, {{12, 4}, {12, 6}}}};
  const Navigation navigation = baked(scene);
  const Ground ground(navigation.data().cells);
  // A body walks in the middle of the stairs, from floor to floor and back.
  const Walk up = move_body(ground, *navigation.cell_at({7, 5}, 0), 7, 5, 13, 5, 0.25f);
  EXPECT_FALSE(up.is_blocked);
  EXPECT_EQ(up.x, 13);
  EXPECT_EQ(navigation.data().cells.layer[up.cell], 2u);
  for (float x = 7; x < 13; x += 0.05f) {
    const Walk here = walk(ground, *navigation.cell_at({7, 5}, 0), 7, 5, x, 5);
    for (const Ground::Wall& wall : ground.walls_near(here.cell)) EXPECT_GE(foot_on(wall, x, 5).distance_squared, 0.9f) << x;
  }
  // The walls beside the joints are felt on both sides of them.
  const Walk at_foot = move_body(ground, *navigation.cell_at({7.9, 4.5}, 0), 7.9f, 4.5f, 8.1f, 4.1f, 0.25f);
  EXPECT_GT(at_foot.y, 4.24f);
}

}  // namespace
}  // namespace throng
