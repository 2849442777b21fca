// SPDX-License-Identifier: MIT
// Where walls are in the cell between four columns (scene/sheet_outlines.hpp).
#include <algorithm>
#include <cmath>
#include <span>

#include "scene/sheet_outlines.hpp"

namespace throng {
namespace {

constexpr double kAir = 0.004;     ///< metres between a vertex and its wall: the sides of a thin wall stay apart
constexpr double kCorner = 0.15;   ///< sine between walls from which on they form a corner
constexpr double kInside = 0.495;  ///< steps from the middle of a cell that a vertex may be, in x and in y

/// Where a link meets what ends it.
struct Crossing {
  double along = 0.25;  ///< steps from the node
  Vec2 at;
  Vec2 wall;  ///< the wall's direction, of length 1
};

std::span<const WallPiece> pieces_of(const Surface& s, NodeIndex n) {
  const auto found = std::lower_bound(s.border.begin(), s.border.end(), n);
  if (found == s.border.end() || *found != n) return {};
  const auto b = static_cast<std::size_t>(found - s.border.begin());
  return {s.pieces.data() + s.piece_start[b], s.piece_start[b + 1] - s.piece_start[b]};
}

/// How far along the link from `node` a piece crosses it, in steps; a point near the link counts as a wall across it.
bool meets(const WallPiece& piece, Vec2 node, Vec2 direction, double step, double& along) {
  constexpr double kNear = 1e-3;  // steps
  const Vec2 a = (1 / step) * (Vec2{piece.ax, piece.ay} - node), b = (1 / step) * (Vec2{piece.bx, piece.by} - node);
  const double side_a = cross(direction, a), side_b = cross(direction, b);
  if (std::abs(side_a) < kNear && std::abs(side_b) < kNear)
    along = std::min(dot(direction, a), dot(direction, b));
  else if ((side_a > kNear && side_b > kNear) || (side_a < -kNear && side_b < -kNear))
    return false;
  else
    along = dot(direction, a + std::clamp(side_a / (side_a - side_b), 0.0, 1.0) * (b - a));
  return along > -0.01 && along < 1.01;
}

Crossing crossing_of(const Surface& s, NodeIndex n, int direction) {
  const Vec2 node = s.position(n),
             d{static_cast<double>(kDirections[direction].i), static_cast<double>(kDirections[direction].j)};
  Crossing found;
  found.wall = left(d);
  bool any = false;
  for (const WallPiece& piece : pieces_of(s, n)) {
    double along = 0;
    if (!meets(piece, node, d, s.step, along) || (any && along >= found.along)) continue;
    any = true;
    found.along = along;
    const Vec2 line = Vec2{piece.bx, piece.by} - Vec2{piece.ax, piece.ay};
    const double size = length(line);
    found.wall = size > 1e-4 * s.step && std::abs(cross(d, line)) > 0.02 * size ? (1 / size) * line : left(d);
  }
  found.along = std::clamp(found.along - kAir / s.step, 0.01, 0.99);
  found.at = node + s.step * found.along * d;
  return found;
}

/// In the cell, or so little outside that the cell there may not see it either.
bool is_inside(const Surface& s, Vec2 middle, Vec2 p) {
  constexpr double kAlmost = 0.52;
  return std::abs(p.x - middle.x) <= kAlmost * s.step && std::abs(p.y - middle.y) <= kAlmost * s.step;
}

Vec2 clamped(const Surface& s, Vec2 middle, Vec2 p) {
  const double most = kInside * s.step;
  return {std::clamp(p.x, middle.x - most, middle.x + most), std::clamp(p.y, middle.y - most, middle.y + most)};
}

/// Of the walls across one link the end that reaches farthest into the cell.
bool farthest_end(const Surface& s, const FanEnds& fan, Vec2& end) {
  const Vec2 out{static_cast<double>(kDirections[fan.first_direction].i),
                 static_cast<double>(kDirections[fan.first_direction].j)};
  const Vec2 link = s.position(fan.first);
  double farthest = 0.02 * s.step;
  bool any = false;
  for (const auto& [n, direction] : {std::pair{fan.first, fan.first_direction}, {fan.last, fan.last_direction}}) {
    const Vec2 node = s.position(n),
               d{static_cast<double>(kDirections[direction].i), static_cast<double>(kDirections[direction].j)};
    for (const WallPiece& piece : pieces_of(s, n)) {
      double along = 0;
      if (!meets(piece, node, d, s.step, along)) continue;
      for (const Vec2 p : {Vec2{piece.ax, piece.ay}, Vec2{piece.bx, piece.by}})
        if (const double away = std::abs(cross(out, p - link)); away > farthest && is_inside(s, fan.middle, p))
          farthest = away, end = p, any = true;
    }
  }
  return any;
}

}  // namespace

Vec2 place_vertex(const Surface& s, const FanEnds& fan) {
  const Crossing a = crossing_of(s, fan.first, fan.first_direction), b = crossing_of(s, fan.last, fan.last_direction);
  const double sine = cross(a.wall, b.wall);
  if (std::abs(sine) > kCorner) {
    const Vec2 corner = a.at + (cross(b.at - a.at, b.wall) / sine) * a.wall;
    if (is_inside(s, fan.middle, corner)) return clamped(s, fan.middle, corner);
  }
  Vec2 end;
  if (fan.between && farthest_end(s, fan, end)) return clamped(s, fan.middle, end);
  return clamped(s, fan.middle, 0.5 * (a.at + b.at));
}

}  // namespace throng
