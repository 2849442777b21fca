// SPDX-License-Identifier: MIT
#include "routing/zone_paths.hpp"

#include <algorithm>
#include <limits>

#include "routing/zone_table.hpp"

namespace throng {
std::uint64_t ZonePaths::stored_count() const {
  return static_cast<std::uint64_t>(std::count_if(cost.begin(), cost.end(), [](Cost c) { return c < kUnreachable; }));
}

std::size_t ZonePaths::bytes() const {
  return (outer_start.size() + outer.size() + via_start.size() + via.size()) * 4 + pair_start.size() * 8 + cost.size() * 4 +
         width.size() * 4 + least_width.size() * 4;
}

void lay_out_zone_paths(const Cells& cells, const Abstraction& tree, std::uint32_t key_points, ZonePaths& paths) {
  paths.key_points = key_points;
  const std::size_t count = tree.zones.size();
  // Outer portals: those of the children that no two children share.
  std::vector<std::vector<PortalIndex>> outer(count);
  for (std::size_t i = count; i-- > 0;) {
    const auto z = static_cast<std::uint32_t>(i);
    const Zone& zone = tree.zones[z];
    if (zone.is_leaf()) {
      const auto own = cells.portals_of(zone.first_cell);
      outer[z].assign(own.begin(), own.end());
    } else {
      for (std::uint32_t child = z + 1; child < zone.end; child = tree.zones[child].end)
        for (PortalIndex p : outer[child])
          if (p < zone.first_portal || p >= zone.hub_end) outer[z].push_back(p);
    }
    std::sort(outer[z].begin(), outer[z].end());
  }
  paths.outer.clear();
  paths.outer_start.assign(1, 0);
  paths.pair_start.assign(1, 0);
  for (std::uint32_t z = 0; z < count; ++z) {
    paths.outer.insert(paths.outer.end(), outer[z].begin(), outer[z].end());
    paths.outer_start.push_back(static_cast<std::uint32_t>(paths.outer.size()));
    const std::uint64_t n = outer[z].size() * key_points;
    paths.pair_start.push_back(paths.pair_start.back() +
                               (tree.zones[z].is_leaf() || n > kMaxOuterKeys || n < 2 ? 0 : n * (n - 1) / 2));
  }
}

void find_least_widths(ZonePaths& paths) {
  paths.least_width.assign(paths.pair_start.size() - 1, std::numeric_limits<float>::infinity());
  for (std::size_t z = 0; z + 1 < paths.pair_start.size(); ++z)
    for (std::uint64_t p = paths.pair_start[z]; p < paths.pair_start[z + 1]; ++p)
      if (paths.cost[p] < kUnreachable) paths.least_width[z] = std::min(paths.least_width[z], paths.width[p]);
}

ZonePaths build_zone_paths(const Cells& cells, const Abstraction& tree, const Roadmap& roadmap, double radius,
                           TaskRunner& tasks) {
  ZonePaths paths;
  paths.radius = radius;
  lay_out_zone_paths(cells, tree, roadmap.key_points, paths);
  paths.cost.assign(paths.pair_start.back(), kUnreachable);
  paths.width.assign(paths.pair_start.back(), 0);

  // Deepest first: all zones of one depth are independent of each other.
  std::vector<std::vector<std::uint32_t>> by_depth(tree.depth() + 1);
  for (std::uint32_t z = 0; z < tree.zones.size(); ++z)
    if (paths.pair_start[z + 1] > paths.pair_start[z]) by_depth[tree.zones[z].depth].push_back(z);
  const ZoneWays ways(cells, tree, roadmap, paths);
  std::vector<ZoneTable> tables(tree.zones.size());
  for (std::size_t depth = by_depth.size(); depth-- > 0;) {
    const auto& level = by_depth[depth];
    tasks.parallel_for(level.size(), 1, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t z = level[i];
        tables[z] = fill_table(ways, z, width_needed(radius));
        std::copy(tables[z].cost.begin(), tables[z].cost.end(),
                  paths.cost.begin() + static_cast<std::ptrdiff_t>(paths.pair_start[z]));
        std::copy(tables[z].width.begin(), tables[z].width.end(),
                  paths.width.begin() + static_cast<std::ptrdiff_t>(paths.pair_start[z]));
      }
    });
  }
  find_least_widths(paths);
  paths.via_start.push_back(0);
  for (const ZoneTable& table : tables) {
    for (std::uint32_t n : table.via_count) paths.via_start.push_back(paths.via_start.back() + n);
    paths.via.insert(paths.via.end(), table.via.begin(), table.via.end());
  }
  return paths;
}

