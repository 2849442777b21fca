// SPDX-License-Identifier: MIT
// A dynamic constrained Delaunay triangulation on the integer grid (after Kallmann, Bieri & Thalmann 2003; ALGORITHMS §7.2).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geometry/point.hpp"

namespace throng {

using VertexIndex = std::int32_t;
using TriangleIndex = std::int32_t;
using ConstraintId = std::int32_t;

inline constexpr VertexIndex kGhost = -1;  ///< the vertex at infinity that closes the hull
inline constexpr std::int32_t kNone = -1;

/// Three corners counter-clockwise. Edge i lies opposite corner i, from corner i+1 to corner i+2 (mod 3).
/// A ghost triangle has kGhost as one corner; the edge opposite to it lies on the hull.
struct Triangle {
  std::array<VertexIndex, 3> vertex;
  std::array<TriangleIndex, 3> neighbour;
  std::array<std::int32_t, 3> constraint_set;  ///< handle of the ids lying on edge i, kNone if it is free
};

/// One side of an edge: edge `edge` of triangle `triangle`.
struct EdgeRef {
  TriangleIndex triangle = kNone;
  int edge = 0;
};

class Triangulation {
 public:
  /// What a point was found on: inside `triangle`; on its edge `edge`; or at its corner `vertex`. Outside the hull
  /// `triangle` is a ghost.
  struct Location {
    enum Kind { kInside, kOnEdge, kOnVertex, kOutside } kind = kOutside;
    TriangleIndex triangle = kNone;
    int edge = 0;
    VertexIndex vertex = kNone;
  };

  /// Points are inserted in a spatial order of our own, so any input order is fast. Returns the vertex of each point
  /// (equal points share one).
  std::vector<VertexIndex> insert_points(std::span<const Point> points);
  VertexIndex insert_point(Point p);
  /// Makes the segment a–b appear as a chain of constrained edges that carry `id`. Vertices on it split it; crossed
  /// constraints are split at the rounded crossing, and both halves become straight constraints of their own through it.
  void insert_constraint(VertexIndex a, VertexIndex b, ConstraintId id);
  /// Takes `id` off its edges, frees edges that carry none, removes vertices nobody needs and restores Delaunay.
  void remove_constraint(ConstraintId id);
  /// Splits an edge at p, which may lie a little off it; constraint ids are inherited by both halves. Refuses
  /// (kNone, nothing changed) if a triangle would not stay counter-clockwise. Triangles that changed are appended to `touched`.
  VertexIndex split_edge(EdgeRef edge, Point p, std::vector<TriangleIndex>* touched = nullptr);

  Location locate(Point p, TriangleIndex hint = kNone) const;

  // Slots of removed vertices and triangles stay until they are reused: test is_alive.
  std::size_t vertex_slot_count() const { return points_.size(); }
  std::size_t triangle_slot_count() const { return triangles_.size(); }
  bool is_alive(TriangleIndex t) const { return triangles_[t].vertex[0] != kDead; }
  bool is_vertex_alive(VertexIndex v) const { return vertex_triangle_[v] != kNone; }
  bool is_ghost(TriangleIndex t) const;
  Point point(VertexIndex v) const { return points_[v]; }
  const Triangle& triangle(TriangleIndex t) const { return triangles_[t]; }
  /// One (non-ghost if there is any) triangle at v.
  TriangleIndex triangle_at(VertexIndex v) const { return vertex_triangle_[v]; }
  bool is_constrained(EdgeRef e) const { return triangles_[e.triangle].constraint_set[e.edge] != kNone; }
  std::span<const ConstraintId> constraints(EdgeRef e) const;
  /// The same edge seen from the other side.
  EdgeRef twin(EdgeRef e) const;
  VertexIndex from(EdgeRef e) const { return triangles_[e.triangle].vertex[(e.edge + 1) % 3]; }
  VertexIndex to(EdgeRef e) const { return triangles_[e.triangle].vertex[(e.edge + 2) % 3]; }
  VertexIndex apex(EdgeRef e) const { return triangles_[e.triangle].vertex[e.edge]; }

  /// Neighbour symmetry, orientation, constraint symmetry, local Delaunay on free edges, ghosts on the hull, vertex
  /// links. Returns what is broken, or nothing.
  std::optional<std::string> validate() const;

 private:
  static constexpr VertexIndex kDead = -2;
  std::vector<Point> points_;
  std::vector<TriangleIndex> vertex_triangle_;
  std::vector<Triangle> triangles_;
};

}  // namespace throng
