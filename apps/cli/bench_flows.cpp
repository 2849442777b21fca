// SPDX-License-Identifier: MIT
// throng bench flows: a town full of people on seven flows (Pettré, Grillon & Thalmann 2007, section 7), and what flows are for:
// how people spread in a ring of stones.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench.hpp"
#include "bench_town.hpp"
#include "navgraph/nav_graph.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

struct BenchFlowsArguments {
  std::uint32_t buildings = 105;
  std::uint32_t people = 5000;  // a flow
  std::uint32_t steps = 250;
  std::uint32_t repeats = 3;
  double distance = 140;
  std::string ring = "scenes/ring_of_stones.json";
  bool json = false;
  bool quiet = false;
};

constexpr double kFlowsDt = 0.04;
constexpr std::uint32_t kFlowsWarmUp = 250, kFlowsFlows = 7;
constexpr double kGridStep = 0.25, kMinRadius = 0.75;
constexpr std::size_t kTriangles = 100'000;

/// The discs that lie on some path without repetition between two others: those of the biconnected block that an edge between the
/// two would belong to (Hopcroft & Tarjan 1973).
std::vector<bool> between(const NavGraph& graph, DiscIndex from, DiscIndex to) {
  const std::uint32_t count = graph.disc_count();
  std::vector<std::uint32_t> number(count, 0), low(count, 0), next(count, 0), stack;
  std::vector<DiscIndex> way{from}, parent(count, kNoDisc);
  const auto neighbours = [&](DiscIndex d) {
    std::vector<DiscIndex> all;
    for (const GateIndex gate : graph.gates_of(d)) all.push_back(graph.gates[gate].other(d));
    if (d == from) all.insert(all.begin(), to);
    if (d == to) all.insert(all.begin(), from);
    return all;
  };
  std::vector<bool> in_block(count, false);
  std::uint32_t time = 0;
  number[from] = low[from] = ++time;
  stack.push_back(from);
  while (!way.empty()) {
    const DiscIndex d = way.back();
    const auto all = neighbours(d);
    if (next[d] < all.size()) {
      const DiscIndex e = all[next[d]++];
      if (number[e] == 0) {
        parent[e] = d;
        number[e] = low[e] = ++time;
        stack.push_back(e);
        way.push_back(e);
      } else if (e != parent[d]) {
        low[d] = std::min(low[d], number[e]);
      }
      continue;
    }
    way.pop_back();
    if (parent[d] == kNoDisc) continue;
    low[parent[d]] = std::min(low[parent[d]], low[d]);
    if (low[d] < number[parent[d]]) continue;
    std::vector<DiscIndex> block{parent[d]};
    while (stack.back() != d) block.push_back(stack.back()), stack.pop_back();
    block.push_back(d), stack.pop_back();
    const auto holds = [&](DiscIndex x) { return std::find(block.begin(), block.end(), x) != block.end(); };
    if (holds(from) && holds(to))
      for (const DiscIndex x : block) in_block[x] = true;
  }
  return in_block;
}

nlohmann::json measure_queries(const Town& town) {
  double eight = 0, eight_worst = 0, all = 0, all_worst = 0, covered = 1;
  std::size_t paths = 0;
  for (const auto& [from, to] : town.ends) {
    const Vec3 start{from.x, from.y, 0}, goal{to.x, to.y, 0};
    double best = 1e9;
    for (int repeat = 0; repeat < 5; ++repeat) {
      const auto began = std::chrono::steady_clock::now();
      (void)town.graph.flow(start, goal);
      best = std::min(best, seconds_since(began));
    }
    eight += best, eight_worst = std::max(eight_worst, best);
    const auto began = std::chrono::steady_clock::now();
    const Result<Flow> flow = town.graph.flow(start, goal, {.max_paths = 0, .max_ratio = 1e9});
    const double taken = seconds_since(began);
    all += taken, all_worst = std::max(all_worst, taken);
    paths += flow->paths.size();
    const std::vector<bool> possible = between(town.graph.data(), *town.graph.disc_at(start), *town.graph.disc_at(goal));
    std::vector<bool> used(possible.size(), false);
    for (const FlowPath& path : flow->paths)
      for (const std::uint32_t disc : path.discs) used[disc] = true;
    double reached = 0, of = 0;
    for (std::size_t d = 0; d < possible.size(); ++d) of += possible[d], reached += possible[d] && used[d];
    covered = std::min(covered, reached / of);
  }
  return {{"eight_paths_ms", {{"mean", 1e3 * eight / kFlowsFlows}, {"worst", 1e3 * eight_worst}}},
          {"unlimited_ms", {{"mean", 1e3 * all / kFlowsFlows}, {"worst", 1e3 * all_worst}}},
          {"unlimited_paths", paths / kFlowsFlows},
          {"covered_of_biconnected_part", covered}};
}

