// SPDX-License-Identifier: MIT
#include "routing/labels_update.hpp"

#include <algorithm>
#include <cstring>

#include "routing/hub_search.hpp"

namespace throng {
namespace {

/// What of the labels comes over, and where it goes.
class Transfer {
 public:
  Transfer(const RoutingVersion& old, const Labels& labels, const RoutingVersion& now, const VersionChange& change, Labels& fresh)
      : old_(old), labels_(labels), now_(now), change_(change), fresh_(fresh), k_(now.roadmap.key_points) {}

  /// The former zone that a portal was strictly inside of, if entries of `zone` come over for it.
  bool comes_over(std::uint32_t zone, PortalIndex portal) const {
    const std::uint32_t was = change_.old_zone[zone], before = change_.old_portal[portal];
    return was != kNoZone && before != kNoPortal && before >= old_.tree.zones[was].first_portal &&
           before < old_.tree.zones[was].last_portal;
  }
  /// What a hub of a zone was as a hub of the same zone, kNoPortal if it was none.
  PortalIndex former_hub(std::uint32_t zone, PortalIndex hub) const {
    const std::uint32_t was = change_.old_zone[zone], before = change_.old_portal[hub];
    if (was == kNoZone || before == kNoPortal) return kNoPortal;
    const Zone& z = old_.tree.zones[was];
    return before >= z.first_portal && before < z.hub_end ? before : kNoPortal;
  }

  void copy_costs() {
    std::vector<std::vector<Piece>> pieces;  // by depth: of the entries of a zone and those above it
    std::vector<Piece> own;
    for (std::uint32_t z = 0; z < now_.tree.zones.size(); ++z) {
      const Zone& zone = now_.tree.zones[z];
      if (zone.depth >= pieces.size()) pieces.resize(zone.depth + 1);
      auto& list = pieces[zone.depth];
      list.clear();
      if (zone.depth > 0) list.assign(pieces[zone.depth - 1].begin(), pieces[zone.depth - 1].end());
      append_own(z, list);
      for (PortalIndex p = zone.first_portal; p < zone.hub_end; ++p) {
        const PortalIndex before = change_.old_portal[p];
        if (before == kNoPortal) continue;
        if (former_hub(z, p) != kNoPortal) {
          copy(p, before, list);
          continue;
        }
        // It was the hub of another zone: zone by zone upwards.
        for (std::uint32_t above = z; above != kNoZone; above = now_.tree.zones[above].parent) {
          if (!comes_over(above, p)) continue;
          own.clear();
          append_own(above, own);
          copy(p, before, own);
        }
      }
    }
  }

  void copy_hops() {
    std::vector<Piece> runs;
    for (std::uint32_t z = 0; z < now_.tree.zones.size(); ++z) {
      const std::uint32_t was = change_.old_zone[z];
      if (was == kNoZone) continue;
      const Zone &zone = now_.tree.zones[z], &before = old_.tree.zones[was];
      const std::uint64_t row = std::uint64_t{zone.last_portal - zone.first_portal} * k_;
      const std::uint64_t old_row = std::uint64_t{before.last_portal - before.first_portal} * k_;
      if (change_.is_as_it_was[z]) {
        std::copy_n(labels_.hops.begin() + static_cast<std::ptrdiff_t>(labels_.hop_start[was]),
                    static_cast<std::ptrdiff_t>(labels_.hop_start[was + 1] - labels_.hop_start[was]),
                    fresh_.hops.begin() + static_cast<std::ptrdiff_t>(fresh_.hop_start[z]));
        continue;
      }
      runs.clear();
      for (PortalIndex p = zone.first_portal; p < zone.last_portal; ++p)
        if (comes_over(z, p))
          append({(p - zone.first_portal) * k_, (change_.old_portal[p] - before.first_portal) * k_, k_}, runs);
      for (PortalIndex hub = zone.first_portal; hub < zone.hub_end; ++hub) {
        const PortalIndex former = former_hub(z, hub);
        if (former == kNoPortal) continue;
        for (std::uint32_t j = 0; j < k_; ++j) {
          std::uint8_t* to = fresh_.hops.data() + fresh_.hop_start[z] + ((hub - zone.first_portal) * k_ + j) * row;
          const std::uint8_t* from =
              labels_.hops.data() + labels_.hop_start[was] + ((former - before.first_portal) * k_ + j) * old_row;
          for (const Piece& run : runs) std::memcpy(to + run.to, from + run.from, run.length);
        }
      }
    }
  }

