// SPDX-License-Identifier: MIT
#include "analysis/arching.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace throng {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr std::array<double, 5> kAngles = {-80 * kDegree, -45 * kDegree, 0, 45 * kDegree, 80 * kDegree};

}  // namespace

void ArchMeter::add(const FrameView& frame) {
  if (frame.time < settings_.from || frame.time > settings_.to) return;
  ++frames_;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (frame.layer[i] != settings_.layer) continue;
    const Vec2 offset = frame.position(i) - settings_.door;
    if (std::abs(length(offset) - settings_.radius) > settings_.half_depth) continue;
    const double angle = std::atan2(cross(settings_.upstream, offset), dot(settings_.upstream, offset));
    for (std::size_t k = 0; k < kAngles.size(); ++k) {
      if (std::abs(angle - kAngles[k]) <= settings_.half_angle) ++count_[k];
    }
  }
}

ArchProfile ArchMeter::profile() const {
  ArchProfile result;
  // A sector of a ring: angle × (R² - r²) / 2 with R, r = radius ± half depth.
  const double area = 2 * settings_.half_angle * 2 * settings_.radius * settings_.half_depth;
  if (frames_ == 0 || area <= 0) return result;
  for (std::size_t k = 0; k < kAngles.size(); ++k) {
    result.density[k] = static_cast<double>(count_[k]) / (static_cast<double>(frames_) * area);
    result.mean += result.density[k] / kAngles.size();
  }
  if (result.mean <= 0) return result;
  for (const double d : result.density) result.deviation = std::max(result.deviation, std::abs(d - result.mean) / result.mean);
  return result;
}

ArchProfile arch_of(const Trajectory& trajectory, const ArchSettings& settings) {
  ArchMeter meter(settings);
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) meter.add(trajectory.frame(k));
  return meter.profile();
}

}  // namespace throng
