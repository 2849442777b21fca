// SPDX-License-Identifier: MIT
// The edges where maps of two layers meet: which edge of the other map lies behind one.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "scene/map.hpp"

namespace throng {

struct MapEdge {
  std::uint32_t map;
  EdgeRef edge;  ///< its triangle is ground
};

/// Pairs of edges on the same two points, each with ground of its own map on its left. Valid while no triangle of the maps
/// changes.
class JointEdges {
 public:
  explicit JointEdges(std::span<const Map> maps);
  /// The edge on the other side of a joint's edge, seen from there.
  MapEdge across(std::uint32_t map, EdgeRef edge) const {
    const Place at = place_.at(key(map, edge));
    return pairs_[at.pair][at.across];
  }
  std::span<const std::array<MapEdge, 2>> pairs() const { return pairs_; }

 private:
  static std::uint64_t key(std::uint32_t map, EdgeRef e) {
    return (std::uint64_t{map} << 34) | static_cast<std::uint64_t>(3 * std::int64_t{e.triangle} + e.edge);
  }
  struct Place {
    std::uint32_t pair;
    std::uint32_t across;  ///< the side of the pair that lies there
  };
  std::vector<std::array<MapEdge, 2>> pairs_;
  std::unordered_map<std::uint64_t, Place> place_;
};

}  // namespace throng
