// SPDX-License-Identifier: MIT
// throng bench regions: what regions of interest cost and spare (Yersin et al. 2008, Figs. 6 and 8).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/random.hpp"
#include "bench.hpp"
#include "bench_town.hpp"
#include "draw/plot.hpp"

namespace throng::cli {
namespace {

struct BenchRegionsArguments {
  std::uint32_t buildings = 105;
  std::uint32_t steps = 100;
  std::uint32_t repeats = 3;
  std::uint32_t most = 100'000;  // people of the large crowd
  std::string plots = "out/bench";
  bool json = false;
  bool quiet = false;
};

constexpr double kRegionsDt = 0.1;
constexpr std::uint32_t kRegionsFlows = 12, kRegionsWarmUp = 50;
constexpr double kRadius = 15;
constexpr double kHalfCar = 1.2;  // m, with some room

using Json = nlohmann::json;

struct Bench {
  const BenchRegionsArguments& a;
  const Town& town;

  WorldSettings settings(std::vector<Region> regions, std::uint8_t elsewhere = 1, unsigned threads = 1) const {
    WorldSettings out;
    out.dt = kRegionsDt;
    out.threads = threads;
    out.interest.enabled = true;
    out.interest.regions = std::move(regions);
    out.interest.elsewhere = elsewhere;
    return out;
  }

  Result<Json> measure(const WorldSettings& world, std::uint32_t flows, std::uint32_t people,
                       std::function<void(World&)> before_step = {}) const {
    const Timing timing{.warm_up = kRegionsWarmUp, .steps = a.steps, .repeats = a.repeats, .before_step = std::move(before_step)};
    Result<Json> row = time_steps(timing, [&] { return fill_town(town, world, flows, people); });
    if (!row) return row;
    const double ms = 1e3 / (*row)["steps_per_second"].get<double>();
    row->update({{"sets", 2 * flows}, {"people", people}, {"threads", world.threads}, {"step_ms", ms}});
    for (const char* phase : {"fields", "move", "neighbours", "guide", "separate"})
      (*row)[fmt::format("{}_ms", phase)] = ms * (*row)["phases"].value(phase, 0.0);
    return row;
  }

