// SPDX-License-Identifier: MIT
#include "routing/shortest.hpp"

#include <algorithm>
#include <cmath>

#include "routing/least_length.hpp"
#include "routing/shortest_way.hpp"

namespace throng {
namespace {

using Arrival = ShortestScratch::Arrival;
using View = ShortestScratch::View;
using Sector = ShortestScratch::Sector;
using Entry = HandHeap::Entry;
constexpr std::uint32_t kNone = ShortestScratch::kNone, kIsArrival = ShortestScratch::kIsArrival;
constexpr double kNever = 1e300;
constexpr double kSameLength = 1e-10;
constexpr double kRounding = 1e-12;  // of lengths
// Of unit vectors: a turn to the wrong side by less is none. Where circles of a gap touch, roots lose half the digits.
constexpr double kSameDirection = 1e-8;
// A wall may lean this much to the wrong side of a leg.
constexpr double kWallHair = 1e-6;
// Start and goal may be this much nearer to a wall than the radius (the callers' tolerance and a little).
constexpr double kTightEnd = 1e-3;

class Search {
 public:
  Search(const Cells& cells, Vec2 start, Vec2 goal, double radius, std::span<const std::uint8_t> blocked,
         ShortestScratch& scratch)
      : cells_(cells),
        start_(start),
        goal_(goal),
        radius_(radius),
        blocked_(blocked),
        scratch_(scratch),
        clearance_(cells, radius, blocked, scratch.clearance),
        most_lean_(radius > 0 ? std::clamp(2 * std::sqrt(DiscClearance::kSlack / radius), 2 * DiscClearance::kSlack / kUnit, 1.0)
                              : kWallHair) {}

  bool run(CellIndex start_cell, CellIndex goal_cell, Corridor& corridor, PulledPath& path) {
    prepare();
    start_slack_ = find_cells_at(cells_, start_, start_cell, scratch_.start_cells);
    goal_slack_ = find_cells_at(cells_, goal_, goal_cell, scratch_.goal_cells);
    scratch_.arrivals.push_back({{start_, 0}, {0, 0}, 0, kNone, kNone, {start_cell, 0}, kNone, kNone, kNone, false});
    for (const auto& at : scratch_.start_cells) {
      const CellIndex c = at.cell;
      const auto sides = static_cast<std::uint32_t>(cells_.sides_of(c).size());
      if (!is_blocked(c)) look_into(c, {0, kNone, 0, sides, 0, sides}, nullptr);
    }
    Entry entry;
    while (scratch_.heap.take(entry) && entry.bound < best_ - kSameLength) {
      floor_ = entry.bound;
      if (entry.index & kIsArrival)
        look_round(entry.index & ~kIsArrival);
      else
        look_through(entry.index);
    }
    if (best_ == kNever) return false;
    tell_way(cells_, scratch_, best_arrival_, radius_, blocked_, corridor, path);
    return true;
  }

 private:
  /// What to do in a cell: for which arrival and view, and which of the cell's corners and sides are new, counted round the cell.
  struct Task {
    std::uint32_t arrival, view;
    std::uint32_t first_corner, corner_count;
    std::uint32_t first_exit, exit_count;
  };

  void prepare() {
    scratch_.arrivals.clear();
    scratch_.views.clear();
    scratch_.heap.clear();
    scratch_.expanded = 0;
    scratch_.sectors.clear();
    if (scratch_.corners.size() < cells_.sides.size() || scratch_.rooms.size() < cells_.portals.size() ||
        scratch_.stamp + 1 == 0) {
      scratch_.corners.assign(std::max(scratch_.corners.size(), cells_.sides.size()), {});
      scratch_.rooms.assign(std::max(scratch_.rooms.size(), cells_.portals.size()), {});
      scratch_.gaps.assign(2 * scratch_.rooms.size(), {});
      scratch_.stamp = 0;
    }
    ++scratch_.stamp;
  }

