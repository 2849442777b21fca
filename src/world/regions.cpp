// SPDX-License-Identifier: MIT
// Regions of interest in a world: tiles get levels, levels get a guidance and a model (Yersin et al. 2008; ALGORITHMS §4.2).
//
// The levels of simulation do the rest (levels.cpp): tiles of a level that is served by a model that walks straight are low
// patches, whose people coast; all others are high.
#include <algorithm>
#include <cmath>

#include "world/state.hpp"

namespace throng {
namespace {

bool is_sound(const Region& region) {
  return std::isfinite(region.centre.x) && std::isfinite(region.centre.y) && region.radius > 0 && std::isfinite(region.radius) &&
         region.level <= 2;
}

std::uint64_t block_key(float x, float y, std::uint32_t layer) {
  constexpr float kInverse = static_cast<float>(1 / kBlock);
  const auto part = [](float v) {
    return static_cast<std::uint64_t>(static_cast<std::int32_t>(std::floor(v * kInverse)) + (1 << 20));
  };
  return (std::uint64_t{layer} << 42) | (part(y) << 21) | part(x);
}

CrowdBlock block_of(std::uint64_t key) {
  CrowdBlock block;
  block.column = static_cast<std::int32_t>(key & 0x1fffff) - (1 << 20);
  block.row = static_cast<std::int32_t>((key >> 21) & 0x1fffff) - (1 << 20);
  block.layer = static_cast<std::uint32_t>(key >> 42);
  return block;
}

}  // namespace

void World::State::make_interest() {
  if (!has_interest()) return;
  for (int level = 0; level < 3; ++level) {
    const std::uint8_t model = settings.interest.levels[level].model;
    model_of_level[level] = model == kStraightModel ? models.straight() : model;
  }
  for (const Region& region : settings.interest.regions) regions.push_back({region, true});
  lay_interest_tiles();
  rate_interest();
}

/// Tiles over the ground as it is now.
void World::State::lay_interest_tiles() {
  grid = Grid(data().cells, {.size = settings.interest.tile},
              [&](Vec2 place, std::uint32_t layer) { return data().elevation(place, layer); });
  tile_blocks.clear();
  for (TileIndex t = 0; t < grid.tile_count(); ++t) {
    const Vec2 at = grid.centre(t);
    tile_blocks.push_back(block_key(static_cast<float>(at.x), static_cast<float>(at.y), grid.layer(t)));
  }
  std::sort(tile_blocks.begin(), tile_blocks.end());
  fields = {};
  are_fields_stale = true;
  are_paths_weighed = false;
}

std::optional<std::uint32_t> World::State::add_region(const Region& region) {
  if (!has_interest() || !is_sound(region)) return {};
  // The number of one that is gone is free.
  std::uint32_t number = 0;
  while (number < regions.size() && regions[number].is_alive) ++number;
  if (number == regions.size()) regions.emplace_back();
  regions[number] = {region, true};
  return number;
}

bool World::State::set_region(std::uint32_t number, const Region& value) {
  if (number >= regions.size() || !regions[number].is_alive || !is_sound(value)) return false;
  regions[number].region = value;
  return true;
}

/// Once a second, regions that the budget pays for.
void World::State::spend_budget() {
  const auto every = static_cast<std::uint64_t>(std::max(1.0, std::round(1 / settings.dt)));
  if (settings.interest.budget <= 0 || steps % every != 0) return;
  keys.clear();
  for (std::uint32_t row = 0; row < agents.count; ++row)
    keys.push_back(block_key(agents.now.x[row], agents.now.y[row], layer_of(row)));
  order.resize(agents.count);
  for (std::uint32_t row = 0; row < agents.count; ++row) order[row] = row;
  // Rows in the order of their numbers within a block: sums of floats depend on it.
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : agents.number[a] < agents.number[b];
  });
  std::vector<CrowdBlock> blocks;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::uint32_t row = order[k];
    if (k == 0 || keys[row] != keys[order[k - 1]]) {
      blocks.push_back(block_of(keys[row]));
      const auto [first, last] = std::equal_range(tile_blocks.begin(), tile_blocks.end(), keys[row]);
      blocks.back().tiles = static_cast<std::uint32_t>(last - first);
    }
    const Vec2f velocity = {agents.now.vx[row], agents.now.vy[row]};
    ++blocks.back().people;
    blocks.back().momentum = blocks.back().momentum + velocity;
    blocks.back().speed += length(velocity);
  }
  spend(blocks,
        {.budget = settings.interest.budget,
         .tile = settings.interest.tile,
         .sets = static_cast<std::uint32_t>(2 * flows.size()),
         .camera = settings.interest.camera},
        paid_regions);
}

/// Before a step: regions go with those they follow, and what has moved changes levels.
void World::State::rate_interest() {
  if (!has_interest()) return;
  region_list.clear();
  for (LiveRegion& live : regions) {
    if (!live.is_alive) continue;
    if (const std::uint32_t row = slots.row_of(live.leader); row != kNoRow) live.region.centre = position(row);
    if (live.vehicle < vehicles.size() && vehicles[live.vehicle].is_there) {
      const Vec2f at = vehicles[live.vehicle].box.middle;
      live.region.centre = {at.x, at.y};
    }
    region_list.push_back(live.region);
  }
  spend_budget();
  region_list.insert(region_list.end(), paid_regions.begin(), paid_regions.end());
  if (interest.update(grid, settings.interest, region_list)) apply_interest();
}

/// Levels of patches by those of tiles. After a restore, when everybody will be looked at is known.
void World::State::apply_interest(bool wakes) {
  is_high.resize(grid.tile_count());
  for (TileIndex t = 0; t < grid.tile_count(); ++t) {
    const std::uint8_t model = model_of_level[interest.level(t)];
    is_high[t] = model == kOwnModel || !models.is_linear(model);
  }
  patches.update(grid, is_high, settings.interest.straight_frequency, settings.dt);
  if (wakes) wake_patches();
  are_fields_stale = true;
}

}  // namespace throng
