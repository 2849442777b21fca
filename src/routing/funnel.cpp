// SPDX-License-Identifier: MIT
#include "routing/funnel.hpp"

#include <algorithm>
#include <cmath>

#include "routing/end_legs.hpp"

namespace throng {
namespace {

using Corner = FunnelScratch::Corner;
using Extra = FunnelScratch::Extra;
constexpr std::uint32_t kNoVertex = FunnelScratch::kNoVertex;
constexpr int kLeft = 1, kRight = -1;
constexpr int kMaxRounds = 16;  // each adds a corner near an end leg; two or three happen, more never did

/// One run of the funnel. The queue lives in the middle of an array: the left chain grows down from the apex, the right chain up.
class Funnel {
 public:
  Funnel(const Cells& cells, const Corridor& corridor, double radius, FunnelScratch& scratch)
      : cells_(cells), corridor_(corridor), radius_(radius), scratch_(scratch) {
    auto& row = scratch.cells;
    row.clear();
    row.push_back(corridor.first_cell);
    std::size_t sides = cells.sides_of(corridor.first_cell).size();
    for (PortalIndex p : corridor.portals) {
      const Portal& portal = cells.portals[p];
      const int beyond = portal.cell[0] == row.back() ? 1 : 0;
      row.push_back(portal.cell[beyond]);
      sides += portal.side_count[beyond];
    }
    capacity_ = sides + 2;
  }

  void run(Vec2 start, Vec2 goal) {
    const std::size_t half = capacity_ + scratch_.extras.size();
    if (scratch_.queue.size() < 2 * half + 1) scratch_.queue.resize(2 * half + 1);
    queue_ = scratch_.queue.data() + half;
    lo_ = hi_ = apex_ = 0;
    queue_[0] = start_ = {{start, 0}, {0, 0}, kNoVertex, 0};
    scratch_.path.clear();
    next_extra_ = 0;

    const auto count = static_cast<std::uint32_t>(corridor_.portals.size());
    std::uint32_t old_left = kNoVertex, old_right = kNoVertex;
    Point old_left_at, old_right_at;
    for (stage_ = 0; stage_ < count; ++stage_) {
      const Portal& portal = cells_.portals[corridor_.portals[stage_]];
      // Walking out of cell[0], vertex[1] is on the left.
      const int end = portal.cell[0] == scratch_.cells[stage_] ? 0 : 1;
      const std::uint32_t new_left = portal.vertex[1 - end], new_right = portal.vertex[end];
      const Point new_left_at = portal.position[1 - end], new_right_at = portal.position[end];
      const bool chains = radius_ > 0 && stage_ > 0;
      exit_ = portal.side[end];
      side_count_ = portal.side_count[end];
      // The shorter diagonal first, as a Delaunay triangulation of the cell would mostly have it: circles then come nearly in the
      // order in which a way touches them.
      const bool left_first =
          stage_ == 0 || distance_squared(new_left_at, old_right_at) <= distance_squared(old_left_at, new_right_at);
      if (left_first) advance<kLeft>(old_left, new_left, new_left_at, chains);
      advance<kRight>(old_right, new_right, new_right_at, chains);
      if (!left_first) advance<kLeft>(old_left, new_left, new_left_at, chains);
      skip_extras();
      old_left = new_left;
      old_right = new_right;
      old_left_at = new_left_at;
      old_right_at = new_right_at;
      entry_ = portal.side[1 - end];
    }
    add_extras<kLeft>();
    add_extras<kRight>();
    add<kLeft>({goal, 0}, kNoVertex);
    for (int i = apex_ - 1; i >= lo_; --i) scratch_.path.push_back(queue_[i]);
  }

 private:
  template <int kSide>
  void advance(std::uint32_t from, std::uint32_t to, Point to_at, bool chains) {
    if (to != from && chains) add_chain<kSide>(from, to);
    if (next_extra_ < scratch_.extras.size()) add_extras<kSide>();
    if (to != from) add<kSide>(circle(to, to_metres(to_at), kSide), to);
  }

  SignedCircle circle(std::uint32_t vertex, Vec2 centre, int side) const {
    const bool open = cells_.vertex_kind[vertex] == VertexKind::kOpen;
    scratch_.open_ground = scratch_.open_ground || open;
    return {centre, open ? 0 : side * radius_};
  }

  SignedCircle circle(std::uint32_t vertex, int side) const { return circle(vertex, cells_.position(vertex), side); }

