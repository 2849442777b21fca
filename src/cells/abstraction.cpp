// SPDX-License-Identifier: MIT
#include "cells/abstraction.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "cells/bisection.hpp"

namespace throng {
namespace {

constexpr std::uint32_t kNobody = 0xffffffffu;

/// A tree under construction: nodes below `cell count` are cells, later ones groups.
class Grouper {
 public:
  explicit Grouper(const CellGraph& graph) : graph_(graph), ends_(graph.portals) {
    const auto count = static_cast<std::uint32_t>(graph.centre.size());
    nodes_.resize(count);
    live_.resize(count);
    std::iota(live_.begin(), live_.end(), 0);
    for (std::uint32_t c = 0; c < count; ++c) {
      nodes_[c].weight = 1;
      nodes_[c].sum = {graph.centre[c].x, graph.centre[c].y};
    }
    update_neighbours();
  }

  void run(CrossroadsRule rule) {
    for (;;) {
      if (merge_chains()) continue;
      if (merge_dead_ends()) continue;
      if (merge_passages()) continue;
      if (rule == CrossroadsRule::kBisection) {
        bisect_crossroads();
        return;
      }
      if (!match_crossroads()) return;
    }
  }

  AbstractionBuild number() const {
    AbstractionBuild result;
    Abstraction& tree = result.tree;
    tree.leaf.assign(graph_.centre.size(), kNoZone);
    std::vector<std::uint32_t> new_cell(graph_.centre.size());
    struct Visit {
      std::uint32_t node, parent;
      bool leave;
    };
    std::vector<Visit> stack;
    for (std::size_t i = live_.size(); i-- > 0;) stack.push_back({live_[i], kNoZone, false});
    while (!stack.empty()) {
      const Visit v = stack.back();
      stack.pop_back();
      if (v.leave) {
        tree.zones[v.node].end = static_cast<std::uint32_t>(tree.zones.size());
        tree.zones[v.node].last_cell = static_cast<std::uint32_t>(result.cell_order.size());
        continue;
      }
      const auto id = static_cast<std::uint32_t>(tree.zones.size());
      Zone zone{};
      zone.parent = v.parent;
      zone.depth = v.parent == kNoZone ? 0 : tree.zones[v.parent].depth + 1;
      zone.first_cell = static_cast<std::uint32_t>(result.cell_order.size());
      tree.zones.push_back(zone);
      if (v.parent == kNoZone) tree.roots.push_back(id);
      stack.push_back({id, 0, true});
      const Node& node = nodes_[v.node];
      if (node.children.empty()) {
        new_cell[v.node] = static_cast<std::uint32_t>(result.cell_order.size());
        tree.leaf[new_cell[v.node]] = id;
        result.cell_order.push_back(v.node);
      }
      for (std::size_t i = node.children.size(); i-- > 0;) stack.push_back({node.children[i], id, false});
    }
    // Portals by the zone whose children they separate.
    std::vector<std::uint32_t> owner(graph_.portals.size());
    for (std::size_t p = 0; p < owner.size(); ++p)
      owner[p] = tree.common_zone(new_cell[graph_.portals[p][0]], new_cell[graph_.portals[p][1]]);
    result.portal_order.resize(owner.size());
    std::iota(result.portal_order.begin(), result.portal_order.end(), 0);
    std::stable_sort(result.portal_order.begin(), result.portal_order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return owner[a] < owner[b]; });
    std::vector<std::uint32_t> sorted_owner;
    for (std::uint32_t p : result.portal_order) sorted_owner.push_back(owner[p]);
    const auto rank = [&](std::uint32_t zone) {
      return static_cast<std::uint32_t>(std::lower_bound(sorted_owner.begin(), sorted_owner.end(), zone) - sorted_owner.begin());
    };
    for (std::uint32_t z = 0; z < tree.zones.size(); ++z) {
      tree.zones[z].first_portal = rank(z);
      tree.zones[z].hub_end = rank(z + 1);
      tree.zones[z].last_portal = rank(tree.zones[z].end);
    }
    return result;
  }

 private:
  struct Node {
    std::vector<std::uint32_t> children;
    std::array<std::int64_t, 2> sum{};  // of the cells' centres
    std::uint32_t weight = 0;           // cells
  };

