// SPDX-License-Identifier: MIT
#include "navigation/edited_data.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "cells/graft.hpp"
#include "cells/splice.hpp"
#include "routing/labels_update.hpp"
#include "routing/zone_paths_update.hpp"

namespace throng {
namespace {

/// The freed cell in whose place each new cell comes: the one at its centre, or one that had a portal of it, or that of a new
/// neighbour.
std::vector<CellIndex> find_seats(const NavigationData& old, const CellsPatch& patch) {
  const std::uint32_t old_cells = old.cells.cell_count();
  std::vector<CellIndex> seat(patch.cells.size(), kNoCell);
  for (std::size_t n = 0; n < seat.size(); ++n) {
    const CellIndex c = old.locator.cell_at(to_metres(patch.cells[n].centre), patch.cells[n].layer);
    if (c != kNoCell && std::binary_search(patch.freed.begin(), patch.freed.end(), c)) seat[n] = c;
  }
  for (const CellsPatch::Rehung& r : patch.rehung)
    if (CellIndex& c = seat[r.cell - old_cells]; c == kNoCell) c = old.cells.portals[r.portal].cell[r.end];
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (const CellsPatch::NewPortal& p : patch.portals)
      for (int e = 0; e < 2; ++e) {
        CellIndex &here = seat[p.cell[e] - old_cells], there = seat[p.cell[1 - e] - old_cells];
        if (here == kNoCell && there != kNoCell) here = there, has_changed = true;
      }
  }
  return seat;
}

/// Islands by the walls alone: connected outlines beside each component, less its outer one.
std::uint32_t count_holes(const Cells& cells, std::uint32_t components) {
  std::vector<std::uint32_t> parent(cells.vertices.size()), beside(cells.vertices.size(), kNoCell);
  std::iota(parent.begin(), parent.end(), 0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> doubled;  // vertices beside a second component
  std::uint32_t outlines = 0;
  const auto node_of = [&](std::uint32_t vertex, std::uint32_t component) {
    if (beside[vertex] == kNoCell) {
      beside[vertex] = component;
      ++outlines;
    }
    if (beside[vertex] == component) return vertex;
    const auto [at, is_new] = doubled.try_emplace({vertex, component}, static_cast<std::uint32_t>(parent.size()));
    if (is_new) {
      parent.push_back(at->second);
      ++outlines;
    }
    return at->second;
  };
  const auto find = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    const auto sides = cells.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (sides[i].portal != kNoPortal) continue;
      const std::uint32_t a = find(node_of(sides[i].vertex, cells.component[c]));
      const std::uint32_t b = find(node_of(sides[i + 1 < sides.size() ? i + 1 : 0].vertex, cells.component[c]));
      if (a != b) parent[a] = b, --outlines;
    }
  }
  return outlines - components;
}

void fill_report(const NavigationData& old, NavigationData& data) {
  BakeReport& report = data.report;
  const Cells& cells = data.cells;
  report = old.report;
  report.stages.clear();
  report.cells = cells.cell_count();
  report.portals = cells.portal_count();
  report.components = 0;
  for (const std::uint32_t c : cells.component) report.components = std::max(report.components, c + 1);
  report.walls = report.bottlenecks = 0;
  report.wall_length = 0;
  report.doubled_map_area = report.doubled_cell_area = 0;
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    const auto sides = cells.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const Point a = cells.vertices[sides[i].vertex], b = cells.vertices[sides[i + 1 < sides.size() ? i + 1 : 0].vertex];
      report.doubled_cell_area += std::int64_t{a.x} * b.y - std::int64_t{a.y} * b.x;
      if (sides[i].portal != kNoPortal) continue;
      ++report.walls;
      report.wall_length += distance(to_metres(a), to_metres(b));
    }
    for (const CellTriangle& t : cells.triangles_of(c))
      report.doubled_map_area += orient(cells.vertices[t.vertex[0]], cells.vertices[t.vertex[1]], cells.vertices[t.vertex[2]]);
  }
  report.holes = count_holes(cells, report.components);
  report.feet = report.refused = 0;  // the rule was applied to a part only
  for (const Portal& p : cells.portals) report.bottlenecks += p.bottleneck;
  report.area = static_cast<double>(report.doubled_map_area) / 2 * kUnit * kUnit;
  report.zones = static_cast<std::uint32_t>(data.tree.zones.size());
  report.depth = data.tree.depth();
  report.stored_paths = report.label_entries = 0;
  for (const ProfileRouting& p : data.profiles) {
    report.stored_paths += p.zone_paths.stored_count();
    for (const Labels& l : p.labels) report.label_entries += l.cost.size();
  }
  report.bytes = bytes_of(data);
}

}  // namespace

