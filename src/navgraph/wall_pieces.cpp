// SPDX-License-Identifier: MIT
#include "navgraph/wall_pieces.hpp"

#include <algorithm>

#include "navgraph/clearance.hpp"
#include "navgraph/clearance_spread.hpp"

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

/// Nodes round the region hand on what they have.
void spread_pieces(const Surface& surface, const WallPieces& pieces, std::span<const ClearanceChange> region,
                   const std::vector<std::uint8_t>& mark, std::vector<float>& clearance, std::vector<std::uint32_t>& nearest) {
  for (const ClearanceChange& change : region) clearance[change.node] = kOpenClearance, nearest[change.node] = kNoPiece;
  // Two rings round the region.
  std::vector<NodeIndex> outside;
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
  const auto is_inside = [&](NodeIndex n) { return mark[n] != 0; };
  ClearanceSpread spread(surface, pieces, clearance, nearest);
  const auto for_all = [&](auto&& f) {
    for (const ClearanceChange& change : region) f(change.node);
    for (const NodeIndex n : outside) f(n);
  };
  for_all([&](NodeIndex n) {
    if (pieces.has_any(n))
      spread.offer(
          n, [&](auto&& offer) { pieces.for_each(n, offer); }, is_inside);
  });
  for_all([&](NodeIndex n) {
    if (nearest[n] != kNoPiece) spread.enqueue(n);
  });
  spread.run(is_inside);
}

}  // namespace throng
