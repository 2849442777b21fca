// SPDX-License-Identifier: MIT
// The in-circle test of the agents' triangulation, with ties broken by position alone.
//
// Four cocircular points have two Delaunay triangulations; which one a program holds usually depends on what it did before. Here
// every point is lifted to x² + y² + ε(point), where the ε are infinitely small and the one of the lexicographically greater
// point is infinitely greater (Edelsbrunner & Mücke 1990, "Simulation of simplicity"). Then exactly one triangulation is
// Delaunay, and it is a function of the set of points: of no order, no number and no history. A repaired triangulation, a rebuilt
// one and one after a snapshot are the same, which is what makes a run repeatable bit for bit.
//
// Axioms, for a strictly convex quadrilateral a, d, b, c (counter-clockwise): even permutations of abc keep the answer, and
// inside_circle(a, b, c, d) != inside_circle(c, d, b, a): of its two diagonals exactly one is legal.
#pragma once
#include <cstdint>

#include "geometry/point.hpp"

namespace throng {

/// Coordinates of agents stay within this (a million metres): differences then fit 32 bits, orient 63 and in_circle 127.
inline constexpr std::int32_t kAgentCoordinateLimit = (1 << 30) - 1;

/// |computed - true| of the determinants below in double arithmetic, in units of (sum of the three squared lengths)² and of the
/// sum: differences are exact, every product and sum adds half a unit in the last place (2^-53), and |x||y| ≤ (x² + y²) / 2.
/// Counted: 8/3 · 2^-53 and 4 · 2^-53.
inline constexpr double kInCircleError = 0x1p-51;
inline constexpr double kOrientError = 0x1p-50;

/// What is left when the four points lie on one circle: the sign that the greatest point's ε leaves. No three of them are
/// collinear, so it is never zero for distinct points.
constexpr bool inside_by_position(Point a, Point b, Point c, Point d) {
  // The determinant is linear in the heights; these are its derivatives.
  Point greatest = a;
  std::int64_t slope = orient(b, c, d);
  if (b > greatest) greatest = b, slope = orient(c, a, d);
  if (c > greatest) greatest = c, slope = orient(a, b, d);
  if (d > greatest) slope = -orient(a, b, c);
  return slope > 0;
}

/// Whether d lies inside the circle through the counter-clockwise triangle abc. Exact: the double filter decides but for
/// near-ties, which 128 bits decide.
inline bool inside_circle(Point a, Point b, Point c, Point d) {
  const double ax = static_cast<double>(a.x) - d.x, ay = static_cast<double>(a.y) - d.y;
  const double bx = static_cast<double>(b.x) - d.x, by = static_cast<double>(b.y) - d.y;
  const double cx = static_cast<double>(c.x) - d.x, cy = static_cast<double>(c.y) - d.y;
  const double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
  const double determinant = aa * (bx * cy - by * cx) + bb * (cx * ay - cy * ax) + cc * (ax * by - ay * bx);
  const double sum = aa + bb + cc, error = kInCircleError * (sum * sum);
  if (determinant > error) return true;
  if (determinant < -error) return false;
  const int sign = in_circle(a, b, c, d);
  return sign != 0 ? sign > 0 : inside_by_position(a, b, c, d);
}

}  // namespace throng
