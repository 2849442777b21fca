// SPDX-License-Identifier: MIT
#include "cells/bisection.hpp"

#include <algorithm>
#include <numeric>

namespace throng {
namespace {
constexpr std::uint32_t kNowhere = 0xffffffffu;
constexpr double kTiedShare = 0.3;  // 0.25 to 0.35 give the same label sizes within 3 %
}  // namespace

Bisector::Bisector(const WeightedGraph& graph) : graph_(graph), local_(graph.place.size(), kNowhere) {
  incident_start_.assign(graph.place.size() + 1, 0);
  for (const auto& e : graph.edges) ++incident_start_[e[0] + 1], ++incident_start_[e[1] + 1];
  std::partial_sum(incident_start_.begin(), incident_start_.end(), incident_start_.begin());
  incident_.resize(incident_start_.back());
  std::vector<std::uint32_t> fill(incident_start_.begin(), incident_start_.end() - 1);
  for (std::uint32_t e = 0; e < graph.edges.size(); ++e)
    for (std::uint32_t end : graph.edges[e]) incident_[fill[end]++] = e;
}

void Bisector::build_local(std::span<const std::uint32_t> nodes) {
  for (std::uint32_t i = 0; i < nodes.size(); ++i) local_[nodes[i]] = i;
  start_.assign(1, 0);
  other_.clear();
  edge_.clear();
  forward_.clear();
  weight_.clear();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t n = nodes[i];
    weight_.push_back(graph_.weight[n]);
    for (std::uint32_t k = incident_start_[n]; k < incident_start_[n + 1]; ++k) {
      const auto& ends = graph_.edges[incident_[k]];
      const std::uint32_t o = local_[ends[0] == n ? ends[1] : ends[0]];
      if (o == kNowhere || o == i) continue;
      other_.push_back(o);
      edge_.push_back(incident_[k]);
      forward_.push_back(ends[0] == n);
    }
    start_.push_back(static_cast<std::uint32_t>(other_.size()));
  }
  // Number the set's edges densely.
  std::vector<std::uint32_t> sorted(edge_);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::uint32_t& e : edge_)
    e = static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), e) - sorted.begin());
  flow_.assign(sorted.size(), 0);
  for (std::uint32_t n : nodes) local_[n] = kNowhere;
}

/// One more unit from source to sink along a shortest residual path.
bool Bisector::augment(std::span<const std::uint32_t> order) {
  via_.assign(order.size(), kNowhere);
  queue_.clear();
  for (std::uint32_t n : order)
    if (role_[n] == 1) queue_.push_back(n);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::uint32_t n = queue_[head];
    for (std::uint32_t k = start_[n]; k < start_[n + 1]; ++k) {
      const std::uint32_t o = other_[k];
      if (role_[o] == 1 || via_[o] != kNowhere) continue;
      if ((forward_[k] ? flow_[edge_[k]] : -flow_[edge_[k]]) >= 1) continue;
      via_[o] = k;
      if (role_[o] == 2) {
        for (std::uint32_t at = o; role_[at] != 1;) {
          const std::uint32_t entry = via_[at];
          flow_[edge_[entry]] = static_cast<std::int8_t>(flow_[edge_[entry]] + (forward_[entry] ? 1 : -1));
          at = static_cast<std::uint32_t>(std::upper_bound(start_.begin(), start_.end(), entry) - start_.begin() - 1);
        }
        return true;
      }
      queue_.push_back(o);
    }
  }
  return false;
}

/// Nodes the source can still reach, or nodes that can still reach the sink.
void Bisector::reach(bool from_source, std::span<const std::uint32_t> order, std::vector<std::uint8_t>& reached) {
  reached.assign(order.size(), 0);
  queue_.clear();
  for (std::uint32_t n : order)
    if (role_[n] == (from_source ? 1 : 2)) reached[n] = 1, queue_.push_back(n);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::uint32_t n = queue_[head];
    for (std::uint32_t k = start_[n]; k < start_[n + 1]; ++k) {
      if (reached[other_[k]]) continue;
      const int along = forward_[k] ? flow_[edge_[k]] : -flow_[edge_[k]];
      if ((from_source ? along : -along) >= 1) continue;
      reached[other_[k]] = 1;
      queue_.push_back(other_[k]);
    }
  }
}

