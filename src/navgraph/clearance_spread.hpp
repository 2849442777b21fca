// SPDX-License-Identifier: MIT
// How pieces of walls spread over nodes, for all of a surface (clearance) and for a part of it that has changed (wall_pieces):
// they are offered to everybody within two links of their border node, and then handed on, nearest nodes first.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scene/surface.hpp"

namespace throng {

/// `pieces[k]` is a WallPiece. Distances and the numbers of the pieces they are to go into the columns given, which hold what is
/// known so far.
template <class Pieces>
class ClearanceSpread {
 public:
  ClearanceSpread(const Surface& surface, const Pieces& pieces, std::vector<float>& clearance,
                  std::vector<std::uint32_t>& nearest)
      : surface_(surface), pieces_(pieces), clearance_(clearance), nearest_(nearest) {}

  /// Offers the pieces of a border node (`for_each(f)` calls f with their numbers) to all within two links that may change.
  /// Offering them to the node alone loses the tips of corners: the node that saw the tip often has a nearer piece, and then
  /// hands on that one only (up to 4 cm too far).
  template <class ForEachPiece, class MayChange>
  void offer(NodeIndex border, ForEachPiece&& for_each, MayChange&& may_change) {
    around_.assign(1, border);
    for (std::size_t ring = 0, begin = 0; ring < 2; ++ring)
      for (const std::size_t end = around_.size(); begin < end; ++begin)
        for (int d = 0; d < 8; ++d)
          if (const NodeIndex other = surface_.neighbour(around_[begin], d);
              other != kNoNode && std::find(around_.begin(), around_.end(), other) == around_.end())
            around_.push_back(other);
    for (const NodeIndex n : around_) {
      if (!may_change(n)) continue;
      const Vec2 at = surface_.position(n);
      for_each([&](std::uint32_t piece) { improve(n, at, piece); });
    }
  }

  /// Will hand on what it has. Returns its bucket.
  std::size_t enqueue(NodeIndex n) {
    const std::size_t bucket = bucket_of(clearance_[n]);
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].push_back(n);
    return bucket;
  }

  /// Until nobody that may change gets nearer to a wall.
  template <class MayChange>
  void run(MayChange&& may_change) {
    const float reach[2] = {static_cast<float>(surface_.step), static_cast<float>(surface_.step * 1.42)};
    for (std::size_t bucket = 0; bucket < buckets_.size();) {
      if (buckets_[bucket].empty()) {
        ++bucket;
        continue;
      }
      const NodeIndex n = buckets_[bucket].back();
      buckets_[bucket].pop_back();
      if (bucket_of(clearance_[n]) != bucket) continue;  // improved since
      const Vec2 at = surface_.position(n);
      const std::uint32_t piece = nearest_[n];
      for (int d = 0; d < 8; ++d) {
        const NodeIndex other = surface_.neighbour(n, d);
        if (other == kNoNode || !may_change(other)) continue;
        // A piece gets nearer by one step at most.
        if (nearest_[other] == piece || clearance_[other] <= clearance_[n] - reach[d % 2]) continue;
        const Vec2 there{at.x + surface_.step * kDirections[d].i, at.y + surface_.step * kDirections[d].j};
        if (improve(other, there, piece)) bucket = std::min(bucket, enqueue(other));
      }
    }
  }

 private:
  /// Buckets an eighth of a step wide: a node is rarely improved twice, and no heap is needed.
  std::size_t bucket_of(float clearance) const { return static_cast<std::size_t>(clearance * (8 / surface_.step)); }

  bool improve(NodeIndex n, Vec2 at, std::uint32_t piece) {
    const double squared = squared_distance_to(pieces_[piece], at);
    if (squared >= static_cast<double>(clearance_[n]) * clearance_[n]) return false;
    const auto c = static_cast<float>(std::sqrt(squared));
    if (c >= clearance_[n]) return false;  // the same up to rounding
    clearance_[n] = c;
    nearest_[n] = piece;
    return true;
  }

  const Surface& surface_;
  const Pieces& pieces_;
  std::vector<float>& clearance_;
  std::vector<std::uint32_t>& nearest_;
  std::vector<std::vector<NodeIndex>> buckets_;
  std::vector<NodeIndex> around_;
};

}  // namespace throng
