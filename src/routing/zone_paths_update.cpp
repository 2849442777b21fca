// SPDX-License-Identifier: MIT
#include "routing/zone_paths_update.hpp"

#include <algorithm>
#include <unordered_map>

#include "routing/zone_table.hpp"

namespace throng {
namespace {

class Update {
 public:
  Update(const ZonePaths& paths, const RoutingVersion& now, const VersionChange& change)
      : paths_(paths), now_(now), change_(change), k_(now.roadmap.key_points) {
    fresh_.radius = paths.radius;
    fresh_.key_points = k_;
  }

  ZonePaths run(TaskRunner& tasks) {
    find_outer();
    lay_out();
    copy_costs();
    fill(tasks);
    copy_ways();
    return std::move(fresh_);
  }

 private:
  const std::vector<Zone>& zones() const { return now_.tree.zones; }

  /// The outer portals of a zone in which nothing has changed, as they are called now.
  void renamed_outer(std::uint32_t z, std::vector<PortalIndex>& list) const {
    list.clear();
    for (const PortalIndex p : paths_.outer_of(change_.old_zone[z])) list.push_back(change_.new_portal[p]);
  }

  /// Of the zones that changed, from the last to the first, so that those of the parts are there.
  void find_outer() {
    std::vector<PortalIndex> part;
    for (auto z = static_cast<std::uint32_t>(zones().size()); z-- > 0;) {
      if (change_.is_as_it_was[z]) continue;
      auto& list = outer_[z];
      if (zones()[z].is_leaf()) {
        const auto own = now_.cells.portals_of(zones()[z].first_cell);
        list.assign(own.begin(), own.end());
      }
      for (std::uint32_t child = z + 1; child < zones()[z].end; child = zones()[child].end) {
        if (change_.is_as_it_was[child])
          renamed_outer(child, part);
        else
          part = outer_[child];
        for (const PortalIndex p : part)
          if (p < zones()[z].first_portal || p >= zones()[z].hub_end) list.push_back(p);
      }
      std::sort(list.begin(), list.end());
    }
  }

  void lay_out() {
    const std::size_t count = zones().size();
    fresh_.outer_start.reserve(count + 1);
    fresh_.pair_start.reserve(count + 1);
    fresh_.outer.reserve(paths_.outer.size() + 256);
    fresh_.outer_start.push_back(0);
    fresh_.pair_start.push_back(0);
    is_copied_.assign(count, 0);
    std::vector<PortalIndex> list;
    for (std::uint32_t z = 0; z < count; ++z) {
      if (change_.is_as_it_was[z]) {
        renamed_outer(z, list);
        // Pairs go by the order of the portals. A portal that another zone owns now may stand elsewhere in it.
        is_copied_[z] = std::is_sorted(list.begin(), list.end());
        if (!is_copied_[z]) std::sort(list.begin(), list.end());
      } else {
        list = outer_[z];
      }
      fresh_.outer.insert(fresh_.outer.end(), list.begin(), list.end());
      fresh_.outer_start.push_back(static_cast<std::uint32_t>(fresh_.outer.size()));
      const std::uint64_t n = list.size() * k_;
      fresh_.pair_start.push_back(fresh_.pair_start.back() +
                                  (zones()[z].is_leaf() || n > kMaxOuterKeys || n < 2 ? 0 : n * (n - 1) / 2));
    }
    fresh_.cost.assign(fresh_.pair_start.back(), kUnreachable);
    fresh_.width.assign(fresh_.pair_start.back(), 0);
  }

  std::uint64_t pairs(std::uint32_t z) const { return fresh_.pair_start[z + 1] - fresh_.pair_start[z]; }
  bool is_copied(std::uint32_t z) const { return is_copied_[z] != 0; }

  void copy_costs() {
    for (std::uint32_t z = 0; z < zones().size(); ++z) {
      if (!is_copied(z) || pairs(z) == 0) continue;
      const auto from = static_cast<std::ptrdiff_t>(paths_.pair_start[change_.old_zone[z]]);
      const auto to = static_cast<std::ptrdiff_t>(fresh_.pair_start[z]), count = static_cast<std::ptrdiff_t>(pairs(z));
      std::copy_n(paths_.cost.begin() + from, count, fresh_.cost.begin() + to);
      std::copy_n(paths_.width.begin() + from, count, fresh_.width.begin() + to);
    }
  }

  /// Deepest first, as the bake does it.
  void fill(TaskRunner& tasks) {
    std::vector<std::vector<std::uint32_t>> by_depth;
    for (std::uint32_t z = 0; z < zones().size(); ++z) {
      if (is_copied(z) || pairs(z) == 0) continue;
      if (zones()[z].depth >= by_depth.size()) by_depth.resize(zones()[z].depth + 1);
      by_depth[zones()[z].depth].push_back(z);
      tables_[z];
    }
    const ZoneWays ways(now_.cells, now_.tree, now_.roadmap, fresh_);
    for (std::size_t depth = by_depth.size(); depth-- > 0;)
      tasks.parallel_for(by_depth[depth].size(), 1, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::uint32_t z = by_depth[depth][i];
          ZoneTable& table = tables_.at(z);
          table = fill_table(ways, z, width_needed(fresh_.radius));
          std::copy(table.cost.begin(), table.cost.end(),
                    fresh_.cost.begin() + static_cast<std::ptrdiff_t>(fresh_.pair_start[z]));
          std::copy(table.width.begin(), table.width.end(),
                    fresh_.width.begin() + static_cast<std::ptrdiff_t>(fresh_.pair_start[z]));
        }
      });
  }

  void copy_ways() {
    fresh_.via_start.reserve(fresh_.cost.size() + 1);
    fresh_.via.reserve(paths_.via.size() + 1024);
    fresh_.via_start.push_back(0);
    for (std::uint32_t z = 0; z < zones().size(); ++z) {
      if (pairs(z) == 0) continue;
      if (!is_copied(z)) {
        const ZoneTable& table = tables_.at(z);
        for (const std::uint32_t n : table.via_count) fresh_.via_start.push_back(fresh_.via_start.back() + n);
        fresh_.via.insert(fresh_.via.end(), table.via.begin(), table.via.end());
        continue;
      }
      const std::uint32_t was = change_.old_zone[z];
      const std::uint64_t first = paths_.pair_start[was];
      const std::uint32_t from = paths_.via_start[first], to = fresh_.via_start.back();
      for (std::uint64_t pair = first; pair < first + pairs(z); ++pair)
        fresh_.via_start.push_back(paths_.via_start[pair + 1] - from + to);
      for (std::uint32_t i = from; i < paths_.via_start[first + pairs(z)]; ++i)
        fresh_.via.push_back(change_.new_portal[paths_.via[i] / k_] * k_ + paths_.via[i] % k_);
    }
    find_least_widths(fresh_);
  }

  const ZonePaths& paths_;
  const RoutingVersion& now_;
  const VersionChange& change_;
  const std::uint32_t k_;
  ZonePaths fresh_;
  std::unordered_map<std::uint32_t, std::vector<PortalIndex>> outer_;  // of zones that changed
  std::unordered_map<std::uint32_t, ZoneTable> tables_;
  std::vector<std::uint8_t> is_copied_;
};

}  // namespace

ZonePaths update_zone_paths(const ZonePaths& paths, const RoutingVersion& now, const VersionChange& change, TaskRunner& tasks) {
  return Update(paths, now, change).run(tasks);
}

}  // namespace throng
