// SPDX-License-Identifier: MIT
// The grid that all baked geometry lives on, and the exact predicates that decide on it.
#pragma once
#include <cmath>
#include <compare>
#include <cstdint>

#include <throng/vec.hpp>

namespace throng {

/// Grid units per metre: baked coordinates are multiples of 2^-10 m.
inline constexpr std::int32_t kUnitsPerMetre = 1024;
inline constexpr double kUnit = 1.0 / kUnitsPerMetre;
/// Coordinates stay below this (16 km), so that orient fits 64 and in_circle 128 bits.
inline constexpr std::int32_t kCoordinateLimit = 1 << 24;

/// A point of the grid, in units of 2^-10 m from the scene's origin.
struct Point {
  std::int32_t x = 0;
  std::int32_t y = 0;
  friend constexpr auto operator<=>(Point, Point) = default;
};

inline Point snap(Vec2 p) {
  return {static_cast<std::int32_t>(std::lround(p.x * kUnitsPerMetre)),
          static_cast<std::int32_t>(std::lround(p.y * kUnitsPerMetre))};
}
/// Whether `snap` gives a point of the grid; also false for NaN.
inline bool fits_grid(Vec2 p) {
  const double limit = (kCoordinateLimit - 1) * kUnit;
  return std::abs(p.x) <= limit && std::abs(p.y) <= limit;
}
constexpr Vec2 to_metres(Point p) { return {p.x * kUnit, p.y * kUnit}; }

constexpr std::int64_t distance_squared(Point a, Point b) {
  const std::int64_t dx = std::int64_t{b.x} - a.x, dy = std::int64_t{b.y} - a.y;
  return dx * dx + dy * dy;
}

/// Twice the signed area of abc: positive iff c lies left of a→b.
/// orient(a,b,c) = orient(b,c,a) = -orient(b,a,c); zero iff collinear.
constexpr std::int64_t orient(Point a, Point b, Point c) {
  return (std::int64_t{a.x} - c.x) * (std::int64_t{b.y} - c.y) - (std::int64_t{a.y} - c.y) * (std::int64_t{b.x} - c.x);
}

/// Positive iff d lies strictly inside the circle through the counter-clockwise triangle abc, 0 on it.
/// Even permutations of abc keep the sign, odd ones negate it.
constexpr int in_circle(Point a, Point b, Point c, Point d) {
  __extension__ using Wide = __int128;
  const std::int64_t ax = std::int64_t{a.x} - d.x, ay = std::int64_t{a.y} - d.y;
  const std::int64_t bx = std::int64_t{b.x} - d.x, by = std::int64_t{b.y} - d.y;
  const std::int64_t cx = std::int64_t{c.x} - d.x, cy = std::int64_t{c.y} - d.y;
  const Wide det = Wide{ax * ax + ay * ay} * (bx * cy - by * cx) + Wide{bx * bx + by * by} * (cx * ay - cy * ax) +
                   Wide{cx * cx + cy * cy} * (ax * by - ay * bx);
  return (det > 0) - (det < 0);
}

}  // namespace throng
