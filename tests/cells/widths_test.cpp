// SPDX-License-Identifier: MIT
// Widths of turns and of ways through cells (ALGORITHMS §1.2, erratum L-8), against brute force over all walls.
// Whether discs of such widths really pass is the business of tests/navigation/width_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <queue>

#include "cells/widths.hpp"
#include "scene/city.hpp"
#include "scene/office.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

/// Distance from a to the part of a wall between the directions to b and to c (c left of b); infinite if there is none. The
/// nearest such part of all walls hides behind no other, so no visibility is needed.
double distance_in_wedge(Vec2 a, Vec2 b, Vec2 c, const WallSegment& wall) {
  Vec2 p = wall.a, q = wall.b;
  for (const auto& [direction, sign] : {std::pair{b - a, 1.0}, std::pair{c - a, -1.0}}) {
    const double side_p = sign * cross(direction, p - a), side_q = sign * cross(direction, q - a);
    if (side_p < 0 && side_q < 0) return std::numeric_limits<double>::infinity();
    if (side_p < 0)
      p = p + (side_p / (side_p - side_q)) * (q - p);
    else if (side_q < 0)
      q = q + (side_q / (side_q - side_p)) * (p - q);
  }
  return distance_to({p, q}, a);
}

/// For a triangle corner between two free edges.
double brute_turn(Vec2 a, Vec2 b, Vec2 c, const std::vector<WallSegment>& walls) {
  double best = std::min(distance(a, b), distance(a, c));
  for (const WallSegment& w : walls)
    if (w.a != a && w.b != a) best = std::min(best, distance_in_wedge(a, b, c, w));
  return best;
}

struct WidthsOf {
  const Cells& cells;
  std::vector<WallSegment> walls = wall_segments_of(cells);

  bool is_wall(CellIndex c, std::uint32_t a, std::uint32_t b) const {
    const auto sides = cells.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i)
      if (sides[i].portal == kNoPortal && sides[i].vertex == a && sides[(i + 1) % sides.size()].vertex == b) return true;
    return false;
  }
  static int edge_of(const CellTriangle& t, std::uint32_t a, std::uint32_t b) {
    for (int i = 0; i < 3; ++i)
      if (t.vertex[(i + 1) % 3] == a && t.vertex[(i + 2) % 3] == b) return i;
    return -1;
  }

  /// Widths from one portal of a cell to all, by walking its triangles.
  std::vector<double> from(CellIndex c, std::uint32_t slot) const {
    const auto triangles = cells.triangles_of(c);
    const auto own = cells.portals_of(c);
    std::vector<double> width(own.size(), -1);
    struct Step {
      std::size_t triangle;
      int entry;
      double width;
    };
    std::queue<Step> queue;
    const auto ends_of = [&](std::uint32_t s) {
      const Portal& p = cells.portals[own[s]];
      const int end = cells.end_of(own[s], c);
      return std::pair{p.vertex[end], p.vertex[1 - end]};
    };
    const auto [first, second] = ends_of(slot);
    const double length = distance(cells.position(first), cells.position(second));
    width[slot] = length;
    for (std::size_t t = 0; t < triangles.size(); ++t)
      if (const int e = edge_of(triangles[t], first, second); e >= 0) queue.push({t, e, length});
    while (!queue.empty()) {
      const Step step = queue.front();
      queue.pop();
      const CellTriangle& t = triangles[step.triangle];
      for (int i = 0; i < 3; ++i) {
        if (i == step.entry || is_wall(c, t.vertex[(i + 1) % 3], t.vertex[(i + 2) % 3])) continue;
        const int corner = 3 - i - step.entry;
        const double w =
            std::min(step.width, brute_turn(cells.position(t.vertex[corner]), cells.position(t.vertex[(corner + 1) % 3]),
                                            cells.position(t.vertex[(corner + 2) % 3]), walls));
        const std::uint32_t a = t.vertex[(i + 1) % 3], b = t.vertex[(i + 2) % 3];
        for (std::uint32_t s = 0; s < own.size(); ++s)
          if (ends_of(s) == std::pair{a, b}) width[s] = w;
        for (std::size_t other = 0; other < triangles.size(); ++other)
          if (const int e = edge_of(triangles[other], b, a); e >= 0) queue.push({other, e, w});
      }
    }
    return width;
  }
};