  /// Moves the end of one chain to a new circle.
  ///
  /// For points this is Lee & Preparata's step. Circles of one portal, seen from the apex, can touch the lines of sight in an
  /// order other than that of the corridor, by up to a radius. Two things follow: the other chain's first corner may lie beyond
  /// the new one although their tangents cross, and a bend that was certain for one chain may turn out needless for the other. In
  /// both cases the other chain is put aside and goes round the new circle.
  template <int kSide>
  void add(const SignedCircle& circle, std::uint32_t vertex) {
    const Corner corner = {circle, {}, vertex, stage_};
    auto& held = scratch_.held;
    held.clear();
    while (!extend<kSide>(corner)) {
      scratch_.out_of_order = true;
      if (held.empty()) hold<-kSide>();
      if (!retract_) continue;
      const Corner before = scratch_.path.size() > 1 ? scratch_.path[scratch_.path.size() - 2] : start_;
      scratch_.path.pop_back();
      queue_[apex_] = before;
    }
    for (const Corner& other : held) extend<-kSide>(other);
  }

  /// Takes the chain off the queue, and the other one too, which the caller is about to replace.
  template <int kSide>
  void hold() {
    constexpr int kStep = -kSide;
    for (int i = apex_; i != (kSide == kLeft ? lo_ : hi_);) scratch_.held.push_back(queue_[i += kStep]);
    lo_ = hi_ = apex_;
  }

  /// False if the other chain is in the way or, then `retract_`, the apex is needless; the queue is as before but for corners
  /// that the new one makes needless on its own chain.
  template <int kSide>
  bool extend(Corner corner) {
    constexpr int kStep = -kSide;
    const SignedCircle& circle = corner.circle;
    const bool is_goal = corner.vertex == kNoVertex;
    int& own = kSide == kLeft ? lo_ : hi_;
    const int other = kSide == kLeft ? hi_ : lo_;
    retract_ = false;
    while (own != apex_) {
      const Corner& last = queue_[own];
      const Corner& before = queue_[own - kStep];
      bool needless = kSide * cross(last.direction, tangent_direction(before.circle, circle)) <= 0;
      // Round an apex that still is the other end of the portal a wide fan can turn by more than half a circle: then the old
      // corner is behind, which its direction shows against the new portal.
      if (!needless && own - kStep == apex_ && other == apex_)
        needless = kSide * cross(circle.centre - before.circle.centre, last.direction) > 0;
      // The goal may lie before the place where the way to it would touch the corner: leaving the corner would turn the wrong
      // way.
      if (!needless && is_goal) {
        needless = kSide * cross(last.direction, tangent_direction(last.circle, circle)) <= 0;
        scratch_.out_of_order |= needless;
      }
      if (!needless) break;
      own -= kStep;
    }
    corner.direction = tangent_direction(queue_[own].circle, circle);
    if (own == apex_) {
      while (other != apex_) {
        const Corner& next = queue_[apex_ - kStep];
        if (kSide * cross(next.direction, corner.direction) >= 0) break;
        const Vec2 beyond = tangent_direction(next.circle, circle);
        if (kSide * cross(next.direction, beyond) >= 0) {
          if (!is_goal) return false;
          scratch_.out_of_order = true;
          break;
        }
        apex_ -= kStep;
        scratch_.path.push_back(next);
        corner.direction = beyond;
      }
      own = apex_;
      const Corner& apex = queue_[apex_];
      retract_ = apex.circle.offset * cross(apex.direction, corner.direction) < 0;
      if (retract_) return false;
    }
    own += kStep;
    queue_[own] = corner;
    return true;
  }

