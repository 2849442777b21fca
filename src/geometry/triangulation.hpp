// SPDX-License-Identifier: MIT
// A dynamic constrained Delaunay triangulation on the integer grid (after Kallmann, Bieri & Thalmann 2003; ALGORITHMS §7.2).
//
// Points and constraints can be inserted and removed in any order; every operation leaves a triangulation that is
// Delaunay but for its constrained edges, decided by exact integers (point.hpp), so nothing here knows a tolerance.
// The hull is closed by ghost triangles that share the vertex kGhost: there is no far box, every edge has two sides and
// the hull needs no special case but in the in-circle test (a ghost's circle is the half plane beyond its hull edge).
//
// Cost: insert_points O(n log n) expected, about half a microsecond a point; insert_constraint O(k log k) for k crossed
// triangles; split_edge and vertex removal O(degree).
// Flat state: until three points are not collinear there is no triangle; vertices and constraints are kept aside
// (is_flat, triangle_at gives kNone, locate gives kOutside without a triangle) and enter with the first triangle.
// The same calls in the same order give the same numbering. Const members may be called from many threads at once.
//
//   Triangulation mesh;
//   auto v = mesh.insert_points(corners);
//   mesh.insert_constraint(v[0], v[1], wall_id);
//   mesh.for_each_edge_around(v[0], [&](EdgeRef e) { if (mesh.is_constrained(e)) ...; });
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "geometry/point.hpp"

namespace throng {

using VertexIndex = std::int32_t;
using TriangleIndex = std::int32_t;
using ConstraintId = std::int32_t;  ///< chosen by the caller, not negative

inline constexpr VertexIndex kGhost = -1;  ///< the vertex at infinity that closes the hull
inline constexpr std::int32_t kNone = -1;

/// Three corners counter-clockwise. Edge i lies opposite corner i, from corner i+1 to corner i+2 (mod 3).
/// A ghost triangle has kGhost as one corner; the edge opposite to it lies on the hull.
struct Triangle {
  std::array<VertexIndex, 3> vertex;
  std::array<TriangleIndex, 3> neighbour;
  /// Handle of the ids lying on edge i, kNone if it is free. A single id is its own handle, so that the usual edge needs
  /// no storage of its own; read through Triangulation::constraints.
  std::array<std::int32_t, 3> constraint_set;
};

/// One side of an edge: edge `edge` of triangle `triangle`.
struct EdgeRef {
  TriangleIndex triangle = kNone;
  int edge = 0;
  friend constexpr bool operator==(EdgeRef, EdgeRef) = default;
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
  /// (equal points share one). Every point counts as one reference to its vertex until release_point.
  std::vector<VertexIndex> insert_points(std::span<const Point> points);
  VertexIndex insert_point(Point p);
  /// Gives one reference of insert_point(s) or split_edge back. A vertex that nobody references any more vanishes,
  /// unless it is where constraints meet, cross or bend.
  void release_point(VertexIndex v);

  /// Makes the segment a–b appear as a chain of constrained edges that carry `id`. Vertices on it split it; crossed
  /// constraints are split at the rounded crossing, and both halves become straight constraints of their own through it.
  /// Several segments may share one id.
  void insert_constraint(VertexIndex a, VertexIndex b, ConstraintId id);
  /// Takes `id` off its edges, frees edges that carry none, removes vertices nobody needs and restores Delaunay.
  /// A chain of others that was bent by a rounded crossing becomes straight again, unless a vertex lies in between.
  void remove_constraint(ConstraintId id);
  /// Splits an edge at p, which may lie a little off it; constraint ids are inherited by both halves. Refuses
  /// (kNone, nothing changed) if a triangle would not stay counter-clockwise. Triangles that are new or changed are appended
  /// to `touched`, each once, ghosts included. A hull edge may be split too: the hull stays convex. The caller holds one
  /// reference to the new vertex, as after insert_point.
  VertexIndex split_edge(EdgeRef edge, Point p, std::vector<TriangleIndex>* touched = nullptr);

  /// From now on every triangle that an operation makes, frees or changes (its corners, or the constraints on its edges) is
  /// appended to `list`, perhaps more than once; nullptr ends it. Triangles that only get another neighbour do not count.
  void watch(std::vector<TriangleIndex>* list) { watched_ = list; }

  /// Walks from `hint`, or without one from a sampled vertex near p: O(triangles crossed), about cbrt(n) without a hint.
  Location locate(Point p, TriangleIndex hint = kNone) const;

