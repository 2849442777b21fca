// SPDX-License-Identifier: MIT
// Levels of simulation (Pettré, Grillon & Thalmann 2007, section 6): effort goes where somebody looks.
//
//   throng::WorldSettings settings;
//   settings.detail.enabled = true;
//   settings.detail.viewpoint = {.position = {0, 0}, .direction = {1, 0}};
//   … world->set_viewpoint(camera);  // as often as it moves
//
// Each cell or disc of the scene has a score, from its distance and how central it is in the view. From `high_score` on people
// walk by their own models, every step. Below it they walk straight to their way-points, through each other, and are looked at
// from `most_frequency` down to `unseen_frequency` times a second; between two looks they keep their velocity. Nobody jumps when
// that changes. Runs with the same viewpoints have the same bits.
#pragma once
#include <cstdint>
#include <optional>

#include <throng/vec.hpp>

namespace throng {

/// Who looks, from above: a place, a direction, and how much of the circle and how far is seen.
struct Viewpoint {
  Vec2 position;
  Vec2 direction = {1, 0};       ///< of any length but 0
  double field_of_view = 1.047;  ///< rad; 2π: all around
  double distance = 80;          ///< m, at which nearness counts for nothing any more
};

/// What a level is given to.
enum class Patch : std::uint8_t {
  kCell,
  kDisc,  ///< of the navigation graph: the world needs one
};

struct DetailSettings {
  bool enabled = false;
  Patch patch = Patch::kCell;
  std::optional<Viewpoint> viewpoint;  ///< none: nobody looks
  double high_score = 0.6;
  double most_frequency = 15;   ///< 1/s, just below the high score
  double least_frequency = 5;   ///< 1/s, at the edge of the view
  double unseen_frequency = 1;  ///< 1/s, outside
};

}  // namespace throng
