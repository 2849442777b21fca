// SPDX-License-Identifier: MIT
// What the slope of the ground makes of a wanted velocity.
//
// The factors on the free speed (navigation/slope_speed.hpp) hold straight up and straight down. In between they change linearly
// with the rise of the direction, so that across a slope one walks as on the flat. The speed they give is along the slope: its
// plan is shorter by the cosine.
#pragma once
#include <cmath>

#include "agents/vec2f.hpp"
#include "navigation/navigation_data.hpp"

namespace throng {

struct Grade {
  Vec2f rise{};                      ///< per metre east and north
  float loss_up = 0, loss_down = 0;  ///< of the factor, per metre of rise

  /// `wanted` on the flat, as a velocity in plan.
  Vec2f slowed(Vec2f wanted) const {
    if (rise == Vec2f{} || wanted == Vec2f{}) return wanted;
    const float climb = dot(rise, wanted) / length(wanted);
    const float factor = 1 - (climb > 0 ? loss_up * climb : -loss_down * climb);
    return (factor / std::sqrt(1 + climb * climb)) * wanted;
  }
};

/// One a layer; empty if all are flat.
inline std::vector<Grade> grades_of(const NavigationData& data) {
  std::vector<Grade> grades;
  bool is_flat = true;
  for (std::size_t layer = 0; layer < data.layer_slopes.size(); ++layer) {
    const Vec2 slope = data.layer_slopes[layer];
    const double steepness = length(slope);
    is_flat &= steepness == 0;
    grades.emplace_back();
    if (steepness == 0) continue;
    grades.back() = {{static_cast<float>(slope.x), static_cast<float>(slope.y)},
                     static_cast<float>((1 - data.layer_speeds[layer].up) / steepness),
                     static_cast<float>((1 - data.layer_speeds[layer].down) / steepness)};
  }
  if (is_flat) grades.clear();
  return grades;
}

}  // namespace throng