  bool is_blocked(CellIndex c) const { return !blocked_.empty() && blocked_[c] != 0; }
  bool is_goal_cell(CellIndex c) const { return holds(scratch_.goal_cells, c); }
  bool is_open(std::uint32_t vertex) const { return cells_.vertex_kind[vertex] == VertexKind::kOpen; }
  /// A body leans over forbidden ground; a point, and a corner without a circle, end there.
  std::span<const std::uint8_t> walls_for(bool has_circle) const {
    return has_circle ? std::span<const std::uint8_t>() : blocked_;
  }

  /// The free ground round a corner, found once for all cells round it.
  std::uint32_t sector_at(CornerInCell corner, std::uint32_t vertex) {
    const auto& known = scratch_.corners[cells_.side_start[corner.cell] + corner.side];
    if (known.stamp == scratch_.stamp) return known.index;
    const auto index = static_cast<std::uint32_t>(scratch_.sectors.size());
    const BendSector found = sector_round(cells_, corner, walls_for(radius_ > 0 && !is_open(vertex)), [&](CornerInCell at) {
      scratch_.corners[cells_.side_start[at.cell] + at.side] = {scratch_.stamp, index};
    });
    scratch_.sectors.push_back({found, false, false, {kNone, kNone}, {kNever, kNever}});
    return index;
  }

  // ---- Looking.

  /// Takes an arrival from the heap: tests it, and looks into the cells round its corner.
  void look_round(std::uint32_t index) {
    const Arrival arrival = scratch_.arrivals[index];
    if (is_beaten(arrival, index)) return;
    if (radius_ > 0) {
      if (!is_free(arrival)) return;
      note(scratch_.arrivals[index], index);
    }
    ++scratch_.expanded;
    // The line to the next corner may begin on forbidden ground though the leg does not.
    const auto walls = walls_for(radius_ > 0);
    const CornerInCell first = scratch_.sectors[arrival.sector].first;
    CornerInCell at = first;
    std::uint32_t repeated = 0;  // the corner at the far end of a portal is one of both cells
    do {
      const std::uint32_t count = cells_.side_start[at.cell + 1] - cells_.side_start[at.cell];
      look_into(at.cell, {index, kNone, at.side + 1 + repeated, count - 1 - repeated, at.side + 1, count - 2}, nullptr);
      repeated = 1;
    } while (turn_round(cells_, at, true, walls) && at.cell != first.cell);
  }

  void look_through(std::uint32_t index) {
    ++scratch_.expanded;
    const View view = scratch_.views[index];
    const Portal& portal = cells_.portals[view.portal];
    const int end = portal.cell[0] == view.cell ? 0 : 1;
    const std::uint32_t entry = portal.side[end], count = portal.side_count[end];
    look_into(view.cell, {view.arrival, index, entry + 2, count - 2, entry + 1, count - 1}, &view);
  }

  void look_into(CellIndex c, const Task& task, const View* view) {
    const Arrival from = scratch_.arrivals[task.arrival];
    const Vec2 eye = from.circle.centre;
    const auto sides = cells_.sides_of(c);
    const auto count = static_cast<std::uint32_t>(sides.size());
    const double slack = from.sector == kNone ? start_slack_ : 0;
    const PortalIndex gap = view ? view->gap : kNoPortal;
    if (is_goal_cell(c) && (!view || sees(*view, goal_ - eye, goal_slack_ + slack)) &&
        (gap == kNoPortal || clearance_.is_near(gap, goal_, goal_)))
      try_goal(from, task, c);
    std::uint32_t i = task.first_corner >= count ? task.first_corner - count : task.first_corner;
    for (std::uint32_t k = 0; k < task.corner_count; ++k) {
      const Vec2 place = cells_.position(sides[i].vertex);
      if ((!view || sees(*view, place - eye, slack)) && (gap == kNoPortal || clearance_.is_near(gap, place, place)))
        try_corner(from, task, {c, i}, sides[i].vertex, place);
      if (++i == count) i = 0;
    }
    i = task.first_exit >= count ? task.first_exit - count : task.first_exit;
    Vec2 left_end = cells_.position(sides[i].vertex) - eye;
    for (std::uint32_t k = 0; k < task.exit_count; ++k) {
      const Vec2 right_end = left_end;
      const PortalIndex portal = sides[i].portal;
      const std::uint32_t at = i;
      if (++i == count) i = 0;
      left_end = cells_.position(sides[i].vertex) - eye;
      if (portal != kNoPortal) make_view(from, task, view, {c, at}, portal, right_end, left_end);
    }
  }

