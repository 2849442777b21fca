// SPDX-License-Identifier: MIT
// Longitude and latitude to metres about a centre: the transverse Mercator projection of the WGS 84 ellipsoid with scale 1 on
// the centre's meridian (Snyder, Map Projections: A Working Manual, 1987, eq. 8-9 to 8-15 and 3-21).
//
// A plain equirectangular map would be off by 0.2 % at the edge of a 16 km scene at 60° north; this one stays below 10^-6.
// x is east, y north. Coordinates are metres from the centre.
#pragma once
#include <cmath>
#include <numbers>

#include <throng/vec.hpp>

namespace throng {

class LocalProjection {
 public:
  /// Latitudes beyond this are refused by the readers: the formulas divide by the cosine.
  static constexpr double kLatitudeLimit = 89;

  LocalProjection(double longitude, double latitude) : longitude_(longitude), meridian_(meridian_length(latitude * kRadians)) {}

  double longitude() const { return longitude_; }

  Vec2 to_metres(double longitude, double latitude) const {
    const double phi = latitude * kRadians;
    const double turn = std::remainder(longitude - longitude_, 360.0) * kRadians;
    const double sine = std::sin(phi), cosine = std::cos(phi);
    const double n = kEquator / std::sqrt(1 - kE2 * sine * sine);
    const double t = (sine / cosine) * (sine / cosine), c = kSecondE2 * cosine * cosine, a = turn * cosine;
    const double a2 = a * a;
    const double x = n * a * (1 + a2 * ((1 - t + c) / 6 + a2 * (5 - 18 * t + t * t + 72 * c - 58 * kSecondE2) / 120));
    const double bend =
        a2 * (0.5 + a2 * ((5 - t + 9 * c + 4 * c * c) / 24 + a2 * (61 - 58 * t + t * t + 600 * c - 330 * kSecondE2) / 720));
    return {x, meridian_length(phi) - meridian_ + n * (sine / cosine) * bend};
  }

 private:
  static constexpr double kRadians = std::numbers::pi / 180;
  static constexpr double kEquator = 6378137.0;
  static constexpr double kFlattening = 1 / 298.257223563;
  static constexpr double kE2 = kFlattening * (2 - kFlattening);
  static constexpr double kSecondE2 = kE2 / (1 - kE2);

  /// Length of the meridian from the equator.
  static double meridian_length(double phi) {
    constexpr double e4 = kE2 * kE2, e6 = e4 * kE2;
    return kEquator *
           ((1 - kE2 / 4 - 3 * e4 / 64 - 5 * e6 / 256) * phi - (3 * kE2 / 8 + 3 * e4 / 32 + 45 * e6 / 1024) * std::sin(2 * phi) +
            (15 * e4 / 256 + 45 * e6 / 1024) * std::sin(4 * phi) - (35 * e6 / 3072) * std::sin(6 * phi));
  }

  double longitude_;
  double meridian_;
};

}  // namespace throng
