// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/profile.hpp"
#include "base/tasks.hpp"
#include "cells/build.hpp"
#include "navigation/edit_basis.hpp"
#include "navigation/navigation_data.hpp"
#include "scene/map.hpp"

namespace throng {
namespace {

constexpr std::uint32_t kMaxKeyPoints = 8;
constexpr double kMaxRadius = 100;
constexpr double kMaxAreaCost = 100;

std::vector<Problem> check(const Scene& scene, const BakeSettings& settings, const std::vector<Profile>& profiles) {
  std::vector<Problem> problems;
  if (scene.layers.empty())
    problems.push_back({scene.name, "the scene has no layer", "give it walkable polygons, obstacles or walls"});
  if (settings.key_points < 1 || settings.key_points > kMaxKeyPoints)
    problems.push_back({"settings", "key_points is " + std::to_string(settings.key_points), "allowed are 1 to 8"});
  for (const Profile& p : profiles) {
    std::vector<double> radii = p.other_radii;
    radii.push_back(p.radius);
    for (double r : radii)
      if (!(r >= 0 && r <= kMaxRadius))
        problems.push_back({"profile \"" + p.name + "\"", "radius " + std::to_string(r), "allowed are 0 to 100 m"});
  }
  for (const Layer& l : scene.layers)
    for (const double speed : {l.speed_up, l.speed_down})
      if (speed != 0 && !(speed >= kLeastSlopeSpeed && speed <= 1))
        problems.push_back(
            {"layer \"" + l.name + "\"", "a speed factor of " + std::to_string(speed), "take 0.1 to 1, or 0 for the usual"});
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const auto [a, b] = scene.joints[j].layer;
    if (a == b || a >= scene.layers.size() || b >= scene.layers.size())
      problems.push_back({"joint " + std::to_string(j), "it joins layers " + std::to_string(a) + " and " + std::to_string(b),
                          "name two layers of the scene, counted from 0"});
  }
  for (const Area& a : scene.areas) {
    if (!(a.cost >= 1 && a.cost <= kMaxAreaCost))
      problems.push_back({"area \"" + a.name + "\"", "cost " + std::to_string(a.cost), "allowed are factors from 1 to 100"});
    if (a.layer >= scene.layers.size())
      problems.push_back(
          {"area \"" + a.name + "\"", "layer " + std::to_string(a.layer) + " does not exist", "layers count from 0"});
    for (const std::string& name : a.forbidden_to)
      if (std::none_of(profiles.begin(), profiles.end(), [&](const Profile& p) { return p.name == name; }))
        problems.push_back(
            {"area \"" + a.name + "\"", "is forbidden to the unknown profile \"" + name + "\"", "name a profile of the scene"});
  }
  if (scene.links.size() > kMostLinks)
    problems.push_back({scene.name, std::to_string(scene.links.size()) + " links", "at most 256 are allowed"});
  for (std::size_t i = 0; i < scene.links.size(); ++i) {
    const Link& link = scene.links[i];
    const auto wrong = [&](const std::string& what, const char* fix) {
      problems.push_back({"link " + std::to_string(i) + (link.name.empty() ? "" : " \"" + link.name + "\""), what, fix});
    };
    if (link.from >= scene.areas.size() || link.to >= scene.areas.size())
      wrong("it needs two areas of the scene", "areas count from 0");
    else if (link.from == link.to)
      wrong("it leads back to the area that it comes from", "name two areas");
    if (!(link.time >= 0 && link.time <= kLongestRide))
      wrong("a ride of " + std::to_string(link.time) + " s", "allowed are 0 to 3600 s");
  }
  return problems;
}

void fill_report(NavigationData& data, const CellsReport& cells, const StageTimer& timer) {
  BakeReport& report = data.report;
  report.cells = data.cells.cell_count();
  report.portals = data.cells.portal_count();
  report.walls = cells.walls;
  report.holes = cells.holes;
  report.components = cells.components;
  report.layers = static_cast<std::uint32_t>(data.layer_names.size());
  report.bottlenecks = cells.bottlenecks;
  report.feet = cells.feet;
  report.refused = cells.refused;
  report.unguarded = cells.unguarded;
  report.area = static_cast<double>(cells.doubled_area_units) / 2 * kUnit * kUnit;
  report.wall_length = cells.wall_length;
  report.doubled_map_area = cells.doubled_area_units;
  report.doubled_cell_area = cells.doubled_cell_area_units;
  report.zones = static_cast<std::uint32_t>(data.tree.zones.size());
  report.depth = data.tree.depth();
  for (const ProfileRouting& p : data.profiles) {
    report.stored_paths += p.zone_paths.stored_count();
    for (const Labels& l : p.labels) report.label_entries += l.cost.size();
  }
  report.bytes = bytes_of(data);
  report.peak_bytes = peak_memory_bytes();
  for (const StageTime& s : timer.stages()) report.stages.push_back({s.name, s.ms});
}

template <class T>
std::uint64_t size_of(const std::vector<T>& v) {
  return v.size() * sizeof(T);
}

}  // namespace

