// SPDX-License-Identifier: MIT
// A navigation graph after the ground has changed, rebuilt where it has (ALGORITHMS §1.19).
//
// 1. Sample again in and round the changed boxes (navgraph/surface_patch.hpp).
// 2. Clearance again where a wall that has come or gone may be the nearest one (navgraph/wall_pieces.hpp).
// 3. Drop discs over nodes whose links have changed or that the body no longer fits on, and those whose centre has another room
//    now. Cover what they leave by the five steps of the bake, and join it to what is around (navgraph/cover.hpp).
// 4. Gates of new discs; components.
//
// Discs that stay keep their numbers, gates do not. What a bake promises is true after any sequence of edits, components of the
// graph = components of the ground above all. The result depends on the graph before and the ground now alone.
//
// Cost: what the change can reach, plus a few passes over all discs and gates. Ground that was never sampled (under an obstacle
// of the bake) makes room among the nodes, once for each obstacle, which moves all of them.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <throng/graph.hpp>

#include "navgraph/cover.hpp"
#include "navgraph/surface_patch.hpp"

namespace throng {

/// What an edit did to a graph.
struct GraphChange {
  std::vector<GateIndex> new_gate;       ///< of each former gate; kNoGate: it is gone
  std::vector<std::uint8_t> is_dropped;  ///< of each former disc; its number may be that of a new one
  std::uint32_t dropped = 0, made = 0;   ///< discs
  std::vector<BakeStage> stages;
};

/// What a bake keeps so that its graph can be edited: how the discs came about. 20 to 30 bytes a sample.
struct GraphBasis {
  Cover cover;
  std::vector<std::uint32_t> nearest;  ///< wall piece of each node
};

class GraphEditor {
 public:
  /// Without the basis of a bake for edits this takes as long as a bake after its samples.
  explicit GraphEditor(const NavigationGraph& graph);

  /// `graph` is the one this editor was made with, or as the last edit left it. It is changed in place if nobody else holds it.
  /// `mesh` is that of the scene as it is now, for graphs with sight lists, which are made anew as a whole.
  GraphChange apply(NavigationGraph& graph, std::span<const EditBox> boxes, const GroundSource& source,
                    const Mesh* mesh = nullptr);

 private:
  void add_nodes(NavGraph& graph, SurfacePatch& patch);
  void find_discs(NavGraph& graph, const SurfacePatch& patch);
  void find_gates(NavGraph& graph, GraphChange& change);

  std::unique_ptr<GraphBasis> basis_;
  WallPieces pieces_;
  std::vector<std::uint8_t> mark_;  ///< of each node; 0 between edits
  std::vector<ClearanceChange> region_;
  std::uint64_t samples_come_ = 0;  ///< in this edit
};

}  // namespace throng