  /// Places where people are: a circle of regions round the middle of the town.
  std::vector<Region> regions(int count) const {
    std::vector<Region> out;
    const double reach = 0.25 * std::min(town.high.x - town.low.x, town.high.y - town.low.y);
    for (int i = 0; i < count; ++i) {
      const double angle = 6.283185307179586 * i / std::max(1, count);
      const Vec2 offset = count == 1 ? Vec2{} : Vec2{reach * std::cos(angle), reach * std::sin(angle)};
      out.push_back({.centre = town.middle() + offset, .radius = kRadius});
    }
    return out;
  }
};

/// Milliseconds for each further set, by least squares.
double slope(const std::vector<Vec2>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(points.size());
  for (const Vec2 p : points) x += p.x, y += p.y, xx += p.x * p.x, xy += p.x * p.y;
  return (n * xy - x * y) / (n * xx - x * x);
}

std::vector<Vec2> curve(const Json& rows, const char* x, const char* y) {
  std::vector<Vec2> points;
  for (const Json& row : rows) points.push_back({row[x].get<double>(), row[y].get<double>()});
  return points;
}

void save(const BenchRegionsArguments& a, const char* file, Plot plot) {
  if (a.plots.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(a.plots, ignored);
  (void)save_plot(plot, (std::filesystem::path(a.plots) / file).string());
}

/// Fig. 6: sets of 100 people each, one region of 15 m beside a field over the whole scene.
Result<Json> measure_sets(const Bench& bench, Progress& progress) {
  Json still = Json::array(), moving = Json::array(), whole = Json::array();
  for (std::uint32_t flows = 1; flows <= 6; ++flows) {
    progress.step(fmt::format("{} sets", 2 * flows));
    const std::uint32_t people = 200 * flows;
    const auto one = bench.regions(1);
    Result<Json> row = bench.measure(bench.settings(one), flows, people);
    if (!row) return row;
    still.push_back(*row);
    double angle = 0;
    row = bench.measure(bench.settings(one), flows, people, [&](World& world) {
      angle += 0.02;  // 3 m/s on a circle of 15 m
      world.set_region(0, {.centre = bench.town.middle() + 15.0 * Vec2{std::cos(angle), std::sin(angle)}, .radius = kRadius});
    });
    if (!row) return row;
    moving.push_back(*row);
    row = bench.measure(bench.settings({}, 0), flows, people);
    if (!row) return row;
    whole.push_back(*row);
  }
  const auto still_ms = curve(still, "sets", "step_ms"), moving_ms = curve(moving, "sets", "step_ms"),
             whole_ms = curve(whole, "sets", "step_ms");
  save(bench.a, "regions_sets.svg",
       {.title = "A step with 100 people a set",
        .x = {"sets", false, {}, {}},
        .y = {"ms", false, 0, {}},
        .series = {{"field over the whole scene", whole_ms, {}, true, true},
                   {"one region of 15 m", still_ms, {}, true, true},
                   {"the same, moving", moving_ms, {}, true, true}}});
  double still_sum = 0, moving_sum = 0;
  for (const Vec2 p : still_ms) still_sum += p.y;
  for (const Vec2 p : moving_ms) moving_sum += p.y;
  return Json{
      {"region", still},
      {"moving_region", moving},
      {"whole_scene", whole},
      {"ms_per_set", {{"region", slope(still_ms)}, {"moving_region", slope(moving_ms)}, {"whole_scene", slope(whole_ms)}}},
      {"slope_ratio", slope(still_ms) / slope(whole_ms)},
      {"moving_to_still", moving_sum / still_sum}};
}

/// Fig. 8: 24 sets, one to five regions, up to 10,000 people, level 1 elsewhere.
Result<Json> measure_people(const Bench& bench, Progress& progress) {
  Json rows = Json::array();
  Plot plot{.title = "24 sets, regions of 15 m, level 1 elsewhere",
            .x = {"people", false, {}, {}},
            .y = {"ms a step", false, 0, {}},
            .series = {}};
  for (int regions = 1; regions <= 5; ++regions) {
    Json curve_rows = Json::array();
    for (const std::uint32_t people : {2000u, 4000u, 6000u, 8000u, 10000u}) {
      if (regions != 1 && regions != 5 && people != 10000) continue;
      progress.step(fmt::format("{} regions, {} people", regions, people));
      Result<Json> row = bench.measure(bench.settings(bench.regions(regions)), kRegionsFlows, people);
      if (!row) return row;
      (*row)["regions"] = regions;
      curve_rows.push_back(*row);
      rows.push_back(*row);
    }
    if (curve_rows.size() < 2) continue;
    for (const char* phase : {"step_ms", "fields_ms", "move_ms"})
      plot.series.push_back({fmt::format("{} region{}, {}", regions, regions == 1 ? "" : "s",
                                         std::string_view(phase) == "step_ms"     ? "whole step"
                                         : std::string_view(phase) == "fields_ms" ? "fields"
                                                                                  : "avoidance"),
                             curve(curve_rows, "people", phase),
                             {},
                             true,
                             true});
  }
  save(bench.a, "regions_people.svg", plot);
  return rows;
}

/// Regions by a camera, as in front of somebody's eyes.
Result<Json> measure_camera(const Bench& bench, Progress& progress) {
  Json rows = Json::array();
  const Viewpoint camera{.position = bench.town.middle(), .direction = {1, 0.3}, .field_of_view = 1.047, .distance = 80};
  struct Row {
    std::uint32_t people;
    unsigned threads;
  };
  for (const Row& asked : {Row{10000, 1}, Row{bench.a.most, 2}, Row{bench.a.most, 1}}) {
    if (asked.people == 0) continue;
    progress.step(fmt::format("camera, {} people, {} thread{}", asked.people, asked.threads, asked.threads == 1 ? "" : "s"));
    WorldSettings settings = bench.settings({}, 2, asked.threads);
    settings.interest.camera = camera;
    Result<Json> row = bench.measure(settings, kRegionsFlows, asked.people);
    if (!row) return row;
    rows.push_back(*row);
  }
  return rows;
}

/// Cars that drive among 5000 people, each with a region of 15 m round it (the paper's third scenario).
Result<Json> measure_cars(const Bench& bench, Progress& progress) {
  constexpr std::uint32_t kPeople = 5000;
  Json rows = Json::array();
  for (std::uint32_t cars = 1; cars <= 3; ++cars) {
    progress.step(fmt::format("{} cars", cars));
    const Timing timing{.warm_up = kRegionsWarmUp, .steps = bench.a.steps, .repeats = bench.a.repeats, .before_step = {}};
    Result<Json> row = time_steps(timing, [&]() -> Result<World> {
      Result<World> world = fill_town(bench.town, bench.settings({}), kRegionsFlows, kPeople);
      for (std::uint32_t i = 0; world && i < cars; ++i) {
        // From one end of a flow to the other, where people are, along the way that a body as wide as it would take.
        const auto& ends = bench.town.ends[i];
        const Result<Path> way = bench.town.navigation.plan({.from = ends[0], .to = ends[1], .radius = kHalfCar});
        if (!way) return way.problems();
        std::vector<Vec2> line = way->points;
        line.erase(std::unique(line.begin(), line.end(), [](Vec2 a, Vec2 b) { return distance(a, b) < 0.1; }), line.end());
        const Result<std::uint32_t> car = world->add_vehicle({.path = line, .comes_back = true});
        if (!car) return car.problems();
        const auto region = world->add_region({.centre = ends[0], .radius = kRadius});
        if (region) world->follow_vehicle(*region, *car);
      }
      return world;
    });
    if (!row) return row;
    const double ms = 1e3 / (*row)["steps_per_second"].get<double>();
    row->update({{"sets", 2 * kRegionsFlows}, {"people", kPeople}, {"threads", 1}, {"step_ms", ms}, {"cars", cars}});
    for (const char* phase : {"fields", "move"}) (*row)[fmt::format("{}_ms", phase)] = ms * (*row)["phases"].value(phase, 0.0);
    rows.push_back(*row);
  }
  return rows;
}

void print_rows(const char* title, const Json& rows, const char* key) {
  fmt::print("\n{}\n{:>9}{:>7}{:>9}{:>9}{:>10}{:>10}{:>10}{:>9}\n", title, key, "sets", "people", "threads", "steps/s",
             "fields ms", "avoid ms", "speed");
  for (const Json& r : rows)
    fmt::print("{:>9}{:>7}{:>9}{:>9}{:>10.0f}{:>10.2f}{:>10.2f}{:>9.3f}\n", r.contains(key) ? r[key].dump() : "",
               r["sets"].get<int>(), r["people"].get<int>(), r["threads"].get<int>(), r["steps_per_second"].get<double>(),
               r["fields_ms"].get<double>(), r["move_ms"].get<double>(), r["speed_ratio"].get<double>());
}

int run_bench_regions(const BenchRegionsArguments& a) {
  Progress progress("regions", a.quiet);
  progress.step(fmt::format("baking a town of {} buildings", a.buildings));
  const Result<Town> town = make_town({.buildings = a.buildings, .flows = kRegionsFlows});
  if (!town) return report_problems(town.problems(), a.json);
  const Bench bench{a, *town};
  const Result<Json> sets = measure_sets(bench, progress);
  if (!sets) return report_problems(sets.problems(), a.json);
  const Result<Json> people = measure_people(bench, progress);
  if (!people) return report_problems(people.problems(), a.json);
  const Result<Json> camera = measure_camera(bench, progress);
  if (!camera) return report_problems(camera.problems(), a.json);
  const Result<Json> cars = measure_cars(bench, progress);
  if (!cars) return report_problems(cars.problems(), a.json);
  const Vec2 size = town->high - town->low;
  if (a.json) {
    print_json(
        {{"town", {{"buildings", a.buildings}, {"width", size.x}, {"height", size.y}, {"discs", town->graph.report().discs}}},
         {"sets", *sets},
         {"people", *people},
         {"camera", *camera},
         {"cars", *cars}});
    return kSuccess;
  }
  fmt::print("town: {} buildings, {:.0f} x {:.0f} m, {} discs; tiles of 3 m, steps of {} s\n", a.buildings, size.x, size.y,
             town->graph.report().discs, kRegionsDt);
  print_rows("one region of 15 m, level 1 elsewhere", (*sets)["region"], "");
  print_rows("the same, moving", (*sets)["moving_region"], "");
  print_rows("field over the whole scene", (*sets)["whole_scene"], "");
  fmt::print(
      "ms for each further set: {:.3f} region, {:.3f} moving, {:.3f} whole scene: {:.2f} of it (asked: at most 0.33); moving "
      "costs {:.2f} of still\n",
      (*sets)["ms_per_set"]["region"].get<double>(), (*sets)["ms_per_set"]["moving_region"].get<double>(),
      (*sets)["ms_per_set"]["whole_scene"].get<double>(), (*sets)["slope_ratio"].get<double>(),
      (*sets)["moving_to_still"].get<double>());
  print_rows("regions of 15 m, level 1 elsewhere", *people, "regions");
  print_rows("by a camera, level 2 out of view", *camera, "");
  print_rows("cars with a region of 15 m each, level 1 elsewhere", *cars, "cars");
  return kSuccess;
}

}  // namespace

void add_bench_regions(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchRegionsArguments>();
  CLI::App* verb =
      bench.add_subcommand("regions", "regions of interest beside fields over the whole scene; people, cars and cameras");
  verb->add_option("--buildings", a->buildings, "of the town")->capture_default_str()->check(CLI::Range(10, 10000));
  verb->add_option("--steps", a->steps, "that are timed")->capture_default_str()->check(CLI::Range(1, 100000));
  verb->add_option("--repeats", a->repeats, "the best of so many counts")->capture_default_str()->check(CLI::Range(1, 100));
  verb->add_option("--most", a->most, "people of the largest crowd; 0: without it")->capture_default_str();
  verb->add_option("--plots", a->plots, "folder for the figures; empty: none")->capture_default_str();
  verb->add_flag("--json", a->json, "one JSON document");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench regions --most 0");
  verb->callback([a, &outcome] { outcome.status = run_bench_regions(*a); });
}

}  // namespace throng::cli
