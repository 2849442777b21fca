// SPDX-License-Identifier: MIT
// Small groups (Yersin et al. 2008, section 6; ALGORITHMS §4.8): people who walk together, by whatever motion models.
//
//   const throng::AgentId family[] = {anna, bert, carl};
//   const auto group = world->add_group(family);  // Anna leads
//   world->set_goal(anna, {90, 20});              // and the others come along
//
// The first member leads. The others walk beside it, 0.8 m from one to the next, or behind it where it is narrow. They adapt
// their speeds to stay abreast, waive the distance that they keep to strangers, and step aside for strangers only; they never run
// into each other. Who was separated walks back to the leader, who waits for a while. If the leader leaves the world, the next
// member leads. Others walk round a group, not through it.
//
// *Followers have no goals of their own:* goal, heading or plan are the leader's, and they arrive when it arrives. At the end of
// a plan that leads out of the world each member leaves when it comes there.
#pragma once
#include <cstdint>

namespace throng {

/// Groups of more than five walk in ranks.
inline constexpr std::uint32_t kMostMembers = 12;

/// How a group walks, as of the last step.
struct GroupState {
  std::uint32_t number = 0;
  std::uint32_t members = 0;
  bool is_split = false;    ///< somebody is on the way back to the leader
  bool is_waiting = false;  ///< and the leader waits
};

}  // namespace throng
