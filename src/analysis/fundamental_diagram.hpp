// SPDX-License-Identifier: MIT
// How speed falls with density (ALGORITHMS.md §8.7): points (ρ, v) of a measurement area, and how far they are from Weidmann's
// curve (Weidmann 1993, "Transporttechnik der Fussgänger"; VALIDATION.md).
#pragma once
#include <span>
#include <vector>

#include "analysis/density.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

/// m/s: 1.34 (1 - exp(-1.913 (1/ρ - 1/5.4))); 1.34 for ρ ≤ 0, 0 from 5.4 /m² on.
double weidmann_speed(double density);

struct FundamentalPoint {
  double time = 0;
  double density = 0;                              ///< persons per m²
  double speed = 0;                                ///< m/s: mean of those in the area, by their weights
  double flow() const { return density * speed; }  ///< persons per metre and second
};

struct FundamentalSettings {
  DensitySettings density;
  double half_window = 0.2;  ///< seconds, of velocities
  double every = 1.0;        ///< seconds between points
  double from = 0;           ///< seconds: what comes before is warm-up
};

/// Frames in which nobody is in the area give no point. The period is that of the Voronoi settings.
std::vector<FundamentalPoint> fundamental_points(const Trajectory& trajectory, const MeasurementArea& area,
                                                 const FundamentalSettings& settings = {});

struct FundamentalBin {
  double density = 0, speed = 0;  ///< means of its points
  std::size_t count = 0;
};

struct FundamentalSummary {
  std::vector<FundamentalBin> bins;  ///< that have points, by density
  double rms_to_weidmann = 0;        ///< m/s, over bins, each counted once: dense and thin crowds weigh the same
};

/// Points between the two densities, in bins of `width`.
FundamentalSummary summarise_fundamental(std::span<const FundamentalPoint> points, double low = 0.25, double high = 4.0,
                                         double width = 0.25);

}  // namespace throng
