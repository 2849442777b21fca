// SPDX-License-Identifier: MIT
#include <throng/graph.hpp>

#include <algorithm>
#include <cstdio>

#include "base/profile.hpp"
#include "navgraph/build.hpp"
#include "navgraph/flow.hpp"
#include "navgraph/graph_data.hpp"
#include "navgraph/graph_path.hpp"
#include "scene/layer_mesh.hpp"

namespace throng {

namespace {

/// Areas are places somebody cares about, and so are a layer's seeds: their ground stays however small it is.
std::vector<Vec3> seeds_of(const Scene& scene, const GraphSettings& settings) {
  std::vector<Vec3> seeds = settings.seeds;
  for (const Area& area : scene.areas) {
    if (area.shape.outer.empty()) continue;
    Vec2 middle;
    for (const Vec2 p : area.shape.outer) middle = middle + p;
    middle = (1.0 / static_cast<double>(area.shape.outer.size())) * middle;
    seeds.push_back({middle.x, middle.y, area.layer < scene.layers.size() ? scene.layers[area.layer].elevation : 0});
  }
  for (const Layer& layer : scene.layers)
    for (const Vec2 p : layer.seeds) seeds.push_back({p.x, p.y, layer.elevation});
  return seeds;
}

std::uint32_t most_floors(const Surface& s) {
  std::uint32_t most = 0;
  for (std::size_t c = 0; c + 1 < s.column_start.size(); ++c) most = std::max(most, s.column_start[c + 1] - s.column_start[c]);
  return most;
}

Problem blocked(const char* which, Vec3 p, const NavGraph& graph) {
  char where[96], fix[160];
  std::snprintf(where, sizeof where, "%s (%.2f, %.2f, %.2f)", which, p.x, p.y, p.z);
  constexpr double kSearch = 25;  // metres
  const NodeIndex near = nearest_feasible(graph, p, kSearch);
  if (near == kNoNode) {
    std::snprintf(fix, sizeof fix, "nothing is free within %.0f m: check the coordinates", kSearch);
  } else {
    const Vec2 q = graph.surface.position(near);
    std::snprintf(fix, sizeof fix, "the nearest free place is (%.2f, %.2f, %.2f)", q.x, q.y, graph.surface.z[near]);
  }
  return {where, "a body of radius " + std::to_string(graph.body_radius).substr(0, 4) + " m does not fit there", fix};
}

}  // namespace

void NavigationGraph::Data::count(std::uint64_t samples, std::uint64_t feasible, std::uint64_t covered) {
  const double cell = graph.surface.step * graph.surface.step;
  report.discs = 0;
  for (DiscIndex d = 0; d < graph.disc_count(); ++d) report.discs += graph.is_there(d);
  report.gates = static_cast<std::uint32_t>(graph.gates.size());
  report.components = graph.component_count;
  report.samples = samples;
  report.area = static_cast<double>(samples) * cell;
  report.feasible_area = static_cast<double>(feasible) * cell;
  report.covered = feasible == 0 ? 0 : static_cast<double>(covered) / static_cast<double>(feasible);
  report.bytes = graph.bytes();
}

Result<NavigationGraph> NavigationGraph::bake(const Scene& scene, const GraphSettings& settings) {
  StageTimer timer;
  const auto begin = [&](const char* stage) {
    if (settings.progress) settings.progress(stage);
    timer.begin(stage);
  };
  NavGraphSettings inner;
  inner.surface.step = settings.grid_step;
  inner.surface.slope = settings.slope;
  inner.surface.step_height = settings.step_height;
  inner.surface.head_room = settings.head_room;
  inner.surface.min_island = settings.min_island;
  inner.surface.seeds = seeds_of(scene, settings);
  inner.surface.max_samples = settings.max_samples;
  inner.body_radius = settings.body_radius;
  inner.min_radius = settings.min_radius;
  inner.sight_range = settings.sight_range;

  Mesh made;
  if (scene.mesh.empty()) {
    begin("mesh");
    Result<Mesh> mesh = mesh_of_layers(scene);
    if (!mesh) return mesh.problems();
    made = std::move(*mesh);
  }
  const std::unique_ptr<TaskRunner> tasks = make_task_runner(settings.threads);
  NavGraphReport counts;
  std::unique_ptr<GraphBasis> basis;
  Result<NavGraph> graph =
      build_nav_graph(scene.mesh.empty() ? made : scene.mesh, inner, *tasks, begin, counts, settings.editable ? &basis : nullptr);
  timer.end();
  if (!graph) return graph.problems();

  auto data = std::make_shared<Data>();
  data->graph = std::move(*graph);
  data->origin = scene.origin;
  data->basis = std::move(basis);
  GraphReport& report = data->report;
  report.layers = most_floors(data->graph.surface);
  data->count(counts.samples, counts.feasible, counts.covered);
  report.peak_bytes = peak_memory_bytes();
  for (const StageTime& s : timer.stages()) report.stages.push_back({s.name, s.ms});
  return NavigationGraph(std::move(data));
}

Result<GraphPath> NavigationGraph::path(Vec3 from, Vec3 to) const {
  GraphPath path;
  GraphSearch search(data_->graph);
  switch (search.find(from, to, path)) {
    case GraphPathStatus::kStartBlocked:
      return blocked("start", from, data_->graph);
    case GraphPathStatus::kGoalBlocked:
      return blocked("goal", to, data_->graph);
    default:
      return path;
  }
}

Result<Flow> NavigationGraph::flow(Vec3 from, Vec3 to, const FlowSettings& settings) const {
  if (!(settings.max_ratio >= 1))
    return Problem{"flow", "paths of at most " + std::to_string(settings.max_ratio) + " times the shortest", "use 1 or more"};
  const auto start = disc_at(from), goal = disc_at(to);
  if (!start) return blocked("start", from, data_->graph);
  if (!goal) return blocked("goal", to, data_->graph);
  return find_flow(data_->graph, *start, *goal, settings);
}

std::optional<double> NavigationGraph::elevation_at(Vec3 p) const { return throng::elevation_at(data_->graph, p); }
std::optional<std::uint32_t> NavigationGraph::disc_at(Vec3 p) const { return throng::disc_at(data_->graph, p); }
const GraphReport& NavigationGraph::report() const { return data_->report; }
Vec2 NavigationGraph::origin() const { return data_->origin; }
const NavGraph& NavigationGraph::data() const { return data_->graph; }

}  // namespace throng
