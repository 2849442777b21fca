// SPDX-License-Identifier: MIT
#include "cells/portal_marks.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace throng {

void mark_bottlenecks(Cells& cells, std::span<const std::uint8_t> is_concerned) {
  // The ends of concerned portals need all their walls, whoever has them.
  std::vector<std::uint8_t> is_end(cells.vertices.size(), 0);
  std::vector<PortalIndex> list;
  for (PortalIndex p = 0; p < cells.portal_count(); ++p) {
    const auto& ends = cells.portals[p].vertex;
    if (!is_concerned[ends[0]] && !is_concerned[ends[1]]) continue;
    is_end[ends[0]] = is_end[ends[1]] = 1;
    list.push_back(p);
  }
  std::vector<std::array<std::uint32_t, 2>> walls;  // from an end, sorted
  for (CellIndex c = 0; c + 1 < cells.side_start.size(); ++c) {
    const auto sides = cells.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (sides[i].portal != kNoPortal) continue;
      const std::uint32_t a = sides[i].vertex, b = sides[i + 1 < sides.size() ? i + 1 : 0].vertex;
      if (is_end[a]) walls.push_back({a, b});
      if (is_end[b]) walls.push_back({b, a});
    }
  }
  std::sort(walls.begin(), walls.end());
  const auto is_minimal_at = [&](std::uint32_t end, std::uint32_t other) {
    const Vec2 e = cells.position(end), to_other = cells.position(other) - e;
    for (auto at = std::lower_bound(walls.begin(), walls.end(), std::array<std::uint32_t, 2>{end, 0});
         at != walls.end() && (*at)[0] == end; ++at) {
      const Vec2 wall = cells.position((*at)[1]) - e;
      if (!(dot(wall, to_other) <= 1.5 * kUnit * length(wall))) return false;
    }
    return true;
  };
  for (const PortalIndex p : list) {
    const auto& ends = cells.portals[p].vertex;
    cells.portals[p].bottleneck = is_minimal_at(ends[0], ends[1]) && is_minimal_at(ends[1], ends[0]);
  }
}

std::vector<std::uint32_t> find_components(const Cells& cells) {
  const std::uint32_t count = cells.cell_count();
  std::vector<std::uint32_t> parent(count), component(count), number(count, kNoCell);
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Portal& p : cells.portals) {
    const std::uint32_t a = find(p.cell[0]), b = find(p.cell[1]);
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::uint32_t components = 0;
  for (CellIndex c = 0; c < count; ++c) {
    std::uint32_t& n = number[find(c)];
    if (n == kNoCell) n = components++;
    component[c] = n;
  }
  return component;
}

}  // namespace throng
