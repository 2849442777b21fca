// SPDX-License-Identifier: MIT
// Nobody walks through walls, into others or into a place they never leave: random scenes, the crowds engines are measured on,
// and the named scenes (issue 3, must-show 4 and 6; ALGORITHMS.md §8.8).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/math.hpp"
#include "behaviour_support.hpp"
#include "crowd_scenes.hpp"
#include "scenario/scenario.hpp"
#include "scenario/simulation.hpp"

namespace throng::behaviour {
namespace {

// ---- walls ----

constexpr double kSide = 40;
constexpr int kObstacles = 14, kSteps = 500;
constexpr std::uint32_t kWalkers = 250, kScenePurpose = 0x77616C6C;  // "wall"
constexpr double kTolerance = 0.001;                                 // m

/// A walled square with convex obstacles that may overlap, a third of them thin bars.
Scene random_obstacles(std::uint64_t seed) {
  Scene scene = scene_of({rectangle(0, 0, kSide, kSide)});
  RandomStream random(seed, 0, kScenePurpose);
  for (int i = 0; i < kObstacles; ++i) {
    const Vec2 centre{random.between(0.05, 0.95) * kSide, random.between(0.05, 0.95) * kSide};
    const double turn = random.between(0, 6.283185307179586);
    Ring ring;
    if (random.chance(0.33)) {
      const SineCosine along = sine_cosine(turn);
      const Vec2 u{along.cosine, along.sine};
      const double half = random.between(0.05, 0.15) * kSide;
      ring = {centre - half * u - 0.05 * left(u), centre + half * u - 0.05 * left(u), centre + half * u + 0.05 * left(u),
              centre - half * u + 0.05 * left(u)};
    } else {
      const auto corners = static_cast<int>(random.integer(3, 7));
      const double size = random.between(0.03, 0.1) * kSide;
      for (int k = 0; k < corners; ++k) {
        const SineCosine at = sine_cosine(turn + 6.283185307179586 * k / corners);
        ring.push_back(centre + size * Vec2{at.cosine, at.sine});
      }
    }
    scene.layers[0].obstacles.push_back({ring, {}});
  }
  return scene;
}

Result<Figures> measure_walls(const ReactiveSettings& model, std::uint64_t seed) {
  const Scene scene = random_obstacles(seed);
  const Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
  if (!navigation) return navigation.problems();
  WorldSettings settings;
  settings.seed = seed;
  settings.threads = 1;
  settings.models = {model};
  Result<World> world = World::create(*navigation, settings);
  if (!world) return world.problems();
  const std::uint32_t everywhere = world->add_area(rectangle(0, 0, kSide, kSide));
  const std::uint32_t wander = world->add_plan({{}, PlanEnd::kWander});
  RandomStream random(seed, 1, kScenePurpose);
  std::uint64_t draw = 0;
  for (std::uint32_t i = 0; i < kWalkers; ++i) {
    AgentDef agent;
    agent.person.radius = static_cast<float>(random.between(0.12, 0.45));
    agent.person.preferred_speed = static_cast<float>(random.between(0.6, 2.0));
    const Result<Vec2> place = place_in(*world, everywhere, agent.person.radius, draw);
    if (!place) return place.problems();
    agent.position = *place;
    agent.plan = wander;
    world->add(agent);
  }
  std::uint64_t penetrations = 0, agent_steps = 0;
  double deepest = 0, walked = 0;
  for (int step = 0; step < kSteps; ++step) {
    world->step();
    const World::Columns all = world->columns();
    for (std::size_t i = 0; i < all.x.size(); ++i) {
      const double inside = all.radius[i] - drawn_clearance(scene, {all.x[i], all.y[i]});
      penetrations += inside > kTolerance;
      deepest = std::max(deepest, inside);
      walked += std::hypot(all.vx[i], all.vy[i]) * settings.dt;
    }
    agent_steps += all.x.size();
  }
  return Figures{{"penetrations", penetrations},
                 {"agent_steps", agent_steps},
                 {"deepest_mm", 1000 * deepest},
                 {"walked_m_per_person", walked / kWalkers}};
}

// ---- crowds ----

Result<Figures> measure_crowd(const CrowdScene& crowd, const ReactiveSettings& model) {
  constexpr int kWarmUpSteps = 20, kMeasuredSteps = 100;
  WorldSettings settings;
  settings.models = {model};
  settings.threads = 1;
  settings.count_contacts = true;
  Result<CrowdRun> run = CrowdRun::create(crowd, settings);
  if (!run) return run.problems();
  double overlaps = 0, deep = 0, before = 0, speed = 0, progress = 0, walls = 0;
  for (int step = 0; step < kWarmUpSteps + kMeasuredSteps; ++step) {
    const StepReport& report = run->step();
    if (step < kWarmUpSteps) continue;
    overlaps += report.overlaps, deep += report.deep_overlaps, before += report.before_separate;
    speed += report.speed_ratio, progress += report.progress_ratio, walls += report.wall_penetrations;
  }
  const double per_1000 = 1000.0 / (kMeasuredSteps * static_cast<double>(crowd.starts.size()));
  return Figures{{"overlaps_per_1000", overlaps * per_1000},      {"deep_overlaps", deep},
                 {"before_separate_per_1000", before * per_1000}, {"speed_ratio", speed / kMeasuredSteps},
                 {"progress_ratio", progress / kMeasuredSteps},   {"wall_penetrations", walls}};
}

struct TorusDef {
  double density, least_speed_ratio;
  const char* name;
};
constexpr std::array<TorusDef, 3> kToruses{{{0.5, 0.94, "torus_0.5"}, {1, 0.85, "torus_1"}, {2, 0.65, "torus_2"}}};
constexpr std::uint32_t kPlazaPeople = 10'000, kTorusPeople = 4'000;

// ---- named scenes ----

struct NamedScene {
  const char* name;
  std::uint32_t seeds;                       ///< at most; large scenes are walked once
  std::optional<std::uint32_t> most_people;  ///< of each population
};
/// Of each population of the city 200 people walk here, once; its whole rush hour is the demo.
const std::array<NamedScene, 9> kScenes{{{"bottleneck", 100, {}},
                                         {"circle_swap", 100, {}},
                                         {"corridor_counterflow", 100, {}},
                                         {"four_way_crossing", 100, {}},
                                         {"open_plaza", 100, {}},
                                         {"room_evacuation", 100, {}},
                                         {"office", 100, {}},
                                         {"two_storeys", 3, {}},
                                         {"city_rush_hour", 1, 200}}};

Result<Figures> measure_scene(const NamedScene& named, const ReactiveSettings& model, std::uint64_t seed) {
  ScenarioOverrides overrides;
  overrides.seed = seed;
  overrides.most_people = named.most_people;
  const std::filesystem::path file =
      std::filesystem::path(THRONG_VALIDATION_DIR) / ".." / "scenes" / (std::string(named.name) + ".json");
  Result<Scenario> scenario = load_scenario(file, overrides);
  if (!scenario) return scenario.problems();
  for (MotionModel& used : scenario->models) used = model;
  const Result<Navigation> navigation = Navigation::bake(scenario->scene, {.threads = 1});
  if (!navigation) return navigation.problems();
  Result<Simulation> simulation = Simulation::create(*scenario, *navigation, 1);
  if (!simulation) return simulation.problems();
  while (!simulation->is_done()) simulation->step();
  const Tally& tally = simulation->tally();
  return Figures{{"people", tally.people},
                 {"stuck", tally.stuck},
                 {"lost", tally.lost},
                 {"arrived", tally.arrived},
                 {"still_there", simulation->world().agent_count()},
                 {"simulated_s", simulation->world().time()}};
}

}  // namespace

double drawn_clearance(const Scene& scene, Vec2 place) {
  // Depth inside a convex counter-clockwise ring: positive inside, negative outside, 0 on it.
  const auto depth = [place](const Ring& ring) {
    bool is_inside = true;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Vec2 a = ring[i], d = ring[(i + 1) % ring.size()] - a;
      is_inside = is_inside && cross(d, place - a) > 0;
      nearest = std::min(nearest, distance(place, a + std::clamp(dot(place - a, d) / dot(d, d), 0.0, 1.0) * d));
    }
    return is_inside ? nearest : -nearest;
  };
  double least = depth(scene.layers[0].walkable[0].outer);
  for (const Polygon& obstacle : scene.layers[0].obstacles) least = std::min(least, -depth(obstacle.outer));
  return least;
}

