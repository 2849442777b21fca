// SPDX-License-Identifier: MIT
#include "routing/shortest.hpp"

#include <algorithm>
#include <cmath>

#include "routing/access.hpp"
#include "routing/bend_corners.hpp"

namespace throng {
namespace {

using Node = ShortestScratch::Node;
using Limit = ShortestScratch::Limit;
using Step = ShortestScratch::Step;
constexpr std::uint32_t kPassed = ShortestScratch::kPassed, kOpen = ShortestScratch::kOpen, kNobody = ShortestScratch::kNobody;
constexpr int kLeft = 1, kRight = -1;
constexpr int index_of(int side) { return side == kLeft ? 1 : 0; }

// Directions that differ by less count as one, and the newer corner wins: of corners in line none may be lost by rounding, and
// over a kilometre this is a hundredth of a micrometre.
constexpr double kSameDirection = 1e-11;
constexpr double kSameLength = 1e-10;
// How far a view may be stretched that no straight line justifies (see close): without a bound it could go in circles.
constexpr std::uint32_t kMaxKeptOpen = 8;

class Search {
 public:
  Search(const Cells& cells, Vec2 start, Vec2 goal, double radius, std::span<const std::uint8_t> blocked,
         ShortestScratch& scratch)
      : cells_(cells), start_(start), goal_(goal), radius_(radius), blocked_(blocked), scratch_(scratch) {}

  bool run(CellIndex start_cell, CellIndex goal_cell, Corridor& corridor, PulledPath& path) {
    prepare();
    find_cells_at(start_, start_cell, scratch_.start_cells);
    find_cells_at(goal_, goal_cell, scratch_.goal_cells);
    scratch_.goal_triangles.clear();
    for (CellIndex c : scratch_.goal_cells) scratch_.goal_triangles.push_back(triangle_in_cell(cells_, c, goal_));
    for (CellIndex c : scratch_.start_cells) {
      if (is_blocked(c)) continue;
      const std::uint32_t triangle = triangle_in_cell(cells_, c, start_);
      if (const auto at = goal_index(c); at < scratch_.goal_cells.size()) {
        const std::uint32_t base = cells_.triangle_start[c];
        if (radius_ <= 0 ||
            inner_width(cells_, c, triangle - base, scratch_.goal_triangles[at] - base, scratch_.inner) >= 2 * radius_)
          try_corridor(c, kPassed, corridor, path);
      }
      begin_in(c, triangle);
    }
    auto& heap = scratch_.heap;
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      const auto [bound, index] = heap.back();
      heap.pop_back();
      if (bound >= best_ - kSameLength) break;
      const Node node = scratch_.nodes[index];
      if (node.root_vertex != kNobody && was_beaten(node)) continue;
      ++scratch_.expanded;
      if (const auto at = goal_index(node.cell); at < scratch_.goal_cells.size()) {
        const std::uint32_t slot = cells_.portals[node.portal].slot[cells_.end_of(node.portal, node.cell)];
        if (radius_ <= 0 || access_width(cells_, node.cell, scratch_.goal_triangles[at], slot) >= 2 * radius_)
          try_corridor(kNoCell, index, corridor, path);
      }
      expand(node, index);
    }
    return best_ < kNever;
  }

 private:
  static constexpr double kNever = 1e300;

  void prepare() {
    scratch_.nodes.clear();
    scratch_.heap.clear();
    scratch_.arrivals.clear();
    scratch_.expanded = 0;
    if (scratch_.arrival_stamp.size() < 2 * cells_.vertices.size()) {
      scratch_.arrival_stamp.assign(2 * cells_.vertices.size(), 0);
      scratch_.first_arrival.resize(2 * cells_.vertices.size());
      scratch_.stamp = 0;
    }
    if (++scratch_.stamp == 0) {
      std::fill(scratch_.arrival_stamp.begin(), scratch_.arrival_stamp.end(), 0);
      scratch_.stamp = 1;
    }
  }

  bool is_blocked(CellIndex c) const { return !blocked_.empty() && blocked_[c] != 0; }

  std::size_t goal_index(CellIndex c) const {
    return static_cast<std::size_t>(std::find(scratch_.goal_cells.begin(), scratch_.goal_cells.end(), c) -
                                    scratch_.goal_cells.begin());
  }

