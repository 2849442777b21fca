// SPDX-License-Identifier: MIT
// Regions of interest (Yersin et al. 2008): three levels of effort, wherever they are wanted, moved and changed while the world
// runs.
//
//   throng::WorldSettings settings;
//   settings.interest.enabled = true;
//   settings.interest.regions = {{.centre = {20, 10}, .radius = 15}};  // level 0 there, level 1 elsewhere
//   auto world = throng::World::create(navigation, graph, settings);
//   world->set_region(0, {.centre = {25, 10}, .radius = 15});
//
// Which guidance and which motion model serve a level is free. The defaults are the paper's: at level 0 people follow the
// potential field of their flow and direction and avoid each other; at level 1 they follow their corridors and avoid each other;
// at level 2 they follow their corridors straight on, through each other, and are looked at from time to time.
//
// Levels belong to square tiles. Runs with the same regions have the same bits at any number of threads.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <throng/detail.hpp>
#include <throng/fields.hpp>

namespace throng {

inline constexpr std::uint32_t kAllLayers = 0xffffffffu;

/// A disc of the plan in which people deserve at least this much effort, or at most.
struct Region {
  Vec2 centre;
  double radius = 15;      ///< m
  std::uint8_t level = 0;  ///< 0, 1 or 2
  bool is_limit = false;   ///< nothing in it is more interesting than `level`, whatever others say
  std::uint32_t layer = kAllLayers;
  friend bool operator==(const Region&, const Region&) = default;
};

/// A square of ground and its level.
struct LevelTile {
  Vec2 centre;  ///< InterestSettings::tile wide
  std::uint32_t layer = 0;
  std::uint8_t level = 0;
};

enum class Guidance : std::uint8_t {
  kCorridor,  ///< the way by cells
  kField,     ///< the potential field of somebody's flow and direction; a corridor for those who are on no flow
};

/// Instead of an index into WorldSettings::models:
inline constexpr std::uint8_t kOwnModel = 0xff;        ///< each person's own
inline constexpr std::uint8_t kStraightModel = 0xfe;   ///< straight on through everybody, looked at from time to time
inline constexpr std::uint8_t kShortTermModel = 0xfd;  ///< the first `short_term` of the world, which gets one if it has none

/// What serves a level.
struct LevelService {
  Guidance guidance = Guidance::kCorridor;
  std::uint8_t model = kShortTermModel;
};

struct InterestSettings {
  bool enabled = false;
  double tile = 3;  ///< m, of levels and fields
  std::vector<Region> regions;
  /// Who looks, if anybody: level 0 in view within `camera_near`, 1 in view, 2 elsewhere. Regions come on top of it.
  std::optional<Viewpoint> camera;
  double camera_near = 15;     ///< m
  std::uint8_t elsewhere = 1;  ///< level outside of all regions, where no camera is
  double slack = 1;            ///< m that regions and camera may move before anything changes
  std::array<LevelService, 3> levels = {
      {{Guidance::kField, kShortTermModel}, {Guidance::kCorridor, kShortTermModel}, {Guidance::kCorridor, kStraightModel}}};
  double straight_frequency = 1;  ///< 1/s, how often people who walk straight are looked at
  /// Work that a step may cost, in steps of one person at level 1; 0: no automatic regions. With a budget, level 0 is given to
  /// where streams meet, first near the camera, as long as half of it lasts, and never to narrow places that are jammed; then
  /// level 1; what is left is at level 2. Work is counted, not clocked: runs can be repeated.
  double budget = 0;
  FieldSettings field = field_settings_for(3);
};

}  // namespace throng