  /// The corners between two portals on one side of the cell. A path crosses neither chord between portal ends, so a corner
  /// further than the radius outside the chord is out of reach.
  template <int kSide>
  void add_chain(std::uint32_t from, std::uint32_t to) {
    const std::uint32_t count = side_count_;
    const auto after = [count](std::uint32_t i) { return i + 1 == count ? 0 : i + 1; };
    const auto before = [count](std::uint32_t i) { return i == 0 ? count - 1 : i - 1; };
    const std::uint32_t first = kSide == kLeft ? before(entry_) : after(after(entry_));
    const std::uint32_t end = kSide == kLeft ? after(exit_) : exit_;
    if (first == end) return;
    const auto sides = cells_.sides_of(scratch_.cells[stage_]);
    const Vec2 origin = cells_.position(from), chord = cells_.position(to) - origin;
    const double limit = radius_ * radius_ * dot(chord, chord);
    for (std::uint32_t i = first; i != end; i = kSide == kLeft ? before(i) : after(i)) {
      const std::uint32_t vertex = sides[i].vertex;
      const double height = cross(chord, cells_.position(vertex) - origin);
      if (height * height >= limit) continue;
      const Side& previous = sides[before(i)];
      const bool straight_wall =
          sides[i].portal == kNoPortal && previous.portal == kNoPortal &&
          orient(cells_.vertices[previous.vertex], cells_.vertices[vertex], cells_.vertices[sides[after(i)].vertex]) == 0;
      if (straight_wall) continue;
      if (next_extra_ < scratch_.extras.size()) add_extras<kSide>(vertex);
      add<kSide>(circle(vertex, kSide), vertex);
    }
  }

  /// Extra corners of this stage and side, up to where `limit` (a corner of the chain) lies on their leg.
  template <int kSide>
  void add_extras(std::uint32_t limit = kNoVertex) {
    auto& extras = scratch_.extras;
    for (std::size_t i = next_extra_; i < extras.size() && extras[i].stage == stage_; ++i) {
      Extra& extra = extras[i];
      if (extra.done || extra.on_left != (kSide == kLeft)) continue;
      if (limit != kNoVertex && extra.along > dot(extra.leg, cells_.position(limit))) continue;
      extra.done = true;
      if (queue_[kSide == kLeft ? lo_ : hi_].vertex != extra.vertex) add<kSide>(circle(extra.vertex, kSide), extra.vertex);
    }
  }
  void skip_extras() {
    while (next_extra_ < scratch_.extras.size() && scratch_.extras[next_extra_].stage <= stage_) ++next_extra_;
  }

