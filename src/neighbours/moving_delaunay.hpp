// SPDX-License-Identifier: MIT
// The Delaunay triangulation of moving points (ALGORITHMS §7.3): repaired from step to step, unique at every step.
//
// *Structure.* Half-edges in pairs: 2e and 2e+1 are the two directions of edge e. An edge keeps its two ends and the two vertices
// opposite it (16 bytes), so that the check of all edges reads one array in order and nothing else but positions; `next` leads
// round a triangle. The plane outside the hull is filled by triangles with a symbolic vertex at infinity (vertex 0), so every
// edge has two sides and the hull needs no case of its own in flips. Slots of removed edges hold zeros until they are used again.
//
// *Repair.* Points move; the edge pass (edge_check.hpp) names edges that are no longer Delaunay and triangles that turned over.
// Without the latter Lawson flips lead to the Delaunay triangulation. Triangles that turned over are first untangled
// (untangle.cpp): by flips that shrink the total unsigned area, then by taking vertices out and putting them back, then by
// building anew. *Certificate.* After the flips all finite triangles are positive, every edge is legal, and the hull is convex
// and turns once: then the pieces cover the hull's inside exactly once, so this is the Delaunay triangulation, whatever way led
// here. Ties are broken by position (predicates.hpp), so it is the only one.
//
// Degenerate sets: coincident points share a vertex (`aliases`); collinear ones form a chain, which the same `first` and
// `turn` walk; `is_flat` then.
//
// Cost measured: docs/benchmarks.md, `throng bench neighbours`. One writer; readers in parallel between changes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/tasks.hpp"
#include "geometry/point.hpp"

namespace throng {

/// 0 is the vertex at infinity; agent i is vertex i + 1.
using Vertex = std::uint32_t;
using HalfEdge = std::uint32_t;
inline constexpr Vertex kInfinity = 0;
inline constexpr HalfEdge kNoHalfEdge = 0xffffffffu;

/// What several triangulations (one a layer) share: a vertex belongs to one of them at most.
struct VertexColumns {
  std::vector<Point> point;     ///< [0] is not used
  std::vector<HalfEdge> first;  ///< an outgoing half-edge; kNoHalfEdge: in no triangulation, or alone, or an alias
};

/// A point that lies where `leader`'s does.
struct Alias {
  Vertex leader, vertex;
  friend constexpr auto operator<=>(const Alias&, const Alias&) = default;
};

enum class RepairStage : std::uint8_t {
  kUnchanged,   ///< no edge had to change
  kFlipped,     ///< Lawson flips
  kUntangled,   ///< triangles had turned over; area flips put them right
  kReinserted,  ///< some vertices had to be taken out and put back
  kRebuilt,     ///< built anew
};

struct RepairReport {
  RepairStage stage = RepairStage::kUnchanged;
  std::uint32_t flips = 0;
  std::uint32_t inverted = 0;   ///< triangles that had turned over or become flat
  std::uint32_t taken_out = 0;  ///< vertices that the caller must put back by `insert`
};

class MovingDelaunay {
 public:
  explicit MovingDelaunay(VertexColumns& columns) : columns_(&columns) {}

  /// Builds anew from `vertices`, which it reorders along a Hilbert curve.
  void rebuild(std::vector<Vertex>& vertices);
  /// After the points have moved. Vertices may be left out (report.taken_out; their `first` is kNoHalfEdge) and must be put back.
  /// False: give up and rebuild.
  bool repair(TaskRunner& tasks, RepairReport& report);
  /// Puts a vertex in; the triangulation must be Delaunay and is so afterwards. False: give up and rebuild.
  bool insert(Vertex v);
  /// Takes a vertex out; the rest is triangulated but not yet Delaunay: `repair` follows. False: give up and rebuild.
  bool remove(Vertex v);

  /// Renames some vertices: (old, new) pairs; a new name is free or is itself renamed. Does not touch VertexColumns.
  void rename(std::span<const std::pair<Vertex, Vertex>> names);
  /// The same for all vertices at once.
  void rename_all(std::span<const Vertex> new_of_old);
  /// Stores edges in the order of the vertices they begin at: where vertices are in spatial order, all passes then read nearly in
  /// sequence. Changes nothing else.
  void lay_out();

