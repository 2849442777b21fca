// SPDX-License-Identifier: MIT
#include "cells/graft.hpp"

#include <algorithm>
#include <numeric>

namespace throng {
namespace {

constexpr std::uint32_t kRegrouped = 24;  // cells; zones up to this size are grouped anew

class Grafter {
 public:
  Grafter(const Cells& cells, const Abstraction& tree, const CellsPatch& patch, std::span<const CellIndex> seat)
      : cells_(cells), old_(tree), patch_(patch), seat_(seat), old_cells_(cells.cell_count()), freed_before_(old_cells_ + 1, 0) {
    for (const CellIndex c : patch.freed) ++freed_before_[c + 1];
    std::partial_sum(freed_before_.begin(), freed_before_.end(), freed_before_.begin());
    // The cells of each portal, by extended numbers; none for those that are gone.
    ends_.assign(cells.portal_count() + patch.portals.size(), {kNoCell, kNoCell});
    for (PortalIndex p = 0; p < cells.portal_count(); ++p)
      for (int e = 0; e < 2; ++e)
        if (!is_freed(cells.portals[p].cell[e])) ends_[p][e] = cells.portals[p].cell[e];
    for (const CellsPatch::Rehung& r : patch.rehung) ends_[r.portal][r.end] = r.cell;
    for (std::size_t p = 0; p < patch.portals.size(); ++p) ends_[cells.portal_count() + p] = patch.portals[p].cell;
    local_.assign(old_cells_ + patch.cells.size(), kNoCell);
  }

  Graft run() {
    join_roots();
    std::vector<std::vector<std::uint32_t>> news(old_.roots.size());
    std::vector<std::uint32_t> homeless;
    for (std::uint32_t n = 0; n < seat_.size(); ++n)
      if (seat_[n] == kNoCell)
        homeless.push_back(old_cells_ + n);
      else
        news[root_of(seat_[n])].push_back(old_cells_ + n);
    for (std::uint32_t r = 0; r < old_.roots.size(); ++r) {
      if (group_of_[r] != r) continue;
      std::vector<std::uint32_t> members;
      for (std::uint32_t other = r; other < old_.roots.size(); ++other)
        if (find_group(other) == r && size_of(old_.roots[other], news[other]) > 0) members.push_back(other);
      if (members.empty()) continue;
      std::uint32_t above = kNoZone;
      if (members.size() > 1) above = open_zone(kNoZone, kNoZone);
      for (const std::uint32_t member : members) emit(old_.roots[member], news[member], above);
      if (above != kNoZone) close_zone(above);
    }
    if (!homeless.empty()) regroup(homeless, kNoZone);
    number_portals();
    return std::move(graft_);
  }

 private:
  Abstraction& tree() { return graft_.build.tree; }
  bool is_freed(CellIndex c) const { return freed_before_[c + 1] != freed_before_[c]; }
  std::uint32_t size_of(std::uint32_t zone, const std::vector<std::uint32_t>& news) const {
    const Zone& z = old_.zones[zone];
    return z.last_cell - z.first_cell - freed_in(z) + static_cast<std::uint32_t>(news.size());
  }
  std::uint32_t freed_in(const Zone& z) const { return freed_before_[z.last_cell] - freed_before_[z.first_cell]; }

  /// The root above a cell, as an index into the roots.
  std::uint32_t root_of(CellIndex c) const {
    const auto after = std::upper_bound(old_.roots.begin(), old_.roots.end(), c,
                                        [&](CellIndex cell, std::uint32_t z) { return cell < old_.zones[z].first_cell; });
    return static_cast<std::uint32_t>(after - old_.roots.begin()) - 1;
  }
  std::uint32_t find_group(std::uint32_t r) const {
    while (group_of_[r] != r) r = group_of_[r];
    return r;
  }
  /// Components that a new portal joins get a common root.
  void join_roots() {
    group_of_.resize(old_.roots.size());
    std::iota(group_of_.begin(), group_of_.end(), 0);
    const auto root = [&](std::uint32_t extended) {
      const CellIndex c = extended < old_cells_ ? extended : seat_[extended - old_cells_];
      return c == kNoCell ? kNoZone : find_group(root_of(c));
    };
    const auto join = [&](std::uint32_t portal) {
      const std::uint32_t a = root(ends_[portal][0]), b = root(ends_[portal][1]);
      if (a != kNoZone && b != kNoZone) group_of_[std::max(a, b)] = std::min(a, b);
    };
    for (const CellsPatch::Rehung& r : patch_.rehung) join(r.portal);
    for (std::uint32_t p = cells_.portal_count(); p < ends_.size(); ++p) join(p);
  }

