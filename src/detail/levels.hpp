// SPDX-License-Identifier: MIT
// Which patches of the ground deserve how much work (Pettré, Grillon & Thalmann 2007, section 6; ALGORITHMS §2.8).
//
// A patch is a cell, a disc or, with regions of interest, a tile. Its score is the best of its rim, its middle and the point of
// it that is nearest to the viewpoint, so that a large one in front of the viewer counts as near. Patches below the high score
// that people of high patches can see into are marked as well: whoever is there is seen, and must be in the neighbourhood graph.
// Everybody else is looked at from time to time, each patch at its own beat: the beats are spread by a hash of the patch, so that
// steps cost alike.
//
// Cost: some 50 ns a patch whenever the viewpoint moves; nothing else depends on the scene's size.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/detail.hpp>

#include "cells/cells.hpp"
#include "grid/grid.hpp"
#include "navgraph/nav_graph.hpp"

namespace throng {

enum class PatchLevel : std::uint8_t {
  kHigh,  ///< people walk by their own models
  kSeen,  ///< straight, but looked at each step: those at the high level see them
  kLow,   ///< straight, looked at from time to time
};

/// From 0 (not in view) to 1 (straight ahead, at the viewpoint itself).
double score_of(const Viewpoint& viewpoint, Vec2 place);
/// Looks per second at somebody with a score below the high one.
double frequency_of(const DetailSettings& settings, double score);

using PatchIndex = std::uint32_t;

class PatchLevels {
 public:
  void update(const Cells& cells, const DetailSettings& settings, double dt);
  void update(const NavGraph& graph, const DetailSettings& settings, double dt);
  /// Tiles whose people are served at the high level are given; the others are looked at so often.
  void update(const Grid& grid, std::span<const std::uint8_t> is_high, double frequency, double dt);

  PatchLevel level(PatchIndex patch) const { return level_[patch]; }
  /// The first step after `step` at which people of a patch are looked at.
  std::uint32_t next_due(PatchIndex patch, std::uint32_t step) const {
    const std::uint32_t period = period_[patch], beat = (patch * 0x9E3779B1u) >> 16;
    return step + period - (step + beat) % period;
  }
  std::uint32_t period(PatchIndex patch) const { return period_[patch]; }

 private:
  template <class Patches>
  void update_all(const Patches& patches, const DetailSettings& settings, double dt);
  template <class Patches>
  void mark_seen(const Patches& patches);

  std::vector<PatchLevel> level_;
  std::vector<std::uint16_t> period_;  ///< steps
  struct Sighting {
    PatchIndex patch;
    std::uint32_t from;  ///< the portal or gate through which people of a high patch look out; of tiles, rings from one
  };
  std::vector<Sighting> queue_;
};

}  // namespace throng
