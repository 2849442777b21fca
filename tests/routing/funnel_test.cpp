// SPDX-License-Identifier: MIT
#include "routing/funnel.hpp"

#include <gtest/gtest.h>

#include "routing/test_oracle.hpp"

namespace throng {
namespace {

using namespace test_scenes;

struct Query {
  Vec2 start, goal;
  CellIndex from = kNoCell, to = kNoCell;
};

// Two random places of the grid with the clearance a body needs.
bool random_query(const Cells& cells, double size, double radius, std::mt19937& random, Query& q) {
  auto place = [&](Vec2& p, CellIndex& c) {
    for (int attempt = 0; attempt < 200; ++attempt) {
      std::uniform_real_distribution<> uniform(0, size);
      p = to_metres(snap({uniform(random), uniform(random)}));
      c = brute_cell_at(cells, p);
      if (c != kNoCell && clearance(cells, p) >= radius + 1e-6) return true;
    }
    return false;
  };
  return place(q.start, q.from) && place(q.goal, q.to);
}

TEST(Funnel, GoesStraightInsideOneCell) {
  std::mt19937 random(1);
  const WallScene scene{{at(0, 0), at(10, 0), at(10, 10), at(0, 10)}, {}, {}};
  const Cells cells = make_cells(scene, random, 1.0);
  FunnelScratch scratch;
  PulledPath path;
  Corridor corridor{brute_cell_at(cells, {2, 2}), {}};
  ASSERT_EQ(cells.cell_count(), 1u);
  pull(cells, corridor, {2, 2}, {7, 5}, 0.5, scratch, path);
  EXPECT_DOUBLE_EQ(path.length, distance({2, 2}, {7, 5}));
  EXPECT_TRUE(path.bends.empty());
}

TEST(Funnel, RoundsTheEndOfAWallOnAnArc) {
  // A wall from the floor up to (5, 6); the way over its end is two tangents and an arc, known by formula.
  std::mt19937 random(1);
  WallScene scene{{at(0, 0), at(10, 0), at(10, 10), at(0, 10)}, {}, {{at(5, 0), at(5, 6)}}};
  const Cells cells = make_cells(scene, random);
  const Vec2 start{2, 2}, goal{8, 2};
  const double r = 0.5;
  const Corridor corridor = fewest_portals(cells, start, brute_cell_at(cells, start), goal, brute_cell_at(cells, goal), r);
  ASSERT_NE(corridor.first_cell, kNoCell);
  FunnelScratch scratch;
  PulledPath path;
  pull(cells, corridor, start, goal, r, scratch, path);
  const double d = 5, leg = std::sqrt(d * d - r * r);
  // Both legs rise by `incline` against the floor; the arc turns by twice that.
  const double incline = std::atan2(4, 3) + std::asin(r / d);
  EXPECT_NEAR(path.length, 2 * leg + r * 2 * incline, 1e-12);
  ASSERT_EQ(path.bends.size(), 1u);
  EXPECT_FALSE(path.bends[0].turns_left);
  EXPECT_NEAR(distance(path.bends[0].arrive, {5, 6}), r, 1e-12);
}

TEST(Funnel, KeepsTheRadiusFromAllWallsInRandomHalls) {
  std::mt19937 random(7);
  FunnelScratch scratch;
  PulledPath path;
  int paths = 0, bends = 0;
  for (int round = 0; round < 150; ++round) {
    const WallScene scene = random_hall(random, 20, 8, 0.3);
    const Cells cells = make_cells(scene, random, round % 3 ? 0.95 : 0.3);
    for (int i = 0; i < 20; ++i) {
      const double radius = std::uniform_real_distribution<>(0.05, 0.9)(random);
      Query q;
      if (!random_query(cells, 20, radius, random, q)) continue;
      const Corridor corridor = fewest_portals(cells, q.start, q.from, q.goal, q.to, radius);
      if (corridor.first_cell == kNoCell) continue;
      pull(cells, corridor, q.start, q.goal, radius, scratch, path);
      ++paths;
      bends += static_cast<int>(path.bends.size());
      EXPECT_GE(clearance_of(cells, path), radius - 1e-6)
          << "round " << round << " query " << i << " radius " << radius << " bends " << path.bends.size() << " portals "
          << corridor.portals.size() << " extras " << scratch.extras.size();
    }
  }
  EXPECT_GT(paths, 1000);
  EXPECT_GT(bends, 1000);
}

// The corridor as the oracle sees it: real walls for the body, the corridor's free sides for its centre.
double oracle_length(const Cells& cells, const Corridor& corridor, Vec2 start, Vec2 goal, double radius) {
  std::vector<CellIndex> row = {corridor.first_cell};
  for (PortalIndex p : corridor.portals) row.push_back(cells.across(p, row.back()));
  std::vector<std::array<Vec2, 2>> barriers;
  for (CellIndex c : row) {
    const auto sides = cells.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const PortalIndex p = sides[i].portal;
      if (p == kNoPortal || std::count(corridor.portals.begin(), corridor.portals.end(), p)) continue;
      barriers.push_back({cells.position(sides[i].vertex), cells.position(sides[(i + 1) % sides.size()].vertex)});
    }
  }
  auto allowed = [&](Vec2 p) {
    for (CellIndex c : row)
      if (depth_in_cell(cells, c, p) > -1e-6) return true;
    return false;
  };
  return tangent_graph_length(cells, start, goal, radius, barriers, allowed);
}

TEST(Funnel, IsTheShortestWayOfADiscInTheCorridor) {
  std::mt19937 random(11);
  FunnelScratch scratch;
  PulledPath path;
  int compared = 0;
  for (int round = 0; round < 80; ++round) {
    const WallScene scene = random_hall(random, 12, 5, 0.3);
    const Cells cells = make_cells(scene, random, round % 3 ? 0.95 : 0.3);
    for (int i = 0; i < 3; ++i) {
      const double radius = std::uniform_real_distribution<>(0.05, 0.7)(random);
      Query q;
      if (!random_query(cells, 12, radius, random, q)) continue;
      const Corridor corridor = fewest_portals(cells, q.start, q.from, q.goal, q.to, radius);
      if (corridor.first_cell == kNoCell) continue;
      pull(cells, corridor, q.start, q.goal, radius, scratch, path);
      const double expected = oracle_length(cells, corridor, q.start, q.goal, radius);
      ++compared;
      EXPECT_NEAR(path.length, expected, 1e-6) << "round " << round << " query " << i << " radius " << radius << " portals "
                                               << corridor.portals.size() << " extras " << scratch.extras.size();
    }
  }
  EXPECT_GT(compared, 150);
}

TEST(Funnel, OfAPointIsTheShortestWayInTheCorridor) {
  std::mt19937 random(13);
  FunnelScratch scratch;
  PulledPath path;
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    const bool board = round % 2;
    const WallScene scene = board ? random_board(random, 5, 1, 0.3, round % 4 == 1) : random_hall(random, 12, 5, 0.1);
    const Cells cells = make_cells(scene, random, 0.8);
    for (int i = 0; i < 4; ++i) {
      Query q;
      if (!random_query(cells, board ? 25 : 12, 0.01, random, q)) continue;
      const Corridor corridor = fewest_portals(cells, q.start, q.from, q.goal, q.to, 0);
      if (corridor.first_cell == kNoCell) continue;
      pull(cells, corridor, q.start, q.goal, 0, scratch, path);
      // A disc of a hundredth of a millimetre differs by less than that much per bend.
      const double expected = oracle_length(cells, corridor, q.start, q.goal, 1e-5);
      ++compared;
      EXPECT_NEAR(path.length, expected, 1e-4) << "round " << round << " query " << i << " portals " << corridor.portals.size();
    }
  }
  EXPECT_GT(compared, 80);
}

