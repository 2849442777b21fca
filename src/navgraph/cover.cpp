// SPDX-License-Identifier: MIT
#include "navgraph/cover.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace throng {
namespace {

constexpr double kFar = 1.0;    ///< metres from any disc at which ground gets discs of its own
constexpr float kFillMost = 4;  ///< least radii; larger discs cover a cusp, too, but overlap everything around it

}  // namespace

Cover::Cover(const Surface& surface, const std::vector<float>& clearance, double body_radius, double min_radius)
    : owner(surface.node_count(), kNoDisc),
      surface_(&surface),
      clearance_(&clearance),
      body_radius_(static_cast<float>(body_radius)),
      min_radius_(static_cast<float>(min_radius)),
      parent_(surface.node_count(), kNoNode),
      chain_(surface.node_count(), 0),
      visits_(surface.node_count(), kEnd),
      seen_(surface.node_count(), 0) {
  for (NodeIndex n = 0; n < surface.node_count(); ++n) feasible += is_feasible(n);
}

Vec3 Cover::place(NodeIndex n) const {
  const Vec2 p = surface_->position(n);
  return {p.x, p.y, surface_->z[n]};
}

std::vector<NodeIndex> Cover::by_room(float least, bool only_uncovered) const {
  std::vector<NodeIndex> nodes;
  const auto look_at = [&](NodeIndex n) {
    if (room(n) >= least && !(only_uncovered && owner[n] != kNoDisc)) nodes.push_back(n);
  };
  if (is_local_)
    for (const NodeIndex n : scope_) look_at(n);
  else
    for (NodeIndex n = 0; n < surface_->node_count(); ++n) look_at(n);
  std::sort(nodes.begin(), nodes.end(), [&](NodeIndex a, NodeIndex b) {
    return (*clearance_)[a] != (*clearance_)[b] ? (*clearance_)[a] > (*clearance_)[b] : a < b;
  });
  return nodes;
}

bool Cover::are_joined(DiscIndex a, DiscIndex b) const {
  const auto& mine = neighbours[a].size() <= neighbours[b].size() ? neighbours[a] : neighbours[b];
  const DiscIndex other = neighbours[a].size() <= neighbours[b].size() ? b : a;
  return std::any_of(mine.begin(), mine.end(), [other](const Neighbour& n) { return n.disc == other; });
}

void Cover::join(DiscIndex a, DiscIndex b) {
  if (a == b || are_joined(a, b)) return;
  const double cost = distance(place(centre_node[a]), place(centre_node[b]));
  neighbours[a].push_back({b, cost});
  neighbours[b].push_back({a, cost});
  if (is_local_) joins_.emplace_back(std::min(a, b), std::max(a, b));
}

DiscIndex Cover::disc_centred_on(NodeIndex node) const {
  for (std::uint32_t v = visits_[node]; v != kEnd; v = arena_[v].next)
    if (centre_node[arena_[v].disc] == node) return arena_[v].disc;
  return kNoDisc;
}

/// Over links from the centre to all feasible nodes nearer than r: on_node(n) sees each once, in the order of the walk,
/// on_reach(n, from, steps) each but the centre when it is first met, with its distance to the centre in grid steps.
template <class OnNode, class OnReach>
void Cover::flood_disc(NodeIndex centre, double r, OnNode&& on_node, OnReach&& on_reach) {
  const ColumnPlace middle = surface_->place_of(centre);
  const double limit = r * r / (surface_->step * surface_->step);
  flooded_.assign(1, centre);
  places_.assign(1, middle);
  seen_[centre] = ++floods_;
  for (std::size_t head = 0; head < flooded_.size(); ++head) {
    const NodeIndex n = flooded_[head];
    on_node(n);
    const ColumnPlace at = places_[head];
    for (int d = 0; d < 8; ++d) {
      const double di = at.i + kDirections[d].i - middle.i, dj = at.j + kDirections[d].j - middle.j;
      if (di * di + dj * dj >= limit) continue;
      const NodeIndex other = surface_->neighbour(n, d);
      if (other == kNoNode || seen_[other] == floods_ || !is_feasible(other)) continue;
      seen_[other] = floods_;
      on_reach(other, n, std::sqrt(di * di + dj * dj));
      flooded_.push_back(other);
      places_.push_back({at.i + kDirections[d].i, at.j + kDirections[d].j});
    }
  }
}

