// SPDX-License-Identifier: MIT
#include "routing/funnel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "routing/end_legs.hpp"
#include "routing/near_sides.hpp"
#include "routing/path_overlap.hpp"
#include "routing/squeezed.hpp"
#include "routing/tangent_search.hpp"

namespace throng {
namespace {

using Corner = FunnelScratch::Corner;
using Extra = FunnelScratch::Extra;
constexpr std::uint32_t kNoVertex = FunnelScratch::kNoVertex;
constexpr unsigned kRight = 0, kLeft = 1;  // sides, as indices
constexpr int kMaxRounds = 16;             // each adds a corner near an end leg; two or three happen, more never did

/// One run of the funnel. The queue lives in the middle of an array: the left chain grows down from the apex, the right chain up.
///
/// This is most of a query's time, so it is written to be cheap: one pass over the portals, each one cache line; sides are
/// numbers (0 right, 1 left), not branches, since which side of a corridor comes next cannot be predicted; a tangent that showed
/// the corner before to be needless is the new corner's own.
class Funnel {
 public:
  Funnel(const Cells& cells, const Corridor& corridor, double radius, FunnelScratch& scratch)
      : cells_(cells), corridor_(corridor), radius_(radius), offset_{-radius, radius}, scratch_(scratch) {}

  void run(Vec2 start, Vec2 goal) {
    const std::size_t count = corridor_.portals.size();
    scratch_.cells.resize(count + 1);
    const std::size_t needed = count + scratch_.extras.size() + 2;
    if (scratch_.queue.size() < 2 * needed + 1) scratch_.queue.resize(4 * needed + 1);
    const std::size_t half = scratch_.queue.size() / 2;
    spare_ = half - needed;
    end_[0] = end_[1] = apex_ = scratch_.queue.data() + half;
    *apex_ = start_ = {{start, 0}, {0, 0}, kNoVertex, 0};
    scratch_.path.clear();
    next_extra_ = 0;
    if (scratch_.extras.empty())
      cross_portals<false>();
    else
      cross_portals<true>();
    if (!extend<true>(kLeft, {goal, 0}, kNoVertex, stage_)) add_out_of_order<true>(kLeft, {{goal, 0}, {}, kNoVertex, stage_});
    for (const Corner* corner = apex_; corner != end_[kLeft];) scratch_.path.push_back(*--corner);
  }

 private:
  static constexpr std::array<double, 2> kSign = {-1, 1};
  static constexpr std::array<std::ptrdiff_t, 2> kStep = {1, -1};  // from the apex to the end of a chain

  template <bool kExtras>
  void cross_portals() {
    const auto count = static_cast<std::uint32_t>(corridor_.portals.size());
    const PortalIndex* const portals = corridor_.portals.data();
    CellIndex* const row = scratch_.cells.data();
    CellIndex cell = row[0] = corridor_.first_cell;
    const Portal* before = nullptr;
    unsigned before_end = 0;
    for (stage_ = 0; stage_ < count; ++stage_) {
      const Portal& portal = cells_.portals[portals[stage_]];
      // Walking out of cell[0], vertex[1] is on the left: end ^ side is the index of a side's end.
      const unsigned end = portal.cell[0] == cell ? 0 : 1;
      if (stage_ == 0) {
        for (const unsigned side : {kLeft, kRight}) {
          if (kExtras) add_extras(side);
          add(side, portal.vertex[end ^ side], to_metres(portal.position[end ^ side]));
        }
      } else {
        // How many sides of the cell lie between the portal before and this one: right of the way, counter-clockwise, and left.
        const std::uint32_t sides = portal.side_count[end];
        const std::uint32_t entry = before->side[before_end ^ 1u], exit = portal.side[end];
        const std::array<std::uint32_t, 2> gap = {exit > entry ? exit - entry : exit + sides - entry,
                                                  entry > exit ? entry - exit : entry + sides - exit};
        const bool both = gap[0] > 1 && gap[1] > 1;  // one side apart: they share the end
        // The shorter diagonal first, as a Delaunay triangulation of the cell would mostly have it: circles then come nearly in
        // the order in which a way touches them.
        unsigned side = gap[kLeft] > 1;
        if (both)
          side = distance_squared(portal.position[end ^ kLeft], before->position[before_end ^ kRight]) <=
                 distance_squared(before->position[before_end ^ kLeft], portal.position[end ^ kRight]);
        for (bool again = both;; again = false, side ^= 1u) {
          if (gap[side] > 2 && radius_ > 0) add_chain<kExtras>(side, *before, before_end, portal, end);
          if (kExtras) add_extras(side);
          add(side, portal.vertex[end ^ side], to_metres(portal.position[end ^ side]));
          if (!again) break;
        }
        if (kExtras && !both) add_extras(side ^ 1u);  // the side that stays where it is
      }
      if (kExtras) skip_extras();
      before = &portal;
      before_end = end;
      cell = row[stage_ + 1] = portal.cell[end ^ 1u];
    }
    if (kExtras) {
      add_extras(kLeft);
      add_extras(kRight);
    }
  }

