// SPDX-License-Identifier: MIT
// Small scenes for the tests of routing and navigation, and their cells made the slow, obvious way: constrained Delaunay by
// greedy edges and flips, random convex merges, widths by the recursive search of ALGORITHMS §1.2. Shares no code with the bake,
// so that the two can be compared. Good for about a hundred vertices.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "cells/cells.hpp"

namespace throng::test_scenes {

using GridRing = std::vector<Point>;

/// Free space is inside `outer` and outside every obstacle; `lines` are walls without thickness.
struct WallScene {
  GridRing outer;
  std::vector<GridRing> obstacles;
  std::vector<std::array<Point, 2>> lines;
};

/// Even-odd rule; points on the outline may go either way.
inline bool inside(const GridRing& ring, Vec2 p) {
  bool in = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Vec2 a = to_metres(ring[i]), b = to_metres(ring[j]);
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

inline bool walkable(const WallScene& scene, Vec2 p) {
  if (!inside(scene.outer, p)) return false;
  for (const GridRing& ring : scene.obstacles)
    if (inside(ring, p)) return false;
  return true;
}

inline double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const double t = std::clamp(dot(p - a, d) / std::max(dot(d, d), 1e-300), 0.0, 1.0);
  return distance(p, a + t * d);
}

inline bool properly_cross(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  return cross(b - a, c - a) * cross(b - a, d - a) < 0 && cross(d - c, a - c) * cross(d - c, b - c) < 0;
}

inline double distance_of_segments(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  if (properly_cross(a, b, c, d)) return 0;
  return std::min(
      {distance_to_segment(a, c, d), distance_to_segment(b, c, d), distance_to_segment(c, a, b), distance_to_segment(d, a, b)});
}

/// Walls as the cells have them, once each.
inline std::vector<std::array<std::uint32_t, 2>> wall_pairs_of(const Cells& cells) {
  std::set<std::array<std::uint32_t, 2>> walls;
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    const auto sides = cells.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i)
      if (sides[i].portal == kNoPortal) {
        const std::uint32_t a = sides[i].vertex, b = sides[(i + 1) % sides.size()].vertex;
        walls.insert({std::min(a, b), std::max(a, b)});
      }
  }
  return {walls.begin(), walls.end()};
}

inline double clearance(const Cells& cells, Vec2 p) {
  double best = 1e30;
  for (const auto& [a, b] : wall_pairs_of(cells)) best = std::min(best, distance_to_segment(p, cells.position(a), cells.position(b)));
  return best;
}

/// Signed by how far inside: least left-of-side distance over the sides, in metres.
inline double depth_in_cell(const Cells& cells, CellIndex c, Vec2 p) {
  double depth = 1e30;
  const auto sides = cells.sides_of(c);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Vec2 a = cells.position(sides[i].vertex), b = cells.position(sides[(i + 1) % sides.size()].vertex);
    depth = std::min(depth, cross(b - a, p - a) / distance(a, b));
  }
  return depth;
}

inline CellIndex brute_cell_at(const Cells& cells, Vec2 p) {
  for (CellIndex c = 0; c < cells.cell_count(); ++c)
    if (depth_in_cell(cells, c, p) >= 0) return c;
  return kNoCell;
}

class Builder {
 public:
  /// `merge_probability`: how often a free edge that may go (the union stays convex) does go.
  Cells build(const WallScene& scene, std::mt19937& random, double merge_probability = 0.9) {
    collect(scene);
    triangulate();
    flip_to_delaunay();
    keep_walkable(scene);
    insert_feet();
    merge(random, merge_probability);
    return emit();
  }

 private:
  using Edge = std::array<std::uint32_t, 2>;  // directed
  static Edge sorted(Edge e) { return {std::min(e[0], e[1]), std::max(e[0], e[1])}; }

