// SPDX-License-Identifier: MIT
#include "bench_town.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "navgraph/nav_graph.hpp"
#include "scene/city.hpp"
#include "scene/layer_mesh.hpp"

namespace throng::cli {
namespace {

/// Each triangle becomes n² smaller ones: a town as detailed as a model of one.
Mesh refined(const Mesh& mesh, std::size_t triangles) {
  const auto n = static_cast<std::uint32_t>(
      std::max(1.0, std::round(std::sqrt(static_cast<double>(triangles) / static_cast<double>(mesh.triangles.size())))));
  Mesh fine;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const auto first = static_cast<std::uint32_t>(fine.vertices.size());
    const auto at = [&](std::uint32_t i, std::uint32_t j) { return first + i * (i + 1) / 2 + j; };
    for (std::uint32_t i = 0; i <= n; ++i)
      for (std::uint32_t j = 0; j <= i; ++j) {
        const double u = static_cast<double>(i) / n, v = static_cast<double>(j) / n;
        fine.vertices.push_back({a.x + u * (b.x - a.x) + v * (c.x - b.x), a.y + u * (b.y - a.y) + v * (c.y - b.y),
                                 a.z + u * (b.z - a.z) + v * (c.z - b.z)});
      }
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j <= i; ++j) {
        fine.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        if (j < i) fine.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      }
  }
  return fine;
}

}  // namespace

Result<Town> make_town(const TownSettings& settings) {
  Scene scene = make_city(settings.buildings);
  Result<Navigation> navigation = Navigation::bake(scene);
  if (!navigation) return navigation.problems();
  Result<Mesh> mesh = mesh_of_layers(scene);
  if (!mesh) return mesh.problems();
  scene.mesh = settings.triangles > 0 ? refined(*mesh, settings.triangles) : *mesh;
  const std::size_t triangles = scene.mesh.triangles.size();
  Result<NavigationGraph> graph =
      NavigationGraph::bake(scene, {.grid_step = settings.grid_step, .min_radius = settings.min_radius});
  if (!graph) return graph.problems();
  Town town{std::move(*navigation), std::move(*graph), triangles, {}, {}, {}};
  const std::vector<Vec3>& centres = town.graph.data().centre;
  Vec2& low = town.low = plan_of(centres[0]);
  Vec2& high = town.high = low;
  for (const Vec3 c : centres)
    low = {std::min(low.x, c.x), std::min(low.y, c.y)}, high = {std::max(high.x, c.x), std::max(high.y, c.y)};
  RandomStream random(1, 0, 97);
  for (int tries = 0; tries < 10000 && town.ends.size() < settings.flows; ++tries) {
    std::array<Vec2, 2> ends;
    bool has_room = true;
    for (Vec2& end : ends) {
      const double u = random.unit(), v = random.unit();
      end = town.navigation.random_walkable(u, v).point;
      has_room = has_room && town.graph.disc_at({end.x, end.y, 0}) && town.navigation.plan({.from = end, .to = end, .radius = 1});
    }
    if (has_room && distance(ends[0], ends[1]) > 0.4 * length(high - low) &&
        town.graph.path({ends[0].x, ends[0].y, 0}, {ends[1].x, ends[1].y, 0}))
      town.ends.push_back(ends);
  }
  if (town.ends.size() < settings.flows)
    return Problem{"--buildings", fmt::format("the town is too small for {} flows", settings.flows), "take more"};
  return town;
}

Result<World> fill_town(const Town& town, const WorldSettings& settings, std::uint32_t flows, std::uint32_t people) {
  Result<World> world = World::create(town.navigation, town.graph, settings);
  if (!world) return world;
  std::vector<std::uint32_t> plans;
  for (std::uint32_t f = 0; f < flows; ++f) {
    const auto& ends = town.ends[f];
    std::array<std::uint32_t, 2> areas{};
    for (int end = 0; end < 2; ++end) {
      constexpr double kHalf = 10;
      const Vec2 p = ends[end];
      areas[end] = world->add_area(
          {{{p.x - kHalf, p.y - kHalf}, {p.x + kHalf, p.y - kHalf}, {p.x + kHalf, p.y + kHalf}, {p.x - kHalf, p.y + kHalf}}, {}});
    }
    const Result<std::uint32_t> flow = world->add_flow({.from = areas[0], .to = areas[1]});
    if (!flow) return flow.problems();
    for (int first = 0; first < 2; ++first)
      plans.push_back(
          world->add_plan({{{.area = areas[1 - first], .flow = *flow}, {.area = areas[first], .flow = *flow}}, PlanEnd::kLoop}));
  }
  // As after a long time: everywhere between the two places.
  RandomStream random(1, 0, 91);
  for (std::uint64_t tries = 0; world->agent_count() < people && tries < 100ull * people; ++tries) {
    const double u = random.unit(), v = random.unit(), speed = random.between(0.8, 1.8);
    AgentDef definition;
    definition.position = town.navigation.random_walkable(u, v).point;
    definition.person.preferred_speed = static_cast<float>(speed);
    definition.plan = plans[world->agent_count() % plans.size()];
    if (world->is_free(definition.position, 0, definition.person.radius)) world->add(definition);
  }
  if (world->agent_count() < people)
    return Problem{"--people", fmt::format("the town has room for {} only", world->agent_count()), "take more --buildings"};
  return world;
}

}  // namespace throng::cli
