// SPDX-License-Identifier: MIT
// Removal of constraints and of the vertices nobody needs any more.
#include <algorithm>
#include <unordered_set>

#include "geometry/triangulation.hpp"

namespace throng {

std::vector<EdgeRef> Triangulation::edges_of(ConstraintId id) const {
  std::vector<EdgeRef> edges;
  const auto first = first_segment_.find(id);
  if (first == first_segment_.end() || flat_) return edges;
  std::unordered_set<VertexIndex> seen;
  std::vector<VertexIndex> open;
  for (std::int32_t s = first->second; s != kNone; s = segments_[s].next) {
    if (!seen.insert(segments_[s].a).second) continue;
    open.push_back(segments_[s].a);
    while (!open.empty()) {
      const VertexIndex v = open.back();
      open.pop_back();
      for_each_edge_around(v, [&](EdgeRef e) {
        const auto ids = constraints(e);
        if (!std::binary_search(ids.begin(), ids.end(), id)) return;
        const VertexIndex w = to(e);
        if (v < w) edges.push_back(e);
        if (seen.insert(w).second) open.push_back(w);
      });
    }
  }
  return edges;
}

void Triangulation::remove_constraint(ConstraintId id) {
  const auto first = first_segment_.find(id);
  if (first == first_segment_.end()) return;
  std::vector<TriangleIndex> freed;
  for (const EdgeRef e : edges_of(id)) {
    loosened_.insert(loosened_.end(), {from(e), to(e)});
    const std::int32_t rest = without(triangles_[e.triangle].constraint_set[e.edge], id);
    set_constraint(e, rest);
    if (rest == kNone) freed.push_back(e.triangle);
  }
  for (std::int32_t s = first->second; s != kNone;) {
    Segment& segment = segments_[s];
    loosened_.insert(loosened_.end(), {segment.a, segment.b});
    --references_[segment.a];
    --references_[segment.b];
    free_segments_.push_back(s);
    s = segment.next;
    segment = {};
  }
  first_segment_.erase(first);
  legalise_.assign(freed.begin(), freed.end());
  legalise();
  simplify_loosened();
}

void Triangulation::release_point(VertexIndex v) {
  --references_[v];
  loosened_.push_back(v);
  simplify_loosened();
}

/// A vertex that goes may have been what kept a bent neighbour from becoming straight, so remove_vertex adds to the list.
void Triangulation::simplify_loosened() {
  while (!loosened_.empty()) {
    const VertexIndex v = loosened_.back();
    loosened_.pop_back();
    if (is_vertex_alive(v) && references_[v] == 0) simplify_vertex(v);
  }
}

/// Removes a vertex without references if no constraint needs it: none at all, or one that merely runs through. The latter
/// becomes straight, provided nothing lies between the bent and the straight line: it must not change sides.
void Triangulation::simplify_vertex(VertexIndex v) {
  if (flat_) {
    line_.erase(points_[v]);
    vertex_triangle_[v] = kDead;
    free_vertices_.push_back(v);
    return;
  }
  std::vector<EdgeRef> constrained;
  for_each_edge_around(v, [&](EdgeRef e) {
    if (is_constrained(e)) constrained.push_back(e);
  });
  if (constrained.empty()) {
    remove_vertex(v);
    return;
  }
  const auto set_of = [&](EdgeRef e) { return triangles_[e.triangle].constraint_set[e.edge]; };
  if (constrained.size() != 2 || set_of(constrained[0]) != set_of(constrained[1])) return;
  VertexIndex u = to(constrained[0]), w = to(constrained[1]);
  if (orient(points_[u], points_[v], points_[w]) < 0) std::swap(u, w);
  const Point a = points_[u], b = points_[v], c = points_[w];
  bool is_blocked = false;
  for_each_edge_around(v, [&](EdgeRef e) {
    const VertexIndex x = to(e);
    if (x == kGhost || x == u || x == w || orient(a, b, c) == 0) return;
    const Point p = points_[x];
    is_blocked = is_blocked || (orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0);
  });
  if (is_blocked) return;
  const std::int32_t set = set_of(constrained[0]);
  for (const EdgeRef e : constrained) set_constraint(e, kNone);
  remove_vertex(v);
  if (flat_) return;
  stretches_.push_back({u, w, set, a, c});
  insert_stretches();
}

/// Takes a vertex without constraints out and fills the gap.
void Triangulation::remove_vertex(VertexIndex v) {
  std::vector<VertexIndex> ring;
  std::vector<EdgeRef> outer;  // outer[i]: the far side of ring[i] → ring[i + 1]
  std::vector<TriangleIndex> star;
  for_each_edge_around(v, [&](EdgeRef e) {
    ring.push_back(to(e));
    outer.push_back(twin({e.triangle, kNext[e.edge]}));
    star.push_back(e.triangle);
  });
  const auto ghost = std::find(ring.begin(), ring.end(), kGhost);
  const bool on_hull = ghost != ring.end();
  EdgeRef ghost_before, ghost_after;
  if (on_hull) {
    const auto shift = ghost - ring.begin();
    std::rotate(outer.begin(), outer.begin() + shift, outer.end());
    std::rotate(ring.begin(), ghost, ring.end());
    ghost_before = outer.front();
    ghost_after = outer.back();
    ring.erase(ring.begin());
    outer.erase(outer.begin());
    outer.pop_back();
    const bool is_line = std::all_of(ring.begin(), ring.end(), [&](VertexIndex x) {
      return orient(points_[ring.front()], points_[ring.back()], points_[x]) == 0;
    });
    if (is_line && is_ghost(outer.front().triangle)) {
      vertex_triangle_[v] = kDead;
      free_vertices_.push_back(v);
      return_to_flat_state();
      return;
    }
  }
  for (const TriangleIndex t : star) free_triangle(t);
  for (const EdgeRef e : outer) own_corners(e.triangle);
  legalise_.clear();
  if (on_hull) {
    fill_hull(ring, outer, ghost_before, ghost_after);
  } else {
    fill_hole(ring, outer, points_[v]);
  }
  vertex_triangle_[v] = kDead;
  free_vertices_.push_back(v);
  for (const VertexIndex w : ring) {
    if (references_[w] == 0) loosened_.push_back(w);
  }
  legalise();
  last_ = vertex_triangle_[ring.front()];
}

/// One triangle (a, b, c) in a gap, given the far sides of a → b and b → c; returns its side towards the rest of the gap.
EdgeRef Triangulation::fill_ear(VertexIndex a, VertexIndex b, VertexIndex c, EdgeRef beyond_ab, EdgeRef beyond_bc) {
  const TriangleIndex t = new_triangle(a, b, c);
  join({t, 2}, beyond_ab);
  join({t, 0}, beyond_bc);
  own_corners(t);
  legalise_.push_back(t);
  return {t, 1};
}

/// Links a fresh side to an existing one, whose constraints it takes over.
void Triangulation::join(EdgeRef fresh, EdgeRef existing) {
  link(fresh, existing);
  triangles_[fresh.triangle].constraint_set[fresh.edge] = triangles_[existing.triangle].constraint_set[existing.edge];
}

/// Cuts ears off a polygon that is star-shaped around `centre`: a convex corner is an ear iff the centre does not lie in it
/// (Devillers 1999). The polygon stays star-shaped until the last triangle. Lawson flips make it Delaunay afterwards.
void Triangulation::fill_hole(std::vector<VertexIndex> ring, std::vector<EdgeRef> outer, Point centre) {
  std::size_t i = 0;
  while (ring.size() > 3) {
    const std::size_t n = ring.size(), before = (i + n - 1) % n, after = (i + 1) % n;
    const Point a = points_[ring[before]], b = points_[ring[i]], c = points_[ring[after]];
    if (orient(a, b, c) > 0 && orient(a, c, centre) >= 0) {
      outer[before] = fill_ear(ring[before], ring[i], ring[after], outer[before], outer[i]);
      ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
      outer.erase(outer.begin() + static_cast<std::ptrdiff_t>(i));
      i = i == 0 ? ring.size() - 1 : i - 1;
    } else {
      i = after;
    }
  }
  join(fill_ear(ring[0], ring[1], ring[2], outer[0], outer[1]), outer[2]);
}

/// Closes the hull after one of its vertices left: `ring` are its neighbours from hull to hull, sorted by angle, so a Graham
/// scan fills the pockets and leaves the new hull edges, which get ghosts.
void Triangulation::fill_hull(const std::vector<VertexIndex>& ring, const std::vector<EdgeRef>& outer, EdgeRef ghost_before,
                              EdgeRef ghost_after) {
  std::vector<VertexIndex> hull;
  std::vector<EdgeRef> beyond;  // beyond[i]: the far side of hull[i] → hull[i + 1]
  for (std::size_t i = 0; i < ring.size(); ++i) {
    while (hull.size() >= 2 && orient(points_[hull[hull.size() - 2]], points_[hull.back()], points_[ring[i]]) > 0) {
      const EdgeRef side = fill_ear(hull[hull.size() - 2], hull.back(), ring[i], beyond[beyond.size() - 2], beyond.back());
      hull.pop_back();
      beyond.pop_back();
      beyond.back() = side;
    }
    hull.push_back(ring[i]);
    if (i < outer.size()) beyond.push_back(outer[i]);
  }
  EdgeRef previous = ghost_before;
  for (std::size_t i = 0; i + 1 < hull.size(); ++i) {
    const TriangleIndex t = new_triangle(hull[i], hull[i + 1], kGhost);
    join({t, 2}, beyond[i]);
    link({t, 1}, previous);
    previous = {t, 0};
  }
  link(previous, ghost_after);
}

/// The last vertex off the common line is gone. Constraints survive in segments_ and come back with the next triangle.
void Triangulation::return_to_flat_state() {
  triangles_.clear();
  free_triangles_.clear();
  last_ = kNone;
  flat_ = true;
  for (VertexIndex v = 0; v < static_cast<VertexIndex>(points_.size()); ++v) {
    if (vertex_triangle_[v] == kDead) continue;
    vertex_triangle_[v] = kNone;
    line_.emplace(points_[v], v);
  }
}

}  // namespace throng