Cost search_zones(const Cells& cells, const Abstraction& tree, const Roadmap& roadmap, const ZonePaths& paths, double radius,
                  const Endpoint& start, const Endpoint& goal, ZoneScratch& scratch, std::vector<KeyIndex>& keys) {
  keys.clear();
  const ZoneWays ways(cells, tree, roadmap, paths);
  const std::uint32_t k = roadmap.key_points;
  const float width = width_needed(radius);
  SearchScratch& search = scratch.search;
  search.begin(roadmap.key_count());
  if (scratch.place.size() < roadmap.key_count()) {
    scratch.place.resize(roadmap.key_count());
    scratch.place_count.resize(roadmap.key_count());
    scratch.place_stamp.resize(roadmap.key_count(), 0);
  }
  if (search.round == 1) std::fill(scratch.place_stamp.begin(), scratch.place_stamp.end(), 0);
  std::uint32_t root = tree.leaf[start.cell];
  while (tree.zones[root].parent != kNoZone) root = tree.zones[root].parent;

  // Split what holds an end point, stores nothing, or stores a way that is too narrow (or was baked for wider bodies).
  scratch.zones.clear();
  scratch.stack.assign(1, root);
  while (!scratch.stack.empty()) {
    const std::uint32_t z = scratch.stack.back();
    scratch.stack.pop_back();
    const Zone& zone = tree.zones[z];
    const auto holds = [&](CellIndex c) { return tree.leaf[c] >= z && tree.leaf[c] < zone.end; };
    const bool split = !zone.is_leaf() && (holds(start.cell) || holds(goal.cell) || !paths.is_stored(z) ||
                                           paths.least_width[z] < width || radius < paths.radius);
    if (split) {
      for (std::uint32_t child = z + 1; child < zone.end; child = tree.zones[child].end) scratch.stack.push_back(child);
      continue;
    }
    const std::uint32_t n = ways.outer_keys(z);
    for (std::uint32_t i = 0; i < n; ++i) {
      const KeyIndex key = ways.key_at(z, i);
      if (scratch.place_stamp[key] != search.round) scratch.place_stamp[key] = search.round, scratch.place_count[key] = 0;
      scratch.place[key][scratch.place_count[key]++] = {z, i};
    }
  }

  const auto estimate = [&](Cost cost, KeyIndex key) { return cost + least_cost(roadmap.key[key], goal.position); };
  for (const Endpoint::Leg& leg : start.legs) search.reach(leg.key, leg.cost, kNoKey, estimate);
  Cost best = kUnreachable;
  KeyIndex last = kNoKey;
  while (!search.heap.empty()) {
    const SearchScratch::Entry top = search.pop();
    if (top.estimate >= best) break;
    const KeyIndex key = top.key;
    const Cost cost = search.cost[key];
    if (top.estimate != estimate(cost, key)) continue;
    for (const Endpoint::Leg& leg : goal.legs)
      if (leg.key == key && cost + leg.cost < best) best = cost + leg.cost, last = key;
    for (int p = 0; p < scratch.place_count[key]; ++p) {
      const ZoneScratch::Place place = scratch.place[key][p];
      const std::uint32_t n = ways.outer_keys(place.zone);
      for (std::uint32_t j = 0; j < n; ++j) {
        if (j == place.position) continue;
        const Way way = ways.way(place.zone, place.position, j);
        if (way.cost == kUnreachable || way.width < width || cost + way.cost >= kUnreachable) continue;
        search.reach(ways.key_at(place.zone, j), cost + way.cost, key, estimate);
      }
    }
  }
  if (last == kNoKey) return kUnreachable;
  scratch.coarse.clear();
  for (KeyIndex key = last; key != kNoKey; key = search.parent[key]) scratch.coarse.push_back(key);
  std::reverse(scratch.coarse.begin(), scratch.coarse.end());

  // Expand stored paths down to single arcs.
  keys.push_back(scratch.coarse[0]);
  const auto best_common = [&](KeyIndex a, KeyIndex b, auto&& zone_of_side) {
    std::uint32_t zone = kNoZone;
    Cost least = 2 * kUnreachable;
    for (int sa = 0; sa < 2; ++sa)
      for (int sb = 0; sb < 2; ++sb) {
        const std::uint32_t za = zone_of_side(a, sa);
        if (za == kNoZone || za != zone_of_side(b, sb)) continue;
        const Way way = ways.way(za, ways.position_of(za, a), ways.position_of(za, b));
        if (way.width >= width && way.cost < least) least = way.cost, zone = za;
      }
    return zone;
  };
  for (std::size_t i = 1; i < scratch.coarse.size(); ++i) {
    const KeyIndex a = scratch.coarse[i - 1], b = scratch.coarse[i];
    const std::uint32_t zone = best_common(
        a, b, [&](KeyIndex key, int side) { return side < scratch.place_count[key] ? scratch.place[key][side].zone : kNoZone; });
    scratch.pieces.assign(1, {zone, a, b});
    while (!scratch.pieces.empty()) {
      const ZoneScratch::Piece piece = scratch.pieces.back();
      scratch.pieces.pop_back();
      if (piece.zone == kNoZone) return kUnreachable;  // only in a forged file
      if (tree.zones[piece.zone].is_leaf()) {
        keys.push_back(piece.to);
        continue;
      }
      const std::uint32_t pa = ways.position_of(piece.zone, piece.from), pb = ways.position_of(piece.zone, piece.to);
      const std::uint64_t pair = ways.pair(piece.zone, pa, pb);
      const std::span<const KeyIndex> via(paths.via.data() + paths.via_start[pair],
                                          paths.via_start[pair + 1] - paths.via_start[pair]);
      // Pushed last to first, so that they come off the stack in walking order.
      const Zone& outer = tree.zones[piece.zone];
      const auto part_of_side = [&](KeyIndex key, int side) {
        const CellIndex c = cells.portals[key / k].cell[side];
        return c >= outer.first_cell && c < outer.last_cell ? ways.part_with(piece.zone, c) : kNoZone;
      };
      KeyIndex to = piece.to;
      for (std::size_t v = 0; v <= via.size(); ++v) {
        const KeyIndex from = v == via.size() ? piece.from : pa < pb ? via[via.size() - 1 - v] : via[v];
        scratch.pieces.push_back({best_common(from, to, part_of_side), from, to});
        to = from;
      }
    }
  }
  return best;
}

}  // namespace throng
