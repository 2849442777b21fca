// SPDX-License-Identifier: MIT
// A* over tiles (ALGORITHMS §3.3): eight neighbours at 1 and √2, octile distance as the estimate, ties to the larger cost so far
// and then to the lower index, so that the path is a function of the question. No corner is cut: BodyTiles has no such links.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "grid/rooms.hpp"

namespace throng {

inline constexpr float kDiagonalCost = 1.41421356f;

/// Tiles for some columns and rows, by straight and diagonal steps.
inline float octile(std::array<std::int32_t, 2> d) {
  const auto x = static_cast<float>(d[0] < 0 ? -d[0] : d[0]), y = static_cast<float>(d[1] < 0 ? -d[1] : d[1]);
  return x < y ? y + (kDiagonalCost - 1) * x : x + (kDiagonalCost - 1) * y;
}
/// Between two tiles: never more than the way.
inline float octile(const BodyTiles& tiles, TileIndex from, TileIndex to) { return octile(tiles.squares_between(from, to)); }

struct TileQuery {
  TileIndex from = kNoTile, to = kNoTile;
  float radius = 0.2f;
  /// Only tiles of the first one's room, and the last; otherwise all.
  bool in_room = true;
  /// Manhattan distance as the estimate, as the paper mentions: with diagonal steps it is too long, and so may be the path.
  bool manhattan = false;
  std::span<const float> factor{};  ///< by cell, on the cost; 0: may not be entered; empty: all 1
};

class TileSearch {
 public:
  /// The tiles of the path, both ends included; empty if there is none. `is_blocked` is asked for every tile but the first and
  /// last.
  bool find(const BodyTiles& tiles, const Rooms& rooms, const TileQuery& query, FunctionRef<bool(TileIndex)> is_blocked,
            std::vector<TileIndex>& path);
  /// m, inside a room; 1e30 if there is no way.
  float distance(const BodyTiles& tiles, const Rooms& rooms, TileIndex from, TileIndex to);
  /// Ways from a tile to all others of its room; `cost_of` tells how long they are.
  void flood(const BodyTiles& tiles, const Rooms& rooms, TileIndex from, float radius);
  /// In tiles, after the last search; 1e30 where it did not get to.
  float cost_of(TileIndex t) const { return t < nodes_.size() && nodes_[t].visit == visit_ ? nodes_[t].cost : 1e30f; }
  std::uint64_t expanded() const { return expanded_; }

 private:
  struct Node {
    std::uint32_t visit = 0;
    float cost = 0;
    TileIndex parent = kNoTile;
    bool is_closed = false;
  };
  struct Entry {
    float estimate, cost;
    TileIndex tile;
    /// Later in the queue.
    friend bool operator<(const Entry& a, const Entry& b) {
      if (a.estimate != b.estimate) return a.estimate > b.estimate;
      if (a.cost != b.cost) return a.cost < b.cost;
      return a.tile > b.tile;
    }
  };
  std::vector<Node> nodes_;
  std::vector<Entry> heap_;
  std::uint32_t visit_ = 0;
  std::uint64_t expanded_ = 0;
};

}  // namespace throng
