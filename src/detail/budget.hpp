// SPDX-License-Identifier: MIT
// Regions that a budget of work pays for (Yersin et al. 2008, section 7): the crowd is counted in blocks of some tiles; level 0
// goes to those where streams meet, near the camera first, then level 1 to where people are, until the budget is spent.
//
// Work is counted in steps of one person at level 1. Narrow blocks that are jammed get no level 0: a field has no choice to offer
// there, and costs most.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <throng/regions.hpp>

#include "agents/vec2f.hpp"

namespace throng {

inline constexpr double kBlock = 12;  ///< m, side of a block

/// One block and who is in it.
struct CrowdBlock {
  std::int32_t column = 0, row = 0;
  std::uint32_t layer = 0;
  std::uint32_t people = 0;
  std::uint32_t tiles = 0;  ///< walkable
  Vec2f momentum{};         ///< sum of velocities
  float speed = 0;          ///< sum of speeds
};

struct BudgetSettings {
  double budget = 0;
  double tile = 3;
  std::uint32_t sets = 0;  ///< potentials that a tile of level 0 is part of
  std::optional<Viewpoint> camera;
};

/// Work of a block at a level.
double work_of(const CrowdBlock& block, int level, std::uint32_t sets);
/// Blocks in order of (layer, row, column) in, regions out: as many as blocks that get level 0 or 1.
void spend(std::span<const CrowdBlock> blocks, const BudgetSettings& settings, std::vector<Region>& regions);

}  // namespace throng
