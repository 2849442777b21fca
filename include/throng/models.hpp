// SPDX-License-Identifier: MIT
// The motion models a person may walk by, and their numbers: `reactive` (reactive.hpp), `reynolds`, `linear` and `short_term`.
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

/// Short-term avoidance after Yersin et al. 2008: people are registered in square tiles; who has somebody in the tiles ahead
/// walks to a tile beside, more slowly, until it has passed. Cheap, and blind to what happens beside and behind it.
struct ShortTermSettings {
  std::string name = "short_term";
  float tile = 1;          ///< m; the paper's 3 m make a side step of 3 m
  float horizon = 3;       ///< s, looked ahead at the present speed
  float margin = 0.1f;     ///< m, beyond contact, within which people are pushed apart
  float slow_down = 0.7f;  ///< share of the speed while stepping aside
  float patience = 2;      ///< s after which a tile beside is given up
  /// Steps aside for everybody in the tiles ahead, to the middles of tiles, whoever is there. Otherwise only for those who would
  /// come too close, by a tile's width, to where nobody comes from.
  bool as_printed = false;
  float steer_time = 0.25f;    ///< s, in which the wanted velocity is taken up
  float max_acceleration = 4;  ///< m/s²
};
/// As printed: tiles of 3 m, everybody ahead is stepped aside for.
inline ShortTermSettings short_term_2008() {
  ShortTermSettings settings;
  settings.name = "short_term_2008";
  settings.tile = 3;
  settings.as_printed = true;
  return settings;
}

using MotionModel = std::variant<ReactiveSettings, ReynoldsSettings, LinearSettings, ShortTermSettings>;

inline const std::string& name_of(const MotionModel& model) {
  return std::visit([](const auto& settings) -> const std::string& { return settings.name; }, model);
}

}  // namespace throng
