// SPDX-License-Identifier: MIT
#include "navgraph/graph_path.hpp"

#include <algorithm>

namespace throng {
namespace {

/// The disc that holds a point of a node's surroundings deepest; kNoDisc if none does.
DiscIndex holder(const NavGraph& graph, NodeIndex n, Vec2 p) {
  const DiscIndex owner = graph.owner[n];
  DiscIndex best = kNoDisc;
  double deepest = 0;
  const auto consider = [&](DiscIndex d) {
    const double depth = graph.depth(d, p);
    if (depth > deepest || (best == kNoDisc && graph.centre_node[d] == n)) deepest = depth, best = d;
  };
  consider(owner);
  for (const GateIndex g : graph.gates_of(owner)) consider(graph.gates[g].other(owner));
  return best;
}

}  // namespace

GraphEntry enter_graph(const NavGraph& graph, Vec3 p) {
  const Surface& s = graph.surface;
  GraphEntry entry;
  NodeIndex n = nearest_feasible(graph, p, graph.body_radius + s.step);
  if (n == kNoNode) return entry;
  entry.disc = holder(graph, n, plan_of(p));
  // Uphill in clearance every place leads into a disc: that is how nodes got their owners.
  while (entry.disc == kNoDisc) {
    const Vec2 at = s.position(n);
    entry.way.push_back({at.x, at.y, s.z[n]});
    entry.disc = holder(graph, n, at);
    if (entry.disc != kNoDisc) break;
    NodeIndex up = n;
    for (int d = 0; d < 8; ++d)
      if (const NodeIndex other = s.neighbour(n, d); other != kNoNode && graph.clearance[other] > graph.clearance[up]) up = other;
    if (up == n) entry.disc = graph.owner[n];
    n = up;
  }
  return entry;
}

GraphSearch::GraphSearch(const NavGraph& graph)
    : graph_(graph), cost_(2 * graph.gates.size()), parent_(2 * graph.gates.size()), stamp_(2 * graph.gates.size(), 0) {}

void GraphSearch::reach(State state, double cost, State parent, Vec3 goal) {
  if (stamp_[state] == run_ && cost_[state] <= cost) return;
  stamp_[state] = run_;
  cost_[state] = cost;
  parent_[state] = parent;
  open_.push_back({cost + distance(graph_.gates[state / 2].middle(), goal), state});
  std::push_heap(open_.begin(), open_.end());
}

GraphSearch::State GraphSearch::search(DiscIndex start, Vec3 from, DiscIndex goal, Vec3 to) {
  ++run_;
  open_.clear();
  const auto leave = [&](DiscIndex disc, Vec3 at, double cost, State parent) {
    for (const GateIndex g : graph_.gates_of(disc)) {
      if (parent != kNoState && g == parent / 2) continue;
      const Gate& gate = graph_.gates[g];
      reach(2 * g + (gate.disc[1] == disc ? 0u : 1u), cost + distance(at, gate.middle()), parent, to);
    }
  };
  leave(start, from, 0, kNoState);
  while (!open_.empty()) {
    std::pop_heap(open_.begin(), open_.end());
    const Open best = open_.back();
    open_.pop_back();
    const Gate& gate = graph_.gates[best.state / 2];
    if (best.estimate > cost_[best.state] + distance(gate.middle(), to)) continue;  // reached cheaper since
    const DiscIndex entered = gate.disc[best.state % 2];
    // The estimate of a gate of the goal's disc is exact, so the first one popped is the best.
    if (entered == goal) return best.state;
    leave(entered, gate.middle(), cost_[best.state], best.state);
  }
  return kNoState;
}

void GraphSearch::pull(Vec3 first, Vec3 last, GraphPath& path) {
  pull_gates_.clear();
  for (std::size_t i = 0; i < path.gates.size(); ++i) {
    const Gate& gate = graph_.gates[path.gates[i]];
    const bool forward = gate.disc[0] == path.discs[i];
    pull_gates_.push_back({plan_of(gate.end[forward ? 0 : 1]), plan_of(gate.end[forward ? 1 : 0])});
    path.narrowest = i == 0 ? gate.width() : std::min(path.narrowest, gate.width());
  }
  pull_through(plan_of(first), plan_of(last), pull_gates_, pull_, crossings_);
  for (std::size_t i = 0; i < crossings_.size(); ++i)
    path.points.push_back({crossings_[i].x, crossings_[i].y, elevation_in(graph_, path.discs[i + 1], crossings_[i])});
}

GraphPathStatus GraphSearch::find(Vec3 from, Vec3 to, GraphPath& path) {
  path.gates.clear();
  path.discs.clear();
  path.points.clear();
  path.length = path.cost = path.narrowest = 0;
  path.found = false;
  const GraphEntry start = enter_graph(graph_, from), goal = enter_graph(graph_, to);
  if (start.disc == kNoDisc) return GraphPathStatus::kStartBlocked;
  if (goal.disc == kNoDisc) return GraphPathStatus::kGoalBlocked;
  if (graph_.component[start.disc] != graph_.component[goal.disc]) return GraphPathStatus::kNoWay;
  const Vec3 first = start.way.empty() ? from : start.way.back(), last = goal.way.empty() ? to : goal.way.back();

  if (start.disc != goal.disc) {
    const State end = search(start.disc, first, goal.disc, last);
    if (end == kNoState) return GraphPathStatus::kNoWay;
    path.cost = cost_[end] + distance(graph_.gates[end / 2].middle(), last);
    path.discs.push_back(goal.disc);
    for (State s = end; s != kNoState; s = parent_[s]) {
      path.gates.push_back(s / 2);
      path.discs.push_back(graph_.gates[s / 2].disc[1 - s % 2]);
    }
    std::reverse(path.gates.begin(), path.gates.end());
    std::reverse(path.discs.begin(), path.discs.end());
  } else {
    path.cost = distance(first, last);
    path.discs.push_back(start.disc);
  }

  const auto on_ground = [&](Vec3 p) { return Vec3{p.x, p.y, elevation_at(graph_, p).value_or(p.z)}; };
  path.points.push_back(on_ground(from));
  path.points.insert(path.points.end(), start.way.begin(), start.way.end());
  pull(first, last, path);
  path.points.insert(path.points.end(), goal.way.rbegin(), goal.way.rend());
  path.points.push_back(on_ground(to));
  for (std::size_t i = 1; i < path.points.size(); ++i) path.length += distance(path.points[i - 1], path.points[i]);
  path.found = true;
  return GraphPathStatus::kFound;
}

}  // namespace throng
