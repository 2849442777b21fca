// SPDX-License-Identifier: MIT
// Shortest ways the slow way, as oracles: Dijkstra over all common tangents of all corner circles (a disc), or over the exact
// visibility graph (a point). They know walls only, no cells.
#pragma once
#include <functional>
#include <queue>

#include "geometry/tangents.hpp"
#include "routing/corridor.hpp"
#include "routing/test_cells.hpp"

namespace throng::test_scenes {

inline constexpr double kNever = 1e30;

struct Arc {
  std::size_t to;
  double cost;
};

inline double dijkstra(const std::vector<std::vector<Arc>>& graph, std::size_t from, std::size_t to) {
  std::vector<double> best(graph.size(), kNever);
  std::priority_queue<std::pair<double, std::size_t>, std::vector<std::pair<double, std::size_t>>, std::greater<>> open;
  best[from] = 0;
  open.push({0, from});
  while (!open.empty()) {
    const auto [g, v] = open.top();
    open.pop();
    if (v == to) return g;
    if (g > best[v]) continue;
    for (const Arc& arc : graph[v])
      if (g + arc.cost < best[arc.to]) open.push({best[arc.to] = g + arc.cost, arc.to});
  }
  return kNever;
}

/// Length of the shortest way of a disc from start to goal, or kNever. `barriers` are segments that only the centre may not
/// cross, `centre_allowed` further restricts where arcs may lie (both for ways inside one corridor).
inline double tangent_graph_length(const Cells& cells, Vec2 start, Vec2 goal, double radius,
                                   const std::vector<std::array<Vec2, 2>>& barriers = {},
                                   const std::function<bool(Vec2)>& centre_allowed = {}) {
  constexpr double kSlack = 1e-6;  // the planners' own: gaps narrower than the body by less count as wide enough
  std::vector<std::array<Vec2, 2>> walls;
  std::set<std::uint32_t> corners;
  for (const auto& [a, b] : wall_pairs_of(cells))
    walls.push_back({cells.position(a), cells.position(b)}), corners.insert(a), corners.insert(b);
  std::vector<SignedCircle> circles = {{start, 0}, {goal, 0}};
  for (std::uint32_t v : corners) circles.push_back({cells.position(v), radius}), circles.push_back({cells.position(v), -radius});

  auto leg_is_free = [&](Vec2 a, Vec2 b) {
    for (const auto& w : walls)
      if (distance_of_segments(a, b, w[0], w[1]) < radius - kSlack) return false;
    for (const auto& w : barriers)
      if (properly_cross(a, b, w[0], w[1])) return false;
    return true;
  };
  // The ends of an arc belong to legs. Between them the disc sweeps the sector of twice the radius about the corner: the point of
  // a wall that comes closest to the corner in there is its nearest one, or one of its ends.
  auto arc_is_free = [&](const SignedCircle& circle, double direction, double turn) {
    const bool to_left = circle.offset > 0;
    const double first = direction + (to_left ? -0.5 : 0.5) * M_PI;
    const auto is_hit = [&](Vec2 x, double reach) {
      const Vec2 d = x - circle.centre;
      if (length(d) >= reach || length(d) < 1e-9) return false;
      const double angle = std::remainder((to_left ? 1 : -1) * (std::atan2(d.y, d.x) - first), 2 * M_PI);
      const double along = angle < 0 ? angle + 2 * M_PI : angle;
      return along > 1e-9 && along < turn - 1e-9;
    };
    for (const auto& w : walls) {
      const bool is_own = w[0] == circle.centre || w[1] == circle.centre;
      const Vec2 d = w[1] - w[0];
      const Vec2 nearest = w[0] + std::clamp(dot(circle.centre - w[0], d) / dot(d, d), 0.0, 1.0) * d;
      for (const Vec2 x : {w[0], w[1], nearest})
        if (is_hit(x, is_own ? kNever : 2 * radius - kSlack)) return false;
    }
    return true;
  };
  std::vector<std::vector<Arc>> graph(2);
  std::vector<std::vector<std::pair<double, std::size_t>>> touches(circles.size());  // direction angle, node
  for (std::size_t i = 0; i < circles.size(); ++i)
    for (std::size_t j = 0; j < circles.size(); ++j) {
      if (i == j || i == 1 || j == 0 || (i > 1 && j > 1 && i / 2 == j / 2)) continue;
      const Vec2 d = circles[j].centre - circles[i].centre;
      const double offset = circles[j].offset - circles[i].offset;
      if (length(d) < std::abs(offset) - 2 * kSlack) continue;
      const Vec2 u = normalised(tangent_direction(circles[i], circles[j]));
      const Vec2 a = touching_point(circles[i], u), b = touching_point(circles[j], u);
      if (!leg_is_free(a, b)) continue;
      auto node = [&](std::size_t k) -> std::size_t {
        if (k < 2) return k;
        graph.emplace_back();
        touches[k].push_back({std::atan2(u.y, u.x), graph.size() - 1});
        return graph.size() - 1;
      };
      const std::size_t from = node(i), to = node(j);
      graph[from].push_back({to, distance(a, b)});
    }
  for (std::size_t k = 2; k < circles.size(); ++k) {
    auto& list = touches[k];
    std::sort(list.begin(), list.end());
    if (circles[k].offset < 0) std::reverse(list.begin(), list.end());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto [a, from] = list[i];
      const auto [b, to] = list[(i + 1) % list.size()];
      double turn = circles[k].offset > 0 ? b - a : a - b;
      if (turn < 0) turn += 2 * M_PI;
      bool free = arc_is_free(circles[k], a, turn);
      if (centre_allowed) {
        const int pieces = 1 + static_cast<int>(turn / 0.02);
        for (int s = 0; s <= pieces && free; ++s) {
          const double angle = a + (circles[k].offset > 0 ? 1 : -1) * turn * s / pieces;
          free = centre_allowed(touching_point(circles[k], {std::cos(angle), std::sin(angle)}));
        }
      }
      if (free) graph[from].push_back({to, radius * turn});
    }
  }
  return dijkstra(graph, 0, 1);
}