  /// The cell and its neighbours across portals on which the place lies.
  void find_cells_at(Vec2 place, CellIndex cell, std::vector<CellIndex>& found) const {
    found.assign(1, cell);
    for (std::size_t i = 0; i < found.size(); ++i)
      for (PortalIndex p : cells_.portals_of(found[i])) {
        const Vec2 a = cells_.position(cells_.portals[p].vertex[0]), d = cells_.position(cells_.portals[p].vertex[1]) - a;
        const double t = std::clamp(dot(place - a, d) / dot(d, d), 0.0, 1.0);
        const CellIndex other = cells_.across(p, found[i]);
        if (distance(place, a + t * d) < 1e-9 && std::find(found.begin(), found.end(), other) == found.end())
          found.push_back(other);
      }
  }

  SignedCircle circle(std::uint32_t vertex, int side) const {
    const double offset = cells_.vertex_kind[vertex] == VertexKind::kOpen ? 0 : side * radius_;
    return {cells_.position(vertex), offset};
  }

  /// Limit that a corner sets to what the root sees; open if the root stands on the corner.
  Limit limit_at(const SignedCircle& root, std::uint32_t vertex, int side) const {
    const Vec2 tangent = tangent_direction(root, circle(vertex, side));
    const double l = length(tangent);
    return l > 0 ? Limit{(1 / l) * tangent, vertex, false} : Limit{{0, 0}, kOpen, false};
  }

  void ends(PortalIndex p, CellIndex from, std::uint32_t& left_end, std::uint32_t& right_end) const {
    const int end = cells_.end_of(p, from);
    left_end = cells_.portals[p].vertex[1 - end];
    right_end = cells_.portals[p].vertex[end];
  }

  bool is_worth_entering(CellIndex c) const {
    return !is_blocked(c) && (cells_.portals_of(c).size() > 1 || goal_index(c) < scratch_.goal_cells.size());
  }

  void begin_in(CellIndex c, std::uint32_t triangle) {
    const auto portals = cells_.portals_of(c);
    for (std::uint32_t slot = 0; slot < portals.size(); ++slot) {
      const CellIndex next = cells_.across(portals[slot], c);
      if (!is_worth_entering(next) || (radius_ > 0 && access_width(cells_, c, triangle, slot) < 2 * radius_)) continue;
      Node node{};
      node.root = {start_, 0};
      node.root_vertex = node.root_arrival = kNobody;
      node.parent = kPassed;
      std::uint32_t left_end, right_end;
      ends(portals[slot], c, left_end, right_end);
      node.limit[1] = limit_at(node.root, left_end, kLeft);
      node.limit[0] = limit_at(node.root, right_end, kRight);
      scratch_.strip.clear();
      scratch_.pending.clear();
      settle<kLeft>(node, right_end, 0, c);
      const std::size_t count = scratch_.pending.size();
      for (std::size_t i = 0; i < count; ++i) settle<kRight>(Node(scratch_.pending[i].state), left_end, 0, c);
      for (std::size_t i = count; i < scratch_.pending.size(); ++i) push(scratch_.pending[i].state, portals[slot], c, next);
    }
  }

  void expand(const Node& node, std::uint32_t index) {
    const CellIndex c = node.cell;
    const auto portals = cells_.portals_of(c);
    const std::uint32_t slot_in = cells_.portals[node.portal].slot[cells_.end_of(node.portal, c)];
    for (std::uint32_t slot = 0; slot < portals.size(); ++slot) {
      if (slot == slot_in || (radius_ > 0 && cells_.width(c, slot_in, slot) < 2 * radius_)) continue;
      const CellIndex next = cells_.across(portals[slot], c);
      if (!is_worth_entering(next)) continue;
      make_strip(node.portal, portals[slot], c);
      auto& pending = scratch_.pending;
      pending.clear();
      pending.push_back({node, 0});
      pending.back().state.parent = index;
      while (!pending.empty()) {
        const auto [state, step] = pending.back();
        pending.pop_back();
        if (step == scratch_.strip.size())
          push(state, portals[slot], c, next);
        else if (scratch_.strip[step].on_left)
          advance<kLeft>(state, step, c);
        else
          advance<kRight>(state, step, c);
      }
    }
  }

