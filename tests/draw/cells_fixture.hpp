// SPDX-License-Identifier: MIT
// Cells typed in by hand, for tests of what reads them: give vertices in metres and each cell's corners counter-clockwise.
#pragma once
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "cells/cells.hpp"

namespace throng {

inline Cells make_cells(const std::vector<Vec2>& vertices, const std::vector<std::vector<std::uint32_t>>& shapes) {
  Cells cells;
  for (const Vec2 v : vertices) cells.vertices.push_back(snap(v));
  cells.vertex_kind.assign(vertices.size(), VertexKind::kCorner);
  cells.area_sets = {{}};

  // The second cell to show an edge closes a portal with the first.
  std::map<std::pair<std::uint32_t, std::uint32_t>, CellIndex> seen;
  std::map<std::pair<std::uint32_t, std::uint32_t>, PortalIndex> portal_at;
  for (CellIndex c = 0; c < shapes.size(); ++c)
    for (std::size_t i = 0; i < shapes[c].size(); ++i) {
      const std::uint32_t from = shapes[c][i], to = shapes[c][(i + 1) % shapes[c].size()];
      if (const auto other = seen.find({to, from}); other != seen.end()) {
        portal_at[{from, to}] = portal_at[{to, from}] = static_cast<PortalIndex>(cells.portals.size());
        cells.portals.push_back({.vertex = {to, from}, .cell = {other->second, c}});
      }
      seen[{from, to}] = c;
    }

  cells.side_start = cells.width_start = {0};
  std::vector<CellIndex> leader(shapes.size());
  for (CellIndex c = 0; c < shapes.size(); ++c) {
    leader[c] = c;
    for (std::size_t i = 0; i < shapes[c].size(); ++i) {
      const auto edge = portal_at.find({shapes[c][i], shapes[c][(i + 1) % shapes[c].size()]});
      cells.sides.push_back({shapes[c][i], edge == portal_at.end() ? kNoPortal : edge->second});
    }
    cells.side_start.push_back(static_cast<std::uint32_t>(cells.sides.size()));
  }
  link_portals(cells);
  for (CellIndex c = 0; c < shapes.size(); ++c) {
    const std::uint32_t portals = cells.portal_start[c + 1] - cells.portal_start[c];
    // Widths as in a convex cell without corners in the way: the narrower of the two portals.
    for (std::uint32_t i = 0; i < portals; ++i)
      for (std::uint32_t j = 0; j < portals; ++j) {
        const auto span = [&](std::uint32_t slot) {
          const Portal& p = cells.portals[cells.cell_portals[cells.portal_start[c] + slot]];
          return static_cast<float>(distance(cells.position(p.vertex[0]), cells.position(p.vertex[1])));
        };
        cells.widths.push_back(std::min(span(i), span(j)));
      }
    cells.width_start.push_back(static_cast<std::uint32_t>(cells.widths.size()));
    cells.layer.push_back(0);
    cells.area_set.push_back(0);
    cells.topology.push_back(portals == 0   ? Topology::kClosed
                             : portals == 1 ? Topology::kDeadEnd
                             : portals == 2 ? Topology::kPassage
                                            : Topology::kCrossroads);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Portal& p : cells.portals)
      if (leader[p.cell[0]] != leader[p.cell[1]]) {
        leader[p.cell[0]] = leader[p.cell[1]] = std::min(leader[p.cell[0]], leader[p.cell[1]]);
        changed = true;
      }
  }
  std::map<CellIndex, std::uint32_t> number;
  for (const CellIndex l : leader)
    cells.component.push_back(number.try_emplace(l, static_cast<std::uint32_t>(number.size())).first->second);
  return cells;
}

}  // namespace throng
