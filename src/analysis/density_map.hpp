// SPDX-License-Identifier: MIT
// Density on a grid over a layer, for pictures: the mean over time (streams; O(agents) a frame), or of one moment, smoothed.
#pragma once
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

}  // namespace throng
