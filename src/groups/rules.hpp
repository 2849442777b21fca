// SPDX-License-Identifier: MIT
// How a group keeps together (Yersin et al. 2008, section 6; ALGORITHMS §4.8): speeds and places beside the leader, as pure
// functions.
//
// The printed rule has a wrong sign (erratum Y-3): s = (leader − follower) · forward is positive for a follower who is behind.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "agents/vec2f.hpp"

namespace throng::group_rules {

inline constexpr float kAbreast = 0.5f;                   ///< m: so far ahead or behind counts as beside
inline constexpr float kPaceRate = 0.1f;                  ///< of the preferred speed, per second
inline constexpr float kSlowest = 0.7f, kFastest = 1.3f;  ///< times the preferred speed
inline constexpr float kSpacing = 0.8f;                   ///< m, from one to the next (Moussaïd et al. 2010)
inline constexpr float kRankSpacing = 1.0f;               ///< m, from rank to rank of a large group
inline constexpr std::uint32_t kMostAbreast = 5;          ///< larger groups walk in ranks of four

/// Within half a metre the paper lets everybody be. Then people are as often half a metre apart as side by side: this much of the
/// lag per second is made up for besides.
inline constexpr float kTrim = 0.4f;

// Beyond the paper, whose limits of speed need half a minute to close a gap of some metres.
inline constexpr float kSplit = 2.5f;        ///< m from its place: split off
inline constexpr float kJoined = 0.6f;       ///< m: back again
inline constexpr float kWaitingPace = 0.1f;  ///< of the leader who waits: hardly moving, but not rooted to the spot
inline constexpr float kPatience = 15;       ///< s that it waits
inline constexpr float kCatchUpTime = 0.5f;  ///< s, in which the last bit of a gap is closed

/// The pace that makes somebody walk at the common speed of its group.
inline float common_pace(float common_speed, float preferred_speed) {
  return std::clamp(common_speed / preferred_speed, kSlowest, kFastest);
}

/// The pace after a step: `lag` is how far one is behind its place (a leader of two: how far it is behind the other's), negative
/// ahead. Abreast, back to the common pace.
inline float adapted_pace(float pace, float lag, float common, float dt) {
  const float wished = lag > kAbreast ? kFastest : lag < -kAbreast ? kSlowest : common;
  const float most = kPaceRate * dt;
  return std::clamp(pace + std::clamp(wished - pace, -most, most), kSlowest, kFastest);
}

/// How many walk side by side.
inline std::uint32_t abreast(std::uint32_t members) { return members <= kMostAbreast ? members : 4; }

/// Places in line: everybody keeps the side of the leader that it is on, so that nobody has to cross over when the group turns
/// round. `across` are metres to the left of the leader, 0 its own; `beside` are the places before and after, in spacings. The
/// leader's is 0. Members of later ranks stand behind the middle of the first.
inline void line_up(std::span<const float> across, std::uint32_t leader, std::span<std::int8_t> beside) {
  // A place that was held once is kept until somebody is clearly on the other side.
  constexpr float kHold = 0.25f;
  const auto count = static_cast<std::uint32_t>(across.size());
  const std::uint32_t wide = abreast(count);
  const auto rank_of = [&](std::uint32_t k) { return (k < leader ? k + 1 : k == leader ? 0 : k) / wide; };
  float key[64];
  for (std::uint32_t k = 0; k < count; ++k) key[k] = across[k] + kHold * static_cast<float>(std::clamp<int>(beside[k], -1, 1));
  key[leader] = 0;
  const auto place_in_rank = [&](std::uint32_t k) {
    int place = 0;
    for (std::uint32_t other = 0; other < count; ++other)
      if (other != k && rank_of(other) == rank_of(k)) place += key[other] < key[k] || (key[other] == key[k] && other < k);
    return place;
  };
  const int own = place_in_rank(leader);
  const int first_rank = static_cast<int>(std::min(wide, count));
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t rank = rank_of(k);
    if (rank == 0) {
      beside[k] = static_cast<std::int8_t>(place_in_rank(k) - own);
      continue;
    }
    const int in_rank = static_cast<int>(std::min(wide, count - rank * wide));
    beside[k] = static_cast<std::int8_t>(place_in_rank(k) - own + (first_rank - in_rank) / 2);
  }
}
/// How far behind the leader a member's rank is.
inline float rank_behind(std::uint32_t member, std::uint32_t leader, std::uint32_t members) {
  const std::uint32_t place = member < leader ? member + 1 : member == leader ? 0 : member;
  return kRankSpacing * static_cast<float>(place / abreast(members));
}

}  // namespace throng::group_rules
