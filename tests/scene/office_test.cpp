// SPDX-License-Identifier: MIT
#include "scene/office.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace throng {
namespace {

struct OfficeBox {
  double x0, y0, x1, y1;
};

OfficeBox bounds(const Ring& ring) {
  OfficeBox b{1e9, 1e9, -1e9, -1e9};
  for (const Vec2 v : ring) b = {std::min(b.x0, v.x), std::min(b.y0, v.y), std::max(b.x1, v.x), std::max(b.y1, v.y)};
  return b;
}

/// A 5 cm grid over the floor on which a disc of some radius is flooded: knows nothing of how the floor was made.
class Flood {
 public:
  Flood(const Scene& scene, double radius) {
    const OfficeBox frame = bounds(scene.layers[0].walkable[0].outer);
    columns_ = static_cast<int>((frame.x1 - frame.x0) / kTile);
    lines_ = static_cast<int>((frame.y1 - frame.y0) / kTile);
    blocked_.assign(static_cast<std::size_t>(columns_) * lines_, 0);
    for (int y = 0; y < lines_; ++y)
      for (int x = 0; x < columns_; ++x)
        if (const Vec2 p = centre(x, y); std::min({p.x, p.y, frame.x1 - p.x, frame.y1 - p.y}) < radius) at(x, y) = 1;
    for (const Polygon& obstacle : scene.layers[0].obstacles) {
      const OfficeBox b = bounds(obstacle.outer);
      for (int y = tile(b.y0 - radius, lines_); y <= tile(b.y1 + radius, lines_); ++y)
        for (int x = tile(b.x0 - radius, columns_); x <= tile(b.x1 + radius, columns_); ++x) {
          const Vec2 p = centre(x, y);
          const double dx = std::max({b.x0 - p.x, p.x - b.x1, 0.0}), dy = std::max({b.y0 - p.y, p.y - b.y1, 0.0});
          if (dx * dx + dy * dy < radius * radius || (dx == 0 && dy == 0)) at(x, y) = 1;
        }
    }
  }

  void from(Vec2 start) {
    std::vector<std::pair<int, int>> open;
    const auto visit = [&](int x, int y) {
      if (x < 0 || y < 0 || x >= columns_ || y >= lines_ || at(x, y) != 0) return;
      at(x, y) = 2;
      open.emplace_back(x, y);
    };
    visit(tile(start.x, columns_), tile(start.y, lines_));
    while (!open.empty()) {
      const auto [x, y] = open.back();
      open.pop_back();
      visit(x + 1, y), visit(x - 1, y), visit(x, y + 1), visit(x, y - 1);
    }
  }

  bool reached(Vec2 p) { return at(tile(p.x, columns_), tile(p.y, lines_)) == 2; }

 private:
  static constexpr double kTile = 0.05;
  static int tile(double v, int count) { return std::clamp(static_cast<int>(std::floor(v / kTile)), 0, count - 1); }
  static Vec2 centre(int x, int y) { return {(x + 0.5) * kTile, (y + 0.5) * kTile}; }
  std::uint8_t& at(int x, int y) { return blocked_[static_cast<std::size_t>(y) * columns_ + x]; }

  int columns_ = 0;
  int lines_ = 0;
  std::vector<std::uint8_t> blocked_;
};

Vec2 centre_of(const Area& room) {
  const OfficeBox b = bounds(room.shape.outer);
  return {(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2};
}

Vec2 in_cross_corridor(const Scene& office) {
  const OfficeBox frame = bounds(office.layers[0].walkable[0].outer);
  return {(frame.x0 + frame.x1) / 2, 1};
}

TEST(Office, HasExactlyItsRoomsWithTheirNames) {
  for (const std::uint32_t n : {1u, 2u, 7u, 40u, 500u}) {
    const Scene office = make_office(n, n);
    ASSERT_EQ(office.areas.size(), n);
    EXPECT_EQ(office.areas.front().name, "room 1");
    EXPECT_EQ(office.areas.back().name, "room " + std::to_string(n));
    const OfficeBox frame = bounds(office.layers[0].walkable[0].outer);
    for (const Polygon& wall : office.layers[0].obstacles) {
      const OfficeBox b = bounds(wall.outer);
      EXPECT_TRUE(b.x0 >= 0 && b.y0 >= 0 && b.x1 <= frame.x1 && b.y1 <= frame.y1);
      EXPECT_GT(b.x1 - b.x0, 0.05);
      EXPECT_GT(b.y1 - b.y0, 0.05);
    }
  }
}

TEST(Office, EveryRoomIsReachedByAWideBodyFromTheCrossCorridor) {
  for (const std::uint64_t seed : {1ull, 2ull, 3ull}) {
    const Scene office = make_office(40, seed);
    Flood flood(office, 0.36);
    flood.from(in_cross_corridor(office));
    for (const Area& room : office.areas) EXPECT_TRUE(flood.reached(centre_of(room))) << room.name << " seed " << seed;
  }
}

TEST(Office, NoRoomIsReachedByABodyWiderThanAnyDoor) {
  const Scene office = make_office(40);
  Flood flood(office, 0.65);
  flood.from(in_cross_corridor(office));
  for (const Area& room : office.areas) EXPECT_FALSE(flood.reached(centre_of(room))) << room.name;
}

TEST(Office, SomeRoomsLieBehindOthers) {
  // Fill a room with an obstacle: rooms that can then no longer be reached lie behind it.
  const Scene office = make_office(30);
  int hidden = 0;
  std::size_t longest_chain = 0;
  for (const Area& filled : office.areas) {
    Scene changed = office;
    changed.layers[0].obstacles.push_back(filled.shape);
    Flood flood(changed, 0.3);
    flood.from(in_cross_corridor(changed));
    std::size_t lost = 0;
    for (const Area& room : office.areas) lost += room.name != filled.name && !flood.reached(centre_of(room));
    hidden += lost > 0;
    longest_chain = std::max(longest_chain, lost + 1);
  }
  EXPECT_GE(hidden, 3);
  EXPECT_EQ(longest_chain, 3u);
}

TEST(Office, TheSameSeedGivesTheSameFloorAndAnotherSeedAnother) {
  const auto walls = [](const Scene& s) {
    std::vector<std::pair<double, double>> all;
    for (const Polygon& p : s.layers[0].obstacles)
      for (const Vec2 v : p.outer) all.emplace_back(v.x, v.y);
    return all;
  };
  EXPECT_EQ(walls(make_office(40)), walls(make_office(40)));
  EXPECT_NE(walls(make_office(40)), walls(make_office(40, 2)));
}

}  // namespace
}  // namespace throng
