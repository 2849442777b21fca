// SPDX-License-Identifier: MIT
// A group of a world: who belongs to it, and how each of them keeps to the others. Plain data of fixed size: a step allocates
// nothing for groups, and a snapshot writes them as they are.
#pragma once
#include <array>
#include <cstdint>

#include <throng/groups.hpp>

#include "agents/vec2f.hpp"

namespace throng {

/// By what somebody in a group is guided.
enum class Follows : std::uint8_t {
  kItself,  ///< its own corridor: the leader, and who cannot come to it on foot
  kLeader,  ///< a way-point beside the leader's
  kSeeks,   ///< a corridor to the leader, who is out of sight
};

struct GroupMember {
  // Part of the world's state.
  std::uint32_t slot = 0;  ///< of its AgentId
  float pace = 1;          ///< share of its preferred speed
  std::int8_t beside = 0;  ///< its place in the line: so many to the left of the leader
  Follows follows = Follows::kItself;
  bool is_split = false;

  // Made anew in each step.
  Vec2f target{};   ///< where it goes, if it follows the leader
  float speed = 0;  ///< at which it wants to walk
};

struct Group {
  std::uint32_t number = 0;  ///< counts up over the run; 0: this place is free
  std::uint32_t count = 0;
  std::uint32_t leader = 0;  ///< index into `members`; kNobody: nobody can lead
  float waited = 0;          ///< s, for those who were split off
  std::array<GroupMember, kMostMembers> members{};

  bool is_waiting = false;  ///< the leader, in this step
  Vec2f place{};            ///< of the leader, in this step

  static constexpr std::uint32_t kNobody = 0xffffffffu;
};

}  // namespace throng
