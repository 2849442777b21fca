// SPDX-License-Identifier: MIT
#include "navgraph/clearance.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

std::vector<float> measure_clearance(const Surface& surface) {
  std::vector<float> clearance(surface.node_count(), kOpenClearance);
  std::vector<std::uint32_t> nearest(surface.node_count(), kNoNode);  // piece
  // Buckets a quarter of a step wide: a node is rarely improved twice, and no heap is needed.
  const double per_metre = 4 / surface.step;
  std::vector<std::vector<NodeIndex>> buckets;
  const auto bucket_of = [&](float c) { return static_cast<std::size_t>(c * per_metre); };
  const auto improve = [&](NodeIndex n, Vec2 at, std::uint32_t piece) {
    const auto c = static_cast<float>(distance_to(surface.pieces[piece], at));
    if (c >= clearance[n]) return false;
    clearance[n] = c;
    nearest[n] = piece;
    if (bucket_of(c) >= buckets.size()) buckets.resize(bucket_of(c) + 1);
    buckets[bucket_of(c)].push_back(n);
    return true;
  };
  // Pieces of a border node are offered to all within two links. Offering them to the node alone loses the tips of corners: the
  // node that saw the tip often has a nearer piece, and then hands on that one only (up to 4 cm too far).
  std::vector<NodeIndex> around;
  for (std::size_t b = 0; b < surface.border.size(); ++b) {
    around.assign(1, surface.border[b]);
    for (std::size_t ring = 0, begin = 0; ring < 2; ++ring) {
      const std::size_t end = around.size();
      for (; begin < end; ++begin)
        for (int d = 0; d < 8; ++d)
          if (const NodeIndex other = surface.neighbour(around[begin], d);
              other != kNoNode && std::find(around.begin(), around.end(), other) == around.end())
            around.push_back(other);
    }
    for (const NodeIndex n : around)
      for (std::uint32_t k = surface.piece_start[b]; k < surface.piece_start[b + 1]; ++k) improve(n, surface.position(n), k);
  }

  for (std::size_t bucket = 0; bucket < buckets.size();) {
    if (buckets[bucket].empty()) {
      ++bucket;
      continue;
    }
    const NodeIndex n = buckets[bucket].back();
    buckets[bucket].pop_back();
    if (bucket_of(clearance[n]) != bucket) continue;  // improved since
    const Vec2 at = surface.position(n);
    const std::uint32_t piece = nearest[n];
    for (int d = 0; d < 8; ++d) {
      const NodeIndex other = surface.neighbour(n, d);
      if (other == kNoNode) continue;
      const Vec2 there{at.x + surface.step * kDirections[d].i, at.y + surface.step * kDirections[d].j};
      if (improve(other, there, piece)) bucket = std::min(bucket, bucket_of(clearance[other]));
    }
  }
  return clearance;
}

}  // namespace throng