Result<ValidationOutcome> run_walls(const ValidationSettings& settings) {
  std::vector<Variant> variants{{kModel, settings.model}};
  if (settings.model.name != kPaper) variants.push_back({kPaper, reactive_2004()});
  const auto measured = measure_variants(settings, variants, measure_walls);
  if (!measured) return measured.problems();
  const auto describe = [&](const std::string& variant) {
    const Distribution found = measured->of(variant, "penetrations"), steps = measured->of(variant, "agent_steps");
    return fmt::format("{:.0f} penetrations in {:.2g} agent-steps, deepest {:.2f} mm, {:.0f} m walked each",
                       found.mean * static_cast<double>(found.count), steps.mean * static_cast<double>(steps.count),
                       measured->of(variant, "deepest_mm").high, measured->of(variant, "walked_m_per_person").mean);
  };
  return ValidationOutcome{measured->of(kModel, "penetrations").high == 0 && measured->of(kModel, "walked_m_per_person").low > 10,
                           describe(kModel), beside(*measured, "", describe), measured->figures()};
}

Result<ValidationOutcome> run_plaza_quality(const ValidationSettings& settings) {
  ReactiveSettings control = settings.model;
  control.prediction = false;
  const auto measure = [](const ReactiveSettings& model, std::uint64_t seed) -> Result<Figures> {
    Result<Figures> plaza = measure_crowd(make_plaza(kPlazaPeople, 0.5, seed), model);
    if (!plaza) return plaza.problems();
    for (const TorusDef& torus : kToruses) {
      const Result<Figures> figures = measure_crowd(make_torus(kTorusPeople, torus.density, seed), model);
      if (!figures) return figures.problems();
      (*plaza)[torus.name] = figures->at("speed_ratio");
    }
    return plaza;
  };
  const auto measured = measure_variants(settings, with_control(settings.model, control), measure);
  if (!measured) return measured.problems();
  const auto describe = [&](const std::string& variant) {
    const auto mean = [&](const char* name) { return measured->of(variant, name).mean; };
    return fmt::format(
        "overlaps {} per 1000, {:.0f} deep, {:.0f} before separation, speed {:.3f}, progress {:.3f}; torus speed "
        "{:.3f}/{:.3f}/{:.3f}",
        spread(measured->of(variant, "overlaps_per_1000")), measured->of(variant, "deep_overlaps").high,
        mean("before_separate_per_1000"), mean("speed_ratio"), mean("progress_ratio"), mean("torus_0.5"), mean("torus_1"),
        mean("torus_2"));
  };
  const auto model = [&](const char* name) { return measured->of(kModel, name); };
  bool passed = model("overlaps_per_1000").high <= 0.5 && model("deep_overlaps").high == 0 &&
                model("before_separate_per_1000").high <= 40 && model("speed_ratio").low >= 0.93 &&
                model("progress_ratio").low >= 0.86 && model("wall_penetrations").high == 0 &&
                measured->of(kControl, "before_separate_per_1000").low > 1.5 * model("before_separate_per_1000").high;
  for (const TorusDef& torus : kToruses) passed = passed && model(torus.name).low >= torus.least_speed_ratio;
  return ValidationOutcome{passed, describe(kModel), beside(*measured, "no prediction", describe), measured->figures()};
}

