// SPDX-License-Identifier: MIT
// Which path of a flow somebody takes (Pettré et al. 2007, Algorithm 3 line 10; ALGORITHMS §2.7): pure functions of the flow and
// of how many people are in each disc.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "navgraph/flow.hpp"

namespace throng {

enum class PathCriterion : std::uint8_t {
  kLength,      ///< the shortest
  kWidth,       ///< the one whose narrowest gate is widest
  kVisibility,  ///< the one of which most is seen from its start (needs sight lists)
  kTravelTime,  ///< the fastest, given the crowd
};

/// Metres a second in a crowd of so many people a square metre (Weidmann 1993), at least 0.1.
double speed_in_crowd(double density);

/// Seconds along a path, if each disc is walked at the speed its crowd allows. `people` counts those in each disc.
double travel_time(const NavGraph& graph, const FlowPath& path, std::span<const std::uint32_t> people);

/// Which share of a path's discs its first disc sees; 1 for the first and its neighbours alone.
double seen_share(const NavGraph& graph, const FlowPath& path);

struct Chooser {
  PathCriterion criterion = PathCriterion::kTravelTime;
  std::optional<std::uint32_t> current;  ///< the path taken now: another must be 10 % better
  std::uint64_t seed = 0;
  std::uint32_t agent = 0;  ///< everybody judges each path up to 5 % better or worse, always the same way: crowds do not flip
};

/// The index of the chosen path; the flow has at least one.
std::uint32_t choose_path(const NavGraph& graph, const Flow& flow, std::span<const std::uint32_t> people, const Chooser& chooser);

}  // namespace throng