void expect_brute_force(const Scene& scene, double gap) {
  const BuiltCells built = build(scene, {.narrow_gap = gap});
  const Cells& cells = built.cells();
  const WidthsOf brute{cells};
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    const auto own = cells.portals_of(c);
    for (std::uint32_t s = 0; s < own.size(); ++s) {
      const std::vector<double> expected = brute.from(c, s);
      for (std::uint32_t other = 0; other < own.size(); ++other) {
        const float width = cells.width(c, s, other);
        EXPECT_NEAR(width, expected[other], 1e-6 * (1 + expected[other])) << "cell " << c << ", " << s << " → " << other;
        EXPECT_LE(width, expected[other] + 1e-12) << "rounded up";
        EXPECT_EQ(width, cells.width(c, other, s)) << "not symmetric";
        EXPECT_LE(width, std::min(cells.width(c, s, s), cells.width(c, other, other))) << "wider than a portal";
      }
    }
  }
}

TEST(Widths, AreThoseOfBruteForce) {
  for (double gap : {0.0, 1.1})
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(seed);
      expect_brute_force(random_scene(seed, 15, 6 + static_cast<int>(seed % 20)), gap);
    }
  expect_brute_force(make_office(12), 1.1);
}

TEST(Widths, SeeTheEndsOfThinWalls) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Scene scene = scene_of(Layer{.walkable = {box(0, 0, 12, 12)}});
    RandomStream random(seed, 0, 5);
    for (int i = 0; i < 14; ++i) {
      // On a coarse grid, so that many stand in line with corners and with each other.
      const auto at = [&] { return static_cast<double>(random.integer(1, 11)); };
      const Vec2 from{at(), at()};
      const Vec2 step = random.chance(0.5) ? Vec2{1, 0} : random.chance(0.5) ? Vec2{0, 1} : Vec2{0.5, 0.5};
      scene.layers[0].walls.push_back({from, from + step});
    }
    expect_brute_force(scene, seed % 2 ? 0 : 1.1);
  }
}

TEST(Widths, AccessFromATriangleIsAtLeastTheWayThroughIt) {
  // What passes from portal to portal through a triangle can get from the triangle to either portal.
  const BuiltCells built = build(random_scene(4, 20, 30));
  const Cells& cells = built.cells();
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    const auto own = cells.portals_of(c);
    const auto triangles = cells.triangles_of(c);
    for (std::uint32_t s = 0; s < own.size(); ++s) {
      const Portal& p = cells.portals[own[s]];
      const int end = cells.end_of(own[s], c);
      float best = 0;
      for (std::size_t t = 0; t < triangles.size(); ++t) {
        const float access = cells.access[cells.access_start[c] + t * own.size() + s];
        EXPECT_GT(access, 0);
        EXPECT_LE(access, cells.width(c, s, s));
        best = std::max(best, access);
        if (WidthsOf::edge_of(triangles[t], p.vertex[end], p.vertex[1 - end]) < 0) continue;
        EXPECT_EQ(access, cells.width(c, s, s)) << "at the portal's own triangle";
        for (std::uint32_t other = 0; other < own.size(); ++other)
          EXPECT_GE(cells.access[cells.access_start[c] + t * own.size() + other], cells.width(c, s, other));
      }
      EXPECT_EQ(best, cells.width(c, s, s));
    }
  }
}

TEST(Widths, AFloatIsRoundedDown) {
  for (double w : {0.1, 1.0, 1.0 + 1e-9, 123.456789, 1e-20}) {
    EXPECT_LE(double{round_down(w)}, w);
    EXPECT_NEAR(round_down(w), w, 1e-6 * w);
  }
  EXPECT_EQ(round_down(0.5), 0.5f);
}

}  // namespace
}  // namespace throng