/// Whether a walker of no size may go straight from a to b: walls may be touched, not crossed. Exact on the grid, but for scenes
/// in which no two obstacles meet in a single corner.
inline bool sees(const Cells& cells, Point a, Point b) {
  const auto sign = [](std::int64_t v) { return (v > 0) - (v < 0); };
  std::vector<double> cuts = {0, 1};
  const double length_squared = static_cast<double>(distance_squared(a, b));
  for (const auto& [i, j] : wall_pairs_of(cells)) {
    const Point c = cells.vertices[i], d = cells.vertices[j];
    if (sign(orient(a, b, c)) * sign(orient(a, b, d)) < 0 && sign(orient(c, d, a)) * sign(orient(c, d, b)) < 0) return false;
    for (const Point p : {c, d})
      if (orient(a, b, p) == 0)
        cuts.push_back((double(p.x - a.x) * (b.x - a.x) + double(p.y - a.y) * (b.y - a.y)) / length_squared);
  }
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (cuts[i] < 0 || cuts[i + 1] > 1 || cuts[i + 1] - cuts[i] < 1e-12) continue;
    const Vec2 middle = to_metres(a) + (0.5 * (cuts[i] + cuts[i + 1])) * (to_metres(b) - to_metres(a));
    if (clearance(cells, middle) > 1e-9 && brute_cell_at(cells, middle) == kNoCell) return false;  // on a wall it is fine
  }
  return true;
}