  /// CSR of live neighbours, one entry per portal.
  void update_neighbours() {
    start_.assign(nodes_.size() + 1, 0);
    std::erase_if(ends_, [](const auto& e) { return e[0] == e[1]; });
    for (const auto& e : ends_) ++start_[e[0] + 1], ++start_[e[1] + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    neighbour_.resize(start_.back());
    std::vector<std::uint32_t> fill(start_.begin(), start_.end() - 1);
    for (const auto& e : ends_) neighbour_[fill[e[0]]++] = e[1], neighbour_[fill[e[1]]++] = e[0];
  }
  std::uint32_t arity(std::uint32_t n) const { return start_[n + 1] - start_[n]; }
  std::span<const std::uint32_t> neighbours(std::uint32_t n) const { return {neighbour_.data() + start_[n], arity(n)}; }

  std::uint32_t make_group(std::vector<std::uint32_t> children) {
    Node node;
    for (std::uint32_t c : children) {
      node.weight += nodes_[c].weight;
      node.sum[0] += nodes_[c].sum[0];
      node.sum[1] += nodes_[c].sum[1];
    }
    node.children = std::move(children);
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  std::uint32_t make_balanced(std::span<const std::uint32_t> run) {
    if (run.size() == 1) return run[0];
    const std::size_t middle = run.size() / 2;
    const std::uint32_t a = make_balanced(run.first(middle)), b = make_balanced(run.subspan(middle));
    return make_group({a, b});
  }

  /// Replaces live nodes by the groups they were put in.
  void regroup(const std::map<std::uint32_t, std::uint32_t>& group_of) {
    std::vector<std::uint32_t> next;
    std::vector<std::uint8_t> listed(nodes_.size(), 0);
    for (std::uint32_t n : live_) {
      const auto found = group_of.find(n);
      const std::uint32_t g = found == group_of.end() ? n : found->second;
      if (!listed[g]) listed[g] = 1, next.push_back(g);
    }
    live_ = std::move(next);
    for (auto& e : ends_)
      for (std::uint32_t& end : e)
        if (const auto found = group_of.find(end); found != group_of.end()) end = found->second;
    update_neighbours();
  }

  /// Step 1: a maximal chain of nodes with at most two portals becomes one balanced binary tree.
  bool merge_chains() {
    std::map<std::uint32_t, std::uint32_t> group_of;
    std::vector<std::uint8_t> seen(nodes_.size(), 0);
    const auto in_chain = [&](std::uint32_t n) { return arity(n) >= 1 && arity(n) <= 2; };
    for (std::uint32_t n : live_) {
      if (seen[n] || !in_chain(n)) continue;
      std::vector<std::uint32_t> run{n};
      seen[n] = 1;
      for (int direction = 0; direction < 2; ++direction) {
        for (bool grew = true; grew;) {
          grew = false;
          for (std::uint32_t o : neighbours(run.back()))
            if (!seen[o] && in_chain(o)) {
              seen[o] = 1;
              run.push_back(o);
              grew = true;
              break;
            }
        }
        std::reverse(run.begin(), run.end());
      }
      if (run.size() < 2) continue;
      const std::uint32_t group = make_balanced(run);
      for (std::uint32_t member : run) group_of[member] = group;
    }
    if (group_of.empty()) return false;
    regroup(group_of);
    return true;
  }

  /// Step 2: one group per crossroads with all its dead ends.
  bool merge_dead_ends() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> hosts;
    for (std::uint32_t n : live_)
      if (arity(n) == 1) hosts[neighbours(n)[0]].push_back(n);
    return group_with_hosts(hosts);
  }

  /// Step 3: each passage joins the neighbouring crossroads that ends up with the fewest portals.
  bool merge_passages() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> hosts;
    std::vector<std::uint32_t> result(nodes_.size());
    for (std::uint32_t n : live_) result[n] = arity(n);
    for (std::uint32_t n : live_) {
      if (arity(n) != 2) continue;
      const std::uint32_t a = neighbours(n)[0], b = neighbours(n)[1];
      const std::uint32_t host = a == b ? a : (result[b] < result[a] || (result[b] == result[a] && b < a)) ? b : a;
      if (a == b) result[a] -= 2;
      hosts[host].push_back(n);
    }
    return group_with_hosts(hosts);
  }

  bool group_with_hosts(const std::map<std::uint32_t, std::vector<std::uint32_t>>& hosts) {
    std::map<std::uint32_t, std::uint32_t> group_of;
    for (const auto& [host, guests] : hosts) {
      std::vector<std::uint32_t> members{host};
      members.insert(members.end(), guests.begin(), guests.end());
      const std::uint32_t group = make_group(members);
      for (std::uint32_t member : members) group_of[member] = group;
    }
    if (group_of.empty()) return false;
    regroup(group_of);
    return true;
  }