struct BenchFlowsRow {
  const char* name;
  MotionModel model;
  bool has_levels;
  Patch patch;
};

Result<World> fill(const Town& town, const BenchFlowsArguments& a, const BenchFlowsRow& row) {
  WorldSettings settings;
  settings.dt = kFlowsDt;
  settings.models = {row.model};
  settings.detail.enabled = row.has_levels;
  settings.detail.patch = row.patch;
  settings.detail.viewpoint = Viewpoint{.position = town.middle(), .distance = a.distance};
  return fill_town(town, settings, kFlowsFlows, kFlowsFlows * a.people);
}

Result<nlohmann::json> measure_crowd(const Town& town, const BenchFlowsArguments& a, const BenchFlowsRow& row) {
  const Timing timing{.warm_up = kFlowsWarmUp, .steps = a.steps, .repeats = row.has_levels ? a.repeats : 1};
  Result<nlohmann::json> best = time_steps(timing, [&] { return fill(town, a, row); });
  if (best)
    best->update({{"engine", row.name},
                  {"levels", row.has_levels ? (row.patch == Patch::kDisc ? "discs" : "cells") : "off"},
                  {"people", kFlowsFlows * a.people},
                  {"dt", kFlowsDt},
                  {"threads", 1}});
  return best;
}

/// The ring of stones with other values of a flow, or without one.
Result<nlohmann::json> measure_ring(const BenchFlowsArguments& a, const char* choice, double ratio) {
  Result<Scenario> scenario = load_scenario(a.ring);
  if (!scenario) return scenario.problems();
  const bool has_flow = choice[0] != '\0';
  for (ScenarioFlow& flow : scenario->flows) {
    flow.paths.max_ratio = std::max(1.0, ratio);
    flow.choice = std::string_view(choice) == "length" ? PathCriterion::kLength : PathCriterion::kTravelTime;
  }
  if (!has_flow)
    for (ScenarioPlan& plan : scenario->plans)
      for (ScenarioGoal& goal : plan.goals) goal.flow.reset();
  const Result<Navigation> navigation = Navigation::bake(scenario->scene);
  if (!navigation) return navigation.problems();
  Result<Simulation> simulation = Simulation::create(*scenario, *navigation, 1);
  if (!simulation) return simulation.problems();
  while (!simulation->is_done()) simulation->step();
  const Tally& tally = simulation->tally();
  nlohmann::json row = {{"choice", has_flow ? choice : "no flow"},
                        {"max_ratio", ratio},
                        {"people", tally.people},
                        {"goals_reached", tally.goals_reached},
                        {"stuck", tally.stuck},
                        {"speed_ratio", tally.speed_ratio / static_cast<double>(std::max<std::uint64_t>(1, tally.walker_steps))}};
  if (has_flow) {
    const FlowLoad load = simulation->world().load(0);
    const double trips = std::accumulate(load.trips.begin(), load.trips.end(), 0.0);
    const auto gates = simulation->world().gate_trips();
    const double most = *std::max_element(gates.begin(), gates.end());
    row.update({{"paths", load.trips.size()},
                {"trips", trips},
                {"effective_paths", load.effective_paths()},
                {"busiest_gate", most / trips}});
  }
  return row;
}