  bool may_look_into(CellIndex next, CellIndex from, PortalIndex portal) {
    if (!is_blocked(next)) return true;
    return radius_ > 0 && (!is_blocked(from) || clearance_.is_near_allowed(portal));
  }

  /// Whether a direction is inside the view, or misses it by no more than the slack at its length.
  static bool sees(const View& view, const Vec2& p, double slack) {
    const double right = cross(view.right, p), left = cross(p, view.left);
    if (right >= 0 && left >= 0) return true;
    if (slack == 0) return false;
    const double near = slack * slack;
    return (right >= 0 || right * right <= near * dot(view.right, view.right)) &&
           (left >= 0 || left * left <= near * dot(view.left, view.left));
  }

  /// What is seen of a portal of which the eye sees the two ends in these directions.
  void make_view(const Arrival& from, const Task& task, const View* view, CornerInCell side, PortalIndex portal,
                 const Vec2& right_end, const Vec2& left_end) {
    // A portal seen from behind or along its line is crossed by no straight way; what is in line with a corner is reached by it.
    if (cross(right_end, left_end) <= 0) return;
    Vec2 right = right_end, left = left_end;  // borders
    Vec2 low = right_end, high = left_end;    // where they cross the portal
    const Vec2 whole = left_end - right_end;
    if (view) {
      const double r0 = cross(view->right, right_end), r1 = cross(view->right, left_end);
      const double l0 = cross(right_end, view->left), l1 = cross(left_end, view->left);
      if (r1 <= 0 || l0 <= 0) return;
      if (r0 < 0) right = view->right, low = right_end + (-r0 / (r1 - r0)) * whole;
      if (l1 < 0) left = view->left, high = right_end + (l0 / (l0 - l1)) * whole;
      if (cross(right, left) <= 0) return;
    } else if (from.sector == kNone) {
      // The start lies on this portal: it looks from the other cell as well.
      const double t = std::clamp(-dot(right_end, whole) / dot(whole, whole), 0.0, 1.0);
      const Vec2 nearest = right_end + t * whole;
      if (dot(nearest, nearest) < 1e-18) return;
    }
    if (from.sector != kNone) {
      // Ways on from the corner stay on its side of the leg that came, their corners within the radius.
      const double turn = from.is_left ? 1 : -1, room = std::abs(from.circle.offset) + radius_ + DiscClearance::kSlack;
      const double at_low = turn * cross(from.direction, low) + room, at_high = turn * cross(from.direction, high) + room;
      if (at_low < 0 && at_high < 0) return;
      if (at_low < 0) right = low = low + (at_low / (at_low - at_high)) * (high - low);
      if (at_high < 0) left = high = high + (at_high / (at_high - at_low)) * (low - high);
    }
    if (view && view->gap != kNoPortal && !clearance_.is_near(view->gap, from.circle.centre + low, from.circle.centre + high))
      return;
    const CellIndex next = cells_.across(portal, side.cell);
    if (!may_look_into(next, side.cell, portal) || !trim(from, side, portal, right_end, left_end, right, left, low, high)) return;
    const Vec2 eye = from.circle.centre, touch = touching_point(from.circle, from.direction);
    const double bound = std::max(floor_, from.length + least_length(touch, eye + low, eye + high, goal_, radius_));
    if (bound >= best_ - kSameLength) return;
    // A body does not get through a gap narrower than itself: the line between the corners of a leg crosses one only within the
    // radius of either corner. What it may still touch there is found at once.
    PortalIndex gap = view ? view->gap : kNoPortal;
    if (gap == kNoPortal && is_gap(right_end, left_end, side)) {
      if (!has_touch_behind(portal, next)) return;
      gap = portal;
    }
    const auto index = static_cast<std::uint32_t>(scratch_.views.size());
    scratch_.views.push_back({right, left, task.arrival, task.view, portal, next, gap});
    if (gap == kNoPortal)
      scratch_.heap.offer({bound, index});
    else
      look_through(index);
  }

