// SPDX-License-Identifier: MIT
// The abstraction tree (Lamarche & Donikian 2004 §3.3; ALGORITHMS §1.5, §1.7b): cells grouped into zones, zones into larger
// zones, one root per connected component.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "geometry/point.hpp"

namespace throng {

inline constexpr std::uint32_t kNoZone = 0xffffffffu;

/// What the tree is built from: cells as nodes, portals as edges.
struct CellGraph {
  std::vector<Point> centre;                          ///< of each cell
  std::vector<std::array<std::uint32_t, 2>> portals;  ///< the two cells of each portal
};

/// A node of the tree. Zones are numbered in preorder, so the zones below z are z+1 … end-1; its cells and the portals strictly
/// inside it are ranges as well, in the numbering the tree hands out. Its *hubs*, the portals between its children, come first.
struct Zone {
  std::uint32_t parent;
  std::uint32_t end;
  std::uint32_t depth;
  std::uint32_t first_cell, last_cell;               ///< [first, last)
  std::uint32_t first_portal, hub_end, last_portal;  ///< hubs [first, hub_end), all inner portals [first, last)
  bool is_leaf() const { return last_cell - first_cell == 1 && hub_end == first_portal; }
};

struct Abstraction {
  std::vector<Zone> zones;
  std::vector<std::uint32_t> leaf;  ///< zone of each cell (new numbering)
  std::vector<std::uint32_t> roots;

  std::uint32_t depth() const;
  /// Lowest zone that holds both cells, kNoZone if they are in different components.
  std::uint32_t common_zone(std::uint32_t cell_a, std::uint32_t cell_b) const;
  /// The child of `zone` that holds `cell` (zone must hold it and not be a leaf).
  std::uint32_t child_towards(std::uint32_t zone, std::uint32_t cell) const;
};

/// The tree and the numbering of cells and portals it imposes: new index → old index.
struct AbstractionBuild {
  Abstraction tree;
  std::vector<std::uint32_t> cell_order;
  std::vector<std::uint32_t> portal_order;
};

/// How the crossroads that remain after the paper's steps 1–3 (chains, dead ends, passages) are grouped.
enum class CrossroadsRule : std::uint8_t {
  kBisection,  ///< balanced bisection by least cuts (default: smaller boundaries, hence shorter labels)
  kMatching,   ///< the paper's step 4: greedy matching of adjacent pairs by the arcs they add
};

AbstractionBuild build_abstraction(const CellGraph& graph, CrossroadsRule rule = CrossroadsRule::kBisection);

}  // namespace throng