int run_bench_flows(const BenchFlowsArguments& a) {
  Progress progress("flows", a.quiet);
  progress.step(fmt::format("baking a town of {} buildings", a.buildings));
  const Result<Town> town = make_town(
      {.buildings = a.buildings, .flows = kFlowsFlows, .grid_step = kGridStep, .min_radius = kMinRadius, .triangles = kTriangles});
  if (!town) return report_problems(town.problems(), a.json);
  const GraphReport& report = town->graph.report();
  double bake = 0;
  for (const BakeStage& stage : report.stages) bake += stage.ms;
  progress.step("flow queries");
  const nlohmann::json queries = measure_queries(*town);
  nlohmann::json rows = nlohmann::json::array(), rings = nlohmann::json::array();
  for (const BenchFlowsRow& row :
       {BenchFlowsRow{"reactive", reactive(), true, Patch::kDisc}, BenchFlowsRow{"reactive", reactive(), true, Patch::kCell},
        BenchFlowsRow{"reynolds", ReynoldsSettings{}, true, Patch::kDisc}, BenchFlowsRow{"reactive", reactive(), false, Patch::kCell}}) {
    progress.step(fmt::format("{} people, {}, levels {}", kFlowsFlows * a.people, row.name, row.has_levels ? "on" : "off"));
    const Result<nlohmann::json> measured = measure_crowd(*town, a, row);
    if (!measured) return report_problems(measured.problems(), a.json);
    rows.push_back(*measured);
  }
  struct Ring {
    const char* choice;
    double ratio;
  };
  for (const Ring& ring : {Ring{"time", 1.05}, {"time", 1.15}, {"time", 1.3}, {"length", 1.3}, {"", 0}}) {
    progress.step(fmt::format("ring of stones, {} {}", ring.choice, ring.ratio));
    const Result<nlohmann::json> measured = measure_ring(a, ring.choice, ring.ratio);
    if (!measured) return report_problems(measured.problems(), a.json);
    rings.push_back(*measured);
  }
  if (a.json) {
    print_json({{"town",
                 {{"buildings", a.buildings},
                  {"grid_step", kGridStep},
                  {"min_radius", kMinRadius},
                  {"triangles", town->triangles},
                  {"discs", report.discs},
                  {"gates", report.gates},
                  {"covered", report.covered},
                  {"bake_ms", bake}}},
                {"queries", queries},
                {"rows", rows},
                {"ring", rings}});
    return kSuccess;
  }
  fmt::print(
      "town: {} buildings, {} triangles, grid step {} m, least disc {} m: {} discs, {} gates, {:.1f} % covered, {:.0f} ms\n",
      a.buildings, town->triangles, kGridStep, kMinRadius, report.discs, report.gates, 100 * report.covered, bake);
  fmt::print(
      "flow query: 8 paths {:.2f} ms (worst {:.2f}); without limits {:.0f} ms (worst {:.0f}), {} paths, {:.1f} % of the "
      "biconnected part\n",
      queries["eight_paths_ms"]["mean"].get<double>(), queries["eight_paths_ms"]["worst"].get<double>(),
      queries["unlimited_ms"]["mean"].get<double>(), queries["unlimited_ms"]["worst"].get<double>(),
      queries["unlimited_paths"].get<std::size_t>(), 100 * queries["covered_of_biconnected_part"].get<double>());
  fmt::print("\n{} flows of {} people, steps of {} s, one thread\n{:<12}{:<8}{:>9}{:>12}{:>12}{:>8}\n", kFlowsFlows, a.people, kFlowsDt,
             "model", "levels", "steps/s", "high level", "looked at", "speed");
  for (const auto& r : rows)
    fmt::print("{:<12}{:<8}{:>9.0f}{:>12.0f}{:>12.0f}{:>8.3f}\n", r["engine"].get<std::string>(), r["levels"].get<std::string>(),
               r["steps_per_second"].get<double>(), r["high_level"].get<double>(), r["updated"].get<double>(),
               r["speed_ratio"].get<double>());
  fmt::print("the paper (2007): 35,000 people at 10 to 20 steps per second, with pictures\n");
  fmt::print("\nring of stones\n{:<10}{:>7}{:>7}{:>8}{:>11}{:>14}{:>7}{:>8}{:>7}\n", "choice", "ratio", "paths", "trips",
             "effective", "busiest gate", "goals", "stuck", "speed");
  for (const auto& r : rings) {
    fmt::print("{:<10}{:>7.2f}", r["choice"].get<std::string>(), r["max_ratio"].get<double>());
    if (r.contains("paths"))
      fmt::print("{:>7}{:>8.0f}{:>11.1f}{:>12.0f} %", r["paths"].get<std::size_t>(), r["trips"].get<double>(),
                 r["effective_paths"].get<double>(), 100 * r["busiest_gate"].get<double>());
    else
      fmt::print("{:>40}", "");
    fmt::print("{:>7}{:>8}{:>7.3f}\n", r["goals_reached"].get<std::uint64_t>(), r["stuck"].get<std::uint64_t>(),
               r["speed_ratio"].get<double>());
  }
  return kSuccess;
}

}  // namespace

void add_bench_flows(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchFlowsArguments>();
  CLI::App* verb =
      bench.add_subcommand("flows", "a town full of people on seven flows, and how people spread in a ring of stones");
  verb->add_option("--buildings", a->buildings, "of the town")->capture_default_str()->check(CLI::Range(10, 10000));
  verb->add_option("--people", a->people, "on each of seven flows")->capture_default_str()->check(CLI::Range(1, 100000));
  verb->add_option("--distance", a->distance, "of the viewpoint in the middle, m")->capture_default_str();
  verb->add_option("--steps", a->steps, "measured steps")->capture_default_str()->check(CLI::Range(1, 100000));
  verb->add_option("--repeats", a->repeats, "runs, of which the fastest counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  verb->add_option("--ring", a->ring, "the scenario of the ring of stones")->capture_default_str();
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench flows --people 5000");
  verb->callback([a, &outcome] { outcome.status = run_bench_flows(*a); });
}

}  // namespace throng::cli