  std::uint32_t open_zone(std::uint32_t parent, std::uint32_t old_zone) {
    const auto id = static_cast<std::uint32_t>(tree().zones.size());
    Zone zone{};
    zone.parent = parent;
    zone.depth = parent == kNoZone ? 0 : tree().zones[parent].depth + 1;
    zone.first_cell = static_cast<std::uint32_t>(graft_.build.cell_order.size());
    tree().zones.push_back(zone);
    if (parent == kNoZone) tree().roots.push_back(id);
    graft_.old_zone.push_back(old_zone);
    graft_.is_as_it_was.push_back(0);
    return id;
  }
  void close_zone(std::uint32_t id) {
    tree().zones[id].end = static_cast<std::uint32_t>(tree().zones.size());
    tree().zones[id].last_cell = static_cast<std::uint32_t>(graft_.build.cell_order.size());
  }
  void add_cell(std::uint32_t extended, std::uint32_t leaf) {
    tree().leaf.push_back(leaf);
    graft_.build.cell_order.push_back(extended);
  }

  void copy(std::uint32_t z, std::uint32_t parent) {
    const Zone& top = old_.zones[z];
    const auto first = static_cast<std::uint32_t>(tree().zones.size());
    const auto cell = static_cast<std::uint32_t>(graft_.build.cell_order.size());
    const std::uint32_t depth = parent == kNoZone ? 0 : tree().zones[parent].depth + 1;
    if (parent == kNoZone) tree().roots.push_back(first);
    for (std::uint32_t i = z; i < top.end; ++i) {
      Zone zone = old_.zones[i];
      zone.parent = i == z ? parent : zone.parent - z + first;
      zone.end = zone.end - z + first;
      zone.depth = zone.depth - top.depth + depth;
      zone.first_cell = zone.first_cell - top.first_cell + cell;
      zone.last_cell = zone.last_cell - top.first_cell + cell;
      tree().zones.push_back(zone);
      graft_.old_zone.push_back(i);
      graft_.is_as_it_was.push_back(1);
    }
    for (CellIndex c = top.first_cell; c < top.last_cell; ++c) add_cell(c, old_.leaf[c] - z + first);
  }

  /// The zone with its new cells, if anything is left of it.
  void emit(std::uint32_t z, const std::vector<std::uint32_t>& news, std::uint32_t parent) {
    const Zone& zone = old_.zones[z];
    if (news.empty() && freed_in(zone) == 0) return copy(z, parent);
    const std::uint32_t size = size_of(z, news);
    if (size == 0) return;
    if (zone.end == z + 1 || size <= kRegrouped) {
      std::vector<std::uint32_t> members;
      for (CellIndex c = zone.first_cell; c < zone.last_cell; ++c)
        if (!is_freed(c)) members.push_back(c);
      members.insert(members.end(), news.begin(), news.end());
      return regroup(members, parent);
    }
    std::vector<std::uint32_t> children;
    std::vector<std::vector<std::uint32_t>> parts;
    for (std::uint32_t child = z + 1; child < zone.end; child = old_.zones[child].end) {
      std::vector<std::uint32_t> part;
      for (const std::uint32_t n : news)
        if (const CellIndex c = seat_[n - old_cells_]; c >= old_.zones[child].first_cell && c < old_.zones[child].last_cell)
          part.push_back(n);
      if (size_of(child, part) == 0) continue;
      children.push_back(child);
      parts.push_back(std::move(part));
    }
    // A zone of one part is that part.
    if (children.size() == 1) return emit(children[0], parts[0], parent);
    const std::uint32_t id = open_zone(parent, z);
    for (std::size_t i = 0; i < children.size(); ++i) emit(children[i], parts[i], id);
    close_zone(id);
  }