  [[gnu::always_inline]] void add(unsigned side, std::uint32_t vertex, Vec2 centre) {
    const bool open = cells_.vertex_kind[vertex] == VertexKind::kOpen;
    scratch_.open_ground |= open;
    const SignedCircle circle = {centre, open ? 0 : offset_[side]};
    if (!extend<false>(side, circle, vertex, stage_)) [[unlikely]]
      add_out_of_order<false>(side, {circle, {}, vertex, stage_});
  }

  /// Moves the end of one chain to a new circle: Lee & Preparata's step. False if the other chain is in the way or, then
  /// `retract_`, the apex is needless; the queue is then as before but for corners that the new one makes needless on its own
  /// chain.
  template <bool kGoal>
  [[gnu::always_inline]] bool extend(unsigned side, const SignedCircle& circle, std::uint32_t vertex, std::uint32_t stage) {
    const double sign = kSign[side];
    const std::ptrdiff_t step = kStep[side];
    Corner* own = end_[side];
    const Corner* const other = end_[side ^ 1u];
    Vec2 direction;
    if (own == apex_) direction = tangent_direction(own->circle, circle);
    while (own != apex_) {
      Corner* const before = own - step;
      direction = tangent_direction(before->circle, circle);
      bool needless = sign * cross(own->direction, direction) <= 0;
      // Round an apex that still is the other end of the portal a wide fan can turn by more than half a circle: then the old
      // corner is behind, which its direction shows against the new portal.
      if (!needless && before == apex_ && other == apex_)
        needless = sign * cross(circle.centre - before->circle.centre, own->direction) > 0;
      if (!needless) {
        direction = tangent_direction(own->circle, circle);
        // The goal may lie before the place where the way to it would touch the corner: leaving the corner would turn the wrong
        // way.
        if (!kGoal || sign * cross(own->direction, direction) > 0) break;
        disturb(apex_->stage);
        direction = tangent_direction(before->circle, circle);
      }
      own = before;
    }
    if (own == apex_) {
      while (other != apex_) {
        Corner* const next = apex_ - step;
        if (sign * cross(next->direction, direction) >= 0) break;
        const Vec2 beyond = tangent_direction(next->circle, circle);
        if (sign * cross(next->direction, beyond) >= 0) {
          if (!kGoal) {
            retract_ = false;
            end_[side] = apex_;
            return false;
          }
          disturb(apex_->stage);
          break;
        }
        apex_ = next;
        scratch_.path.push_back(*next);
        direction = beyond;
      }
      own = apex_;
      retract_ = apex_->circle.offset * cross(apex_->direction, direction) < 0;
      if (retract_) {
        end_[side] = apex_;
        return false;
      }
    }
    own += step;
    *own = {circle, direction, vertex, stage};
    end_[side] = own;
    return true;
  }

