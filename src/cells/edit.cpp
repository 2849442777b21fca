// SPDX-License-Identifier: MIT
#include "cells/edit.hpp"

#include <algorithm>
#include <unordered_map>

#include "cells/merge.hpp"
#include "cells/outline.hpp"

namespace throng {
namespace {

/// Whether a disc reaches into a box.
bool reaches(Point centre, double radius_metres, const GridBox& box) {
  const double x = std::max({0, box.low.x - centre.x, centre.x - box.high.x});
  const double y = std::max({0, box.low.y - centre.y, centre.y - box.high.y});
  const double radius = radius_metres * kUnitsPerMetre;
  return x * x + y * y <= radius * radius;
}

}  // namespace

CellsEditor::CellsEditor(std::vector<Map> maps, std::vector<EditableMap> editable, std::vector<Feet> feet, CellsLayout layout,
                         AreaSets sets, double narrow_gap, bool has_joints, const Cells& cells)
    : maps_(std::move(maps)),
      editable_(std::move(editable)),
      feet_(std::move(feet)),
      layout_(std::move(layout)),
      sets_(std::move(sets)),
      narrow_gap_(narrow_gap),
      has_joints_(has_joints),
      touched_(maps_.size()) {
  // From here on there is one notion of what a vertex is: that of the cells, which know both sides of a joint.
  for (std::size_t m = 0; m < maps_.size(); ++m) feet_[m].kind = std::move(layout_.kind[m]);
  layout_.kind.clear();
  std::vector<std::uint32_t> same(cells.cell_count());
  for (std::uint32_t c = 0; c < same.size(); ++c) same[c] = c;
  renumber(same, cells);
}

void CellsEditor::renumber(std::span<const std::uint32_t> new_cell, const Cells& cells) {
  for (auto& layer : layout_.cell_of)
    for (std::int32_t& c : layer)
      if (c != kNone) c = static_cast<std::int32_t>(new_cell[static_cast<std::size_t>(c)]);
  std::vector<std::uint8_t> is_used(cells.vertices.size(), 0);
  for (const Side& side : cells.sides) is_used[side.vertex] = 1;
  for (std::uint32_t m = 0; m < maps_.size(); ++m)
    for (std::size_t v = 0; v < layout_.vertex[m].size(); ++v)
      if (std::uint32_t& index = layout_.vertex[m][v];
          index != kNoCell && (!cdt(m).is_vertex_alive(static_cast<VertexIndex>(v)) || !is_used[index]))
        index = kNoCell;
  free_vertices_.clear();
  for (std::size_t v = is_used.size(); v-- > 0;)
    if (!is_used[v]) free_vertices_.push_back(static_cast<std::uint32_t>(v));
}

std::optional<CellsPatch> CellsEditor::change_obstacle(std::uint32_t layer, std::uint32_t number, const Polygon& shape,
                                                       std::span<const GridBox> boxes, const Cells& cells) {
  CellsPatch patch;
  RunChange change;
  if (!editable_[layer].change_obstacle(number, shape, boxes, sets_, maps_[layer], change)) return std::nullopt;
  if (change.removed.empty() && change.added.empty()) return patch;
  for (auto& list : touched_) list.clear();
  change_segments(maps_[layer], change, touched_[layer]);
  update_bottlenecks(maps_[layer], feet_[layer], change, boxes, narrow_gap_, touched_[layer]);
  const JointEdges joints(has_joints_ ? std::span<const Map>(maps_) : std::span<const Map>());
  for (std::uint32_t m = 0; m < maps_.size(); ++m)
    if (m == layer || has_joints_) find_turns(m, boxes, joints);
  merge_again(cells, patch);
  lay_out(cells, joints, patch);
  return patch;
}

/// Widths of turns may change wherever a wall that has come or gone is within the reach of their corner.
void CellsEditor::find_turns(std::uint32_t m, std::span<const GridBox> boxes, const JointEdges& joints) {
  const auto& kind = feet_[m].kind;
  std::vector<TriangleIndex> list = touched_[m];
  for (std::size_t slot = 0; slot < cdt(m).triangle_slot_count(); ++slot) {
    const auto t = static_cast<TriangleIndex>(slot);
    if (!cdt(m).is_alive(t) || cdt(m).is_ghost(t) || !maps_[m].is_free(t)) continue;
    bool is_near = false;
    for (int i = 0; i < 3 && !is_near; ++i) {
      const Point corner = cdt(m).point(cdt(m).triangle(t).vertex[i]);
      const double reach = turn_reach(maps_[m], kind, t, i);
      for (const GridBox& box : boxes) is_near = is_near || reaches(corner, reach, box);
    }
    if (is_near) list.push_back(t);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  update_turn_widths(maps_, m, joints, kind, list, layout_.turns[m], touched_[m]);
}

void CellsEditor::merge_again(const Cells& cells, CellsPatch& patch) {
  std::vector<std::uint8_t> is_freed(cells.cell_count(), 0);
  for (std::uint32_t m = 0; m < maps_.size(); ++m) {
    auto& cell_of = layout_.cell_of[m];
    cell_of.resize(cdt(m).triangle_slot_count(), kNone);
    for (const TriangleIndex t : touched_[m])
      if (cell_of[t] != kNone) is_freed[static_cast<std::size_t>(cell_of[t])] = 1;
  }
  for (CellIndex c = 0; c < is_freed.size(); ++c)
    if (is_freed[c]) patch.freed.push_back(c);
  pieces_.clear();
  for (std::uint32_t m = 0; m < maps_.size(); ++m) {
    if (touched_[m].empty()) continue;
    auto& cell_of = layout_.cell_of[m];
    std::vector<std::uint8_t> among(cell_of.size(), 0);
    for (const TriangleIndex t : touched_[m]) among[t] = 1;
    for (std::size_t t = 0; t < cell_of.size(); ++t)
      if (cell_of[t] != kNone && is_freed[static_cast<std::size_t>(cell_of[t])]) among[t] = 1, cell_of[t] = kNone;
    std::uint32_t count = 0;
    const std::vector<std::int32_t> merged = merge_triangles(maps_[m], count, among);
    const std::size_t first = pieces_.size();
    pieces_.resize(first + count, {m, {}});
    for (std::size_t t = 0; t < merged.size(); ++t) {
      if (merged[t] == kNone) continue;
      const std::size_t n = first + static_cast<std::size_t>(merged[t]);
      pieces_[n].second.push_back(static_cast<TriangleIndex>(t));
      cell_of[t] = static_cast<std::int32_t>(cells.cell_count() + n);
    }
  }
}

std::uint32_t CellsEditor::vertex_of(std::uint32_t m, VertexIndex v, const Cells& cells, CellsPatch& patch) {
  auto& known = layout_.vertex[m];
  if (known.size() < cdt(m).vertex_slot_count()) known.resize(cdt(m).vertex_slot_count(), kNoCell);
  const VertexKind kind = feet_[m].kind[v];
  for (const CellsPatch::Vertex& changed : patch.vertices)
    if (changed.index == known[v] && changed.place == cdt(m).point(v)) return changed.index;
  if (known[v] != kNoCell && known[v] < cells.vertices.size() && cells.vertices[known[v]] == cdt(m).point(v)) {
    if (cells.vertex_kind[known[v]] != kind) patch.vertices.push_back({known[v], cdt(m).point(v), kind});
    return known[v];
  }
  auto index = static_cast<std::uint32_t>(cells.vertices.size());
  if (!free_vertices_.empty()) {
    index = free_vertices_.back();
    free_vertices_.pop_back();
  } else {
    for (const CellsPatch::Vertex& changed : patch.vertices) index = std::max(index, changed.index + 1);
  }
  known[v] = index;
  patch.vertices.push_back({index, cdt(m).point(v), kind});
  return index;
}

void CellsEditor::lay_out(const Cells& cells, const JointEdges& joints, CellsPatch& patch) {
  const std::uint32_t old_cells = cells.cell_count(), old_portals = cells.portal_count();
  std::unordered_map<std::uint64_t, std::uint32_t> portal_on;  // edges of new portals, from the side not yet traced
  const auto key = [](std::uint32_t m, EdgeRef e) {
    return (std::uint64_t{m} << 34) | static_cast<std::uint64_t>(3 * std::int64_t{e.triangle} + e.edge);
  };
  CellMeasure measure;
  std::vector<EdgeRef> doors;
  for (std::uint32_t n = 0; n < pieces_.size(); ++n) {
    const auto& [m, slots] = pieces_[n];
    const Map& map = maps_[m];
    const auto own = static_cast<std::int32_t>(old_cells + n);
    const auto& cell_of = layout_.cell_of[m];
    const auto is_side = [&, m = m](EdgeRef e) {
      return maps_[m].is_wall(e) || cell_of[static_cast<std::size_t>(cdt(m).triangle(e.triangle).neighbour[e.edge])] != own;
    };
    CellsPatch::NewCell cell;
    cell.layer = m;
    cell.area_set = static_cast<std::uint32_t>(map.region[static_cast<std::size_t>(slots[0])]);
    std::array<std::int64_t, 3> sum{0, 0, 0};
    EdgeRef first{kNone, 0};
    for (const TriangleIndex t : slots) {
      CellTriangle triangle{};
      for (int i = 0; i < 3; ++i) {
        const VertexIndex v = cdt(m).triangle(t).vertex[i];
        sum = {sum[0] + cdt(m).point(v).x, sum[1] + cdt(m).point(v).y, sum[2] + 1};
        triangle.vertex[i] = vertex_of(m, v, cells, patch);
        if (first.triangle == kNone && is_side({t, i})) first = {t, i};
      }
      cell.triangles.push_back(triangle);
    }
    cell.centre = {static_cast<std::int32_t>(sum[0] / sum[2]), static_cast<std::int32_t>(sum[1] / sum[2])};
    doors.clear();
    walk_outline(cdt(m), first, is_side, [&, m = m](EdgeRef e) {
      const std::uint32_t a = vertex_of(m, cdt(m).from(e), cells, patch);
      if (map.is_wall(e)) {
        cell.sides.push_back({a, kNoPortal});
        return;
      }
      doors.push_back(e);
      const MapEdge beyond = map.is_joint(e) ? joints.across(m, e) : MapEdge{m, cdt(m).twin(e)};
      const auto other = static_cast<std::uint32_t>(layout_.cell_of[beyond.map][beyond.edge.triangle]);
      const std::uint32_t b = vertex_of(m, cdt(m).to(e), cells, patch);
      if (other < old_cells) {
        // The cell that stays has had this portal all along.
        const auto sides = cells.sides_of(other);
        for (std::size_t i = 0; i < sides.size(); ++i)
          if (sides[i].vertex == b && sides[(i + 1) % sides.size()].vertex == a) {
            cell.sides.push_back({a, sides[i].portal});
            patch.rehung.push_back({sides[i].portal, 1 - cells.end_of(sides[i].portal, other), old_cells + n});
          }
        return;
      }
      if (const auto found = portal_on.find(key(m, e)); found != portal_on.end()) {
        cell.sides.push_back({a, found->second});
        patch.portals[found->second - old_portals].cell[1] = old_cells + n;
        return;
      }
      const std::uint32_t portal = old_portals + static_cast<std::uint32_t>(patch.portals.size());
      portal_on[key(beyond.map, beyond.edge)] = portal;
      patch.portals.push_back({{a, b}, {old_cells + n, other}, beyond.map == m && cdt(m).is_constrained(e)});
      cell.sides.push_back({a, portal});
    });
    measure.run(map, feet_[m].kind, layout_.turns[m], slots, doors, is_side, cell.widths, cell.access);
    patch.cells.push_back(std::move(cell));
  }
}

}  // namespace throng
