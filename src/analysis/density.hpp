// SPDX-License-Identifier: MIT
// Density in a measurement area, frame by frame: people in it by its size (classical), or by Voronoi cells, which scatters less:
// each person counts with the share of its cell that lies in the area. Streams.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include <throng/scene.hpp>

#include "analysis/statistics.hpp"
#include "analysis/voronoi.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

enum class DensityMethod { kClassical, kVoronoi };

struct MeasurementArea {
  Ring ring;  ///< counter-clockwise; convex for Voronoi density
  std::uint16_t layer = 0;
};

struct DensitySettings {
  DensityMethod method = DensityMethod::kVoronoi;
  VoronoiSettings voronoi;        ///< its layer is the area's
  std::optional<Polygon> ground;  ///< cells and area end at its border; without one everything is ground
};

/// Somebody in a measurement area. Weights of a frame add up to density × area: 1 a head (classical), the share of the cell
/// (Voronoi).
struct Weighted {
  std::uint32_t row = 0;
  double weight = 0;
};

/// Computes what many frames share once.
class DensityMeter {
 public:
  DensityMeter(const MeasurementArea& area, const DensitySettings& settings = {});
  /// Persons per square metre now; who counts how much is in `weights` until the next call.
  double measure(const FrameView& frame);
  const std::vector<Weighted>& weights() const { return weights_; }
  double area() const { return area_of_ground_; }

 private:
  void weigh_heads(const FrameView& frame);
  void weigh_cells(const FrameView& frame);

  MeasurementArea area_;
  DensitySettings settings_;
  double area_of_ground_ = 0;
  std::vector<Weighted> weights_;
};

/// Of all frames; the mean counts each the same.
Distribution density_in(const Trajectory& trajectory, const MeasurementArea& area, const DensitySettings& settings = {});

}  // namespace throng
