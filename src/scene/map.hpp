// SPDX-License-Identifier: MIT
// From a layer's polygons and lines to the map everything is baked from (Lamarche & Donikian 2004 §3.1; ALGORITHMS §1.1):
// a constrained Delaunay triangulation whose triangles are walkable or solid, with nothing in it that does not bound walkable
// ground.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/result.hpp>
#include <throng/scene.hpp>

#include "geometry/triangulation.hpp"

namespace throng {

class EditableMap;

/// Of a triangle or of one side of a segment: kSolid, or the index of the set of areas that covers it.
using AreaSetIndex = std::int32_t;
inline constexpr AreaSetIndex kSolid = -1;

/// A straight piece of the map's outline, or of the border of an area that matters to planning.
struct MapSegment {
  Point a;
  Point b;
  AreaSetIndex left = kSolid;   ///< what lies left of a → b
  AreaSetIndex right = kSolid;  ///< what lies right of it
  bool wall = true;             ///< false: an area border, which never blocks, or a joint
  std::int32_t joint = -1;      ///< of the scene: beyond it lies ground of another layer
};

/// One layer, ready for cells. Constraint ids of the triangulation are indices into `segments`.
struct Map {
  Triangulation triangulation;
  std::vector<AreaSetIndex> region;  ///< of each triangle slot
  std::vector<MapSegment> segments;

  bool is_free(TriangleIndex t) const { return region[t] != kSolid; }
  /// The first constraint on an edge, nullptr if the edge is free of them.
  const MapSegment* segment_on(EdgeRef e) const;
  /// The region on the triangle's side of a constrained edge, as its segment has it.
  AreaSetIndex region_beside(EdgeRef e) const;
  bool is_wall(EdgeRef e) const {
    const MapSegment* s = segment_on(e);
    return s != nullptr && s->wall;
  }
  bool is_joint(EdgeRef e) const {
    const MapSegment* s = segment_on(e);
    return s != nullptr && s->joint >= 0;
  }
};

/// Interned sets of areas; set 0 is the empty one.
struct AreaSets {
  std::vector<std::vector<std::uint32_t>> sets{{}};
  AreaSetIndex intern(const std::vector<std::uint32_t>& sorted_areas);
};

/// Whether an area's border separates cells: it costs more, or somebody may not enter.
bool matters_to_planning(const Area& area);

/// Extracts the map of one layer: snap, triangulate with crossings split, classify or flood from the seeds, drop what bounds
/// nothing, merge collinear runs, triangulate again. Fails when there is no ground, or a seed stands on solid ground.
/// O(n log n + crossings).
///
/// `joint_points` (of each joint; may be empty) are points where its line is to be split, besides those of this layer. `keep`
/// (map_edit.hpp) is what later edits need.
Result<Map> extract_map(const Scene& scene, std::uint32_t layer, AreaSets& sets,
                        std::span<const std::vector<Point>> joint_points = {}, EditableMap* keep = nullptr);

/// The maps of all layers, with the same pieces of joints on both sides. Pieces with ground on one side only are walls; a joint
/// without any piece is a problem.
Result<std::vector<Map>> extract_maps(const Scene& scene, AreaSets& sets, std::vector<EditableMap>* keep = nullptr);

}  // namespace throng
