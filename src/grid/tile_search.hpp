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
  float cost_of(TileIndex t) const {
    const Node* node = known_.find(t);
    return node == nullptr ? 1e30f : node->cost;
  }
  std::uint64_t expanded() const { return expanded_; }

 private:
  struct Node {
    TileIndex tile = kNoTile;
    std::uint32_t visit : 31 = 0;     ///< which search it is of
    std::uint32_t is_closed : 1 = 0;  ///< its way is final
    float cost = 0;                   ///< in tiles, of the best way so far
    TileIndex parent = kNoTile;
  };
  static_assert(sizeof(TileIndex) != 4 || sizeof(Node) == 16);
  /// The tiles that a search has come to. As large as the search and no larger: an array by tile would be a cold line of memory
  /// for every tile, where most searches see a hundred of a million.
  class Known {
   public:
    void clear();
    /// The entry of a tile, made if there is none: then its cost is 1e30. Valid until the next call.
    Node& at(TileIndex tile);
    const Node* find(TileIndex tile) const;

   private:
    std::size_t slot_of(TileIndex tile) const { return (tile * 0x9e3779b97f4a7c15ull) >> shift_; }
    void grow();
    std::vector<Node> nodes_;
    std::size_t count_ = 0;
    int shift_ = 64;
    std::uint32_t visit_ = 0;
  };
  struct Entry {
    float estimate, cost;
    TileIndex tile;
    std::array<std::int32_t, 2> rest;  ///< columns and rows from here to the goal
    /// Later in the queue.
    friend bool operator<(const Entry& a, const Entry& b) {
      if (a.estimate != b.estimate) return a.estimate > b.estimate;
      if (a.cost != b.cost) return a.cost < b.cost;
      return a.tile > b.tile;
    }
  };
  void begin(TileIndex from, float estimate, std::array<std::int32_t, 2> rest);
  /// Takes the tile with the least estimate and makes its way final; false if there is none left.
  bool take(Entry& entry);

  Known known_;
  std::vector<Entry> heap_;
  std::uint64_t expanded_ = 0;
};

}  // namespace throng