Result<std::shared_ptr<NavigationData>> patch_data(const NavigationData& old, const CellsPatch& patch,
                                                   std::span<const GridBox> boxes, EditBasis& basis, TaskRunner& tasks,
                                                   StageTimer& timer) {
  const std::vector<Profile> profiles = profiles_of(basis.scene);
  auto data = std::make_shared<NavigationData>();
  data->scene_name = old.scene_name;
  data->origin = old.origin;
  data->layer_names = old.layer_names;
  data->layer_elevations = old.layer_elevations;
  data->layer_slopes = old.layer_slopes;
  data->layer_heights = old.layer_heights;
  data->layer_speeds = old.layer_speeds;
  data->area_names = old.area_names;

  timer.begin("zones");
  Graft graft = graft_zones(old.cells, old.tree, patch, find_seats(old, patch));
  data->tree = std::move(graft.build.tree);
  timer.begin("cells");
  const auto& cell_order = graft.build.cell_order;
  const auto& portal_order = graft.build.portal_order;
  data->cells = splice_cells(old.cells, patch, cell_order, portal_order, boxes, basis.cells.area_sets(), profiles[0].radius);
  const std::uint32_t old_cells = old.cells.cell_count(), old_portals = old.cells.portal_count();
  std::vector<std::uint32_t> new_cell(old_cells + patch.cells.size(), kNoCell);
  VersionChange change;
  change.old_zone = std::move(graft.old_zone);
  change.is_as_it_was = std::move(graft.is_as_it_was);
  change.new_portal.assign(old_portals, kNoPortal);
  for (CellIndex c = 0; c < cell_order.size(); ++c) {
    new_cell[cell_order[c]] = c;
    change.is_new_cell.push_back(cell_order[c] >= old_cells);
  }
  for (PortalIndex p = 0; p < portal_order.size(); ++p) {
    const bool is_old = portal_order[p] < old_portals;
    change.old_portal.push_back(is_old ? portal_order[p] : kNoPortal);
    if (is_old) change.new_portal[portal_order[p]] = p;
  }
  for (const CellsPatch::Rehung& r : patch.rehung) change.rehung.push_back(change.new_portal[r.portal]);
  std::sort(change.rehung.begin(), change.rehung.end());

  timer.begin("locator");
  auto locator = Locator::updated(old.locator, old.cells, data->cells, std::span(new_cell).first(old_cells), change.is_new_cell);
  data->locator = locator ? std::move(*locator) : Locator(data->cells);
  data->sampler = PlaceSampler(data->cells);
  Result<std::vector<BakedLink>> links = bake_links(basis.scene, data->locator, profiles[0].radius);
  if (!links) return links.problems();
  data->links = std::move(*links);

  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const ProfileRouting& before = old.profiles[i];
    ProfileRouting routing;
    routing.name = before.name;
    timer.begin("roadmap");
    const std::vector<float> factor = cell_factors(basis.scene, data->cells, profiles[i]);
    if (std::find(factor.begin(), factor.end(), 0.0f) != factor.end())
      for (float f : factor) routing.blocked.push_back(f == 0);
    routing.roadmap = build_roadmap(data->cells, factor, basis.settings.key_points, profiles[i].radius);
    const RoutingVersion was{old.cells, old.tree, before.roadmap}, now{data->cells, data->tree, routing.roadmap};
    timer.begin("stored paths");
    routing.zone_paths = update_zone_paths(before.zone_paths, now, change, tasks);
    timer.begin("labels");
    for (const Labels& labels : before.labels) routing.labels.push_back(update_labels(was, labels, now, change, tasks));
    data->profiles.push_back(std::move(routing));
  }
  timer.begin("report");
  fill_report(old, *data);
  basis.cells.renumber(new_cell, data->cells);
  auto link = std::make_shared<VersionLink>();
  link->new_cell.assign(new_cell.begin(), new_cell.begin() + old_cells);
  link->new_portal = std::move(change.new_portal);
  data->link = std::move(link);
  timer.end();
  return data;
}

}  // namespace throng
