// SPDX-License-Identifier: MIT
#include "navgraph/flow.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace throng {
namespace {

constexpr double kLonger = 10;                ///< [P] factor on a gate
constexpr std::uint32_t kTimesUnlimited = 3;  ///< once covers half of the biconnected part, three times all (ALGORITHMS §2.11)
constexpr int kMostRepeats = 3;               ///< a path found so often in a row is behind a bridge of the graph

/// A* over discs with a factor on each gate. The straight line stays a lower bound: factors are at least 1.
class FlowSearch {
 public:
  /// All searches end at the same disc, so the lower bounds are computed once, and the graph is copied into the few bytes a
  /// search reads: thousands follow.
  FlowSearch(const NavGraph& graph, DiscIndex to)
      : graph_(graph),
        to_(to),
        bound_(graph.disc_count()),
        cost_(graph.disc_count()),
        by_(graph.disc_count()),
        stamp_(graph.disc_count(), 0) {
    for (DiscIndex d = 0; d < graph.disc_count(); ++d) bound_[d] = distance(graph.centre[d], graph.centre[to]);
    arcs_.reserve(graph.disc_gates.size());
    for (DiscIndex d = 0; d < graph.disc_count(); ++d)
      for (const GateIndex g : graph.gates_of(d)) arcs_.push_back({graph.gates[g].cost, graph.gates[g].other(d), g});
  }

  void lengthen(GateIndex gate, double factor) {
    for (const DiscIndex d : graph_.gates[gate].disc)
      for (std::uint32_t k = graph_.gate_start[d]; k < graph_.gate_start[d + 1]; ++k)
        if (arcs_[k].gate == gate) arcs_[k].cost *= factor;
  }

  /// The gates from `from` to the goal, and what they cost with factors; false if there is no way.
  bool find(DiscIndex from, std::vector<GateIndex>& gates, double& cost) {
    ++run_;
    open_.clear();
    reach(from, 0, kNoGate);
    while (!open_.empty()) {
      std::pop_heap(open_.begin(), open_.end());
      const Open best = open_.back();
      open_.pop_back();
      if (best.disc == to_) break;
      const double so_far = cost_[best.disc];
      if (best.estimate > so_far + bound_[best.disc]) continue;  // reached cheaper since
      for (std::uint32_t k = graph_.gate_start[best.disc]; k < graph_.gate_start[best.disc + 1]; ++k)
        reach(arcs_[k].other, so_far + arcs_[k].cost, arcs_[k].gate);
    }
    if (stamp_[to_] != run_) return false;
    cost = cost_[to_];
    gates.clear();
    for (DiscIndex d = to_; by_[d] != kNoGate; d = graph_.gates[by_[d]].other(d)) gates.push_back(by_[d]);
    std::reverse(gates.begin(), gates.end());
    return true;
  }

 private:
  struct Arc {
    double cost;
    DiscIndex other;
    GateIndex gate;
  };
  struct Open {
    double estimate;
    DiscIndex disc;
    bool operator<(const Open& o) const { return estimate != o.estimate ? estimate > o.estimate : disc > o.disc; }
  };
  void reach(DiscIndex d, double cost, GateIndex by) {
    if (stamp_[d] == run_ && cost_[d] <= cost) return;
    stamp_[d] = run_;
    cost_[d] = cost;
    by_[d] = by;
    open_.push_back({cost + bound_[d], d});
    std::push_heap(open_.begin(), open_.end());
  }

  const NavGraph& graph_;
  DiscIndex to_;
  std::vector<Arc> arcs_;  ///< parallel to NavGraph::disc_gates
  std::vector<double> bound_, cost_;
  std::vector<GateIndex> by_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t run_ = 0;
  std::vector<Open> open_;
};

}  // namespace

Flow find_flow(const NavGraph& graph, DiscIndex from, DiscIndex to, const FlowSettings& settings) {
  Flow flow;
  if (from == to) {
    flow.paths.push_back({{from}, {}, 0});
    return flow;
  }
  if (graph.component[from] != graph.component[to]) return flow;
  const bool limited = settings.max_paths > 0;
  const std::uint32_t times = limited ? 1 : kTimesUnlimited;
  FlowSearch search(graph, to);
  std::vector<std::uint8_t> lengthened(graph.gates.size(), 0);
  std::set<std::vector<GateIndex>> known;
  std::vector<GateIndex> gates;
  int repeats = 0;
  double cost = 0;
  while (search.find(from, gates, cost)) {
    ++flow.searches;
    double length = 0;
    for (const GateIndex g : gates) length += graph.gates[g].cost;
    if (!flow.paths.empty() && length > settings.max_ratio * flow.paths[0].length) break;
    if (known.insert(gates).second) {
      FlowPath& path = flow.paths.emplace_back();
      path.gates = gates;
      path.discs.push_back(from);
      path.length = length;
      for (const GateIndex g : gates) {
        path.discs.push_back(graph.gates[g].other(path.discs.back()));
        path.narrowest = std::min(path.narrowest, graph.gates[g].width());
      }
      repeats = 0;
    } else if (++repeats >= kMostRepeats && limited && cost >= kLonger * length) {
      break;
    }
    if (limited && flow.paths.size() == settings.max_paths) break;
    GateIndex next = kNoGate;
    for (const GateIndex g : gates) {
      if (lengthened[g] >= times) continue;
      const auto key = [&](GateIndex k) { return std::tuple(lengthened[k], graph.gates[k].width(), k); };
      if (next == kNoGate || key(g) < key(next)) next = g;
    }
    if (next == kNoGate) break;
    ++lengthened[next];
    search.lengthen(next, kLonger);
  }
  return flow;
}

}  // namespace throng
