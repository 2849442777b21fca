// SPDX-License-Identifier: MIT
#include "routing/roadmap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng {

Cost cost_of(double metres, double factor) {
  const double cost = std::ceil(metres * kCostPerMetre * factor);
  return cost < kUnreachable ? static_cast<Cost>(cost) : kUnreachable;
}

Cost least_cost(Vec2 a, Vec2 b) {
  // The slack keeps the bound below the true distance whatever the last bit of the square root was.
  return static_cast<Cost>(std::min<double>(distance(a, b) * kCostPerMetre * (1 - 1e-12), kUnreachable));
}

Roadmap build_roadmap(const Cells& cells, std::span<const float> cell_factor, std::uint32_t key_points, double inset) {
  Roadmap roadmap;
  const std::uint32_t k = std::max<std::uint32_t>(1, key_points);
  roadmap.key_points = k;
  roadmap.factor.assign(cell_factor.begin(), cell_factor.end());
  roadmap.key.reserve(cells.portals.size() * k);
  for (const Portal& portal : cells.portals) {
    const Vec2 a = cells.position(portal.vertex[0]), b = cells.position(portal.vertex[1]);
    const double length = distance(a, b), margin = std::min(inset, length / 2) / length;
    for (std::uint32_t j = 0; j < k; ++j) {
      const double t = k == 1 ? 0.5 : margin + (1 - 2 * margin) * j / (k - 1);
      roadmap.key.push_back(a + t * (b - a));
    }
  }
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    roadmap.arc_start.push_back(static_cast<std::uint32_t>(roadmap.arcs.size()));
    const auto portals = cells.portals_of(c);
    const std::size_t n = portals.size() * k;
    const std::size_t at = roadmap.arcs.size();
    roadmap.arcs.resize(at + n * n, kUnreachable);
    if (roadmap.factor[c] == 0) continue;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (i / k != j / k)
          roadmap.arcs[at + i * n + j] = cost_of(
              distance(roadmap.key[portals[i / k] * k + i % k], roadmap.key[portals[j / k] * k + j % k]), roadmap.factor[c]);
  }
  roadmap.arc_start.push_back(static_cast<std::uint32_t>(roadmap.arcs.size()));
  for (KeyIndex key = 0; key < roadmap.key_count(); ++key) {
    roadmap.neighbour_start.push_back(static_cast<std::uint32_t>(roadmap.neighbour.size()));
    for (CellIndex c : cells.portals[key / k].cell)
      for (PortalIndex p : cells.portals_of(c))
        for (std::uint32_t j = 0; j < k; ++j) roadmap.neighbour.push_back(p * k + j);
  }
  roadmap.neighbour_start.push_back(static_cast<std::uint32_t>(roadmap.neighbour.size()));
  return roadmap;
}

void connect(const Cells& cells, const Roadmap& roadmap, double radius, Endpoint& endpoint) {
  endpoint.legs.clear();
  const CellIndex c = endpoint.cell;
  if (roadmap.factor[c] == 0) return;
  const auto portals = cells.portals_of(c);
  const float width = width_needed(radius);
  const float* access = cells.access.data() + cells.access_start[c] + endpoint.triangle * portals.size();
  for (std::size_t s = 0; s < portals.size(); ++s) {
    if (access[s] < width) continue;
    for (std::uint32_t j = 0; j < roadmap.key_points; ++j) {
      const KeyIndex key = portals[s] * roadmap.key_points + j;
      endpoint.legs.push_back({key, cost_of(distance(endpoint.position, roadmap.key[key]), roadmap.factor[c])});
    }
  }
}

void SearchScratch::begin(std::size_t keys) {
  if (stamp.size() < keys) {
    stamp.resize(keys, 0);
    cost.resize(keys);
    parent.resize(keys);
  }
  if (++round == 0) {
    std::fill(stamp.begin(), stamp.end(), 0);
    round = 1;
  }
  heap.clear();
}

namespace {
bool is_after(const SearchScratch::Entry& a, const SearchScratch::Entry& b) {
  return a.estimate != b.estimate ? a.estimate > b.estimate : a.key > b.key;
}
}  // namespace

void SearchScratch::push(Cost estimate, KeyIndex key) {
  heap.push_back({estimate, key});
  std::push_heap(heap.begin(), heap.end(), is_after);
}

SearchScratch::Entry SearchScratch::pop() {
  std::pop_heap(heap.begin(), heap.end(), is_after);
  const Entry entry = heap.back();
  heap.pop_back();
  return entry;
}

