// SPDX-License-Identifier: MIT
// From triangles to a navigation graph, stage by stage.
#pragma once
#include <functional>
#include <memory>

#include "navgraph/nav_graph.hpp"

namespace throng {

struct NavGraphSettings {
  SurfaceSettings surface;
  double body_radius = 0.2;   ///< metres; whom the graph is for
  double min_radius = 0.375;  ///< metres; the least disc of the cover, at least 1.5 steps (0.75 in a town: half the discs)
  double sight_range = 0;     ///< metres; up to where discs know whom they see; 0: not at all
};

struct NavGraphReport {
  std::uint64_t samples = 0;   ///< nodes of the surface
  std::uint64_t feasible = 0;  ///< of them where the body fits
  std::uint64_t covered = 0;   ///< of those inside a disc
};

/// Gates, their lists and components from the discs and neighbours of a cover.
class Cover;
void make_gates(const Cover& cover, NavGraph& graph);
// Its parts. The gate of two discs, without heights; `a` is the lower one:
Gate chord_of(const NavGraph& graph, DiscIndex a, DiscIndex b, double cost);
/// Each disc's list, from gates that are sorted by their discs.
void list_gates(NavGraph& graph);
/// The heights of a gate's ends. Needs the lists.
void raise_gate(const NavGraph& graph, Gate& gate);
/// Discs that are gone have none.
void find_components(NavGraph& graph);

struct GraphBasis;
using BeginStage = std::function<void(const char*)>;
/// All steps of a cover (navgraph/cover.hpp).
void run_cover(
    Cover& cover, const BeginStage& begin = [](const char*) {});

/// `begin` is called with the name of each stage. The result does not depend on the number of threads. Fails where the surface
/// does, when a setting is out of range, or when the body fits nowhere. `basis`, if given, gets what edits need.
Result<NavGraph> build_nav_graph(const Mesh& mesh, const NavGraphSettings& settings, TaskRunner& tasks, const BeginStage& begin,
                                 NavGraphReport& report, std::unique_ptr<GraphBasis>* basis = nullptr);

}  // namespace throng
