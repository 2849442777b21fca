// SPDX-License-Identifier: MIT
#include "cells/merge.hpp"

#include <algorithm>
#include <numeric>

namespace throng {
namespace {

/// Half-edge 3t + i is edge i of triangle t. `next` and `previous` run round the cell the triangle belongs to by now.
class Merger {
 public:
  Merger(const Map& map, std::span<const std::uint8_t> among) : map_(map), cdt_(map.triangulation), among_(among) {
    const std::size_t slots = cdt_.triangle_slot_count();
    root_.resize(slots);
    std::iota(root_.begin(), root_.end(), 0);
    next_.resize(3 * slots);
    previous_.resize(3 * slots);
    for (std::size_t t = 0; t < slots; ++t)
      for (int i = 0; i < 3; ++i) {
        next_[3 * t + i] = static_cast<std::int32_t>(3 * t + (i + 1) % 3);
        previous_[3 * t + i] = static_cast<std::int32_t>(3 * t + (i + 2) % 3);
      }
  }

  void run() {
    struct Candidate {
      std::int64_t length_squared;
      std::int32_t half_edge;
    };
    std::vector<Candidate> candidates;
    for (std::size_t slot = 0; slot < cdt_.triangle_slot_count(); ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!is_ground(t)) continue;
      for (int i = 0; i < 3; ++i)
        if (!cdt_.is_constrained({t, i}) && t < cdt_.triangle(t).neighbour[i] && is_ground(cdt_.triangle(t).neighbour[i]))
          candidates.push_back({length_squared(3 * t + i), 3 * t + i});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return a.length_squared != b.length_squared ? a.length_squared > b.length_squared : a.half_edge < b.half_edge;
    });
    for (const Candidate& c : candidates) try_merge(c.half_edge, c.length_squared);
  }

  std::vector<std::int32_t> number_cells(std::uint32_t& count) {
    std::vector<std::int32_t> cell(cdt_.triangle_slot_count(), kNone), number(cell.size(), kNone);
    count = 0;
    for (std::size_t slot = 0; slot < cell.size(); ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!is_ground(t)) continue;
      std::int32_t& n = number[find(t)];
      if (n == kNone) n = static_cast<std::int32_t>(count++);
      cell[slot] = n;
    }
    return cell;
  }

 private:
  bool is_ground(TriangleIndex t) const {
    return (among_.empty() || among_[t] != 0) && cdt_.is_alive(t) && !cdt_.is_ghost(t) && map_.is_free(t);
  }
  static EdgeRef edge(std::int32_t h) { return {h / 3, h % 3}; }
  Point start(std::int32_t h) const { return cdt_.point(cdt_.from(edge(h))); }
  Point end(std::int32_t h) const { return cdt_.point(cdt_.to(edge(h))); }
  std::int64_t length_squared(std::int32_t h) const { return distance_squared(start(h), end(h)); }

  TriangleIndex find(TriangleIndex t) {
    while (root_[t] != t) t = root_[t] = root_[root_[t]];
    return t;
  }

  struct Heading {
    std::int64_t x, y;
  };
  /// Where a half-edge leads. A piece of a wall leads where the whole wall does: feet are rounded, so a piece a few units long
  /// may lean by any angle.
  Heading heading(std::int32_t h) const {
    const Point a = start(h), b = end(h);
    const Heading own{std::int64_t{b.x} - a.x, std::int64_t{b.y} - a.y};
    const MapSegment* s = map_.segment_on(edge(h));
    if (s == nullptr) return own;
    const Heading whole{std::int64_t{s->b.x} - s->a.x, std::int64_t{s->b.y} - s->a.y};
    return own.x * whole.x + own.y * whole.y > 0 ? whole : Heading{-whole.x, -whole.y};
  }

  /// Convex where `in` arrives and `out` leaves. Straight counts; turning back round the end of a thin wall does not.
  bool is_convex(std::int32_t in, std::int32_t out) const {
    const Heading a = heading(in), b = heading(out);
    const std::int64_t turn = a.x * b.y - a.y * b.x;
    return turn > 0 || (turn == 0 && a.x * b.x + a.y * b.y > 0);
  }

  void try_merge(std::int32_t h, std::int64_t length) {
    const EdgeRef back = cdt_.twin(edge(h));
    const std::int32_t twin = 3 * back.triangle + back.edge;
    const TriangleIndex a = find(h / 3), b = find(twin / 3);
    if (a == b) return;
    if (!is_convex(previous_[h], next_[twin]) || !is_convex(previous_[twin], next_[h])) return;
    for (const std::int32_t skipped : {h, twin})
      for (std::int32_t e = next_[skipped]; e != skipped; e = next_[e])
        if (!map_.is_wall(edge(e)) && length_squared(e) >= length) return;
    const std::int32_t before = previous_[h], after = next_[h], twin_before = previous_[twin], twin_after = next_[twin];
    next_[before] = twin_after;
    previous_[twin_after] = before;
    next_[twin_before] = after;
    previous_[after] = twin_before;
    root_[std::max(a, b)] = std::min(a, b);
  }

  const Map& map_;
  const Triangulation& cdt_;
  std::span<const std::uint8_t> among_;
  std::vector<TriangleIndex> root_;
  std::vector<std::int32_t> next_, previous_;
};

}  // namespace

std::vector<std::int32_t> merge_triangles(const Map& map, std::uint32_t& cell_count, std::span<const std::uint8_t> among) {
  Merger merger(map, among);
  merger.run();
  return merger.number_cells(cell_count);
}

}  // namespace throng