  // Slots of removed vertices and triangles stay until they are reused: test is_alive.
  std::size_t vertex_slot_count() const { return points_.size(); }
  std::size_t triangle_slot_count() const { return triangles_.size(); }
  bool is_alive(TriangleIndex t) const { return triangles_[t].vertex[0] != kDead; }
  bool is_vertex_alive(VertexIndex v) const { return vertex_triangle_[v] != kDead; }
  bool is_ghost(TriangleIndex t) const {
    const auto& v = triangles_[t].vertex;
    return v[0] == kGhost || v[1] == kGhost || v[2] == kGhost;
  }
  /// No triangle yet: all points lie on one line.
  bool is_flat() const { return flat_; }
  Point point(VertexIndex v) const { return points_[v]; }
  const Triangle& triangle(TriangleIndex t) const { return triangles_[t]; }
  /// One triangle at v, never a ghost; kNone in the flat state.
  TriangleIndex triangle_at(VertexIndex v) const { return vertex_triangle_[v]; }
  bool is_constrained(EdgeRef e) const { return triangles_[e.triangle].constraint_set[e.edge] != kNone; }
  /// Sorted ids on the edge; valid until the next change.
  std::span<const ConstraintId> constraints(EdgeRef e) const { return ids_of(triangles_[e.triangle].constraint_set[e.edge]); }
  /// The same edge seen from the other side.
  EdgeRef twin(EdgeRef e) const {
    const TriangleIndex n = triangles_[e.triangle].neighbour[e.edge];
    return {n, side_towards(n, e.triangle)};
  }
  VertexIndex from(EdgeRef e) const { return triangles_[e.triangle].vertex[kNext[e.edge]]; }
  VertexIndex to(EdgeRef e) const { return triangles_[e.triangle].vertex[kPrevious[e.edge]]; }
  VertexIndex apex(EdgeRef e) const { return triangles_[e.triangle].vertex[e.edge]; }
  /// The side a → b of the edge between two vertices (its triangle lies left), if there is one.
  std::optional<EdgeRef> find_edge(VertexIndex a, VertexIndex b) const;

  /// Calls f(EdgeRef) for each edge v → w counter-clockwise, w = kGhost included; the EdgeRef's triangle lies left of it, so
  /// these are also the triangles around v. Nothing in the flat state.
  template <class F>
  void for_each_edge_around(VertexIndex v, F f) const {
    const TriangleIndex first = vertex_triangle_[v];
    if (first < 0) return;
    TriangleIndex t = first;
    do {
      const int corner = corner_of(t, v);
      const TriangleIndex next = triangles_[t].neighbour[kNext[corner]];
      f(EdgeRef{t, kPrevious[corner]});
      t = next;
    } while (t != first);
  }
  /// All edges that carry `id`, each once; empty if it is unknown or in the flat state.
  std::vector<EdgeRef> edges_of(ConstraintId id) const;

  /// Neighbour symmetry, orientation, constraint symmetry, local Delaunay on free edges, a convex hull of ghosts, vertex
  /// links, connected constraints. Returns what is broken, or nothing. O(n).
  std::optional<std::string> validate() const;

 private:
  static constexpr VertexIndex kDead = -2;
  static constexpr std::array<int, 3> kNext{1, 2, 0};
  static constexpr std::array<int, 3> kPrevious{2, 0, 1};

  /// A segment as insert_constraint got it; segments of one id are a linked list.
  struct Segment {
    ConstraintId id = kNone;  ///< kNone: an unused slot
    VertexIndex a = kNone;
    VertexIndex b = kNone;
    std::int32_t next = kNone;
  };
  /// A stretch still to be made of edges. `line_a`–`line_b` is the segment it is a part of: crossings are computed on that
  /// line, so that rounding does not add up along a chain.
  struct Stretch {
    VertexIndex a;
    VertexIndex b;
    std::int32_t set;
    Point line_a;
    Point line_b;
  };
  struct ChainPart {
    std::int32_t low;
    std::int32_t high;
    EdgeRef parent;
  };
  /// The triangles a stretch crosses, and what bounds them: corners left and right of it in walking order, with the inner
  /// side of the edge that leads to the next one.
  struct Channel {
    std::vector<TriangleIndex> triangles;
    std::vector<VertexIndex> left, right;
    std::vector<EdgeRef> left_edges, right_edges;
    EdgeRef blocked_by;  ///< the constrained edge that ended the walk, triangle kNone if it went through
  };

