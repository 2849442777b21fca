// SPDX-License-Identifier: MIT
// What the slope of the ground makes of a wanted velocity.
//
// The factors on the free speed (navigation/slope_speed.hpp) hold straight up and straight down. In between they change linearly
// with the rise of the direction, so that across a slope one walks as on the flat. The speed they give is along the slope: its
// plan is shorter by the cosine.
//
// Uneven ground (a grid of heights) is asked how it rises over one metre in the direction one walks in: over single steps of
// stairs it would be either flat or too steep.
#pragma once
#include <algorithm>
#include <array>
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

/// Speeds by how steep the way is, for uneven ground. Tables, because the curve has an exponential, which differs from one
/// library to the next.
class ClimbSpeeds {
 public:
  ClimbSpeeds() {
    for (int i = 0; i <= kSteps; ++i) {
      Layer layer;
      layer.slope = {kSteepest * i / kSteps, 0};
      const SlopeSpeed speed = slope_speed(layer);
      up_[i] = static_cast<float>(speed.up);
      down_[i] = static_cast<float>(speed.down);
    }
  }
  /// `wanted` on the flat, as a velocity in plan.
  Vec2f slowed(const HeightGrid& heights, Vec2f place, Vec2f wanted) const {
    const Vec2f half = (0.5f / length(wanted)) * wanted, before = place - half, behind = place + half;
    const auto low = height_at(heights, {before.x, before.y}), high = height_at(heights, {behind.x, behind.y});
    if (!low || !high) return wanted;
    const auto climb = static_cast<float>(*high - *low);
    const float at = std::min(1.0f, std::abs(climb) / static_cast<float>(kSteepest)) * kSteps;
    const int i = std::min(static_cast<int>(at), kSteps - 1);
    const auto& table = climb > 0 ? up_ : down_;
    const float factor = table[i] + (at - static_cast<float>(i)) * (table[i + 1] - table[i]);
    return (factor / std::sqrt(1 + climb * climb)) * wanted;
  }

 private:
  static constexpr int kSteps = 64;
  static constexpr double kSteepest = 1;
  std::array<float, kSteps + 1> up_, down_;
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
