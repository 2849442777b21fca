// SPDX-License-Identifier: MIT
#include "navgraph/clearance.hpp"

#include "navgraph/clearance_spread.hpp"

namespace throng {

std::vector<float> measure_clearance(const Surface& surface, std::vector<std::uint32_t>* nearest_piece) {
  std::vector<float> clearance(surface.node_count(), kOpenClearance);
  std::vector<std::uint32_t> nearest(surface.node_count(), kNoNode);  // piece
  const auto everybody = [](NodeIndex) { return true; };
  ClearanceSpread spread(surface, surface.pieces, clearance, nearest);
  for (std::size_t b = 0; b < surface.border.size(); ++b) {
    const auto for_each_piece = [&](auto&& offer) {
      for (std::uint32_t k = surface.piece_start[b]; k < surface.piece_start[b + 1]; ++k) offer(k);
    };
    spread.offer(surface.border[b], for_each_piece, everybody);
  }
  for (NodeIndex n = 0; n < surface.node_count(); ++n)
    if (nearest[n] != kNoNode) spread.enqueue(n);
  spread.run(everybody);
  if (nearest_piece != nullptr) *nearest_piece = std::move(nearest);
  return clearance;
}

}  // namespace throng
