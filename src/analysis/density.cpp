// SPDX-License-Identifier: MIT
#include "analysis/density.hpp"

#include <cmath>

#include "geometry/polygon.hpp"

namespace throng {

DensityMeter::DensityMeter(const MeasurementArea& area, const DensitySettings& settings) : area_(area), settings_(settings) {
  settings_.voronoi.layer = area_.layer;
  // Ground inside the area: the area is the clip where it must be convex anyway.
  const bool clipped = settings_.ground && settings_.method == DensityMethod::kVoronoi;
  area_of_ground_ = clipped ? area_inside(*settings_.ground, area_.ring) : std::abs(signed_area(area_.ring));
}

void DensityMeter::weigh_heads(const FrameView& frame) {
  for (std::uint32_t i = 0; i < frame.size(); ++i) {
    if (frame.layer[i] == area_.layer && contains(area_.ring, frame.position(i))) weights_.push_back({i, 1});
  }
}

void DensityMeter::weigh_cells(const FrameView& frame) {
  Ring scratch;
  for (const VoronoiCell& cell : voronoi_cells(frame, settings_.voronoi)) {
    double inside = 0, whole = cell.area;
    if (settings_.ground) {
      Ring part = cell.ring;
      for (std::size_t i = 0; i < area_.ring.size() && !part.empty(); ++i) {
        const Vec2 a = area_.ring[i], b = area_.ring[(i + 1) % area_.ring.size()];
        clip_left_of(part, a, b - a, scratch);
      }
      if (part.size() < 3) continue;
      inside = area_inside(*settings_.ground, part);
      whole = area_inside(*settings_.ground, cell.ring);
    } else {
      inside = shared_area(cell.ring, area_.ring);
    }
    if (inside > 0 && whole > 0) weights_.push_back({cell.row, inside / whole});
  }
}

double DensityMeter::measure(const FrameView& frame) {
  weights_.clear();
  if (settings_.method == DensityMethod::kClassical)
    weigh_heads(frame);
  else
    weigh_cells(frame);
  double sum = 0;
  for (const Weighted& w : weights_) sum += w.weight;
  return area_of_ground_ > 0 ? sum / area_of_ground_ : 0;
}

Distribution density_in(const Trajectory& trajectory, const MeasurementArea& area, const DensitySettings& settings) {
  DensityMeter meter(area, settings);
  std::vector<double> values;
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) values.push_back(meter.measure(trajectory.frame(k)));
  return distribution_of(std::move(values));
}

}  // namespace throng
