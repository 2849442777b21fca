// SPDX-License-Identifier: MIT
// Tiles against point location and paths of the navigation they are laid over.
#include "grid/grid.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "support/layered_scenes.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Grid grid_of(const Navigation& navigation, double size) {
  return Grid(navigation.data().cells, {.size = size},
              [&](Vec2 place, std::uint32_t layer) { return navigation.elevation(place, layer); });
}

/// Tiles that can be reached from one.
std::vector<bool> reached_from(const Grid& grid, TileIndex start) {
  std::vector<bool> seen(grid.tile_count());
  std::vector<TileIndex> queue{start};
  seen[start] = true;
  while (!queue.empty()) {
    const TileIndex t = queue.back();
    queue.pop_back();
    for (const TileIndex other : grid.next(t))
      if (other != kNoTile && !seen[other]) seen[other] = true, queue.push_back(other);
  }
  return seen;
}

/// A hall of 12 × 8 m, cut by a wall at x = 6.1 of this thickness with a door.
Navigation two_rooms(double thickness, double door_from, double door_to) {
  Layer layer;
  layer.walkable = {box(0, 0, 12, 8)};
  layer.obstacles = {box(6.1, 0, 6.1 + thickness, door_from)};
  if (door_to > door_from) layer.obstacles.push_back(box(6.1, door_to, 6.1 + thickness, 8));
  return baked(scene_of(layer));
}

class RandomGround : public ::testing::TestWithParam<int> {};

TEST_P(RandomGround, every_square_with_a_free_centre_is_a_tile_of_the_cell_there) {
  const Navigation navigation = baked(random_scene(static_cast<std::uint64_t>(GetParam()), 30, 14));
  const Grid grid = grid_of(navigation, 0.7);
  ASSERT_GT(grid.tile_count(), 100u);
  const Locator& locator = navigation.data().locator;
  std::size_t free_centres = 0;
  for (TileIndex t = 0; t < grid.tile_count(); ++t) {
    const Vec2 centre = grid.centre(t), point = grid.point(t);
    EXPECT_EQ(grid.tile_at(static_cast<float>(centre.x), static_cast<float>(centre.y), 0), t);
    EXPECT_LE(std::abs(point.x - centre.x), grid.size() / 2);
    EXPECT_LE(std::abs(point.y - centre.y), grid.size() / 2);
    CellIndex around[8];
    const std::size_t count = std::min<std::size_t>(8, locator.cells_at(point, 0, around));
    EXPECT_NE(std::find(around, around + count, grid.cell(t)), around + count);
    free_centres += point == centre;
  }
  // And no other centre is free: all squares of the scene's box, by point location.
  std::size_t expected = 0;
  const double size = grid.size();
  for (int row = 0; row < 43; ++row)
    for (int column = 0; column < 43; ++column) {
      const Vec2 centre{(column + 0.5) * size, (row + 0.5) * size};
      if (!navigation.cell_at(centre) || locator.clearance(centre, 0, 1) < 0.005) continue;
      ++expected;
      const TileIndex t = grid.tile_at(static_cast<float>(centre.x), static_cast<float>(centre.y), 0);
      ASSERT_NE(t, kNoTile);
      EXPECT_EQ(grid.point(t), centre);
    }
  EXPECT_GE(free_centres, expected);
  EXPECT_LE(free_centres, expected + expected / 20);
}

TEST_P(RandomGround, linked_tiles_have_a_short_way_between_them_and_roomy_neighbours_are_linked) {
  const Navigation navigation = baked(random_scene(static_cast<std::uint64_t>(GetParam()), 30, 14));
  const Grid grid = grid_of(navigation, 0.7);
  PathFinder finder(navigation);
  Path path;
  std::mt19937 random(3);
  int links = 0, gaps = 0;
  for (int tries = 0; tries < 4000; ++tries) {
    const TileIndex t = random() % grid.tile_count();
    const int direction = static_cast<int>(random() % 4);
    const TileIndex other = grid.next(t)[direction];
    const Vec2 from = grid.point(t);
    if (other != kNoTile) {
      EXPECT_EQ(grid.next(other)[opposite(direction)], t);
      PathRequest request{.from = from, .to = grid.point(other), .radius = 0, .planner = Planner::kShortest};
      ASSERT_EQ(finder.find(request, path), PathStatus::kFound);
      EXPECT_LE(path.length, 3 * grid.size());
      ++links;
      continue;
    }
    // Not linked though both are tiles: then something is in the way of a body.
    const double size = grid.size();
    const Vec2 ahead = direction == kEast    ? Vec2{size, 0}
                       : direction == kNorth ? Vec2{0, size}
                       : direction == kWest  ? Vec2{-size, 0}
                                             : Vec2{0, -size};
    const Vec2 there = grid.centre(t) + ahead;
    const TileIndex beyond = grid.tile_at(static_cast<float>(there.x), static_cast<float>(there.y), 0);
    if (beyond == kNoTile) continue;
    double room = 1;
    for (int i = 0; i <= 40; ++i) {
      const Vec2 at = from + (i / 40.0) * (grid.point(beyond) - from);
      room = std::min(room, navigation.cell_at(at) ? navigation.data().locator.clearance(at, 0, 1) : 0);
    }
    EXPECT_LT(room, 0.2);
    ++gaps;
  }
  EXPECT_GT(links, 1000);
  EXPECT_GT(gaps, 5);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGround, ::testing::Range(1, 7));

