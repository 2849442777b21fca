// SPDX-License-Identifier: MIT
// Which tile is how interesting (Yersin et al. 2008; ALGORITHMS §4.2).
//
// A tile belongs to a region if its centre does. Regions and the camera may tremble: as long as they stay within `slack` of where
// they were when tiles were last rated, nothing changes.
//
// Cost: some 10 ns a tile, and a few more for each region, when something has moved; nothing otherwise.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/regions.hpp>

#include "grid/grid.hpp"

namespace throng {

class InterestMap {
 public:
  /// True if levels have been rated anew.
  bool update(const Grid& grid, const InterestSettings& settings, std::span<const Region> regions);
  std::uint8_t level(TileIndex tile) const { return level_[tile]; }

  /// What tiles were last rated by: all that an InterestMap remembers.
  struct Rated {
    std::vector<Region> regions;
    std::optional<Viewpoint> camera;
  };
  const Rated& rated() const { return rated_; }
  void rate_by(const Grid& grid, const InterestSettings& settings, Rated rated);

 private:
  Rated rated_;
  std::vector<std::uint8_t> level_;
};

}  // namespace throng