std::vector<float> cell_factors(const Scene& scene, const Cells& cells, const Profile& profile) {
  std::vector<float> of_set;
  for (const auto& set : cells.area_sets) {
    double factor = 1;
    for (std::uint32_t a : set) {
      const Area& area = scene.areas[a];
      factor *= area.cost;
      if (std::find(area.forbidden_to.begin(), area.forbidden_to.end(), profile.name) != area.forbidden_to.end()) factor = 0;
    }
    of_set.push_back(static_cast<float>(factor));
  }
  std::vector<float> factor;
  for (CellIndex c = 0; c < cells.cell_count(); ++c)
    factor.push_back(of_set[cells.area_set[c]] * static_cast<float>(slope_cost(scene.layers[cells.layer[c]])));
  return factor;
}

std::vector<Profile> profiles_of(const Scene& scene) {
  return scene.profiles.empty() ? std::vector<Profile>{Profile{}} : scene.profiles;
}

std::uint64_t bytes_of(const NavigationData& data) {
  const Cells& c = data.cells;
  std::uint64_t bytes = size_of(c.vertices) + size_of(c.vertex_kind) + size_of(c.side_start) + size_of(c.sides) +
                        size_of(c.portals) + size_of(c.portal_start) + size_of(c.cell_portals) + size_of(c.width_start) +
                        size_of(c.widths) + size_of(c.triangle_start) + size_of(c.triangles) + size_of(c.access_start) +
                        size_of(c.access) + size_of(c.facing) + size_of(c.layer) + size_of(c.component) + size_of(c.area_set) +
                        size_of(c.topology) + size_of(data.tree.zones) + size_of(data.tree.leaf) + data.locator.bytes();
  for (const HeightGrid& g : data.layer_heights) bytes += size_of(g.row_start) + size_of(g.runs) + size_of(g.heights);
  for (const ProfileRouting& p : data.profiles) {
    bytes += size_of(p.roadmap.key) + size_of(p.roadmap.factor) + size_of(p.roadmap.arc_start) + size_of(p.roadmap.arcs) +
             p.zone_paths.bytes();
    for (const Labels& l : p.labels) bytes += l.bytes();
  }
  return bytes;
}

Result<Navigation> Navigation::bake(const Scene& scene, const BakeSettings& settings) {
  if (auto problems = check(scene, settings, profiles_of(scene)); !problems.empty()) return problems;
  auto data = bake_scene(scene, settings);
  if (!data) return data.problems();
  return Navigation(std::move(*data));
}

