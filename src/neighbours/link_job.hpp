// SPDX-License-Identifier: MIT
// What the passes that turn triangulations into lists share for one update.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "neighbours/neighbour_graph.hpp"
#include "neighbours/sight.hpp"

namespace throng {

/// Agents on one point of the grid share a vertex, the leader's; which of them leads is an accident and changes no list.
class PlaceGroups {
 public:
  void gather(std::span<const std::unique_ptr<MovingDelaunay>> meshes, std::size_t vertex_count);
  /// By vertex: 1 where several agents stand; null if that is nowhere.
  const std::uint8_t* shared() const { return aliases_.empty() ? nullptr : shared_.data(); }
  Vertex leader(Vertex v) const { return aliases_.empty() ? v : leader_[v]; }
  /// Those that share the leader's place, without it.
  std::span<const Alias> aliases(Vertex leader) const;

 private:
  std::vector<Alias> aliases_;  // sorted
  std::vector<Vertex> leader_;  // by vertex; only with aliases
  std::vector<std::uint8_t> shared_;
};

struct LinkJob {
  const NeighbourInput& input;
  const VertexColumns& columns;
  std::span<const std::unique_ptr<MovingDelaunay>> meshes;  ///< by layer
  const PlaceGroups& groups;
  std::int64_t reach_squared;  ///< grid units
  float net_seconds;           ///< below 0: no net
  bool walls;                  ///< somebody may be out of sight

  std::uint32_t layer_of(std::uint32_t row) const { return input.layer.empty() ? 0 : input.layer[row]; }
  std::int64_t distance(Vertex v, Vertex w) const { return distance_squared(columns.point[v], columns.point[w]); }
  /// Asked from the lower id, so that both get one answer.
  bool sees(std::uint32_t i, std::uint32_t j) const {
    if (!walls) return true;
    if (input.id[j] < input.id[i]) std::swap(i, j);
    return can_see(*input.cells, columns.point[i + 1], input.cell[i], columns.point[j + 1], input.cell[j]);
  }
};

}  // namespace throng
