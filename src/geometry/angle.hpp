// SPDX-License-Identifier: MIT
// The angle of a direction by arithmetic alone: the same bits on every machine, which the arc tangent of a C library does not
// promise, and a third of its time. Relative error below 4e-16 (tests/geometry/angle_test.cpp).
#pragma once
#include <algorithm>
#include <cmath>

namespace throng {

inline constexpr double kPi = 3.141592653589793;

/// Angle in [-π, π] of the direction (cosine, sine), of any length; 0 for (0, 0). The rational function is that of the Cephes
/// library (Moshier 1989, atan.c), for tangents up to 0.66; larger ones are turned by an eighth or a quarter first.
inline double angle_of(double sine, double cosine) {
  const double s = std::abs(sine), c = std::abs(cosine);
  double base = 0, above = s, below = std::max(c, 1e-300);
  if (s > 2.414213562373095 * c) {
    base = kPi / 2, above = -c, below = s;
  } else if (s > 0.66 * c) {
    base = kPi / 4, above = s - c, below = s + c;
  }
  const double t = above / below, z = t * t;
  const double p = (((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z - 7.500855792314704667340e1) * z -
                    1.228866684490136173410e2) *
                       z -
                   6.485021904942025371773e1;
  const double q = ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z + 4.328810604912902668951e2) * z +
                    4.853903996359136964868e2) *
                       z +
                   1.945506571482613964425e2;
  double angle = base + (t + t * (z * p / q));
  if (cosine < 0) angle = kPi - angle;
  return sine < 0 ? -angle : angle;
}

}  // namespace throng