void Bisector::cut_along(std::span<const std::uint32_t> order, Cut& best) {
  const std::uint64_t total = std::accumulate(weight_.begin(), weight_.end(), std::uint64_t{0});
  const auto share = static_cast<std::uint64_t>(kTiedShare * static_cast<double>(total));
  role_.assign(order.size(), 0);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < order.size() && (i == 0 || sum + weight_[order[i]] <= share); ++i) {
    role_[order[i]] = 1;
    sum += weight_[order[i]];
  }
  sum = 0;
  for (std::size_t i = order.size();
       i-- > 0 && role_[order[i]] == 0 && (i + 1 == order.size() || sum + weight_[order[i]] <= share);) {
    role_[order[i]] = 2;
    sum += weight_[order[i]];
  }
  std::fill(flow_.begin(), flow_.end(), std::int8_t{0});
  std::uint32_t cut = 0;
  while (cut <= best.edges && augment(order)) ++cut;
  if (cut > best.edges) return;
  std::vector<std::uint8_t> side;
  for (const bool from_source : {true, false}) {
    reach(from_source, order, side);
    std::uint64_t reached_weight = 0;
    for (std::uint32_t n : order) reached_weight += side[n] ? weight_[n] : 0;
    const std::uint64_t lighter = std::min(reached_weight, total - reached_weight);
    if (cut < best.edges || lighter > best.lighter) {
      best.edges = cut;
      best.lighter = lighter;
      best.first = side;
      if (!from_source)
        for (std::uint8_t& s : best.first) s = !s;
    }
  }
}

/// Leaves only the largest connected part of those with `value`; the other parts change sides.
void Bisector::keep_largest_part(std::vector<std::uint8_t>& first, std::uint8_t value) const {
  std::vector<std::uint32_t> part(first.size(), kNowhere), stack;
  std::vector<std::uint64_t> part_weight;
  for (std::uint32_t seed = 0; seed < first.size(); ++seed) {
    if (first[seed] != value || part[seed] != kNowhere) continue;
    const auto id = static_cast<std::uint32_t>(part_weight.size());
    part_weight.push_back(0);
    part[seed] = id;
    stack.push_back(seed);
    while (!stack.empty()) {
      const std::uint32_t n = stack.back();
      stack.pop_back();
      part_weight[id] += weight_[n];
      for (std::uint32_t k = start_[n]; k < start_[n + 1]; ++k)
        if (first[other_[k]] == value && part[other_[k]] == kNowhere) part[other_[k]] = id, stack.push_back(other_[k]);
    }
  }
  if (part_weight.size() < 2) return;
  const auto largest = static_cast<std::uint32_t>(std::max_element(part_weight.begin(), part_weight.end()) - part_weight.begin());
  for (std::uint32_t n = 0; n < first.size(); ++n)
    if (part[n] != kNowhere && part[n] != largest) first[n] = !value;
}

std::vector<std::uint8_t> Bisector::split(std::span<const std::uint32_t> nodes) {
  build_local(nodes);
  std::vector<std::uint32_t> order(nodes.size());
  Cut best;
  for (int direction = 0; direction < 4; ++direction) {
    const auto key = [&](std::uint32_t i) {
      const auto& p = graph_.place[nodes[i]];
      return direction == 0 ? p[0] : direction == 1 ? p[1] : direction == 2 ? p[0] + p[1] : p[0] - p[1];
    };
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
    cut_along(order, best);
  }
  // Both halves connected: the whole is, so a part cut off from its half touches the other one.
  keep_largest_part(best.first, 1);
  keep_largest_part(best.first, 0);
  return best.first;
}

}  // namespace throng
