// SPDX-License-Identifier: MIT
#include "navgraph/flow.hpp"

#include <algorithm>
#include <set>

namespace throng {
namespace {

constexpr double kLonger = 10;                ///< [P] factor on a gate
constexpr std::uint32_t kTimesUnlimited = 3;  ///< once covers half of the biconnected part, three times all of it
constexpr int kMostRepeats = 3;               ///< a path found so often in a row is behind a bridge of the graph

/// A* over discs with a factor on each gate. The straight line stays a lower bound: factors are at least 1.
class FlowSearch {
 public:
  explicit FlowSearch(const NavGraph& graph)
      : factor(graph.gates.size(), 1),
        graph_(graph),
        cost_(graph.disc_count()),
        by_(graph.disc_count()),
        stamp_(graph.disc_count(), 0) {}

  /// The gates from `from` to `to`, and what they cost with factors; false if there is no way.
  bool find(DiscIndex from, DiscIndex to, std::vector<GateIndex>& gates, double& cost) {
    ++run_;
    open_.clear();
    reach(from, 0, kNoGate, to);
    while (!open_.empty()) {
      std::pop_heap(open_.begin(), open_.end());
      const Open best = open_.back();
      open_.pop_back();
      if (best.cost > cost_[best.disc]) continue;
      if (best.disc == to) break;
      for (const GateIndex g : graph_.gates_of(best.disc))
        reach(graph_.gates[g].other(best.disc), best.cost + graph_.gates[g].cost * factor[g], g, to);
    }
    if (stamp_[to] != run_) return false;
    cost = cost_[to];
    gates.clear();
    for (DiscIndex d = to; by_[d] != kNoGate; d = graph_.gates[by_[d]].other(d)) gates.push_back(by_[d]);
    std::reverse(gates.begin(), gates.end());
    return true;
  }

  std::vector<double> factor;

 private:
  struct Open {
    double estimate, cost;
    DiscIndex disc;
    bool operator<(const Open& o) const { return estimate != o.estimate ? estimate > o.estimate : disc > o.disc; }
  };
  void reach(DiscIndex d, double cost, GateIndex by, DiscIndex to) {
    if (stamp_[d] == run_ && cost_[d] <= cost) return;
    stamp_[d] = run_;
    cost_[d] = cost;
    by_[d] = by;
    open_.push_back({cost + distance(graph_.centre[d], graph_.centre[to]), cost, d});
    std::push_heap(open_.begin(), open_.end());
  }

  const NavGraph& graph_;
  std::vector<double> cost_;
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
  FlowSearch search(graph);
  std::vector<std::uint8_t> lengthened(graph.gates.size(), 0);
  std::set<std::vector<GateIndex>> known;
  std::vector<GateIndex> gates;
  int repeats = 0;
  double cost = 0;
  while (search.find(from, to, gates, cost)) {
    ++flow.searches;
    FlowPath path{{from}, gates};
    for (const GateIndex g : gates) {
      path.discs.push_back(graph.gates[g].other(path.discs.back()));
      path.length += graph.gates[g].cost;
      path.narrowest = std::min(path.narrowest, graph.gates[g].width());
    }
    if (!flow.paths.empty() && path.length > settings.max_ratio * flow.paths[0].length) break;
    const double length = path.length;
    if (known.insert(gates).second) {
      flow.paths.push_back(std::move(path));
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
    search.factor[next] *= kLonger;
  }
  return flow;
}

}  // namespace throng
