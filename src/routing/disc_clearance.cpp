// SPDX-License-Identifier: MIT
#include "routing/disc_clearance.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

double squared(double x) { return x * x; }

/// Squared distance of the origin from the part [low, high] of the segment from a along d.
double distance_squared_to(Vec2 a, Vec2 d, double low, double high) {
  const double whole = dot(d, d);
  const double t = whole > 0 ? std::clamp(-dot(a, d) / whole, low, high) : low;
  const Vec2 p = a + t * d;
  return dot(p, p);
}

/// Squared distance of the segment ab from the segment (0, 0)–(extent, 0).
double distance_squared_to_axis(Vec2 a, Vec2 b, double extent) {
  const auto of_point = [extent](Vec2 p) { return squared(p.y) + squared(p.x - std::clamp(p.x, 0.0, extent)); };
  if ((a.y < 0) != (b.y < 0)) {
    const double x = a.x + (b.x - a.x) * a.y / (a.y - b.y);
    if (x >= 0 && x <= extent) return 0;
  }
  const double ends = std::min(of_point(a), of_point(b));
  return std::min({ends, distance_squared_to(a, b - a, 0, 1), distance_squared_to(a - Vec2{extent, 0}, b - a, 0, 1)});
}

}  // namespace

DiscClearance::DiscClearance(const Cells& cells, double radius, std::span<const std::uint8_t> blocked, ClearanceScratch& scratch)
    : cells_(cells), radius_(radius), reach_(std::max(0.0, radius - kSlack)), blocked_(blocked), scratch_(scratch) {
  if (scratch_.stamp.size() < cells.cell_count()) {
    scratch_.stamp.assign(cells.cell_count(), 0);
    scratch_.flood = 0;
  }
}

void DiscClearance::begin(CellIndex c) {
  if (++scratch_.flood == 0) {
    std::fill(scratch_.stamp.begin(), scratch_.stamp.end(), 0);
    scratch_.flood = 1;
  }
  scratch_.queue.clear();
  reach(c);
}

void DiscClearance::reach(CellIndex c) {
  if (scratch_.stamp[c] == scratch_.flood) return;
  scratch_.stamp[c] = scratch_.flood;
  scratch_.queue.push_back(c);
}

bool DiscClearance::leg_is_free(const Leg& leg, CellIndex inside) {
  if (reach_ == 0) return true;
  const double extent = distance(leg.from, leg.to), near = squared(reach_);
  const Vec2 along = extent > 0 ? (1 / extent) * (leg.to - leg.from) : Vec2{1, 0};
  // As seen from the beginning of the leg, x along it.
  const auto seen = [&](std::uint32_t vertex) {
    const Vec2 p = cells_.position(vertex) - leg.from;
    return Vec2{dot(along, p), cross(along, p)};
  };
  begin(inside);
  for (std::size_t head = 0; head < scratch_.queue.size(); ++head) {
    const CellIndex c = scratch_.queue[head];
    const auto sides = cells_.sides_of(c);
    const bool no_entry = is_blocked(c);
    double enters = 0, leaves = extent;  // where the leg is in the cell
    Vec2 b = seen(sides[0].vertex);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const Vec2 a = b;
      b = seen(sides[i + 1 < sides.size() ? i + 1 : 0].vertex);
      if (no_entry) {  // by more than the slack behind every side, or along a side between two blocked cells
        if (std::max(std::abs(a.y), std::abs(b.y)) <= kSlack &&
            std::min(extent, std::max(a.x, b.x)) - std::max(0.0, std::min(a.x, b.x)) > 2 * kSlack &&
            sides[i].portal != kNoPortal && is_blocked(cells_.across(sides[i].portal, c)))
          return false;
        const double deep = (b.x - a.x) * a.y + kSlack * distance(a, b), drop = a.y - b.y;
        if (drop > 0)
          enters = std::max(enters, a.x + deep / drop);
        else if (drop < 0)
          leaves = std::min(leaves, a.x + deep / drop);
        else if (deep > 0)
          leaves = -1;
      }
      if (std::min(a.y, b.y) >= reach_ || std::max(a.y, b.y) <= -reach_ || std::max(a.x, b.x) <= -reach_ ||
          std::min(a.x, b.x) >= extent + reach_)
        continue;
      if (sides[i].portal != kNoPortal) {
        const CellIndex next = cells_.across(sides[i].portal, c);
        if (scratch_.stamp[next] != scratch_.flood && distance_squared_to_axis(a, b, extent) < near) reach(next);
        continue;
      }
      const double apart = distance_squared_to_axis(a, b, extent);
      if (apart >= near) continue;
      const double allowed = std::sqrt(apart) + kSlack;
      if (leg.begins_tight && distance_squared_to(a, b - a, 0, 1) <= squared(allowed)) continue;
      if (leg.ends_tight && distance_squared_to(a - Vec2{extent, 0}, b - a, 0, 1) <= squared(allowed)) continue;
      return false;
    }
    if (no_entry && leaves > enters) return false;
  }
  return true;
}

