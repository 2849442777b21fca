// SPDX-License-Identifier: MIT
// Density on a grid over a layer, for pictures: the mean over time (streams; O(agents) a frame), or of one moment, smoothed.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <throng/scene.hpp>

#include "trajectory/trajectory.hpp"

namespace throng {

struct DensityMap {
  Vec2 low;             ///< lower left corner
  double square = 0.5;  ///< metres
  std::uint32_t columns = 0, rows = 0;
  std::vector<double> density;  ///< persons per m², row by row from the bottom

  double at(std::uint32_t column, std::uint32_t row) const { return density[std::size_t{row} * columns + column]; }
};

class DensityMapper {
 public:
  /// Squares larger than asked if there would be more than 4 million.
  DensityMapper(Vec2 low, Vec2 high, double square = 0.5, std::uint16_t layer = 0);
  void add(const FrameView& frame);
  DensityMap map() const;

 private:
  DensityMap counts_;
  std::uint16_t layer_;
  std::uint64_t frames_ = 0;
};

/// Over the rectangle around all positions on the layer.
DensityMap density_map_of(const Trajectory& trajectory, double square = 0.5, std::uint16_t layer = 0);

/// Of one moment: each person is spread over the squares within `reach` metres, most near the middle (1 - (d/reach)²), so that
/// the sum over the map is the number of people. Over the rectangle around all of them.
DensityMap smooth_density(std::span<const Vec2> people, double reach = 1.5, double square = 0.5);

/// The mean over time, each person spread over `reach` metres as `smooth_density` does, but only over walkable squares of
/// `ground`: density does not leak through walls. Squares without ground are negative. At most 600 frames, evenly chosen, are
/// looked at.
DensityMap mean_density_on(const Trajectory& trajectory, std::span<const Polygon> ground, double reach = 1.5,
                           double square = 0.25, std::uint16_t layer = 0);

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
