// SPDX-License-Identifier: MIT
// Rooms and doorways (Foudil et al. 2009, section 5; ALGORITHMS §3.2): the tiles of a scene, parted where it is narrow.
//
// A doorway is a bottleneck portal of the cells that is no wider than a door, as the links of tiles that lead over it. Rooms are
// what is left connected when all doorways are shut. A doorway that parts nothing (a pillar beside a wall) and one of a closet of
// a few square metres is none. An itinerary is planned room by room: a search over doorways says which comes next, a search over
// the tiles of one room how to get there.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "grid/body_tiles.hpp"

namespace throng {

using RoomIndex = std::uint32_t;
inline constexpr std::uint32_t kNoDoorway = 0xffffffffu;

struct Doorway {
  struct Step {
    TileIndex from, to;  ///< from room[0] to room[1]
  };
  RoomIndex room[2];
  Vec2 centre;
  float width = 0;          ///< m
  std::uint32_t first = 0;  ///< of Rooms::steps
  std::uint32_t steps = 0;
};

class Rooms {
 public:
  Rooms() = default;
  Rooms(const Cells& cells, const BodyTiles& tiles, double widest);

  std::uint32_t room_count() const { return room_count_; }
  RoomIndex room(TileIndex t) const { return room_[t]; }
  std::span<const Doorway> doorways() const { return doorways_; }
  std::span<const Doorway::Step> steps_of(std::uint32_t doorway) const {
    return {steps_.data() + doorways_[doorway].first, doorways_[doorway].steps};
  }
  std::span<const std::uint32_t> doorways_of(RoomIndex room) const {
    return {of_room_.data() + of_room_start_[room], of_room_start_[room + 1] - of_room_start_[room]};
  }
  /// m, between two doorways of a room, by its tiles; in straight lines in scenes with too many doorways for that.
  float between(RoomIndex room, std::uint32_t a, std::uint32_t b) const;
  bool are_distances_exact() const { return are_exact_; }
  /// Of a room.
  std::uint32_t tiles_in(RoomIndex room) const { return tiles_in_[room]; }
  /// The tile of a room next to the middle of one of its doorways.
  TileIndex tile_at(RoomIndex room, std::uint32_t doorway) const {
    return middle_[doorway][doorways_[doorway].room[0] == room ? 0 : 1];
  }

 private:
  void find_rooms(const Cells& cells, const BodyTiles& tiles, double widest);
  void find_distances(const BodyTiles& tiles);

  std::uint32_t room_count_ = 0;
  std::vector<RoomIndex> room_;
  std::vector<Doorway> doorways_;
  std::vector<Doorway::Step> steps_;
  std::vector<std::uint32_t> of_room_start_, of_room_, tiles_in_;
  std::vector<std::array<TileIndex, 2>> middle_;  ///< by doorway and side
  std::vector<std::size_t> distance_start_;       ///< by room: a square matrix over its doorways
  std::vector<float> distance_;
  bool are_exact_ = true;
};

class TileSearch;

/// The next doorway on the way from one tile to another; kNoDoorway if they are in one room, or nothing leads there. Ways inside
/// the first and the last room are measured on their tiles, those between doorways are known. `passed` is the doorway that
/// somebody has just come through: back through it only if that saves more than the doorways' widths, or people would go to and
/// fro.
class DoorwaySearch {
 public:
  std::uint32_t find(const BodyTiles& tiles, const Rooms& rooms, TileIndex from, TileIndex to, float radius, std::uint32_t passed,
                     TileSearch& search);

 private:
  struct Entry {
    float cost;
    std::uint32_t doorway;
    friend bool operator>(const Entry& a, const Entry& b) { return a.cost != b.cost ? a.cost > b.cost : a.doorway > b.doorway; }
  };
  struct Found {
    float cost;
    std::uint32_t first;
    std::uint64_t search;  ///< in which it was found; others say nothing
  };
  std::vector<Found> found_;  ///< by doorway, and one more for the goal
  std::uint64_t search_ = 0;
  std::vector<float> from_start_, to_goal_;  ///< by place among the doorways of the room
  std::vector<Entry> heap_;
};

}  // namespace throng
