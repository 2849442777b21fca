// SPDX-License-Identifier: MIT
// throng bench fields: how exact potential fields are, what they cost by tile and set, and the lanes that people form by them
// (Treuille, Cooper & Popović 2006; ALGORITHMS §5.6, §8.1).
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <string_view>

#include "base/random.hpp"
#include "behaviour_support.hpp"
#include "bench.hpp"
#include "fields/potential.hpp"
#include "navigation/navigation_data.hpp"

namespace throng::cli {
namespace {

using Json = nlohmann::json;

struct BenchFieldsArguments {
  std::uint32_t steps = 100;
  std::uint32_t repeats = 3;
  std::uint32_t seeds = 3;
  bool json = false;
  bool quiet = false;
};

/// Of distances from a point in an empty square of 20 m, beside what ALGORITHMS §5.6 allows (5 % more than a prototype had).
Result<Json> measure_accuracy() {
  constexpr double kSizes[] = {1, 0.5, 0.25, 0.125}, kMost[] = {0.82, 0.51, 0.31, 0.18}, kMean[] = {0.45, 0.29, 0.18, 0.11};
  const auto navigation = Navigation::bake(behaviour::scene_of({behaviour::rectangle(-10, -10, 10, 10)}), {.threads = 1});
  if (!navigation) return navigation.problems();
  Json rows = Json::array();
  for (std::size_t i = 0; i < std::size(kSizes); ++i) {
    const Grid grid(navigation->data().cells, {.size = kSizes[i]}, [](Vec2, std::uint32_t) { return 0.0; });
    TileDomain domain;
    domain.assign(grid);
    FaceValues cost(domain.size() + 1);
    for (DomainTile t = 0; t <= domain.size(); ++t)
      for (int side = 0; side < 4; ++side) cost[t][side] = domain.next(t)[side] == domain.ghost() ? kNoPotential : grid.size();
    const float at = grid.size() / 2;
    FieldSolver solver;
    Potential field;
    Json row{{"tile_m", kSizes[i]}, {"limit_most_m", 1.05 * kMost[i]}, {"limit_mean_m", 1.05 * kMean[i]}};
    for (const bool with_disc : {false, true}) {
      std::vector<FieldSeed> seeds{{domain.at(at, at, 0), 0}};
      if (with_disc) add_disc_seeds(domain, {at, at}, 0, 1, seeds);
      solver.solve(domain, cost, seeds, {}, field);
      double most = 0, sum = 0;
      for (DomainTile t = 0; t < domain.size(); ++t) {
        const Vec2 centre = grid.centre(domain.tile(t));
        const double away = std::hypot(centre.x - static_cast<double>(at), centre.y - static_cast<double>(at));
        const double error = std::abs(static_cast<double>(field.value[t]) - away);
        most = std::max(most, error), sum += error;
      }
      row[with_disc ? "most_with_exact_seeds_m" : "most_m"] = most;
      row[with_disc ? "mean_with_exact_seeds_m" : "mean_m"] = sum / domain.size();
    }
    row["holds"] = row["most_m"] <= row["limit_most_m"] && row["mean_m"] <= row["limit_mean_m"];
    rows.push_back(row);
  }
  return rows;
}

constexpr double kSide = 60;  // m
constexpr std::uint32_t kPeople = 600;

/// A square with so many areas round it; everybody walks from one to the opposite one and back, for ever.
Result<World> make_square(std::uint32_t sets, float tile) {
  const auto navigation = Navigation::bake(behaviour::scene_of({behaviour::rectangle(0, 0, kSide, kSide)}), {.threads = 1});
  if (!navigation) return navigation.problems();
  WorldSettings settings;
  ContinuumSettings model;
  model.tile = tile;
  settings.models = {model};
  Result<World> world = World::create(*navigation, settings);
  if (!world) return world;
  std::vector<std::uint32_t> areas;
  for (std::uint32_t i = 0; i < sets; ++i) {
    const double angle = 6.283185307179586 * i / sets;
    const Vec2 at = Vec2{kSide / 2, kSide / 2} + 0.42 * kSide * Vec2{std::cos(angle), std::sin(angle)};
    areas.push_back(world->add_area(behaviour::rectangle(at.x - 2, at.y - 2, at.x + 2, at.y + 2)));
  }
  const std::uint32_t everywhere = world->add_area(behaviour::rectangle(1, 1, kSide - 1, kSide - 1));
  std::vector<std::uint32_t> plans;
  for (std::uint32_t i = 0; i < sets; ++i)
    plans.push_back(world->add_plan({{{.area = areas[i]}, {.area = areas[(i + sets / 2) % sets]}}, PlanEnd::kLoop}));
  RandomStream random(1, 0, 9);
  for (std::uint32_t i = 0; i < kPeople; ++i)
    if (const auto place = world->free_place(everywhere, 0.2, random.integer(0, 1u << 30)))
      world->add({.position = *place, .plan = plans[i % sets]});
  return world;
}

/// Milliseconds of a step and of its fields, in time of the processor: whatever else the machine does meanwhile hardly counts.
/// The best of a few runs.
struct Cost {
  double step_ms = 1e300, fields_ms = 1e300;
};
Result<Cost> cost_of(const BenchFieldsArguments& a, std::uint32_t sets, float tile) {
  constexpr int kWarmUp = 30;
  Cost best;
  for (std::uint32_t repeat = 0; repeat < a.repeats; ++repeat) {
    Result<World> world = make_square(sets, tile);
    if (!world) return world.problems();
    for (int i = 0; i < kWarmUp; ++i) world->step();
    const std::vector<Phase> before = world->phases();
    const std::clock_t began = std::clock();
    for (std::uint32_t i = 0; i < a.steps; ++i) world->step();
    const double ms = 1e3 * static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC / a.steps;
    double all = 0, fields = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double seconds = world->phases()[i].seconds - before[i].seconds;
      all += seconds;
      if (std::string_view(before[i].name) == "fields") fields += seconds;
    }
    if (ms < best.step_ms) best = {ms, ms * fields / all};
  }
  return best;
}

Result<Json> measure_cost(const BenchFieldsArguments& a, Progress& progress) {
  Json rows = Json::array();
  for (const float tile : {1.0f, 0.5f})
    for (const std::uint32_t sets : {1u, 2u, 4u, 8u, 12u, 24u}) {
      progress.step(fmt::format("tiles of {} m, {} sets", tile, sets));
      const Result<Cost> cost = cost_of(a, sets, tile);
      if (!cost) return cost.problems();
      const double tiles = (kSide / static_cast<double>(tile)) * (kSide / static_cast<double>(tile));
      rows.push_back({{"tile_m", tile},
                      {"tiles", tiles},
                      {"sets", sets},
                      {"people", kPeople},
                      {"step_ms", cost->step_ms},
                      {"fields_ms", cost->fields_ms},
                      {"ns_per_tile_and_set", 1e6 * cost->fields_ms / (tiles * sets)}});
    }
  return rows;
}

/// Mean and extremes of Φ' over seeds.
template <class Measure>
Result<Json> order_of(const char* what, std::uint32_t seeds, Measure&& measure) {
  double low = 2, high = -2, sum = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const Result<behaviour::Figures> figures = measure(seed);
    if (!figures) return figures.problems();
    const double order = figures->at("corrected_order").get<double>();
    low = std::min(low, order), high = std::max(high, order), sum += order;
  }
  return Json{{"what", what}, {"order", sum / seeds}, {"low", low}, {"high", high}};
}

