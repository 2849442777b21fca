// SPDX-License-Identifier: MIT
#include "routing/funnel.hpp"

#include <gtest/gtest.h>

#include "routing/tangent_search.hpp"
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

TEST(Funnel, TakesInMoreCornersThanItHasPortals) {
  // Three rooms in a row; the ceiling of the middle one is a shallow arc of a hundred corners, all within reach of a body that
  // walks under it from one gap over a wall to the other.
  Cells cells;
  const auto corner = [&](double x, double y) {
    cells.vertices.push_back(at(x, y));
    return static_cast<std::uint32_t>(cells.vertices.size() - 1);
  };
  const std::uint32_t a = corner(5, 0), b = corner(5, 8.5), c = corner(5, 10);
  const std::uint32_t d = corner(15, 0), e = corner(15, 8.5), f = corner(15, 10);
  cells.sides = {{corner(0, 0), kNoPortal}, {a, kNoPortal}, {b, 0}, {c, kNoPortal}, {corner(0, 10), kNoPortal}};
  cells.side_start = {0, 5};
  for (const Side side : {Side{a, kNoPortal}, Side{d, kNoPortal}, Side{e, 1}, Side{f, kNoPortal}}) cells.sides.push_back(side);
  for (int i = 1; i < 100; ++i) cells.sides.push_back({corner(15 - 0.1 * i, 10 + 0.4 * std::sin(M_PI * i / 100)), kNoPortal});
  cells.sides.push_back({c, 0});
  cells.sides.push_back({b, kNoPortal});
  cells.side_start.push_back(static_cast<std::uint32_t>(cells.sides.size()));
  for (const Side side :
       {Side{d, kNoPortal}, Side{corner(20, 0), kNoPortal}, Side{corner(20, 10), kNoPortal}, Side{f, 1}, Side{e, kNoPortal}})
    cells.sides.push_back(side);
  cells.side_start.push_back(static_cast<std::uint32_t>(cells.sides.size()));
  cells.portals = {{.vertex = {b, c}, .cell = {0, 1}}, {.vertex = {e, f}, .cell = {1, 2}}};
  cells.layer = {0, 0, 0};
  cells.vertex_kind.assign(cells.vertices.size(), VertexKind::kCorner);
  link_portals(cells);

  const double radius = 0.7;
  FunnelScratch scratch;
  PulledPath path;
  pull(cells, {0, {0, 1}}, {4, 9}, {16, 9}, radius, scratch, path);
  EXPECT_GE(clearance_of(cells, path), radius - 1e-6);
  ASSERT_EQ(path.bends.size(), 2u);
  EXPECT_EQ(path.bends[0].vertex, b);
  EXPECT_EQ(path.bends[1].vertex, e);
  EXPECT_NEAR(distance(path.bends[0].leave, path.bends[1].arrive), 10, 1e-12);
}

struct GapHall {
  std::mt19937 random;
  double size;
  Cells cells;
  std::vector<std::array<Vec2, 2>> walls;

  explicit GapHall(unsigned seed) : random(seed) {
    constexpr double kSize[] = {20, 12, 8, 20}, kGap[] = {0.3, 0.2, 0.15, 0.25};
    constexpr int kCount[] = {8, 10, 14, 20};
    size = kSize[seed % 4];
    cells = make_cells(random_hall(random, size, kCount[seed % 4], kGap[seed % 4]), random, seed % 3 ? 0.95 : 0.3);
    for (const auto& [a, b] : wall_pairs_of(cells)) walls.push_back({cells.position(a), cells.position(b)});
  }
  double uniform(double a, double b) { return std::uniform_real_distribution<>(a, b)(random); }
  double clearance_at(Vec2 p) const {
    double least = kNever;
    for (const auto& w : walls) least = std::min(least, distance_to_segment(p, w[0], w[1]));
    return least;
  }
  bool place(double radius, Vec2& p, CellIndex& c) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const double x = uniform(-0.2 * size, 1.2 * size), y = uniform(0, 1.2 * size);
      p = to_metres(snap({x, y}));
      c = brute_cell_at(cells, p);
      if (c != kNoCell && clearance_at(p) >= radius + 1e-6) return true;
    }
    return false;
  }
  // Every other body is about as wide as one of the gaps, every fourth as wide as it to a millionth.
  double radius(int query) {
    if (query % 2) return uniform(0.05, 0.9);
    const double width = cells.widths[static_cast<std::size_t>(uniform(0, static_cast<double>(cells.widths.size()) - 1e-9))];
    return width / 2 * (query % 4 ? uniform(0.9, 1.0) : 1 - 1e-6 * uniform(0, 1));
  }
  // Least distance of the path to the walls; arcs sampled, legs exact.
  double clearance_of_path(const PulledPath& path) const {
    double least = kNever;
    Vec2 from = path.start;
    const auto leg = [&](Vec2 a, Vec2 b) {
      for (const auto& w : walls) least = std::min(least, distance_of_segments(a, b, w[0], w[1]));
    };
    for (const Bend& bend : path.bends) {
      leg(from, bend.arrive);
      from = bend.leave;
      const Vec2 c = cells.position(bend.vertex), u = bend.arrive - c, v = bend.leave - c;
      const double way = bend.turns_left ? 1 : -1;
      double turn = std::atan2(way * cross(u, v), dot(u, v));
      if (turn < 0) turn = turn > -1e-6 ? 0 : turn + 2 * M_PI;
      const int pieces = 1 + static_cast<int>(turn / 0.01);
      for (int k = 0; k <= pieces; ++k) {
        const double t = way * turn * k / pieces;
        least =
            std::min(least, clearance_at(c + Vec2{u.x * std::cos(t) - u.y * std::sin(t), u.x * std::sin(t) + u.y * std::cos(t)}));
      }
    }
    leg(from, path.goal);
    return least;
  }
};

