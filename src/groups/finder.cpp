// SPDX-License-Identifier: MIT
#include "groups/finder.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace throng {
namespace {

constexpr float kStands = 0.2f;  // m/s
constexpr float kSeen = 1.5f;    // times as far as counts as near: others are passed over at once

}  // namespace

void GroupFinder::see(const FinderColumns& now, std::uint32_t row, std::uint32_t other) {
  const float dx = now.x[other] - now.x[row], dy = now.y[other] - now.y[row], squared = dx * dx + dy * dy;
  if (squared > kSeen * kSeen * settings_.near * settings_.near) return;
  const float vx = now.vx[other] - now.vx[row], vy = now.vy[other] - now.vy[row];
  const auto speed_squared = [&](std::uint32_t of) { return now.vx[of] * now.vx[of] + now.vy[of] * now.vy[of]; };
  const bool stands = speed_squared(row) < kStands * kStands && speed_squared(other) < kStands * kStands;
  const bool is_near = squared < settings_.near * settings_.near && vx * vx + vy * vy < settings_.like * settings_.like;
  const std::uint64_t low = std::min(now.id[row], now.id[other]), high = std::max(now.id[row], now.id[other]);
  sights_.push_back({(low << 32) | high, is_near, stands});
}

void GroupFinder::gain(Pair& pair, float seconds, float dt) const {
  pair.gained = std::clamp(pair.gained + seconds, 0.0f, settings_.window + settings_.patience);
  pair.is_bound = pair.gained >= (pair.is_bound ? 0.5f : 1.0f) * settings_.window;
  if (pair.is_bound) pair.bound += dt;
}

void GroupFinder::remember(float dt) {
  std::sort(sights_.begin(), sights_.end(), [](const Sight& a, const Sight& b) { return a.ids < b.ids; });
  merged_.clear();
  std::size_t old = 0;
  const auto keep = [&](const Pair& pair) {
    if (pair.gained > 0 || (keeps_all_ && pair.bound > 0)) merged_.push_back(pair);
  };
  const auto part = [&](Pair pair) {
    gain(pair, -settings_.loss * dt, dt);
    keep(pair);
  };
  for (const Sight& sight : sights_) {
    while (old < pairs_.size() && pairs_[old].ids < sight.ids) part(pairs_[old++]);
    Pair pair{.ids = sight.ids};
    if (old < pairs_.size() && pairs_[old].ids == sight.ids) pair = pairs_[old++];
    gain(pair, sight.stands ? 0 : sight.is_near ? dt : -settings_.loss * dt, dt);
    keep(pair);
  }
  while (old < pairs_.size()) part(pairs_[old++]);
  pairs_.swap(merged_);
}

std::vector<std::vector<std::uint32_t>> GroupFinder::found() const {
  std::vector<std::uint64_t> bound;
  for (const Pair& pair : pairs_)
    if (pair.is_bound) bound.push_back(pair.ids);
  return joined(bound);
}

std::vector<std::vector<std::uint32_t>> joined(std::span<const std::uint64_t> pairs) {
  std::vector<std::uint32_t> ids;
  for (const std::uint64_t pair : pairs)
    ids.push_back(static_cast<std::uint32_t>(pair >> 32)), ids.push_back(static_cast<std::uint32_t>(pair));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto index_of = [&](std::uint32_t id) {
    return static_cast<std::uint32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  std::vector<std::uint32_t> parent(ids.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root_of = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const std::uint64_t pair : pairs) {
    const std::uint32_t a = root_of(index_of(static_cast<std::uint32_t>(pair >> 32)));
    const std::uint32_t b = root_of(index_of(static_cast<std::uint32_t>(pair)));
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::uint32_t> group_of(ids.size());
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    const std::uint32_t root = root_of(i);
    if (root == i) {
      group_of[i] = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back();
    }
    groups[group_of[root]].push_back(ids[i]);
  }
  return groups;
}

PairScore score_of(const std::vector<std::vector<std::uint32_t>>& found,
                   const std::vector<std::vector<std::uint32_t>>& declared) {
  const auto pairs_of = [](const std::vector<std::vector<std::uint32_t>>& groups) {
    std::vector<std::uint64_t> pairs;
    for (const auto& group : groups)
      for (const std::uint32_t a : group)
        for (const std::uint32_t b : group)
          if (a < b) pairs.push_back((std::uint64_t{a} << 32) | b);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  };
  const std::vector<std::uint64_t> said = pairs_of(found), true_ones = pairs_of(declared);
  std::vector<std::uint64_t> right;
  std::set_intersection(said.begin(), said.end(), true_ones.begin(), true_ones.end(), std::back_inserter(right));
  return {right.size(), said.size() - right.size(), true_ones.size() - right.size()};
}

}  // namespace throng
