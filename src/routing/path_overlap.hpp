// SPDX-License-Identifier: MIT
// How deep a body that follows a pulled path would reach into walls. Exact: a leg and a wall, or an arc and a wall, come closest
// at an end of one of them, where they cross, or, for an arc, on the perpendicular from its centre.
#pragma once
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "geometry/tangents.hpp"

namespace throng {

/// An arc about `centre` from `arrive` to `leave`.
struct PathArc {
  Vec2 centre, arrive, leave;
  bool turns_left;

  /// Whether a direction from the centre lies on the arc, its ends excluded.
  bool spans(Vec2 direction) const {
    Vec2 u = arrive - centre, v = leave - centre;
    if (!turns_left) std::swap(u, v);
    const double turn = cross(u, v);
    if (dot(u, v) > 0 && std::abs(turn) < 1e-6 * dot(u, v)) return false;  // no arc, whatever the last bits say
    const bool after = cross(u, direction) > 0, before = cross(direction, v) > 0;
    return turn < 0 ? after || before : after && before;
  }
};

inline double distance_to_wall(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const double whole = dot(d, d), t = whole > 0 ? std::clamp(dot(p - a, d) / whole, 0.0, 1.0) : 0;
  return distance(p, a + t * d);
}

/// Of the wall a–b and a leg from (0, 0) to (whole, 0).
inline double overlap_of_leg(double whole, double radius, Vec2 a, Vec2 b) {
  if (std::min(a.y, b.y) >= radius || std::max(a.y, b.y) <= -radius || std::min(a.x, b.x) >= whole + radius ||
      std::max(a.x, b.x) <= -radius)
    return 0;
  if ((a.y < 0) != (b.y < 0)) {
    const double at = a.x + (b.x - a.x) * a.y / (a.y - b.y);
    if (at >= 0 && at <= whole) return radius;
  }
  double least = std::min(distance_to_wall({0, 0}, a, b), distance_to_wall({whole, 0}, a, b));
  for (const Vec2 end : {a, b}) least = std::min(least, std::hypot(end.x - std::clamp(end.x, 0.0, whole), end.y));
  return radius - least;
}

/// Of the wall a–b and the inner part of an arc; its ends belong to the legs.
inline double overlap_of_arc(const PathArc& arc, double radius, Vec2 a, Vec2 b) {
  const Vec2 d = b - a, c = arc.centre;
  const double whole = dot(d, d), along = dot(c - a, d) / whole, height = std::abs(cross(d, c - a)) / std::sqrt(whole);
  if (height >= 2 * radius) return 0;
  double overlap = 0;
  const auto meet = [&](Vec2 p) {
    if (arc.spans(p - c)) overlap = std::max(overlap, radius - std::abs(distance(p, c) - radius));
  };
  for (const Vec2 end : {a, b})
    if (end != c) meet(end);
  if (along > 0 && along < 1 && height > 0) meet(a + along * d);
  if (height < radius) {
    const double half = std::sqrt((radius * radius - height * height) / whole);
    for (const double t : {along - half, along + half})
      if (t > 0 && t < 1) meet(a + t * d);
  }
  return overlap;
}

}  // namespace throng