  /// Circles of one portal, seen from the apex, can touch the lines of sight in an order other than that of the corridor, by up
  /// to a radius. Two things follow: the other chain's first corner may lie beyond the new one although their tangents cross, and
  /// a bend that was certain for one chain may turn out needless for the other. In both cases the other chain is put aside and
  /// goes round the new circle.
  template <bool kGoal>
  [[gnu::noinline]] void add_out_of_order(unsigned side, const Corner& corner) {
    auto& held = scratch_.held;
    held.clear();
    const unsigned opposite = side ^ 1u;
    for (const Corner* at = apex_; at != end_[opposite];) held.push_back(*(at += kStep[opposite]));
    do {
      end_[0] = end_[1] = apex_;
      if (!retract_) continue;
      const Corner before = scratch_.path.size() > 1 ? scratch_.path[scratch_.path.size() - 2] : start_;
      scratch_.path.pop_back();
      *apex_ = before;
    } while (!extend<kGoal>(side, corner.circle, corner.vertex, corner.stage));
    disturb(scratch_.path.size() > 1 ? scratch_.path[scratch_.path.size() - 2].stage : 0);
    for (const Corner& other : held) extend<false>(opposite, other.circle, other.vertex, other.stage);
  }

  /// The corners between two portals on one side of the cell. A way goes beyond the chord between the portals' ends only where
  /// the circles of the opposite ends push it there, so a corner further outside than by the radius and that push is out of
  /// reach.
  template <bool kExtras>
  [[gnu::noinline]] void add_chain(unsigned side, const Portal& entrance, unsigned entrance_end, const Portal& portal,
                                   unsigned end) {
    const std::uint32_t entry = entrance.side[entrance_end ^ 1u], exit = portal.side[end], count = portal.side_count[end];
    const auto after = [count](std::uint32_t i) { return i + 1 == count ? 0 : i + 1; };
    const auto before = [count](std::uint32_t i) { return i == 0 ? count - 1 : i - 1; };
    const std::uint32_t first = side == kLeft ? before(entry) : after(after(entry));
    const std::uint32_t stop = side == kLeft ? after(exit) : exit;
    const Side* const sides = cells_.sides.data() + cells_.side_start[portal.cell[end]];
    const Vec2 origin = to_metres(entrance.position[entrance_end ^ side]);
    const Vec2 chord = kSign[side] * (to_metres(portal.position[end ^ side]) - origin);
    // Heights over the chord, outwards, times its length.
    const auto height_of = [&](Vec2 p) { return cross(chord, p - origin); };
    const double limit = radius_ * std::sqrt(dot(chord, chord));
    const double opposite = std::max(height_of(to_metres(entrance.position[entrance_end ^ side ^ 1u])),
                                     height_of(to_metres(portal.position[end ^ side ^ 1u])));
    const double reach = limit + std::max(0.0, limit + opposite);
    for (std::uint32_t i = first; i != stop; i = side == kLeft ? before(i) : after(i)) {
      const std::uint32_t vertex = sides[i].vertex;
      if (height_of(cells_.position(vertex)) >= reach) continue;
      const Side& previous = sides[before(i)];
      const bool straight_wall =
          sides[i].portal == kNoPortal && previous.portal == kNoPortal &&
          orient(cells_.vertices[previous.vertex], cells_.vertices[vertex], cells_.vertices[sides[after(i)].vertex]) == 0;
      if (straight_wall) continue;
      if (kExtras) add_extras(side, vertex);
      make_room();
      add(side, vertex, cells_.position(vertex));
    }
  }

  /// From a stage up to the present one circles came in another order than that in which a way touches them.
  void disturb(std::uint32_t from) { scratch_.disturbed.push_back({from, stage_}); }

  /// Portals and extras have their room in the queue; corners between portals, of which there are few, use up what is spare.
  void make_room() {
    if (spare_-- > 0) return;
    const std::size_t half = scratch_.queue.size() / 2;
    std::vector<Corner> bigger(4 * half + 1);
    const auto moved = [&](Corner* at) { return bigger.data() + half + (at - scratch_.queue.data()); };
    std::copy(end_[kLeft], end_[kRight] + 1, moved(end_[kLeft]));
    apex_ = moved(apex_);
    for (Corner*& end : end_) end = moved(end);
    scratch_.queue.swap(bigger);
    spare_ = half;
  }

