// SPDX-License-Identifier: MIT
#include "analysis/fundamental_diagram.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/velocities.hpp"

namespace throng {

double weidmann_speed(double density) {
  constexpr double kFreeSpeed = 1.34, kShape = 1.913, kJamDensity = 5.4;
  if (density <= 0) return kFreeSpeed;
  if (density >= kJamDensity) return 0;
  return kFreeSpeed * (1 - std::exp(-kShape * (1 / density - 1 / kJamDensity)));
}

std::vector<FundamentalPoint> fundamental_points(const Trajectory& trajectory, const MeasurementArea& area,
                                                 const FundamentalSettings& settings) {
  const std::vector<Vec2> velocity = velocities_of(trajectory, settings.half_window, settings.density.voronoi.period);
  DensityMeter meter(area, settings.density);
  std::vector<FundamentalPoint> points;
  const auto stride = static_cast<std::size_t>(std::max(1.0, std::round(settings.every / trajectory.frame_seconds)));
  const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(settings.from / trajectory.frame_seconds - 1e-9)));
  for (std::size_t k = first; k < trajectory.frame_count(); k += stride) {
    const double density = meter.measure(trajectory.frame(k));
    double weight = 0, speed = 0;
    for (const Weighted& w : meter.weights()) {
      weight += w.weight;
      speed += w.weight * length(velocity[trajectory.frame_start[k] + w.row]);
    }
    if (weight > 0) points.push_back({trajectory.time_of(k), density, speed / weight});
  }
  return points;
}

FundamentalSummary summarise_fundamental(std::span<const FundamentalPoint> points, double low, double high, double width) {
  std::map<std::int64_t, FundamentalBin> bins;
  for (const FundamentalPoint& p : points) {
    if (p.density < low || p.density > high) continue;
    FundamentalBin& bin = bins[static_cast<std::int64_t>(std::floor((p.density - low) / width))];
    bin.density += p.density;
    bin.speed += p.speed;
    ++bin.count;
  }
  FundamentalSummary result;
  double squares = 0;
  for (auto& [index, bin] : bins) {
    bin.density /= static_cast<double>(bin.count);
    bin.speed /= static_cast<double>(bin.count);
    const double miss = bin.speed - weidmann_speed(bin.density);
    squares += miss * miss;
    result.bins.push_back(bin);
  }
  if (!result.bins.empty()) result.rms_to_weidmann = std::sqrt(squares / static_cast<double>(result.bins.size()));
  return result;
}

}  // namespace throng
