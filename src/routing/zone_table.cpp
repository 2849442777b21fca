// SPDX-License-Identifier: MIT
#include "routing/zone_table.hpp"

#include <functional>

namespace throng {

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
  // The parts' ways as whole matrices: each is read once for every outer key.
  std::vector<std::vector<Cost>> part_cost(parts.size());
  std::vector<std::vector<float>> part_width(parts.size());
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const auto n = static_cast<std::uint32_t>(node_at[p].size());
    part_cost[p].assign(std::size_t{n} * n, kUnreachable);
    part_width[p].assign(std::size_t{n} * n, 0);
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = i + 1; j < n; ++j) {
        const Way way = ways.way(parts[p], i, j);
        if (way.cost == kUnreachable || way.width < least_width) continue;
        part_cost[p][i * n + j] = part_cost[p][j * n + i] = way.cost;
        part_width[p][i * n + j] = part_width[p][j * n + i] = way.width;
      }
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
    width[target[i]] = std::numeric_limits<float>::infinity();
    parent[target[i]] = kNobody;
    heap.assign(1, {0, target[i]});
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      const auto [at, n] = heap.back();
      heap.pop_back();
      if (at != cost[n]) continue;
      for (std::uint32_t s = 0; s < nodes[n].count; ++s) {
        const std::uint32_t part = nodes[n].part[s];
        const auto count = static_cast<std::uint32_t>(node_at[part].size());
        const Cost* way = part_cost[part].data() + nodes[n].position[s] * count;
        for (std::uint32_t j = 0; j < count; ++j) {
          const std::uint32_t next = node_at[part][j];
          if (at + way[j] >= cost[next]) continue;
          cost[next] = at + way[j];
          width[next] = std::min(width[n], part_width[part][nodes[n].position[s] * count + j]);
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

}  // namespace throng