Result<ValidationOutcome> run_stuck(const ValidationSettings& settings) {
  std::vector<Variant> variants{{kModel, settings.model}};
  if (settings.model.name != kPaper) variants.push_back({kPaper, reactive_2004()});
  Figures figures;
  std::string measured_text, paper_text;
  double stuck = 0, lost = 0;
  for (const NamedScene& scene : kScenes) {
    ValidationSettings scene_settings = settings;
    scene_settings.seeds = std::min(settings.seeds, scene.seeds);
    const auto measured = measure_variants(scene_settings, variants, [&](const ReactiveSettings& model, std::uint64_t seed) {
      return measure_scene(scene, model, seed);
    });
    if (!measured) return measured.problems();
    const auto add_to = [&](std::string& text, const std::string& variant) {
      text += fmt::format("{}{} {:.0f}", text.empty() ? "" : ", ", scene.name, measured->of(variant, "stuck").high);
    };
    add_to(measured_text, kModel);
    if (measured->has(kPaper)) add_to(paper_text, kPaper);
    stuck += measured->of(kModel, "stuck").high;
    lost += measured->of(kModel, "lost").high;
    figures[scene.name] = measured->figures();
  }
  return ValidationOutcome{stuck == 0 && lost == 0, "most stuck in a run: " + measured_text,
                           paper_text.empty() ? "" : kPaper + ": " + paper_text, std::move(figures)};
}

}  // namespace throng::behaviour
