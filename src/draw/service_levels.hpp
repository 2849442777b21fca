// SPDX-License-Identifier: MIT
// Fruin's levels of service, the scale of every density map: equal colours mean equal densities in all pictures.
#pragma once
#include <array>
#include <cstddef>

namespace throng {

/// Levels of service of walkways, A to F: the density at which each begins, persons per m². From areas per person of 3.24,
/// 2.32, 1.39, 0.93 and 0.46 m² (J. Fruin, Pedestrian Planning and Design, 1971).
inline constexpr std::array<double, 6> kServiceDensities{0, 1 / 3.24, 1 / 2.32, 1 / 1.39, 1 / 0.93, 1 / 0.46};
/// 0 for A … 5 for F.
constexpr std::size_t service_level(double density) {
  std::size_t level = 0;
  while (level + 1 < kServiceDensities.size() && density > kServiceDensities[level + 1]) ++level;
  return level;
}

}  // namespace throng