  bool is_flat() const { return flat_; }
  std::uint32_t vertex_count() const { return vertex_count_; }
  /// As of the last rebuild, repair or count_hull.
  std::uint32_t hull_size() const { return hull_size_; }
  void count_hull() { hull_size_ = degree(kInfinity); }
  std::vector<Alias>& aliases() { return aliases_; }
  const std::vector<Alias>& aliases() const { return aliases_; }

  /// Edge slots; a dead one has origin 0 and target 0, one to infinity has one of them 0.
  std::uint32_t edge_slots() const { return static_cast<std::uint32_t>(next_.size() / 2); }
  /// Four an edge: its ends, and the vertices opposite it on the left and on the right.
  std::span<const Vertex> corners() const { return corners_; }
  Vertex origin(HalfEdge h) const { return corners_[slot(h)]; }
  Vertex target(HalfEdge h) const { return origin(h ^ 1); }
  HalfEdge first(Vertex v) const { return v == kInfinity ? first_infinity_ : columns_->first[v]; }
  /// The next outgoing half-edge of the same vertex, clockwise.
  HalfEdge turn(HalfEdge h) const { return next_[h ^ 1]; }

 private:
  struct EdgeChunk {
    std::vector<std::uint32_t> doubtful, illegal, tangled;
  };
  /// Part of the vertices whose triangles are flipped by one thread.
  struct Region {
    std::vector<std::uint32_t> stack, across;
    std::uint32_t flips = 0;
    bool is_good = true;
  };

  static std::size_t slot(HalfEdge h) { return 2 * std::size_t{h} - (h & 1); }
  Vertex apex(HalfEdge h) const { return corners_[slot(h) + 2]; }
  void set_origin(HalfEdge h, Vertex v) { corners_[slot(h)] = v; }
  void set_apex(HalfEdge h, Vertex v) { corners_[slot(h) + 2] = v; }
  void set_first(Vertex v, HalfEdge h) { (v == kInfinity ? first_infinity_ : columns_->first[v]) = h; }
  Point at(Vertex v) const { return columns_->point[v]; }
  bool is_dead(std::uint32_t edge) const { return corners_[4 * std::size_t{edge}] == corners_[4 * std::size_t{edge} + 1]; }
  std::uint32_t degree(Vertex v) const;
  bool are_joined(Vertex v, Vertex w) const;

  /// Of the triangle left of h: not above 0 for one that has turned over or is flat; outer triangles count as positive.
  std::int64_t area(HalfEdge h) const;
  bool is_tangled(std::uint32_t edge) const { return area(2 * edge) <= 0 || area(2 * edge + 1) <= 0; }
  bool is_illegal(std::uint32_t edge) const;

  std::uint32_t new_edge();
  void free_edge(std::uint32_t edge);
  void flip(std::uint32_t edge);
  void split(HalfEdge h, Vertex v);
  HalfEdge locate(Point p, HalfEdge start) const;
  bool settle(TaskRunner& tasks, std::uint32_t& flips);
  template <class MayFlip>
  bool settle(std::vector<std::uint32_t>& stack, std::uint32_t& flips, MayFlip may_flip);
  bool settle_regions(int bits, TaskRunner& tasks, std::uint32_t& flips);
  void start_with(Vertex a, Vertex b, Vertex c);
  void build_chain(std::vector<Vertex>& vertices);

  void find_trouble(TaskRunner& tasks);
  bool untangle(RepairReport& report);
  bool area_flips(std::uint32_t& flips);
  bool lowers_area(std::uint32_t edge) const;
  bool hull_turns_once();

  VertexColumns* columns_;
  std::vector<Vertex> corners_;
  std::vector<HalfEdge> next_;
  std::vector<std::uint32_t> free_edges_;
  std::vector<Alias> aliases_;
  HalfEdge first_infinity_ = kNoHalfEdge;
  Vertex recent_ = kInfinity;  // where the last search ended
  std::uint32_t vertex_count_ = 0;
  std::uint32_t hull_size_ = 0;
  bool flat_ = true;

  // Scratch, kept between calls.
  std::vector<EdgeChunk> chunks_;
  std::vector<Region> regions_;
  std::vector<std::uint32_t> stack_;    // edges that Lawson's rule must look at
  std::vector<std::uint32_t> across_;   // those on the borders of regions
  std::vector<std::uint32_t> tangled_;  // edges beside triangles that have turned over
  std::vector<std::uint32_t> queue_;
  std::vector<HalfEdge> legalise_;
  std::vector<Vertex> taken_out_;
};

}  // namespace throng
