// SPDX-License-Identifier: MIT
// Step 4 of the cover (navgraph/cover.hpp): doors. Erosion and the least radius close every gap narrower than about
// 2 · (body + least radius); 0 of 60 doors of 1 m stayed open at g = 0.25 m without this pass (ALGORITHMS §2.11).
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "navgraph/cover.hpp"

namespace throng {
namespace {

constexpr double kDetour = 1.5;        ///< a way round that is at most so much longer than the chain …
constexpr double kDetourMetres = 1;    ///< … and a metre makes the chain needless
constexpr double kHealthyChord = 0.5;  ///< of the smaller radius: how wide the gate of two chain discs should be

}  // namespace

void Cover::connect() {
  std::vector<Saddle> saddles;
  // In half of the directions each pair is met once; after an edit the other half of a pair may be out of its scope.
  const auto look_at = [&](NodeIndex p, int directions) {
    if (owner[p] == kNoDisc) return;
    for (int d = 0; d < directions; ++d) {
      const NodeIndex q = surface_->neighbour(p, d);
      if (q == kNoNode || owner[q] == kNoDisc || owner[q] == owner[p] || are_joined(owner[p], owner[q])) continue;
      saddles.push_back({std::min(room(p), room(q)), p, q});
    }
  };
  if (is_local_)
    for (const NodeIndex p : scope_) look_at(p, 8);
  else
    for (NodeIndex p = 0; p < surface_->node_count(); ++p) look_at(p, 4);
  std::sort(saddles.begin(), saddles.end(),
            [](const Saddle& a, const Saddle& b) { return std::tuple(-a.room, a.p, a.q) < std::tuple(-b.room, b.p, b.q); });
  // The graph only grows, so a distance found once stays an upper bound.
  std::map<std::pair<DiscIndex, DiscIndex>, double> known;
  for (const Saddle& s : saddles) {
    const auto [a, b] = std::minmax(owner[s.p], owner[s.q]);
    const double chain = chain_[s.p] + chain_[s.q] + distance(place(s.p), place(s.q));
    const double limit = kDetour * chain + kDetourMetres;
    const auto at = known.find({a, b});
    if (at != known.end() && at->second <= limit) continue;
    const double through = graph_distance(a, b, limit);
    if (through >= limit) build_chain(s.p, s.q);
    known[{a, b}] = std::min(through, limit);
  }
}

void Cover::build_chain(NodeIndex p, NodeIndex q) {
  std::vector<NodeIndex> way;
  for (NodeIndex n = p; n != kNoNode; n = parent_[n]) way.push_back(n);
  std::reverse(way.begin(), way.end());
  for (NodeIndex n = q; n != kNoNode; n = parent_[n]) way.push_back(n);

  DiscIndex current = owner[p];
  const DiscIndex goal = owner[q];
  const auto gap = [&](NodeIndex n, DiscIndex d) { return distance(surface_->position(n), centres_[d]); };
  for (std::size_t i = 0; current != goal && !are_joined(current, goal);) {
    while (i + 1 < way.size() && gap(way[i + 1], current) < radius[current]) ++i;
    const auto in_goal = [&](std::size_t k) { return gap(way[k], goal) < radius[goal]; };
    if (i + 1 >= way.size() || in_goal(i) || in_goal(i + 1)) break;
    // The farthest place before the goal's disc whose own disc still overlaps this one well; failing that, the next node.
    std::size_t next = i + 1;
    for (std::size_t j = i + 1; j < way.size() && !in_goal(j); ++j) {
      const double r = std::max(0.0f, room(way[j])), least = std::min(r, radius[current]) * kHealthyChord;
      const double reach = std::sqrt(std::max(0.0, radius[current] * radius[current] - least * least)) +
                           std::sqrt(std::max(0.0, r * r - least * least));
      if (gap(way[j], current) > reach) break;
      next = j;
    }
    DiscIndex disc = disc_centred_on(way[next]);
    if (disc == kNoDisc) disc = add_disc(way[next]);
    join(current, disc);
    current = disc;
    i = next;
  }
  join(current, goal);
}

}  // namespace throng
