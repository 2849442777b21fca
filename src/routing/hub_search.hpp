// SPDX-License-Identifier: MIT
// One Dijkstra search of the labels: from a hub over the keys inside its zone.
#pragma once
#include "routing/labels.hpp"

namespace throng {

/// Keys [first, last).
struct KeyRange {
  std::uint32_t first, last;
};
/// Keys strictly inside a zone.
inline KeyRange inner_keys(const Zone& zone, std::uint32_t k) { return {zone.first_portal * k, zone.last_portal * k}; }

/// Entries that come before a zone's own in every label that has them.
inline std::uint32_t entries_above(const Labels& labels, const Zone& zone) {
  return zone.parent == kNoZone ? 0 : labels.prefix[zone.parent];
}

/// Dijkstra from one hub over the keys inside its zone; writes costs into the labels and hops into the hub's row.
class HubSearch {
 public:
  HubSearch(const Cells& cells, const Roadmap& roadmap, double radius)
      : cells_(cells), roadmap_(roadmap), width_(width_needed(radius)) {}

  void run(const Zone& zone, std::uint32_t entry, KeyIndex hub, Labels& labels, std::uint8_t* hop_row) {
    const std::uint32_t k = roadmap_.key_points;
    const KeyRange inner = inner_keys(zone, k);
    scratch_.begin(roadmap_.key_count());
    scratch_.stamp[hub] = scratch_.round;
    scratch_.cost[hub] = 0;
    scratch_.push(0, hub);
    while (!scratch_.heap.empty()) {
      const SearchScratch::Entry top = scratch_.pop();
      if (top.estimate != scratch_.cost[top.key]) continue;
      labels.cost[labels.start[top.key] + entry] = top.estimate;
      const Portal& portal = cells_.portals[top.key / k];
      for (int side = 0; side < 2; ++side) {
        const CellIndex c = portal.cell[side];
        const auto portals = cells_.portals_of(c);
        const std::uint32_t slot = portal.slot[side], here = slot * k + top.key % k;
        const Cost* arcs = roadmap_.arcs.data() + roadmap_.arc_start[c] + here * portals.size() * k;
        const float* widths = cells_.widths.data() + cells_.width_start[c] + slot * portals.size();
        for (std::size_t s = 0; s < portals.size(); ++s) {
          const KeyIndex base = portals[s] * k;
          if (base < inner.first || base >= inner.last || s == slot || widths[s] < width_) continue;
          for (std::uint32_t j = 0; j < k; ++j) {
            const Cost arc = arcs[s * k + j];
            if (arc == kUnreachable || top.estimate + arc >= kUnreachable) continue;
            const Cost cost = top.estimate + arc;
            const KeyIndex next = base + j;
            if (scratch_.stamp[next] == scratch_.round && scratch_.cost[next] <= cost) continue;
            scratch_.stamp[next] = scratch_.round;
            scratch_.cost[next] = cost;
            // Where `top.key` stands among the neighbours of `next`.
            const Portal& back = cells_.portals[portals[s]];
            const std::size_t hop = here + (back.cell[0] == c ? 0 : cells_.portals_of(back.cell[0]).size() * k);
            hop_row[next - inner.first] = hop < Labels::kScan ? static_cast<std::uint8_t>(hop) : Labels::kScan;
            scratch_.push(cost, next);
          }
        }
      }
    }
  }

 private:
  const Cells& cells_;
  const Roadmap& roadmap_;
  float width_;
  SearchScratch scratch_;
};

}  // namespace throng
