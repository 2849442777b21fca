// SPDX-License-Identifier: MIT
// Stage 3 of sample_surface: closed boxes have interiors, and tables have tops; nobody walks there (ALGORITHMS §2.11).
#include <numeric>

#include "scene/surface_stages.hpp"

namespace throng {
namespace {

/// The component of each node, and the nodes in each.
struct Islands {
  std::vector<std::uint32_t> of;
  std::vector<std::uint32_t> size;
};

Islands find_islands(const Surface& s) {
  Islands islands;
  islands.of.assign(s.node_count(), kNoNode);
  std::vector<NodeIndex> open;
  for (NodeIndex seed = 0; seed < s.node_count(); ++seed) {
    if (islands.of[seed] != kNoNode) continue;
    const auto id = static_cast<std::uint32_t>(islands.size.size());
    islands.size.push_back(0);
    islands.of[seed] = id;
    open.assign(1, seed);
    while (!open.empty()) {
      const NodeIndex n = open.back();
      open.pop_back();
      ++islands.size[id];
      // Diagonals never join what straight links do not.
      for (int d = 0; d < 8; d += 2)
        if (const NodeIndex other = s.neighbour(n, d); other != kNoNode && islands.of[other] == kNoNode) {
          islands.of[other] = id;
          open.push_back(other);
        }
    }
  }
  return islands;
}

}  // namespace

void drop_islands(const SurfaceSettings& settings, Surface& s, std::vector<LinkEvent>& events) {
  const Islands islands = find_islands(s);
  std::vector<bool> stays(islands.size.size());
  for (std::size_t i = 0; i < stays.size(); ++i) stays[i] = islands.size[i] * s.step * s.step >= settings.min_island;
  for (const Vec3& seed : settings.seeds)
    if (const NodeIndex n = s.nearest(seed, 2 * s.step); n != kNoNode && std::abs(s.z[n] - seed.z) <= s.head_room)
      stays[islands.of[n]] = true;

  std::vector<NodeIndex> renumbered(s.node_count(), kNoNode);
  NodeIndex count = 0;
  for (NodeIndex n = 0; n < s.node_count(); ++n)
    if (stays[islands.of[n]]) renumbered[n] = count++;
  if (count == s.node_count()) return;

  std::vector<std::uint32_t> start(s.column_start.size());
  for (std::size_t c = 0, kept = 0; c + 1 < s.column_start.size(); ++c) {
    start[c] = static_cast<std::uint32_t>(kept);
    for (NodeIndex n = s.column_start[c]; n < s.column_start[c + 1]; ++n) kept += renumbered[n] != kNoNode;
  }
  start.back() = count;
  for (NodeIndex n = 0; n < s.node_count(); ++n) {
    const NodeIndex now = renumbered[n];
    if (now == kNoNode) continue;
    auto links = s.links[n];
    for (int d = 0; d < 8; ++d)
      if (links[d] != kNoLink) {
        const std::uint32_t other = s.neighbour_column(s.column[n], d);
        links[d] = static_cast<std::uint8_t>(renumbered[s.column_start[other] + links[d]] - start[other]);
      }
    s.z[now] = s.z[n];
    s.column[now] = s.column[n];
    s.links[now] = links;
  }
  s.z.resize(count);
  s.column.resize(count);
  s.links.resize(count);
  s.column_start = std::move(start);
  std::size_t kept = 0;
  for (LinkEvent e : events)
    if ((e.node = renumbered[e.node]) != kNoNode) events[kept++] = e;
  events.resize(kept);
}

}  // namespace throng
