// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace throng {

/// A point or vector of the plane in metres, x east, y north, relative to the scene's origin.
struct Vec2 {
  double x = 0;
  double y = 0;

  friend constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Vec2 operator*(double s, Vec2 a) { return {s * a.x, s * a.y}; }
  friend constexpr bool operator==(Vec2 a, Vec2 b) = default;
};

constexpr double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
constexpr double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
constexpr Vec2 left(Vec2 v) { return {-v.y, v.x}; }
inline double length(Vec2 v) { return std::sqrt(dot(v, v)); }
inline double distance(Vec2 a, Vec2 b) { return length(b - a); }

/// A point of space in metres, z up.
struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;

  friend constexpr bool operator==(Vec3 a, Vec3 b) = default;
};

}  // namespace throng
