// SPDX-License-Identifier: MIT
// Many ways from one disc to another (Pettré et al. 2007, Algorithm 2; ALGORITHMS §2.7, §2.11).
//
// The shortest path is searched again and again; each time the narrowest gate of the last one becomes ten times as long, in an
// overlay: the shared graph is never touched (erratum P-4). So the flow first finds the shortest way, then ways round its
// bottlenecks. People spread over the paths by what they like: navgraph/choice.hpp.
#pragma once
#include <throng/graph.hpp>

#include "navgraph/nav_graph.hpp"

namespace throng {

/// Without a limit on paths each gate may be made longer three times instead of once. O((gates + 1) · search); on 1600 discs 0.8
/// ms for 8 paths, 0.5 s without limits.
Flow find_flow(const NavGraph& graph, DiscIndex from, DiscIndex to, const FlowSettings& settings = {});

}  // namespace throng
