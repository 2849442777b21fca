// SPDX-License-Identifier: MIT
#include "routing/shortest_way.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

using Arrival = ShortestScratch::Arrival;
constexpr std::uint32_t kNoLabel = ShortestScratch::kNone;
constexpr double kSagitta = 1e-4;  // of the chords walked instead of arcs

/// Through a portal and at once back is not at all.
void cross_portal(PortalIndex p, Corridor& corridor) {
  if (!corridor.portals.empty() && corridor.portals.back() == p)
    corridor.portals.pop_back();
  else
    corridor.portals.push_back(p);
}

/// The portals round a corner from one of its cells to another, the way on which no wall is.
void cross_fan(const Cells& cells, CornerInCell corner, CellIndex to, std::span<const std::uint8_t> walls,
               std::vector<PortalIndex>& fan, Corridor& corridor) {
  for (const bool counter_clockwise : {true, false}) {
    CornerInCell at = corner;
    fan.clear();
    while (at.cell != to) {
      const PortalIndex p = cells.sides[cells.side_start[at.cell] + side_towards(cells, at, counter_clockwise)].portal;
      if (!turn_round(cells, at, counter_clockwise, walls)) break;
      fan.push_back(p);
    }
    if (at.cell != to) continue;
    for (PortalIndex p : fan) cross_portal(p, corridor);
    return;
  }
}

/// The portals from one of the cells at a point back to the first.
void enter_doors(const std::vector<CellAt>& cells, CellIndex from, std::vector<PortalIndex>& doors) {
  doors.clear();
  std::uint32_t i = 0;
  while (cells[i].cell != from) ++i;
  for (; i != 0; i = cells[i].before) doors.push_back(cells[i].door);
}

/// The portals of a leg: from the cell where the arrival before was found, round its corner, and along the views from there.
void cross_leg(const Cells& cells, ShortestScratch& scratch, const Arrival& to, std::span<const std::uint8_t> blocked,
               Corridor& corridor) {
  auto& back = scratch.back;
  back.clear();
  CellIndex first = to.corner.cell;
  for (std::uint32_t v = to.view; v != kNoLabel; v = scratch.views[v].parent) {
    const ShortestScratch::View& view = scratch.views[v];
    back.push_back(view.portal);
    first = cells.across(view.portal, view.cell);
  }
  const Arrival& from = scratch.arrivals[to.from];
  if (from.sector == kNoLabel) {
    corridor.first_cell = scratch.start_cells[0].cell;
    enter_doors(scratch.start_cells, first, scratch.fan);
    for (auto p = scratch.fan.rbegin(); p != scratch.fan.rend(); ++p) cross_portal(*p, corridor);
  } else {
    cross_fan(cells, from.corner, first, from.circle.offset != 0 ? std::span<const std::uint8_t>() : blocked, scratch.fan,
              corridor);
  }
  for (auto p = back.rbegin(); p != back.rend(); ++p) cross_portal(*p, corridor);
}

/// Follows the centre of a path from cell to cell. The path keeps off walls, so only corners on open ground and borders of
/// blocked cells can be in its line.
class CentreWalk {
 public:
  CentreWalk(const Cells& cells, std::span<const std::uint8_t> blocked, std::vector<PortalIndex>& fan, Corridor& corridor)
      : cells_(cells), blocked_(blocked), fan_(fan), corridor_(corridor), cell_(corridor.first_cell) {}

  /// False if it does not get there.
  bool go(Vec2 a, Vec2 b) {
    if (!turn_to(a, b - a)) return false;
    PortalIndex entry = kNoPortal;
    for (std::size_t crossed = 0; crossed <= 2 * cells_.cell_count();) {
      const auto sides = cells_.sides_of(cell_);
      double first = 1 - 1e-12;
      PortalIndex out = kNoPortal;
      bool leaves = false;
      for (std::size_t i = 0; i < sides.size(); ++i) {
        const Vec2 p = cells_.position(sides[i].vertex), d = cells_.position(sides[i + 1 < sides.size() ? i + 1 : 0].vertex) - p;
        const double here = cross(d, a - p), there = cross(d, b - p);  // positive: inside
        if (there >= here || there >= 0 || (entry != kNoPortal && sides[i].portal == entry)) continue;
        // Along a border it is on this side.
        if (is_closed(sides[i].portal) && there > -2 * DiscClearance::kSlack * length(d)) continue;
        if (const double t = here / (here - there); t < first) first = t, out = sides[i].portal, leaves = true;
      }
      if (!leaves) return true;
      if (is_closed(out)) return false;
      cross_portal(entry = out, corridor_);
      ++crossed;
      cell_ = cells_.across(out, cell_);
    }
    return false;
  }

