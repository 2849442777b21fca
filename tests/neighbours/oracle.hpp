// SPDX-License-Identifier: MIT
// Brute force that neighbour graphs are held against; shares no line with src/neighbours.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "neighbours/crowd.hpp"

namespace throng::testing {

__extension__ using Wide = __int128;

/// In-circle with heights that are raised for real: by powers of 2^16 in the lexicographic order of the four points, a unit of
/// which is 2^-64 of a true one. For coordinates within ±64.
inline bool inside_raised(Point a, Point b, Point c, Point d) {
  const std::array<Point, 4> points{a, b, c, d};
  std::array<Wide, 4> height;
  for (std::size_t i = 0; i < 4; ++i) {
    int rank = 0;
    for (const Point other : points) rank += other < points[i];
    height[i] = (Wide{points[i].x} * points[i].x + Wide{points[i].y} * points[i].y) << 64;
    height[i] += Wide{1} << (16 * rank);
  }
  Wide rows[3][3];
  for (std::size_t i = 0; i < 3; ++i) {
    rows[i][0] = points[i].x - d.x, rows[i][1] = points[i].y - d.y, rows[i][2] = height[i] - height[3];
  }
  const auto minor = [&](int r, int s) { return rows[r][0] * rows[s][1] - rows[r][1] * rows[s][0]; };
  return rows[0][2] * minor(1, 2) - rows[1][2] * minor(0, 2) + rows[2][2] * minor(0, 1) > 0;
}

/// Links of a few agents on a small grid: all triangles whose raised circle is empty, and chains on a line.
inline Links brute_links(const std::vector<Point>& agents) {
  std::map<Point, std::vector<std::uint32_t>> places;
  for (std::uint32_t i = 0; i < agents.size(); ++i) places[agents[i]].push_back(i);
  std::vector<Point> points;
  for (const auto& [p, who] : places) points.push_back(p);
  std::set<std::pair<Point, Point>> edges;
  bool flat = true;
  for (const Point a : points)
    for (const Point b : points)
      for (const Point c : points) {
        if (orient(a, b, c) <= 0) continue;
        flat = false;
        bool empty = true;
        for (const Point d : points)
          if (d != a && d != b && d != c && inside_raised(a, b, c, d)) empty = false;
        if (empty) edges.insert({{a, b}, {b, a}, {b, c}, {c, b}, {c, a}, {a, c}});
      }
  if (flat)
    for (std::size_t i = 0; i + 1 < points.size(); ++i) edges.insert({{points[i], points[i + 1]}, {points[i + 1], points[i]}});
  Links links;
  for (const auto& [p, who] : places)
    for (const std::uint32_t i : who)
      for (const std::uint32_t j : who)
        if (i != j) links.insert({i, j});
  for (const auto& [p, q] : edges)
    for (const std::uint32_t i : places[p])
      for (const std::uint32_t j : places[q]) links.insert({i, j});
  return links;
}

/// Whether some circle through a and b has no point inside. Circles through both have centres on the bisector; each other point
/// allows a half-line of it. Exact for coordinates within 2^20.
inline bool has_empty_circle(Point a, Point b, const std::vector<Point>& points) {
  struct Fraction {
    Wide numerator, denominator;  // denominator > 0
    bool operator<(const Fraction& other) const { return numerator * other.denominator < other.numerator * denominator; }
  };
  std::optional<Fraction> low, high;
  for (const Point p : points) {
    if (p == a || p == b) continue;
    // Centre = middle + t·normal; p is outside iff t·side ≤ (pa·pb) / 2, side = orient(a, b, p).
    const Wide side = orient(a, b, p);
    const Wide dot = Wide{std::int64_t{a.x} - p.x} * (b.x - p.x) + Wide{std::int64_t{a.y} - p.y} * (b.y - p.y);
    if (side == 0) {
      if (dot < 0) return false;
    } else if (side > 0) {
      const Fraction limit{dot, side};
      if (!high || limit < *high) high = limit;
    } else {
      const Fraction limit{-dot, -side};
      if (!low || *low < limit) low = limit;
    }
  }
  return !low || !high || !(*high < *low);
}

enum class Crossing { kNone, kTouches, kCrosses };

/// A segment against all walls of the cells, one after the other.
class WallOracle {
 public:
  explicit WallOracle(const Cells& cells) {
    for (CellIndex c = 0; c < cells.cell_count(); ++c) {
      const auto sides = cells.sides_of(c);
      for (std::size_t i = 0; i < sides.size(); ++i)
        if (sides[i].portal == kNoPortal)
          walls_.push_back({cells.vertices[sides[i].vertex], cells.vertices[sides[(i + 1) % sides.size()].vertex]});
    }
  }
  Crossing cross(Point a, Point b) const {
    Crossing worst = Crossing::kNone;
    for (const auto& [c, d] : walls_) {
      if (std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x)) continue;
      const auto sign = [](std::int64_t v) { return (v > 0) - (v < 0); };
      const int s = sign(orient(a, b, c)) * sign(orient(a, b, d)), t = sign(orient(c, d, a)) * sign(orient(c, d, b));
      if (s < 0 && t < 0) return Crossing::kCrosses;
      if (s <= 0 && t <= 0) worst = Crossing::kTouches;
    }
    return worst;
  }

 private:
  std::vector<std::pair<Point, Point>> walls_;
};

}  // namespace throng::testing
