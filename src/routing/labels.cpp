// SPDX-License-Identifier: MIT
#include "routing/labels.hpp"

#include <algorithm>

#include "routing/hub_search.hpp"
#include "routing/min_plus.hpp"

namespace throng {
namespace {

/// The ways from two keys to a hub of `zone`.
class HubWalk {
 public:
  HubWalk(const Cells& cells, const Roadmap& roadmap, const Labels& labels, const Zone& zone, std::uint32_t zone_index,
          std::uint32_t entry, std::uint32_t hub)
      : cells_(cells), roadmap_(roadmap), labels_(labels), entry_(entry), inner_(inner_keys(zone, roadmap.key_points)) {
    hub_key_ = inner_.first + hub;
    row_ = labels.hops.data() + labels.hop_start[zone_index] + static_cast<std::uint64_t>(hub) * (inner_.last - inner_.first);
  }

  /// Appends the keys of both ways, the first ones included, the hub at the end of each. Side by side: each step waits for memory
  /// that the step before names, and the two do not wait for each other.
  bool run(KeyIndex a, std::vector<KeyIndex>& way_a, KeyIndex b, std::vector<KeyIndex>& way_b) const {
    way_a.push_back(a);
    way_b.push_back(b);
    while (a != hub_key_ && b != hub_key_) {
      a = next(a);
      b = next(b);
      if (a == kNoKey || b == kNoKey) return false;
      way_a.push_back(a);
      way_b.push_back(b);
    }
    return finish(a, way_a) && finish(b, way_b);
  }

 private:
  KeyIndex next(KeyIndex key) const {
    const std::uint8_t hop = row_[key - inner_.first];
    return hop == Labels::kScan ? scan(key) : roadmap_.neighbour[roadmap_.neighbour_start[key] + hop];
  }

  bool finish(KeyIndex key, std::vector<KeyIndex>& way) const {
    while (key != hub_key_) {
      key = next(key);
      if (key == kNoKey) return false;
      way.push_back(key);
    }
    return true;
  }

  /// Where cells have too many key points for one byte: the first neighbour by which the cost comes out right.
  KeyIndex scan(KeyIndex key) const {
    const std::uint32_t k = roadmap_.key_points;
    const Portal& portal = cells_.portals[key / k];
    const Cost cost = labels_.cost[labels_.start[key] + entry_];
    for (int side = 0; side < 2; ++side) {
      const CellIndex c = portal.cell[side];
      const auto portals = cells_.portals_of(c);
      const Cost* arcs = roadmap_.arcs.data() + roadmap_.arc_start[c] + (portal.slot[side] * k + key % k) * portals.size() * k;
      for (std::uint32_t i = 0; i < portals.size() * k; ++i) {
        const KeyIndex next = portals[i / k] * k + i % k;
        if (next < inner_.first || next >= inner_.last || cells_.width(c, portal.slot[side], i / k) < 2 * labels_.radius)
          continue;
        const Cost beyond = labels_.cost[labels_.start[next] + entry_];
        if (beyond < cost && arcs[i] + beyond == cost) return next;
      }
    }
    return kNoKey;
  }

  const Cells& cells_;
  const Roadmap& roadmap_;
  const Labels& labels_;
  std::uint32_t entry_;
  KeyRange inner_;
  KeyIndex hub_key_;
  const std::uint8_t* row_;
};

}  // namespace

void lay_out_labels(const Abstraction& tree, std::uint32_t k, Labels& labels) {
  std::uint64_t hop_count = 0;
  std::uint32_t entries = 0;
  labels.prefix.clear();
  labels.hop_start.clear();
  labels.start.clear();
  for (const Zone& zone : tree.zones) {
    const std::uint32_t hubs = (zone.hub_end - zone.first_portal) * k;
    labels.prefix.push_back(entries_above(labels, zone) + hubs);
    labels.hop_start.push_back(hop_count);
    hop_count += std::uint64_t{hubs} * (zone.last_portal - zone.first_portal) * k;
    // Portals are numbered by the zone whose hubs they are, so zones in order give keys in order.
    for (std::uint32_t h = 0; h < hubs; ++h) {
      labels.start.push_back(entries);
      entries += (labels.prefix.back() + kLabelBlock - 1) / kLabelBlock * kLabelBlock;
    }
  }
  labels.start.push_back(entries);
  labels.hop_start.push_back(hop_count);
}

Labels build_labels(const Cells& cells, const Abstraction& tree, const Roadmap& roadmap, double radius, TaskRunner& tasks) {
  Labels labels;
  labels.radius = radius;
  const std::uint32_t k = roadmap.key_points;
  lay_out_labels(tree, k, labels);
  labels.cost.assign(labels.start.back(), kUnreachable);
  labels.hops.assign(labels.hop_start.back(), 0);
  struct Task {
    std::uint32_t zone, hub;
  };
  std::vector<Task> work;
  for (std::uint32_t z = 0; z < tree.zones.size(); ++z)
    for (std::uint32_t h = 0; h < (tree.zones[z].hub_end - tree.zones[z].first_portal) * k; ++h) work.push_back({z, h});
  std::vector<HubSearch> search(tasks.worker_count(), HubSearch(cells, roadmap, radius));
  tasks.parallel_for(work.size(), 4, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t i = begin; i < end; ++i) {
      const Zone& zone = tree.zones[work[i].zone];
      const KeyRange inner = inner_keys(zone, k);
      search[worker].run(
          zone, entries_above(labels, zone) + work[i].hub, inner.first + work[i].hub, labels,
          labels.hops.data() + labels.hop_start[work[i].zone] + std::uint64_t{work[i].hub} * (inner.last - inner.first));
    }
  });
  return labels;
}