// In each of these halls the funnel alone, or the end legs alone, once let a path through a wall or too close to one (found among
// 1,000,000): circles met out of order, corners next to the goal on the arc before it, corners that the opposite circle pushes a
// way to, an end of a thin wall that is passed twice.
TEST(Funnel, KeepsTheRadiusWhereGapsAreAsWideAsTheBody) {
  FunnelScratch scratch;
  PulledPath path;
  int paths = 0, disturbed = 0;
  for (const unsigned seed : {1019u, 1104u, 1267u, 1361u, 1481u, 1591u, 1889u, 2118u, 2270u, 2669u, 2743u, 3461u, 3818u, 4438u}) {
    GapHall hall(seed);
    for (int query = 0; query < 400; ++query) {
      const double radius = hall.radius(query);
      if (!(radius > 0.03) || radius > 1.2) continue;
      Query q;
      if (!hall.place(radius, q.start, q.from) || !hall.place(radius, q.goal, q.to)) continue;
      const Corridor corridor = fewest_portals(hall.cells, q.start, q.from, q.goal, q.to, radius);
      if (corridor.first_cell == kNoCell) continue;
      if (corridor.portals.empty()) {
        const std::uint32_t first = hall.cells.triangle_start[q.from];
        InnerWidthScratch inner;
        if (inner_width(hall.cells, q.from, brute_triangle_at(hall.cells, q.from, q.start) - first,
                        brute_triangle_at(hall.cells, q.from, q.goal) - first, inner) < 2 * radius)
          continue;
      }
      pull(hall.cells, corridor, q.start, q.goal, radius, scratch, path);
      ++paths;
      disturbed += !scratch.disturbed.empty();
      EXPECT_GE(hall.clearance_of_path(path), radius - 1e-6) << "hall " << seed << " query " << query << " radius " << radius;
    }
  }
  EXPECT_GT(paths, 2500);
  EXPECT_GT(disturbed, 150);
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

TEST(TangentSearch, FindsTheShortestWayOfADiscInTheCorridor) {
  std::mt19937 random(19);
  FunnelScratch scratch;
  PulledPath path;
  int compared = 0;
  for (int round = 0; round < 30; ++round) {
    const Cells cells = make_cells(random_hall(random, 12, 6, 0.2), random, round % 3 ? 0.95 : 0.3);
    for (int i = 0; i < 2; ++i) {
      const double radius = std::uniform_real_distribution<>(0.1, 0.7)(random);
      Query q;
      if (!random_query(cells, 12, radius, random, q)) continue;
      const Corridor corridor = fewest_portals(cells, q.start, q.from, q.goal, q.to, radius);
      if (corridor.first_cell == kNoCell) continue;
      pull(cells, corridor, q.start, q.goal, radius, scratch, path);
      PulledPath searched = path;
      ASSERT_TRUE(search_tangents(cells, corridor, scratch.cells, searched)) << "round " << round;
      ++compared;
      // The funnel's length is that of the oracle (above); here the corners have to be the same.
      ASSERT_EQ(searched.bends.size(), path.bends.size()) << "round " << round;
      for (std::size_t k = 0; k < path.bends.size(); ++k) {
        EXPECT_EQ(searched.bends[k].vertex, path.bends[k].vertex);
        EXPECT_EQ(searched.bends[k].turns_left, path.bends[k].turns_left);
      }
    }
  }
  EXPECT_GT(compared, 30);
}

TEST(TangentSearch, FindsNothingWhereTheBodyDoesNotFit) {
  std::mt19937 random(1);
  const WallScene scene{{at(0, 0), at(10, 0), at(10, 10), at(0, 10)}, {}, {{at(5, 0), at(5, 4)}, {at(5, 6), at(5, 10)}}};
  const Cells cells = make_cells(scene, random);
  PulledPath path;
  path.start = {2, 5};
  path.goal = {8, 5};
  const Corridor corridor =
      fewest_portals(cells, path.start, brute_cell_at(cells, path.start), path.goal, brute_cell_at(cells, path.goal), 0.9);
  ASSERT_NE(corridor.first_cell, kNoCell);
  std::vector<CellIndex> row = {corridor.first_cell};
  for (PortalIndex p : corridor.portals) row.push_back(cells.across(p, row.back()));
  path.radius = 0.99;
  EXPECT_TRUE(search_tangents(cells, corridor, row, path));
  path.radius = 1.01;
  EXPECT_FALSE(search_tangents(cells, corridor, row, path));
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
