// SPDX-License-Identifier: MIT
#include "scene/wall_gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geometry/point.hpp"

namespace throng {
namespace {

using Walls = std::vector<Segment>;

Vec2 on_grid(Vec2 p) { return to_metres(snap(p)); }

/// Whether wall ends hang together: pieces are joined only where they share an end point exactly.
int pieces(const Walls& walls) {
  std::vector<int> piece(walls.size());
  for (std::size_t i = 0; i < walls.size(); ++i) piece[i] = static_cast<int>(i);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < walls.size(); ++i)
      for (std::size_t k = 0; k < walls.size(); ++k) {
        const Segment &s = walls[i], &t = walls[k];
        if (piece[k] > piece[i] && (s.a == t.a || s.a == t.b || s.b == t.a || s.b == t.b)) piece[k] = piece[i], changed = true;
      }
  }
  std::sort(piece.begin(), piece.end());
  return static_cast<int>(std::unique(piece.begin(), piece.end()) - piece.begin());
}

double total_length(const Walls& walls) {
  double sum = 0;
  for (const Segment& s : walls) sum += distance(s.a, s.b);
  return sum;
}

TEST(WallGaps, LeavesWallsThatMeetAndWallsFarApartAlone) {
  const Walls meeting{{{0, 0}, {4, 0}}, {{2, 0}, {2, 3}}, {{4, 0}, {4, 4}}};
  EXPECT_EQ(close_gaps(meeting, 0.05).size(), 3u) << "corner and T-junction";
  EXPECT_EQ(close_gaps(Walls{{{0, 0}, {4, 0}}, {{4.25, 0}, {8, 0}}}, 0.05).size(), 2u);
  EXPECT_TRUE(close_gaps(Walls{}, 0.05).empty());
}

TEST(WallGaps, JoinsTwoLooseEnds) {
  const Walls walls{{{0, 0}, {4, 0}}, {{4.03125, 0}, {8, 1}}};
  EXPECT_EQ(pieces(walls), 2);
  const Walls closed = close_gaps(walls, 0.05);
  EXPECT_EQ(pieces(closed), 1);
  EXPECT_EQ(closed.size(), 3u);
  EXPECT_NEAR(total_length(closed), total_length(walls) + 0.03125, 1e-12);
}

TEST(WallGaps, ClosesAWallThatMissesARotatedOneByLessThanAMillimetreOrByCentimetres) {
  // Ends at every distance from 0 to 4 cm below a wall on which hardly any point of the grid lies.
  const Segment rotated{{0, 0}, {8, 3.0009765625}};
  for (int i = 1; i < 60; ++i) {
    const double x = 0.1 * i + 0.03, gap = 0.04 * i / 60;
    const Segment wall{on_grid({x, x * 3.0009765625 / 8 - gap}), on_grid({x, -2})};
    const Walls closed = close_gaps(Walls{rotated, wall}, 0.05);
    EXPECT_EQ(pieces(closed), 1) << gap;
    EXPECT_LT(total_length(closed), total_length({rotated, wall}) + 0.05) << gap;
  }
}

TEST(WallGaps, JoinsClosedPiecesThatNearlyTouchButNotTheCornersOfOnePiece) {
  const auto box = [](double x) {
    return Walls{{{x, 0}, {x + 1, 0}}, {{x + 1, 0}, {x + 1, 1}}, {{x, 1}, {x + 1, 1}}, {{x, 0}, {x, 1}}};
  };
  Walls walls = box(0);
  const Walls second = box(1.015625);
  walls.insert(walls.end(), second.begin(), second.end());
  const Walls closed = close_gaps(walls, 0.05);
  EXPECT_EQ(pieces(closed), 1);
  EXPECT_EQ(closed.size(), walls.size() + 2) << "one bridge at each mouth of the crack";
  Walls ring;  // 3 cm edges: its corners are near each other, but it is one piece
  for (int i = 0; i < 12; ++i) {
    const auto corner = [](int k) { return on_grid({0.0625 * std::cos(k * M_PI / 6), 0.0625 * std::sin(k * M_PI / 6)}); };
    ring.push_back({corner(i), corner((i + 1) % 12)});
  }
  EXPECT_EQ(close_gaps(ring, 0.05).size(), ring.size());
}

}  // namespace
}  // namespace throng