bool are_walkable(const Abstraction& tree, const Roadmap& roadmap, const Labels& labels) {
  const std::uint32_t k = roadmap.key_points;
  for (std::uint32_t z = 0; z < tree.zones.size(); ++z) {
    const KeyRange inner = inner_keys(tree.zones[z], k);
    const std::uint32_t hubs = (tree.zones[z].hub_end - tree.zones[z].first_portal) * k;
    const std::uint8_t* row = labels.hops.data() + labels.hop_start[z];
    for (std::uint32_t h = 0; h < hubs; ++h, row += inner.last - inner.first) {
      const std::uint32_t entry = entries_above(labels, tree.zones[z]) + h;
      for (KeyIndex key = inner.first; key < inner.last; ++key) {
        const Cost cost = labels.cost[labels.start[key] + entry];
        if (cost < 0 || cost > kUnreachable || (key == inner.first + h && cost != 0)) return false;
        if (cost == kUnreachable || key == inner.first + h) continue;
        const std::uint8_t hop = row[key - inner.first];
        if (hop == Labels::kScan) continue;  // looked up by cost when walked
        if (hop >= roadmap.neighbour_start[key + 1] - roadmap.neighbour_start[key]) return false;
        const KeyIndex next = roadmap.neighbour[roadmap.neighbour_start[key] + hop];
        if (next < inner.first || next >= inner.last || labels.cost[labels.start[next] + entry] >= cost) return false;
      }
    }
  }
  return true;
}

Cost search_labels(const Cells& cells, const Abstraction& tree, const Roadmap& roadmap, const Labels& labels,
                   const Endpoint& start, const Endpoint& goal, LabelScratch& scratch, std::vector<KeyIndex>& keys) {
  keys.clear();
  std::uint32_t zone = tree.common_zone(start.cell, goal.cell);
  if (zone == kNoZone) return kUnreachable;
  const std::uint32_t length = labels.prefix[zone];
  const auto gather = [&](const Endpoint& endpoint, std::vector<LabelScratch::Stream>& streams) {
    streams.clear();
    for (const Endpoint::Leg& leg : endpoint.legs) {
      const std::uint32_t at = labels.start[leg.key];
      // Padding counts as unreachable, so whole blocks may be read; beyond the key's own zone nothing of it is needed.
      streams.push_back({labels.cost.data() + at, leg.cost,
                         std::min(labels.start[leg.key + 1] - at, (length + kLabelBlock - 1) / kLabelBlock * kLabelBlock)});
    }
  };
  gather(start, scratch.from);
  gather(goal, scratch.to);
  const MinPlusResult best = min_plus(scratch.from, scratch.to, length);
  if (best.cost >= kUnreachable) return kUnreachable;

  const auto winner = [&](const std::vector<LabelScratch::Stream>& streams, const Endpoint& endpoint) {
    std::size_t at = 0;
    Cost least = 2 * kUnreachable;
    for (std::size_t i = 0; i < streams.size(); ++i)
      if (best.index < streams[i].length && streams[i].label[best.index] + streams[i].add < least)
        least = streams[i].label[best.index] + streams[i].add, at = i;
    return endpoint.legs[at].key;
  };
  while (tree.zones[zone].parent != kNoZone && labels.prefix[tree.zones[zone].parent] > best.index)
    zone = tree.zones[zone].parent;
  const HubWalk walk(cells, roadmap, labels, tree.zones[zone], zone, best.index,
                     best.index - entries_above(labels, tree.zones[zone]));
  const KeyIndex first = winner(scratch.from, start), last = winner(scratch.to, goal);
  auto& back = scratch.back;
  back.clear();
  if (!walk.run(first, keys, last, back)) return kUnreachable;
  keys.insert(keys.end(), back.rbegin() + 1, back.rend());  // the hub is in both
  return best.cost;
}

}  // namespace throng