bool DiscClearance::turn_to(CornerInCell& corner, Vec2 direction, bool counter_clockwise) const {
  const CellIndex first = corner.cell;
  do {
    const auto sides = cells_.sides_of(corner.cell);
    const std::size_t count = sides.size(), k = corner.side;
    const Vec2 at = cells_.position(sides[k].vertex);
    const Vec2 right = cells_.position(sides[k + 1 < count ? k + 1 : 0].vertex) - at;
    const Vec2 left_side = cells_.position(sides[k == 0 ? count - 1 : k - 1].vertex) - at;
    const bool in_right = cross(right, direction) >= 0, in_left = cross(direction, left_side) >= 0;
    // A cell can be reflex by a rounding.
    if (cross(right, left_side) > 0 ? in_right && in_left : in_right || in_left) return true;
  } while (turn_round(cells_, corner, counter_clockwise) && corner.cell != first);
  return false;
}

bool DiscClearance::arc_is_free(CornerInCell corner, Vec2 m, Vec2 n, bool counter_clockwise) {
  const double near = squared(std::max(0.0, 2 * radius_ - kSlack));
  if (!counter_clockwise) std::swap(m, n);
  const double turn = cross(m, n);
  if (turn <= 0 && dot(m, n) > 0) return true;  // no arc, but for rounding
  const std::uint32_t vertex = cells_.sides[cells_.side_start[corner.cell] + corner.side].vertex;
  const Vec2 at = cells_.position(vertex);
  const Vec2 between = dot(m, n) > -0.9 ? m + n : left(m) - left(n);
  CornerInCell first = corner;
  if (!turn_to(first, between, true)) {
    first = corner;
    if (!turn_to(first, between, false)) return false;
  }
  begin(first.cell);
  for (std::size_t head = 0; head < scratch_.queue.size(); ++head) {
    const CellIndex c = scratch_.queue[head];
    const auto sides = cells_.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::uint32_t end = sides[i + 1 < sides.size() ? i + 1 : 0].vertex;
      const bool is_wall = sides[i].portal == kNoPortal;
      if (is_wall && (sides[i].vertex == vertex || end == vertex)) continue;
      const Vec2 a = cells_.position(sides[i].vertex) - at, d = cells_.position(end) - at - a;
      // The part of the side in the sector, by its two straight borders.
      double low = 0, high = 1;
      const auto clip = [&](double here, double change) {  // here + t·change > slack
        const double need = kSlack - here;
        if (change > 0)
          low = std::max(low, need / change);
        else if (change < 0)
          high = std::min(high, need / change);
        else if (need >= 0)
          high = -1;
      };
      clip(cross(m, a), cross(m, d));
      clip(cross(a, n), cross(d, n));
      if (low >= high || distance_squared_to(a, d, low, high) >= near) continue;
      if (is_wall) return false;
      const CellIndex next = cells_.across(sides[i].portal, c);
      if (is_blocked(c) != is_blocked(next)) {
        // The centre must not cross: a + t·d has the radius as its length at most twice.
        const double half = dot(a, d), whole = dot(d, d), root = squared(half) - whole * (dot(a, a) - squared(radius_));
        if (root > 0)
          for (const double sign : {-1.0, 1.0})
            if (const double t = (-half + sign * std::sqrt(root)) / whole; t > low && t < high) return false;
      }
      reach(next);
    }
  }
  return true;
}

bool DiscClearance::has_room_round(CornerInCell corner) {
  const double near = squared(2 * radius_);
  const std::uint32_t vertex = cells_.sides[cells_.side_start[corner.cell] + corner.side].vertex;
  const Vec2 at = cells_.position(vertex);
  begin(corner.cell);
  for (std::size_t head = 0; head < scratch_.queue.size(); ++head) {
    const CellIndex c = scratch_.queue[head];
    if (is_blocked(c)) return false;
    const auto sides = cells_.sides_of(c);
    Vec2 b = cells_.position(sides[0].vertex) - at;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::uint32_t end = sides[i + 1 < sides.size() ? i + 1 : 0].vertex;
      const Vec2 a = b;
      b = cells_.position(end) - at;
      if (sides[i].portal == kNoPortal && (sides[i].vertex == vertex || end == vertex)) continue;
      if (distance_squared_to(a, b - a, 0, 1) >= near) continue;
      if (sides[i].portal == kNoPortal) return false;
      reach(cells_.across(sides[i].portal, c));
    }
  }
  return true;
}