  bool has_touch_behind(PortalIndex gap, CellIndex next) {
    auto& known = scratch_.gaps[2 * gap + static_cast<std::uint32_t>(cells_.end_of(gap, next))];
    if (known.stamp != scratch_.stamp) known = {scratch_.stamp, clearance_.has_touch_behind(gap, next) ? 1u : 0u};
    return known.index != 0 || clearance_.is_near(gap, goal_, goal_);
  }

  /// Whether a portal with these ends is too narrow for the body, and not within the radius of the eye.
  bool is_gap(Vec2 right_end, Vec2 left_end, CornerInCell side) const {
    const Vec2 whole = left_end - right_end;
    const double width = 2 * (radius_ - DiscClearance::kSlack), size = dot(whole, whole);
    if (radius_ == 0 || width < 0 || size >= width * width) return false;
    const double t = std::clamp(-dot(right_end, whole) / size, 0.0, 1.0);
    const Vec2 nearest = right_end + t * whole;
    if (dot(nearest, nearest) < radius_ * radius_) return false;
    const auto sides = cells_.sides_of(side.cell);
    return !is_open(sides[side.side].vertex) && !is_open(sides[side.side + 1 < sides.size() ? side.side + 1 : 0].vertex);
  }

  /// Cuts off what is reached on a shorter way by a corner at an end of the portal; false if nothing is left.
  ///
  /// A point that goes to the corner a and along the portal to x is there after g(a) + |ax|. Since a is on the portal, |ux| -
  /// |ax| falls with the distance t of x from a, so where this is shorter than to go by u is a part of the portal from a on.
  ///
  /// The body of a way through x is somewhere at y, within its radius r of x. From a's circle it gets there after πr + |ay| at
  /// most, with its rim within 2r of the portal between a and x: if only walls of a are there, it does. That is shorter than the
  /// way by u if g(a) + (π + 2)r + |ax| is shorter than to go straight from u's touch to x. Near the other end b, walls of b may
  /// be in the way. Then the body goes round a's circle, to b's circle, round that, and to y: within 3r of b that is (2π + 7)r +
  /// |ax| at most, and its centre stays in the hull of both circles.
  bool trim(const Arrival& from, CornerInCell side, PortalIndex portal, const Vec2& right_end, const Vec2& left_end, Vec2& right,
            Vec2& left, Vec2& low, Vec2& high) {
    constexpr double kRoundOne = 5.15, kRoundBoth = 14.3;  // π + 2, 2π + 8
    const std::uint32_t base = cells_.side_start[side.cell], count = cells_.side_start[side.cell + 1] - base;
    const std::uint32_t corner[2] = {side.side, side.side + 1 == count ? 0 : side.side + 1};
    for (const int end : {0, 1}) {
      const auto& known = scratch_.corners[base + corner[end]];
      if (known.stamp != scratch_.stamp) continue;
      const Sector& ground = scratch_.sectors[known.index];
      const double least = std::min(ground.least[0], ground.least[1]);
      if (least == kNever) continue;
      const Vec2 place = end == 0 ? right_end : left_end, whole = (end == 0 ? 1 : -1) * (left_end - right_end);
      const Vec2 back = touching_point(from.circle, from.direction) - from.circle.centre - place;
      const double apart = dot(back, back);
      double detour = least + kRoundOne * radius_ + 1e-9 - from.length;
      if (detour >= 0 && detour * detour >= apart) continue;
      const double extent = length(whole);
      const Vec2 inwards = (1 / extent) * whole;
      const double x = dot(back, inwards);
      const auto reach = [&] { return x + detour > 0 ? (apart - detour * detour) / (2 * (x + detour)) : kNever; };
      double t = reach();
      const double nearer = dot((end == 0 ? low : high) - place, inwards),
                   farther = dot((end == 0 ? high : low) - place, inwards);
      if (t <= nearer) continue;
      if (radius_ > 0) {
        auto& room = scratch_.rooms[portal];
        if (room.stamp != scratch_.stamp) room = {clearance_.room_along(portal), scratch_.stamp};
        const int own = cells_.portals[portal].vertex[0] == cells_.sides[base + corner[end]].vertex ? 0 : 1;
        if (t >= farther && farther > room.along[own] && room.is_free_between && extent > 6 * radius_ &&
            std::min(room.along[0], room.along[1]) >= extent - 3 * radius_) {
          detour += (kRoundBoth - kRoundOne) * radius_;
          if ((detour < 0 || detour * detour < apart) && reach() >= farther) return false;
        }
        t = std::min(t, room.along[own]);
        if (t <= nearer) continue;
      }
      if (t >= farther) return false;
      (end == 0 ? low : high) = (end == 0 ? right : left) = place + t * inwards;
    }
    return true;
  }

