// SPDX-License-Identifier: MIT
#include "cells/splice.hpp"

#include <algorithm>
#include <numeric>

#include "cells/facing.hpp"
#include "cells/portal_marks.hpp"

namespace throng {
namespace {

template <class T>
void copy_range(const std::vector<T>& from, const std::vector<std::uint32_t>& start, CellIndex cell, std::vector<T>& to) {
  to.insert(to.end(), from.begin() + start[cell], from.begin() + start[cell + 1]);
}

}  // namespace

Cells splice_cells(const Cells& old, const CellsPatch& patch, std::span<const std::uint32_t> cell_order,
                   std::span<const std::uint32_t> portal_order, std::span<const GridBox> boxes, const AreaSets& areas,
                   double radius) {
  const std::uint32_t old_cells = old.cell_count(), old_portals = old.portal_count();
  std::vector<std::uint32_t> new_cell(old_cells + patch.cells.size(), kNoCell);
  std::vector<std::uint32_t> new_portal(old_portals + patch.portals.size(), kNoPortal);
  for (std::uint32_t c = 0; c < cell_order.size(); ++c) new_cell[cell_order[c]] = c;
  for (std::uint32_t p = 0; p < portal_order.size(); ++p) new_portal[portal_order[p]] = p;

  Cells cells;
  cells.vertices = old.vertices;
  cells.vertex_kind = old.vertex_kind;
  cells.facing = old.facing;
  for (const CellsPatch::Vertex& v : patch.vertices) {
    if (v.index >= cells.vertices.size()) {
      cells.vertices.resize(v.index + 1);
      cells.vertex_kind.resize(v.index + 1, VertexKind::kOpen);
      cells.facing.resize(v.index + 1, Cells::kMostFacing);
    }
    cells.vertices[v.index] = v.place;
    cells.vertex_kind[v.index] = v.kind;
  }
  cells.area_sets = areas.sets;

  const std::size_t count = cell_order.size();
  for (auto* list : {&cells.side_start, &cells.triangle_start, &cells.width_start, &cells.access_start}) {
    list->reserve(count + 1);
    list->push_back(0);
  }
  cells.sides.reserve(old.sides.size() + 64);
  cells.triangles.reserve(old.triangles.size() + 64);
  cells.widths.reserve(old.widths.size() + 256);
  cells.access.reserve(old.access.size() + 256);
  for (const std::uint32_t extended : cell_order) {
    if (extended < old_cells) {
      for (Side side : old.sides_of(extended)) {
        if (side.portal != kNoPortal) side.portal = new_portal[side.portal];
        cells.sides.push_back(side);
      }
      copy_range(old.triangles, old.triangle_start, extended, cells.triangles);
      copy_range(old.widths, old.width_start, extended, cells.widths);
      copy_range(old.access, old.access_start, extended, cells.access);
      cells.layer.push_back(old.layer[extended]);
      cells.area_set.push_back(old.area_set[extended]);
      cells.topology.push_back(old.topology[extended]);
    } else {
      const CellsPatch::NewCell& cell = patch.cells[extended - old_cells];
      std::uint32_t arity = 0, portals = 0;
      for (Side side : cell.sides) {
        if (side.portal != kNoPortal) side.portal = new_portal[side.portal], ++portals;
        cells.sides.push_back(side);
      }
      for (std::uint32_t s = 0; s < portals; ++s) arity += cell.widths[s * portals + s] > 2 * radius;
      cells.triangles.insert(cells.triangles.end(), cell.triangles.begin(), cell.triangles.end());
      cells.widths.insert(cells.widths.end(), cell.widths.begin(), cell.widths.end());
      cells.access.insert(cells.access.end(), cell.access.begin(), cell.access.end());
      cells.layer.push_back(cell.layer);
      cells.area_set.push_back(cell.area_set);
      cells.topology.push_back(static_cast<Topology>(std::min<std::uint32_t>(arity, 3)));
    }
    cells.side_start.push_back(static_cast<std::uint32_t>(cells.sides.size()));
    cells.triangle_start.push_back(static_cast<std::uint32_t>(cells.triangles.size()));
    cells.width_start.push_back(static_cast<std::uint32_t>(cells.widths.size()));
    cells.access_start.push_back(static_cast<std::uint32_t>(cells.access.size()));
  }

  cells.portals.reserve(portal_order.size());
  for (const std::uint32_t extended : portal_order) {
    Portal portal{};
    if (extended < old_portals) {
      portal = old.portals[extended];
      for (CellIndex& c : portal.cell) c = new_cell[c];
    } else {
      const CellsPatch::NewPortal& fresh = patch.portals[extended - old_portals];
      portal.vertex = fresh.vertex;
      portal.cell = {new_cell[fresh.cell[0]], new_cell[fresh.cell[1]]};
      portal.area_border = fresh.area_border;
    }
    cells.portals.push_back(portal);
  }
  for (const CellsPatch::Rehung& rehung : patch.rehung)
    cells.portals[new_portal[rehung.portal]].cell[rehung.end] = new_cell[rehung.cell];
  link_sides(cells);

  // Discs up to kMostFacing wide that touch a vertex reach no farther than that.
  const auto reach = static_cast<std::int32_t>(Cells::kMostFacing * kUnitsPerMetre) + 4;
  std::vector<std::uint8_t> which(cells.vertices.size(), 0), is_used(cells.vertices.size(), 0);
  for (std::size_t v = 0; v < which.size(); ++v)
    for (const GridBox& box : boxes)
      which[v] |=
          GridBox{{box.low.x - reach, box.low.y - reach}, {box.high.x + reach, box.high.y + reach}}.holds(cells.vertices[v]);
  std::vector<std::uint8_t> is_concerned(cells.vertices.size(), 0);
  for (const CellsPatch::NewCell& cell : patch.cells)
    for (const Side& side : cell.sides) is_concerned[side.vertex] = which[side.vertex] = 1;
  // Vertices that nobody uses any more face nothing.
  for (const Side& side : cells.sides) is_used[side.vertex] = 1;
  for (std::size_t v = 0; v < which.size(); ++v) which[v] |= !is_used[v];
  find_facing(cells, which);
  mark_bottlenecks(cells, is_concerned);
  cells.component = find_components(cells);
  return cells;
}

}  // namespace throng
