// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cells/abstraction.hpp"
#include "cells/bottlenecks.hpp"
#include "cells/cells.hpp"

namespace throng {

/// Counts of one build, for reports and tests.
struct CellsReport {
  std::uint32_t walls = 0;  ///< constrained segments beside walkable ground, after splitting at feet
  std::uint32_t holes = 0;  ///< obstacle islands: connected outlines less one per component, counted on the walls alone
  std::uint32_t components = 0;
  std::uint32_t bottlenecks = 0;             ///< portals of locally minimal width
  std::uint32_t feet = 0;                    ///< points the bottleneck rule inserted
  std::uint32_t refused = 0;                 ///< triangles at rest that qualify but for a guard of §1.2
  std::uint32_t unguarded = 0;               ///< triangles at rest that qualify without a guard: 0
  std::int64_t doubled_area_units = 0;       ///< of the walkable triangles, exactly
  std::int64_t doubled_cell_area_units = 0;  ///< of the cells' outlines, exactly; must be the same
  double wall_length = 0;                    ///< metres
};

struct CellsBuild {
  Cells cells;
  Abstraction tree;
  CellsReport report;
};

/// How cells lie in the maps they were made of; by layer. Edits need it (cells/edit.hpp).
struct CellsLayout {
  std::vector<std::vector<std::int32_t>> cell_of;         ///< triangle slot → cell, kNone on solid ground
  std::vector<std::vector<std::uint32_t>> vertex;         ///< vertex slot → vertex of the cells, kNoCell where there is none
  std::vector<std::vector<VertexKind>> kind;              ///< of each vertex slot, joints seen from both sides
  std::vector<std::vector<std::array<double, 3>>> turns;  ///< of each triangle slot (turn_widths)
};

/// Cells of all layers from their maps, which already hold the bottleneck feet: merge, group into zones, number cells and portals
/// by the tree (so that zones are ranges), widths, topology for bodies of `radius`.
CellsBuild build_cells(std::span<const Map> maps, std::span<const BottleneckReport> feet, AreaSets areas, double radius,
                       CrossroadsRule rule = CrossroadsRule::kBisection, CellsLayout* keep = nullptr);

/// Portals wider than 2 `radius` decide: closed, dead end, passage or crossroads (ALGORITHMS §1.4).
std::vector<Topology> classify_cells(const Cells& cells, double radius);

}  // namespace throng
