// SPDX-License-Identifier: MIT
// Single-precision vectors for the rules of one agent: plain data, inline, no libm but sqrt, so that the same source gives the
// same bits in scalar and vector code.
#pragma once
#include <cmath>

namespace throng {

/// Vec2f{} is zero; without braces it is not initialised, so that arrays of them cost nothing.
struct Vec2f {
  float x, y;
  friend constexpr Vec2f operator+(Vec2f a, Vec2f b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Vec2f operator-(Vec2f a, Vec2f b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Vec2f operator-(Vec2f a) { return {-a.x, -a.y}; }
  friend constexpr Vec2f operator*(float s, Vec2f a) { return {s * a.x, s * a.y}; }
  friend constexpr bool operator==(Vec2f, Vec2f) = default;
};

constexpr float dot(Vec2f a, Vec2f b) { return a.x * b.x + a.y * b.y; }
constexpr float cross(Vec2f a, Vec2f b) { return a.x * b.y - a.y * b.x; }
inline float length(Vec2f v) { return std::sqrt(dot(v, v)); }
/// (0, 0) stays what it is.
inline Vec2f unit(Vec2f v) {
  const float l = length(v);
  return l > 0 ? (1 / l) * v : v;
}

}  // namespace throng