Cost search_roadmap(const Cells& cells, const Roadmap& roadmap, double radius, const Endpoint& start, const Endpoint& goal,
                    SearchScratch& scratch, std::vector<KeyIndex>& keys) {
  keys.clear();
  scratch.begin(roadmap.key_count());
  const std::uint32_t k = roadmap.key_points;
  const float width = width_needed(radius);
  const auto estimate = [&](Cost cost, KeyIndex key) { return cost + least_cost(roadmap.key[key], goal.position); };
  for (const Endpoint::Leg& leg : start.legs) scratch.reach(leg.key, leg.cost, kNoKey, estimate);
  Cost best = kUnreachable;
  KeyIndex last = kNoKey;
  while (!scratch.heap.empty()) {
    const SearchScratch::Entry top = scratch.pop();
    if (top.estimate >= best) break;
    const KeyIndex key = top.key;
    const Cost cost = scratch.cost[key];
    if (top.estimate != estimate(cost, key)) continue;  // an older, dearer entry
    const Portal& portal = cells.portals[key / k];
    for (int side = 0; side < 2; ++side) {
      const CellIndex c = portal.cell[side];
      if (c == goal.cell) {
        for (const Endpoint::Leg& leg : goal.legs)
          if (leg.key == key && cost + leg.cost < best) best = cost + leg.cost, last = key;
      }
      const auto portals = cells.portals_of(c);
      const std::uint32_t slot = portal.slot[side];
      const Cost* arc = roadmap.arcs.data() + roadmap.arc_start[c] + (slot * k + key % k) * portals.size() * k;
      const float* widths = cells.widths.data() + cells.width_start[c] + slot * portals.size();
      for (std::size_t s = 0; s < portals.size(); ++s) {
        if (s == slot || widths[s] < width) continue;
        for (std::uint32_t j = 0; j < k; ++j)
          if (const Cost next = arc[s * k + j]; next != kUnreachable && cost + next < kUnreachable)
            scratch.reach(portals[s] * k + j, cost + next, key, estimate);
      }
    }
  }
  for (KeyIndex key = last; key != kNoKey; key = scratch.parent[key]) keys.push_back(key);
  std::reverse(keys.begin(), keys.end());
  return best;
}

float width_of(const Cells& cells, std::uint32_t key_points, CellIndex first, std::span<const KeyIndex> keys) {
  float width = std::numeric_limits<float>::infinity();
  CellIndex cell = first;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const Portal& from = cells.portals[keys[i] / key_points];
    const Portal& to = cells.portals[keys[i + 1] / key_points];
    cell = from.cell[from.cell[0] == cell ? 1 : 0];
    if (to.cell[0] != cell && to.cell[1] != cell) return 0;
    width = std::min(width, cells.width(cell, from.slot[from.cell[0] == cell ? 0 : 1], to.slot[to.cell[0] == cell ? 0 : 1]));
  }
  return width;
}

bool follow_keys(const Cells& cells, std::uint32_t key_points, CellIndex first, CellIndex last, std::span<const KeyIndex> keys,
                 std::vector<PortalIndex>& portals) {
  portals.resize(keys.size());
  CellIndex cell = first;
  bool connected = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const PortalIndex p = portals[i] = key_points == 1 ? keys[i] : keys[i] / key_points;
    const Portal& portal = cells.portals[p];
    const bool from_first = portal.cell[0] == cell;
    connected &= from_first || portal.cell[1] == cell;
    cell = portal.cell[from_first ? 1 : 0];
  }
  return connected && cell == last;
}

Cost search_crossings(const Cells& cells, const Roadmap& roadmap, double radius, const Endpoint& start, const Endpoint& goal,
                      SearchScratch& scratch, std::vector<KeyIndex>& keys) {
  keys.clear();
  // State 2·key + side: the key has been crossed into portal.cell[side].
  scratch.begin(2 * roadmap.key_count());
  const std::uint32_t k = roadmap.key_points;
  const float width = width_needed(radius);
  const auto estimate = [&](Cost cost, std::uint32_t state) { return cost + least_cost(roadmap.key[state / 2], goal.position); };
  const auto reach = [&](KeyIndex key, CellIndex from, Cost cost, std::uint32_t parent) {
    scratch.reach(2 * key + static_cast<std::uint32_t>(1 - cells.end_of(key / k, from)), cost, parent, estimate);
  };
  for (const Endpoint::Leg& leg : start.legs) reach(leg.key, start.cell, leg.cost, kNoKey);
  Cost best = kUnreachable;
  std::uint32_t last = kNoKey;
  while (!scratch.heap.empty()) {
    const SearchScratch::Entry top = scratch.pop();
    if (top.estimate >= best) break;
    const std::uint32_t state = top.key;
    const KeyIndex key = state / 2;
    const Cost cost = scratch.cost[state];
    if (top.estimate != estimate(cost, state)) continue;
    const Portal& portal = cells.portals[key / k];
    const CellIndex c = portal.cell[state % 2];
    if (c == goal.cell) {
      for (const Endpoint::Leg& leg : goal.legs)
        if (leg.key == key && cost + leg.cost < best) best = cost + leg.cost, last = state;
    }
    const auto portals = cells.portals_of(c);
    const std::uint32_t slot = portal.slot[state % 2];
    const Cost* arc = roadmap.arcs.data() + roadmap.arc_start[c] + (slot * k + key % k) * portals.size() * k;
    for (std::uint32_t s = 0; s < portals.size(); ++s) {
      if (s == slot || cells.width(c, slot, s) < width) continue;
      for (std::uint32_t j = 0; j < k; ++j)
        if (const Cost next = arc[s * k + j]; next != kUnreachable && cost + next < kUnreachable)
          reach(portals[s] * k + j, c, cost + next, state);
    }
  }
  for (std::uint32_t state = last; state != kNoKey; state = scratch.parent[state]) keys.push_back(state / 2);
  std::reverse(keys.begin(), keys.end());
  return best;
}

}  // namespace throng
