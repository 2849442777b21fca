// SPDX-License-Identifier: MIT
#include "routing/tangent_search.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "geometry/tangents.hpp"
#include "routing/near_sides.hpp"
#include "routing/path_overlap.hpp"

namespace throng {
namespace {

constexpr double kSlack = 5e-8;  // metres that a leg or an arc may reach into a wall, for rounding
constexpr double kNoDistance = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kStart = 0, kGoal = 1, kNoNode = 0xffffffffu;

class TangentSearch {
 public:
  TangentSearch(const Cells& cells, const Corridor& corridor, std::span<const CellIndex> row, const PulledPath& path)
      : cells_(cells), radius_(path.radius) {
    circles_ = {{path.start, 0}, {path.goal, 0}};
    vertices_ = {kNoNode, kNoNode};
    gather(corridor, row);
    const std::size_t n = circles_.size();
    tangents_.resize(n * n);
    best_.assign(n * n, kNoDistance);
    parent_.assign(n * n, kNoNode);
  }

  bool run(std::vector<Bend>& bends) {
    const auto n = static_cast<std::uint32_t>(circles_.size());
    // A state is a tangent, just walked: from circle i to circle j at i·n + j.
    std::priority_queue<std::pair<double, std::uint32_t>, std::vector<std::pair<double, std::uint32_t>>, std::greater<>> open;
    const auto reach = [&](std::uint32_t i, std::uint32_t j, double cost, std::uint32_t parent) {
      const std::uint32_t state = i * n + j;
      if (cost >= best_[state]) return;
      best_[state] = cost;
      parent_[state] = parent;
      open.push({cost, state});
    };
    for (std::uint32_t j = 1; j < n; ++j)
      if (const Tangent* leg = tangent(kStart, j)) reach(kStart, j, leg->length, kNoNode);
    while (!open.empty()) {
      const auto [cost, state] = open.top();
      open.pop();
      if (cost > best_[state]) continue;
      const std::uint32_t i = state / n, j = state % n;
      if (j == kGoal) return unwind(state, bends), true;
      const Vec2 in = tangent(i, j)->direction;
      for (std::uint32_t k = 1; k < n; ++k) {
        if (k == j) continue;  // back to i is fine: round the end of a thin wall
        const Tangent* leg = tangent(j, k);
        if (leg == nullptr) continue;
        const double turn = circles_[j].offset == 0 ? 0 : radius_ * turning_angle(circles_[j], in, leg->direction);
        if (cost + turn + leg->length < best_[j * n + k] && (turn == 0 || arc_is_free(j, in, leg->direction)))
          reach(j, k, cost + turn + leg->length, state);
      }
    }
    return false;
  }

 private:
  using Wall = std::array<Vec2, 2>;