Result<std::shared_ptr<NavigationData>> bake_scene(const Scene& scene, const BakeSettings& settings) {
  const std::vector<Profile> profiles = profiles_of(scene);
  const std::unique_ptr<TaskRunner> tasks = make_task_runner(settings.threads);
  StageTimer timer;
  const auto begin = [&](const char* stage) {
    if (settings.progress) settings.progress(stage);
    timer.begin(stage);
  };

  auto data = std::make_shared<NavigationData>();
  data->scene_name = scene.name;
  data->origin = scene.origin;
  for (const Layer& l : scene.layers) {
    data->layer_names.push_back(l.name);
    data->layer_elevations.push_back(l.elevation);
    data->layer_slopes.push_back(l.slope);
    data->layer_heights.push_back(l.heights);
    data->layer_speeds.push_back(slope_speed(l));
  }
  for (const Area& a : scene.areas) data->area_names.push_back(a.name);

  begin("map");
  AreaSets sets;
  std::vector<EditableMap> editable;
  Result<std::vector<Map>> extracted = extract_maps(scene, sets, settings.editable ? &editable : nullptr);
  if (!extracted) return extracted.problems();
  std::vector<Map> maps = std::move(*extracted);

  begin("bottlenecks");
  std::vector<BottleneckReport> feet;
  double widest = 0.5;
  for (const Profile& p : profiles)
    widest =
        std::max({widest, p.radius, p.other_radii.empty() ? 0 : *std::max_element(p.other_radii.begin(), p.other_radii.end())});
  const double narrow_gap = 2 * widest + 0.1;
  std::vector<Feet> kept_feet(settings.editable ? maps.size() : 0);
  for (std::size_t m = 0; m < maps.size(); ++m)
    feet.push_back(insert_bottlenecks(maps[m], narrow_gap, settings.editable ? &kept_feet[m] : nullptr));

  begin("cells");
  CellsLayout layout;
  CellsBuild build =
      build_cells(maps, feet, sets, profiles[0].radius, CrossroadsRule::kBisection, settings.editable ? &layout : nullptr);
  data->cells = std::move(build.cells);
  if (settings.editable) {
    auto basis = std::make_shared<EditBasis>();
    basis->scene = scene;
    for (std::size_t l = 0; l < editable.size(); ++l)
      if (scene.layers[l].walkable.empty()) basis->scene.layers[l].walkable = {editable[l].frame};
    basis->settings = settings;
    basis->settings.progress = nullptr;
    basis->cells = CellsEditor(std::move(maps), std::move(editable), std::move(kept_feet), std::move(layout), sets, narrow_gap,
                               !scene.joints.empty(), data->cells);
    data->basis = std::move(basis);
  }
  maps.clear();
  data->tree = std::move(build.tree);

  begin("locator");
  data->locator = Locator(data->cells);
  data->sampler = PlaceSampler(data->cells);
  Result<std::vector<BakedLink>> links = bake_links(scene, data->locator, profiles[0].radius);
  if (!links) return links.problems();
  data->links = std::move(*links);

  for (const Profile& profile : profiles) {
    ProfileRouting routing;
    routing.name = profile.name;
    begin("roadmap");
    const std::vector<float> factor = cell_factors(scene, data->cells, profile);
    if (std::find(factor.begin(), factor.end(), 0.0f) != factor.end())
      for (float f : factor) routing.blocked.push_back(f == 0);
    routing.roadmap = build_roadmap(data->cells, factor, settings.key_points, profile.radius);
    begin("stored paths");
    routing.zone_paths = build_zone_paths(data->cells, data->tree, routing.roadmap, profile.radius, *tasks);
    begin("labels");
    std::vector<double> radii = profile.other_radii;
    radii.push_back(profile.radius);
    std::sort(radii.begin(), radii.end());
    radii.erase(std::unique(radii.begin(), radii.end()), radii.end());
    for (double r : radii) routing.labels.push_back(build_labels(data->cells, data->tree, routing.roadmap, r, *tasks));
    data->profiles.push_back(std::move(routing));
  }
  timer.end();
  data->report.links = static_cast<std::uint32_t>(scene.links.size());
  data->report.joints = static_cast<std::uint32_t>(scene.joints.size());
  fill_report(*data, build.report, timer);
  return data;
}

}  // namespace throng
