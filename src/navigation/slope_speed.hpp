// SPDX-License-Identifier: MIT
// How fast people walk up and down ground that slopes, as factors on their free speed.
//
// Factors are of the speed along the slope, not of its plan. A layer may state its own (`speed_up`, `speed_down`). If not,
// - gentle ground follows Irmischer & Clarke (2018, on roads): v(s) = 0.11 + exp(-(s + 5)² / (2·30²)) m/s at a rise of s per
// cent,
//   relative to v(0) and at most 1; up a ramp of 10 % this is 0.91, down it 1;
// - from a rise of kStairsFrom on it is stairs, with the speeds of Weidmann (1993): 0.610 m/s up and 0.694 m/s down in plan, for
//   people of 1.34 m/s on stairs of 17 by 29 cm, which is 0.53 and 0.60 of the free speed along the slope.
// Where the two meet the formula gives 0.48 and 0.65. How the factor depends on the direction one walks in: guidance/grade.hpp.
#pragma once
#include <throng/scene.hpp>

namespace throng {

struct SlopeSpeed {
  double up = 1, down = 1;
};
inline constexpr double kStairsFrom = 0.35;  ///< metres of rise per metre of plan
inline constexpr double kLeastSlopeSpeed = 0.1;

SlopeSpeed slope_speed(const Layer& layer);

/// What planners weigh a metre of the layer's plan with: the time that it takes, the mean of up and down, in metres on the flat.
/// A cell has one factor, so that the way up and the way down are the same.
double slope_cost(const Layer& layer);

}  // namespace throng
