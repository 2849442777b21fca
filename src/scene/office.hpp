// SPDX-License-Identifier: MIT
// A seeded office floor: the built-in indoor scene, with the dead ends and chains of rooms that a city of free-standing blocks
// lacks.
//
// Corridors run east to west between two rows of rooms each; one wider cross corridor with pillars joins them all. Walls are 0.2
// m thick obstacles with doors of 0.8 to 1.2 m. Some rooms lie behind others: two deep, or three in a chain. Space left over in
// the last rows is an open hall with pillars.
#pragma once
#include <cstdint>

#include <throng/scene.hpp>

namespace throng {

inline constexpr std::uint32_t kMaxRooms = 20000;

/// A floor of exactly `rooms` rooms (1 … kMaxRooms; clamped) with its corner at (0, 0). Each room is a named area "room 1", "room
/// 2", … without cost, numbered in the order they were laid out; a room that lies behind another has the higher number. Every
/// room can be reached by a body up to 0.38 m in radius. The same arguments give the same bits on every machine. O(rooms).
Scene make_office(std::uint32_t rooms, std::uint64_t seed = 1);

}  // namespace throng