  /// Walls within reach of a body in the corridor, the corners that have a part in them, and the free sides that its centre may
  /// not cross.
  void gather(const Corridor& corridor, std::span<const CellIndex> row) {
    std::vector<std::uint32_t> corners, open_corners;
    const auto add_cell = [&](CellIndex c) {
      const auto sides = cells_.sides_of(c);
      for (std::size_t i = 0; i < sides.size(); ++i) {
        const std::uint32_t a = sides[i].vertex, b = sides[i + 1 == sides.size() ? 0 : i + 1].vertex;
        if (sides[i].portal == kNoPortal) walls_.push_back({cells_.position(a), cells_.position(b)});
        (cells_.vertex_kind[a] == VertexKind::kOpen ? open_corners : corners).push_back(a);
      }
    };
    std::vector<CellIndex> all(row.begin(), row.end());
    for (const CellIndex c : row) {
      const auto sides = cells_.sides_of(c);
      for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i].portal == kNoPortal) continue;
        const Vec2 a = cells_.position(sides[i].vertex), b = cells_.position(sides[i + 1 == sides.size() ? 0 : i + 1].vertex);
        if (std::find(corridor.portals.begin(), corridor.portals.end(), sides[i].portal) != corridor.portals.end()) continue;
        barriers_.push_back({a, b});
        // A body whose centre is on this side of the free side reaches as far behind it.
        std::vector<CellIndex> near = {cells_.across(sides[i].portal, c)};
        for_sides_near(cells_, {a, normalised(b - a), 0, distance(a, b)}, radius_, kMostNear, near,
                       [](const Side&, std::uint32_t, Vec2, Vec2) {});
        all.insert(all.end(), near.begin(), near.end());
      }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const CellIndex c : all) add_cell(c);
    const auto put = [&](std::vector<std::uint32_t>& list, std::initializer_list<double> offsets) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for (const std::uint32_t v : list)
        for (const double offset : offsets) {
          circles_.push_back({cells_.position(v), offset});
          vertices_.push_back(v);
        }
    };
    put(corners, {radius_, -radius_});
    put(open_corners, {0.0});
  }

  /// Null if a wall is in the way, or a free side that is not of the corridor.
  const Tangent* tangent(std::uint32_t i, std::uint32_t j) {
    Known& known = tangents_[i * circles_.size() + j];
    if (!known.is_known) {
      known.is_known = true;
      known.is_free = find_tangent(i, j, known.leg);
    }
    return known.is_free ? &known.leg : nullptr;
  }

  bool find_tangent(std::uint32_t i, std::uint32_t j, Tangent& leg) const {
    const SignedCircle &from = circles_[i], &to = circles_[j];
    const Vec2 d = to.centre - from.centre;
    const double offset = to.offset - from.offset;
    if (d == Vec2{0, 0} || dot(d, d) < offset * offset) return false;
    leg = unit_tangent(from, to, tangent_direction(from, to));
    const Vec2 a = touching_point(from, leg.direction), b = touching_point(to, leg.direction);
    const LegPart part = {a, leg.direction, 0, leg.length};
    for (const Wall& w : walls_) {
      const double depth = overlap_of_leg(leg.length, radius_, part.local(w[0]), part.local(w[1]));
      if (depth <= kSlack) continue;
      // What start and goal overlap themselves is theirs.
      if (i == kStart && radius_ - distance_to_wall(a, w[0], w[1]) >= depth) continue;
      if (j == kGoal && radius_ - distance_to_wall(b, w[0], w[1]) >= depth) continue;
      return false;
    }
    for (const Wall& w : barriers_) {
      const double from_side = cross(w[1] - w[0], a - w[0]), to_side = cross(w[1] - w[0], b - w[0]);
      const double one = part.local(w[0]).y, other = part.local(w[1]).y;
      if (from_side * to_side < 0 && one * other < 0) return false;
    }
    return true;
  }

  bool arc_is_free(std::uint32_t i, Vec2 in, Vec2 out) const {
    const SignedCircle& circle = circles_[i];
    const PathArc arc = {circle.centre, touching_point(circle, in), touching_point(circle, out), circle.offset > 0};
    for (const Wall& w : walls_)
      if (overlap_of_arc(arc, radius_, w[0], w[1]) > kSlack) return false;
    for (const Wall& w : barriers_)
      if (crosses(arc, w)) return false;
    return true;
  }

  bool crosses(const PathArc& arc, const Wall& barrier) const {
    const Vec2 d = barrier[1] - barrier[0], e = arc.centre - barrier[0];
    const double whole = dot(d, d), along = dot(e, d) / whole, height = cross(d, e) / std::sqrt(whole);
    if (std::abs(height) >= radius_) return false;
    const double half = std::sqrt((radius_ * radius_ - height * height) / whole);
    for (const double t : {along - half, along + half})
      if (t > 0 && t < 1 && arc.spans(barrier[0] + t * d - arc.centre)) return true;
    return false;
  }

  void unwind(std::uint32_t state, std::vector<Bend>& bends) const {
    const auto n = static_cast<std::uint32_t>(circles_.size());
    bends.clear();
    for (state = parent_[state]; state != kNoNode; state = parent_[state]) {
      Bend bend;
      bend.vertex = vertices_[state % n];
      bend.turns_left = circles_[state % n].offset > 0;
      bends.push_back(bend);
    }
    std::reverse(bends.begin(), bends.end());
  }

  struct Known {
    Tangent leg;
    bool is_known = false;
    bool is_free = false;
  };
  static constexpr std::size_t kMostNear = 256;  // cells behind one free side

  const Cells& cells_;
  const double radius_;
  std::vector<SignedCircle> circles_;
  std::vector<std::uint32_t> vertices_;
  std::vector<Wall> walls_, barriers_;
  std::vector<Known> tangents_;
  std::vector<double> best_;
  std::vector<std::uint32_t> parent_;
};

}  // namespace

bool search_tangents(const Cells& cells, const Corridor& corridor, std::span<const CellIndex> row, PulledPath& path) {
  return TangentSearch(cells, corridor, row, path).run(path.bends);
}

}  // namespace throng