 private:
  bool is_closed(PortalIndex p) const { return p == kNoPortal || (!blocked_.empty() && blocked_[cells_.across(p, cell_)] != 0); }

  /// From a corner the walk goes on in the cell that holds its direction.
  bool turn_to(Vec2 a, Vec2 direction) {
    const auto sides = cells_.sides_of(cell_);
    std::uint32_t k = 0;
    while (k < sides.size() && cells_.position(sides[k].vertex) != a) ++k;
    if (k == sides.size()) return true;
    for (const bool counter_clockwise : {true, false}) {
      CornerInCell at = {cell_, k};
      fan_.clear();
      do {
        if (holds(at, direction)) {
          for (PortalIndex p : fan_) cross_portal(p, corridor_);
          return cell_ = at.cell, true;
        }
        fan_.push_back(cells_.sides[cells_.side_start[at.cell] + side_towards(cells_, at, counter_clockwise)].portal);
      } while (turn_round(cells_, at, counter_clockwise, blocked_) && at.cell != cell_);
    }
    return false;
  }

  bool holds(CornerInCell at, Vec2 direction) const {
    const auto sides = cells_.sides_of(at.cell);
    const std::size_t count = sides.size(), k = at.side;
    const Vec2 corner = cells_.position(sides[k].vertex);
    const Vec2 right = cells_.position(sides[k + 1 < count ? k + 1 : 0].vertex) - corner;
    const Vec2 left_side = cells_.position(sides[k == 0 ? count - 1 : k - 1].vertex) - corner;
    const double hair = 1e-9 * length(direction);
    return cross(right, direction) >= -hair * length(right) && cross(direction, left_side) >= -hair * length(left_side) &&
           (dot(right, direction) > 0 || dot(left_side, direction) > 0);
  }

  const Cells& cells_;
  const std::span<const std::uint8_t> blocked_;
  std::vector<PortalIndex>& fan_;
  Corridor& corridor_;
  CellIndex cell_;
};

/// Replaces the portals of the corridor by those that the centre crosses on the path; it stays as it is if that cannot be told.
void walk_centre(const Cells& cells, const PulledPath& path, std::span<const std::uint8_t> blocked, ShortestScratch& scratch,
                 Corridor& corridor) {
  sample(path, cells.vertices, kSagitta, scratch.points);
  Corridor& walked = scratch.walked;
  walked.first_cell = corridor.first_cell;
  walked.portals.clear();
  CentreWalk walk(cells, blocked, scratch.fan, walked);
  for (std::size_t i = 0; i + 1 < scratch.points.size(); ++i)
    if (!walk.go(scratch.points[i], scratch.points[i + 1])) return;
  std::swap(corridor.portals, walked.portals);
}

}  // namespace

void tell_way(const Cells& cells, ShortestScratch& scratch, const Arrival& goal, double radius,
              std::span<const std::uint8_t> blocked, Corridor& corridor, PulledPath& path) {
  auto& chain = scratch.chain;
  chain.clear();
  for (std::uint32_t i = goal.from; i != 0; i = scratch.arrivals[i].from) chain.push_back(i);
  std::reverse(chain.begin(), chain.end());
  path.start = scratch.arrivals[0].circle.centre;
  path.goal = goal.circle.centre;
  path.radius = radius;
  path.length = goal.length;
  path.bends.clear();
  corridor.portals.clear();
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const Arrival& at = scratch.arrivals[chain[i]];
    cross_leg(cells, scratch, at, blocked, corridor);
    const Vec2 out = i + 1 < chain.size() ? scratch.arrivals[chain[i + 1]].direction : goal.direction;
    // In line with the next corner: passed, not turned round; on open ground the walk below wants to know.
    if ((radius == 0 || at.circle.offset != 0) && std::abs(cross(at.direction, out)) < 1e-12 && dot(at.direction, out) > 0)
      continue;
    path.bends.push_back({touching_point(at.circle, at.direction), touching_point(at.circle, out), at.vertex, at.is_left});
  }
  cross_leg(cells, scratch, goal, blocked, corridor);
  enter_doors(scratch.goal_cells, goal.corner.cell, scratch.fan);
  for (PortalIndex p : scratch.fan) cross_portal(p, corridor);
  if (radius == 0) return;
  // On open ground the centre may pass a corner on the other side than the line between the corners of its leg.
  const auto is_open = [&](PortalIndex p) {
    return std::any_of(cells.portals[p].vertex.begin(), cells.portals[p].vertex.end(),
                       [&](std::uint32_t vertex) { return cells.vertex_kind[vertex] == VertexKind::kOpen; });
  };
  if (!blocked.empty() || std::any_of(corridor.portals.begin(), corridor.portals.end(), is_open))
    walk_centre(cells, path, blocked, scratch, corridor);
}

}  // namespace throng
