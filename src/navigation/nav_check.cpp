// SPDX-License-Identifier: MIT
#include "navigation/nav_check.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

/// A row of starts: from 0, never falling, to `total`.
bool is_index(const std::vector<std::uint32_t>& start, std::size_t count, std::size_t total) {
  return start.size() == count + 1 && start.front() == 0 && start.back() == total && std::is_sorted(start.begin(), start.end());
}

bool all_below(const std::vector<std::uint32_t>& list, std::size_t limit) {
  return std::all_of(list.begin(), list.end(), [&](std::uint32_t i) { return i < limit; });
}

bool are_widths(const std::vector<float>& list) {
  return std::all_of(list.begin(), list.end(), [](float w) { return w >= 0; });
}

bool is_on_grid(Vec2 p) {
  constexpr double kFar = kCoordinateLimit * kUnit;
  return std::abs(p.x) < kFar && std::abs(p.y) < kFar;
}

bool is_outline(const Polygon& polygon) {
  const auto is_sound = [](const Ring& ring) { return ring.size() >= 3 && std::all_of(ring.begin(), ring.end(), is_on_grid); };
  return is_sound(polygon.outer) && std::all_of(polygon.holes.begin(), polygon.holes.end(), is_sound);
}

std::optional<std::string> check_portals(const Cells& c) {
  const std::size_t cells = c.layer.size();
  for (PortalIndex p = 0; p < c.portals.size(); ++p) {
    const Portal& portal = c.portals[p];
    if (portal.cell[0] == portal.cell[1]) return "a portal joins a cell to itself";
    for (int e = 0; e < 2; ++e) {
      if (portal.vertex[e] >= c.vertices.size() || portal.cell[e] >= cells) return "a portal's ends";
      const auto own = c.portals_of(portal.cell[e]);
      if (portal.slot[e] >= own.size() || own[portal.slot[e]] != p) return "a portal's slots";
      const auto sides = c.sides_of(portal.cell[e]);
      if (portal.side_count[e] != sides.size() || portal.side[e] >= sides.size() || sides[portal.side[e]].portal != p)
        return "a portal's sides";
      if (portal.position[e] != c.vertices[portal.vertex[e]]) return "a portal's place";
    }
  }
  std::vector<std::uint8_t> seen(c.portals.size(), 0);
  for (CellIndex cell = 0; cell < cells; ++cell) {
    const auto own = c.portals_of(cell);
    std::size_t at = 0;
    for (const Side& side : c.sides_of(cell))
      if (side.portal != kNoPortal && (at >= own.size() || own[at++] != side.portal)) return "sides and portals of a cell";
    if (at != own.size()) return "sides and portals of a cell";
    for (PortalIndex p : own)
      if (++seen[p] > 2) return "a portal in three cells";
  }
  return std::nullopt;
}

/// Whether labels hold nothing past their zone's entries: queries read whole blocks and take what they find for hubs.
bool is_padded(const Abstraction& tree, const Labels& labels, std::uint32_t key_points) {
  for (std::uint32_t z = 0; z < tree.zones.size(); ++z)
    for (std::uint32_t key = tree.zones[z].first_portal * key_points; key < tree.zones[z].hub_end * key_points; ++key)
      for (std::uint32_t i = labels.start[key] + labels.prefix[z]; i < labels.start[key + 1]; ++i)
        if (labels.cost[i] != kUnreachable) return false;
  return true;
}

