// SPDX-License-Identifier: MIT
// What has become of everybody when a run ends: the figures that tell a run in which people get where they want from one that
// only ended.
#pragma once
#include <cstdint>

namespace throng {

struct RunOutcome {
  // Whose plan ends (`stay`, `leave`).
  std::uint64_t ending = 0;   ///< that are there, or have arrived and left
  std::uint64_t arrived = 0;  ///< of these, at their last goal

  // Agents that are there at the end: each is counted once.
  std::uint64_t at_goal = 0;       ///< plan has ended
  std::uint64_t under_way = 0;     ///< plan will end
  std::uint64_t looping = 0;       ///< plan begins again
  std::uint64_t wandering = 0;     ///< to random places for ever
  std::uint64_t without_plan = 0;  ///< on flows, with a heading, or with nothing to do
  std::uint64_t riding = 0;        ///< aboard links
  std::uint64_t lost = 0;          ///< no way leads to where they want to go now

  std::uint64_t waiting_outside = 0;  ///< of sources, for room or for their group
  std::uint64_t dropped = 0;          ///< of populations, for want of room at the start: never there
};

}  // namespace throng
