// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <throng/vec.hpp>

namespace throng {

/// Never more than the length of a way from `from` to `to` that comes within the radius r of the segment low–high.
///
/// F(x) = |from x| + |x to| is convex. At its minimum over the segment, where low–high meets the straight way or is nearest to
/// it, F(y) ≥ F(x) + grad F·(y - x) for every y, and y is within r of some point of the segment, none of which is downhill of x.
/// So F(y) ≥ F(x) - r·|grad F(x)|: nothing is lost where the straight way passes, 2r at most where it turns back.
inline double least_length(const Vec2& from, const Vec2& low, const Vec2& high, const Vec2& to, double radius) {
  const Vec2 d = high - low, a = from - low, b = to - low;
  const double whole = length(d);
  const Vec2 along = whole > 0 ? (1 / whole) * d : Vec2{1, 0};
  const double x1 = dot(a, along), y1 = cross(along, a), x2 = dot(b, along), y2 = cross(along, b);
  const double heights = std::abs(y1) + std::abs(y2);
  const double x = std::clamp(heights > 0 ? x1 + (x2 - x1) * std::abs(y1) / heights : x1, 0.0, whole);
  const double l1 = std::sqrt((x - x1) * (x - x1) + y1 * y1), l2 = std::sqrt((x - x2) * (x - x2) + y2 * y2);
  if (radius == 0) return l1 + l2;
  if (l1 < radius || l2 < radius) return l1 + l2 - 2 * radius;
  const double slope_along = (x - x1) / l1 + (x - x2) / l2, slope_across = y1 / l1 + y2 / l2;
  return l1 + l2 - radius * std::sqrt(slope_along * slope_along + slope_across * slope_across);
}

}  // namespace throng