  /// The corners between two portals of a cell, in the order in which triangles of a strip between them would have them.
  void make_strip(PortalIndex in, PortalIndex out, CellIndex c) {
    auto& strip = scratch_.strip;
    strip.clear();
    std::uint32_t in_left, in_right, out_left, out_right;
    ends(in, cells_.across(in, c), in_left, in_right);
    ends(out, c, out_left, out_right);
    std::uint32_t now_left = in_left, now_right = in_right;
    const auto go = [&](std::uint32_t vertex, bool on_left) {
      std::uint32_t& now = on_left ? now_left : now_right;
      if (vertex == now) return;
      strip.push_back({vertex, on_left ? now_right : now_left, now, on_left});
      now = vertex;
    };
    const auto side = [&](bool on_left) {
      const std::uint32_t from = on_left ? in_left : in_right, to = on_left ? out_left : out_right;
      if (from != to && radius_ > 0) {
        const auto sides = cells_.sides_of(c);
        const auto count = static_cast<std::uint32_t>(sides.size());
        const Vec2 origin = cells_.position(from), chord = cells_.position(to) - origin;
        const double near = radius_ * radius_ * dot(chord, chord);
        std::uint32_t i = 0;
        while (sides[i].vertex != from) ++i;
        for (;;) {
          i = on_left ? (i == 0 ? count - 1 : i - 1) : (i + 1 == count ? 0 : i + 1);
          if (sides[i].vertex == to) break;
          const double height = cross(chord, cells_.position(sides[i].vertex) - origin);
          if (height * height < near) go(sides[i].vertex, on_left);
        }
      }
      go(to, on_left);
    };
    const bool left_first = distance_squared(cells_.vertices[out_left], cells_.vertices[in_right]) <=
                            distance_squared(cells_.vertices[in_left], cells_.vertices[out_right]);
    side(left_first);
    side(!left_first);
  }

  /// Whether the tangent touches the corner's circle only behind the diagonal from the corner to `other`; points: always.
  template <int kSide>
  bool touches_behind(const Limit& limit, std::uint32_t other) const {
    const SignedCircle round = circle(limit.vertex, kSide);
    if (round.offset == 0) return true;
    const Vec2 touch = touching_point(round, limit.direction) - round.centre;
    return kSide * cross(cells_.position(other) - round.centre, touch) > 0;
  }

  /// The state after turning round the corner that a limit touches, with what it sees still to be set; false if that corner has
  /// been reached cheaper.
  template <int kSide>
  bool turn(const Node& state, const Limit& limit, CellIndex c, Node& turned) {
    if (!can_bend_at(cells_, limit.vertex, c, blocked_)) return false;
    turned = state;
    turned.root = circle(limit.vertex, kSide);
    turned.root_vertex = limit.vertex;
    turned.root_cell = c;
    turned.arrival = limit.direction;
    turned.kept_open = 0;
    turned.length = state.length + tangent_length(state.root, turned.root);
    if (state.root.offset != 0) turned.length += radius_ * turning_angle(state.root, state.arrival, limit.direction);
    return remember(turned, 2 * limit.vertex + (kSide == kLeft ? 1 : 0));
  }

  /// Queues a state that has come to a diagonal whose new end (on side kSide) limits it. If the tangent touches that corner's
  /// circle before the diagonal, the way can turn round it already here.
  template <int kSide>
  void settle(Node state, std::uint32_t pivot, std::uint32_t at, CellIndex c) {
    Limit& own = state.limit[index_of(kSide)];
    if (own.vertex < kNobody && !own.is_turned && !touches_behind<kSide>(own, pivot)) {
      Node turned;
      if (turn<kSide>(state, own, c, turned)) {
        turned.limit[index_of(kSide)] = {{0, 0}, kOpen, false};
        turned.limit[index_of(-kSide)] = {own.direction, kPassed, true};
        const Limit across = limit_at(turned.root, pivot, -kSide);
        if (kSide * cross(own.direction, across.direction) >= -kSameDirection && dot(own.direction, across.direction) > 0)
          turned.limit[index_of(-kSide)] = across;
        scratch_.pending.push_back({turned, at});
      }
      own.is_turned = true;
    }
    scratch_.pending.push_back({state, at});
  }

