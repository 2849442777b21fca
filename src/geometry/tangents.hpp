// SPDX-License-Identifier: MIT
// Lines that touch circles: the geometry of shortest ways of a disc (Demyen & Buro 2006, section 4.2).
//
// A body of radius r rounds a corner on the circle of radius r about it. A corner that must stay on the walker's left has offset
// +r, one on the right -r, a point on the way (start, goal, a corner of no wall) 0: the offset is the signed distance by which
// the centre lies left of a line that touches the circle. With this one sign the outer and the inner tangents, and tangents from
// points, are the same formula: with d = to - from and δ = to.offset - from.offset, the direction u has cross(u, d) = δ, hence u
// ~ √(d² - δ²)·d - δ·left(d). Circles of opposite sides that overlap (d² < δ²) leave no gap; the formula then takes the line
// across, which is the limit of a gap that closes.
#pragma once
#include <algorithm>
#include <cmath>

#include <throng/vec.hpp>

#include "geometry/angle.hpp"

namespace throng {

struct SignedCircle {
  Vec2 centre;
  double offset = 0;
};

/// Direction of the directed line that touches both circles, `from` first. Not normalised: most callers compare signs only, and
/// for circles of one side it costs neither root nor division.
inline Vec2 tangent_direction(const SignedCircle& from, const SignedCircle& to) {
  const Vec2 d = to.centre - from.centre;
  const double offset = to.offset - from.offset;
  if (offset == 0) return d;
  const double along = std::sqrt(std::max(0.0, dot(d, d) - offset * offset));
  return {along * d.x + offset * d.y, along * d.y - offset * d.x};
}

/// Length of that tangent between its two touching points.
inline double tangent_length(const SignedCircle& from, const SignedCircle& to) {
  const Vec2 d = to.centre - from.centre;
  const double offset = to.offset - from.offset;
  return std::sqrt(std::max(0.0, dot(d, d) - offset * offset));
}

/// Where a line of unit direction `direction` touches the circle.
inline Vec2 touching_point(const SignedCircle& circle, Vec2 unit_direction) {
  return circle.centre - circle.offset * left(unit_direction);
}

/// (0, 0) stays what it is.
inline Vec2 normalised(Vec2 v) {
  const double l = length(v);
  return l > 0 ? (1 / l) * v : v;
}

/// A tangent between its touching points.
struct Tangent {
  Vec2 direction;  ///< unit vector; (0, 0) if the circles are the same
  double length;
};

/// The tangent whose `direction` is known. One root: √(d² - δ²)·d - δ·left(d) is d² long.
inline Tangent unit_tangent(const SignedCircle& from, const SignedCircle& to, Vec2 direction) {
  const Vec2 d = to.centre - from.centre;
  const double offset = to.offset - from.offset, whole = dot(d, d), along = std::sqrt(std::max(0.0, whole - offset * offset));
  if (!(along > 0)) return {normalised(direction), 0};
  return {(1 / (offset == 0 ? along : whole)) * direction, along};
}

/// Angle in [0, 2π) by which a path turns round the circle, from unit vector `in` to `out`; a turn to the wrong side by rounding
/// counts as none.
inline double turning_angle(const SignedCircle& circle, Vec2 in, Vec2 out) {
  const double sine = circle.offset >= 0 ? cross(in, out) : -cross(in, out);
  const double angle = angle_of(sine, dot(in, out));
  if (angle >= 0) return angle;
  return angle > -1e-6 ? 0 : angle + 2 * kPi;
}

}  // namespace throng