Result<Json> measure_lanes(const BenchFieldsArguments& a, Progress& progress) {
  ContinuumSettings pushed;
  pushed.field.prediction_time = 0, pushed.field.discomfort_weight = 0;
  pushed.field.low_density = 1e4f, pushed.field.high_density = 2e4f, pushed.field.jam_density = 0;
  const auto corridor = [](const MotionModel& model) {
    return [model](std::uint64_t seed) { return behaviour::measure_counterflow(model, seed, 1); };
  };
  const auto street = [](std::uint8_t level) {
    return [level](std::uint64_t seed) { return behaviour::measure_region_lanes({.level = level}, seed); };
  };
  Json rows = Json::array();
  const auto add = [&](const char* what, auto&& measure) {
    progress.step(what);
    Result<Json> row = order_of(what, a.seeds, measure);
    if (row) rows.push_back(*row);
    return row;
  };
  if (auto row = add("corridor 4 × 40 m, 1 /m²: continuum", corridor(ContinuumSettings{})); !row) return row;
  if (auto row = add("corridor: continuum without density and prediction (pushing apart alone)", corridor(pushed)); !row)
    return row;
  if (auto row = add("corridor: straight through each other", corridor(LinearSettings{})); !row) return row;
  if (auto row = add("street 12 × 60 m, 0.75 /m²: level 0 (field and short_term)", street(0)); !row) return row;
  if (auto row = add("street: level 1 (corridor and short_term)", street(1)); !row) return row;
  if (auto row = add("street: level 2 (straight)", street(2)); !row) return row;
  return rows;
}

