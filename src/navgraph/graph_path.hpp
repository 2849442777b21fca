// SPDX-License-Identifier: MIT
// One path on a navigation graph (ALGORITHMS §2.7, single query): A* from gate to gate, then pulled tight through the gates.
//
// The cost is the distance between the middles of gates, which is nearer to the length of the pulled path than the distance
// between centres (ALGORITHMS §2.11: 1.07 to 1.15 against 1.17 to 1.46 times Detour's paths).
#pragma once
#include <cstdint>
#include <vector>

#include <throng/graph.hpp>

#include "navgraph/nav_graph.hpp"
#include "navgraph/pull.hpp"

namespace throng {

enum class GraphPathStatus : std::uint8_t { kFound, kNoWay, kStartBlocked, kGoalBlocked };

/// Searches with memory it keeps. One per thread.
class GraphSearch {
 public:
  explicit GraphSearch(const NavGraph& graph);
  GraphPathStatus find(Vec3 from, Vec3 to, GraphPath& path);
  /// Adds to the path's points the way from gate to gate, without its ends, pulled tight between two points of its first and last
  /// disc, and sets its narrowest gate. `discs` and `gates` say which way.
  void pull(Vec3 first, Vec3 last, GraphPath& path);

 private:
  /// A gate and the side that was entered.
  using State = std::uint32_t;
  static constexpr State kNoState = 0xffffffffu;
  struct Open {
    double estimate;
    State state;
    bool operator<(const Open& other) const { return estimate > other.estimate; }
  };

  State search(DiscIndex start, Vec3 from, DiscIndex goal, Vec3 to);
  void reach(State state, double cost, State parent, Vec3 goal);

  const NavGraph& graph_;
  std::vector<double> cost_;
  std::vector<State> parent_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t run_ = 0;
  std::vector<Open> open_;
  std::vector<PullGate> pull_gates_;
  PullScratch pull_;
  std::vector<Vec2> crossings_;
};

/// How a point gets into the graph: the disc that holds it, or, from the few places between discs, the way up to one.
struct GraphEntry {
  DiscIndex disc = kNoDisc;  ///< kNoDisc if the body fits nowhere near
  std::vector<Vec3> way;     ///< from the point, which is not part of it, into the disc; mostly empty
};
GraphEntry enter_graph(const NavGraph& graph, Vec3 p);

}  // namespace throng
