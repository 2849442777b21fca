// SPDX-License-Identifier: MIT
// The two crowds that engines are measured on: one builder for benchmarks and tests.
//
// Plaza: a walled square at a given density, random goals, a new one on arrival. Uniform goals pull people inwards, so its centre
// is denser than its name says. Torus: the same without walls, periodic, a heading instead of a goal, redrawn about every 25 s:
// its density is the same everywhere.
#pragma once
#include <cmath>
#include <vector>

#include <throng/world.hpp>

#include "base/math.hpp"
#include "base/random.hpp"

namespace throng {

struct CrowdScene {
  Scene scene;
  WorldSettings settings;  ///< period, if any
  std::vector<Vec2> starts;
  double side = 0;  ///< of the square people are in
  double radius = 0;
  double speed = 0;
  bool has_headings = false;
};

namespace crowd_scenes {

/// Random places in a square, none closer to another than two radii: dart throwing on a grid of that size. From `low` to
/// `low + side`, `inset` from the border; periodic ones also keep apart across it.
inline std::vector<Vec2> apart(std::uint32_t count, double low, double side, double radius, double inset, bool periodic,
                               std::uint64_t seed) {
  const double contact = 2.001 * radius;
  const auto columns = static_cast<std::int64_t>(side / contact);
  const double step = side / static_cast<double>(columns);
  std::vector<std::int32_t> first(static_cast<std::size_t>(columns * columns), -1), next;
  std::vector<Vec2> places;
  RandomStream random(seed, 0, 77);
  for (std::uint64_t tries = 0; places.size() < count && tries < 400ull * count; ++tries) {
    const Vec2 p = {random.between(inset, side - inset), random.between(inset, side - inset)};
    const auto column = std::min(static_cast<std::int64_t>(p.x / step), columns - 1);
    const auto row = std::min(static_cast<std::int64_t>(p.y / step), columns - 1);
    bool is_free = true;
    for (std::int64_t c = column - 1; c <= column + 1 && is_free; ++c)
      for (std::int64_t r = row - 1; r <= row + 1 && is_free; ++r) {
        if (!periodic && (c < 0 || r < 0 || c >= columns || r >= columns)) continue;
        const std::int64_t cc = (c + columns) % columns, rr = (r + columns) % columns;
        for (std::int32_t i = first[static_cast<std::size_t>(rr * columns + cc)]; i >= 0 && is_free;
             i = next[static_cast<std::size_t>(i)]) {
          Vec2 d = places[static_cast<std::size_t>(i)] - p;
          if (periodic) d = {d.x - side * std::round(d.x / side), d.y - side * std::round(d.y / side)};
          is_free = dot(d, d) >= contact * contact;
        }
      }
    if (!is_free) continue;
    std::int32_t& head = first[static_cast<std::size_t>(row * columns + column)];
    next.push_back(head);
    head = static_cast<std::int32_t>(places.size());
    places.push_back(p);
  }
  for (Vec2& p : places) p = p + Vec2{low, low};
  return places;
}

inline Scene square(const char* name, double side) {
  Scene scene;
  scene.name = name;
  Layer layer;
  layer.name = "ground";
  layer.walkable.push_back({{{0, 0}, {side, 0}, {side, side}, {0, side}}, {}});
  scene.layers.push_back(std::move(layer));
  return scene;
}

}  // namespace crowd_scenes

inline CrowdScene make_plaza(std::uint32_t agents, double density = 0.5, std::uint64_t seed = 1) {
  CrowdScene made;
  made.side = std::sqrt(agents / density);
  made.radius = 0.25;
  made.speed = 1.3;
  made.scene = crowd_scenes::square("plaza", made.side);
  made.starts = crowd_scenes::apart(agents, 0, made.side, made.radius, made.radius + 0.01, false, seed);
  made.settings.seed = seed;
  return made;
}

inline CrowdScene make_torus(std::uint32_t agents, double density, std::uint64_t seed = 1) {
  CrowdScene made;
  made.side = std::sqrt(agents / density);
  made.radius = 0.20;
  made.speed = 1.34;
  made.scene = crowd_scenes::square("torus", made.side + 2 * kPeriodMargin);
  made.starts = crowd_scenes::apart(agents, kPeriodMargin, made.side, made.radius, 0, true, seed);
  made.settings.seed = seed;
  made.settings.period_low = {kPeriodMargin, kPeriodMargin};
  made.settings.period_size = {made.side, made.side};
  made.has_headings = true;
  return made;
}

/// A crowd that walks: the world of a CrowdScene, and what is redrawn from outside.
class CrowdRun {
 public:
  static Result<CrowdRun> create(const CrowdScene& scene, WorldSettings settings) {
    settings.seed = scene.settings.seed;
    settings.period_low = scene.settings.period_low;
    settings.period_size = scene.settings.period_size;
    Result<Navigation> navigation = Navigation::bake(scene.scene, {.threads = 1});
    if (!navigation) return navigation.problems();
    Result<World> world = World::create(*navigation, settings);
    if (!world) return world.problems();
    CrowdRun run(std::move(*world), scene);
    const std::uint32_t wander = run.world.add_plan({{}, PlanEnd::kWander});
    for (const Vec2 start : scene.starts) {
      AgentDef definition;
      definition.position = start;
      definition.person.radius = static_cast<float>(scene.radius);
      definition.person.preferred_speed = static_cast<float>(scene.speed);
      if (!scene.has_headings) definition.plan = wander;
      const AgentId agent = run.world.add(definition);
      if (!agent) return Problem{"crowd scene", "a start is not free", "take a lower density"};
      run.agents_.push_back(agent);
      if (scene.has_headings) run.turn(agent);
    }
    return run;
  }

  const StepReport& step() {
    const StepReport& report = world.step();
    if (has_headings_)
      for (const AgentId agent : agents_)
        if (random_.chance(world.settings().dt / kSecondsPerHeading)) turn(agent);
    return report;
  }

  World world;

 private:
  static constexpr double kSecondsPerHeading = 25;
  CrowdRun(World made, const CrowdScene& scene)
      : world(std::move(made)), has_headings_(scene.has_headings), random_(scene.settings.seed, 0, 78) {}
  void turn(AgentId agent) {
    const SineCosine at = sine_cosine(random_.between(0, 6.283185307179586));
    world.set_heading(agent, {at.cosine, at.sine});
  }

  std::vector<AgentId> agents_;
  bool has_headings_;
  RandomStream random_;
};

}  // namespace throng