  /// Step 4: greedy matching of adjacent pairs by add(a, b) = p(a ∪ b) − p(a) − p(b), p = arity (arity − 1).
  bool match_crossroads() {
    struct Pair {
      std::int64_t add;
      std::uint32_t arity, weight, a, b;
      auto key() const { return std::tie(add, arity, weight, a, b); }
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> shared;
    for (const auto& e : ends_) ++shared[std::minmax(e[0], e[1])];
    std::vector<Pair> pairs;
    const auto p = [](std::int64_t n) { return n * (n - 1); };
    for (const auto& [ab, s] : shared) {
      const std::int64_t a = arity(ab.first), b = arity(ab.second), joined = a + b - 2 * std::int64_t{s};
      pairs.push_back({p(joined) - p(a) - p(b), static_cast<std::uint32_t>(joined),
                       nodes_[ab.first].weight + nodes_[ab.second].weight, ab.first, ab.second});
    }
    std::sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) { return x.key() < y.key(); });
    std::map<std::uint32_t, std::uint32_t> group_of;
    for (const Pair& pair : pairs) {
      if (group_of.contains(pair.a) || group_of.contains(pair.b)) continue;
      const std::uint32_t group = make_group({pair.a, pair.b});
      group_of[pair.a] = group_of[pair.b] = group;
    }
    if (group_of.empty()) return false;
    regroup(group_of);
    return true;
  }

  void bisect_crossroads() {
    // Dense numbering of what is left.
    std::vector<std::uint32_t> dense(nodes_.size(), kNobody);
    WeightedGraph graph;
    for (std::uint32_t i = 0; i < live_.size(); ++i) {
      const Node& node = nodes_[live_[i]];
      dense[live_[i]] = i;
      graph.weight.push_back(node.weight);
      graph.place.push_back({node.sum[0] / node.weight, node.sum[1] / node.weight});
    }
    for (const auto& e : ends_) graph.edges.push_back({dense[e[0]], dense[e[1]]});
    Bisector bisector(graph);
    std::vector<std::uint32_t> roots;
    std::vector<std::uint8_t> seen(live_.size(), 0);
    for (std::uint32_t seed = 0; seed < live_.size(); ++seed) {
      if (seen[seed]) continue;
      std::vector<std::uint32_t> component{seed};
      seen[seed] = 1;
      for (std::size_t head = 0; head < component.size(); ++head)
        for (std::uint32_t o : neighbours(live_[component[head]]))
          if (!seen[dense[o]]) seen[dense[o]] = 1, component.push_back(dense[o]);
      roots.push_back(bisect(bisector, component));
    }
    live_ = std::move(roots);
  }

  std::uint32_t bisect(Bisector& bisector, std::span<const std::uint32_t> set) {
    if (set.size() == 1) return live_[set[0]];
    const std::vector<std::uint8_t> first = bisector.split(set);
    std::vector<std::uint32_t> a, b;
    for (std::size_t i = 0; i < set.size(); ++i) (first[i] ? a : b).push_back(set[i]);
    const std::uint32_t left = bisect(bisector, a), right = bisect(bisector, b);
    return make_group({left, right});
  }

  const CellGraph& graph_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> live_;
  std::vector<std::array<std::uint32_t, 2>> ends_;
  std::vector<std::uint32_t> start_, neighbour_;
};

}  // namespace

std::uint32_t Abstraction::depth() const {
  std::uint32_t deepest = 0;
  for (const Zone& z : zones) deepest = std::max(deepest, z.depth);
  return deepest;
}

std::uint32_t Abstraction::common_zone(std::uint32_t cell_a, std::uint32_t cell_b) const {
  std::uint32_t z = leaf[cell_a];
  // Preorder: z holds cell_b iff b's leaf lies in [z, end).
  const std::uint32_t other = leaf[cell_b];
  while (z != kNoZone && (other < z || other >= zones[z].end)) z = zones[z].parent;
  return z;
}

std::uint32_t Abstraction::child_towards(std::uint32_t zone, std::uint32_t cell) const {
  std::uint32_t child = zone + 1;
  while (zones[child].end <= leaf[cell]) child = zones[child].end;
  return child;
}

AbstractionBuild build_abstraction(const CellGraph& graph, CrossroadsRule rule) {
  Grouper grouper(graph);
  grouper.run(rule);
  return grouper.number();
}

}  // namespace throng
