// SPDX-License-Identifier: MIT
#include "cells/build.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <unordered_map>

#include "cells/joints.hpp"
#include "cells/merge.hpp"
#include "cells/outline.hpp"
#include "cells/portal_marks.hpp"
#include "cells/widths.hpp"

namespace throng {
namespace {

std::uint32_t find_root(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

std::int64_t doubled_area(Point a, Point b, Point c) { return orient(a, b, c); }

class Builder {
 public:
  Builder(std::span<const Map> maps, std::span<const BottleneckReport> feet, double radius)
      : maps_(maps), feet_(feet), radius_(radius), joints_(maps) {}

  CellsBuild run(AreaSets areas, CrossroadsRule rule, CellsLayout* keep) {
    merge_layers();
    AbstractionBuild abstraction = build_abstraction(graph_, rule);
    build_.tree = std::move(abstraction.tree);
    cells().area_sets = std::move(areas.sets);
    number(abstraction);
    collect_triangles();
    lay_out_vertices();
    trace_sides();
    measure_widths();
    cells().component = find_components(cells());
    for (const std::uint32_t c : cells().component) report().components = std::max(report().components, c + 1);
    mark_bottlenecks(cells(), std::vector<std::uint8_t>(cells().vertices.size(), 1));
    for (const Portal& p : cells().portals) report().bottlenecks += p.bottleneck;
    cells().topology = classify_cells(cells(), radius_);
    count_holes();
    for (const BottleneckReport& f : feet_) {
      report().feet += f.inserted;
      report().refused += f.refused_near_end + f.refused_twice + f.refused_inverting;
      report().unguarded += f.unguarded;
    }
    if (keep != nullptr) *keep = {std::move(cell_of_), std::move(vertex_), std::move(kind_), std::move(turns_)};
    return std::move(build_);
  }

 private:
  /// Seen from the cell left of it, and from the one right of it, which at a joint belongs to another map.
  using RawPortal = std::array<MapEdge, 2>;

  Cells& cells() { return build_.cells; }
  CellsReport& report() { return build_.report; }
  const Triangulation& cdt(std::uint32_t m) const { return maps_[m].triangulation; }

  void merge_layers() {
    std::uint32_t first = 0;
    cell_of_.resize(maps_.size());
    for (std::uint32_t m = 0; m < maps_.size(); ++m) {
      std::uint32_t count = 0;
      cell_of_[m] = merge_triangles(maps_[m], count);
      graph_.centre.resize(first + count);
      map_of_.resize(first + count, m);
      std::vector<std::array<std::int64_t, 3>> sum(count, {0, 0, 0});
      for (std::size_t t = 0; t < cell_of_[m].size(); ++t) {
        std::int32_t& cell = cell_of_[m][t];
        if (cell == kNone) continue;
        for (VertexIndex v : cdt(m).triangle(static_cast<TriangleIndex>(t)).vertex) {
          sum[cell][0] += cdt(m).point(v).x;
          sum[cell][1] += cdt(m).point(v).y;
          ++sum[cell][2];
        }
        cell += static_cast<std::int32_t>(first);
      }
      for (std::uint32_t c = 0; c < count; ++c)
        graph_.centre[first + c] = {static_cast<std::int32_t>(sum[c][0] / sum[c][2]),
                                    static_cast<std::int32_t>(sum[c][1] / sum[c][2])};
      for (std::size_t slot = 0; slot < cell_of_[m].size(); ++slot) {
        const auto t = static_cast<TriangleIndex>(slot);
        if (cell_of_[m][t] == kNone) continue;
        for (int i = 0; i < 3; ++i) {
          const TriangleIndex next = cdt(m).triangle(t).neighbour[i];
          if (next < t || maps_[m].is_wall({t, i}) || maps_[m].is_joint({t, i}) || cell_of_[m][next] == cell_of_[m][t]) continue;
          raw_portals_.push_back({MapEdge{m, {t, i}}, MapEdge{m, cdt(m).twin({t, i})}});
          graph_.portals.push_back({static_cast<std::uint32_t>(cell_of_[m][t]), static_cast<std::uint32_t>(cell_of_[m][next])});
        }
      }
      first += count;
    }
    for (const auto& pair : joints_.pairs()) {
      raw_portals_.push_back(pair);
      graph_.portals.push_back({static_cast<std::uint32_t>(cell_of(pair[0])), static_cast<std::uint32_t>(cell_of(pair[1]))});
    }
  }
  std::int32_t cell_of(const MapEdge& e) const { return cell_of_[e.map][e.edge.triangle]; }

  void number(const AbstractionBuild& abstraction) {
    std::vector<std::int32_t> new_cell(abstraction.cell_order.size());
    for (std::size_t n = 0; n < new_cell.size(); ++n) new_cell[abstraction.cell_order[n]] = static_cast<std::int32_t>(n);
    for (auto& layer : cell_of_)
      for (std::int32_t& c : layer)
        if (c != kNone) c = new_cell[c];
    for (std::uint32_t old : abstraction.cell_order) cells().layer.push_back(map_of_[old]);
    for (std::uint32_t old : abstraction.portal_order) portals_.push_back(raw_portals_[old]);
  }

  void collect_triangles() {
    std::vector<std::uint32_t> count(cells().cell_count() + 1, 0);
    for (const auto& layer : cell_of_)
      for (std::int32_t c : layer)
        if (c != kNone) ++count[c + 1];
    std::partial_sum(count.begin(), count.end(), count.begin());
    cells().triangle_start = count;
    cells().triangles.resize(count.back());
    slot_.resize(count.back());
    cells().area_set.assign(cells().cell_count(), 0);
    for (std::uint32_t m = 0; m < maps_.size(); ++m) {
      for (std::size_t t = 0; t < cell_of_[m].size(); ++t) {
        const std::int32_t c = cell_of_[m][t];
        if (c == kNone) continue;
        slot_[count[c]++] = static_cast<TriangleIndex>(t);
        cells().area_set[c] = static_cast<std::uint32_t>(maps_[m].region[t]);
      }
    }
  }

  /// The ends of joints are one vertex for all layers that meet there, and a corner if they are one for any of them.
  void join_vertices() {
    for (std::uint32_t m = 0; m < maps_.size(); ++m) kind_.push_back(feet_[m].kind);
    for (const auto& [left, right] : joints_.pairs()) {
      const Triangulation &a = cdt(left.map), &b = cdt(right.map);
      join({left.map, a.from(left.edge)}, {right.map, b.to(right.edge)});
      join({left.map, a.to(left.edge)}, {right.map, b.from(right.edge)});
    }
    for (const auto& [vertex, ring] : joined_)
      for (const MapVertex& other : *ring)
        if (kind_[other.first][other.second] == VertexKind::kCorner) kind_[vertex.first][vertex.second] = VertexKind::kCorner;
  }
  using MapVertex = std::pair<std::uint32_t, VertexIndex>;
  void join(MapVertex a, MapVertex b) {
    const auto ring_of = [&](MapVertex v) {
      auto& ring = joined_[v];
      if (!ring) ring = std::make_shared<std::vector<MapVertex>>(1, v);
      return ring;
    };
    const auto into = ring_of(a), from = ring_of(b);
    if (into == from) return;
    into->insert(into->end(), from->begin(), from->end());
    for (const MapVertex& v : *from) joined_[v] = into;
  }

  /// Vertices in the order cells first use them: neighbours in space are neighbours in memory.
  void lay_out_vertices() {
    join_vertices();
    vertex_.resize(maps_.size());
    for (std::uint32_t m = 0; m < maps_.size(); ++m) vertex_[m].assign(cdt(m).vertex_slot_count(), kNoCell);
    for (CellIndex c = 0; c < cells().cell_count(); ++c) {
      const std::uint32_t m = cells().layer[c];
      for (std::uint32_t k = cells().triangle_start[c]; k < cells().triangle_start[c + 1]; ++k)
        for (int i = 0; i < 3; ++i) {
          const VertexIndex v = cdt(m).triangle(slot_[k]).vertex[i];
          if (vertex_[m][v] == kNoCell) {
            const auto index = static_cast<std::uint32_t>(cells().vertices.size());
            vertex_[m][v] = index;
            if (const auto found = joined_.find({m, v}); found != joined_.end())
              for (const MapVertex& other : *found->second) vertex_[other.first][other.second] = index;
            cells().vertices.push_back(cdt(m).point(v));
            cells().vertex_kind.push_back(kind_[m][v]);
          }
          cells().triangles[k].vertex[i] = vertex_[m][v];
        }
    }
  }

  void trace_sides() {
    std::vector<std::unordered_map<std::int64_t, std::uint32_t>> portal_on(maps_.size());
    cells().portals.resize(portals_.size());
    for (std::uint32_t p = 0; p < portals_.size(); ++p) {
      const auto& [left, right] = portals_[p];
      for (const MapEdge& side : portals_[p]) portal_on[side.map][3 * std::int64_t{side.edge.triangle} + side.edge.edge] = p;
      Portal& portal = cells().portals[p];
      portal = {};
      portal.vertex = {vertex_[left.map][cdt(left.map).from(left.edge)], vertex_[left.map][cdt(left.map).to(left.edge)]};
      portal.cell = {static_cast<CellIndex>(cell_of(left)), static_cast<CellIndex>(cell_of(right))};
      portal.area_border = left.map == right.map && cdt(left.map).is_constrained(left.edge);
    }
    cells().side_start.push_back(0);
    for (CellIndex c = 0; c < cells().cell_count(); ++c) {
      const std::uint32_t m = cells().layer[c];
      EdgeRef first{kNone, 0};
      for (std::uint32_t k = cells().triangle_start[c]; k < cells().triangle_start[c + 1]; ++k) {
        const TriangleIndex t = slot_[k];
        report().doubled_area_units +=
            doubled_area(cdt(m).point(cdt(m).triangle(t).vertex[0]), cdt(m).point(cdt(m).triangle(t).vertex[1]),
                         cdt(m).point(cdt(m).triangle(t).vertex[2]));
        for (int i = 0; i < 3 && first.triangle == kNone; ++i)
          if (is_side(m, c, {t, i})) first = {t, i};
      }
      const std::size_t from = cells().sides.size();
      walk_outline(
          cdt(m), first, [&](EdgeRef e) { return is_side(m, c, e); },
          [&](EdgeRef e) {
            const auto found = portal_on[m].find(3 * std::int64_t{e.triangle} + e.edge);
            const std::uint32_t portal = found == portal_on[m].end() ? kNoPortal : found->second;
            cells().sides.push_back({vertex_[m][cdt(m).from(e)], portal});
            if (portal != kNoPortal) return;
            ++report().walls;
            report().wall_length += distance(to_metres(cdt(m).point(cdt(m).from(e))), to_metres(cdt(m).point(cdt(m).to(e))));
          });
      for (std::size_t s = from; s < cells().sides.size(); ++s) {
        const Point a = cells().vertices[cells().sides[s].vertex];
        const Point b = cells().vertices[cells().sides[s + 1 < cells().sides.size() ? s + 1 : from].vertex];
        report().doubled_cell_area_units += std::int64_t{a.x} * b.y - std::int64_t{a.y} * b.x;
      }
      cells().side_start.push_back(static_cast<std::uint32_t>(cells().sides.size()));
    }
    link_portals(cells());
    for (const RawPortal& raw : portals_) portal_edge_.push_back({raw[0].edge, raw[1].edge});
  }

  bool is_side(std::uint32_t m, CellIndex c, EdgeRef e) const {
    return maps_[m].is_wall(e) || cell_of_[m][cdt(m).triangle(e.triangle).neighbour[e.edge]] != static_cast<std::int32_t>(c);
  }

  void measure_widths() {
    for (std::size_t m = 0; m < maps_.size(); ++m)
      turns_.push_back(turn_widths(maps_, static_cast<std::uint32_t>(m), joints_, kind_[m]));
    CellMeasure measure;
    std::vector<EdgeRef> doors;
    for (CellIndex c = 0; c < cells().cell_count(); ++c) {
      const std::uint32_t m = cells().layer[c];
      cells().width_start.push_back(static_cast<std::uint32_t>(cells().widths.size()));
      cells().access_start.push_back(static_cast<std::uint32_t>(cells().access.size()));
      doors.clear();
      for (const PortalIndex p : cells().portals_of(c)) doors.push_back(portal_edge_[p][cells().end_of(p, c)]);
      const std::span<const TriangleIndex> slots(slot_.data() + cells().triangle_start[c],
                                                 cells().triangle_start[c + 1] - cells().triangle_start[c]);
      measure.run(
          maps_[m], kind_[m], turns_[m], slots, doors, [&](EdgeRef e) { return is_side(m, c, e); }, cells().widths,
          cells().access);
    }
    cells().width_start.push_back(static_cast<std::uint32_t>(cells().widths.size()));
    cells().access_start.push_back(static_cast<std::uint32_t>(cells().access.size()));
  }
  /// Islands by the walls alone, independent of portals: connected outlines beside each component, less its outer one.
  void count_holes() {
    std::unordered_map<std::uint64_t, std::uint32_t> node;  // (component, vertex) → union-find node
    std::vector<std::uint32_t> parent;
    const auto node_of = [&](std::uint32_t component, std::uint32_t vertex) {
      const auto [at, fresh] =
          node.try_emplace((std::uint64_t{component} << 32) | vertex, static_cast<std::uint32_t>(parent.size()));
      if (fresh) parent.push_back(at->second);
      return at->second;
    };
    for (CellIndex c = 0; c < cells().cell_count(); ++c) {
      const auto sides = cells().sides_of(c);
      for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i].portal != kNoPortal) continue;
        const std::uint32_t a = find_root(parent, node_of(cells().component[c], sides[i].vertex));
        const std::uint32_t b = find_root(parent, node_of(cells().component[c], sides[(i + 1) % sides.size()].vertex));
        parent[a] = b;
      }
    }
    std::uint32_t outlines = 0;
    for (std::uint32_t i = 0; i < parent.size(); ++i) outlines += parent[i] == i;
    report().holes = outlines - report().components;
  }

