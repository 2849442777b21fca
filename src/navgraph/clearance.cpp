// SPDX-License-Identifier: MIT
#include "navgraph/clearance.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

std::vector<float> measure_clearance(const Surface& surface, std::vector<std::uint32_t>* nearest_piece) {
  std::vector<float> clearance(surface.node_count(), kOpenClearance);
  std::vector<std::uint32_t> nearest(surface.node_count(), kNoNode);  // piece
  // Buckets an eighth of a step wide: a node is rarely improved twice, and no heap is needed.
  const double per_metre = 8 / surface.step;
  std::vector<std::vector<NodeIndex>> buckets;
  const float reach[2] = {static_cast<float>(surface.step), static_cast<float>(surface.step * 1.42)};
  const auto bucket_of = [&](float c) { return static_cast<std::size_t>(c * per_metre); };
  const auto improve = [&](NodeIndex n, Vec2 at, std::uint32_t piece) {
    const double squared = squared_distance_to(surface.pieces[piece], at);
    if (squared >= static_cast<double>(clearance[n]) * clearance[n]) return false;
    const auto c = static_cast<float>(std::sqrt(squared));
    if (c >= clearance[n]) return false;  // the same up to rounding
    clearance[n] = c;
    nearest[n] = piece;
    return true;
  };
  const auto enqueue = [&](NodeIndex n) {
    const std::size_t bucket = bucket_of(clearance[n]);
    if (bucket >= buckets.size()) buckets.resize(bucket + 1);
    buckets[bucket].push_back(n);
    return bucket;
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
    for (const NodeIndex n : around) {
      const Vec2 at = surface.position(n);
      for (std::uint32_t k = surface.piece_start[b]; k < surface.piece_start[b + 1]; ++k) improve(n, at, k);
    }
  }
  for (NodeIndex n = 0; n < surface.node_count(); ++n)
    if (nearest[n] != kNoNode) enqueue(n);

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
      // A piece gets nearer by one step at most.
      if (other == kNoNode || nearest[other] == piece || clearance[other] <= clearance[n] - reach[d % 2]) continue;
      const Vec2 there{at.x + surface.step * kDirections[d].i, at.y + surface.step * kDirections[d].j};
      if (improve(other, there, piece)) bucket = std::min(bucket, enqueue(other));
    }
  }
  if (nearest_piece != nullptr) *nearest_piece = std::move(nearest);
  return clearance;
}

}  // namespace throng