  const Cells& cells_;
  const Corridor& corridor_;
  const double radius_;
  FunnelScratch& scratch_;
  std::size_t capacity_ = 0;
  Corner* queue_ = nullptr;
  int lo_ = 0, hi_ = 0, apex_ = 0;
  bool retract_ = false;
  Corner start_{};
  std::uint32_t stage_ = 0;
  std::size_t next_extra_ = 0;
  // Of the present cell: where the portals before and behind it are among its sides, and how many it has.
  std::uint32_t entry_ = 0, exit_ = 0, side_count_ = 0;
};

/// Touching points, arcs and the length, from the corners of the path.
void measure(const FunnelScratch& scratch, PulledPath& path) {
  path.bends.clear();
  path.length = 0;
  SignedCircle before = {path.start, 0};
  const auto& corners = scratch.path;
  Vec2 in = normalised(corners.front().direction);
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const SignedCircle& circle = corners[i].circle;
    const Vec2 out = normalised(corners[i + 1].direction);
    path.length += tangent_length(before, circle);
    if (circle.offset != 0) path.length += std::abs(circle.offset) * turning_angle(circle, in, out);
    const bool turns_left = circle.offset != 0 ? circle.offset > 0 : cross(in, out) > 0;
    path.bends.push_back({touching_point(circle, in), touching_point(circle, out), corners[i].vertex, turns_left});
    before = circle;
    in = out;
  }
  path.length += tangent_length(before, corners.back().circle);
}

/// The funnel from start to goal, again while corners turn up too close to its end legs.
void pull_forward(const Cells& cells, const Corridor& corridor, double radius, FunnelScratch& scratch, PulledPath& path) {
  scratch.extras.clear();
  scratch.out_of_order = false;
  scratch.open_ground = false;
  Funnel funnel(cells, corridor, radius, scratch);
  for (int round = 0; round < kMaxRounds; ++round) {
    funnel.run(path.start, path.goal);
    measure(scratch, path);
    if (radius <= 0 || !EndLegs(cells, corridor, path, scratch).find()) return;
    for (Extra& e : scratch.extras) e.done = false;
    scratch.out_of_order = true;
  }
}

/// The corner of the corridor's cells that a leg of the path comes closest to, if closer than the radius; by how much, and at
/// which leg.
struct Miss {
  double depth = 0;
  std::size_t leg = 0;
};
Miss find_miss(const Cells& cells, const FunnelScratch& scratch, const PulledPath& path) {
  const auto has = [&](CellIndex c, std::uint32_t vertex) {
    const auto sides = cells.sides_of(c);
    return std::any_of(sides.begin(), sides.end(), [&](const Side& s) { return s.vertex == vertex; });
  };
  Miss worst;
  Vec2 from = path.start;
  std::size_t low = 0;  // where the cells of a leg begin: at the first that has the corner it leaves
  for (std::size_t i = 0; i <= path.bends.size(); ++i) {
    const Vec2 to = i < path.bends.size() ? path.bends[i].arrive : path.goal;
    std::size_t first = low, end = scratch.cells.size();
    if (i < path.bends.size()) {
      while (first < end && !has(scratch.cells[first], path.bends[i].vertex)) ++first;
      if (first == end) {
        first = low;  // a corner beside the corridor
      } else {
        end = first;
        while (end < scratch.cells.size() && has(scratch.cells[end], path.bends[i].vertex)) ++end;
      }
    }
    const double whole = distance(from, to);
    const Vec2 direction = normalised(to - from);
    for (std::size_t k = low; k < end; ++k)
      for (const Side& side : cells.sides_of(scratch.cells[k])) {
        const Vec2 d = cells.position(side.vertex) - from;
        const double along = dot(d, direction), depth = path.radius - std::abs(cross(direction, d));
        if (depth > std::max(worst.depth, 1e-7) && along > 0 && along < whole &&
            cells.vertex_kind[side.vertex] != VertexKind::kOpen)
          worst = {depth, i};
      }
    low = first;
    if (i < path.bends.size()) from = path.bends[i].leave;
  }
  return worst;
}

void reverse(PulledPath& path) {
  std::swap(path.start, path.goal);
  std::reverse(path.bends.begin(), path.bends.end());
  for (Bend& bend : path.bends) {
    std::swap(bend.arrive, bend.leave);
    bend.turns_left = !bend.turns_left;
  }
}

/// Bends of `path` up to one that both have, then those of `other`; false if they share none.
bool join(const Cells& cells, const PulledPath& other, FunnelScratch& scratch, PulledPath& path) {
  for (std::size_t i = 0; i < path.bends.size(); ++i)
    for (std::size_t j = 0; j < other.bends.size(); ++j) {
      if (path.bends[i].vertex != other.bends[j].vertex || path.bends[i].turns_left != other.bends[j].turns_left) continue;
      path.bends.resize(i);
      path.bends.insert(path.bends.end(), other.bends.begin() + static_cast<std::ptrdiff_t>(j), other.bends.end());
      scratch.path.clear();
      SignedCircle before = {path.start, 0};
      const auto put = [&](const SignedCircle& circle, std::uint32_t vertex) {
        scratch.path.push_back({circle, tangent_direction(before, circle), vertex, 0});
        before = circle;
      };
      for (const Bend& bend : path.bends) {
        const bool open = cells.vertex_kind[bend.vertex] == VertexKind::kOpen;
        put({cells.position(bend.vertex), open ? 0 : (bend.turns_left ? kLeft : kRight) * path.radius}, bend.vertex);
      }
      put({path.goal, 0}, kNoVertex);
      measure(scratch, path);
      return true;
    }
  return false;
}

void mend(const Cells& cells, const Corridor& corridor, FunnelScratch& scratch, PulledPath& path) {
  const Miss miss = find_miss(cells, scratch, path);
  if (miss.depth <= 0) return;
  PulledPath& back = scratch.back;
  back.start = path.goal;
  back.goal = path.start;
  back.radius = path.radius;
  scratch.reversed.portals.assign(corridor.portals.rbegin(), corridor.portals.rend());
  scratch.reversed.first_cell = scratch.cells.back();
  pull_forward(cells, scratch.reversed, path.radius, scratch, back);
  Miss back_miss = find_miss(cells, scratch, back);  // before it is turned round: cells are in its order
  back_miss.leg = back.bends.size() - back_miss.leg;
  reverse(back);
  // Each is right where it began: the forward one before its miss, the backward one after its own.
  if (back_miss.depth > 0 && miss.leg > back_miss.leg && join(cells, back, scratch, path)) return;
  if (back_miss.depth < miss.depth) std::swap(path, back);
}

}  // namespace

void pull(const Cells& cells, const Corridor& corridor, Vec2 start, Vec2 goal, double radius, FunnelScratch& scratch,
          PulledPath& path) {
  path.start = start;
  path.goal = goal;
  path.radius = radius;
  pull_forward(cells, corridor, radius, scratch, path);
  if (scratch.out_of_order) mend(cells, corridor, scratch, path);
}

}  // namespace throng
