// SPDX-License-Identifier: MIT
// What must hold between two calls, checked from the data alone.
#include <algorithm>

#include "geometry/triangulation.hpp"

namespace throng {
namespace {

std::string name(Point p) { return "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ")"; }

}  // namespace

std::optional<std::string> Triangulation::validate() const {
  const auto triangle_count = static_cast<TriangleIndex>(triangles_.size());
  const auto vertex_count = static_cast<VertexIndex>(points_.size());
  const auto edge_name = [&](EdgeRef e) {
    const auto corner = [&](VertexIndex v) { return v == kGhost ? std::string("ghost") : name(points_[v]); };
    return "edge " + corner(from(e)) + "–" + corner(to(e)) + " of triangle " + std::to_string(e.triangle);
  };

  if (flat_) {
    std::size_t alive = 0;
    for (VertexIndex v = 0; v < vertex_count; ++v) alive += is_vertex_alive(v);
    if (alive != line_.size())
      return "flat state: " + std::to_string(alive) + " vertices, " + std::to_string(line_.size()) + " on the line";
    for (const auto& [p, v] : line_) {
      if (orient(line_.begin()->first, line_.rbegin()->first, p) != 0) return "flat state: " + name(p) + " is off the line";
    }
    return std::nullopt;
  }

  std::int64_t real = 0, ghosts = 0, vertices = 0;
  for (TriangleIndex t = 0; t < triangle_count; ++t) {
    if (!is_alive(t)) continue;
    const Triangle& at = triangles_[t];
    ++(is_ghost(t) ? ghosts : real);
    for (int i = 0; i < 3; ++i) {
      const VertexIndex v = at.vertex[i];
      if (v != kGhost && (v < 0 || v >= vertex_count || !is_vertex_alive(v))) {
        return "triangle " + std::to_string(t) + " has a dead corner";
      }
    }
    if (std::count(at.vertex.begin(), at.vertex.end(), kGhost) > 1)
      return "triangle " + std::to_string(t) + " has two ghost corners";
    for (int i = 0; i < 3; ++i) {
      const EdgeRef e{t, i};
      const TriangleIndex n = at.neighbour[i];
      if (n < 0 || n >= triangle_count || !is_alive(n)) return edge_name(e) + " has no neighbour";
      const EdgeRef other = twin(e);
      if (triangles_[n].neighbour[other.edge] != t) return edge_name(e) + ": its neighbour does not know it";
      if (from(e) != to(other) || to(e) != from(other)) return edge_name(e) + ": its neighbour has another edge there";
      if (at.constraint_set[i] != triangles_[n].constraint_set[other.edge])
        return edge_name(e) + ": constraints differ between its sides";
      if (is_constrained(e) && (from(e) == kGhost || to(e) == kGhost)) return edge_name(e) + ": a ghost edge is constrained";
      if (is_ghost(t) && apex(e) == kGhost && is_ghost(n)) return edge_name(e) + " lies between two ghosts";
    }
    if (!is_ghost(t) && orient(points_[at.vertex[0]], points_[at.vertex[1]], points_[at.vertex[2]]) <= 0) {
      return "triangle " + std::to_string(t) + " at " + name(points_[at.vertex[0]]) + " is not counter-clockwise";
    }
  }
  for (TriangleIndex t = 0; t < triangle_count; ++t) {
    for (int i = 0; is_alive(t) && i < 3; ++i) {
      if (must_flip(t, i))
        return edge_name({t, i}) + (is_ghost(t) ? ": the hull is not convex here" : " is free but not Delaunay");
    }
  }
  for (VertexIndex v = 0; v < vertex_count; ++v) {
    if (!is_vertex_alive(v)) continue;
    ++vertices;
    const TriangleIndex t = vertex_triangle_[v];
    if (t < 0 || t >= triangle_count || !is_alive(t) || is_ghost(t)) return "vertex " + name(points_[v]) + " has no triangle";
    if (triangles_[t].vertex[corner_of(t, v)] != v) return "vertex " + name(points_[v]) + " points to a triangle without it";
  }
  // Euler: with the ghost vertex the triangulation is a sphere. Together with the orientation of all triangles and the
  // convex hull this excludes triangles that overlap.
  if (real + ghosts != 2 * (vertices + 1) - 4) {
    return "Euler: " + std::to_string(real) + " triangles and " + std::to_string(ghosts) + " ghosts for " +
           std::to_string(vertices) + " vertices";
  }
  // Each id: label what hangs together by its edges; both ends of every segment must get the same label.
  for (const auto& [id, first] : first_segment_) {
    std::unordered_map<VertexIndex, VertexIndex> label;
    std::vector<VertexIndex> open;
    for (std::int32_t s = first; s != kNone; s = segments_[s].next) {
      const VertexIndex root = segments_[s].a;
      if (label.try_emplace(root, root).second) open.push_back(root);
      while (!open.empty()) {
        const VertexIndex v = open.back();
        open.pop_back();
        for_each_edge_around(v, [&](EdgeRef e) {
          const auto ids = constraints(e);
          if (std::binary_search(ids.begin(), ids.end(), id) && label.try_emplace(to(e), root).second) open.push_back(to(e));
        });
      }
      const auto end = label.find(segments_[s].b);
      if (end == label.end() || end->second != label.at(root)) {
        return "constraint " + std::to_string(id) + " does not connect " + name(points_[root]) + " and " +
               name(points_[segments_[s].b]);
      }
    }
  }
  return std::nullopt;
}

}  // namespace throng