 private:
  struct Piece {
    std::uint32_t to, from, length;
  };
  static void append(Piece piece, std::vector<Piece>& list) {
    if (!list.empty() && list.back().to + list.back().length == piece.to && list.back().from + list.back().length == piece.from)
      list.back().length += piece.length;
    else
      list.push_back(piece);
  }
  void append_own(std::uint32_t z, std::vector<Piece>& list) const {
    const std::uint32_t was = change_.old_zone[z];
    if (was == kNoZone) return;
    const Zone &zone = now_.tree.zones[z], &before = old_.tree.zones[was];
    const std::uint32_t to = entries_above(fresh_, zone), from = entries_above(labels_, before);
    for (PortalIndex p = zone.first_portal; p < zone.hub_end; ++p)
      if (const PortalIndex former = former_hub(z, p); former != kNoPortal)
        append({to + (p - zone.first_portal) * k_, from + (former - before.first_portal) * k_, k_}, list);
  }
  void copy(PortalIndex portal, PortalIndex before, const std::vector<Piece>& list) {
    for (std::uint32_t j = 0; j < k_; ++j) {
      Cost* to = fresh_.cost.data() + fresh_.start[portal * k_ + j];
      const Cost* from = labels_.cost.data() + labels_.start[before * k_ + j];
      for (const Piece& piece : list) std::memcpy(to + piece.to, from + piece.from, piece.length * sizeof(Cost));
    }
  }

  const RoutingVersion& old_;
  const Labels& labels_;
  const RoutingVersion& now_;
  const VersionChange& change_;
  Labels& fresh_;
  const std::uint32_t k_;
};

/// A key on the rim of the new cells, and what has become of its hops.
struct RimKey {
  KeyIndex key;
  std::uint8_t comes_over;              ///< its entries of the zone at hand
  std::uint32_t gone_first, gone_last;  ///< former hops that led through the cell that is gone
  std::int32_t shift;                   ///< of hops behind those
};

/// Mends what one hub knows of its zone.
class HubRepair {
 public:
  HubRepair(const RoutingVersion& now, std::span<const std::uint8_t> is_new_cell, double radius)
      : now_(now), is_new_(is_new_cell), width_(width_needed(radius)), k_(now.roadmap.key_points) {}

  /// `unknown` are the keys of the zone without entries, `rim` the keys beside new cells.
  void run(const Zone& zone, std::uint32_t entry, KeyIndex hub, std::span<const KeyIndex> unknown, std::span<const RimKey> rim,
           Labels& labels, std::uint8_t* row) {
    inner_ = inner_keys(zone, k_);
    labels_ = &labels;
    entry_ = entry;
    row_ = row;
    hub_ = hub;
    if (stamp_.size() < now_.roadmap.key_count()) stamp_.resize(now_.roadmap.key_count(), 0);
    if (++round_ == 0) {
      std::fill(stamp_.begin(), stamp_.end(), 0);
      round_ = 1;
    }
    lost_.clear();
    for (const KeyIndex key : unknown) {
      stamp_[key] = round_;
      lost_.push_back(key);
    }
    // Ways that led through what is gone, and all that hung on them.
    queue_.clear();
    for (const RimKey& r : rim) {
      if (!r.comes_over) {
        queue_.push_back(r.key);
        continue;
      }
      std::uint8_t& hop = row_[r.key - inner_.first];
      if (r.key == hub_ || cost(r.key) == kUnreachable) continue;
      if (hop == Labels::kScan || (hop >= r.gone_first && hop < r.gone_last)) {
        lose(r.key);
      } else if (hop >= r.gone_last) {
        const std::int32_t shifted = hop + r.shift;
        hop = shifted < Labels::kScan ? static_cast<std::uint8_t>(shifted) : Labels::kScan;
      }
    }
    for (std::size_t head = 0; head < queue_.size(); ++head) lose_behind(queue_[head]);

    scratch_.heap.clear();
    for (const KeyIndex key : lost_) find_best(key);
    write_found();
    for (const RimKey& r : rim)
      if (r.comes_over && stamp_[r.key] != round_ && cost(r.key) < kUnreachable) scratch_.push(cost(r.key), r.key);
    while (!scratch_.heap.empty()) {
      const SearchScratch::Entry top = scratch_.pop();
      if (top.estimate == cost(top.key)) spread(top.key, top.estimate);
    }
  }

 private:
  Cost& cost(KeyIndex key) { return labels_->cost[labels_->start[key] + entry_]; }
  bool is_inside(KeyIndex key) const { return key >= inner_.first && key < inner_.last; }