  // ---- Arrivals.

  void try_corner(const Arrival& from, const Task& task, CornerInCell corner, std::uint32_t vertex, Vec2 place) {
    if (from.sector != kNone) {
      // A leg's direction differs from that of the line between the corners by no more than asin(2r/d): most need not be
      // computed.
      const Sector& ground = scratch_.sectors[from.sector];
      const Vec2 line = (from.is_left ? 1 : -1) * (place - from.circle.centre);
      if (std::min({cross(from.direction, line), cross(line, ground.wall[0]), cross(line, ground.wall[1])}) < -line_slack(line))
        return;
    }
    if (is_open(vertex)) {
      if (blocked_.empty()) return;
      if (is_blocked(corner.cell)) {
        // The allowed ground round it: each sector once.
        CornerInCell at = corner;
        for (bool was_blocked = true; turn_round(cells_, at, true) && at.cell != corner.cell;) {
          const bool is_allowed = !is_blocked(at.cell);
          if (was_blocked && is_allowed) try_bends(from, task, at, vertex, place, 0);
          was_blocked = !is_allowed;
        }
        return;
      }
    }
    try_bends(from, task, corner, vertex, place, is_open(vertex) ? 0 : radius_);
  }

  /// How far to the wrong side of a unit vector the line between two corners may end if a leg of theirs does not: the leg's
  /// direction differs by no more than asin(2r/d), so most legs need not be computed.
  double line_slack(Vec2 line) const { return 3.15 * radius_ + kTightEnd + most_lean_ * (std::abs(line.x) + std::abs(line.y)); }

  /// Whether both walls at the corner of `at` are on its side of a leg, but for what the test of the leg lets pass. Beside the
  /// leg a wall that leans by ε reaches ε·(their common length) into it, ahead or behind no more than rε²/2.
  bool walls_allow(const Arrival& at, Vec2 direction, double leg, bool leg_is_ahead, bool leg_is_tight) const {
    const Sector& ground = scratch_.sectors[at.sector];
    for (const int way : {0, 1}) {
      const double lean = (at.is_left ? -1 : 1) * cross(direction, ground.wall[way]);
      if (lean <= kWallHair) continue;
      const bool is_beside = leg_is_ahead == (dot(direction, ground.wall[way]) > 0);
      const double deep = lean * std::min(leg, ground.wall_length[way]);
      if (leg_is_tight ? deep > kTightEnd : lean > most_lean_ || (is_beside && deep > 2 * DiscClearance::kSlack)) return false;
    }
    return true;
  }

