// SPDX-License-Identifier: MIT
// The least cut of a small graph (Dinic 1970).
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace throng {

class LeastCut {
 public:
  explicit LeastCut(std::uint32_t node_count) : source_(node_count), sink_(node_count + 1), arcs_(node_count + 2) {}

  void join(std::uint32_t a, std::uint32_t b, std::int64_t width) { add(a, b, width, width); }
  void fix_to_source(std::uint32_t a) { add(source_, a, kWide, 0); }
  void fix_to_sink(std::uint32_t a) { add(a, sink_, kWide, 0); }

  /// Which nodes are on the source's side of the least cut; of several least ones the one with fewest. Paths in order of arcs:
  /// the same for the same calls.
  std::vector<bool> source_side() {
    while (find_levels()) {
      next_.assign(arcs_.size(), 0);
      while (push(source_, kWide) > 0) {
      }
    }
    std::vector<bool> side;
    for (std::uint32_t n = 0; n < source_; ++n) side.push_back(level_[n] >= 0);
    return side;
  }

 private:
  static constexpr std::int64_t kWide = std::numeric_limits<std::int32_t>::max();
  struct Arc {
    std::uint32_t to, back;  ///< `back` is the arc of `to` the other way
    std::int64_t left;
  };

  void add(std::uint32_t a, std::uint32_t b, std::int64_t forward, std::int64_t backward) {
    const auto here = static_cast<std::uint32_t>(arcs_[a].size()), there = static_cast<std::uint32_t>(arcs_[b].size());
    arcs_[a].push_back({b, there, forward});
    arcs_[b].push_back({a, here, backward});
  }
  bool find_levels() {
    level_.assign(arcs_.size(), -1);
    level_[source_] = 0;
    std::vector<std::uint32_t> queue{source_};
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (const Arc& arc : arcs_[queue[head]])
        if (arc.left > 0 && level_[arc.to] < 0) level_[arc.to] = level_[queue[head]] + 1, queue.push_back(arc.to);
    return level_[sink_] >= 0;
  }
  /// As deep as the shortest path from source to sink is long.
  std::int64_t push(std::uint32_t node, std::int64_t most) {
    if (node == sink_) return most;
    for (std::uint32_t& i = next_[node]; i < arcs_[node].size(); ++i) {
      Arc& arc = arcs_[node][i];
      if (arc.left <= 0 || level_[arc.to] != level_[node] + 1) continue;
      if (const std::int64_t pushed = push(arc.to, std::min(most, arc.left)); pushed > 0) {
        arc.left -= pushed;
        arcs_[arc.to][arc.back].left += pushed;
        return pushed;
      }
    }
    return 0;
  }

  std::uint32_t source_, sink_;
  std::vector<std::vector<Arc>> arcs_;
  std::vector<int> level_;
  std::vector<std::uint32_t> next_;
};

}  // namespace throng