  void lose(KeyIndex key) {
    stamp_[key] = round_;
    cost(key) = kUnreachable;
    lost_.push_back(key);
    queue_.push_back(key);
  }

  /// Neighbours through cells that stay whose way goes on at `key`.
  void lose_behind(KeyIndex key) {
    const Portal& portal = now_.cells.portals[key / k_];
    for (int side = 0; side < 2; ++side) {
      if (is_new_[portal.cell[side]]) continue;
      for (const PortalIndex p : now_.cells.portals_of(portal.cell[side]))
        for (std::uint32_t j = 0; j < k_; ++j) {
          const KeyIndex next = p * k_ + j;
          if (!is_inside(next) || stamp_[next] == round_ || next == hub_ || cost(next) == kUnreachable) continue;
          const std::uint8_t hop = row_[next - inner_.first];
          // Where one byte does not tell, it counts as lost: it is found again all the same.
          if (hop == Labels::kScan || now_.roadmap.neighbour[now_.roadmap.neighbour_start[next] + hop] == key) lose(next);
        }
    }
  }

  /// The best way on from a lost key through its neighbours that know theirs.
  void find_best(KeyIndex key) {
    const Portal& portal = now_.cells.portals[key / k_];
    Cost best = kUnreachable;
    std::size_t hop = 0, first = 0;
    for (int side = 0; side < 2; ++side) {
      const CellIndex c = portal.cell[side];
      const auto portals = now_.cells.portals_of(c);
      const std::uint32_t slot = portal.slot[side];
      const Cost* arcs = now_.roadmap.arcs.data() + now_.roadmap.arc_start[c] + (slot * k_ + key % k_) * portals.size() * k_;
      const float* widths = now_.cells.widths.data() + now_.cells.width_start[c] + slot * portals.size();
      for (std::size_t s = 0; s < portals.size(); ++s) {
        if (s == slot || widths[s] < width_ || !is_inside(portals[s] * k_)) continue;
        for (std::uint32_t j = 0; j < k_; ++j) {
          const KeyIndex next = portals[s] * k_ + j;
          if (stamp_[next] == round_ || arcs[s * k_ + j] == kUnreachable) continue;
          const Cost way = cost(next) + arcs[s * k_ + j];
          if (way < best) best = way, hop = first + s * k_ + j;
        }
      }
      first += portals.size() * k_;
    }
    if (best >= kUnreachable) return;
    found_.push_back({key, best, hop});
  }
  /// After all have looked: nobody took the cost of another lost key for a known one.
  void write_found() {
    for (const Found& f : found_) {
      cost(f.key) = f.cost;
      row_[f.key - inner_.first] = f.hop < Labels::kScan ? static_cast<std::uint8_t>(f.hop) : Labels::kScan;
      scratch_.push(f.cost, f.key);
    }
    found_.clear();
  }

  void spread(KeyIndex key, Cost at) {
    const Portal& portal = now_.cells.portals[key / k_];
    for (int side = 0; side < 2; ++side) {
      const CellIndex c = portal.cell[side];
      const auto portals = now_.cells.portals_of(c);
      const std::uint32_t slot = portal.slot[side], here = slot * k_ + key % k_;
      const Cost* arcs = now_.roadmap.arcs.data() + now_.roadmap.arc_start[c] + here * portals.size() * k_;
      const float* widths = now_.cells.widths.data() + now_.cells.width_start[c] + slot * portals.size();
      for (std::size_t s = 0; s < portals.size(); ++s) {
        const KeyIndex base = portals[s] * k_;
        if (!is_inside(base) || s == slot || widths[s] < width_) continue;
        for (std::uint32_t j = 0; j < k_; ++j) {
          const Cost arc = arcs[s * k_ + j];
          if (arc == kUnreachable || at + arc >= kUnreachable || cost(base + j) <= at + arc) continue;
          cost(base + j) = at + arc;
          const Portal& back = now_.cells.portals[portals[s]];
          const std::size_t hop = here + (back.cell[0] == c ? 0 : now_.cells.portals_of(back.cell[0]).size() * k_);
          row_[base + j - inner_.first] = hop < Labels::kScan ? static_cast<std::uint8_t>(hop) : Labels::kScan;
          scratch_.push(at + arc, base + j);
        }
      }
    }
  }