int run_bench_fields(const BenchFieldsArguments& a) {
  Progress progress("fields", a.quiet);
  const Result<Json> accuracy = measure_accuracy();
  if (!accuracy) return report_problems(accuracy.problems(), a.json);
  const Result<Json> cost = measure_cost(a, progress);
  if (!cost) return report_problems(cost.problems(), a.json);
  const Result<Json> lanes = measure_lanes(a, progress);
  if (!lanes) return report_problems(lanes.problems(), a.json);
  bool holds = true;
  for (const Json& row : *accuracy) holds = holds && row["holds"].get<bool>();
  if (a.json) {
    print_json({{"accuracy", *accuracy}, {"cost", *cost}, {"lanes", *lanes}, {"holds", holds}});
    return holds ? kSuccess : kBadInput;
  }
  fmt::print(
      "Distances from a point, square of 20 m: largest and mean error, what is allowed, and with exact seeds round the goal\n");
  for (const Json& row : *accuracy)
    fmt::print("  tiles {:5} m   {:.3f} {:.3f} m   allowed {:.3f} {:.3f}   exact seeds {:.3f} {:.3f}   {}\n",
               row["tile_m"].get<double>(), row["most_m"].get<double>(), row["mean_m"].get<double>(),
               row["limit_most_m"].get<double>(), row["limit_mean_m"].get<double>(), row["most_with_exact_seeds_m"].get<double>(),
               row["mean_with_exact_seeds_m"].get<double>(), row["holds"].get<bool>() ? "holds" : "FAILS");
  fmt::print("Continuum crowds, square of {} m, {} people, one thread\n", kSide, kPeople);
  for (const Json& row : *cost)
    fmt::print("  tiles {:3} m ({:6} of them), {:2} sets   step {:7.3f} ms, fields {:7.3f} ms, {:4.0f} ns a tile and set\n",
               row["tile_m"].get<double>(), row["tiles"].get<double>(), row["sets"].get<int>(), row["step_ms"].get<double>(),
               row["fields_ms"].get<double>(), row["ns_per_tile_and_set"].get<double>());
  fmt::print("Order of lanes (0: none, 1: perfect), {} seeds\n", a.seeds);
  for (const Json& row : *lanes)
    fmt::print("  {:.2f} ({:.2f} to {:.2f})  {}\n", row["order"].get<double>(), row["low"].get<double>(),
               row["high"].get<double>(), row["what"].get<std::string>());
  return holds ? kSuccess : kBadInput;
}

}  // namespace

void add_bench_fields(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchFieldsArguments>();
  CLI::App* verb =
      bench.add_subcommand("fields", "potential fields: how exact they are, what they cost, and the lanes they make");
  verb->add_option("--steps", a->steps, "timed, after a warm-up")->capture_default_str()->check(CLI::Range(1, 100000));
  verb->add_option("--repeats", a->repeats, "of each timing; the best counts")->capture_default_str()->check(CLI::Range(1, 100));
  verb->add_option("--seeds", a->seeds, "of each measurement of lanes")->capture_default_str()->check(CLI::Range(1, 100));
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench fields --seeds 1");
  verb->callback([a, &outcome] { outcome.status = run_bench_fields(*a); });
}

}  // namespace throng::cli
