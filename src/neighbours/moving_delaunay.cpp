// SPDX-License-Identifier: MIT
#include "neighbours/moving_delaunay.hpp"

#include <algorithm>
#include <cassert>

#include "geometry/hilbert.hpp"
#include "neighbours/predicates.hpp"

namespace throng {

std::uint32_t MovingDelaunay::degree(Vertex v) const {
  std::uint32_t count = 0;
  const HalfEdge start = first(v);
  HalfEdge h = start;
  do ++count;
  while ((h = turn(h)) != start);
  return count;
}

bool MovingDelaunay::are_joined(Vertex v, Vertex w) const {
  const HalfEdge start = first(v);
  HalfEdge h = start;
  do
    if (target(h) == w) return true;
  while ((h = turn(h)) != start);
  return false;
}

std::int64_t MovingDelaunay::area(HalfEdge h) const {
  const Vertex a = origin(h), b = target(h), c = apex(h);
  if (a == kInfinity || b == kInfinity || c == kInfinity) return 1;
  return orient(at(a), at(b), at(c));
}

bool MovingDelaunay::is_illegal(std::uint32_t edge) const {
  const HalfEdge h = 2 * edge;
  const Vertex a = origin(h), b = target(h), c = apex(h), d = apex(h + 1);
  // An edge to infinity stands on a hull vertex; the hull turns counter-clockwise from c over b to d, and must not turn right.
  if (a == kInfinity) return b != kInfinity && orient(at(c), at(b), at(d)) < 0;
  if (b == kInfinity) return orient(at(d), at(a), at(c)) < 0;
  if (c == kInfinity || d == kInfinity) return false;
  return inside_circle(at(a), at(b), at(c), at(d));
}

std::uint32_t MovingDelaunay::new_edge() {
  if (!free_edges_.empty()) {
    const std::uint32_t edge = free_edges_.back();
    free_edges_.pop_back();
    return edge;
  }
  corners_.resize(corners_.size() + 4, kInfinity);
  next_.resize(next_.size() + 2, kNoHalfEdge);
  return edge_slots() - 1;
}

void MovingDelaunay::free_edge(std::uint32_t edge) {
  std::fill_n(corners_.begin() + 4 * std::ptrdiff_t{edge}, 4, kInfinity);
  free_edges_.push_back(edge);
}

void MovingDelaunay::flip(std::uint32_t edge) {
  // a→b with c on the left and d on the right becomes c→d with b on the left and a on the right.
  const HalfEdge h = 2 * edge, t = h + 1;
  const HalfEdge h1 = next_[h], h2 = next_[h1], t1 = next_[t], t2 = next_[t1];
  const Vertex a = origin(h), b = origin(t), c = apex(h), d = apex(t);
  next_[h] = t2, next_[t2] = h1, next_[h1] = h;
  next_[t] = h2, next_[h2] = t1, next_[t1] = t;
  Vertex* corner = &corners_[4 * std::size_t{edge}];
  corner[0] = c, corner[1] = d, corner[2] = b, corner[3] = a;
  set_apex(t2, c), set_apex(h1, d), set_apex(h2, d), set_apex(t1, c);
  if (first(a) == h) set_first(a, t1);
  if (first(b) == t) set_first(b, h1);
}

/// Puts v into the triangle left of h.
void MovingDelaunay::split(HalfEdge h, Vertex v) {
  const HalfEdge side[3] = {h, next_[h], next_[next_[h]]};
  const Vertex corner[3] = {origin(side[0]), origin(side[1]), origin(side[2])};
  HalfEdge in[3];  // from the corners to v
  for (HalfEdge& i : in) i = 2 * new_edge();
  for (int i = 0; i < 3; ++i) {
    const int following = (i + 1) % 3, before = (i + 2) % 3;
    set_origin(in[i], corner[i]), set_origin(in[i] + 1, v);
    set_apex(in[i], corner[before]), set_apex(in[i] + 1, corner[following]);
    set_apex(side[i], v);
    next_[side[i]] = in[following], next_[in[following]] = in[i] + 1, next_[in[i] + 1] = side[i];
  }
  set_first(v, in[0] + 1);
  ++vertex_count_;
}

/// A half-edge of the triangle that holds p, with p to its left or on it; of an outer triangle if p is strictly outside that
/// hull edge. kNoHalfEdge if the walk does not end, which no Delaunay triangulation allows.
HalfEdge MovingDelaunay::locate(Point p, HalfEdge start) const {
  HalfEdge h = start;
  if (origin(h) == kInfinity)
    h = next_[h];
  else if (target(h) == kInfinity)
    h = next_[next_[h]];
  if (apex(h) == kInfinity) h ^= 1;
  if (orient(at(origin(h)), at(target(h)), p) < 0) h ^= 1;
  for (std::uint32_t steps = edge_slots() + 8; steps > 0; --steps) {
    const Vertex c = apex(h);
    if (c == kInfinity) return h;
    const HalfEdge h1 = next_[h], h2 = next_[h1];
    if (orient(at(origin(h1)), at(c), p) < 0)
      h = h1 ^ 1;
    else if (orient(at(c), at(origin(h)), p) < 0)
      h = h2 ^ 1;
    else
      return h;
  }
  return kNoHalfEdge;
}

bool MovingDelaunay::insert(Vertex v) {
  if (flat_) return false;
  const Point p = at(v);
  const HalfEdge start = first(recent_ != kInfinity && first(recent_) != kNoHalfEdge ? recent_ : kInfinity);
  HalfEdge h = locate(p, start);
  if (h == kNoHalfEdge) return false;
  const HalfEdge side[3] = {h, next_[h], next_[next_[h]]};
  std::uint32_t on_edge = kNoHalfEdge;
  if (apex(h) != kInfinity) {
    for (const HalfEdge s : side) {
      if (at(origin(s)) == p) {
        recent_ = origin(s);
        aliases_.push_back({recent_, v});
        return true;
      }
      if (orient(at(origin(s)), at(target(s)), p) == 0) on_edge = s / 2;
    }
  }
  split(h, v);
  // Lawson's rule, from the edges opposite v outwards; edges that end in v are legal.
  legalise_.clear();
  for (const HalfEdge s : side) {
    if (s / 2 != on_edge) legalise_.push_back(s);
  }
  if (on_edge != kNoHalfEdge) {
    // The triangle between v and the edge it lies on is flat: the flip makes two of it and the one behind.
    const HalfEdge behind = (apex(2 * on_edge) == v ? 2 * on_edge : 2 * on_edge + 1) ^ 1;
    legalise_.push_back(next_[behind]), legalise_.push_back(next_[next_[behind]]);
    flip(on_edge);
  }
  while (!legalise_.empty()) {
    const HalfEdge s = legalise_.back();
    legalise_.pop_back();
    if (!is_illegal(s / 2)) continue;
    const HalfEdge t1 = next_[s ^ 1], t2 = next_[t1];
    flip(s / 2);
    legalise_.push_back(t1), legalise_.push_back(t2);
  }
  recent_ = v;
  return true;
}

bool MovingDelaunay::remove(Vertex v) {
  if (flat_ || vertex_count_ < 5) return false;
  // Cut ears off the polygon of neighbours until three are left. In a valid triangulation positive ears exist until the polygon
  // is a triangle or, if v was on the hull, a chain that becomes hull: its vertices are then joined to infinity one by one. In a
  // tangled triangulation any flip that makes no double edge will do.
  for (std::uint32_t count = degree(v); count > 3; --count) {
    HalfEdge best = kNoHalfEdge;
    int best_rank = 3;
    const HalfEdge start = first(v);
    HalfEdge h = start;
    do {
      const Vertex p = apex(h ^ 1), w = target(h), q = apex(h);
      int rank = 2;
      if (w != kInfinity && (p == kInfinity || q == kInfinity)) rank = 1;
      if (w != kInfinity && p != kInfinity && q != kInfinity && orient(at(p), at(w), at(q)) > 0 &&
          orient(at(p), at(q), at(v)) >= 0)
        rank = 0;
      if (rank < best_rank && !are_joined(p, q)) best = h, best_rank = rank;
    } while (best_rank > 0 && (h = turn(h)) != start);
    if (best == kNoHalfEdge) return false;
    const HalfEdge t = best ^ 1;
    for (const HalfEdge outer : {best, next_[best], next_[t], next_[next_[best]], next_[next_[t]]}) stack_.push_back(outer / 2);
    flip(best / 2);
  }
  HalfEdge out[3], side[3];
  out[0] = first(v);
  for (int i = 0; i < 3; ++i) {
    side[i] = next_[out[i]];
    if (i < 2) out[i + 1] = next_[side[i]] ^ 1;
  }
  for (int i = 0; i < 3; ++i) {
    const HalfEdge following = side[(i + 1) % 3];
    next_[side[i]] = following;
    set_apex(side[i], target(following));
    set_first(origin(side[i]), side[i]);
    stack_.push_back(side[i] / 2);
  }
  for (const HalfEdge h : out) free_edge(h / 2);
  if (recent_ == v) recent_ = origin(side[0]) != kInfinity ? origin(side[0]) : origin(side[1]);
  columns_->first[v] = kNoHalfEdge;
  --vertex_count_;
  return true;
}

void MovingDelaunay::start_with(Vertex a, Vertex b, Vertex c) {
  if (orient(at(a), at(b), at(c)) < 0) std::swap(b, c);
  // The triangle and the outside of its three edges: a tetrahedron with the vertex at infinity.
  const Vertex corner[3] = {a, b, c};
  HalfEdge side[3], out[3];
  for (HalfEdge& h : side) h = 2 * new_edge();
  for (HalfEdge& h : out) h = 2 * new_edge();  // corner → infinity
  for (int i = 0; i < 3; ++i) {
    const int following = (i + 1) % 3, before = (i + 2) % 3;
    set_origin(side[i], corner[i]), set_origin(side[i] + 1, corner[following]);
    set_apex(side[i], corner[before]), set_apex(side[i] + 1, kInfinity);
    next_[side[i]] = side[following];
    // Outside: b → a → infinity → b.
    set_origin(out[i], corner[i]), set_origin(out[i] + 1, kInfinity);
    next_[side[i] + 1] = out[i], next_[out[i]] = out[following] + 1, next_[out[following] + 1] = side[i] + 1;
    set_apex(out[i], corner[following]), set_apex(out[i] + 1, corner[before]);
    set_first(corner[i], side[i]);
  }
  set_first(kInfinity, out[0] + 1);
  vertex_count_ = 3;
  hull_size_ = 3;
  flat_ = false;
  recent_ = a;
}

/// All points on one line: each sees the next.
void MovingDelaunay::build_chain(std::vector<Vertex>& vertices) {
  std::sort(vertices.begin(), vertices.end(), [&](Vertex v, Vertex w) { return at(v) != at(w) ? at(v) < at(w) : v < w; });
  Vertex last = kInfinity;
  HalfEdge behind = kNoHalfEdge;  // from `last` back to the one before
  for (const Vertex v : vertices) {
    if (last != kInfinity && at(v) == at(last)) {
      aliases_.push_back({last, v});
      continue;
    }
    ++vertex_count_;
    if (last != kInfinity) {
      const HalfEdge h = 2 * new_edge();
      set_origin(h, last), set_origin(h + 1, v);
      // turn(g) = next[g ^ 1]: round `last` from h to `behind` and back; v has one half-edge so far.
      next_[h + 1] = behind == kNoHalfEdge ? h : behind;
      if (behind != kNoHalfEdge) next_[behind ^ 1] = h;
      next_[h] = h + 1;
      if (behind == kNoHalfEdge) columns_->first[last] = h;
      columns_->first[v] = behind = h + 1;
    }
    last = v;
  }
}

void MovingDelaunay::rebuild(std::vector<Vertex>& vertices) {
  corners_.clear(), next_.clear(), free_edges_.clear(), aliases_.clear();
  first_infinity_ = kNoHalfEdge;
  recent_ = kInfinity;
  vertex_count_ = hull_size_ = 0;
  flat_ = true;
  for (const Vertex v : vertices) columns_->first[v] = kNoHalfEdge;
  if (vertices.empty()) return;

  Point low = at(vertices[0]), high = low;
  for (const Vertex v : vertices) {
    const Point p = at(v);
    low = {std::min(low.x, p.x), std::min(low.y, p.y)}, high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  int shift = 0;
  while ((std::max(std::int64_t{high.x} - low.x, std::int64_t{high.y} - low.y) >> shift) > 0xffff) ++shift;
  // (key, vertex) in one word: sorting them is sorting plain numbers.
  std::vector<std::uint64_t> order;
  order.reserve(vertices.size());
  for (const Vertex v : vertices) {
    const auto x = static_cast<std::uint32_t>((std::int64_t{at(v).x} - low.x) >> shift);
    const auto y = static_cast<std::uint32_t>((std::int64_t{at(v).y} - low.y) >> shift);
    order.push_back(std::uint64_t{hilbert_key(x, y)} << 32 | v);
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) vertices[i] = static_cast<Vertex>(order[i]);

  const Point p = at(vertices[0]);
  const auto second = std::find_if(vertices.begin(), vertices.end(), [&](Vertex v) { return at(v) != p; });
  if (second == vertices.end()) return build_chain(vertices);
  const auto third = std::find_if(second, vertices.end(), [&](Vertex v) { return orient(p, at(*second), at(v)) != 0; });
  if (third == vertices.end()) return build_chain(vertices);
  corners_.reserve(12 * vertices.size() + 16), next_.reserve(6 * vertices.size() + 8);
  const Vertex a = vertices[0], b = *second, c = *third;
  start_with(a, b, c);
  for (const Vertex v : vertices) {
    if (v == a || v == b || v == c) continue;
    [[maybe_unused]] const bool placed = insert(v);
    assert(placed);
  }
  count_hull();
}

void MovingDelaunay::rename(std::span<const std::pair<Vertex, Vertex>> names) {
  // All places are found under the old names before any is written.
  std::vector<std::pair<std::size_t, Vertex>> places;
  for (const auto& [old_name, new_name] : names) {
    const HalfEdge start = columns_->first[old_name];
    if (recent_ == old_name) recent_ = kInfinity;
    if (start == kNoHalfEdge) continue;
    HalfEdge h = start;
    do {
      places.push_back({slot(h), new_name});
      places.push_back({slot(next_[h]) + 2, new_name});
    } while ((h = turn(h)) != start);
  }
  for (const auto& [place, name] : places) corners_[place] = name;
}

void MovingDelaunay::rename_all(std::span<const Vertex> new_of_old) {
  recent_ = kInfinity;
  for (Vertex& corner : corners_) corner = new_of_old[corner];
}

void MovingDelaunay::lay_out() {
  if (flat_) return;
  constexpr std::uint32_t kUnset = 0xffffffffu;
  std::vector<std::uint32_t> new_edge_of_old(edge_slots(), kUnset), old_edge_of_new;
  old_edge_of_new.reserve(edge_slots());
  for (Vertex v = 1; v < columns_->first.size(); ++v) {
    const HalfEdge start = columns_->first[v];
    // Another layer's vertex has a half-edge of another triangulation.
    if (start == kNoHalfEdge || start >= next_.size() || origin(start) != v) continue;
    HalfEdge h = start;
    do
      if (new_edge_of_old[h / 2] == kUnset) {
        new_edge_of_old[h / 2] = static_cast<std::uint32_t>(old_edge_of_new.size());
        old_edge_of_new.push_back(h / 2);
      }
    while ((h = turn(h)) != start);
  }
  std::vector<Vertex> corners(4 * old_edge_of_new.size());
  std::vector<HalfEdge> next(2 * old_edge_of_new.size());
  const auto moved = [&](HalfEdge h) { return 2 * new_edge_of_old[h / 2] + (h & 1); };
  for (std::size_t e = 0; e < old_edge_of_new.size(); ++e) {
    const std::size_t old_edge = old_edge_of_new[e];
    std::copy_n(&corners_[4 * old_edge], 4, &corners[4 * e]);
    for (std::size_t i = 0; i < 2; ++i) next[2 * e + i] = moved(next_[2 * old_edge + i]);
  }
  for (Vertex v = 1; v < columns_->first.size(); ++v) {
    HalfEdge& start = columns_->first[v];
    if (start != kNoHalfEdge && start < next_.size() && origin(start) == v) start = moved(start);
  }
  first_infinity_ = moved(first_infinity_);
  corners_ = std::move(corners), next_ = std::move(next);
  free_edges_.clear();
}

}  // namespace throng
