// SPDX-License-Identifier: MIT
// Discs after an edit: some go, the ground they leave is covered and connected again (navgraph/cover.hpp; ALGORITHMS §1.19).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "navgraph/cover.hpp"

namespace throng {
namespace {

constexpr double kRim = 1.25;  ///< metres of owned ground round what is loose that the steps look at: fringes reach 1 m
constexpr float kSmall = 2;    ///< least radii

}  // namespace

void Cover::look_at(const Surface& surface, const std::vector<float>& clearance) {
  surface_ = &surface;
  clearance_ = &clearance;
}

void Cover::renumber(std::span<const NodeIndex> new_node, std::uint32_t count) {
  const auto move = [&](auto& of_node, auto nothing) {
    std::decay_t<decltype(of_node)> moved(count, nothing);
    for (std::size_t n = 0; n < of_node.size(); ++n) moved[new_node[n]] = of_node[n];
    of_node = std::move(moved);
  };
  const auto rename = [&](std::vector<NodeIndex>& nodes) {
    for (NodeIndex& n : nodes)
      if (n != kNoNode) n = new_node[n];
  };
  move(owner, kNoDisc);
  rename(parent_);
  move(parent_, kNoNode);
  move(chain_, 0.0f);
  move(visits_, kEnd);
  move(seen_, 0u);
  if (!away_.empty()) move(away_, -1.0f), move(nearest_, kNoDisc);
  rename(centre_node);
  rename(loose_);
  rename(changed_);
}

bool Cover::is_inside(NodeIndex node, DiscIndex disc) const {
  for (std::uint32_t v = visits_[node]; v != kEnd; v = arena_[v].next)
    if (arena_[v].disc == disc) return true;
  return false;
}

template <class F>
void Cover::for_nodes_under(DiscIndex disc, F&& f) const {
  const ColumnPlace middle = surface_->place_of(centre_node[disc]);
  const auto reach = static_cast<std::int32_t>(std::ceil(std::max(0.0, radius[disc]) / surface_->step));
  for (std::int32_t j = middle.j - reach; j <= middle.j + reach; ++j)
    for (std::int32_t i = middle.i - reach; i <= middle.i + reach; ++i) {
      const std::uint32_t column = surface_->column_at({i, j});
      if (column == kNoColumn) continue;
      for (NodeIndex n = surface_->column_start[column]; n < surface_->column_start[column + 1]; ++n) f(n);
    }
}

void Cover::disown(NodeIndex node) {
  // Ways to the centre of another disc may lead over this node. They begin inside that disc, which is all a way is for.
  for (int d = 0; d < 8; ++d)
    if (const NodeIndex other = surface_->neighbour(node, d);
        other != kNoNode && parent_[other] == node && owner[other] != owner[node])
      parent_[other] = kNoNode;
  owner[node] = kNoDisc;
  parent_[node] = kNoNode;
  chain_[node] = 0;
  changed_.push_back(node);
  loose_.push_back(node);
}

/// From `open`, which are disowned already, to all that the disc owns outside of itself.
void Cover::disown_labelled(DiscIndex disc, std::vector<NodeIndex> open) {
  while (!open.empty()) {
    const NodeIndex n = open.back();
    open.pop_back();
    for (int d = 0; d < 8; ++d) {
      const NodeIndex other = surface_->neighbour(n, d);
      if (other == kNoNode || owner[other] != disc || is_inside(other, disc)) continue;
      disown(other);
      open.push_back(other);
    }
  }
}

void Cover::drop(DiscIndex disc) {
  if (centre_node[disc] == kNoNode) return;
  std::vector<NodeIndex> owned;
  for_nodes_under(disc, [&](NodeIndex n) {
    for (std::uint32_t* v = &visits_[n]; *v != kEnd; v = &arena_[*v].next) {
      const std::uint32_t visit = *v;
      if (arena_[visit].disc != disc) continue;
      *v = arena_[visit].next;
      arena_[visit].next = free_visits_;
      free_visits_ = visit;
      covered -= visits_[n] == kEnd;
      if (owner[n] == disc) owned.push_back(n);
      loose_.push_back(n);  // whether it is owned or not: borders that the disc bridged are looked at again
      break;
    }
  });
  for (const NodeIndex n : owned) disown(n);
  disown_labelled(disc, std::move(owned));
  const std::vector<Neighbour> around = std::exchange(neighbours[disc], {});
  for (const Neighbour& n : around)
    std::erase_if(neighbours[n.disc], [disc](const Neighbour& back) { return back.disc == disc; });
  former_[centre_node[disc]] = disc;
  centre_node[disc] = kNoNode;
  radius[disc] = -1;
  dropped_.resize(centre_node.size(), 0);
  dropped_[disc] = 1;
  // Discs of chains stand on ground of others. Who loses a neighbour may hang in the air: it comes again where it is needed.
  for (const Neighbour& n : around)
    if (centre_node[n.disc] != kNoNode && owner[centre_node[n.disc]] != n.disc) drop(n.disc);
}

void Cover::drop_over(NodeIndex node) {
  while (visits_[node] != kEnd) drop(arena_[visits_[node]].disc);
}

void Cover::cut(NodeIndex node) {
  const DiscIndex disc = owner[node];
  if (disc == kNoDisc) return;
  disown(node);
  disown_labelled(disc, {node});
}

void Cover::find_scope() {
  std::sort(loose_.begin(), loose_.end());
  loose_.erase(std::unique(loose_.begin(), loose_.end()), loose_.end());
  scope_.clear();
  ++floods_;
  for (const NodeIndex n : loose_) {
    if (!is_feasible(n)) continue;
    scope_.push_back(n);
    seen_[n] = floods_;
  }
  const int rings = static_cast<int>(std::ceil(kRim / surface_->step));
  for (std::size_t ring = 0, begin = 0; ring < static_cast<std::size_t>(rings); ++ring)
    for (const std::size_t end = scope_.size(); begin < end; ++begin)
      for (int d = 0; d < 8; ++d) {
        const NodeIndex other = surface_->neighbour(scope_[begin], d);
        if (other == kNoNode || seen_[other] == floods_ || !is_feasible(other)) continue;
        seen_[other] = floods_;
        scope_.push_back(other);
      }
  std::sort(scope_.begin(), scope_.end());
}

void Cover::mend(std::span<const std::uint32_t> component) {
  // Small discs between large ones are there for what those left: where one of them is gone they are found anew, or edits would
  // pile them up.
  std::vector<DiscIndex> small;
  for (const NodeIndex n : loose_)
    for (std::uint32_t v = visits_[n]; v != kEnd; v = arena_[v].next)
      if (radius[arena_[v].disc] < kSmall * min_radius_) small.push_back(arena_[v].disc);
  std::sort(small.begin(), small.end());
  small.erase(std::unique(small.begin(), small.end()), small.end());
  for (const DiscIndex d : small) drop(d);
  for (DiscIndex d = 0; d < dropped_.size(); ++d)
    if (dropped_[d] != 0) free_.push_back(d);
  std::sort(free_.begin(), free_.end(), std::greater<>());
  away_.resize(surface_->node_count(), -1);
  nearest_.resize(surface_->node_count(), kNoDisc);
  is_local_ = true;
  find_scope();
  changed_.insert(changed_.end(), loose_.begin(), loose_.end());
  cover();
  fill_fringe();
  fill_cusps();
  label();
  connect();
  connect_parts(component);
  is_local_ = false;
  scope_.clear();
  loose_.clear();
}

void Cover::finish_edit() {
  std::fill(dropped_.begin(), dropped_.end(), std::uint8_t{0});
  former_.clear();
}

/// A disc that is gone may have joined two that are both far from the ground it left. So of each part into which the graph has
/// fallen, all but the largest, every border is looked at.
void Cover::connect_parts(std::span<const std::uint32_t> component) {
  std::vector<DiscIndex> leader(centre_node.size());
  std::iota(leader.begin(), leader.end(), 0u);
  const auto find = [&](DiscIndex d) {
    while (leader[d] != d) d = leader[d] = leader[leader[d]];
    return d;
  };
  const auto unite = [&](DiscIndex a, DiscIndex b) {
    a = find(a), b = find(b);
    leader[std::max(a, b)] = std::min(a, b);
  };
  for (DiscIndex d = 0; d < neighbours.size(); ++d)
    for (const Neighbour& n : neighbours[d]) unite(d, n.disc);
  std::vector<std::uint32_t> size(leader.size(), 0);
  for (DiscIndex d = 0; d < leader.size(); ++d) size[find(d)] += centre_node[d] != kNoNode;
  // Of each former component the largest part.
  std::map<std::uint32_t, DiscIndex> largest;
  const auto is_old = [&](DiscIndex d) { return d < component.size() && centre_node[d] != kNoNode && !is_dropped(d); };
  for (DiscIndex d = 0; d < leader.size(); ++d) {
    if (!is_old(d)) continue;
    const auto [at, is_first] = largest.try_emplace(component[d], find(d));
    if (!is_first && size[find(d)] > size[at->second]) at->second = find(d);
  }
  std::vector<std::uint8_t> is_part(leader.size(), 0);
  for (DiscIndex d = 0; d < leader.size(); ++d)
    if (is_old(d) && largest[component[d]] != find(d)) is_part[find(d)] = 1;

  std::vector<Saddle> saddles;
  std::vector<NodeIndex> open;
  for (DiscIndex d = 0; d < leader.size(); ++d) {
    if (centre_node[d] == kNoNode || is_part[find(d)] == 0) continue;
    ++floods_;
    open.clear();
    const auto take = [&](NodeIndex n) {
      if (owner[n] == d && seen_[n] != floods_) seen_[n] = floods_, open.push_back(n);
    };
    for_nodes_under(d, take);
    while (!open.empty()) {
      const NodeIndex p = open.back();
      open.pop_back();
      for (int k = 0; k < 8; ++k) {
        const NodeIndex q = surface_->neighbour(p, k);
        if (q == kNoNode || owner[q] == kNoDisc) continue;
        take(q);
        if (find(owner[q]) != find(d)) saddles.push_back({std::min(room(p), room(q)), p, q});
      }
    }
  }
  std::sort(saddles.begin(), saddles.end(),
            [](const Saddle& a, const Saddle& b) { return std::tuple(-a.room, a.p, a.q) < std::tuple(-b.room, b.p, b.q); });
  for (const Saddle& s : saddles) {
    if (find(owner[s.p]) == find(owner[s.q])) continue;
    build_chain(s.p, s.q);
    unite(owner[s.p], owner[s.q]);
  }
}

}  // namespace throng
