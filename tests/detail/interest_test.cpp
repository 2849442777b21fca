// SPDX-License-Identifier: MIT
// Levels of tiles, and regions that a budget pays for.
#include "detail/interest.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "detail/budget.hpp"
#include "navigation/navigation_data.hpp"
#include "support/built_cells.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Grid grid_of(const Layer& layer, double size) {
  const Result<Navigation> baked = Navigation::bake(scene_of(layer), {.threads = 1});
  EXPECT_TRUE(baked);
  return Grid(baked->data().cells, {.size = size}, [](Vec2, std::uint32_t) { return 0.0; });
}

Layer hall(double width, double height) {
  Layer layer;
  layer.walkable = {box(0, 0, width, height)};
  return layer;
}

TEST(Interest, OfATileIsTheBestOfItsRegionsAndOfTheCameraWithinLimits) {
  const Grid grid = grid_of(hall(90, 60), 3);
  RandomStream random(1, 0, 1);
  for (int round = 0; round < 200; ++round) {
    InterestSettings settings;
    settings.elsewhere = static_cast<std::uint8_t>(random.integer(0, 2));
    if (random.chance(0.5)) {
      const double angle = random.between(0, 6.28);
      settings.camera = Viewpoint{.position = {random.between(0, 90), random.between(0, 60)},
                                  .direction = {std::cos(angle), std::sin(angle)},
                                  .field_of_view = random.between(0.3, 3),
                                  .distance = random.between(10, 60)};
    }
    std::vector<Region> regions(static_cast<std::size_t>(random.integer(0, 5)));
    for (Region& region : regions) {
      region.centre = {random.between(0, 90), random.between(0, 60)};
      region.radius = random.between(2, 30);
      region.level = static_cast<std::uint8_t>(random.integer(0, 2));
      region.is_limit = random.chance(0.3);
    }
    InterestMap map;
    EXPECT_TRUE(map.update(grid, settings, regions));
    EXPECT_FALSE(map.update(grid, settings, regions)) << "nothing has moved";
    for (TileIndex t = 0; t < grid.tile_count(); ++t) {
      const Vec2 place = grid.centre(t);
      int expected = settings.elsewhere;
      if (settings.camera) {
        const Vec2 to = place - settings.camera->position;
        const double away = std::hypot(to.x, to.y);
        const double angle = std::abs(
            std::remainder(std::atan2(to.y, to.x) - std::atan2(settings.camera->direction.y, settings.camera->direction.x),
                           2 * 3.14159265358979));
        if (std::abs(angle - 0.5 * settings.camera->field_of_view) < 1e-6) continue;
        expected = away <= settings.camera->distance && angle < 0.5 * settings.camera->field_of_view
                       ? (away <= settings.camera_near ? 0 : 1)
                       : 2;
      }
      int most = 0;
      for (const Region& region : regions) {
        if (std::hypot(place.x - region.centre.x, place.y - region.centre.y) > region.radius) continue;
        if (region.is_limit)
          most = std::max<int>(most, region.level);
        else
          expected = std::min<int>(expected, region.level);
      }
      EXPECT_EQ(map.level(t), std::max(expected, most));
    }
  }
}

TEST(Interest, DoesNotChangeWhileARegionTrembles) {
  const Grid grid = grid_of(hall(90, 60), 3);
  InterestSettings settings;
  std::vector<Region> regions = {{.centre = {45, 30}, .radius = 15}};
  InterestMap map;
  ASSERT_TRUE(map.update(grid, settings, regions));
  int changes = 0;
  for (int i = 0; i < 100; ++i) {
    regions[0].centre = {45 + 0.9 * std::sin(i), 30 + 0.4 * std::cos(3 * i)};
    changes += map.update(grid, settings, regions);
  }
  EXPECT_EQ(changes, 0);
  settings.slack = 0;
  for (int i = 0; i < 100; ++i) {
    regions[0].centre = {45 + 0.9 * std::sin(i), 30};
    changes += map.update(grid, settings, regions);
  }
  EXPECT_GT(changes, 90) << "the control";
  regions[0].radius = 16;
  EXPECT_TRUE(map.update(grid, settings, regions));
}

CrowdBlock block_at(int column, std::uint32_t people, double conflict, std::uint32_t tiles = 16) {
  CrowdBlock block;
  block.column = column;
  block.people = people, block.tiles = tiles;
  block.speed = static_cast<float>(people);
  block.momentum = {static_cast<float>((1 - conflict) * people), 0};
  return block;
}

TEST(Budget, IsNeverOverspentAndSpentOnConflictsFirst) {
  RandomStream random(2, 0, 1);
  for (int round = 0; round < 300; ++round) {
    std::vector<CrowdBlock> blocks;
    double least = 0;
    for (int i = 0; i < 40; ++i) {
      blocks.push_back(block_at(i, static_cast<std::uint32_t>(random.integer(1, 80)), random.between(0, 1)));
      least += work_of(blocks.back(), 2, 4);
    }
    BudgetSettings settings{.budget = random.between(0, 4000), .tile = 3, .sets = 4};
    std::vector<Region> regions;
    spend(blocks, settings, regions);
    double work = least;
    double least_chosen = 1e9;
    std::vector<int> level(blocks.size(), 2);
    for (const Region& region : regions) {
      const auto b = static_cast<std::size_t>(region.centre.x / kBlock);
      level[b] = region.level;
      work += work_of(blocks[b], region.level, 4) - work_of(blocks[b], 2, 4);
      if (region.level == 0)
        least_chosen = std::min(least_chosen, (1 - double{blocks[b].momentum.x} / blocks[b].speed) * blocks[b].people);
    }
    EXPECT_LE(work, std::max(settings.budget, least) + 1e-6);
    // Who was passed over for level 0 has less conflict than all who were not, or costs more than what was left.
    const bool is_rich = settings.budget > 20000;
    if (is_rich) EXPECT_EQ(std::count(level.begin(), level.end(), 2), 0);
  }
  // A rich budget gives level 0 to conflicts, level 1 to streams.
  const std::vector<CrowdBlock> two = {block_at(0, 30, 0.8), block_at(1, 30, 0)};
  std::vector<Region> regions;
  spend(two, {.budget = 1000, .tile = 3, .sets = 2}, regions);
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].level, 0);
  EXPECT_EQ(regions[1].level, 1);
}

TEST(Budget, GivesNoFieldToNarrowPlacesThatAreJammed) {
  const auto level_of = [](const CrowdBlock& block) {
    std::vector<Region> regions;
    spend(std::vector{block}, {.budget = 10000, .tile = 3, .sets = 2}, regions);
    return regions.empty() ? 2 : int{regions[0].level};
  };
  EXPECT_EQ(level_of(block_at(0, 60, 0.8, 3)), 1) << "27 m2, 2.2 people a square metre";
  EXPECT_EQ(level_of(block_at(0, 20, 0.8, 3)), 0) << "narrow, not jammed";
  EXPECT_EQ(level_of(block_at(0, 300, 0.8, 16)), 0) << "jammed, not narrow";
}

TEST(Budget, PrefersWhatIsNearTheCamera) {
  std::vector<CrowdBlock> row;
  for (int i = 0; i < 10; ++i) row.push_back(block_at(i, 40, 0.5));
  std::vector<Region> regions;
  spend(row, {.budget = 200, .tile = 3, .sets = 2, .camera = Viewpoint{.position = {9.5 * kBlock, 6}}}, regions);
  ASSERT_FALSE(regions.empty());
  for (const Region& region : regions) EXPECT_GT(region.centre.x, 5 * kBlock);
}

}  // namespace
}  // namespace throng