  struct Found {
    KeyIndex key;
    Cost cost;
    std::size_t hop;
  };
  const RoutingVersion& now_;
  std::span<const std::uint8_t> is_new_;  // by cell
  float width_;
  std::uint32_t k_;
  KeyRange inner_{};
  Labels* labels_ = nullptr;
  std::uint32_t entry_ = 0;
  std::uint8_t* row_ = nullptr;
  KeyIndex hub_ = kNoKey;
  std::vector<std::uint32_t> stamp_;  // of keys whose way is lost: the round
  std::uint32_t round_ = 0;
  std::vector<KeyIndex> lost_, queue_;
  std::vector<Found> found_;
  SearchScratch scratch_;
};

}  // namespace

Labels update_labels(const RoutingVersion& old, const Labels& labels, const RoutingVersion& now, const VersionChange& change,
                     TaskRunner& tasks) {
  const std::uint32_t k = now.roadmap.key_points;
  Labels fresh;
  fresh.radius = labels.radius;
  lay_out_labels(now.tree, k, fresh);
  fresh.cost.assign(fresh.start.back(), kUnreachable);
  fresh.hops.assign(fresh.hop_start.back(), 0);
  Transfer transfer(old, labels, now, change, fresh);
  transfer.copy_costs();
  transfer.copy_hops();

  struct ZoneWork {
    std::uint32_t zone;
    std::vector<KeyIndex> unknown;
    std::vector<RimKey> rim;
  };
  struct Task {
    std::uint32_t work, hub;
    bool is_known;
  };
  std::vector<ZoneWork> zones;
  std::vector<Task> work;
  for (std::uint32_t z = 0; z < now.tree.zones.size(); ++z) {
    const Zone& zone = now.tree.zones[z];
    if (change.is_as_it_was[z] || zone.hub_end == zone.first_portal) continue;
    ZoneWork mine{z, {}, {}};
    if (change.old_zone[z] != kNoZone) {
      for (PortalIndex p = zone.first_portal; p < zone.last_portal; ++p)
        if (!transfer.comes_over(z, p))
          for (std::uint32_t j = 0; j < k; ++j) mine.unknown.push_back(p * k + j);
      for (const PortalIndex p : change.rehung) {
        const Portal &portal = now.cells.portals[p], &before = old.cells.portals[change.old_portal[p]];
        const bool is_inside = p >= zone.first_portal && p < zone.last_portal;
        const auto count = [&](const Cells& cells, CellIndex c) {
          return static_cast<std::uint32_t>(cells.portals_of(c).size()) * k;
        };
        const std::uint32_t n0 = count(old.cells, before.cell[0]), n1 = count(old.cells, before.cell[1]);
        const bool first_is_gone = change.is_new_cell[portal.cell[0]] != 0;
        for (std::uint32_t j = 0; j < k; ++j)
          mine.rim.push_back(
              {p * k + j, static_cast<std::uint8_t>(is_inside && transfer.comes_over(z, p)), first_is_gone ? 0 : n0,
               first_is_gone ? n0 : n0 + n1,
               first_is_gone ? static_cast<std::int32_t>(count(now.cells, portal.cell[0])) - static_cast<std::int32_t>(n0) : 0});
      }
    }
    for (PortalIndex p = zone.first_portal; p < zone.hub_end; ++p)
      for (std::uint32_t j = 0; j < k; ++j)
        work.push_back(
            {static_cast<std::uint32_t>(zones.size()), (p - zone.first_portal) * k + j, transfer.former_hub(z, p) != kNoPortal});
    zones.push_back(std::move(mine));
  }
  std::vector<HubSearch> search(tasks.worker_count(), HubSearch(now.cells, now.roadmap, labels.radius));
  std::vector<HubRepair> repair(tasks.worker_count(), HubRepair(now, change.is_new_cell, labels.radius));
  tasks.parallel_for(work.size(), 4, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t i = begin; i < end; ++i) {
      const ZoneWork& mine = zones[work[i].work];
      const Zone& zone = now.tree.zones[mine.zone];
      const KeyRange inner = inner_keys(zone, k);
      const std::uint32_t entry = entries_above(fresh, zone) + work[i].hub;
      std::uint8_t* row =
          fresh.hops.data() + fresh.hop_start[mine.zone] + std::uint64_t{work[i].hub} * (inner.last - inner.first);
      if (work[i].is_known)
        repair[worker].run(zone, entry, inner.first + work[i].hub, mine.unknown, mine.rim, fresh, row);
      else
        search[worker].run(zone, entry, inner.first + work[i].hub, fresh, row);
    }
  });
  return fresh;
}

}  // namespace throng
