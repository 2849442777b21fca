// SPDX-License-Identifier: MIT
// The motion models a person may walk by, and their numbers: `reactive` (reactive.hpp), `reynolds` and `linear`.
//
//   throng::WorldSettings settings;
//   settings.models = {throng::reactive(), throng::ReynoldsSettings{}, throng::LinearSettings{}};
//   world->add({.position = {1, 1}, .person = {.model = 1}});  // walks by Reynolds' rules among the others
#pragma once
#include <string>
#include <variant>

#include <throng/reactive.hpp>

namespace throng {

/// Straight along the guidance at the preferred speed. Walls stop it, people do not: it neither avoids nor pushes anybody.
struct LinearSettings {
  std::string name = "linear";
};

/// Steering after Reynolds 1999: seek and arrive with bounded acceleration, avoidance of the next predicted encounter,
/// separation from those who are close.
struct ReynoldsSettings {
  std::string name = "reynolds";
  float steer_time = 0.25f;           ///< s, in which the wanted velocity is taken up
  float max_acceleration = 4;         ///< m/s²
  float horizon = 3;                  ///< s, of the prediction of encounters
  float margin = 0.2f;                ///< m, beyond contact, within which an encounter is avoided
  float avoidance = 1;                ///< how far one turns aside for it: share of the preferred speed
  float separation_distance = 1;      ///< m, centre to centre
  float separation_strength = 0.15f;  ///< m²/s
};

using MotionModel = std::variant<ReactiveSettings, ReynoldsSettings, LinearSettings>;

inline const std::string& name_of(const MotionModel& model) {
  return std::visit([](const auto& settings) -> const std::string& { return settings.name; }, model);
}

}  // namespace throng