  /// Carries a state over one triangle of the strip: corner `old` gives way to `step.vertex` on side kSide; `pivot` stays.
  template <int kSide>
  void advance(Node state, std::uint32_t at, CellIndex c) {
    constexpr int kOwn = index_of(kSide), kOther = index_of(-kSide);
    const Step step = scratch_.strip[at];

    // Round the corner that is left behind.
    Limit& own = state.limit[kOwn];
    Limit& other = state.limit[kOther];
    if (own.vertex == step.old && !own.is_turned && touches_behind<kSide>(own, step.pivot)) {
      Node turned;
      if (turn<kSide>(state, own, c, turned)) {
        const Limit beyond = limit_at(turned.root, step.vertex, kSide);
        if (kSide * cross(own.direction, beyond.direction) >= -kSameDirection) {
          turned.limit[kOwn] = beyond;
          turned.limit[kOther] = {own.direction, kPassed, true};
          const Limit across = limit_at(turned.root, step.pivot, -kSide);
          if (kSide * cross(own.direction, across.direction) >= -kSameDirection && dot(own.direction, across.direction) > 0 &&
              radius_ > 0)
            turned.limit[kOther] = across;
          if (kSide * cross(turned.limit[kOther].direction, beyond.direction) >= -kSameDirection)
            settle<kSide>(turned, step.pivot, at + 1, c);
        }
      }
    }
    const Limit ahead = limit_at(state.root, step.vertex, kSide);
    // Round the pivot, if the tangent touches it within this triangle; a point turns there when the next diagonal is out of
    // sight.
    if (other.vertex == step.pivot && !other.is_turned && touches_behind<-kSide>(other, step.old) &&
        (radius_ > 0 ? !touches_behind<-kSide>(other, step.vertex)
                     : kSide * cross(other.direction, ahead.direction) < -kSameDirection)) {
      Node turned;
      if (turn<-kSide>(state, other, c, turned)) {
        turned.limit[kOther] = {{0, 0}, kOpen, false};
        turned.limit[kOwn] = {other.direction, kPassed, true};
        const Limit across = limit_at(turned.root, step.vertex, kSide);
        if (-kSide * cross(other.direction, across.direction) >= -kSameDirection) turned.limit[kOwn] = across;
        settle<kSide>(turned, step.pivot, at + 1, c);
      }
      other.is_turned = true;
    }
    // Straight on. The tangent turns inwards from the direction of the corner by up to a quarter, so where the corner itself
    // already lies beyond a limit the sign of the tangent alone could be that of more than half a turn.
    const Vec2 centre = cells_.position(step.vertex) - state.root.centre;
    const auto is_inside = [&](Vec2 limit) {  // on the other limit's side of `limit`
      return -kSide * cross(limit, centre) > 1e-9 || -kSide * cross(limit, ahead.direction) > kSameDirection;
    };
    if (ahead.vertex == kOpen) {
      own = ahead;
    } else if (other.vertex == kOpen) {
      // The root is the pivot itself: a limit may by now lie behind, which its direction shows against the new diagonal.
      if (kSide * cross(centre, own.direction) > 0 || -kSide * cross(own.direction, ahead.direction) >= -kSameDirection)
        own = ahead;
      else if (own.vertex == step.old)
        own.vertex = kPassed;
    } else if (own.vertex == kOpen || is_inside(own.direction) ||
               -kSide * cross(own.direction, ahead.direction) >= -kSameDirection) {
      if (is_inside(other.direction)) return close<kSide>(state, ahead, step, at, c);
      own = ahead;
    } else if (own.vertex == step.old) {
      own.vertex = kPassed;
    }
    settle<kSide>(state, step.pivot, at + 1, c);
  }