  void collect(const WallScene& scene) {
    std::map<Point, std::uint32_t> index;
    auto add = [&](Point p) {
      auto [it, fresh] = index.try_emplace(p, static_cast<std::uint32_t>(points_.size()));
      if (fresh) points_.push_back(p);
      return it->second;
    };
    std::vector<Edge> raw;
    auto add_ring = [&](const GridRing& ring) {
      for (std::size_t i = 0; i < ring.size(); ++i) raw.push_back({add(ring[i]), add(ring[(i + 1) % ring.size()])});
    };
    add_ring(scene.outer);
    for (const GridRing& ring : scene.obstacles) add_ring(ring);
    for (const auto& line : scene.lines) raw.push_back({add(line[0]), add(line[1])});
    for (Edge e : raw) {  // split where another vertex lies on a wall
      std::vector<std::pair<std::int64_t, std::uint32_t>> on;
      for (std::uint32_t v = 0; v < points_.size(); ++v) {
        const Point a = points_[e[0]], b = points_[e[1]], p = points_[v];
        if (orient(a, b, p) != 0) continue;
        const std::int64_t along = std::int64_t{p.x - a.x} * (b.x - a.x) + std::int64_t{p.y - a.y} * (b.y - a.y);
        if (along >= 0 && along <= distance_squared(a, b)) on.push_back({along, v});
      }
      std::sort(on.begin(), on.end());
      for (std::size_t i = 0; i + 1 < on.size(); ++i) walls_.insert(sorted({on[i].second, on[i + 1].second}));
    }
  }