  void try_bends(const Arrival& from, const Task& task, CornerInCell corner, std::uint32_t vertex, Vec2 place, double radius) {
    const std::uint32_t index = sector_at(corner, vertex);
    const Sector& ground = scratch_.sectors[index];
    if (!ground.bends) return;
    // The walls at the corner must be on its side of the leg.
    const Vec2 line = place - from.circle.centre;
    const double wall0 = cross(line, ground.wall[0]), wall1 = cross(line, ground.wall[1]);
    const double most = std::max(wall0, wall1), least = std::min(wall0, wall1), room = line_slack(line);
    for (const bool is_left : {false, true}) {
      if (is_left ? least < -room : most > room) continue;
      const double side = is_left ? 1 : -1;
      Arrival to{{place, side * radius}, {}, 0, task.arrival, task.view, corner, vertex, index, kNone, is_left};
      double leg;
      if (!touch(from, to, leg)) continue;
      if (!walls_allow(to, to.direction, leg, false, from.sector == kNone && radius_ > 0)) continue;
      const double rest = distance(touching_point(to.circle, to.direction), goal_);
      to.length = from.length + leg;
      if (to.length + rest >= best_ - kSameLength) continue;
      to.length += arc_before(from, to.direction);
      const double bound = std::max(floor_, to.length + rest);
      if (bound >= best_ - kSameLength || is_beaten(to, kNone)) continue;
      const auto arrival = static_cast<std::uint32_t>(scratch_.arrivals.size());
      if (radius_ == 0) note(to, arrival);
      scratch_.arrivals.push_back(to);
      scratch_.heap.offer({bound, arrival | kIsArrival});
    }
  }

  /// Puts an arrival that nothing is in the way of on the list of its corner.
  void note(Arrival& arrival, std::uint32_t index) {
    Sector& ground = scratch_.sectors[arrival.sector];
    arrival.next = ground.touched[arrival.is_left];
    ground.touched[arrival.is_left] = index;
    ground.least[arrival.is_left] = std::min(ground.least[arrival.is_left], arrival.length);
  }

  void try_goal(const Arrival& from, const Task& task, CellIndex c) {
    Arrival to{{goal_, 0}, {}, 0, task.arrival, task.view, {c, 0}, kNone, kNone, kNone, false};
    double leg;
    if (!touch(from, to, leg)) return;
    to.length = from.length + leg + arc_before(from, to.direction);
    if (to.length >= best_ || !is_free(to)) return;
    best_ = to.length;
    best_arrival_ = to;
  }

  /// The leg that touches both circles: its direction and length. False if the circles leave no gap or the way would not be taut
  /// at the first.
  bool touch(const Arrival& from, Arrival& to, double& leg) {
    const Vec2 d = to.circle.centre - from.circle.centre;
    const double offset = to.circle.offset - from.circle.offset, whole = dot(d, d);
    const double root = whole - offset * offset;
    if (root < 0) {
      const bool is_end = from.sector == kNone || to.sector == kNone;
      const double least = std::abs(offset) - (is_end ? kTightEnd : 2 * DiscClearance::kSlack);
      if (least > 0 && whole < least * least) return false;
    }
    leg = root > 0 ? std::sqrt(root) : 0;
    to.direction = offset == 0 ? d : Vec2{leg * d.x + offset * d.y, leg * d.y - offset * d.x};
    const double norm = length(to.direction);
    if (norm > 0)
      to.direction = (1 / norm) * to.direction;
    else if (from.sector == kNone)
      to.direction = {1, 0};  // the goal is the start
    else
      to.direction = from.direction;
    if (from.sector == kNone) return true;
    const double side = from.is_left ? 1 : -1;
    if (side * cross(from.direction, to.direction) < -kSameDirection) return false;
    return walls_allow(from, to.direction, leg, true, to.sector == kNone && radius_ > 0);
  }

