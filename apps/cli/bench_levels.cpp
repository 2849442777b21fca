// SPDX-License-Identifier: MIT
// throng bench levels: a city full of people, with levels of simulation on and off, on one thread.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/random.hpp"
#include "bench.hpp"
#include "scene/city.hpp"

namespace throng::cli {
namespace {

struct BenchLevelsArguments {
  std::uint32_t buildings = 400;
  std::uint32_t people = 35000;
  std::uint32_t steps = 250;
  std::uint32_t repeats = 3;
  double distance = 230;
  bool json = false;
  bool quiet = false;
};

constexpr double kLevelsDt = 0.04;
constexpr std::uint32_t kLevelsWarmUp = 50;

struct BenchLevelsRow {
  const char* name;
  MotionModel model;
  bool has_levels;
};

/// People all over the city who wander for ever; null where the city is too small for them.
Result<World> fill(const Navigation& navigation, const BenchLevelsArguments& a, const BenchLevelsRow& row, Vec2 middle) {
  WorldSettings settings;
  settings.dt = kLevelsDt;
  settings.models = {row.model};
  settings.detail.enabled = row.has_levels;
  settings.detail.viewpoint = Viewpoint{.position = middle, .direction = {1, 0}, .field_of_view = 1.57, .distance = a.distance};
  Result<World> world = World::create(navigation, settings);
  if (!world) return world;
  const std::uint32_t wander = world->add_plan({{}, PlanEnd::kWander});
  RandomStream random(1, 0, 91);
  for (std::uint64_t tries = 0; world->agent_count() < a.people && tries < 50ull * a.people; ++tries) {
    const double u = random.unit(), v = random.unit(), speed = random.between(0.8, 1.8);
    AgentDef definition;
    definition.position = navigation.random_walkable(u, v).point;
    definition.person.preferred_speed = static_cast<float>(speed);
    definition.plan = wander;
    if (world->is_free(definition.position, 0, definition.person.radius)) world->add(definition);
  }
  if (world->agent_count() < a.people)
    return Problem{"--people", fmt::format("the city has room for {} only", world->agent_count()), "take more --buildings"};
  return world;
}

Result<nlohmann::json> measure(const Navigation& navigation, const BenchLevelsArguments& a, const BenchLevelsRow& row, Vec2 middle) {
  const Timing timing{.warm_up = kLevelsWarmUp, .steps = a.steps, .repeats = a.repeats};
  Result<nlohmann::json> best = time_steps(timing, [&] { return fill(navigation, a, row, middle); });
  if (best)
    best->update({{"engine", row.name},
                  {"levels", row.has_levels},
                  {"people", a.people},
                  {"buildings", a.buildings},
                  {"dt", kLevelsDt},
                  {"threads", 1},
                  {"ns_per_agent_step", 1e9 / ((*best)["steps_per_second"].get<double>() * a.people)}});
  return best;
}

int run_bench_levels(const BenchLevelsArguments& a) {
  Progress progress("levels", a.quiet);
  progress.step(fmt::format("baking city:{}", a.buildings));
  const Result<Navigation> navigation = Navigation::bake(make_city(a.buildings));
  if (!navigation) return report_problems(navigation.problems(), a.json);
  Vec2 middle;
  for (int i = 0; i < 100; ++i) middle = middle + 0.01 * navigation->random_walkable((i + 0.5) / 100, 0.5).point;
  const BenchLevelsRow kRows[] = {{"reactive", reactive(), true},
                       {"reynolds", ReynoldsSettings{}, true},
                       {"reactive", reactive(), false},
                       {"reynolds", ReynoldsSettings{}, false},
                       {"linear", LinearSettings{}, false}};
  nlohmann::json rows = nlohmann::json::array();
  for (const BenchLevelsRow& row : kRows) {
    progress.step(fmt::format("{} people, {}, levels {}", a.people, row.name, row.has_levels ? "on" : "off"));
    const Result<nlohmann::json> measured = measure(*navigation, a, row, middle);
    if (!measured) return report_problems(measured.problems(), a.json);
    rows.push_back(*measured);
  }
  if (a.json) {
    print_json({{"rows", rows}});
    return kSuccess;
  }
  fmt::print("city of {} buildings, {} people, steps of {} s, one thread\n", a.buildings, a.people, kLevelsDt);
  fmt::print("{:<12}{:<8}{:>9}{:>12}{:>12}{:>10}{:>8}\n", "model", "levels", "steps/s", "high level", "looked at", "ns/agent",
             "speed");
  for (const auto& r : rows)
    fmt::print("{:<12}{:<8}{:>9.0f}{:>12.0f}{:>12.0f}{:>10.0f}{:>8.3f}\n", r["engine"].get<std::string>(),
               r["levels"].get<bool>() ? "on" : "off", r["steps_per_second"].get<double>(), r["high_level"].get<double>(),
               r["updated"].get<double>(), r["ns_per_agent_step"].get<double>(), r["speed_ratio"].get<double>());
  fmt::print("the paper (2007): 35,000 people at 10 to 20 steps per second, with pictures\n");
  return kSuccess;
}

}  // namespace

void add_bench_levels(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchLevelsArguments>();
  CLI::App* verb = bench.add_subcommand("levels", "a city full of people, with levels of simulation on and off");
  verb->add_option("--buildings", a->buildings, "of the city")->capture_default_str()->check(CLI::Range(10, 10000));
  verb->add_option("--people", a->people, "in it")->capture_default_str()->check(CLI::Range(10, 1000000));
  verb->add_option("--distance", a->distance, "of the viewpoint in its middle, m")->capture_default_str();
  verb->add_option("--steps", a->steps, "measured steps")->capture_default_str()->check(CLI::Range(1, 100000));
  verb->add_option("--repeats", a->repeats, "runs, of which the fastest counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench levels --people 35000");
  verb->callback([a, &outcome] { outcome.status = run_bench_levels(*a); });
}

}  // namespace throng::cli
