// SPDX-License-Identifier: MIT
#include "navgraph/build.hpp"

#include <cmath>
#include <string>

#include "navgraph/clearance.hpp"
#include "navgraph/cover.hpp"
#include "navgraph/graph_editor.hpp"
#include "navgraph/visibility.hpp"

namespace throng {

void run_cover(Cover& cover, const BeginStage& begin) {
  cover.cover();
  cover.fill_fringe();
  cover.fill_cusps();
  cover.label();
  begin("connect");
  cover.connect();
}

Result<NavGraph> build_nav_graph(const Mesh& mesh, const NavGraphSettings& settings, TaskRunner& tasks, const BeginStage& begin,
                                 NavGraphReport& report, std::unique_ptr<GraphBasis>* basis) {
  std::vector<Problem> problems;
  if (!(settings.body_radius >= 0 && settings.body_radius <= 100))
    problems.push_back({"settings", "radius is " + std::to_string(settings.body_radius), "allowed are 0 to 100 m"});
  if (!(settings.min_radius >= 1.5 * settings.surface.step * (1 - 1e-9) && settings.min_radius <= 1000))
    problems.push_back({"settings",
                        "min_radius is " + std::to_string(settings.min_radius) + " with " +
                            std::to_string(settings.surface.step) + " m between columns",
                        "use at least 1.5 steps: smaller discs cover only their own centre"});
  if (!(settings.sight_range >= 0 && settings.sight_range <= 10000))
    problems.push_back({"settings", "sight_range is " + std::to_string(settings.sight_range), "allowed are 0 to 10000 m"});
  if (!problems.empty()) return problems;

  NavGraph graph;
  graph.body_radius = settings.body_radius;
  graph.min_radius = settings.min_radius;
  begin("sample");
  Result<Surface> surface = sample_surface(mesh, settings.surface, tasks);
  if (!surface) return surface.problems();
  graph.surface = std::move(*surface);
  report.samples = graph.surface.node_count();

  begin("clearance");
  std::vector<std::uint32_t> nearest;
  graph.clearance = measure_clearance(graph.surface, basis != nullptr ? &nearest : nullptr);
  begin("cover");
  Cover cover(graph.surface, graph.clearance, settings.body_radius, settings.min_radius);
  if (cover.feasible == 0)
    return Problem{"mesh", "a body of radius " + std::to_string(settings.body_radius) + " m fits nowhere on the ground",
                   "use a smaller radius, or check the units of the file"};
  run_cover(cover, begin);
  report.feasible = cover.feasible;
  report.covered = cover.covered;
  begin("gates");
  make_gates(cover, graph);
  if (settings.sight_range > 0) {
    begin("visibility");
    graph.sight.triangles = SightGrid(mesh);
    find_sight(settings.sight_range, graph, tasks);
  }
  if (basis != nullptr) *basis = std::make_unique<GraphBasis>(std::move(cover), std::move(nearest));
  return graph;
}

}  // namespace throng
