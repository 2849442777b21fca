// SPDX-License-Identifier: MIT
// The wall pieces of a surface where edits change them: a list for each node instead of one run for all, and what each node has
// for the nearest.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scene/surface.hpp"

namespace throng {

inline constexpr std::uint32_t kNoPiece = 0xffffffffu;

class WallPieces {
 public:
  WallPieces() = default;
  /// Pieces keep their numbers.
  explicit WallPieces(const Surface& surface);

  const WallPiece& operator[](std::uint32_t piece) const { return entries_[piece].piece; }
  /// f(piece) for all of a node.
  template <class F>
  void for_each(NodeIndex node, F&& f) const {
    for (std::uint32_t e = first_[node]; e != kNoPiece; e = entries_[e].next) f(e);
  }
  bool has_any(NodeIndex node) const { return first_[node] != kNoPiece; }
  void replace(NodeIndex node, std::span<const WallPiece> pieces);
  void renumber(std::span<const NodeIndex> new_node, std::uint32_t count);

 private:
  struct Entry {
    WallPiece piece;
    std::uint32_t next;
  };
  std::vector<std::uint32_t> first_;  ///< of each node
  std::vector<Entry> entries_;
  std::uint32_t free_ = kNoPiece;
};

/// Clearance again where it may have changed: at `first` and at all nodes linked with them that are no farther from the changed
/// ground than from their wall, as `distance` says. Those nodes are appended to `region`, with the clearance they had.
struct ClearanceChange {
  NodeIndex node;
  float before;
};
template <class Distance>
void update_clearance(const Surface& surface, const WallPieces& pieces, std::span<const NodeIndex> first, Distance distance,
                      std::vector<std::uint8_t>& mark, std::vector<float>& clearance, std::vector<std::uint32_t>& nearest,
                      std::vector<ClearanceChange>& region);
/// The second half of it: clearance of marked nodes, from the pieces among and around them.
void spread_pieces(const Surface& surface, const WallPieces& pieces, std::span<const ClearanceChange> region,
                   const std::vector<std::uint8_t>& mark, std::vector<float>& clearance, std::vector<std::uint32_t>& nearest);

template <class Distance>
void update_clearance(const Surface& surface, const WallPieces& pieces, std::span<const NodeIndex> first, Distance distance,
                      std::vector<std::uint8_t>& mark, std::vector<float>& clearance, std::vector<std::uint32_t>& nearest,
                      std::vector<ClearanceChange>& region) {
  constexpr float kTouch = 1e-3f;
  region.clear();
  const auto take = [&](NodeIndex n) {
    mark[n] = 1;
    region.push_back({n, clearance[n]});
  };
  for (const NodeIndex n : first)
    if (mark[n] == 0) take(n);
  for (std::size_t head = 0; head < region.size(); ++head)
    for (int d = 0; d < 8; ++d) {
      const NodeIndex other = surface.neighbour(region[head].node, d);
      if (other != kNoNode && mark[other] == 0 && clearance[other] + kTouch >= distance(surface.position(other))) take(other);
    }
  spread_pieces(surface, pieces, region, mark, clearance, nearest);
  for (const ClearanceChange& change : region) mark[change.node] = 0;
}

}  // namespace throng
