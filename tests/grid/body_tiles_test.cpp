// SPDX-License-Identifier: MIT
// Body tiles, rooms and doorways against a flood fill, and A* against Dijkstra's search, in random scenes.
#include "grid/body_tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <random>
#include <set>

#include "grid/tile_search.hpp"
#include "navigation/navigation_data.hpp"
#include "support/layered_scenes.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

BodyTiles tiles_of(const Navigation& navigation) {
  return BodyTiles(navigation.data().cells, {.size = 0.5},
                   [&](Vec2 place, std::uint32_t layer) { return navigation.elevation(place, layer); });
}

/// Three halls in a row, joined by doors of 1 m.
Navigation three_halls() {
  Layer layer;
  layer.walkable = {box(0, 0, 30, 8)};
  for (const double x : {10.0, 20.0}) {
    layer.obstacles.push_back(box(x - 0.25, 0, x + 0.25, 3.5));
    layer.obstacles.push_back(box(x - 0.25, 4.5, x + 0.25, 8));
  }
  return baked(scene_of(layer));
}

/// Tiles that are connected by the links that `is_open` lets through.
template <class IsOpen>
std::vector<std::uint32_t> flooded(const BodyTiles& tiles, IsOpen is_open) {
  std::vector<std::uint32_t> part(tiles.tile_count(), 0xffffffffu);
  std::uint32_t count = 0;
  for (TileIndex start = 0; start < tiles.tile_count(); ++start) {
    if (part[start] != 0xffffffffu) continue;
    std::vector<TileIndex> list{start};
    part[start] = count;
    while (!list.empty()) {
      const TileIndex t = list.back();
      list.pop_back();
      for (int heading = 0; heading < kHeadings; ++heading)
        if (const TileIndex to = tiles.next(t, heading, 0);
            to != kNoTile && part[to] == 0xffffffffu && tiles.stand(t).room > 0 && is_open(t, to))
          part[to] = count, list.push_back(to);
    }
    ++count;
  }
  return part;
}

class RandomFloor : public ::testing::TestWithParam<int> {};

TEST_P(RandomFloor, stands_are_in_their_squares_and_links_lead_to_neighbours_and_back) {
  const Navigation navigation = baked(random_scene(static_cast<std::uint64_t>(GetParam()), 30, 14));
  const BodyTiles tiles = tiles_of(navigation);
  ASSERT_GT(tiles.tile_count(), 100u);
  std::size_t links = 0;
  for (TileIndex t = 0; t < tiles.tile_count(); ++t) {
    if (tiles.stand(t).room <= 0) continue;
    const Vec2 centre = tiles.grid().centre(t);
    EXPECT_LE(std::abs(static_cast<double>(tiles.stand(t).x) - centre.x), 0.25);
    EXPECT_LE(std::abs(static_cast<double>(tiles.stand(t).y) - centre.y), 0.25);
    for (int heading = 0; heading < kHeadings; ++heading)
      for (const float radius : {0.0f, 0.2f, 0.35f}) {
        const TileIndex to = tiles.next(t, heading, radius);
        if (to == kNoTile) continue;
        ++links;
        EXPECT_GE(tiles.stand(to).room, radius);
        EXPECT_EQ(tiles.squares_between(t, to)[0], kHeadingSteps[heading].column);
        EXPECT_EQ(tiles.squares_between(t, to)[1], kHeadingSteps[heading].row);
        EXPECT_EQ(tiles.heading_to(t, to), heading);
        EXPECT_NE(tiles.next(t, heading, 0), kNoTile) << "a slimmer body gets there, too";
        if (tiles.stand(t).room >= radius) {
          EXPECT_EQ(tiles.next(to, turned(heading, 4), radius), t);
        }
      }
  }
  EXPECT_GT(links, 1000u);
}

TEST_P(RandomFloor, the_tile_for_a_place_is_the_nearest_of_all_that_hold_the_body) {
  const Navigation navigation = baked(random_scene(static_cast<std::uint64_t>(GetParam()), 30, 14));
  const BodyTiles tiles = tiles_of(navigation);
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  std::uniform_real_distribution<double> along(-1, 31);
  constexpr int kReach = 5;
  int found = 0;
  for (int k = 0; k < 400; ++k) {
    const Vec2 place = {along(random), along(random)};
    const float radius = k % 2 == 0 ? 0.15f : 0.35f;
    const auto accepts = [&](TileIndex t) { return t % 3 != static_cast<TileIndex>(k % 3); };
    const auto off = [&](TileIndex t) {
      const BodyTiles::Stand& stand = tiles.stand(t);
      return distance(place, {static_cast<double>(stand.x), static_cast<double>(stand.y)});
    };
    TileIndex nearest = kNoTile;
    for (TileIndex t = 0; t < tiles.tile_count(); ++t) {
      const auto square = tiles.square(t);
      const int columns = square[0] - static_cast<int>(std::floor(place.x / 0.5)),
                rows = square[1] - static_cast<int>(std::floor(place.y / 0.5));
      if (std::max(std::abs(columns), std::abs(rows)) > kReach || tiles.stand(t).room < radius || !accepts(t)) continue;
      if (nearest == kNoTile || off(t) < off(nearest)) nearest = t;
    }
    const TileIndex told = tiles.tile_for(place, 0, radius, kReach, accepts);
    ASSERT_EQ(told == kNoTile, nearest == kNoTile);
    if (told == kNoTile) continue;
    EXPECT_NEAR(off(told), off(nearest), 1e-9);
    ++found;
  }
  EXPECT_GT(found, 200);
}

