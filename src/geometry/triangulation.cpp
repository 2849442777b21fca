// SPDX-License-Identifier: MIT
// Slots, point insertion, flips and point location.
#include "geometry/triangulation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "geometry/hilbert.hpp"

namespace throng {
namespace {

std::uint64_t scrambled(std::uint64_t i) {
  i = (i + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return i ^ (i >> 31);
}

struct Ordered {
  std::uint64_t key;
  std::uint32_t index;
  friend auto operator<=>(const Ordered&, const Ordered&) = default;
};

/// A biased randomised insertion order (Amenta, Choi & Rote 2003): rounds that grow eightfold, each along a Hilbert curve. The
/// rounds spread the first points over the whole plane, so that no later one lies far outside; the curve keeps walks short.
std::vector<Ordered> insertion_order(std::span<const Point> points) {
  std::int32_t min_x = INT32_MAX, min_y = INT32_MAX, max_x = INT32_MIN, max_y = INT32_MIN;
  for (const Point p : points) {
    min_x = std::min(min_x, p.x);
    min_y = std::min(min_y, p.y);
    max_x = std::max(max_x, p.x);
    max_y = std::max(max_y, p.y);
  }
  const auto extent = static_cast<std::uint32_t>(std::max(std::int64_t{max_x} - min_x, std::int64_t{max_y} - min_y));
  const int width = std::bit_width(extent);
  const int shift_down = std::max(0, width - 16), shift_up = std::max(0, 16 - width);
  const std::uint64_t last_round = static_cast<std::uint64_t>(std::bit_width(points.size() / 64)) / 3;
  std::vector<Ordered> order(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const auto x = static_cast<std::uint32_t>(points[i].x - min_x) >> shift_down << shift_up;
    const auto y = static_cast<std::uint32_t>(points[i].y - min_y) >> shift_down << shift_up;
    const std::uint64_t rank = static_cast<std::uint64_t>(std::countr_zero(scrambled(i) | (1ull << 63))) / 3;
    order[i] = {(last_round - std::min(rank, last_round)) << 32 | hilbert_key(x, y), i};
  }
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

VertexIndex Triangulation::new_vertex(Point p) {
  if (!free_vertices_.empty()) {
    const VertexIndex v = free_vertices_.back();
    free_vertices_.pop_back();
    points_[v] = p;
    vertex_triangle_[v] = kNone;
    references_[v] = 0;
    return v;
  }
  points_.push_back(p);
  vertex_triangle_.push_back(kNone);
  references_.push_back(0);
  return static_cast<VertexIndex>(points_.size()) - 1;
}

TriangleIndex Triangulation::new_triangle(VertexIndex a, VertexIndex b, VertexIndex c) {
  const Triangle fresh{{a, b, c}, {kNone, kNone, kNone}, {kNone, kNone, kNone}};
  if (!free_triangles_.empty()) {
    const TriangleIndex t = free_triangles_.back();
    free_triangles_.pop_back();
    triangles_[t] = fresh;
    note(t);
    return t;
  }
  triangles_.push_back(fresh);
  note(static_cast<TriangleIndex>(triangles_.size()) - 1);
  return static_cast<TriangleIndex>(triangles_.size()) - 1;
}

void Triangulation::free_triangle(TriangleIndex t) {
  triangles_[t].vertex[0] = kDead;
  free_triangles_.push_back(t);
  note(t);
}

void Triangulation::link(EdgeRef a, EdgeRef b) {
  triangles_[a.triangle].neighbour[a.edge] = b.triangle;
  triangles_[b.triangle].neighbour[b.edge] = a.triangle;
}

/// Makes t the triangle its corners are found by, unless it is a ghost.
void Triangulation::own_corners(TriangleIndex t) {
  const auto& c = triangles_[t].vertex;
  if (c[0] == kGhost || c[1] == kGhost || c[2] == kGhost) return;
  vertex_triangle_[c[0]] = vertex_triangle_[c[1]] = vertex_triangle_[c[2]] = t;
}

std::vector<VertexIndex> Triangulation::insert_points(std::span<const Point> points) {
  std::vector<VertexIndex> result(points.size(), kNone);
  points_.reserve(points_.size() + points.size());
  vertex_triangle_.reserve(points_.capacity());
  references_.reserve(points_.capacity());
  triangles_.reserve(triangles_.size() + 2 * points.size() + 8);
  for (const Ordered& next : insertion_order(points)) result[next.index] = insert_point(points[next.index]);
  return result;
}

VertexIndex Triangulation::insert_point(Point p) {
  const VertexIndex v = place(p);
  ++references_[v];
  return v;
}

/// The vertex at p, which is made if there is none.
VertexIndex Triangulation::place(Point p) {
  if (flat_) return place_on_line(p);
  const Location at = locate(p, last_);
  if (at.kind == Location::kOnVertex) {
    last_ = at.triangle;
    return at.vertex;
  }
  const VertexIndex v = new_vertex(p);
  if (at.kind == Location::kOnEdge) {
    split_pair({at.triangle, at.edge}, v);
  } else {
    split_triangle(at.triangle, v);
  }
  legalise_star();
  last_ = vertex_triangle_[v];
  return v;
}

VertexIndex Triangulation::place_on_line(Point p) {
  if (const auto found = line_.find(p); found != line_.end()) return found->second;
  const VertexIndex v = new_vertex(p);
  if (line_.size() >= 2 && orient(line_.begin()->first, line_.rbegin()->first, p) != 0) {
    leave_flat_state(v);
  } else {
    line_.emplace(p, v);
  }
  return v;
}

/// Collinear points and one more have a single triangulation, a fan, which is therefore Delaunay.
void Triangulation::leave_flat_state(VertexIndex q) {
  std::vector<VertexIndex> base;
  for (const auto& [p, v] : line_) base.push_back(v);
  line_.clear();
  if (orient(points_[base.front()], points_[base.back()], points_[q]) < 0) std::reverse(base.begin(), base.end());
  const int count = static_cast<int>(base.size()) - 1;
  const TriangleIndex after = new_triangle(kGhost, q, base.back());
  const TriangleIndex before = new_triangle(kGhost, base.front(), q);
  link({after, 2}, {before, 1});
  EdgeRef spoke{before, 0}, hull{before, 2};
  for (int i = 0; i < count; ++i) {
    const TriangleIndex t = new_triangle(q, base[i], base[i + 1]);
    const TriangleIndex ghost = new_triangle(kGhost, base[i + 1], base[i]);
    link({t, 0}, {ghost, 0});
    link({t, 2}, spoke);
    link({ghost, 1}, hull);
    own_corners(t);
    spoke = {t, 1};
    hull = {ghost, 2};
  }
  link({after, 0}, spoke);
  link({after, 1}, hull);
  flat_ = false;
  last_ = vertex_triangle_[q];
  for (const Segment& s : segments_) {
    if (s.id != kNone) stretches_.push_back({s.a, s.b, s.id, points_[s.a], points_[s.b]});
  }
  std::reverse(stretches_.begin(), stretches_.end());
  insert_stretches();
}

/// 1 → 3. All new triangles have v as corner 0, which legalise_star relies on.
void Triangulation::split_triangle(TriangleIndex t, VertexIndex v) {
  const Triangle old = triangles_[t];
  const TriangleIndex part[3] = {t, new_triangle(v, old.vertex[2], old.vertex[0]), new_triangle(v, old.vertex[0], old.vertex[1])};
  triangles_[t].vertex = {v, old.vertex[1], old.vertex[2]};
  for (int i = 0; i < 3; ++i) {
    const TriangleIndex neighbour = old.neighbour[i];
    const int back = part[i] == t ? 0 : side_towards(neighbour, t);
    Triangle& fresh = triangles_[part[i]];
    fresh.neighbour = {neighbour, part[kNext[i]], part[kPrevious[i]]};
    fresh.constraint_set = {old.constraint_set[i], kNone, kNone};
    if (part[i] != t) triangles_[neighbour].neighbour[back] = part[i];
  }
  note(t);
  for (int i = 0; i < 3; ++i) {
    own_corners(part[i]);
    legalise_.push_back(part[i]);
  }
}

/// 2 → 4 through the edge; both halves keep its constraints. Corner 0 of the new triangles is v.
void Triangulation::split_pair(EdgeRef e, VertexIndex v) {
  const EdgeRef other = twin(e);
  const Triangle one = triangles_[e.triangle], two = triangles_[other.triangle];
  const VertexIndex a = one.vertex[e.edge], start = one.vertex[kNext[e.edge]], end = one.vertex[kPrevious[e.edge]];
  const VertexIndex b = two.vertex[other.edge];
  const std::int32_t set = one.constraint_set[e.edge];
  struct Outer {
    TriangleIndex neighbour;
    int back;
    std::int32_t set;
  };
  const auto outer = [&](const Triangle& t, TriangleIndex index, int side) {
    return Outer{t.neighbour[side], side_towards(t.neighbour[side], index), t.constraint_set[side]};
  };
  // Counter-clockwise around v: start, b, end, a.
  const Outer out[4] = {outer(two, other.triangle, kNext[other.edge]), outer(two, other.triangle, kPrevious[other.edge]),
                        outer(one, e.triangle, kNext[e.edge]), outer(one, e.triangle, kPrevious[e.edge])};
  const VertexIndex corner[5] = {start, b, end, a, start};
  const TriangleIndex part[4] = {other.triangle, new_triangle(v, b, end), e.triangle, new_triangle(v, a, start)};
  for (int i = 0; i < 4; ++i) {
    Triangle& t = triangles_[part[i]];
    t.vertex = {v, corner[i], corner[i + 1]};
    t.neighbour = {out[i].neighbour, part[(i + 1) & 3], part[(i + 3) & 3]};
    // The split edge runs between parts 3 and 0 (v to start) and between parts 1 and 2 (v to end).
    t.constraint_set = {out[i].set, i & 1 ? set : kNone, i & 1 ? kNone : set};
    triangles_[out[i].neighbour].neighbour[out[i].back] = part[i];
  }
  for (const TriangleIndex t : part) {
    own_corners(t);
    legalise_.push_back(t);
    note(t);
  }
}

/// Whether the edge is free and the corner across lies strictly inside the circle; on the hull, whether two hull edges
/// enclose a pocket.
bool Triangulation::must_flip(TriangleIndex t, int edge) const {
  const Triangle& one = triangles_[t];
  if (one.constraint_set[edge] != kNone) return false;
  const VertexIndex p = one.vertex[edge];
  const TriangleIndex n = one.neighbour[edge];
  const Triangle& two = triangles_[n];
  const VertexIndex q = two.vertex[side_towards(n, t)];
  if (p == kGhost || q == kGhost) return false;
  const VertexIndex u = one.vertex[kNext[edge]], w = one.vertex[kPrevious[edge]];
  if (u == kGhost) return orient(points_[q], points_[w], points_[p]) > 0;
  if (w == kGhost) return orient(points_[p], points_[u], points_[q]) > 0;
  return in_circle(points_[p], points_[u], points_[w], points_[q]) > 0;
}

/// Replaces edge u–w of t = (p, u, w) and its neighbour (q, w, u) by p–q: t becomes (p, u, q), the neighbour (p, q, w).
void Triangulation::flip(TriangleIndex t, int edge) {
  const TriangleIndex n = triangles_[t].neighbour[edge];
  const int back = side_towards(n, t);
  const Triangle one = triangles_[t], two = triangles_[n];
  const int u = kNext[edge], w = kPrevious[edge];              // corners of t
  const int other_w = kNext[back], other_u = kPrevious[back];  // the same vertices as corners of n
  const TriangleIndex beyond_uq = two.neighbour[other_w], beyond_wp = one.neighbour[u];
  const int side_uq = side_towards(beyond_uq, n), side_wp = side_towards(beyond_wp, t);
  triangles_[t] = {{one.vertex[edge], one.vertex[u], two.vertex[back]},
                   {beyond_uq, n, one.neighbour[w]},
                   {two.constraint_set[other_w], kNone, one.constraint_set[w]}};
  triangles_[n] = {{one.vertex[edge], two.vertex[back], one.vertex[w]},
                   {two.neighbour[other_u], beyond_wp, t},
                   {two.constraint_set[other_u], one.constraint_set[u], kNone}};
  triangles_[beyond_uq].neighbour[side_uq] = t;
  triangles_[beyond_wp].neighbour[side_wp] = n;
  own_corners(t);
  own_corners(n);
  if (touched_ != nullptr) touched_->insert(touched_->end(), {t, n});
  note(t);
  note(n);
}

/// Lawson flips after a vertex was put into a constrained Delaunay triangulation: only edges opposite it (edge 0) can be wrong.
void Triangulation::legalise_star() {
  while (!legalise_.empty()) {
    const TriangleIndex t = legalise_.back();
    if (!must_flip(t, 0)) {
      legalise_.pop_back();
      continue;
    }
    const TriangleIndex n = triangles_[t].neighbour[0];
    flip(t, 0);
    legalise_.push_back(n);
  }
}

/// Lawson flips from any valid triangulation: all edges of the triangles listed, and of those that change.
void Triangulation::legalise() {
  while (!legalise_.empty()) {
    const TriangleIndex t = legalise_.back();
    legalise_.pop_back();
    if (!is_alive(t)) continue;
    for (int edge = 0; edge < 3; ++edge) {
      if (!must_flip(t, edge)) continue;
      const TriangleIndex n = triangles_[t].neighbour[edge];
      flip(t, edge);
      legalise_.push_back(t);
      legalise_.push_back(n);
      break;
    }
  }
}

/// Jump and walk (Mücke, Saias & Zhu 1999): the nearest of about cbrt(n) vertices halves the exponent of the walk's length.
TriangleIndex Triangulation::start_near(Point p) const {
  TriangleIndex best = last_;
  std::int64_t best_distance = INT64_MAX;
  const std::size_t count = points_.size();
  const std::size_t stride =
      std::max<std::size_t>(1, count / (1 + static_cast<std::size_t>(std::cbrt(static_cast<double>(count)))));
  for (std::size_t v = stride / 2; v < count; v += stride) {
    if (vertex_triangle_[v] == kDead || distance_squared(points_[v], p) >= best_distance) continue;
    best = vertex_triangle_[v];
    best_distance = distance_squared(points_[v], p);
  }
  return best;
}

/// A remembering stochastic walk: with constraints a triangulation is not Delaunay, and a walk that always tries edges in
/// the same order can run in circles.
Triangulation::Location Triangulation::locate(Point p, TriangleIndex hint) const {
  if (flat_) return {};
  TriangleIndex t = hint >= 0 && hint < static_cast<TriangleIndex>(triangles_.size()) && is_alive(hint) ? hint : start_near(p);
  for (int i = 0; i < 3; ++i) {
    if (triangles_[t].vertex[i] != kGhost) continue;
    t = triangles_[t].neighbour[i];
    break;
  }
  TriangleIndex previous = kNone;
  std::uint32_t random = static_cast<std::uint32_t>(p.x) * 0x9e3779b9u ^ static_cast<std::uint32_t>(p.y);
  for (;;) {
    const Triangle& at = triangles_[t];
    random = random * 1664525u + 1013904223u;
    int edge = static_cast<int>((std::uint64_t{random} * 3) >> 32);
    int zeros = 0, zero_edge = 0, exit = kNone;
    for (int i = 0; i < 3; ++i, edge = kNext[edge]) {
      if (at.neighbour[edge] == previous) continue;  // p lies strictly on this side of the edge we came through
      const std::int64_t side = orient(points_[at.vertex[kNext[edge]]], points_[at.vertex[kPrevious[edge]]], p);
      if (side < 0) {
        exit = edge;
        break;
      }
      if (side == 0) {
        zero_edge = zeros++ == 0 ? edge : 3 - zero_edge - edge;  // of two edges keep the corner they share
      }
    }
    if (exit == kNone) {
      if (zeros == 0) return {Location::kInside, t, 0, kNone};
      if (zeros == 1) return {Location::kOnEdge, t, zero_edge, kNone};
      return {Location::kOnVertex, t, 0, at.vertex[zero_edge]};
    }
    previous = t;
    t = at.neighbour[exit];
    if (is_ghost(t)) return {Location::kOutside, t, 0, kNone};
  }
}

std::optional<EdgeRef> Triangulation::find_edge(VertexIndex a, VertexIndex b) const {
  const TriangleIndex first = vertex_triangle_[a];
  if (first < 0) return std::nullopt;
  TriangleIndex t = first;
  do {
    const int corner = corner_of(t, a);
    if (triangles_[t].vertex[kNext[corner]] == b) return EdgeRef{t, kPrevious[corner]};
    t = triangles_[t].neighbour[kNext[corner]];
  } while (t != first);
  return std::nullopt;
}

}  // namespace throng
