// SPDX-License-Identifier: MIT
// Hub labels on the abstraction tree (ALGORITHMS §1.7b): the default planner.
//
// The smallest zone that holds a whole optimal path is cut by that path between two of its children, so the path passes one of
// the zone's hubs. Each key point therefore stores, for every zone that holds it, the distance to each of the zone's hubs
// *without leaving the zone*. Labels are laid out root first: the labels of two cells share a prefix down to their lowest common
// zone, and a query is one minimum over that prefix. For each hub and each key point inside its zone one byte says where the way
// to the hub goes on.
#pragma once
#include <cstdint>
#include <vector>

#include "base/tasks.hpp"
#include "cells/abstraction.hpp"
#include "routing/roadmap.hpp"

namespace throng {

/// Labels of one profile for bodies of `radius` (and for wider ones where the way found is wide enough).
struct Labels {
  double radius = 0;
  std::vector<std::uint32_t> prefix;     ///< of each zone: entries of its ancestors and itself
  std::vector<std::uint32_t> start;      ///< key → its entries in `cost`; a multiple of kLabelBlock
  std::vector<Cost> cost;                ///< key-major, root first, padded with kUnreachable
  std::vector<std::uint64_t> hop_start;  ///< zone → its table in `hops`
  std::vector<std::uint8_t> hops;        ///< hub-major: which of the key's neighbours is next; kScan: look at their costs

  static constexpr std::uint8_t kScan = 255;
  std::size_t bytes() const {
    return prefix.size() * 4 + start.size() * 4 + cost.size() * sizeof(Cost) + hop_start.size() * 8 + hops.size();
  }
};

/// Where everything lies: fills prefix, start and hop_start, and sizes cost and hops. A function of tree and roadmap alone.
void lay_out_labels(const Abstraction& tree, std::uint32_t key_points, Labels& labels);

/// One Dijkstra per zone and hub, inside the zone. Deterministic for any number of workers.
Labels build_labels(const Cells& cells, const Abstraction& tree, const Roadmap& roadmap, double radius, TaskRunner& tasks);

/// Whether labels that were read from a file can be walked: every hop stays in its zone and comes strictly closer to its hub.
bool are_walkable(const Abstraction& tree, const Roadmap& roadmap, const Labels& labels);

/// Scratch of a label query.
struct LabelScratch {
  struct Stream {
    const Cost* label;
    Cost add;
    std::uint32_t length;
  };
  std::vector<Stream> from, to;
  std::vector<KeyIndex> back;  ///< the way from the goal to the hub
};

/// Cost of the best way between the end points (kUnreachable: none) and its keys.
Cost search_labels(const Cells& cells, const Abstraction& tree, const Roadmap& roadmap, const Labels& labels,
                   const Endpoint& start, const Endpoint& goal, LabelScratch& scratch, std::vector<KeyIndex>& keys);

}  // namespace throng