  // triangulation.cpp: slots, points, flips
  VertexIndex new_vertex(Point p);
  TriangleIndex new_triangle(VertexIndex a, VertexIndex b, VertexIndex c);
  void free_triangle(TriangleIndex t);
  void note(TriangleIndex t) {
    if (watched_ != nullptr) watched_->push_back(t);
  }
  void link(EdgeRef a, EdgeRef b);
  void own_corners(TriangleIndex t);
  int corner_of(TriangleIndex t, VertexIndex v) const {
    const auto& c = triangles_[t].vertex;
    return c[0] == v ? 0 : c[1] == v ? 1 : 2;
  }
  int side_towards(TriangleIndex t, TriangleIndex neighbour) const {
    const auto& n = triangles_[t].neighbour;
    return n[0] == neighbour ? 0 : n[1] == neighbour ? 1 : 2;
  }
  TriangleIndex start_near(Point p) const;
  VertexIndex place(Point p);
  VertexIndex place_on_line(Point p);
  void leave_flat_state(VertexIndex off_line);
  void split_triangle(TriangleIndex t, VertexIndex v);
  void split_pair(EdgeRef e, VertexIndex v);
  bool must_flip(TriangleIndex t, int edge) const;
  void flip(TriangleIndex t, int edge);
  void legalise_star();
  void legalise();

  // constraints.cpp
  std::span<const ConstraintId> ids_of(const std::int32_t& set) const {
    if (set == kNone) return {};
    if (set >= 0) return {&set, 1};
    return shared_sets_[static_cast<std::size_t>(-2 - set)];
  }
  std::int32_t intern(std::vector<ConstraintId> sorted_ids);
  std::int32_t united(std::int32_t set, std::int32_t other);
  std::int32_t without(std::int32_t set, ConstraintId id);
  void set_constraint(EdgeRef e, std::int32_t set);
  VertexIndex split_at(EdgeRef e, Point p);
  void insert_stretches();
  void insert_stretch(Stretch stretch);
  VertexIndex advance_along_edge(const Stretch& stretch, EdgeRef* crossed);
  VertexIndex walk_channel(const Stretch& stretch, EdgeRef crossed, bool stop_at_constraint);
  void resolve_crossing(const Stretch& stretch);
  void fill_channel(std::int32_t set);
  EdgeRef fill_chain(const std::vector<VertexIndex>& chain, const std::vector<EdgeRef>& inner);
  void attach(EdgeRef fresh, EdgeRef inner);

  // removal.cpp
  void simplify_loosened();
  void simplify_vertex(VertexIndex v);
  void remove_vertex(VertexIndex v);
  EdgeRef fill_ear(VertexIndex a, VertexIndex b, VertexIndex c, EdgeRef beyond_ab, EdgeRef beyond_bc);
  void join(EdgeRef fresh, EdgeRef existing);
  void fill_hole(std::vector<VertexIndex> ring, std::vector<EdgeRef> outer, Point centre);
  void fill_hull(const std::vector<VertexIndex>& ring, const std::vector<EdgeRef>& outer, EdgeRef ghost_before,
                 EdgeRef ghost_after);
  void return_to_flat_state();

  std::vector<Point> points_;
  std::vector<TriangleIndex> vertex_triangle_;  ///< kNone in the flat state, kDead if the slot is unused
  std::vector<std::int32_t> references_;        ///< of each vertex: points of the caller and ends of segments
  std::vector<Triangle> triangles_;
  std::vector<VertexIndex> free_vertices_;
  std::vector<TriangleIndex> free_triangles_;
  TriangleIndex last_ = kNone;  ///< where the next walk starts
  bool flat_ = true;
  std::map<Point, VertexIndex> line_;  ///< the vertices of the flat state, in order along their line

  std::vector<Segment> segments_;
  std::vector<std::int32_t> free_segments_;
  std::unordered_map<ConstraintId, std::int32_t> first_segment_;
  /// Sets of two and more ids, interned; handle -2 - index. They stay for good: overlaps are few and come back.
  std::vector<std::vector<ConstraintId>> shared_sets_;
  std::map<std::vector<ConstraintId>, std::int32_t> shared_set_handle_;

  // Scratch, kept for its capacity.
  std::vector<TriangleIndex> legalise_;
  std::vector<VertexIndex> loosened_;
  std::vector<Stretch> stretches_;
  std::vector<ChainPart> chain_parts_;
  Channel channel_;
  int detours_ = 0;
  std::vector<TriangleIndex>* touched_ = nullptr;
  std::vector<TriangleIndex>* watched_ = nullptr;
};

}  // namespace throng
