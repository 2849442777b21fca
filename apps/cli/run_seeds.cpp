// SPDX-License-Identifier: MIT
#include "run_seeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <thread>

#include "analysis/statistics.hpp"
#include "base/tasks.hpp"
#include "common.hpp"
#include "run_status.hpp"
#include "run_summary.hpp"
#include "scenario/simulation.hpp"
#include "inputs.hpp"
#include "stop_request.hpp"
#include "trajectory/recording.hpp"

namespace throng::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::uint64_t kMostSeeds = 10000;

/// What a run with one seed came to; null where a signal came first.
struct SeedRun {
  std::uint64_t seed = 0;
  OrderedJson summary;
  std::vector<std::string> failures;
  std::vector<Problem> problems;
};

/// The figures of a summary that are compared between runs, by name.
std::vector<std::pair<std::string, double>> figures_of(const OrderedJson& s) {
  std::vector<std::pair<std::string, double>> figures;
  const auto add = [&](std::string name, const OrderedJson& value) { figures.emplace_back(std::move(name), value.get<double>()); };
  add("people", s["agents"]);
  add("arrived", s["arrived"]);
  add("lost at the end", s["at_end"]["lost"]);
  add("stuck", s["stuck"]);
  if (s["travel_time_s"]["count"] > 0) {
    add("mean travel time, s", s["travel_time_s"]["mean"]);
    add("95 % travel time, s", s["travel_time_s"]["p95"]);
    add("last arrival, s", s["last_arrival_s"]);
  }
  for (const auto& [name, line] : s["lines"].items()) {
    add("line " + name + ", people", OrderedJson(line["to_left"].get<std::uint64_t>() + line["to_right"].get<std::uint64_t>()));
    add("line " + name + ", flow /s", line["flow_per_s"]);
  }
  for (const auto& [name, area] : s["densities"].items()) {
    add("area " + name + ", mean /m²", area["mean"]);
    add("area " + name + ", most /m²", area["most"]);
  }
  add("speed", s["speed_ratio"]);
  add("overlaps per 1000", s["overlaps_per_1000"]);
  return figures;
}

SeedRun run_once(const Scenario& scenario, const Navigation& navigation, const StopRequest& stop) {
  const auto seconds_since = [](Clock::time_point at) { return std::chrono::duration<double>(Clock::now() - at).count(); };
  SeedRun run{.seed = scenario.settings.seed};
  RunTimes times;
  auto began = Clock::now();
  auto simulation = Simulation::create(scenario, navigation, 1);
  if (!simulation) {
    run.problems = simulation.problems();
    return run;
  }
  times.placing = seconds_since(began);
  times.begin(*simulation);
  began = Clock::now();
  while (!simulation->is_done()) {
    // A run that ends early says nothing about the others.
    if (stop.signal() != 0) return run;
    simulation->step();
  }
  times.wall = times.stepping = seconds_since(began);
  run.failures = failures_of(simulation->outcome());
  run.summary = summarise(*simulation, times);
  return run;
}

OrderedJson json_of_figure(const Distribution& d) {
  return {{"runs", d.count}, {"mean", d.mean}, {"deviation", d.deviation}, {"low", d.low}, {"median", d.median},
          {"p95", d.p95},    {"high", d.high}};
}

}  // namespace

