// SPDX-License-Identifier: MIT
// Stored paths of zones, and the paper's own query (Lamarche & Donikian 2004 §3.3–3.4; ALGORITHMS §1.6–1.7): planner `zones`.
//
// A zone stores, for each pair of key points on its outer portals, the cost and width of the best way inside it and the key
// points of its parts that the way passes. A query splits, from the root down, every zone that holds the start or the goal; the
// zones left over tile the component, and A* over their stored paths is exactly optimal on the whole roadmap.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/tasks.hpp"
#include "cells/abstraction.hpp"
#include "routing/roadmap.hpp"

namespace throng {

/// Zones with more outer key points than this store nothing and are always split (ALGORITHMS §1.6, A_max).
inline constexpr std::uint32_t kMaxOuterKeys = 256;

struct ZonePaths {
  double radius = 0;  ///< narrower ways are not stored
  std::uint32_t key_points = 1;
  std::vector<std::uint32_t> outer_start;  ///< zone → its outer portals; zone count + 1 entries
  std::vector<PortalIndex> outer;          ///< sorted
  std::vector<std::uint64_t>
      pair_start;  ///< zone → its pairs i < j, row by row; zone count + 1 entries; leaves and zones over the cap have none
  std::vector<Cost> cost;                ///< of each pair, kUnreachable if there is no way inside
  std::vector<float> width;              ///< of each pair
  std::vector<std::uint32_t> via_start;  ///< pair → key points passed between its ends; pair count + 1 entries
  std::vector<KeyIndex> via;
  std::vector<float> least_width;  ///< of each zone: of its narrowest stored way

  std::span<const PortalIndex> outer_of(std::uint32_t zone) const {
    return {outer.data() + outer_start[zone], outer_start[zone + 1] - outer_start[zone]};
  }
  /// Whether a query may use an inner zone whole (one without a pair is nobody's way).
  bool is_stored(std::uint32_t zone) const { return outer_of(zone).size() * key_points <= kMaxOuterKeys; }
  std::uint64_t stored_count() const;  ///< pairs with a way
  std::size_t bytes() const;
};

/// Where everything lies: fills outer and pair_start. A function of cells and tree alone.
void lay_out_zone_paths(const Cells& cells, const Abstraction& tree, std::uint32_t key_points, ZonePaths& paths);
/// Fills least_width from the pairs.
void find_least_widths(ZonePaths& paths);

ZonePaths build_zone_paths(const Cells& cells, const Abstraction& tree, const Roadmap& roadmap, double radius, TaskRunner& tasks);

struct ZoneScratch {
  SearchScratch search;
  struct Place {
    std::uint32_t zone, position;  ///< position of the key among the zone's outer keys
  };
  std::vector<std::array<Place, 2>> place;  ///< of each key, in the zones of this query
  std::vector<std::uint8_t> place_count;
  std::vector<std::uint32_t> place_stamp;
  std::vector<std::uint32_t> zones, stack;
  std::vector<KeyIndex> coarse;
  struct Piece {
    std::uint32_t zone;
    KeyIndex from, to;
  };
  std::vector<Piece> pieces;
};

/// The paper's query for a disc of `radius`. A zone with a stored way narrower than the disc is split further, so any radius is
/// exact.
Cost search_zones(const Cells& cells, const Abstraction& tree, const Roadmap& roadmap, const ZonePaths& paths, double radius,
                  const Endpoint& start, const Endpoint& goal, ZoneScratch& scratch, std::vector<KeyIndex>& keys);

}  // namespace throng