  bool blocks(Edge e, Edge f) const {  // do they meet anywhere but at a common end?
    const Point a = points_[e[0]], b = points_[e[1]], c = points_[f[0]], d = points_[f[1]];
    if (std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x)) return false;
    const auto sign = [](std::int64_t v) { return (v > 0) - (v < 0); };
    return sign(orient(a, b, c)) * sign(orient(a, b, d)) < 0 && sign(orient(c, d, a)) * sign(orient(c, d, b)) < 0;
  }

  void triangulate() {
    std::vector<Edge> edges(walls_.begin(), walls_.end()), candidates;
    for (std::uint32_t a = 0; a < points_.size(); ++a)
      for (std::uint32_t b = a + 1; b < points_.size(); ++b)
        if (!walls_.count({a, b})) candidates.push_back({a, b});
    std::sort(candidates.begin(), candidates.end(), [&](Edge e, Edge f) {
      return std::pair(distance_squared(points_[e[0]], points_[e[1]]), e) <
             std::pair(distance_squared(points_[f[0]], points_[f[1]]), f);
    });
    for (Edge e : candidates) {
      bool bad = false;
      for (std::uint32_t v = 0; v < points_.size() && !bad; ++v)
        bad = v != e[0] && v != e[1] && orient(points_[e[0]], points_[e[1]], points_[v]) == 0 &&
              distance_squared(points_[e[0]], points_[v]) <= distance_squared(points_[e[0]], points_[e[1]]) &&
              distance_squared(points_[e[1]], points_[v]) <= distance_squared(points_[e[0]], points_[e[1]]);
      for (std::size_t i = 0; i < edges.size() && !bad; ++i) bad = blocks(e, edges[i]);
      if (!bad) edges.push_back(e);
    }
    std::vector<std::vector<std::uint32_t>> around(points_.size());
    for (Edge e : edges) around[e[0]].push_back(e[1]), around[e[1]].push_back(e[0]);
    for (std::uint32_t v = 0; v < points_.size(); ++v)
      std::sort(around[v].begin(), around[v].end(), [&](std::uint32_t a, std::uint32_t b) {
        const Vec2 p = to_metres(points_[a]) - to_metres(points_[v]), q = to_metres(points_[b]) - to_metres(points_[v]);
        const auto half = [](Vec2 d) { return d.y < 0 || (d.y == 0 && d.x < 0); };
        return half(p) != half(q) ? half(p) < half(q) : cross(p, q) > 0;
      });
    for (std::uint32_t a = 0; a < points_.size(); ++a)
      for (std::uint32_t b : around[a]) {                              // the face left of a→b
        const auto next = [&](std::uint32_t from, std::uint32_t to) {  // clockwise neighbour of `from` round `to`
          auto it = std::find(around[to].begin(), around[to].end(), from);
          return it == around[to].begin() ? around[to].back() : *(it - 1);
        };
        const std::uint32_t c = next(a, b);
        if (a < b && a < c && next(b, c) == a && orient(points_[a], points_[b], points_[c]) > 0) triangles_.push_back({a, b, c});
      }
  }

  void index_edges() {
    left_of_.clear();
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      for (int i = 0; i < 3; ++i) left_of_[{triangles_[t][i], triangles_[t][(i + 1) % 3]}] = t;
  }

  std::uint32_t apex(std::uint32_t t, Edge e) const {
    for (std::uint32_t v : triangles_[t])
      if (v != e[0] && v != e[1]) return v;
    return 0;
  }

  void flip_to_delaunay() {
    index_edges();
    for (bool changed = true; changed;) {
      changed = false;
      const auto snapshot = left_of_;
      for (const auto& [e, unused] : snapshot) {
        if (e[0] > e[1] || walls_.count(e)) continue;
        const auto one = left_of_.find(e), two = left_of_.find({e[1], e[0]});
        if (one == left_of_.end() || two == left_of_.end()) continue;
        const std::uint32_t t = one->second, s = two->second, c = apex(t, e), d = apex(s, e);
        if (in_circle(points_[e[0]], points_[e[1]], points_[c], points_[d]) <= 0) continue;
        triangles_[t] = {c, d, e[1]};
        triangles_[s] = {d, c, e[0]};
        left_of_.erase(e), left_of_.erase(Edge{e[1], e[0]});
        for (std::uint32_t k : {t, s})
          for (int i = 0; i < 3; ++i) left_of_[{triangles_[k][i], triangles_[k][(i + 1) % 3]}] = k;
        changed = true;
      }
    }
  }

  void keep_walkable(const WallScene& scene) {
    std::erase_if(triangles_, [&](const auto& t) {
      return !walkable(scene, (1.0 / 3) * (to_metres(points_[t[0]]) + to_metres(points_[t[1]]) + to_metres(points_[t[2]])));
    });
    index_edges();
  }

  // The bottleneck rule of ALGORITHMS §1.2: without it the widths overlook gaps that no triangle turns round.
  void insert_feet() {
    corner_count_ = static_cast<std::uint32_t>(points_.size());
    std::map<Edge, Edge> original;
    for (Edge w : walls_) original[w] = w;
    std::set<std::pair<std::uint32_t, Edge>> used;
    auto try_split = [&](std::uint32_t t, int i) {
      const std::uint32_t b = triangles_[t][i], c = triangles_[t][(i + 1) % 3], a = triangles_[t][(i + 2) % 3];
      if (a >= corner_count_ || !is_wall({b, c}) || (is_wall({a, b}) && is_wall({c, a}))) return false;
      const Edge line = original.at(sorted({b, c}));
      const Vec2 from = to_metres(points_[line[0]]), along = to_metres(points_[line[1]]) - from;
      const Point p = snap(from + (dot(to_metres(points_[a]) - from, along) / dot(along, along)) * along);
      const auto inside = [&](std::uint32_t u, std::uint32_t v) {
        const Point o = points_[u], e = points_[v];
        return std::int64_t{p.x - o.x} * (e.x - o.x) + std::int64_t{p.y - o.y} * (e.y - o.y) > 0;
      };
      if (!inside(b, c) || !inside(c, b) || distance_squared(p, points_[b]) <= 4 || distance_squared(p, points_[c]) <= 4)
        return false;
      const auto across = left_of_.find({c, b});
      const std::uint32_t d = across == left_of_.end() ? a : apex(across->second, {c, b});
      if (orient(points_[a], points_[b], p) <= 0 || orient(points_[a], p, points_[c]) <= 0) return false;
      if (d != a && (orient(points_[d], points_[c], p) <= 0 || orient(points_[d], p, points_[b]) <= 0)) return false;
      if (!used.insert({a, line}).second) return false;
      const auto v = static_cast<std::uint32_t>(points_.size());
      points_.push_back(p);
      walls_.erase(sorted({b, c}));
      for (Edge e : {Edge{b, v}, Edge{v, c}}) walls_.insert(sorted(e)), original[sorted(e)] = line;
      triangles_[t] = {a, b, v};
      triangles_.push_back({a, v, c});
      if (d != a) triangles_[across->second] = {d, c, v}, triangles_.push_back({d, v, b});
      index_edges();
      flip_to_delaunay();
      return true;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t t = 0; t < triangles_.size(); ++t)
        for (int i = 0; i < 3; ++i) changed |= try_split(t, i);
    }
  }

  void merge(std::mt19937& random, double probability) {
    cell_of_.resize(triangles_.size());
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      cell_of_[t] = t;
      loops_.push_back({triangles_[t][0], triangles_[t][1], triangles_[t][2]});
    }
    std::vector<Edge> edges;
    for (const auto& [e, t] : left_of_)
      if (e[0] < e[1] && !walls_.count(e) && left_of_.count({e[1], e[0]})) edges.push_back(e);
    std::sort(edges.begin(), edges.end(), [&](Edge e, Edge f) {
      return distance_squared(points_[e[0]], points_[e[1]]) > distance_squared(points_[f[0]], points_[f[1]]);
    });
    for (Edge e : edges) {
      const std::uint32_t c = cell_of_[left_of_.at(e)], d = cell_of_[left_of_.at({e[1], e[0]})];
      if (c == d || std::uniform_real_distribution<>(0, 1)(random) > probability) continue;
      auto rotated = [](std::vector<std::uint32_t> loop, std::uint32_t from, std::uint32_t to) {
        for (std::size_t i = 0; i < loop.size(); ++i)
          if (loop[i] == from && loop[(i + 1) % loop.size()] == to) {
            std::rotate(loop.begin(), loop.begin() + static_cast<std::ptrdiff_t>((i + 1) % loop.size()), loop.end());
            return loop;  // starts at `to`, ends at `from`
          }
        return loop;
      };
      int shared = 0;
      for (std::size_t i = 0; i < loops_[c].size(); ++i) {
        const auto twin = left_of_.find({loops_[c][(i + 1) % loops_[c].size()], loops_[c][i]});
        shared += twin != left_of_.end() && cell_of_[twin->second] == d;
      }
      if (shared != 1) continue;
      std::vector<std::uint32_t> loop = rotated(loops_[c], e[0], e[1]);         // e1 … e0
      const std::vector<std::uint32_t> other = rotated(loops_[d], e[1], e[0]);  // e0 … e1
      loop.insert(loop.end(), other.begin() + 1, other.end() - 1);
      bool convex = true;
      for (std::size_t i = 0, n = loop.size(); i < n; ++i)
        convex &= orient(points_[loop[i]], points_[loop[(i + 1) % n]], points_[loop[(i + 2) % n]]) >= 0;
      if (!convex) continue;
      loops_[c] = loop;
      loops_[d].clear();
      for (auto& k : cell_of_) k = k == d ? c : k;
    }
  }

  bool is_wall(Edge e) const { return walls_.count(sorted(e)) != 0; }

  // The distance from a to the nearest wall seen through bc (the triangle abc lies left of b→c seen from a … c→b from outside).
  double look_through(std::uint32_t a, Edge bc, double best) const {
    const double d = distance_to_segment(to_metres(points_[a]), to_metres(points_[bc[0]]), to_metres(points_[bc[1]]));
    if (d >= best) return best;
    const auto across = left_of_.find({bc[1], bc[0]});
    if (is_wall(bc) || across == left_of_.end()) return d;
    const std::uint32_t o = apex(across->second, bc);
    best = look_through(a, {bc[0], o}, best);
    return look_through(a, {o, bc[1]}, best);
  }

  // Width of the way from triangle t (entered by `entry`, or {0,0} when one starts inside it) to the directed edge `out` of the
  // cell.
  double route(std::uint32_t t, Edge entry, Edge out) const {
    for (int i = 0; i < 3; ++i) {
      const Edge e = {triangles_[t][i], triangles_[t][(i + 1) % 3]};
      if (e == entry) continue;
      double w = distance(to_metres(points_[e[0]]), to_metres(points_[e[1]]));
      if (entry[0] != entry[1]) {
        const std::uint32_t pivot = e[0] == entry[1] ? e[0] : e[1];
        w = std::min(w, distance(to_metres(points_[entry[0]]), to_metres(points_[entry[1]])));
        for (int k = 0; k < 3; ++k)
          if (triangles_[t][k] == pivot) w = look_through(pivot, {triangles_[t][(k + 1) % 3], triangles_[t][(k + 2) % 3]}, w);
      }
      if (e == out) return w;
      const auto across = left_of_.find({e[1], e[0]});
      if (is_wall(e) || across == left_of_.end() || cell_of_[across->second] != cell_of_[t]) continue;
      const double rest = route(across->second, {e[1], e[0]}, out);
      if (rest >= 0) return std::min(w, rest);
    }
    return -1;
  }

  Cells emit() {
    Cells cells;
    cells.vertices = points_;
    for (std::uint32_t v = 0; v < points_.size(); ++v)
      cells.vertex_kind.push_back(v >= corner_count_ ? VertexKind::kFoot : VertexKind::kCorner);
    std::vector<std::uint32_t> number(loops_.size(), kNoCell), cell_list;
    for (std::uint32_t c = 0; c < loops_.size(); ++c)
      if (!loops_[c].empty()) number[c] = static_cast<std::uint32_t>(cell_list.size()), cell_list.push_back(c);
    std::map<Edge, PortalIndex> portal_of;
    cells.side_start = cells.width_start = cells.triangle_start = cells.access_start = {0};
    for (std::uint32_t c : cell_list) {
      std::vector<Edge> ports;
      for (std::size_t i = 0; i < loops_[c].size(); ++i) {
        const Edge e = {loops_[c][i], loops_[c][(i + 1) % loops_[c].size()]};
        const auto across = left_of_.find({e[1], e[0]});
        std::uint32_t portal = kNoPortal;
        if (!is_wall(e) && across != left_of_.end()) {
          const auto [it, fresh] = portal_of.try_emplace(sorted(e), cells.portal_count());
          portal = it->second;
          if (fresh) cells.portals.push_back({.vertex = e, .cell = {number[c], number[cell_of_[across->second]]}});
          ports.push_back(e);
        }
        cells.sides.push_back({e[0], portal});
      }
      auto down = [](double w) { return std::nextafterf(static_cast<float>(w), 0.0f); };
      for (Edge in : ports)
        for (Edge out : ports)
          cells.widths.push_back(
              down(in == out ? distance(to_metres(points_[in[0]]), to_metres(points_[in[1]])) : route(left_of_.at(in), in, out)));
      for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
        if (cell_of_[t] != c) continue;
        cells.triangles.push_back({triangles_[t]});
        for (Edge out : ports) cells.access.push_back(down(route(t, {0, 0}, out)));
      }
      cells.side_start.push_back(static_cast<std::uint32_t>(cells.sides.size()));
      cells.width_start.push_back(static_cast<std::uint32_t>(cells.widths.size()));
      cells.triangle_start.push_back(static_cast<std::uint32_t>(cells.triangles.size()));
      cells.access_start.push_back(static_cast<std::uint32_t>(cells.access.size()));
      cells.layer.push_back(0);
    }
    link_portals(cells);
    cells.area_set.assign(cells.cell_count(), 0);
    cells.area_sets = {{}};
    cells.topology.assign(cells.cell_count(), Topology::kPassage);
    cells.component.assign(cells.cell_count(), kNoCell);
    for (CellIndex c = 0; c < cells.cell_count(); ++c) {
      if (cells.component[c] != kNoCell) continue;
      std::vector<CellIndex> stack = {c};
      cells.component[c] = c;
      while (!stack.empty()) {
        const CellIndex d = stack.back();
        stack.pop_back();
        for (PortalIndex p : cells.portals_of(d))
          if (const CellIndex o = cells.across(p, d); cells.component[o] == kNoCell) cells.component[o] = c, stack.push_back(o);
      }
    }
    return cells;
  }

  std::vector<Point> points_;
  std::uint32_t corner_count_ = 0;  // later points are feet
  std::set<Edge> walls_;            // sorted ends
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  std::map<Edge, std::uint32_t> left_of_;  // directed edge → triangle on its left
  std::vector<std::uint32_t> cell_of_;     // triangle → loop
  std::vector<std::vector<std::uint32_t>> loops_;
};

