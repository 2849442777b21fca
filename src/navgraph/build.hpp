// SPDX-License-Identifier: MIT
// From triangles to a navigation graph, stage by stage.
#pragma once
#include <functional>

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

/// `begin` is called with the name of each stage. The result does not depend on the number of threads. Fails where the surface
/// does, when a setting is out of range, or when the body fits nowhere.
Result<NavGraph> build_nav_graph(const Mesh& mesh, const NavGraphSettings& settings, TaskRunner& tasks,
                                 const std::function<void(const char*)>& begin, NavGraphReport& report);

}  // namespace throng