DiscIndex Cover::add_disc(NodeIndex node) {
  auto disc = static_cast<DiscIndex>(centre_node.size());
  const double r = std::max(0.0f, room(node));
  if (!free_.empty()) {
    const auto former = former_.find(node);
    const auto at = former == former_.end() ? free_.end() - 1 : std::find(free_.begin(), free_.end(), former->second);
    disc = at == free_.end() ? free_.back() : *at;
    free_.erase(at == free_.end() ? free_.end() - 1 : at);
  } else {
    centre_node.emplace_back();
    radius.emplace_back();
    centres_.emplace_back();
    neighbours.emplace_back();
    stamp_.push_back(0);
  }
  centre_node[disc] = node;
  radius[disc] = r;
  centres_[disc] = surface_->position(node);
  ++stamps_;
  if (owner[node] == kNoDisc) {
    owner[node] = disc;
    parent_[node] = kNoNode;
    chain_[node] = 0;
  }
  flood_disc(
      node, r,
      [&](NodeIndex n) {
        covered += visits_[n] == kEnd;
        for (std::uint32_t v = visits_[n]; v != kEnd; v = arena_[v].next) {
          const DiscIndex other = arena_[v].disc;
          if (stamp_[other] == stamps_) continue;
          stamp_[other] = stamps_;
          join(disc, other);
        }
        std::uint32_t visit = free_visits_;
        if (visit == kEnd) {
          visit = static_cast<std::uint32_t>(arena_.size());
          arena_.emplace_back();
        } else {
          free_visits_ = arena_[visit].next;
        }
        arena_[visit] = {disc, visits_[n]};
        visits_[n] = visit;
      },
      [&](NodeIndex n, NodeIndex from, double steps) {
        if (owner[n] != kNoDisc) return;
        owner[n] = disc;
        parent_[n] = from;
        chain_[n] = static_cast<float>(steps * surface_->step);
      });
  return disc;
}

void Cover::cover() {
  for (const NodeIndex n : by_room(std::max(min_radius_, 0.0f), false))
    if (visits_[n] == kEnd) add_disc(n);
}

void Cover::fill_fringe() {
  // Distance to the nearest disc, spread over links with the disc it is measured to.
  constexpr float kUnknown = 1e9f;
  std::vector<float> away_of_all(is_local_ ? 0 : surface_->node_count(), kUnknown);
  std::vector<DiscIndex> nearest_of_all(is_local_ ? 0 : surface_->node_count(), kNoDisc);
  std::vector<float>& away = is_local_ ? away_ : away_of_all;
  std::vector<DiscIndex>& nearest = is_local_ ? nearest_ : nearest_of_all;
  for (const NodeIndex n : scope_) away[n] = kUnknown;
  std::vector<NodeIndex> open;
  const auto measure = [&](NodeIndex n, DiscIndex d) {
    return static_cast<float>(std::max(0.0, distance(surface_->position(n), centres_[d]) - radius[d]));
  };
  const auto spread = [&] {
    while (!open.empty()) {
      const NodeIndex n = open.back();
      open.pop_back();
      for (int d = 0; d < 8; ++d) {
        const NodeIndex other = surface_->neighbour(n, d);
        if (other == kNoNode || !is_feasible(other)) continue;
        const float gap = measure(other, nearest[n]);
        if (gap >= away[other]) continue;
        away[other] = gap;
        nearest[other] = nearest[n];
        // Beyond this a disc no longer decides anything; without the bound the spread would be quadratic.
        if (gap <= kFar) open.push_back(other);
      }
    }
  };
  const auto start = [&](NodeIndex n, DiscIndex d) {
    if (away[n] <= 0) return;
    away[n] = 0;
    nearest[n] = d;
    open.push_back(n);
  };
  if (is_local_) {
    for (const NodeIndex n : scope_)
      if (visits_[n] != kEnd) start(n, arena_[visits_[n]].disc);
  } else {
    for (NodeIndex n = 0; n < surface_->node_count(); ++n)
      if (owner[n] != kNoDisc) start(n, owner[n]);
  }
  spread();
  for (const NodeIndex n : by_room(0, true)) {
    if (away[n] <= kFar) continue;
    const DiscIndex d = add_disc(n);
    for (const NodeIndex f : flooded_) start(f, d);
    spread();
  }
  for (const NodeIndex n : scope_) away[n] = -1;
}

