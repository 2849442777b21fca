// SPDX-License-Identifier: MIT
// What a NavigationGraph holds.
#pragma once
#include <memory>

#include <throng/graph.hpp>

#include "navgraph/graph_editor.hpp"
#include "navgraph/nav_graph.hpp"

namespace throng {

struct NavigationGraph::Data {
  NavGraph graph;
  GraphReport report;
  Vec2 origin;
  std::shared_ptr<const GraphBasis> basis;  ///< for edits; null: it can be computed

  /// The figures of the report that follow from the graph and from how many samples hold a body and are covered.
  void count(std::uint64_t samples, std::uint64_t feasible, std::uint64_t covered);
};

/// How the discs of a graph came about, once more.
std::unique_ptr<GraphBasis> make_basis(const NavGraph& graph);

}  // namespace throng
