// SPDX-License-Identifier: MIT
// Walks over the triangles of one cell: its outline, and the widths of the ways through it.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "cells/widths.hpp"

namespace throng {

/// Calls on_side(EdgeRef) for each side of a cell, counter-clockwise from `first`, which is one of them. `is_side(EdgeRef)` says
/// whether an edge of the cell's triangles is a side.
template <class IsSide, class OnSide>
void walk_outline(const Triangulation& cdt, EdgeRef first, IsSide&& is_side, OnSide&& on_side) {
  for (EdgeRef e = first;;) {
    on_side(e);
    e = {e.triangle, (e.edge + 1) % 3};
    while (!is_side(e)) {
      const EdgeRef back = cdt.twin(e);
      e = {back.triangle, (back.edge + 1) % 3};
    }
    if (e == first) return;
  }
}

/// Finds Cells::widths and Cells::access of one cell: walks its tree of triangles from each portal to all others and to all
/// triangles.
class CellMeasure {
 public:
  /// `slots` are the cell's triangles, `doors` the edges of its portals, both in the order of its tables, which are appended to
  /// `widths` and `access`.
  template <class IsSide>
  void run(const Map& map, std::span<const VertexKind> kind, std::span<const std::array<double, 3>> turns,
           std::span<const TriangleIndex> slots, std::span<const EdgeRef> doors, IsSide&& is_side, std::vector<float>& widths,
           std::vector<float>& access) {
    const Triangulation& cdt = map.triangulation;
    if (local_.size() < cdt.triangle_slot_count()) local_.resize(cdt.triangle_slot_count(), kNone);
    for (std::size_t k = 0; k < slots.size(); ++k) local_[slots[k]] = static_cast<std::int32_t>(k);
    const std::size_t width_at = widths.size(), access_at = access.size(), count = doors.size();
    widths.resize(width_at + count * count, 0);
    access.resize(access_at + slots.size() * count, 0);
    for (std::size_t s = 0; s < count; ++s) {
      stack_.assign(1, {doors[s], edge_width(map, kind, doors[s])});
      while (!stack_.empty()) {
        const Step step = stack_.back();
        stack_.pop_back();
        const TriangleIndex t = step.entry.triangle;
        access[access_at + static_cast<std::size_t>(local_[t]) * count + s] = round_down(step.width);
        for (int i = 0; i < 3; ++i) {
          if (i == step.entry.edge || map.is_wall({t, i})) continue;
          const double width = std::min(step.width, turns[t][3 - i - step.entry.edge]);
          if (!is_side(EdgeRef{t, i})) {
            stack_.push_back({cdt.twin({t, i}), width});
            continue;
          }
          for (std::size_t other = 0; other < count; ++other)
            if (doors[other] == EdgeRef{t, i}) widths[width_at + s * count + other] = round_down(width);
        }
      }
      widths[width_at + s * count + s] = round_down(edge_width(map, kind, doors[s]));
    }
  }

 private:
  struct Step {
    EdgeRef entry;
    double width;
  };
  std::vector<Step> stack_;
  std::vector<std::int32_t> local_;  // triangle → its place in the cell
};

}  // namespace throng