  double arc_before(const Arrival& from, Vec2 direction) const {
    return from.circle.offset != 0 ? radius_ * turning_angle(from.circle, from.direction, direction) : 0;
  }

  /// Whether another way gets to the same place and is no longer; `self` is the arrival itself, kNone if it is new. An arrival
  /// that turns up later must be shorter by more than rounding, and so must one on the other side of the corner: of equal ones
  /// the first goes on, and where only the second would be taut there is a shorter way yet.
  bool is_beaten(const Arrival& arrival, std::uint32_t self) {
    const Sector& ground = scratch_.sectors[arrival.sector];
    const double tie = self == kNone || radius_ > 0 ? kRounding : -kSameLength;
    if (radius_ == 0)
      return ground.least[arrival.is_left] <= arrival.length + tie ||
             ground.least[!arrival.is_left] <= arrival.length - kSameLength;
    for (const bool same_side : {true, false})
      for (std::uint32_t i = ground.touched[arrival.is_left == same_side]; i != kNone; i = scratch_.arrivals[i].next) {
        const Arrival& rival = scratch_.arrivals[i];
        const double lead = arrival.length + (same_side ? tie : -kSameLength) - rival.length;
        if (lead < 0 || i == self) continue;
        if (arrival.circle.offset == 0) return true;
        // Where the centres are, from the corner.
        const Vec2 there = (rival.is_left ? -1 : 1) * left(rival.direction),
                   here = (arrival.is_left ? -1 : 1) * left(arrival.direction);
        const double turn = cross(there, here);
        if (radius_ * std::atan2(std::abs(turn), dot(there, here)) <= lead && arc_is_free(rival, there, here, turn > 0))
          return true;
      }
    return false;
  }

  /// Whether a body can turn on the circle of an arrival's corner from one direction to another, as seen from there.
  bool arc_is_free(const Arrival& at, Vec2 there, Vec2 here, bool counter_clockwise) {
    Sector& ground = scratch_.sectors[at.sector];
    if (!ground.is_room_known) {
      ground.is_room_known = true;
      ground.has_room = clearance_.has_room_round(at.corner);
    }
    return ground.has_room || clearance_.arc_is_free(at.corner, there, here, counter_clockwise);
  }

  /// Whether a body can turn at the arrival before, and come from there.
  bool is_free(const Arrival& to) {
    if (radius_ == 0) return true;
    const Arrival& from = scratch_.arrivals[to.from];
    const double side = from.is_left ? -1 : 1;
    if (from.circle.offset != 0 && !arc_is_free(from, side * left(from.direction), side * left(to.direction), from.is_left))
      return false;
    CornerInCell corner = to.corner;
    const Vec2 end = touching_point(to.circle, to.direction);
    if (to.circle.offset != 0 && !clearance_.turn_to(corner, end - to.circle.centre, to.is_left)) return false;
    return clearance_.leg_is_free({touching_point(from.circle, to.direction), end, from.sector == kNone, to.sector == kNone},
                                  corner.cell);
  }

  const Cells& cells_;
  const Vec2 start_, goal_;
  const double radius_;
  const std::span<const std::uint8_t> blocked_;
  ShortestScratch& scratch_;
  DiscClearance clearance_;
  const double most_lean_;  // of walls to the wrong side of legs that may still be free
  double start_slack_ = 0, goal_slack_ = 0;
  double floor_ = 0;  // bound of what is being looked at: no way through it is shorter
  double best_ = kNever;
  Arrival best_arrival_{};
};

}  // namespace

bool shortest_path(const Cells& cells, Vec2 start, CellIndex start_cell, Vec2 goal, CellIndex goal_cell, double radius,
                   std::span<const std::uint8_t> blocked, ShortestScratch& scratch, Corridor& corridor, PulledPath& path) {
  if (cells.component[start_cell] != cells.component[goal_cell]) return false;
  return Search(cells, start, goal, radius, blocked, scratch).run(start_cell, goal_cell, corridor, path);
}

}  // namespace throng
