// SPDX-License-Identifier: MIT
// Vehicles among people: they drive along a line, brake for whoever is in front of them, and people get out of their way
// (Yersin et al. 2008, third scenario; ALGORITHMS §4.9).
//
//   auto car = world->add_vehicle({.path = {{0, 10}, {80, 10}}, .speed = 6});
//   world->add_region({.centre = {0, 10}}); world->follow_vehicle(0, *car);  // effort where it drives
#pragma once
#include <cstdint>
#include <vector>

#include <throng/vec.hpp>

namespace throng {

struct VehicleDef {
  std::vector<Vec2> path;  ///< of its middle; two different points at least
  std::uint32_t layer = 0;
  double length = 4.4, width = 1.8;           ///< m
  double speed = 6;                           ///< m/s, where nobody is in its way
  double acceleration = 2, deceleration = 5;  ///< m/s²
  double start_time = 0;                      ///< s; it is not there before
  bool comes_back = false;                    ///< begins again at the start of its path; otherwise it leaves at the end
  // Who is within `danger_time` in front of it, and not further aside than `danger_margin`, gets out of the way.
  double danger_time = 2;      ///< s
  double danger_margin = 0.5;  ///< m, on each side
  double discomfort = 10;      ///< of a field right in front of it, 1 at the end; 0: nobody minds it
  double hurry = 2;            ///< times the preferred speed, of those who get out of the way, as far as they can
};

struct VehicleState {
  Vec2 position;        ///< of its middle
  Vec2 ahead = {1, 0};  ///< unit
  double speed = 0;
  bool is_there = false;
  std::uint32_t layer = 0;
  double length = 0, width = 0;  ///< m
};

}  // namespace throng