  std::span<const Map> maps_;
  std::span<const BottleneckReport> feet_;
  double radius_;
  JointEdges joints_;
  CellsBuild build_;
  CellGraph graph_;
  std::vector<std::uint32_t> map_of_;               // old cell → layer
  std::vector<std::vector<std::int32_t>> cell_of_;  // layer, triangle slot → cell
  std::vector<RawPortal> raw_portals_, portals_;    // before and after numbering
  std::vector<TriangleIndex> slot_;                 // triangle of the cells → slot in its layer's triangulation
  std::vector<std::vector<std::uint32_t>> vertex_;  // layer, vertex slot → vertex
  std::vector<std::vector<VertexKind>> kind_;       // of them
  std::map<MapVertex, std::shared_ptr<std::vector<MapVertex>>> joined_;  // to all that are one vertex
  std::vector<std::array<EdgeRef, 2>> portal_edge_;                      // seen from cell[0] and cell[1]
  std::vector<std::vector<std::array<double, 3>>> turns_;                // layer, triangle slot → widths of its turns
};

}  // namespace

std::vector<Topology> classify_cells(const Cells& cells, double radius) {
  std::vector<Topology> topology;
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    std::uint32_t arity = 0;
    for (std::uint32_t s = 0; s < cells.portals_of(c).size(); ++s) arity += cells.width(c, s, s) > 2 * radius;
    topology.push_back(static_cast<Topology>(std::min<std::uint32_t>(arity, 3)));
  }
  return topology;
}

CellsBuild build_cells(std::span<const Map> maps, std::span<const BottleneckReport> feet, AreaSets areas, double radius,
                       CrossroadsRule rule, CellsLayout* keep) {
  return Builder(maps, feet, radius).run(std::move(areas), rule, keep);
}

}  // namespace throng