TEST_P(RandomFloor, parts_are_what_a_flood_fill_finds) {
  const Navigation navigation = baked(random_scene(static_cast<std::uint64_t>(GetParam()), 30, 14));
  const BodyTiles tiles = tiles_of(navigation);
  const auto part = flooded(tiles, [](TileIndex, TileIndex) { return true; });
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::set<std::uint32_t> mine, its;
  for (TileIndex t = 0; t < tiles.tile_count(); ++t)
    if (tiles.stand(t).room > 0) pairs.emplace(tiles.part(t), part[t]), mine.insert(tiles.part(t)), its.insert(part[t]);
  EXPECT_EQ(pairs.size(), mine.size());
  EXPECT_EQ(pairs.size(), its.size());
}

TEST_P(RandomFloor, a_star_is_as_short_as_dijkstra) {
  const Navigation navigation = baked(random_scene(static_cast<std::uint64_t>(GetParam()), 30, 14));
  const BodyTiles tiles = tiles_of(navigation);
  const Rooms rooms(navigation.data().cells, tiles, 2.5);
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  TileSearch search;
  std::vector<TileIndex> path;
  int found = 0, none = 0;
  for (int k = 0; k < 30; ++k) {
    const auto from = static_cast<TileIndex>(random() % tiles.tile_count()),
               to = static_cast<TileIndex>(random() % tiles.tile_count());
    const auto is_blocked = [&](TileIndex t) { return t % 7 == static_cast<TileIndex>(k % 7); };
    constexpr float kRadius = 0.2f;
    std::vector<double> cost(tiles.tile_count(), 1e30);
    std::priority_queue<std::pair<double, TileIndex>, std::vector<std::pair<double, TileIndex>>, std::greater<>> queue;
    cost[from] = 0;
    queue.emplace(0, from);
    while (!queue.empty()) {
      const auto [so_far, t] = queue.top();
      queue.pop();
      if (so_far > cost[t]) continue;
      for (int heading = 0; heading < kHeadings; ++heading) {
        const TileIndex next = tiles.next(t, heading, kRadius);
        if (next == kNoTile || (next != to && is_blocked(next))) continue;
        const double there = so_far + ((heading & 1) != 0 ? std::sqrt(2.0) : 1.0);
        if (there < cost[next]) cost[next] = there, queue.emplace(there, next);
      }
    }
    const bool is_found =
        search.find(tiles, rooms, {.from = from, .to = to, .radius = kRadius, .in_room = false}, is_blocked, path);
    ASSERT_EQ(is_found, cost[to] < 1e29) << "from " << from << " to " << to;
    if (!is_found) {
      ++none;
      continue;
    }
    ++found;
    double length = 0;
    ASSERT_EQ(path.front(), from);
    ASSERT_EQ(path.back(), to);
    for (std::size_t i = 1; i < path.size(); ++i) {
      const int heading = tiles.heading_to(path[i - 1], path[i]);
      ASSERT_GE(heading, 0);
      ASSERT_EQ(tiles.next(path[i - 1], heading, kRadius), path[i]);
      ASSERT_TRUE(path[i] == to || !is_blocked(path[i]));
      length += (heading & 1) != 0 ? std::sqrt(2.0) : 1.0;
    }
    EXPECT_NEAR(length, cost[to], 1e-3);
  }
  EXPECT_GT(found, 5) << none << " have no way";
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomFloor, ::testing::Range(1, 6));

TEST(Rooms, are_what_is_connected_with_the_doorways_shut) {
  const Navigation navigation = three_halls();
  const BodyTiles tiles = tiles_of(navigation);
  const Rooms rooms(navigation.data().cells, tiles, 2.5);
  std::set<std::pair<TileIndex, TileIndex>> shut;
  ASSERT_EQ(rooms.doorways().size(), 2u);
  for (std::uint32_t d = 0; d < rooms.doorways().size(); ++d) {
    EXPECT_NEAR(static_cast<double>(rooms.doorways()[d].width), 1, 0.1);
    EXPECT_NEAR(rooms.doorways()[d].centre.y, 4, 0.1);
    for (const Doorway::Step& step : rooms.steps_of(d)) {
      EXPECT_EQ(rooms.room(step.from), rooms.doorways()[d].room[0]);
      EXPECT_EQ(rooms.room(step.to), rooms.doorways()[d].room[1]);
      shut.emplace(step.from, step.to), shut.emplace(step.to, step.from);
    }
  }
  const auto part = flooded(tiles, [&](TileIndex a, TileIndex b) { return !shut.contains({a, b}); });
  std::set<std::uint32_t> numbers;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (TileIndex t = 0; t < tiles.tile_count(); ++t)
    if (tiles.stand(t).room > 0) pairs.emplace(rooms.room(t), part[t]), numbers.insert(rooms.room(t));
  EXPECT_EQ(numbers.size(), 3u);
  EXPECT_EQ(pairs.size(), 3u) << "each room is one part, and each part one room";
  // The control: with nothing shut all is one.
  const auto open = flooded(tiles, [](TileIndex, TileIndex) { return true; });
  for (TileIndex t = 0; t < tiles.tile_count(); ++t) {
    if (tiles.stand(t).room > 0) {
      EXPECT_EQ(open[t], open[rooms.tile_at(rooms.doorways()[0].room[0], 0)]);
    }
  }
  // No doors where they may be no wider than half a metre.
  EXPECT_EQ(Rooms(navigation.data().cells, tiles, 0.5).doorways().size(), 0u);
}

}  // namespace
}  // namespace throng