  /// Extra corners of this stage and side, up to where `limit` (a corner of the chain) lies on their leg.
  void add_extras(unsigned side, std::uint32_t limit = kNoVertex) {
    auto& extras = scratch_.extras;
    for (std::size_t i = next_extra_; i < extras.size() && extras[i].stage == stage_; ++i) {
      Extra& extra = extras[i];
      if (extra.done || extra.on_left != (side == kLeft)) continue;
      if (limit != kNoVertex && extra.along > dot(extra.leg, cells_.position(limit))) continue;
      extra.done = true;
      if (end_[side]->vertex != extra.vertex) add(side, extra.vertex, cells_.position(extra.vertex));
    }
  }
  void skip_extras() {
    while (next_extra_ < scratch_.extras.size() && scratch_.extras[next_extra_].stage <= stage_) ++next_extra_;
  }

  const Cells& cells_;
  const Corridor& corridor_;
  const double radius_;
  const std::array<double, 2> offset_;  // of a corner, by side
  FunnelScratch& scratch_;
  Corner* apex_ = nullptr;
  std::array<Corner*, 2> end_{};  // of the chains
  std::size_t spare_ = 0;
  bool retract_ = false;
  Corner start_{};
  std::uint32_t stage_ = 0;
  std::size_t next_extra_ = 0;
};

/// Touching points, arcs and the length, from the corners of the path.
void measure(const FunnelScratch& scratch, PulledPath& path) {
  const auto& corners = scratch.path;
  path.bends.resize(corners.size() - 1);
  path.length = 0;
  SignedCircle before = {path.start, 0};
  Vec2 in;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const SignedCircle& circle = corners[i].circle;
    const Tangent leg = unit_tangent(before, circle, corners[i].direction);
    if (i > 0) {
      Bend& bend = path.bends[i - 1];
      if (before.offset != 0) path.length += std::abs(before.offset) * turning_angle(before, in, leg.direction);
      bend.leave = touching_point(before, leg.direction);
      bend.turns_left = before.offset != 0 ? before.offset > 0 : cross(in, leg.direction) > 0;
    }
    if (i + 1 < corners.size()) {
      path.bends[i].arrive = touching_point(circle, leg.direction);
      path.bends[i].vertex = corners[i].vertex;
    }
    path.length += leg.length;
    before = circle;
    in = leg.direction;
  }
}

/// The funnel from start to goal, again while corners turn up too close to its end legs.
void pull_forward(const Cells& cells, const Corridor& corridor, double radius, FunnelScratch& scratch, PulledPath& path) {
  scratch.extras.clear();
  scratch.disturbed.clear();
  scratch.open_ground = false;
  Funnel funnel(cells, corridor, radius, scratch);
  for (int round = 0; round < kMaxRounds; ++round) {
    funnel.run(path.start, path.goal);
    measure(scratch, path);
    if (radius <= 0) return;
    if (!EndLegs(cells, corridor, path, scratch).find()) break;
    for (Extra& e : scratch.extras) {
      e.done = false;
      scratch.disturbed.push_back({e.stage, e.stage});  // to be sure that they came in order
    }
  }
  for (std::size_t i = 0; i + 1 < scratch.path.size(); ++i)
    if (const Corner& corner = scratch.path[i]; cells.facing[corner.vertex] < 2 * radius && corner.circle.offset != 0)
      if (is_squeezed(cells, scratch, path, i)) scratch.disturbed.push_back({corner.stage, corner.stage});
}

/// Where a body on the path reaches deepest into walls, if by more than rounding; by how much, and at which leg or the bend after
/// it.
struct Miss {
  double depth = 0;
  std::size_t leg = 0;
};

/// Looks at the disturbed stages of the path, at the corridor's cells and those behind free sides within
/// reach. Overlaps that start and goal themselves have are theirs.
Miss find_miss(const Cells& cells, FunnelScratch& scratch, const PulledPath& path) {
  const double radius = path.radius;
  Miss worst{kDepthTolerance, 0};
  Vec2 from = path.start;
  std::uint32_t stage = 0;  // of the corner where the leg begins
  for (std::size_t i = 0; i < scratch.path.size(); ++i) {
    const Corner& corner = scratch.path[i];
    const bool is_goal = corner.vertex == kNoVertex;
    const Vec2 to = is_goal ? path.goal : path.bends[i].arrive;
    // Circles that came out of order need not be in the order of their portals, either.
    const std::uint32_t low = std::min(stage, corner.stage), high = std::max(stage, corner.stage);
    const bool is_disturbed = std::any_of(scratch.disturbed.begin(), scratch.disturbed.end(),
                                          [&](const FunnelScratch::Stages& s) { return high >= s.first && low <= s.last; });
    if (is_disturbed) {
      std::size_t end = high + 1;
      while (end < scratch.cells.size() && !is_goal && has_corner(cells, scratch.cells[end], corner.vertex)) ++end;
      const auto look = [&](const LegPart& part, double reach, std::size_t begin, auto overlap) {
        scratch.visited.assign(scratch.cells.begin() + static_cast<std::ptrdiff_t>(begin),
                               scratch.cells.begin() + static_cast<std::ptrdiff_t>(end));
        for_sides_near(cells, part, reach, scratch.visited.size() + kMaxCellsNear, scratch.visited,
                       [&](const Side& side, std::uint32_t, Vec2 a, Vec2 b) {
                         if (side.portal != kNoPortal) return;  // a corner of a wall is an end of a wall
                         if (const double depth = overlap(a, b); depth > worst.depth) worst = {depth, i};
                       });
      };
      const double whole = distance(from, to);
      look({from, normalised(to - from), 0, whole}, radius, low, [&](Vec2 a, Vec2 b) {
        const double depth = overlap_of_leg(whole, radius, a, b);
        const bool given = (i == 0 && radius - distance_to_wall({0, 0}, a, b) >= depth) ||
                           (is_goal && radius - distance_to_wall({whole, 0}, a, b) >= depth);
        return given ? 0 : depth;
      });
      if (corner.circle.offset != 0) {
        const Vec2 centre = corner.circle.centre;
        const PathArc arc = {{0, 0}, to - centre, path.bends[i].leave - centre, corner.circle.offset > 0};
        look({centre, {1, 0}, 0, 0}, 2 * radius, low, [&](Vec2 a, Vec2 b) { return overlap_of_arc(arc, radius, a, b); });
      }
    }
    if (is_goal) break;
    from = path.bends[i].leave;
    stage = corner.stage;
  }
  return worst.depth > kDepthTolerance ? worst : Miss{};
}

void reverse(PulledPath& path) {
  std::swap(path.start, path.goal);
  std::reverse(path.bends.begin(), path.bends.end());
  for (Bend& bend : path.bends) {
    std::swap(bend.arrive, bend.leave);
    bend.turns_left = !bend.turns_left;
  }
}

/// Takes the path as the corners that its bends name; everything is to be looked at again.
void take_bends(const Cells& cells, FunnelScratch& scratch, PulledPath& path) {
  scratch.path.clear();
  SignedCircle before = {path.start, 0};
  std::uint32_t stage = 0;
  const auto put = [&](const SignedCircle& circle, std::uint32_t vertex) {
    scratch.path.push_back({circle, tangent_direction(before, circle), vertex, stage});
    before = circle;
  };
  const auto last = static_cast<std::uint32_t>(scratch.cells.size() - 1);
  for (const Bend& bend : path.bends) {
    std::uint32_t cell = stage;
    while (cell <= last && !has_corner(cells, scratch.cells[cell], bend.vertex)) ++cell;
    if (cell > 0 && cell <= last) stage = std::max(stage, cell - 1);  // else a corner beside the corridor
    const bool open = cells.vertex_kind[bend.vertex] == VertexKind::kOpen;
    put({cells.position(bend.vertex), open ? 0 : (bend.turns_left ? path.radius : -path.radius)}, bend.vertex);
  }
  stage = last;
  put({path.goal, 0}, kNoVertex);
  measure(scratch, path);
  scratch.disturbed.assign(1, {0, last});
}

/// Bends of `path` up to one that both have, then those of `other`; false if they share none.
bool join(const PulledPath& other, PulledPath& path) {
  for (std::size_t i = 0; i < path.bends.size(); ++i)
    for (std::size_t j = 0; j < other.bends.size(); ++j) {
      if (path.bends[i].vertex != other.bends[j].vertex || path.bends[i].turns_left != other.bends[j].turns_left) continue;
      path.bends.resize(i);
      path.bends.insert(path.bends.end(), other.bends.begin() + static_cast<std::ptrdiff_t>(j), other.bends.end());
      return true;
    }
  return false;
}

/// What to do about a path that misses corners: pull from the goal, whose funnel forgets others, and join the good halves; if
/// that misses one too, search. False if the corridor has no room.
bool mend(const Cells& cells, const Corridor& corridor, FunnelScratch& scratch, PulledPath& path) {
  const Miss miss = find_miss(cells, scratch, path);
  if (miss.depth <= 0) return true;
  PulledPath& back = scratch.back;
  back.start = path.goal;
  back.goal = path.start;
  back.radius = path.radius;
  scratch.reversed.portals.assign(corridor.portals.rbegin(), corridor.portals.rend());
  scratch.reversed.first_cell = scratch.cells.back();
  pull_forward(cells, scratch.reversed, path.radius, scratch, back);
  Miss back_miss = find_miss(cells, scratch, back);
  back_miss.leg = back.bends.size() - back_miss.leg;
  reverse(back);
  std::reverse(scratch.cells.begin(), scratch.cells.end());
  // Each is right where it began: the forward one before its miss, the backward one after its own.
  if (back_miss.depth > 0 && miss.leg > back_miss.leg && join(back, path)) {
    take_bends(cells, scratch, path);
    back_miss = find_miss(cells, scratch, path);
  } else if (back_miss.depth < miss.depth) {
    std::swap(path, back);
  }
  if (back_miss.depth <= 0) return true;
  if (!search_tangents(cells, corridor, scratch.cells, path)) return false;
  take_bends(cells, scratch, path);
  return true;
}

/// Places are put into cells by their nearest point of the grid, so start and goal may lie behind a portal of their cell by half
/// a unit. A corridor that goes through it has crossed it already, and from there it is seen the wrong way round.
bool lies_beyond(const Cells& cells, CellIndex cell, PortalIndex p, Vec2 place) {
  const Portal& portal = cells.portals[p];
  const Vec2 a = to_metres(portal.position[0]), d = to_metres(portal.position[1]) - a;
  if ((portal.cell[0] == cell ? 1 : -1) * cross(d, place - a) >= 0) return false;
  const double along = dot(d, place - a);  // beyond its ends the place is in its cell, which can be reflex by a rounding
  return along > 0 && along < dot(d, d);
}

/// The part of the corridor that is still to be crossed, in scratch.rest; false if that is all of it.
bool drop_crossed(const Cells& cells, const Corridor& corridor, const PulledPath& path, FunnelScratch& scratch) {
  const auto& row = scratch.cells;
  std::size_t first = 0, last = corridor.portals.size();
  while (first < last && lies_beyond(cells, row[first], corridor.portals[first], path.start)) ++first;
  while (first < last && lies_beyond(cells, row[last], corridor.portals[last - 1], path.goal)) --last;
  if (last - first == corridor.portals.size()) return false;
  scratch.rest.first_cell = row[first];
  scratch.rest.portals.assign(corridor.portals.begin() + static_cast<std::ptrdiff_t>(first),
                              corridor.portals.begin() + static_cast<std::ptrdiff_t>(last));
  return true;
}

}  // namespace

bool pull(const Cells& cells, const Corridor& corridor, Vec2 start, Vec2 goal, double radius, FunnelScratch& scratch,
          PulledPath& path) {
  path.start = start;
  path.goal = goal;
  path.radius = radius;
  pull_forward(cells, corridor, radius, scratch, path);
  const bool is_shorter = drop_crossed(cells, corridor, path, scratch);
  const Corridor& rest = is_shorter ? scratch.rest : corridor;
  if (is_shorter) pull_forward(cells, rest, radius, scratch, path);
  return scratch.disturbed.empty() || mend(cells, rest, scratch, path);
}

}  // namespace throng