std::optional<std::string> check_tree(const Abstraction& tree, const Cells& c) {
  const auto count = static_cast<std::uint32_t>(tree.zones.size());
  if (tree.leaf.size() != c.layer.size() || !all_below(tree.leaf, count) || !all_below(tree.roots, count))
    return "leaves of the tree";
  std::uint32_t cell = 0, portal = 0;
  std::vector<std::uint32_t> open;  // ancestors of the zone at hand
  for (std::uint32_t z = 0; z < count; ++z) {
    const Zone& zone = tree.zones[z];
    while (!open.empty() && tree.zones[open.back()].end <= z) open.pop_back();
    const std::uint32_t parent = open.empty() ? kNoZone : open.back();
    if (zone.parent != parent || zone.depth != open.size()) return "parents in the tree";
    if (zone.end <= z || zone.end > count || (parent != kNoZone && zone.end > tree.zones[parent].end)) return "order of the tree";
    if (zone.first_cell != cell || zone.first_portal != portal || zone.hub_end < portal || zone.hub_end > c.portals.size())
      return "ranges of a zone";
    portal = zone.hub_end;
    if (zone.end == z + 1) {
      if (zone.last_cell != cell + 1 || zone.hub_end != zone.first_portal || cell >= tree.leaf.size() || tree.leaf[cell] != z)
        return "a leaf of the tree";
      ++cell;
    }
    open.push_back(z);
  }
  if (cell != c.layer.size() || portal != c.portals.size()) return "size of the tree";
  for (std::uint32_t z = 0; z < count; ++z) {
    const Zone& zone = tree.zones[z];
    const std::uint32_t last_cell = zone.end < count ? tree.zones[zone.end].first_cell : cell;
    const std::uint32_t last_portal = zone.end < count ? tree.zones[zone.end].first_portal : portal;
    if (zone.last_cell != last_cell || zone.last_portal != last_portal ||
        (zone.end > z + 1 && zone.last_cell == zone.first_cell + 1))
      return "ranges of a zone";
    for (std::uint32_t p = zone.first_portal; p < zone.hub_end; ++p)
      if (tree.common_zone(c.portals[p].cell[0], c.portals[p].cell[1]) != z) return "hubs of a zone";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> check_cells(const NavigationData& data) {
  const Cells& c = data.cells;
  const std::size_t cells = c.layer.size(), vertices = c.vertices.size();
  if (cells == 0 || data.layer_names.empty() || data.layer_elevations.size() != data.layer_names.size() ||
      data.layer_slopes.size() != data.layer_names.size() || data.layer_speeds.size() != data.layer_names.size())
    return "no cells";
  constexpr double kHighest = 1e9, kSteepest = 1e3;
  for (std::size_t l = 0; l < data.layer_names.size(); ++l)
    if (!(std::abs(data.layer_elevations[l]) <= kHighest && std::abs(data.layer_slopes[l].x) <= kSteepest &&
          std::abs(data.layer_slopes[l].y) <= kSteepest) ||
        !is_consistent(data.layer_heights[l]))
      return "heights";
  for (const SlopeSpeed speed : data.layer_speeds)
    if (!(speed.up >= kLeastSlopeSpeed && speed.up <= 1 && speed.down >= kLeastSlopeSpeed && speed.down <= 1))
      return "speeds of a layer";
  if (c.vertex_kind.size() != vertices || c.component.size() != cells || c.area_set.size() != cells || c.topology.size() != cells)
    return "sizes";
  for (Point p : c.vertices)
    if (std::abs(std::int64_t{p.x}) >= kCoordinateLimit || std::abs(std::int64_t{p.y}) >= kCoordinateLimit) return "coordinates";
  if (!std::isfinite(data.origin.x) || !std::isfinite(data.origin.y)) return "origin";
  if (!is_index(c.side_start, cells, c.sides.size()) || !is_index(c.portal_start, cells, c.cell_portals.size()) ||
      !is_index(c.triangle_start, cells, c.triangles.size()) || !is_index(c.width_start, cells, c.widths.size()) ||
      !is_index(c.access_start, cells, c.access.size()))
    return "index tables";
  for (CellIndex i = 0; i < cells; ++i) {
    const std::size_t portals = c.portals_of(i).size(), triangles = c.triangles_of(i).size();
    if (c.sides_of(i).size() < 3 || triangles == 0 || triangles > c.sides_of(i).size()) return "sides of a cell";
    if (c.width_start[i + 1] - c.width_start[i] != portals * portals ||
        c.access_start[i + 1] - c.access_start[i] != portals * triangles)
      return "widths of a cell";
  }
  for (const Side& s : c.sides)
    if (s.vertex >= vertices || (s.portal != kNoPortal && s.portal >= c.portals.size())) return "sides";
  for (const CellTriangle& t : c.triangles) {
    for (std::uint32_t v : t.vertex)
      if (v >= vertices) return "triangles";
    if (orient(c.vertices[t.vertex[0]], c.vertices[t.vertex[1]], c.vertices[t.vertex[2]]) <= 0) return "triangles";
  }
  if (!all_below(c.cell_portals, c.portals.size()) || !all_below(c.layer, data.layer_names.size()) ||
      !all_below(c.component, cells) || !all_below(c.area_set, c.area_sets.size()) || !are_widths(c.widths) ||
      !are_widths(c.access))
    return "indices";
  for (const auto& set : c.area_sets)
    if (!all_below(set, data.area_names.size())) return "areas";
  if (std::any_of(c.topology.begin(), c.topology.end(), [](Topology t) { return t > Topology::kCrossroads; })) return "topology";
  if (data.links.size() > kMostLinks) return "links";
  for (const BakedLink& link : data.links) {
    if (!(link.time >= 0 && link.time <= kLongestRide)) return "time of a link";
    for (const LinkEnd& end : link.ends)
      if (end.layer >= data.layer_names.size() || !is_outline(end.shape) || !is_on_grid(end.place)) return "areas of a link";
  }
  if (auto what = check_portals(c)) return what;
  return check_tree(data.tree, c);
}

std::optional<std::string> complete_routing(const NavigationData& data, ProfileRouting& routing) {
  const Cells& c = data.cells;
  const std::uint32_t k = routing.roadmap.key_points;
  if (k < 1 || k > 8 || routing.roadmap.factor.size() != c.layer.size() ||
      (!routing.blocked.empty() && routing.blocked.size() != c.layer.size()))
    return "profile";
  for (float f : routing.roadmap.factor)
    if (f != 0 && !(f >= 1 && f <= 1e6f)) return "cost factors";
  ZonePaths& z = routing.zone_paths;
  if (!(z.radius >= 0 && z.radius <= 100)) return "radius";
  std::uint64_t arcs = 0;
  for (CellIndex i = 0; i < c.layer.size(); ++i) arcs += std::uint64_t{c.portals_of(i).size()} * c.portals_of(i).size() * k * k;
  if (arcs > 0xffffffffu) return "too many arcs";
  const std::vector<float> factor = routing.roadmap.factor;
  routing.roadmap = build_roadmap(c, factor, k, z.radius);
  lay_out_zone_paths(c, data.tree, k, z);
  if (z.cost.size() != z.pair_start.back() || z.width.size() != z.cost.size() ||
      !is_index(z.via_start, z.cost.size(), z.via.size()) || !are_widths(z.width))
    return "stored paths";
  if (!all_below(z.via, routing.roadmap.key_count())) return "stored paths";
  for (Cost cost : z.cost)
    if (cost < 0 || cost > kUnreachable) return "stored costs";
  find_least_widths(z);
  for (Labels& l : routing.labels) {
    if (!(l.radius >= 0 && l.radius <= 100)) return "radius of labels";
    lay_out_labels(data.tree, k, l);
    if (l.cost.size() != l.start.back() || l.hops.size() != l.hop_start.back()) return "size of labels";
    if (!is_padded(data.tree, l, k) || !are_walkable(data.tree, routing.roadmap, l)) return "labels";
  }
  return std::nullopt;
}

}  // namespace throng
