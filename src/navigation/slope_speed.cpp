// SPDX-License-Identifier: MIT
#include "navigation/slope_speed.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr SlopeSpeed kStairs{0.53, 0.60};

/// Speed at a rise relative to that on the flat, from the measured curve.
double relative_speed(double rise) {
  const auto speed = [](double s) { return 0.11 + std::exp(-(100 * s + 5) * (100 * s + 5) / (2 * 30.0 * 30.0)); };
  return std::min(1.0, speed(rise) / speed(0));
}

}  // namespace

SlopeSpeed slope_speed(const Layer& layer) {
  const double rise = length(layer.slope);
  SlopeSpeed speed;
  if (rise > 0) speed = rise < kStairsFrom ? SlopeSpeed{relative_speed(rise), relative_speed(-rise)} : kStairs;
  if (layer.speed_up > 0) speed.up = layer.speed_up;
  if (layer.speed_down > 0) speed.down = layer.speed_down;
  return speed;
}

double slope_cost(const Layer& layer) {
  if (layer.slope == Vec2{}) return 1;
  const SlopeSpeed speed = slope_speed(layer);
  return std::sqrt(1 + dot(layer.slope, layer.slope)) * 0.5 * (1 / speed.up + 1 / speed.down);
}

}  // namespace throng
