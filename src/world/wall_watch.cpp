// SPDX-License-Identifier: MIT
#include "world/wall_watch.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr std::size_t kSpotGrain = 256;
/// How far a spot looks for walls: farther costs more in the open, nearer has to be done again sooner.
constexpr double kSpotReach = 20;
/// More than the grid and floats round off, and than the tolerance of a penetration.
constexpr float kSpotMargin = 0.02f;

float distance_to_spot(const auto& spot, float x, float y) {
  const float dx = x - spot.x, dy = y - spot.y;
  return std::sqrt(dx * dx + dy * dy);
}

}  // namespace

bool WallWatch::vouches(std::uint32_t row, const ClosePairs::Bodies& bodies, const Looks& looks) const {
  if (row >= spots_.size()) return false;
  const Spot& spot = spots_[row];
  if (spot.free <= 0 || (looks.has_layers && looks.layer_of(row) != spot.layer)) return false;
  return distance_to_spot(spot, bodies.x[row], bodies.y[row]) + bodies.radius[row] + kSpotMargin < spot.free;
}

/// Finds new spots for the rows whose old ones do not vouch for all places within reach of the listed one.
void WallWatch::renew(const ClosePairs& pairs, std::uint32_t present, const Looks& looks, TaskRunner& tasks) {
  const ClosePairs::Bodies bodies = pairs.listed();
  const std::size_t count = bodies.x.size();
  const float reach = pairs.reach();
  spots_.resize(count);
  is_near_.resize(count);
  tasks.parallel_for(count, kSpotGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = static_cast<std::uint32_t>(i);
      Spot& spot = spots_[i];
      const float x = bodies.x[i], y = bodies.y[i], needed = reach + bodies.radius[i] + kSpotMargin;
      const auto suffices = [&] { return distance_to_spot(spot, x, y) + needed < spot.free; };
      const std::uint32_t layer = looks.has_layers && row < present ? looks.layer_of(row) : 0;
      if (spot.free <= 0 || spot.layer != layer || !suffices())
        spot = {x, y, static_cast<float>(looks.room({x, y}, layer, kSpotReach)), layer};
      is_near_[i] = static_cast<std::uint8_t>(!suffices());
    }
  });
  near_.clear();
  for (std::uint32_t i = 0; i < count; ++i)
    if (is_near_[i] != 0) near_.push_back(i);
}

std::uint32_t WallWatch::count(const ClosePairs::Bodies& bodies, const ClosePairs& pairs, const Looks& looks, TaskRunner& tasks) {
  const auto count = static_cast<std::uint32_t>(bodies.x.size());
  if (version_ != pairs.version() || spots_.empty()) {
    version_ = pairs.version();
    renew(pairs, count, looks, tasks);
  }
  const auto asks = [&](std::uint32_t row) { return !vouches(row, bodies, looks) && looks.penetrates(row); };
  // Where rows can change their layer, every row is asked whether its spot is on it.
  const std::size_t asked = looks.has_layers ? count : near_.size();
  found_.assign((asked + kSpotGrain - 1) / kSpotGrain, 0);
  tasks.parallel_for(asked, kSpotGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    std::uint32_t found = 0;
    for (std::size_t k = begin; k < end; ++k)
      if (const std::uint32_t row = looks.has_layers ? static_cast<std::uint32_t>(k) : near_[k]; row < count)
        found += static_cast<std::uint32_t>(asks(row));
    found_[begin / kSpotGrain] = found;
  });
  std::uint32_t found = 0;
  for (const std::uint32_t of_chunk : found_) found += of_chunk;
  if (looks.has_layers) return found;
  for (const std::uint32_t row : pairs.strays())
    if (row >= is_near_.size() || is_near_[row] == 0) found += static_cast<std::uint32_t>(asks(row));
  return found;
}

}  // namespace throng
