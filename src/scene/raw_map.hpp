// SPDX-License-Identifier: MIT
// A layer's input lines as they came, triangulated with all their crossings: what a map is extracted from, and what is changed
// when a polygon is put in or taken out later (map_edit.hpp).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "scene/map.hpp"

namespace throng {

/// A directed input line. What it bounds lies on its left.
struct InputLine {
  Point a;
  Point b;
  enum Kind : std::uint8_t { kWalkable, kObstacle, kWall, kArea, kJoint } kind;
  std::uint32_t index;  ///< of the area or joint
};

/// The lines of a polygon on the grid; rings thinner than the grid bound nothing and have none.
void append_lines(const Polygon& polygon, InputLine::Kind kind, std::uint32_t index, std::vector<InputLine>& lines);

/// Constraint ids of the triangulation are indices into `lines`.
struct RawMap {
  /// How often a place is covered.
  struct Cover {
    std::int32_t walkable = 0;
    std::int32_t solid = 0;
    AreaSetIndex areas = 0;
    friend bool operator==(const Cover&, const Cover&) = default;
    AreaSetIndex region() const { return walkable > 0 && solid <= 0 ? areas : kSolid; }
  };

  Triangulation triangulation;
  std::vector<InputLine> lines;
  std::vector<Cover> cover;          ///< of each triangle slot; nothing covers ghosts
  std::vector<AreaSetIndex> region;  ///< of each triangle slot: what the cover says, less what no seed reaches

  /// The joint on an edge, -1 without one.
  std::int32_t joint_on(EdgeRef e) const;
  bool carries_wall(EdgeRef e) const;
  /// The piece of the map's outline on an edge, if it is one: it separates walkable from solid, is a wall on walkable ground, or
  /// separates sets of areas. The first may lie on no line where outlines degenerate on the grid: the map is tight all the same.
  std::optional<MapSegment> border_on(EdgeRef e) const;
};

/// Whether the triangle of `e` lies left of a → b, whose chain `e` belongs to: chains run their line's way piece by piece, but
/// for pieces so short that rounded crossings may have turned them (ChainSense).
bool lies_left(const Triangulation& cdt, EdgeRef e, Point a, Point b);

/// Which way a line runs along the pieces of its chain.
///
/// Crossings are rounded to the grid, so a chain deviates from its line by up to a unit, and a piece of some units may even run
/// across or against it. There the way is found by walking the chain from one end of the line to the other; pieces that the walk
/// does not need are spurs, passed there and back. Valid while the triangulation does not change.
class ChainSense {
 public:
  ChainSense(const Triangulation& cdt, std::span<const InputLine> lines) : cdt_(cdt), lines_(lines) {}
  /// 1: the line runs as the edge does, with the edge's triangle on its left; -1: the other way; 0: there and back.
  int of(EdgeRef e, ConstraintId id);

 private:
  void walk(ConstraintId id);

  const Triangulation& cdt_;
  std::span<const InputLine> lines_;
  std::map<ConstraintId, bool> is_walked_;
  std::map<std::tuple<VertexIndex, VertexIndex, ConstraintId>, int> walked_;
};

/// What covers the other side of an edge, given what covers the side of its triangle.
RawMap::Cover cover_across(const RawMap& raw, EdgeRef e, RawMap::Cover cover, ChainSense& sense, AreaSets& sets);

}  // namespace throng
