// SPDX-License-Identifier: MIT
// The numbers of potential fields (Treuille, Cooper & Popović 2006): how density slows people, and what a way costs them. And
// fields of a running world, to look at.
#pragma once
#include <cstdint>

#include <throng/vec.hpp>

namespace throng {

/// Of fields on tiles of about 0.5 to 1 m. On larger ones density counts in people per m²: see `field_settings_for`.
struct FieldSettings {
  float length_weight = 1;      ///< α: cost of a metre
  float time_weight = 1;        ///< β: cost of a second
  float discomfort_weight = 1;  ///< γ: cost of a second at discomfort 1

  /// λ, a multiple of one half from 0.5 to 8: how fast somebody's weight fades from its own tile to the next ones.
  float density_exponent = 2;
  /// Weights of bilinear interpolation instead, which add up to one person wherever somebody stands.
  bool bilinear_density = false;
  float low_density = 0.25f;  ///< up to here people walk freely; at least 2^-λ, or people slow themselves down
  float high_density = 1;     ///< from here on they go with the crowd

  float max_speed = 1.8f;     ///< m/s, on free and level ground: at least the preferred speeds of the people
  float min_speed = 0.1f;     ///< m/s, up a slope of `high_slope`
  float floor_speed = 0.02f;  ///< m/s, in the thickest crowd: above 0, or a jam would have no way out
  float low_slope = 0;        ///< rise per metre up to which people walk freely
  float high_slope = 0.7f;

  /// People per m² at which a crowd stands, and up to which it walks freely; speed falls in proportion between them (Hughes
  /// 2002). 0: as Treuille et al. have it, where a crowd that walks one way is never slow, however dense.
  float jam_density = 0;
  float free_density = 0.7f;  ///< more than one person makes around itself

  float prediction_time = 2;        ///< s that people look ahead for those of other sets; 0: not at all
  float prediction_step = 0.5f;     ///< s between two places where somebody is expected
  float prediction_discomfort = 1;  ///< of one person who is expected at once; fades to nothing at the end of the time
};

/// The defaults for a size of tiles: above 1.5 m, where a tile holds many people, limits are in people per m², and what one of
/// them is feared for is spread over the tile.
inline FieldSettings field_settings_for(double tile_size) {
  FieldSettings settings;
  if (tile_size > 1.5) {
    settings.low_density = 0.8f, settings.high_density = 4;
    settings.prediction_discomfort = static_cast<float>(1 / (tile_size * tile_size));
  }
  return settings;
}

/// A field that a set of people followed in the last step of a world (World::fields).
struct FieldInfo {
  /// What they walk to.
  enum class Goal : std::uint8_t { kArea, kPoint, kLink, kHeading, kFlow };
  Goal goal = Goal::kArea;
  std::uint32_t index = 0;      ///< of the area, the link or the flow
  std::uint32_t direction = 0;  ///< of a flow: 0 to its `to`, 1 back
  Vec2 point;                   ///< the point, or the heading
  std::uint32_t layer = 0;      ///< of the point
  std::uint32_t people = 0;
  double tile = 0.5;  ///< m
  /// The model `continuum` it is of, an index into the world's models; kOfRegions: one of the regions of interest.
  std::uint32_t model = 0;
  static constexpr std::uint32_t kOfRegions = 0xffffffffu;
};
/// A tile of it.
struct FieldTile {
  Vec2 centre;
  std::uint32_t layer = 0;
  float potential = 0;  ///< infinite where no way leads, or nobody needed one
  float density = 0;    ///< people per m², of everybody
  Vec2 velocity;        ///< that the field asks for; 0 at its goal
};

}  // namespace throng
