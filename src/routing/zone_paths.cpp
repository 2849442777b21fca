// SPDX-License-Identifier: MIT
#include "routing/zone_paths.hpp"

#include <algorithm>
#include <limits>

namespace throng {
namespace {

constexpr float kWide = std::numeric_limits<float>::infinity();

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
    if (i == j) return {0, kWide};
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

/// Dijkstra from each outer key over the outer keys of the zone's parts.
ZoneTable fill_table(const ZoneWays& ways, std::uint32_t zone, float least_width) {
  ZoneTable table;
  std::vector<std::uint32_t> parts;
  ways.parts_of(zone, parts);
  struct Node {
    KeyIndex key;
    std::uint32_t part[2], position[2], count;
  };
  std::vector<Node> nodes;
  for (std::uint32_t p = 0; p < parts.size(); ++p)
    for (std::uint32_t i = 0; i < ways.outer_keys(parts[p]); ++i) nodes.push_back({ways.key_at(parts[p], i), {p, 0}, {i, 0}, 1});
  std::stable_sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.key < b.key; });
  std::size_t kept = 0;
  for (const Node& node : nodes) {
    if (kept > 0 && nodes[kept - 1].key == node.key) {
      nodes[kept - 1].part[1] = node.part[0];
      nodes[kept - 1].position[1] = node.position[0];
      nodes[kept - 1].count = 2;
    } else {
      nodes[kept++] = node;
    }
  }
  nodes.resize(kept);
  std::vector<std::vector<std::uint32_t>> node_at(parts.size());
  for (std::uint32_t p = 0; p < parts.size(); ++p) node_at[p].resize(ways.outer_keys(parts[p]));
  for (std::uint32_t n = 0; n < nodes.size(); ++n)
    for (std::uint32_t s = 0; s < nodes[n].count; ++s) node_at[nodes[n].part[s]][nodes[n].position[s]] = n;

  const std::uint32_t outer = ways.outer_keys(zone);
  std::vector<std::uint32_t> target(outer);
  for (std::uint32_t i = 0; i < outer; ++i) {
    const KeyIndex key = ways.key_at(zone, i);
    target[i] = static_cast<std::uint32_t>(
        std::lower_bound(nodes.begin(), nodes.end(), key, [](const Node& n, KeyIndex k) { return n.key < k; }) - nodes.begin());
  }
  constexpr std::uint32_t kNobody = 0xffffffffu;
  std::vector<Cost> cost(nodes.size());
  std::vector<float> width(nodes.size());
  std::vector<std::uint32_t> parent(nodes.size());
  std::vector<std::pair<Cost, std::uint32_t>> heap;
  std::vector<KeyIndex> chain;
  for (std::uint32_t i = 0; i < outer; ++i) {
    std::fill(cost.begin(), cost.end(), kUnreachable);
    cost[target[i]] = 0;
    width[target[i]] = kWide;
    parent[target[i]] = kNobody;
    heap.assign(1, {0, target[i]});
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      const auto [at, n] = heap.back();
      heap.pop_back();
      if (at != cost[n]) continue;
      for (std::uint32_t s = 0; s < nodes[n].count; ++s) {
        const std::uint32_t part = nodes[n].part[s];
        for (std::uint32_t j = 0; j < node_at[part].size(); ++j) {
          if (j == nodes[n].position[s]) continue;
          const Way way = ways.way(parts[part], nodes[n].position[s], j);
          if (way.cost == kUnreachable || way.width < least_width || at + way.cost >= kUnreachable) continue;
          const std::uint32_t next = node_at[part][j];
          if (at + way.cost >= cost[next]) continue;
          cost[next] = at + way.cost;
          width[next] = std::min(width[n], way.width);
          parent[next] = n;
          heap.emplace_back(cost[next], next);
          std::push_heap(heap.begin(), heap.end(), std::greater<>());
        }
      }
    }
    for (std::uint32_t j = i + 1; j < outer; ++j) {
      chain.clear();
      // Two keys of one portal too: where areas differ in cost, a way may well come back to the portal it entered by.
      const bool found = cost[target[j]] < kUnreachable;
      if (found)
        for (std::uint32_t n = parent[target[j]]; n != kNobody && n != target[i]; n = parent[n]) chain.push_back(nodes[n].key);
      table.cost.push_back(found ? cost[target[j]] : kUnreachable);
      table.width.push_back(found ? width[target[j]] : 0);
      table.via_count.push_back(static_cast<std::uint32_t>(chain.size()));
      table.via.insert(table.via.end(), chain.rbegin(), chain.rend());
    }
  }
  return table;
}

}  // namespace

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
  paths.least_width.assign(paths.pair_start.size() - 1, kWide);
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
