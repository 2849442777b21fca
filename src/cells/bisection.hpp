// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace throng {

/// Nodes and edges to be split by `Bisector`. Edges may be parallel.
struct WeightedGraph {
  std::vector<std::array<std::int64_t, 2>> place;  ///< of each node
  std::vector<std::uint32_t> weight;               ///< of each node
  std::vector<std::array<std::uint32_t, 2>> edges;
};

/// Splits connected node sets in two connected halves with few edges between them: inertial flow (Schild & Sommer 2015). Nodes
/// are sorted along a direction, the first and the last third (by weight) are tied together as source and sink, and the least cut
/// between them is found by augmenting paths; the best of four directions counts. O(cut × edges) per set.
class Bisector {
 public:
  explicit Bisector(const WeightedGraph& graph);
  /// `nodes` must be connected and hold at least two. Returns whether each belongs to the first half.
  std::vector<std::uint8_t> split(std::span<const std::uint32_t> nodes);

 private:
  struct Cut {
    std::uint32_t edges = 0xffffffffu;
    std::uint64_t lighter = 0;
    std::vector<std::uint8_t> first;
  };
  void build_local(std::span<const std::uint32_t> nodes);
  void cut_along(std::span<const std::uint32_t> order, Cut& best);
  bool augment(std::span<const std::uint32_t> order);
  void reach(bool from_source, std::span<const std::uint32_t> order, std::vector<std::uint8_t>& reached);
  void keep_largest_part(std::vector<std::uint8_t>& first, std::uint8_t value) const;

  const WeightedGraph& graph_;
  std::vector<std::uint32_t> incident_start_, incident_;  // whole graph, CSR of edges
  std::vector<std::uint32_t> local_;                      // node → index in the current set
  // The current set.
  std::vector<std::uint32_t> start_, other_, edge_;  // CSR: neighbour and local edge
  std::vector<std::uint64_t> weight_;
  std::vector<std::int8_t> flow_;      // along the edge's own direction
  std::vector<std::uint8_t> forward_;  // whether a CSR entry runs along the edge's direction
  std::vector<std::uint8_t> role_;     // 1 source, 2 sink
  std::vector<std::uint32_t> queue_, via_;
};

}  // namespace throng
