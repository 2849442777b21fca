// SPDX-License-Identifier: MIT
// Which path of a flow somebody takes (Pettré et al. 2007, Algorithm 3 line 10; ALGORITHMS §2.7): pure functions of the flow and
// of how many people are in each disc.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "navgraph/flow.hpp"

namespace throng {

/// Metres a second in a crowd of so many people a square metre (Weidmann 1993), at least 0.1.
double speed_in_crowd(double density);

/// Who is where on a graph.
struct GraphCrowd {
  std::span<const std::uint32_t> people;   ///< in each disc
  std::span<const std::uint32_t> bound{};  ///< for each gate, those who walk to it from one of its discs; none: not known
};

/// Metres of a path inside its i-th disc: from gate to gate, from and to the centres of its ends.
double length_inside(const NavGraph& graph, const FlowPath& path, std::size_t i);

/// Seconds along a path, if each disc is walked at the speed its crowd allows. A crowd is what fills the disc, or the strip that
/// leads to the gate: a square is never full, and yet people may queue at one of its doors.
double travel_time(const NavGraph& graph, const FlowPath& path, const GraphCrowd& crowd);

/// Which share of a path's discs its first disc sees; 1 for the first and its neighbours alone.
double seen_share(const NavGraph& graph, const FlowPath& path);

struct Chooser {
  PathCriterion criterion = PathCriterion::kTravelTime;
  std::optional<std::uint32_t> current;  ///< the path taken now: another must be 10 % better
  std::span<const double> lengths{};     ///< metres really walked on each path; none: from centre to centre
  std::uint64_t seed = 0;
  std::uint32_t agent = 0;  ///< everybody judges each path a little better or worse, always the same way: crowds do not flip
  double whim = 0.05;       ///< how much, at most
};

/// The index of the chosen path; the flow has at least one.
std::uint32_t choose_path(const NavGraph& graph, const Flow& flow, const GraphCrowd& crowd, const Chooser& chooser);

}  // namespace throng
