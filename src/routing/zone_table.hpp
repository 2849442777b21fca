// SPDX-License-Identifier: MIT
// The stored paths of one zone, from those of its parts.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "routing/zone_paths.hpp"

namespace throng {

struct Way {
  Cost cost = kUnreachable;
  float width = 0;
};

/// Reads ways between outer keys of a zone, stored or, in a cell, straight.
class ZoneWays {
 public:
  ZoneWays(const Cells& cells, const Abstraction& tree, const Roadmap& roadmap, const ZonePaths& paths)
      : cells_(cells), tree_(tree), roadmap_(roadmap), paths_(paths) {}

  std::uint32_t key_points() const { return roadmap_.key_points; }
  std::uint32_t outer_keys(std::uint32_t zone) const {
    return static_cast<std::uint32_t>(paths_.outer_of(zone).size()) * key_points();
  }
  KeyIndex key_at(std::uint32_t zone, std::uint32_t position) const {
    return paths_.outer_of(zone)[position / key_points()] * key_points() + position % key_points();
  }
  std::uint32_t position_of(std::uint32_t zone, KeyIndex key) const {
    const auto outer = paths_.outer_of(zone);
    const auto at = std::lower_bound(outer.begin(), outer.end(), key / key_points());
    return static_cast<std::uint32_t>(at - outer.begin()) * key_points() + key % key_points();
  }
  static std::uint64_t pair_index(std::uint64_t n, std::uint64_t i, std::uint64_t j) {
    return i * n - i * (i + 1) / 2 + (j - i - 1);
  }
  std::uint64_t pair(std::uint32_t zone, std::uint32_t i, std::uint32_t j) const {
    return paths_.pair_start[zone] + pair_index(outer_keys(zone), std::min(i, j), std::max(i, j));
  }

  Way way(std::uint32_t zone, std::uint32_t i, std::uint32_t j) const {
    if (i == j) return {0, std::numeric_limits<float>::infinity()};
    if (tree_.zones[zone].is_leaf()) {
      const CellIndex c = tree_.zones[zone].first_cell;
      const KeyIndex a = key_at(zone, i), b = key_at(zone, j);
      const std::uint32_t k = key_points(), sa = slot(c, a / k), sb = slot(c, b / k);
      const auto n = static_cast<std::uint32_t>(cells_.portals_of(c).size()) * k;
      return {roadmap_.arcs[roadmap_.arc_start[c] + (sa * k + a % k) * n + sb * k + b % k], cells_.width(c, sa, sb)};
    }
    const std::uint64_t at = pair(zone, i, j);
    return {paths_.cost[at], paths_.width[at]};
  }

  /// Whether a query may use the zone whole.
  bool is_usable(std::uint32_t zone) const { return tree_.zones[zone].is_leaf() || paths_.is_stored(zone); }
  /// Appends the largest usable zones that tile `zone` strictly below it.
  void parts_of(std::uint32_t zone, std::vector<std::uint32_t>& parts) const {
    for (std::uint32_t child = zone + 1; child < tree_.zones[zone].end; child = tree_.zones[child].end) {
      if (is_usable(child))
        parts.push_back(child);
      else
        parts_of(child, parts);
    }
  }
  /// The part of `zone` that holds a cell.
  std::uint32_t part_with(std::uint32_t zone, CellIndex cell) const {
    do zone = tree_.child_towards(zone, cell);
    while (!is_usable(zone));
    return zone;
  }

 private:
  std::uint32_t slot(CellIndex c, PortalIndex p) const { return cells_.portals[p].slot[cells_.end_of(p, c)]; }

  const Cells& cells_;
  const Abstraction& tree_;
  const Roadmap& roadmap_;
  const ZonePaths& paths_;
};

/// One zone's ways, before they are put into the common arrays.
struct ZoneTable {
  std::vector<Cost> cost;
  std::vector<float> width;
  std::vector<std::uint32_t> via_count;
  std::vector<KeyIndex> via;
};

/// Dijkstra from each outer key over the outer keys of the zone's parts, whose tables must be there.
ZoneTable fill_table(const ZoneWays& ways, std::uint32_t zone, float least_width);

}  // namespace throng
