// SPDX-License-Identifier: MIT
// The motion models a person may walk by, and their numbers: `reactive` (reactive.hpp), `reynolds`, `linear`, `short_term`,
// `continuum` and `rules` (rules.hpp).
//
//   throng::WorldSettings settings;
//   settings.models = {throng::reactive(), throng::ReynoldsSettings{}, throng::LinearSettings{}};
//   world->add({.position = {1, 1}, .person = {.model = 1}});  // walks by Reynolds' rules among the others
#pragma once
#include <cstdint>
#include <string>
#include <variant>

#include <throng/fields.hpp>
#include <throng/reactive.hpp>
#include <throng/rules.hpp>

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

/// Fields on tiles of half a metre, of people who walk at 1.34 m/s and hardly move on at five to the square metre (Weidmann
/// 1993).
inline FieldSettings continuum_fields() {
  FieldSettings field;
  field.max_speed = 1.34f;
  field.jam_density = 5.4f;
  return field;
}

/// Continuum crowds after Treuille, Cooper & Popović 2006: all people with one goal follow one potential field over the whole
/// scene, which knows where it is crowded, how fast the crowd moves there, and where others will be in the next seconds. Nobody
/// looks at anybody; bodies are kept apart. The cost is that of tiles times goals, whatever the number of people.
///
/// A goal is an area, a point, a lift or an escalator; in a periodic world also a heading along the period. Whoever has another
/// heading walks straight on, whoever has a goal of its own beyond `max_goals` walks by its corridor; both at the speed that the
/// crowd allows. So does everybody inside the area it walks to.
struct ContinuumSettings {
  std::string name = "continuum";
  float tile = 0.5f;             ///< m
  std::uint32_t max_goals = 32;  ///< with a field of their own; those of the most people have one
  float steer_time = 0.25f;      ///< s, in which the wanted velocity is taken up; 0: at once, as printed
  float max_acceleration = 4;    ///< m/s²
  FieldSettings field = continuum_fields();
};

using MotionModel =
    std::variant<ReactiveSettings, ReynoldsSettings, LinearSettings, ShortTermSettings, ContinuumSettings, RulesSettings>;

inline const std::string& name_of(const MotionModel& model) {
  return std::visit([](const auto& settings) -> const std::string& { return settings.name; }, model);
}

}  // namespace throng