TEST(Funnel, IsTheSamePathBackwards) {
  std::mt19937 random(17);
  FunnelScratch scratch;
  PulledPath there, back;
  for (int round = 0; round < 40; ++round) {
    const Cells cells = make_cells(random_hall(random, 20, 8, 0.3), random);
    const double radius = std::uniform_real_distribution<>(0.0, 0.5)(random);
    Query q;
    if (!random_query(cells, 20, radius, random, q)) continue;
    const Corridor corridor = fewest_portals(cells, q.start, q.from, q.goal, q.to, radius);
    if (corridor.first_cell == kNoCell) continue;
    pull(cells, corridor, q.start, q.goal, radius, scratch, there);
    Corridor reversed = corridor;
    std::reverse(reversed.portals.begin(), reversed.portals.end());
    reversed.first_cell = q.to;
    pull(cells, reversed, q.goal, q.start, radius, scratch, back);
    EXPECT_NEAR(there.length, back.length, 1e-9);
  }
}

TEST(Corridor, SamplesArcsWithinTheSagitta) {
  const std::vector<Point> vertices = {at(0, 0)};
  PulledPath path;
  path.start = {-3, -1};
  path.goal = {3, 1};
  path.radius = 1;
  path.bends = {{{0, -1}, {0, 1}, 0, true}};  // half a turn to the left
  std::vector<Vec2> points;
  sample(path, vertices, 0.01, points);
  EXPECT_EQ(points.front(), path.start);
  EXPECT_EQ(points.back(), path.goal);
  EXPECT_GT(points.size(), 8u);
  EXPECT_LT(points.size(), 20u);
  for (std::size_t i = 1; i + 2 < points.size(); ++i) {
    EXPECT_NEAR(length(points[i]), 1, 1e-12);
    EXPECT_GE(points[i].x, -1e-12);
    EXPECT_GE(length(0.5 * (points[i] + points[i + 1])), 1 - 0.01 - 1e-12);
  }
}

}  // namespace
}  // namespace throng