/// Length of the shortest way of a point, by the visibility graph.
inline double visibility_graph_length(const Cells& cells, Point start, Point goal) {
  std::vector<Point> places = {start, goal};
  std::set<std::uint32_t> corners;
  for (const auto& [a, b] : wall_pairs_of(cells)) corners.insert(a), corners.insert(b);
  for (std::uint32_t v : corners) places.push_back(cells.vertices[v]);
  std::vector<std::vector<Arc>> graph(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j)
      if (places[i] == places[j] || sees(cells, places[i], places[j])) {
        const double cost = distance(to_metres(places[i]), to_metres(places[j]));
        graph[i].push_back({j, cost});
        graph[j].push_back({i, cost});
      }
  return dijkstra(graph, 0, 1);
}

/// How close a pulled path comes to any wall, sampled densely.
inline double clearance_of(const Cells& cells, const PulledPath& path) {
  std::vector<Vec2> points;
  sample(path, cells.vertices, 1e-7, points);
  std::vector<std::array<Vec2, 2>> walls;
  for (const auto& [a, b] : wall_pairs_of(cells)) walls.push_back({cells.position(a), cells.position(b)});
  double best = kNever;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    for (const auto& w : walls) best = std::min(best, distance_of_segments(points[i], points[i + 1], w[0], w[1]));
  return best;
}

/// Which triangle of a cell holds a point, as an index into cells.triangles.
inline std::uint32_t brute_triangle_at(const Cells& cells, CellIndex c, Vec2 p) {
  std::uint32_t best = cells.triangle_start[c];
  double depth = -kNever;
  for (std::uint32_t t = cells.triangle_start[c]; t < cells.triangle_start[c + 1]; ++t) {
    double least = kNever;
    for (int i = 0; i < 3; ++i) {
      const Vec2 a = cells.position(cells.triangles[t].vertex[i]), b = cells.position(cells.triangles[t].vertex[(i + 1) % 3]);
      least = std::min(least, cross(b - a, p - a) / distance(a, b));
    }
    if (least > depth) depth = least, best = t;
  }
  return best;
}

/// Whether a disc of this radius gets from a place in the cell to its portal.
inline bool gets_to(const Cells& cells, CellIndex c, Vec2 p, std::uint32_t slot, double radius) {
  const auto portals = static_cast<std::uint32_t>(cells.portals_of(c).size());
  const std::uint32_t t = brute_triangle_at(cells, c, p) - cells.triangle_start[c];
  return cells.access[cells.access_start[c] + t * portals + slot] >= 2 * radius;
}

/// A corridor with the fewest portals that a disc gets through, or none (first_cell = kNoCell).
inline Corridor fewest_portals(const Cells& cells, Vec2 start, CellIndex from, Vec2 goal, CellIndex to, double radius) {
  Corridor corridor;
  if (from == to) return corridor.first_cell = from, corridor;
  struct State {
    PortalIndex portal;
    CellIndex into;
    int parent;
  };
  std::vector<State> states;
  std::set<std::pair<PortalIndex, CellIndex>> seen;
  auto push = [&](PortalIndex p, CellIndex into, int parent) {
    if (seen.insert({p, into}).second) states.push_back({p, into, parent});
  };
  for (std::uint32_t s = 0; s < cells.portals_of(from).size(); ++s)
    if (gets_to(cells, from, start, s, radius))
      push(cells.portals_of(from)[s], cells.across(cells.portals_of(from)[s], from), -1);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const State state = states[i];
    const std::uint32_t in = cells.portals[state.portal].slot[cells.end_of(state.portal, state.into)];
    if (state.into == to && gets_to(cells, to, goal, in, radius)) {
      for (int k = static_cast<int>(i); k >= 0; k = states[k].parent)
        corridor.portals.insert(corridor.portals.begin(), states[k].portal);
      corridor.first_cell = from;
      return corridor;
    }
    for (std::uint32_t out = 0; out < cells.portals_of(state.into).size(); ++out)
      if (out != in && cells.width(state.into, in, out) >= 2 * radius)
        push(cells.portals_of(state.into)[out], cells.across(cells.portals_of(state.into)[out], state.into), static_cast<int>(i));
  }
  return corridor;
}

}  // namespace throng::test_scenes