int run_seeds(const RunArguments& a) {
  std::vector<std::uint64_t> seeds = a.seeds;
  const auto refuse = [&](const char* what, const char* fix) {
    const Problem problem{"--seeds", what, fix};
    report_problems({&problem, 1}, a.json);
    return kWrongUsage;
  };
  if (seeds.size() == 1) {
    if (seeds[0] == 0 || seeds[0] > kMostSeeds) return refuse("the number of runs is 1 to 10000", "--seeds 20");
    seeds.resize(seeds[0]);
    std::iota(seeds.begin(), seeds.end(), 1);
  }
  if (a.overrides.seed) return refuse("--seed and --seeds exclude each other", "leave one of the two out");
  if (a.from) return refuse("--from goes with a recording, which has its own seed", "name the scenario instead");
  std::sort(seeds.begin(), seeds.end());
  if (std::adjacent_find(seeds.begin(), seeds.end()) != seeds.end()) return refuse("a seed is listed twice", "list it once");

  const auto file = find_scenario(a.scenario);
  if (!file) return report_problems(file.problems(), a.json);
  const auto scenario = load_scenario(*file, a.overrides);
  if (!scenario) return report_problems(scenario.problems(), a.json);
  BakeSettings bake;
  bake.threads = a.threads;
  bake.editable = edits_scene(*scenario);
  const auto navigation = Navigation::bake(scenario->scene, bake);
  if (!navigation) return report_problems(navigation.problems(), a.json);

  std::vector<SeedRun> runs(seeds.size());
  int signal = 0;
  {
    const StopRequest stop;
    Progress progress(fmt::format("{} with {} seeds", scenario->name, seeds.size()), a.quiet);
    std::mutex counting;
    std::size_t done = 0;
    // One thread a run: runs have nothing to do with each other, so this is faster than all threads on each run in turn.
    const auto tasks = make_task_runner(a.threads);
    tasks->parallel_for(seeds.size(), 1, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) {
        Scenario seeded = *scenario;
        seeded.settings.seed = seeds[i];
        runs[i] = run_once(seeded, *navigation, stop);
        const std::scoped_lock lock(counting);
        progress.count(++done, seeds.size());
      }
    });
    signal = stop.signal();
  }
  for (const SeedRun& run : runs)
    if (!run.problems.empty()) return report_problems(run.problems, a.json);

  std::vector<std::pair<std::string, std::vector<double>>> figures;
  OrderedJson each = OrderedJson::array(), failures = OrderedJson::array(), numbers = OrderedJson::array();
  std::vector<std::string> failed;
  for (const SeedRun& run : runs) {
    if (run.summary.is_null()) continue;
    numbers.push_back(run.seed);
    each.push_back({{"seed", run.seed}, {"summary", run.summary}});
    for (const std::string& words : run.failures) {
      failed.push_back(fmt::format("seed {}: {}", run.seed, words));
      failures.push_back(failed.back());
    }
    for (auto& [name, value] : figures_of(run.summary)) {
      auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& figure) { return figure.first == name; });
      if (found == figures.end()) found = figures.insert(figures.end(), {name, {}});
      found->second.push_back(value);
    }
  }
  OrderedJson document = {{"scenario", scenario->name}, {"seeds", numbers},     {"interrupted", signal != 0},
                   {"figures", OrderedJson::object()},  {"failures", failures}, {"runs", each}};
  for (const auto& [name, values] : figures) document["figures"][name] = json_of_figure(distribution_of(values));
  const std::string text = document.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
  if (!a.output.empty()) {
    std::error_code error;
    std::filesystem::create_directories(a.output, error);
    std::optional<Problem> problem;
    if (error) problem = Problem{a.output, "the folder cannot be made: " + error.message(), "name another with -o"};
    if (!problem) problem = write_file((std::filesystem::path(a.output) / "seeds.json").string(), text);
    if (problem) return report_problems({&*problem, 1}, a.json);
  }
  if (a.json) {
    std::fputs(text.c_str(), stdout);
  } else {
    fmt::print("{}: {} runs{}\n", scenario->name, numbers.size(),
               signal != 0 ? fmt::format(" of {}, stopped by signal {}", seeds.size(), signal) : "");
    fmt::print("{:<36} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "", "mean", "deviation", "least", "median", "95 %", "most");
    for (const auto& [name, values] : figures) {
      const Distribution d = distribution_of(values);
      fmt::print("{:<36} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f}{}\n", name, d.mean, d.deviation, d.low,
                 d.median, d.p95, d.high, d.count < numbers.size() ? fmt::format("  in {} runs", d.count) : "");
    }
    if (!a.output.empty()) fmt::print("written to {}\n", (std::filesystem::path(a.output) / "seeds.json").string());
  }
  constexpr std::size_t kMostLines = 5;
  for (std::size_t i = 0; i < std::min(failed.size(), kMostLines); ++i)
    fmt::print(stderr, "throng: {}: {}{}\n", scenario->name, failed[i],
               a.allow_lost ? "" : " (--allow-lost makes this no failure)");
  if (failed.size() > kMostLines) fmt::print(stderr, "throng: … and {} more\n", failed.size() - kMostLines);
  return status_of_run(failed, signal, a.allow_lost);
}

}  // namespace throng::cli
