// SPDX-License-Identifier: MIT
// The roadmap of one profile (Lamarche & Donikian 2004 §3.2; ALGORITHMS §1.6): key points on portals, straight arcs between them
// through cells. Costs are integers, so that sums are associative and every planner finds the same cost, bit for bit.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cells/cells.hpp"
#include "routing/access.hpp"  // width_needed

namespace throng {

/// Path cost in 1/4096 m, arcs rounded up.
using Cost = std::int32_t;
inline constexpr double kCostPerMetre = 4096;
/// Larger than any cost (131 km); four of them still fit.
inline constexpr Cost kUnreachable = 0x1fffffff;

using KeyIndex = std::uint32_t;
inline constexpr KeyIndex kNoKey = 0xffffffffu;

/// Cost of a straight way, rounded up and saturated.
Cost cost_of(double metres, double factor);
/// A lower bound of any cost between two points, rounded down: admissible and consistent, since factors are at least 1.
Cost least_cost(Vec2 a, Vec2 b);

struct Roadmap {
  std::uint32_t key_points = 1;          ///< k, per portal
  std::vector<Vec2> key;                 ///< place of key point j of portal p at p·k + j
  std::vector<float> factor;             ///< cost factor of each cell; 0: may not be entered
  std::vector<std::uint32_t> arc_start;  ///< cell → its square matrix over (slot·k + j)
  std::vector<Cost> arcs;                ///< kUnreachable between keys of one portal and in forbidden cells
  std::vector<std::uint32_t>
      neighbour_start;  ///< key → its neighbours: keys of portal.cell[0], then of portal.cell[1], its own portal's included
  std::vector<KeyIndex> neighbour;

  std::uint32_t portal_of(KeyIndex k) const { return k / key_points; }
  std::size_t key_count() const { return key.size(); }
};

/// Key points: k = 1 the middle; k = 2 both ends; more: the ends and evenly between; ends keep `inset` from the portal's ends
/// where it is long enough.
Roadmap build_roadmap(const Cells& cells, std::span<const float> cell_factor, std::uint32_t key_points, double inset);

/// A start or goal joined to the key points of its cell.
struct Endpoint {
  Vec2 position;
  CellIndex cell = kNoCell;
  std::uint32_t triangle = 0;  ///< of the cell, counted from its first
  struct Leg {
    KeyIndex key;
    Cost cost;
  };
  std::vector<Leg> legs;
};

/// Fills `legs`: a key counts if a disc of `radius` gets from the point's triangle to its portal.
void connect(const Cells& cells, const Roadmap& roadmap, double radius, Endpoint& endpoint);

/// Scratch of the searches, reused from query to query.
struct SearchScratch {
  struct Entry {
    Cost estimate;
    KeyIndex key;
  };
  std::vector<Entry> heap;
  std::vector<Cost> cost;
  std::vector<KeyIndex> parent;
  std::vector<std::uint32_t> stamp;  ///< cost and parent count only where it equals `round`
  std::uint32_t round = 0;

  void begin(std::size_t keys);
  /// Binary heap by (estimate, key).
  void push(Cost estimate, KeyIndex key);
  Entry pop();
  /// Notes a way to `key` if it is the cheapest so far, and queues it with `estimate`, a function of (cost, key) called only
  /// then.
  template <class Estimate>
  void reach(KeyIndex key, Cost new_cost, KeyIndex from, Estimate&& estimate) {
    if (stamp[key] == round && cost[key] <= new_cost) return;
    stamp[key] = round;
    cost[key] = new_cost;
    parent[key] = from;
    push(estimate(new_cost, key), key);
  }
};

/// The narrowest passage between consecutive keys, infinite if there are fewer than two.
float width_of(const Cells& cells, std::uint32_t key_points, CellIndex first, std::span<const KeyIndex> keys);

/// A* on the whole roadmap for a disc of `radius`: the paper's baseline, and the answer where stored paths are too narrow.
/// Returns the cost (kUnreachable: no way) and the keys from start to goal.
Cost search_roadmap(const Cells& cells, const Roadmap& roadmap, double radius, const Endpoint& start, const Endpoint& goal,
                    SearchScratch& scratch, std::vector<KeyIndex>& keys);

/// The portals of a sequence of keys, crossed one after the other from cell `first` to cell `last`. False if the keys turn back
/// inside a portal: enter it from a cell and leave it into the same one. A point could, at no gain; a disc that is sent so does
/// not fit where the sequence avoids going straight, and cannot turn there either.
bool follow_keys(const Cells& cells, std::uint32_t key_points, CellIndex first, CellIndex last, std::span<const KeyIndex> keys,
                 std::vector<PortalIndex>& portals);

/// As search_roadmap, but each portal is crossed from one side to the other. Twice the states: used only where the answer turns
/// back.
Cost search_crossings(const Cells& cells, const Roadmap& roadmap, double radius, const Endpoint& start, const Endpoint& goal,
                      SearchScratch& scratch, std::vector<KeyIndex>& keys);

}  // namespace throng