  /// Groups cells from scratch.
  void regroup(const std::vector<std::uint32_t>& members, std::uint32_t parent) {
    CellGraph graph;
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      local_[members[i]] = i;
      graph.centre.push_back(centre_of(members[i]));
    }
    const auto put = [&](std::uint32_t member, std::uint32_t portal) {
      const auto [from, to] = ends_[portal];
      if (from == member && to != kNoCell && local_[to] != kNoCell) graph.portals.push_back({local_[from], local_[to]});
    };
    for (const std::uint32_t member : members) {
      if (member < old_cells_) {
        for (const PortalIndex p : cells_.portals_of(member)) put(member, p);
      } else {
        for (const Side& side : patch_.cells[member - old_cells_].sides)
          if (side.portal != kNoPortal) put(member, side.portal);
      }
    }
    for (const std::uint32_t member : members) local_[member] = kNoCell;

    const AbstractionBuild built = build_abstraction(graph);
    std::uint32_t above = parent, wrapper = kNoZone;
    if (built.tree.roots.size() > 1 && parent != kNoZone) above = wrapper = open_zone(parent, kNoZone);
    const auto first = static_cast<std::uint32_t>(tree().zones.size());
    const auto cell = static_cast<std::uint32_t>(graft_.build.cell_order.size());
    const std::uint32_t depth = above == kNoZone ? 0 : tree().zones[above].depth + 1;
    for (Zone zone : built.tree.zones) {
      if (zone.parent == kNoZone && above == kNoZone) tree().roots.push_back(static_cast<std::uint32_t>(tree().zones.size()));
      zone.parent = zone.parent == kNoZone ? above : zone.parent + first;
      zone.end += first;
      zone.depth += depth;
      zone.first_cell += cell;
      zone.last_cell += cell;
      tree().zones.push_back(zone);
      graft_.old_zone.push_back(kNoZone);
      graft_.is_as_it_was.push_back(0);
    }
    for (std::size_t i = 0; i < members.size(); ++i) add_cell(members[built.cell_order[i]], built.tree.leaf[i] + first);
    if (wrapper != kNoZone) close_zone(wrapper);
  }
  Point centre_of(std::uint32_t extended) const {
    if (extended >= old_cells_) return patch_.cells[extended - old_cells_].centre;
    std::array<std::int64_t, 3> sum{0, 0, 0};
    for (const CellTriangle& t : cells_.triangles_of(extended))
      for (const std::uint32_t v : t.vertex) sum = {sum[0] + cells_.vertices[v].x, sum[1] + cells_.vertices[v].y, sum[2] + 1};
    return {static_cast<std::int32_t>(sum[0] / sum[2]), static_cast<std::int32_t>(sum[1] / sum[2])};
  }

  /// Portals by the zone whose children they separate; of one zone those that it had, in their order, then new ones.
  void number_portals() {
    std::vector<std::uint32_t>& new_cell = local_;
    for (std::uint32_t c = 0; c < graft_.build.cell_order.size(); ++c) new_cell[graft_.build.cell_order[c]] = c;
    const std::size_t zones = tree().zones.size();
    std::vector<std::uint32_t> owner(ends_.size(), kNoZone), start(zones + 1, 0);
    for (std::size_t p = 0; p < ends_.size(); ++p) {
      if (ends_[p][0] == kNoCell || ends_[p][1] == kNoCell) continue;
      owner[p] = tree().common_zone(new_cell[ends_[p][0]], new_cell[ends_[p][1]]);
      ++start[owner[p] + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (std::uint32_t z = 0; z < zones; ++z) {
      tree().zones[z].first_portal = start[z];
      tree().zones[z].hub_end = start[z + 1];
      tree().zones[z].last_portal = start[tree().zones[z].end];
    }
    graft_.build.portal_order.resize(start.back());
    for (std::uint32_t p = 0; p < ends_.size(); ++p)
      if (owner[p] != kNoZone) graft_.build.portal_order[start[owner[p]]++] = p;
  }

  const Cells& cells_;
  const Abstraction& old_;
  const CellsPatch& patch_;
  std::span<const CellIndex> seat_;
  std::uint32_t old_cells_;
  std::vector<std::uint32_t> freed_before_;         // freed cells up to each
  std::vector<std::array<std::uint32_t, 2>> ends_;  // extended portal → extended cells
  std::vector<std::uint32_t> local_;                // extended cell → its number in the group at hand
  std::vector<std::uint32_t> group_of_;             // root → one that it is joined with
  Graft graft_;
};

}  // namespace

Graft graft_zones(const Cells& cells, const Abstraction& tree, const CellsPatch& patch, std::span<const CellIndex> seat) {
  return Grafter(cells, tree, patch, seat).run();
}

}  // namespace throng