DiscClearance::Room DiscClearance::room_along(PortalIndex portal) {
  const auto& ends = cells_.portals[portal].vertex;
  const Vec2 origin = cells_.position(ends[0]), whole = cells_.position(ends[1]) - origin;
  const double extent = length(whole), reach_out = 2 * radius_, near = squared(reach_out);
  const Vec2 along = (1 / extent) * whole;
  const auto seen = [&](std::uint32_t vertex) {
    const Vec2 p = cells_.position(vertex) - origin;
    return Vec2{dot(along, p), cross(along, p)};
  };
  Room room{{extent, extent}, true};
  begin(cells_.portals[portal].cell[0]);
  for (std::size_t head = 0; head < scratch_.queue.size(); ++head) {
    const CellIndex c = scratch_.queue[head];
    if (is_blocked(c)) return {{0, 0}, false};
    const auto sides = cells_.sides_of(c);
    Vec2 b = seen(sides[0].vertex);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::uint32_t from = sides[i].vertex, to = sides[i + 1 < sides.size() ? i + 1 : 0].vertex;
      const Vec2 a = b;
      b = seen(to);
      if (std::min(a.y, b.y) >= reach_out || std::max(a.y, b.y) <= -reach_out || std::max(a.x, b.x) <= -reach_out ||
          std::min(a.x, b.x) >= extent + reach_out || distance_squared_to_axis(a, b, extent) >= near)
        continue;
      if (sides[i].portal != kNoPortal) {
        reach(cells_.across(sides[i].portal, c));
        continue;
      }
      // The part of the wall beside the portal.
      const double rise = b.y - a.y;
      double low = 0, high = 1;
      if (rise != 0) {
        low = std::max(low, std::min((-reach_out - a.y) / rise, (reach_out - a.y) / rise));
        high = std::min(high, std::max((-reach_out - a.y) / rise, (reach_out - a.y) / rise));
      }
      const double x0 = a.x + low * (b.x - a.x), x1 = a.x + high * (b.x - a.x);
      const bool at_first = from == ends[0] || to == ends[0], at_second = from == ends[1] || to == ends[1];
      if (!at_first) room.along[0] = std::min(room.along[0], std::min(x0, x1) - reach_out);
      if (!at_second) room.along[1] = std::min(room.along[1], extent - std::max(x0, x1) - reach_out);
      if (!at_first && !at_second) room.is_free_between = false;
    }
  }
  return room;
}

bool DiscClearance::is_near(PortalIndex portal, Vec2 a, Vec2 b) const {
  const Vec2 from = cells_.position(cells_.portals[portal].vertex[0]), to = cells_.position(cells_.portals[portal].vertex[1]);
  return std::min({distance_squared_to(from - a, to - from, 0, 1), distance_squared_to(from - b, to - from, 0, 1),
                   distance_squared_to(a - from, b - a, 0, 1), distance_squared_to(a - to, b - a, 0, 1)}) <= squared(radius_);
}

bool DiscClearance::has_touch_behind(PortalIndex portal, CellIndex behind) {
  const auto& ends = cells_.portals[portal].vertex;
  begin(behind);
  for (std::size_t head = 0; head < scratch_.queue.size(); ++head) {
    const auto sides = cells_.sides_of(scratch_.queue[head]);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::uint32_t vertex = sides[i].vertex;
      const Vec2 a = cells_.position(vertex), b = cells_.position(sides[i + 1 < sides.size() ? i + 1 : 0].vertex);
      if (vertex != ends[0] && vertex != ends[1] && is_near(portal, a, a)) return true;
      if (sides[i].portal != kNoPortal && sides[i].portal != portal && is_near(portal, a, b))
        reach(cells_.across(sides[i].portal, scratch_.queue[head]));
    }
  }
  return false;
}

bool DiscClearance::is_near_allowed(PortalIndex portal) {
  const Vec2 a = cells_.position(cells_.portals[portal].vertex[0]), b = cells_.position(cells_.portals[portal].vertex[1]);
  const double extent = distance(a, b), near = squared(radius_);
  const Vec2 along = (1 / extent) * (b - a);
  const auto seen = [&](std::uint32_t vertex) {
    const Vec2 p = cells_.position(vertex) - a;
    return Vec2{dot(along, p), cross(along, p)};
  };
  begin(cells_.portals[portal].cell[0]);
  reach(cells_.portals[portal].cell[1]);
  for (std::size_t head = 0; head < scratch_.queue.size(); ++head) {
    const CellIndex c = scratch_.queue[head];
    if (!is_blocked(c)) return true;
    const auto sides = cells_.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i)
      if (sides[i].portal != kNoPortal &&
          distance_squared_to_axis(seen(sides[i].vertex), seen(sides[i + 1 < sides.size() ? i + 1 : 0].vertex), extent) < near)
        reach(cells_.across(sides[i].portal, c));
  }
  return false;
}

}  // namespace throng