NodeIndex Cover::best_cover_of(NodeIndex n) const {
  NodeIndex best = n, at = n;
  const ColumnPlace from = surface_->place_of(n);
  while (true) {
    NodeIndex up = kNoNode;
    for (int d = 0; d < 8; ++d) {
      const NodeIndex other = surface_->neighbour(at, d);
      if (other != kNoNode && (*clearance_)[other] > (*clearance_)[up == kNoNode ? at : up]) up = other;
    }
    if (up == kNoNode) return best;
    const ColumnPlace p = surface_->place_of(up);
    const double di = p.i - from.i, dj = p.j - from.j;
    if (room(up) > kFillMost * min_radius_ || std::sqrt(di * di + dj * dj) * surface_->step >= room(up)) return best;
    best = at = up;
  }
}

std::uint32_t Cover::gain_of(NodeIndex node) {
  std::uint32_t gain = 0;
  flood_disc(
      node, room(node), [&](NodeIndex n) { gain += visits_[n] == kEnd; }, [](NodeIndex, NodeIndex, double) {});
  return gain;
}

void Cover::fill_cusps() {
  const auto target = static_cast<std::uint64_t>(kCoverTarget * static_cast<double>(feasible));
  if (covered >= target) return;
  std::vector<NodeIndex> candidates;
  for (const NodeIndex n : by_room(0, true)) candidates.push_back(best_cover_of(n));
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  // Gains only shrink: a candidate whose renewed gain still leads is the best of all.
  std::priority_queue<std::pair<std::uint32_t, NodeIndex>> queue;
  for (const NodeIndex n : candidates) queue.push({gain_of(n), n});
  while (covered < target && !queue.empty()) {
    const NodeIndex n = queue.top().second;
    queue.pop();
    if (disc_centred_on(n) != kNoDisc) continue;
    const std::uint32_t gain = gain_of(n);
    if (gain == 0) continue;
    if (queue.empty() || std::pair(gain, n) >= queue.top())
      add_disc(n);
    else
      queue.push({gain, n});
  }
}

void Cover::label() {
  for (const NodeIndex n : by_room(0, true)) {
    if (owner[n] != kNoDisc) continue;
    NodeIndex best = kNoNode;
    int direction = 0;
    for (int d = 0; d < 8; ++d) {
      const NodeIndex other = surface_->neighbour(n, d);
      if (other == kNoNode || owner[other] == kNoDisc || (best != kNoNode && (*clearance_)[other] <= (*clearance_)[best]))
        continue;
      best = other;
      direction = d;
    }
    if (best == kNoNode) {
      add_disc(n);
      continue;
    }
    owner[n] = owner[best];
    parent_[n] = best;
    chain_[n] = chain_[best] + static_cast<float>(surface_->step * (direction % 2 == 0 ? 1.0 : std::sqrt(2.0)));
  }
}

double Cover::graph_distance(DiscIndex from, DiscIndex to, double limit) {
  ++search_;
  best_.resize(centre_node.size());
  best_stamp_.resize(centre_node.size(), 0);
  using Entry = std::pair<double, DiscIndex>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto reach = [&](DiscIndex d, double cost) {
    if (cost >= limit || (best_stamp_[d] == search_ && best_[d] <= cost)) return;
    best_stamp_[d] = search_;
    best_[d] = cost;
    open.push({cost, d});
  };
  reach(from, 0);
  while (!open.empty()) {
    const auto [cost, d] = open.top();
    open.pop();
    if (cost > best_[d]) continue;
    if (d == to) return cost;
    for (const Neighbour& n : neighbours[d]) reach(n.disc, cost + n.cost);
  }
  return limit;
}

}  // namespace throng
