// SPDX-License-Identifier: MIT
// Which patches of the ground deserve how much work (Pettré, Grillon & Thalmann 2007, section 6; ALGORITHMS §2.8).
//
// A patch is a cell. Its score is the best of its corners, its middle and the point of it that is nearest to the viewpoint, so
// that a large cell in front of the viewer counts as near. Patches below the high score that people of high patches can see
// into are marked as well: whoever is there is seen, and must be in the neighbourhood graph. Everybody else is looked at from
// time to time, each patch at its own beat: the beats are spread by a hash of the patch, so that steps cost alike.
//
// Cost: some 50 ns a cell whenever the viewpoint moves; nothing else depends on the scene's size.
#pragma once
#include <cstdint>
#include <vector>

#include <throng/detail.hpp>

#include "cells/cells.hpp"

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

class PatchLevels {
 public:
  void update(const Cells& cells, const DetailSettings& settings, double dt);

  PatchLevel level(CellIndex patch) const { return level_[patch]; }
  /// The first step after `step` at which people of a patch are looked at.
  std::uint32_t next_due(CellIndex patch, std::uint32_t step) const {
    const std::uint32_t period = period_[patch], beat = (patch * 0x9E3779B1u) >> 16;
    return step + period - (step + beat) % period;
  }
  std::uint32_t period(CellIndex patch) const { return period_[patch]; }

 private:
  void mark_seen(const Cells& cells);

  std::vector<PatchLevel> level_;
  std::vector<std::uint16_t> period_;  ///< steps
  struct Sighting {
    CellIndex patch;
    PortalIndex from;  ///< through which people of a high patch look out
  };
  std::vector<Sighting> queue_;
};

}  // namespace throng
