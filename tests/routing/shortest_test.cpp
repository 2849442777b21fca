// SPDX-License-Identifier: MIT
#include "routing/shortest.hpp"

#include <gtest/gtest.h>

#include "routing/funnel.hpp"
#include "routing/test_oracle.hpp"

namespace throng {
namespace {

using namespace test_scenes;

struct Ends {
  Vec2 start, goal;
  CellIndex from = kNoCell, to = kNoCell;
};

bool random_ends(const Cells& cells, double low, double high, double radius, std::mt19937& random, Ends& ends) {
  auto place = [&](Vec2& p, CellIndex& c) {
    for (int attempt = 0; attempt < 200; ++attempt) {
      std::uniform_real_distribution<> uniform(low, high);
      p = to_metres(snap({uniform(random), uniform(random)}));
      c = brute_cell_at(cells, p);
      if (c != kNoCell && clearance(cells, p) >= radius + 1e-6) return true;
    }
    return false;
  };
  return place(ends.start, ends.from) && place(ends.goal, ends.to);
}

double search(const Cells& cells, const Ends& ends, double radius, ShortestScratch& scratch, PulledPath& path) {
  Corridor corridor;
  if (!shortest_path(cells, ends.start, ends.from, ends.goal, ends.to, radius, {}, scratch, corridor, path)) return kNever;
  EXPECT_EQ(path.start, ends.start);
  EXPECT_EQ(path.goal, ends.goal);
  // The corridor leads from the one cell to the other, and the funnel finds the same way in it.
  CellIndex at = corridor.first_cell;
  EXPECT_EQ(at, ends.from);
  for (PortalIndex p : corridor.portals) {
    EXPECT_TRUE(cells.portals[p].cell[0] == at || cells.portals[p].cell[1] == at);
    at = cells.across(p, at);
  }
  EXPECT_EQ(at, ends.to);
  FunnelScratch funnel;
  PulledPath pulled;
  pull(cells, corridor, ends.start, ends.goal, radius, funnel, pulled);
  EXPECT_NEAR(pulled.length, path.length, 1e-6) << "pulled";
  return path.length;
}

// Two obstacles that meet in one corner: a ray must not pass there, which the visibility graph does not know.
bool corners_touch(const WallScene& scene) {
  std::map<Point, int> uses;
  std::set<std::pair<Point, Point>> edges;
  for (const GridRing& ring : scene.obstacles)
    for (std::size_t i = 0; i < ring.size(); ++i) edges.insert({ring[i], ring[(i + 1) % ring.size()]});
  auto note = [&](Point a, Point b) {
    if (!edges.count({b, a})) ++uses[a], ++uses[b];  // shared edges are inside an obstacle
  };
  for (const auto& [a, b] : edges) note(a, b);
  for (const auto& [p, n] : uses)
    if (n > 2) return true;
  return false;
}

TEST(Shortest, OfAPointEqualsTheVisibilityGraphInRandomHalls) {
  std::mt19937 random(31);
  ShortestScratch scratch;
  PulledPath path;
  for (int round = 0; round < 60; ++round) {
    WallScene scene = random_hall(random, 20, 9, 0.1);
    scene.lines.clear();  // a foot in the middle of a thin wall would be a leak to the visibility graph
    const Cells cells = make_cells(scene, random, round % 3 ? 0.95 : 0.3);
    for (int i = 0; i < 4; ++i) {
      Ends ends;
      ASSERT_TRUE(random_ends(cells, 0, 20, 0, random, ends));
      const double expected = visibility_graph_length(cells, snap(ends.start), snap(ends.goal));
      EXPECT_NEAR(search(cells, ends, 0, scratch, path), expected, 1e-9) << "round " << round << " query " << i;
    }
  }
}

TEST(Shortest, OfAPointEqualsTheVisibilityGraphOnBoardsFullOfTies) {
  std::mt19937 random(32);
  ShortestScratch scratch;
  PulledPath path;
  int compared = 0;
  for (int round = 0; round < 120; ++round) {
    const bool turned = round % 2;
    const WallScene scene = random_board(random, 5, 1, 0.25, turned);
    if (corners_touch(scene)) continue;
    const Cells cells = make_cells(scene, random, 0.8);
    for (int i = 0; i < 4; ++i) {
      Ends ends;
      if (i % 2) {  // between corners of the board: on walls, borders and vertices
        std::uniform_int_distribution<std::uint32_t> any(0, static_cast<std::uint32_t>(cells.vertices.size()) - 1);
        ends.start = cells.position(any(random)), ends.goal = cells.position(any(random));
        ends.from = brute_cell_at(cells, ends.start), ends.to = brute_cell_at(cells, ends.goal);
        if (ends.from == kNoCell || ends.to == kNoCell) continue;
      } else if (!random_ends(cells, turned ? -20 : 0, 40, 0, random, ends)) {
        continue;
      }
      const double expected = visibility_graph_length(cells, snap(ends.start), snap(ends.goal));
      EXPECT_NEAR(search(cells, ends, 0, scratch, path), expected, 1e-9) << "round " << round << " query " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 60);
}

TEST(Shortest, OfADiscEqualsTheTangentGraph) {
  std::mt19937 random(33);
  ShortestScratch scratch;
  PulledPath path;
  int compared = 0, none = 0;
  for (int round = 0; round < 120; ++round) {
    const WallScene scene = random_hall(random, 12, 6, 0.2);
    const Cells cells = make_cells(scene, random, round % 3 ? 0.95 : 0.3);
    for (int i = 0; i < 3; ++i) {
      const double radius = std::uniform_real_distribution<>(0.05, 0.6)(random);
      Ends ends;
      if (!random_ends(cells, 0, 12, radius, random, ends)) continue;
      const double expected = tangent_graph_length(cells, ends.start, ends.goal, radius);
      const double found = search(cells, ends, radius, scratch, path);
      EXPECT_NEAR(found, expected, 1e-6) << "round " << round << " query " << i << " radius " << radius;
      if (found < kNever) {
        EXPECT_GE(clearance_of(cells, path), radius - 1e-6);
      }
      ++(expected < kNever ? compared : none);
    }
  }
  EXPECT_GT(compared, 200);
}

/// Half the distance of two corners, or nearly so: a gap as wide as the body, a little wider or a little narrower.
double radius_of_a_gap(const Cells& cells, double most, std::mt19937& random) {
  std::uniform_int_distribution<std::uint32_t> any(0, static_cast<std::uint32_t>(cells.vertices.size()) - 1);
  for (int attempt = 0; attempt < 50; ++attempt) {
    const double gap = distance(cells.position(any(random)), cells.position(any(random)));
    if (gap < 0.05 || gap > 2 * most) continue;
    const bool exactly = random() % 2 == 0;
    return 0.5 * gap * (exactly ? 1 - 1e-9 : std::uniform_real_distribution<>(0.998, 1.002)(random));
  }
  return most;
}

TEST(Shortest, OfADiscEqualsTheTangentGraphWhereGapsAreAsWideAsTheBody) {
  std::mt19937 random(37);
  ShortestScratch scratch;
  PulledPath path;
  int compared = 0;
  for (int round = 0; compared < 3000; ++round) {
    const bool board = round % 4 == 3, turned = round % 8 == 7;
    const double size = std::uniform_real_distribution<>(5, 11)(random);
    // Boards: collinear walls, obstacles that touch in corners, corridors of one width. Halls: thin walls, gaps of all sizes.
    const WallScene scene = board ? random_board(random, 5, 1, 0.3, turned)
                                  : random_hall(random, size, 3 + round % 7, std::uniform_real_distribution<>(0.01, 0.5)(random));
    const Cells cells = make_cells(scene, random, round % 3 ? 0.95 : 0.3);
    for (int i = 0; i < 8; ++i) {
      const double most = board ? 2.6 : 0.7;
      const double radius = i % 3 ? radius_of_a_gap(cells, most, random) : std::uniform_real_distribution<>(0.02, most)(random);
      Ends ends;
      if (!random_ends(cells, board && turned ? -20 : 0, board ? 40 : size, radius, random, ends)) continue;
      const double expected = tangent_graph_length(cells, ends.start, ends.goal, radius);
      EXPECT_NEAR(search(cells, ends, radius, scratch, path), expected, 1e-6)
          << "round " << round << " query " << i << " radius " << radius;
      compared += expected < kNever;
    }
  }
}

TEST(Shortest, DoesNotPassBetweenObstaclesThatMeetInACorner) {
  std::mt19937 random(34);
  WallScene scene;
  scene.outer = {at(0, 0), at(10, 0), at(10, 10), at(0, 10)};
  scene.obstacles = {{at(2, 2), at(5, 2), at(5, 5), at(2, 5)}, {at(5, 5), at(8, 5), at(8, 8), at(5, 8)}};
  const Cells cells = make_cells(scene, random);
  ShortestScratch scratch;
  PulledPath path;
  const Ends ends = {{4, 6}, {6, 4}, brute_cell_at(cells, {4, 6}), brute_cell_at(cells, {6, 4})};
  // Round one of the two obstacles: by (2, 5), (2, 2), (5, 2), or by the other's corners, which is as long.
  const double expected = distance({4, 6}, {2, 5}) + 3 + 3 + distance({5, 2}, {6, 4});
  EXPECT_NEAR(search(cells, ends, 0, scratch, path), expected, 1e-12);
}

TEST(Shortest, LeavesBlockedCellsOut) {
  std::mt19937 random(35);
  WallScene scene{{at(0, 0), at(10, 0), at(10, 10), at(0, 10)}, {{at(4, 4), at(6, 4), at(6, 6), at(4, 6)}}, {}};
  const Cells cells = make_cells(scene, random);
  ShortestScratch scratch;
  PulledPath path;
  Corridor corridor;
  const Vec2 start{1, 5.5}, goal{9, 5.5};
  const CellIndex from = brute_cell_at(cells, start), to = brute_cell_at(cells, goal);
  ASSERT_TRUE(shortest_path(cells, start, from, goal, to, 0.3, {}, scratch, corridor, path));
  const double free = path.length;
  std::vector<std::uint8_t> blocked(cells.cell_count(), 0);
  for (CellIndex c = 0; c < cells.cell_count(); ++c)  // all ground above the obstacle
    blocked[c] = c != from && c != to && depth_in_cell(cells, c, {5, 8}) >= 0;
  ASSERT_TRUE(shortest_path(cells, start, from, goal, to, 0.3, blocked, scratch, corridor, path));
  EXPECT_GT(path.length, free + 0.1);
  for (PortalIndex p : corridor.portals)
    for (CellIndex c : cells.portals[p].cell) EXPECT_FALSE(blocked[c]);
  std::fill(blocked.begin(), blocked.end(), 1);
  blocked[from] = blocked[to] = 0;
  EXPECT_FALSE(shortest_path(cells, start, from, goal, to, 0.3, blocked, scratch, corridor, path));
}

TEST(Shortest, IsNeverLongerThanTheFewestPortals) {
  std::mt19937 random(36);
  ShortestScratch scratch;
  FunnelScratch funnel;
  PulledPath path, other;
  for (int round = 0; round < 60; ++round) {
    const Cells cells = make_cells(random_hall(random, 20, 10, 0.2), random);
    for (int i = 0; i < 10; ++i) {
      const double radius = std::uniform_real_distribution<>(0.0, 0.6)(random);
      Ends ends;
      if (!random_ends(cells, 0, 20, radius, random, ends)) continue;
      const Corridor corridor = fewest_portals(cells, ends.start, ends.from, ends.goal, ends.to, radius);
      const double found = search(cells, ends, radius, scratch, path);
      ASSERT_EQ(corridor.first_cell == kNoCell, found == kNever) << "round " << round << " query " << i;
      if (found == kNever) continue;
      pull(cells, corridor, ends.start, ends.goal, radius, funnel, other);
      EXPECT_LE(found, other.length + 1e-9) << "round " << round << " query " << i << " radius " << radius;
    }
  }
}

}  // namespace
}  // namespace throng