  /// No straight line passes both circles. Points: nothing is seen beyond. Circles may still be passed one after the other where
  /// a way turns round the nearer one before it comes to the further (as in the funnel): keep what may, the pulled length
  /// decides.
  template <int kSide>
  void close(const Node& state, const Limit& ahead, const Step& step, std::uint32_t at, CellIndex c) {
    if (radius_ <= 0) return;
    // A corner without size is seen past or it is not.
    if (cells_.vertex_kind[step.vertex] == VertexKind::kOpen || cells_.vertex_kind[step.pivot] == VertexKind::kOpen) return;
    constexpr int kOwn = index_of(kSide), kOther = index_of(-kSide);
    const Limit& other = state.limit[kOther];
    if (other.vertex != step.pivot) return;
    // The pivot is further on than the new corner: leaving it for the corner would turn the wrong way.
    const Vec2 back = tangent_direction(circle(step.pivot, -kSide), circle(step.vertex, kSide));
    const double turn_at_root = state.root.offset * cross(state.arrival, ahead.direction);
    if (kSide * cross(other.direction, back) >= 0 && turn_at_root >= -kSameDirection &&
        dot(other.direction, ahead.direction) > 0 && state.kept_open < kMaxKeptOpen) {
      Node kept = state;
      ++kept.kept_open;
      kept.limit[kOwn] = ahead;
      kept.limit[kOther] = {ahead.direction, step.pivot, true};
      settle<kSide>(kept, step.pivot, at + 1, c);
    }
    // The new corner is further on, and hardly in the way of a line along the pivot: see past its circle.
    const double height = cross(other.direction, cells_.position(step.vertex) - state.root.centre) + state.root.offset;
    if (kSide * height > -radius_ && state.limit[kOwn].vertex != kOpen && state.kept_open + 3 < kMaxKeptOpen) {
      Node kept = state;
      kept.kept_open += 3;
      const Vec2 past_it = tangent_direction(state.root, circle(step.vertex, -kSide));
      kept.limit[kOwn] = {normalised(past_it), kPassed, true};
      scratch_.pending.push_back({kept, at + 1});
    }
  }

  /// How long a way that arrives as `a` does is when it gets to where `node` touches the same circle, forward or back along the
  /// arc; kNever if something may lie between.
  double length_there(const ShortestScratch::Arrival& a, const Node& node) const {
    if (node.root.offset == 0) return a.length;
    if (a.cell != node.root_cell || a.length > node.length) return kNever;
    return a.length + radius_ * std::atan2(std::abs(cross(a.direction, node.arrival)), dot(a.direction, node.arrival));
  }

  /// Notes a new root. False if another way has got there and is no longer. The same way may come several times, through several
  /// portals of a fan: only some of them let it turn.
  bool remember(Node& node, std::uint32_t key) {
    const std::uint32_t before = node.root_arrival;
    std::uint32_t first = kPassed;
    if (scratch_.arrival_stamp[key] == scratch_.stamp) first = scratch_.first_arrival[key];
    for (std::uint32_t i = first; i != kPassed; i = scratch_.arrivals[i].next) {
      const auto& a = scratch_.arrivals[i];
      if (a.before == before && a.cell == node.root_cell && std::abs(a.length - node.length) <= kSameLength) {
        node.root_arrival = i;
        return true;
      }
      if (a.before != before && length_there(a, node) <= node.length + kSameLength) return false;
    }
    node.root_arrival = static_cast<std::uint32_t>(scratch_.arrivals.size());
    scratch_.arrivals.push_back({node.arrival, node.length, node.root_cell, before, first});
    scratch_.arrival_stamp[key] = scratch_.stamp;
    scratch_.first_arrival[key] = node.root_arrival;
    return true;
  }

  /// Whether a shorter way to the node's root has turned up since.
  bool was_beaten(const Node& node) const {
    for (const int side : {0, 1}) {
      // A body on the other side of the corner is elsewhere; a point is not.
      if (node.root.offset != 0 && (node.root.offset > 0) != (side == 1)) continue;
      const std::uint32_t key = 2 * node.root_vertex + static_cast<std::uint32_t>(side);
      if (scratch_.arrival_stamp[key] != scratch_.stamp) continue;
      for (std::uint32_t i = scratch_.first_arrival[key]; i != kPassed; i = scratch_.arrivals[i].next)
        if (i != node.root_arrival && length_there(scratch_.arrivals[i], node) < node.length - kSameLength) return true;
    }
    return false;
  }