inline Cells make_cells(const WallScene& scene, std::mt19937& random, double merge_probability = 0.9) {
  return Builder().build(scene, random, merge_probability);
}

inline Point at(double x, double y) { return snap({x, y}); }

/// A square hall of side `size` with about `count` convex obstacles that keep `gap` metres apart, and some thin walls.
inline WallScene random_hall(std::mt19937& random, double size, int count, double gap) {
  auto uniform = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(random); };
  WallScene scene;
  scene.outer = {at(0, 0), at(size, 0), at(size, size), at(0, size)};
  std::vector<std::pair<Vec2, double>> discs;
  for (int attempt = 0; attempt < 40 * count && static_cast<int>(discs.size()) < count; ++attempt) {
    const double radius = uniform(0.3, 0.16 * size);
    const Vec2 centre = {uniform(radius + gap, size - radius - gap), uniform(radius + gap, size - radius - gap)};
    bool free = true;
    for (const auto& [other, s] : discs) free &= distance(centre, other) > radius + s + gap;
    if (!free) continue;
    discs.push_back({centre, radius});
    const int corners = std::uniform_int_distribution<>(2, 5)(random);
    std::vector<double> angles;
    const double turn = uniform(0, 6.28);
    for (int i = 0; i < corners; ++i) angles.push_back(turn + (i + uniform(-0.3, 0.3)) * 2 * M_PI / corners);
    GridRing ring;
    for (double a : angles) ring.push_back(at(centre.x + radius * std::cos(a), centre.y + radius * std::sin(a)));
    if (corners == 2)
      scene.lines.push_back({ring[0], ring[1]});
    else
      scene.obstacles.push_back(ring);
  }
  return scene;
}

/// Squares of side `pitch` metres on an n × n board, each an obstacle with the given probability, the whole turned by the
/// rational rotation (3, 4)/5 when asked: collinear walls, obstacles that share edges and corners.
inline WallScene random_board(std::mt19937& random, int n, int pitch, double probability, bool turned) {
  auto place = [&](int x, int y) {
    x *= pitch, y *= pitch;
    return turned ? Point{(3 * x - 4 * y) * 1024, (4 * x + 3 * y) * 1024} : Point{5 * x * 1024, 5 * y * 1024};
  };
  WallScene scene;
  scene.outer = {place(0, 0), place(n, 0), place(n, n), place(0, n)};
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      if (std::uniform_real_distribution<>(0, 1)(random) < probability)
        scene.obstacles.push_back({place(x, y), place(x + 1, y), place(x + 1, y + 1), place(x, y + 1)});
  return scene;
}

}  // namespace throng::test_scenes
