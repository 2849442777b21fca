// SPDX-License-Identifier: MIT
// Cells that change where the map does (ALGORITHMS §1.19): an edit frees every cell with a changed triangle, or with a turn that
// is another width now, and merges the triangles there anew. What it leaves is a patch; splice.hpp and graft.hpp put it in.
//
// Cells and portals are numbered through here as they were before the edit, and new ones after those: *extended* numbers.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cells/bottlenecks.hpp"
#include "cells/build.hpp"
#include "cells/joints.hpp"
#include "scene/map_edit.hpp"

namespace throng {

struct CellsPatch {
  struct NewCell {
    std::uint32_t layer = 0;
    std::uint32_t area_set = 0;
    Point centre;
    std::vector<Side> sides;  ///< portals by extended numbers
    std::vector<CellTriangle> triangles;
    std::vector<float> widths, access;  ///< as in Cells
  };
  struct NewPortal {
    std::array<std::uint32_t, 2> vertex;
    std::array<std::uint32_t, 2> cell;  ///< extended, both new
    bool area_border = false;
  };
  /// A portal that stays, with a new cell on one side.
  struct Rehung {
    PortalIndex portal;
    int end;
    std::uint32_t cell;  ///< extended
  };
  struct Vertex {
    std::uint32_t index;
    Point place;
    VertexKind kind;
  };
  std::vector<CellIndex> freed;  ///< sorted
  std::vector<NewCell> cells;
  std::vector<NewPortal> portals;
  std::vector<Rehung> rehung;
  std::vector<Vertex> vertices;  ///< new ones, and those that are of another kind now
  bool is_empty() const { return freed.empty() && cells.empty(); }
};

/// The maps of a scene and how its cells lie in them, kept for edits.
class CellsEditor {
 public:
  CellsEditor() = default;
  CellsEditor(std::vector<Map> maps, std::vector<EditableMap> editable, std::vector<Feet> feet, CellsLayout layout, AreaSets sets,
              double narrow_gap, bool has_joints, const Cells& cells);

  /// Replaces an obstacle of a layer (EditableMap::change_obstacle). Nothing if that cannot be done in place; this object is of
  /// no use then. `cells` are those before the edit.
  std::optional<CellsPatch> change_obstacle(std::uint32_t layer, std::uint32_t number, const Polygon& shape,
                                            std::span<const GridBox> boxes, const Cells& cells);
  /// After the patch has been put in: the new number of each cell by its extended one, and the new cells.
  void renumber(std::span<const std::uint32_t> new_cell, const Cells& cells);
  const AreaSets& area_sets() const { return sets_; }

 private:
  void find_turns(std::uint32_t layer, std::span<const GridBox> boxes, const JointEdges& joints);
  void merge_again(const Cells& cells, CellsPatch& patch);
  void lay_out(const Cells& cells, const JointEdges& joints, CellsPatch& patch);
  std::uint32_t vertex_of(std::uint32_t layer, VertexIndex v, const Cells& cells, CellsPatch& patch);
  const Triangulation& cdt(std::uint32_t m) const { return maps_[m].triangulation; }

  std::vector<Map> maps_;
  std::vector<EditableMap> editable_;
  std::vector<Feet> feet_;
  CellsLayout layout_;
  AreaSets sets_;
  double narrow_gap_ = 0;
  bool has_joints_ = false;
  std::vector<std::uint32_t> free_vertices_;

  // Of the edit at hand.
  std::vector<std::vector<TriangleIndex>> touched_;                           // by layer
  std::vector<std::pair<std::uint32_t, std::vector<TriangleIndex>>> pieces_;  // of new cells: layer and triangles
};

}  // namespace throng
