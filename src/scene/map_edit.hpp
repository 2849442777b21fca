// SPDX-License-Identifier: MIT
// Obstacles in and out of a map that has been extracted (ALGORITHMS §1.19): what changes on its outline, and nothing else.
//
// The raw triangulation is kept beside the map. An edit puts lines in or takes them out there, floods what they cover from ground
// that no edit concerns, and compares the pieces of outline on the triangles that changed with those before. The runs of the map
// (its segments) that held pieces which are gone are taken apart; what is left of them and the new pieces are merged into runs
// again, as the first extraction did.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scene/raw_map.hpp"

namespace throng {

/// A box on the grid.
struct GridBox {
  Point low, high;
  bool holds(Point p) const { return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y; }
};

/// What an edit did to the segments of a map. The added ones are in place already, in slots that none of the removed ones has.
struct RunChange {
  std::vector<ConstraintId> removed, added;
};

class EditableMap {
 public:
  EditableMap() = default;
  /// `pieces` are those of the first extraction, on the edges `borders`; `run_of` says which segment of the map each is a part
  /// of.
  EditableMap(RawMap raw, std::span<const MapSegment> pieces, std::span<const EdgeRef> borders,
              std::span<const std::uint32_t> run_of, std::span<const ConstraintId> obstacle_start, double tolerance_units);

  /// Replaces the lines of an obstacle (the next number: a new one); an empty polygon takes it out. `boxes` hold the lines that
  /// come and those that go. False if this cannot be done in place, since the outline of a joint is concerned or what lies round
  /// the edit is not clear: then nothing of this object is valid any more.
  bool change_obstacle(std::uint32_t number, const Polygon& shape, std::span<const GridBox> boxes, AreaSets& sets, Map& map,
                       RunChange& change);

  Polygon frame;  ///< that was put round a layer without walkable polygons

 private:
  struct Piece {
    MapSegment segment;
    ConstraintId run = kNone;  ///< kNone: an unused slot
  };
  bool cover_again(std::span<const GridBox> boxes, AreaSets& sets);
  bool compare_pieces(RunChange& change, Map& map);
  VertexIndex vertex_at(Point p) const { return raw_.triangulation.locate(p).vertex; }
  std::int32_t& piece_on(EdgeRef e) {
    return piece_on_[3 * static_cast<std::size_t>(e.triangle) + static_cast<std::size_t>(e.edge)];
  }

  RawMap raw_;
  std::vector<Piece> pieces_;
  std::vector<std::int32_t> piece_on_;                 // by edge of the raw triangulation, from both sides
  std::vector<std::vector<std::uint32_t>> pieces_of_;  // by run
  std::vector<std::vector<ConstraintId>> lines_of_;    // by obstacle
  std::vector<ConstraintId> free_lines_, free_runs_;
  std::vector<std::uint32_t> free_pieces_;
  double tolerance_ = 1;
  std::vector<TriangleIndex> changed_;  // in this edit, sorted
};

/// Takes segments out of the triangulation of a map and puts others in. Triangles that change are appended to `touched`.
void change_segments(Map& map, const RunChange& change, std::vector<TriangleIndex>& touched);

/// Finds the regions of triangles that changed, from the segments beside them and from their neighbours. Triangles that did not
/// change but lie in a region that did are appended to `touched`, which comes back sorted and without doubles.
void restore_regions(Map& map, std::vector<TriangleIndex>& touched);

}  // namespace throng