TEST(Grid, a_door_is_a_link_wherever_it_stands_and_a_slit_is_none) {
  for (const double size : {0.5, 1.0, 1.7, 3.0})
    for (double from = 2; from < 3.2; from += 0.05) {
      const Grid door = grid_of(two_rooms(0.2, from, from + 0.8), size);
      const TileIndex west = door.tile_at(1, 4, 0), east = door.tile_at(11, 4, 0);
      ASSERT_NE(west, kNoTile);
      EXPECT_TRUE(reached_from(door, west)[east]) << size << " m tiles, door from " << from;
      const Grid slit = grid_of(two_rooms(0.2, from, from + 0.1), size);
      EXPECT_FALSE(reached_from(slit, slit.tile_at(1, 4, 0))[slit.tile_at(11, 4, 0)]) << size << " m tiles, slit at " << from;
    }
}

TEST(Grid, a_wall_much_thinner_than_a_tile_separates) {
  for (const double size : {0.5, 1.0, 3.0}) {
    const Grid grid = grid_of(two_rooms(0.01, 8, 8), size);
    EXPECT_FALSE(reached_from(grid, grid.tile_at(1, 4, 0))[grid.tile_at(11, 4, 0)]) << size;
  }
}

TEST(Grid, diagonal_links_never_cut_a_corner) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  layer.obstacles = {box(4, 4, 6, 6)};
  const Grid grid = grid_of(baked(scene_of(layer)), 1);
  const TileIndex south = grid.tile_at(4.5f, 3.5f, 0), west = grid.tile_at(3.5f, 4.5f, 0), corner = grid.tile_at(3.5f, 3.5f, 0);
  EXPECT_EQ(grid.diagonal(south)[kNorthWest], kNoTile);
  EXPECT_EQ(grid.diagonal(west)[kSouthEast], kNoTile);
  EXPECT_EQ(grid.diagonal(corner)[kNorthEast], kNoTile);
  EXPECT_EQ(grid.diagonal(corner)[kSouthWest], grid.tile_at(2.5f, 2.5f, 0));
  EXPECT_EQ(grid.diagonal(corner)[kNorthWest], grid.tile_at(2.5f, 4.5f, 0));
}

TEST(Grid, a_hall_in_three_layers_has_the_tiles_and_links_of_the_whole_one) {
  // The joints at x = 10 and 14 run along borders of tiles of 1 and 0.5 m, and through those of the others.
  for (const double size : {1.0, 0.5, 0.75, 3.0, 1.3}) {
    const Grid whole = grid_of(baked(whole_hall()), size), cut = grid_of(baked(cut_hall()), size);
    const auto links = [](const Grid& grid) {
      std::map<std::tuple<double, double, int>, std::tuple<double, double>> all;
      for (TileIndex t = 0; t < grid.tile_count(); ++t)
        for (int i = 0; i < 8; ++i) {
          const TileIndex other = i < 4 ? grid.next(t)[i] : grid.diagonal(t)[i - 4];
          if (other != kNoTile) all[{grid.centre(t).x, grid.centre(t).y, i}] = {grid.centre(other).x, grid.centre(other).y};
        }
      return all;
    };
    EXPECT_EQ(whole.tile_count(), cut.tile_count()) << size;
    const auto of_whole = links(whole), of_cut = links(cut);
    for (const auto& [link, to] : of_whole) {
      const auto [x, y, direction] = link;
      EXPECT_TRUE(of_cut.contains(link) && of_cut.at(link) == to)
          << size << " m tiles, at " << x << ", " << y << " to " << direction;
    }
    EXPECT_EQ(of_whole.size(), of_cut.size()) << size;
    // A place is in the same square, asked for on the layer that has ground there.
    for (float x = 0.2f; x < 20; x += 0.37f)
      for (float y = 0.2f; y < 10; y += 0.41f) {
        const TileIndex a = whole.tile_at(x, y, 0), b = cut.tile_at(x, y, layer_of_cut_hall({x, y}));
        ASSERT_EQ(a == kNoTile, b == kNoTile);
        if (a != kNoTile) {
          EXPECT_EQ(whole.centre(a), cut.centre(b));
        }
      }
  }
}

TEST(Grid, what_lies_above_is_not_a_neighbour_and_heights_follow_the_ramp) {
  const Grid grid = grid_of(baked(bridge()), 1);
  const TileIndex road = grid.tile_at(3, 0, 0), over = grid.tile_at(3, 0, 1);
  ASSERT_NE(road, over);
  EXPECT_FLOAT_EQ(grid.height(road), 0);
  EXPECT_FLOAT_EQ(grid.height(over), 4);
  EXPECT_FALSE(grid.is_flat());
  EXPECT_TRUE(reached_from(grid, road)[over]);  // by the ramp
  for (TileIndex t = 0; t < grid.tile_count(); ++t)
    for (const TileIndex other : grid.next(t))
      if (other != kNoTile) {
        EXPECT_LT(std::abs(grid.height(t) - grid.height(other)), 0.5);
      }
}

TEST(Grid, places_outside_have_no_tile) {
  const Grid grid = grid_of(baked(whole_hall()), 1);
  for (const auto& [x, y] : {std::pair{-0.5f, 5.0f}, {5.0f, -3.0f}, {1e6f, 5.0f}, {5.0f, -1e6f}})
    EXPECT_EQ(grid.tile_at(x, y, 0), kNoTile);
  EXPECT_EQ(grid.tile_at(5, 5, 7), kNoTile);
  EXPECT_NE(grid.tile_near(-0.5f, 5, 0), kNoTile);
  EXPECT_EQ(grid.tile_near(-2.5f, 5, 0), kNoTile);
}

}  // namespace
}  // namespace throng