  /// Puts a state that has reached a portal on the heap.
  void push(Node node, PortalIndex portal, CellIndex from, CellIndex into) {
    node.portal = portal;
    node.cell = into;
    node.bound = std::max(node.length + least_rest(node, from), node.parent == kPassed ? 0 : scratch_.nodes[node.parent].bound);
    if (node.bound >= best_) return;
    // A way that goes on round its root has come to the next cell too, and rivals that touch the corner there must beat it.
    for (const int side : {0, 1})
      if (radius_ > 0 && node.limit[side].vertex == kOpen && node.root_vertex != kNobody) {
        const std::uint32_t key = 2 * node.root_vertex + static_cast<std::uint32_t>(side);
        const std::uint32_t before = scratch_.arrivals[node.root_arrival].before;
        scratch_.arrivals.push_back({node.arrival, node.length, into, before, scratch_.first_arrival[key]});
        scratch_.first_arrival[key] = static_cast<std::uint32_t>(scratch_.arrivals.size() - 1);
      }
    const auto index = static_cast<std::uint32_t>(scratch_.nodes.size());
    scratch_.nodes.push_back(node);
    scratch_.heap.push_back({node.bound, index});
    std::push_heap(scratch_.heap.begin(), scratch_.heap.end(), std::greater<>());
  }

  /// Never more than what is left: straight from the touch of the root through the visible part of the portal to the goal.
  double least_rest(const Node& node, CellIndex from) const {
    std::uint32_t left_end, right_end;
    ends(node.portal, from, left_end, right_end);
    const Vec2 a = cells_.position(left_end), d = cells_.position(right_end) - a;
    // Where the limits' tangents cross the portal, 0 at its left end.
    const auto crossing = [&](const Limit& limit, double otherwise) {
      if (limit.vertex == kOpen) return otherwise;
      const double slope = cross(limit.direction, d);
      if (std::abs(slope) < 1e-9) return otherwise;
      return std::clamp(-(cross(limit.direction, a - node.root.centre) + node.root.offset) / slope, 0.0, 1.0);
    };
    double low = crossing(node.limit[1], 0), high = crossing(node.limit[0], 1);
    if (low > high) low = 0, high = 1;
    const Vec2 from_place = touching_point(node.root, node.arrival);
    // Seen against the portal: along it, and across.
    const double whole = length(d);
    const Vec2 unit = (1 / whole) * d;
    const double x1 = dot(from_place - a, unit), y1 = std::abs(cross(unit, from_place - a));
    const double x2 = dot(goal_ - a, unit), y2 = std::abs(cross(unit, goal_ - a));
    const double x = y1 + y2 > 0 ? x1 + (x2 - x1) * y1 / (y1 + y2) : x1;
    const double place = std::clamp(x, low * whole, high * whole);
    return std::sqrt((place - x1) * (place - x1) + y1 * y1) + std::sqrt((place - x2) * (place - x2) + y2 * y2);
  }

  /// Pulls the corridor of a node (or inside one cell) and keeps it if it is the shortest so far.
  void try_corridor(CellIndex only_cell, std::uint32_t node, Corridor& corridor, PulledPath& path) {
    Corridor& candidate = scratch_.candidate;
    candidate.portals.clear();
    candidate.first_cell = only_cell;
    for (std::uint32_t i = node; i != kPassed; i = scratch_.nodes[i].parent) {
      const Node& n = scratch_.nodes[i];
      candidate.portals.push_back(n.portal);
      candidate.first_cell = cells_.across(n.portal, n.cell);
    }
    std::reverse(candidate.portals.begin(), candidate.portals.end());
    pull(cells_, candidate, start_, goal_, radius_, scratch_.funnel, scratch_.pulled);
    if (scratch_.pulled.length >= best_) return;
    best_ = scratch_.pulled.length;
    std::swap(corridor, candidate);
    std::swap(path, scratch_.pulled);
  }

  const Cells& cells_;
  const Vec2 start_, goal_;
  const double radius_;
  const std::span<const std::uint8_t> blocked_;
  ShortestScratch& scratch_;
  double best_ = kNever;
};

}  // namespace

bool shortest_path(const Cells& cells, Vec2 start, CellIndex start_cell, Vec2 goal, CellIndex goal_cell, double radius,
                   std::span<const std::uint8_t> blocked, ShortestScratch& scratch, Corridor& corridor, PulledPath& path) {
  if (cells.component[start_cell] != cells.component[goal_cell]) return false;
  return Search(cells, start, goal, radius, blocked, scratch).run(start_cell, goal_cell, corridor, path);
}

}  // namespace throng
