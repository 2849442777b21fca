// SPDX-License-Identifier: MIT
#include "detail/budget.hpp"

#include <algorithm>
#include <numeric>

namespace throng {
namespace {

// Of one person at level 0, in those at level 1, and of one tile of one set.
constexpr double kPersonWork = 1.3, kTileWork = 0.2;
// At level 2 people are looked at once a second.
constexpr double kStraightWork = 0.1;
constexpr double kFieldShare = 0.5;   // of the budget, at most, for level 0
constexpr double kNearby = 20;        // m from the camera at which interest has fallen to one half
constexpr double kNarrow = 0.5;       // share of a block that is walkable
constexpr double kJamDensity = 1.5;   // per m²
constexpr double kBlockRadius = 6.8;  // m: a circle of the area of a block

double conflict_of(const CrowdBlock& block) {
  return block.speed > 0 ? 1 - static_cast<double>(length(block.momentum) / block.speed) : 0;
}

bool is_narrow_and_jammed(const CrowdBlock& block, double tile) {
  const double ground = block.tiles * tile * tile;
  return ground < kNarrow * kBlock * kBlock && block.people > kJamDensity * ground;
}

Vec2 middle_of(const CrowdBlock& block) { return {(block.column + 0.5) * kBlock, (block.row + 0.5) * kBlock}; }

}  // namespace

double work_of(const CrowdBlock& block, int level, std::uint32_t sets) {
  if (level == 0) return kPersonWork * block.people + kTileWork * block.tiles * sets;
  return level == 1 ? block.people : kStraightWork * block.people;
}

void spend(std::span<const CrowdBlock> blocks, const BudgetSettings& settings, std::vector<Region>& regions) {
  regions.clear();
  const auto nearness = [&](const CrowdBlock& block) {
    return settings.camera ? kNearby / (kNearby + distance(settings.camera->position, middle_of(block))) : 1.0;
  };
  double left = settings.budget;
  for (const CrowdBlock& block : blocks) left -= work_of(block, 2, settings.sets);
  std::vector<std::uint8_t> level(blocks.size(), 2);
  std::vector<std::uint32_t> order(blocks.size());
  const auto best_first = [&](auto&& value) {
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return value(blocks[a]) > value(blocks[b]); });
  };
  const auto pay = [&](std::uint32_t b, int wanted, double limit) {
    const double more = work_of(blocks[b], wanted, settings.sets) - work_of(blocks[b], level[b], settings.sets);
    if (more > limit) return false;
    level[b] = static_cast<std::uint8_t>(wanted);
    left -= more;
    return true;
  };
  const double spared = left - kFieldShare * settings.budget;
  best_first([&](const CrowdBlock& block) { return nearness(block) * conflict_of(block) * block.people; });
  for (const std::uint32_t b : order)
    if (conflict_of(blocks[b]) > 0.1 && !is_narrow_and_jammed(blocks[b], settings.tile)) pay(b, 0, left - std::max(0.0, spared));
  best_first(nearness);
  for (const std::uint32_t b : order)
    if (level[b] == 2) pay(b, 1, left);
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (level[b] < 2)
      regions.push_back({.centre = middle_of(blocks[b]), .radius = kBlockRadius, .level = level[b], .layer = blocks[b].layer});
}

}  // namespace throng
