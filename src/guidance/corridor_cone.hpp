// SPDX-License-Identifier: MIT
// Where to walk inside a corridor: as far ahead as one can see through its portals (Lamarche & Donikian 2004, section 4.1;
// ALGORITHMS §1.9).
//
// The first portal, shrunk by the body at both ends, gives a cone of directions. Each further portal narrows it, until it would
// close or a corner would leave less than the walker's cone angle of it; the walker aims along the bisector of what is left, or
// at the goal if that can be seen. A large angle stops looking early and walks through the middle, a small one hugs the corners.
//
// `side` is where in the cone one aims, from 0 (right) to 1 (left): the bisector of the paper is 0.5. People differ in it, so
// that they spread over a wide way instead of all making for one line.
//
// A goal that comes into sight past a corner is aimed at only as far as one's own berth allows. Otherwise everybody turns to it
// on the line that grazes the corner, and a way of 20 m is used like one of 5 m (RiMEA 15). Berths are metres of wide portals: on
// the right in proportion to `side`, on the left to the rest. Doors have none.
//
// The paper stops at any portal that is seen under less than the angle. A door far away is one, and people would first walk to
// the middle of the hall before they turn to it: here a portal that is seen whole never stops the look.
#pragma once
#include <span>

#include "agents/vec2f.hpp"
#include "cells/cells.hpp"

namespace throng {

/// A corridor and how far along it somebody is. In one line of the cache, or it would have to be fetched twice.
struct alignas(64) Route {
  std::vector<PortalIndex> portals;
  std::vector<CellIndex> cells;  ///< cells[i] lies before portals[i]; one more than portals, the last holds the goal
  std::uint32_t next = 0;        ///< the portal to cross next: the walker is in cells[next]
};

/// Unit direction to walk in; (0, 0) at the goal itself. `sees_goal` tells whether it aims straight at the goal.
struct Aim {
  Vec2f direction;
  bool sees_goal;
};

/// Metres that people leave free at the ends of a portal, both together.
inline float berth_of(float portal_width) {
  constexpr float kNarrow = 3, kShare = 0.4f, kMost = 6;
  const float berth = kShare * (portal_width - kNarrow);
  return berth < 0 ? 0 : berth > kMost ? kMost : berth;
}

inline Aim aim_in_corridor(const Cells& cells, const Route& route, Vec2f place, Vec2f goal, float radius, float cone_tangent,
                           float side = 0.5f) {
  constexpr float kOnTheLine = 0.001f;
  constexpr std::uint32_t kMostPortals = 16;
  Vec2f left{}, right{};          // the cone of what can be seen
  Vec2f own_left{}, own_right{};  // and, inside it, of where one would pass
  bool has_cone = false;
  const auto count = static_cast<std::uint32_t>(route.portals.size());
  std::uint32_t at = route.next;
  for (; at < count && at < route.next + kMostPortals; ++at) {
    const Portal& portal = cells.portals[route.portals[at]];
    // Walking out of cell[0], vertex[1] is on the left.
    const int end = portal.cell[0] == route.cells[at] ? 0 : 1;
    const Vec2 l = to_metres(portal.position[1 - end]), r = to_metres(portal.position[end]);
    Vec2f to_left = {static_cast<float>(l.x) - place.x, static_cast<float>(l.y) - place.y};
    Vec2f to_right = {static_cast<float>(r.x) - place.x, static_cast<float>(r.y) - place.y};
    const Vec2f across = to_left - to_right;
    const float width = length(across);
    // On or past the line: crossed. cross(right, left) is the distance to the line times the width.
    if (cross(to_right, to_left) <= kOnTheLine * width) {
      if (!has_cone) continue;
      break;
    }
    const float berth = berth_of(width);
    const Vec2f berth_left = to_left - ((radius + (1 - side) * berth) / width) * across;
    const Vec2f berth_right = to_right + ((radius + side * berth) / width) * across;
    bool is_narrow = false;
    if (width <= 2 * radius) {
      to_left = to_right = 0.5f * (to_left + to_right);
      is_narrow = true;
    } else {
      const Vec2f inset = (radius / width) * across;
      to_left = to_left - inset;
      to_right = to_right + inset;
    }
    if (!has_cone) {
      left = to_left;
      right = to_right;
      own_left = berth_left;
      own_right = berth_right;
      has_cone = true;
      if (is_narrow) {
        ++at;
        break;
      }
      continue;
    }
    const bool sees_left = cross(left, to_left) <= 0, sees_right = cross(right, to_right) >= 0;
    const Vec2f new_left = sees_left ? to_left : left, new_right = sees_right ? to_right : right;
    const float opening = cross(new_right, new_left);
    if (opening < 0 || (opening == 0 && !is_narrow)) break;
    if (!(sees_left && sees_right) && opening < cone_tangent * dot(new_right, new_left)) break;
    left = new_left;
    right = new_right;
    const Vec2f next_left = cross(own_left, berth_left) <= 0 ? berth_left : own_left;
    const Vec2f next_right = cross(own_right, berth_right) >= 0 ? berth_right : own_right;
    if (cross(next_right, next_left) > 0) {
      own_left = next_left;
      own_right = next_right;
    } else if (berth == 0) {
      // Through a door everybody goes the same way; of two wide portals the nearer one decides.
      own_left = left;
      own_right = right;
    }
    if (is_narrow) {
      ++at;
      break;
    }
  }
  const Vec2f to_goal = goal - place;
  if (!has_cone) return {unit(to_goal), at == count};
  if (at == count && cross(right, to_goal) >= 0 && cross(to_goal, left) >= 0) {
    if (cross(own_right, to_goal) < 0) return {unit(own_right), false};
    if (cross(to_goal, own_left) < 0) return {unit(own_left), false};
    return {unit(to_goal), true};
  }
  return {unit(side * unit(left) + (1 - side) * unit(right)), false};
}

}  // namespace throng
