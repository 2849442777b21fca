// SPDX-License-Identifier: MIT
#include "cells/cells.hpp"

#include <algorithm>
#include <limits>

#include "cells/facing.hpp"

namespace throng {
namespace {

/// The two vertices triangles share, if they share an edge.
bool shared_edge(const CellTriangle& a, const CellTriangle& b, std::array<std::uint32_t, 2>& edge) {
  std::size_t count = 0;
  for (std::uint32_t v : a.vertex)
    if (std::find(b.vertex.begin(), b.vertex.end(), v) != b.vertex.end() && count < 2) edge[count++] = v;
  return count == 2;
}

}  // namespace

void link_sides(Cells& cells) {
  for (Portal& portal : cells.portals)
    for (int end = 0; end < 2; ++end) portal.position[end] = cells.vertices[portal.vertex[end]];
  cells.portal_start.assign(1, 0);
  cells.cell_portals.clear();
  for (CellIndex c = 0; c + 1 < cells.side_start.size(); ++c) {
    const auto sides = cells.sides_of(c);
    for (std::uint32_t i = 0; i < sides.size(); ++i) {
      if (sides[i].portal == kNoPortal) continue;
      Portal& portal = cells.portals[sides[i].portal];
      const int end = cells.end_of(sides[i].portal, c);
      portal.slot[end] = static_cast<std::uint32_t>(cells.cell_portals.size()) - cells.portal_start.back();
      portal.side[end] = i;
      portal.side_count[end] = static_cast<std::uint32_t>(sides.size());
      cells.cell_portals.push_back(sides[i].portal);
    }
    cells.portal_start.push_back(static_cast<std::uint32_t>(cells.cell_portals.size()));
  }
}

void link_portals(Cells& cells) {
  link_sides(cells);
  find_facing(cells);
}

float inner_width(const Cells& cells, CellIndex cell, std::uint32_t from, std::uint32_t to, InnerWidthScratch& scratch) {
  constexpr float kWide = std::numeric_limits<float>::infinity();
  if (from == to) return kWide;
  const auto triangles = cells.triangles_of(cell);
  // The triangles form a tree: the way is unique.
  auto& [queue, seen] = scratch;
  queue.assign(1, {from, kWide});
  seen.assign(triangles.size(), 0);
  seen[from] = 1;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (std::uint32_t next = 0; next < triangles.size(); ++next) {
      std::array<std::uint32_t, 2> edge{};
      if (seen[next] || !shared_edge(triangles[queue[head].triangle], triangles[next], edge)) continue;
      const bool open = cells.vertex_kind[edge[0]] == VertexKind::kOpen || cells.vertex_kind[edge[1]] == VertexKind::kOpen;
      const float length = open ? kWide : static_cast<float>(distance(cells.position(edge[0]), cells.position(edge[1])));
      const float width = std::min(queue[head].width, length);
      if (next == to) return width;
      seen[next] = 1;
      queue.push_back({next, width});
    }
  }
  return 0;
}

}  // namespace throng
