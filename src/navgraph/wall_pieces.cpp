// SPDX-License-Identifier: MIT
#include "navgraph/wall_pieces.hpp"

#include <algorithm>
#include <cmath>

#include "navgraph/clearance.hpp"

namespace throng {

WallPieces::WallPieces(const Surface& surface) : first_(surface.node_count(), kNoPiece), entries_(surface.pieces.size()) {
  for (std::size_t b = 0; b < surface.border.size(); ++b)
    for (std::uint32_t k = surface.piece_start[b + 1]; k-- > surface.piece_start[b];) {
      entries_[k] = {surface.pieces[k], first_[surface.border[b]]};
      first_[surface.border[b]] = k;
    }
}

void WallPieces::replace(NodeIndex node, std::span<const WallPiece> pieces) {
  while (first_[node] != kNoPiece) {
    const std::uint32_t gone = first_[node];
    first_[node] = entries_[gone].next;
    entries_[gone].next = free_;
    free_ = gone;
  }
  for (std::size_t i = pieces.size(); i-- > 0;) {
    std::uint32_t entry = free_;
    if (entry == kNoPiece) {
      entry = static_cast<std::uint32_t>(entries_.size());
      entries_.emplace_back();
    } else {
      free_ = entries_[entry].next;
    }
    entries_[entry] = {pieces[i], first_[node]};
    first_[node] = entry;
  }
}

void WallPieces::renumber(std::span<const NodeIndex> new_node, std::uint32_t count) {
  std::vector<std::uint32_t> first(count, kNoPiece);
  for (std::size_t n = 0; n < first_.size(); ++n) first[new_node[n]] = first_[n];
  first_ = std::move(first);
}

/// As measure_clearance does it for all: pieces are offered to everybody within two links of their node, and then handed on.
/// Nodes round the region hand on what they have.
void spread_pieces(const Surface& surface, const WallPieces& pieces, std::span<const ClearanceChange> region,
                   const std::vector<std::uint8_t>& mark, std::vector<float>& clearance, std::vector<std::uint32_t>& nearest) {
  const double per_metre = 8 / surface.step;
  std::vector<std::vector<NodeIndex>> buckets;
  const float reach[2] = {static_cast<float>(surface.step), static_cast<float>(surface.step * 1.42)};
  const auto bucket_of = [&](float c) { return static_cast<std::size_t>(c * per_metre); };
  const auto improve = [&](NodeIndex n, Vec2 at, std::uint32_t piece) {
    const auto c = static_cast<float>(std::sqrt(squared_distance_to(pieces[piece], at)));
    if (c >= clearance[n]) return false;
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
  for (const ClearanceChange& change : region) clearance[change.node] = kOpenClearance, nearest[change.node] = kNoPiece;
  // Two rings round the region.
  std::vector<NodeIndex> outside, around;
  const auto add_ring = [&](NodeIndex n) {
    for (int d = 0; d < 8; ++d)
      if (const NodeIndex other = surface.neighbour(n, d); other != kNoNode && mark[other] == 0) outside.push_back(other);
  };
  for (const ClearanceChange& change : region) add_ring(change.node);
  for (int ring = 0; ring < 2; ++ring) {
    std::sort(outside.begin(), outside.end());
    outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
    if (ring == 0)
      for (std::size_t i = 0, end = outside.size(); i < end; ++i) add_ring(outside[i]);
  }
  const auto offer = [&](NodeIndex border) {
    if (!pieces.has_any(border)) return;
    around.assign(1, border);
    for (std::size_t ring = 0, begin = 0; ring < 2; ++ring)
      for (const std::size_t end = around.size(); begin < end; ++begin)
        for (int d = 0; d < 8; ++d)
          if (const NodeIndex other = surface.neighbour(around[begin], d);
              other != kNoNode && std::find(around.begin(), around.end(), other) == around.end())
            around.push_back(other);
    for (const NodeIndex n : around) {
      if (mark[n] == 0) continue;
      const Vec2 at = surface.position(n);
      pieces.for_each(border, [&](std::uint32_t piece) { improve(n, at, piece); });
    }
  };
  for (const ClearanceChange& change : region) offer(change.node);
  for (const NodeIndex n : outside) offer(n);
  for (const ClearanceChange& change : region)
    if (nearest[change.node] != kNoPiece) enqueue(change.node);
  for (const NodeIndex n : outside)
    if (nearest[n] != kNoPiece) enqueue(n);

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
      if (other == kNoNode || mark[other] == 0 || nearest[other] == piece || clearance[other] <= clearance[n] - reach[d % 2])
        continue;
      const Vec2 there{at.x + surface.step * kDirections[d].i, at.y + surface.step * kDirections[d].j};
      if (improve(other, there, piece)) bucket = std::min(bucket, enqueue(other));
    }
  }
}

}  // namespace throng
