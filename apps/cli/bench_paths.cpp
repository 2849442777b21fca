// SPDX-License-Identifier: MIT
// throng bench paths: every planner and Detour on the same queries in cities of growing size, from two points to the pulled path
// (Lamarche & Donikian 2004, Fig. 12).
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <limits>

#include "bench.hpp"
#include "draw/plot.hpp"
#include "navigation/navigation_data.hpp"
#include "pictures.hpp"
#include "scene/city.hpp"
#ifdef THRONG_HAVE_PEERS
#include "peers/recast_peer.hpp"
#endif

namespace throng::cli {
namespace {

struct BenchPathsArguments {
  std::vector<std::uint32_t> sizes{250, 1000, 2600, 10000};
  std::uint32_t queries = 10000;
  std::uint32_t repeats = 5;
  double radius = 0.20;
  std::string folder = "out/bench";
  bool json = false;
  bool quiet = false;
};

/// Best of `repeats`, for each query.
struct PathTimes {
  std::vector<double> us;
  Spread spread() const { return spread_of(us); }
};

template <class F>
double best_of(std::uint32_t repeats, F&& run) {
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < repeats; ++i) {
    const auto began = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count());
  }
  return best;
}

nlohmann::json json_of(const Spread& s) {
  return {{"mean_us", s.mean}, {"median_us", s.median}, {"p99_us", s.p99}, {"worst_us", s.worst}};
}
nlohmann::json excess_json(const Spread& s) { return {{"mean", s.mean}, {"p95", s.p95}, {"worst", s.worst}}; }

struct BenchPathsRow {
  std::uint32_t buildings = 0, cells = 0;
  Spread hierarchy, zones, roadmap, shortest, detour, hierarchy_k3;
  std::size_t detour_queries = 0;
  Spread hierarchy_on_detour;  ///< the same queries that Detour solved
  std::size_t cost_mismatches = 0;
  Spread excess, excess_k3, detour_excess;
  double factor() const { return roadmap.worst / hierarchy.worst; }
};

Result<BenchPathsRow> measure(const BenchPathsArguments& a, std::uint32_t buildings) {
  BenchPathsRow row;
  row.buildings = buildings;
  const Scene scene = make_city(buildings);
  Progress progress(fmt::format("{} buildings", buildings), a.quiet);
  progress.step("baking");
  const Result<Navigation> navigation = Navigation::bake(scene);
  if (!navigation) return navigation.problems();
  row.cells = navigation->report().cells;
  PathRequest request;
  request.radius = a.radius;
  std::vector<PathRequest> requests = random_requests(*navigation, a.queries, request, 7);

  PathFinder finder(*navigation);
  Path path;
  const auto run = [&](Planner planner, std::uint32_t repeats, PathTimes& timing, std::vector<double>& lengths,
                       std::vector<double>& costs) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      requests[i].planner = planner;
      timing.us.push_back(best_of(repeats, [&] { finder.find_pulled(requests[i], path); }));
      lengths.push_back(path.length);
      costs.push_back(path.found ? path.cost : -1);
      progress.count(i + 1, requests.size());
    }
  };
  PathTimes hierarchy, zones, roadmap, shortest;
  std::vector<double> length, optimum, unused, cost, cost_zones, cost_roadmap;
  run(Planner::kHierarchy, a.repeats, hierarchy, length, cost);
  run(Planner::kZones, a.repeats, zones, unused, cost_zones);
  run(Planner::kRoadmap, a.repeats, roadmap, unused, cost_roadmap);
  run(Planner::kShortest, 1, shortest, optimum, unused);  // the yardstick of lengths; its time is for information
  for (std::size_t i = 0; i < cost.size(); ++i) row.cost_mismatches += cost[i] != cost_zones[i] || cost[i] != cost_roadmap[i];
  row.hierarchy = hierarchy.spread();
  row.zones = zones.spread();
  row.roadmap = roadmap.spread();
  row.shortest = shortest.spread();
  const auto excess_of = [&](const std::vector<double>& lengths) {
    std::vector<double> excess;
    for (std::size_t i = 0; i < lengths.size(); ++i)
      if (optimum[i] > 0) excess.push_back(lengths[i] / optimum[i]);
    return spread_of(excess);
  };
  row.excess = excess_of(length);

  progress.step("three key points");
  BakeSettings three;
  three.key_points = 3;
  const Result<Navigation> fine = Navigation::bake(scene, three);
  if (!fine) return fine.problems();
  PathFinder fine_finder(*fine);
  PathTimes fine_timing;
  std::vector<double> fine_length;
  for (PathRequest& r : requests) {
    r.planner = Planner::kHierarchy;
    fine_timing.us.push_back(best_of(a.repeats, [&] { fine_finder.find_pulled(r, path); }));
    fine_length.push_back(path.length);
  }
  row.hierarchy_k3 = fine_timing.spread();
  row.excess_k3 = excess_of(fine_length);

#ifdef THRONG_HAVE_PEERS
  progress.step("Detour's mesh");
  Result<DetourPeer> detour = DetourPeer::build(scene, 0.5, a.radius);
  if (!detour) return detour.problems();
  PathTimes detour_timing, ours;
  std::vector<double> detour_excess;
  DetourPeer::Path peer_path;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const double us = best_of(a.repeats, [&] { detour->find(requests[i].from, requests[i].to, peer_path); });
    progress.count(i + 1, requests.size());
    if (!peer_path.found) continue;
    detour_timing.us.push_back(us);
    ours.us.push_back(hierarchy.us[i]);
    if (optimum[i] > 0) detour_excess.push_back(peer_path.length / optimum[i]);
  }
  row.detour = detour_timing.spread();
  row.detour_queries = detour_timing.us.size();
  row.hierarchy_on_detour = ours.spread();
  row.detour_excess = spread_of(detour_excess);
#endif
  return row;
}

std::optional<std::vector<Problem>> draw(const BenchPathsArguments& a, const std::vector<BenchPathsRow>& rows, std::string& file) {
  std::error_code error;
  std::filesystem::create_directories(a.folder, error);
  Plot plot;
  plot.title = "Worst path query against the number of cells (Lamarche & Donikian 2004, Fig. 12)";
  plot.x = {"cells", true, {}, {}};
  plot.y = {"microseconds", true, {}, {}};
  const auto add = [&](const char* name, auto value) {
    PlotSeries series;
    series.name = name;
    for (const BenchPathsRow& r : rows) series.points.push_back({static_cast<double>(r.cells), value(r)});
    plot.series.push_back(series);
  };
  add("roadmap A*, worst", [](const BenchPathsRow& r) { return r.roadmap.worst; });
  add("zones (the paper's query), worst", [](const BenchPathsRow& r) { return r.zones.worst; });
  add("hierarchy (labels), worst", [](const BenchPathsRow& r) { return r.hierarchy.worst; });
  add("hierarchy (labels), mean", [](const BenchPathsRow& r) { return r.hierarchy.mean; });
#ifdef THRONG_HAVE_PEERS
  add("Detour, mean", [](const BenchPathsRow& r) { return r.detour.mean; });
#endif
  file = a.folder + "/paths.svg";
  for (const char* name : {"/paths.svg", "/paths.png"})
    if (const auto saved = save_plot(plot, a.folder + name); !saved) return saved.problems();
  return std::nullopt;
}

int run_bench_paths(const BenchPathsArguments& a) {
  std::vector<BenchPathsRow> rows;
  for (std::uint32_t size : a.sizes) {
    Result<BenchPathsRow> row = measure(a, size);
    if (!row) return report_problems(row.problems(), a.json);
    rows.push_back(std::move(*row));
  }
  std::string picture;
  if (const auto problems = draw(a, rows, picture)) return report_problems(*problems, a.json);
  nlohmann::json sizes = nlohmann::json::array();
  std::size_t mismatches = 0;
  for (const BenchPathsRow& r : rows) {
    mismatches += r.cost_mismatches;
    sizes.push_back({{"buildings", r.buildings},
                     {"cells", r.cells},
                     {"hierarchy", json_of(r.hierarchy)},
                     {"zones", json_of(r.zones)},
                     {"roadmap", json_of(r.roadmap)},
                     {"shortest", json_of(r.shortest)},
                     {"detour", json_of(r.detour)},
                     {"hierarchy_k3", json_of(r.hierarchy_k3)},
                     {"detour_queries", r.detour_queries},
                     {"hierarchy_on_detour_queries", json_of(r.hierarchy_on_detour)},
                     {"cost_mismatches", r.cost_mismatches},
                     {"factor_worst", r.factor()},
                     {"factor_detour_mean", r.hierarchy_on_detour.mean > 0 ? r.detour.mean / r.hierarchy_on_detour.mean : 0},
                     {"excess", excess_json(r.excess)},
                     {"excess_k3", excess_json(r.excess_k3)},
                     {"excess_detour", excess_json(r.detour_excess)}});
  }
  if (a.json) {
    print_json({{"queries", a.queries}, {"repeats", a.repeats}, {"sizes", sizes}, {"plot", picture}});
  } else {
    fmt::print("{} random queries each, best of {}; two points to pulled path, µs\n", a.queries, a.repeats);
    for (const BenchPathsRow& r : rows) {
      fmt::print("\n{} buildings, {} cells\n  {:<22}{:>10}{:>10}{:>10}{:>10}\n", r.buildings, r.cells, "", "mean", "median",
                 "p99", "worst");
      const auto line = [](const char* name, const Spread& s) {
        fmt::print("  {:<22}{:>10.2f}{:>10.2f}{:>10.2f}{:>10.2f}\n", name, s.mean, s.median, s.p99, s.worst);
      };
      line("hierarchy", r.hierarchy);
      line("hierarchy, k = 3", r.hierarchy_k3);
      line("zones (the paper's)", r.zones);
      line("roadmap A*", r.roadmap);
      line("shortest", r.shortest);
      line("Detour", r.detour);
      fmt::print(
          "  costs differ on {} queries; worst roadmap / worst hierarchy = {:.1f}; mean Detour / mean hierarchy = {:.1f} ({} "
          "queries)\n",
          r.cost_mismatches, r.factor(), r.hierarchy_on_detour.mean > 0 ? r.detour.mean / r.hierarchy_on_detour.mean : 0,
          r.detour_queries);
      fmt::print("  length / shortest: mean {:.5f}, p95 {:.5f}, worst {:.4f}; k = 3: {:.5f}, {:.5f}, {:.4f}; Detour {:.5f}\n",
                 r.excess.mean, r.excess.p95, r.excess.worst, r.excess_k3.mean, r.excess_k3.p95, r.excess_k3.worst,
                 r.detour_excess.mean);
    }
    fmt::print("\nplot: {}\n", picture);
  }
  return mismatches == 0 ? kSuccess : kBadInput;
}

}  // namespace

void add_bench_paths(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchPathsArguments>();
  CLI::App* verb = bench.add_subcommand("paths", "all planners and Detour on random queries in cities");
  verb->add_option("--sizes", a->sizes, "numbers of buildings")->delimiter(',')->check(CLI::Range(1, 100000));
  verb->add_option("--queries", a->queries, "per city")->capture_default_str()->check(CLI::Range(1, 1000000));
  verb->add_option("--repeats", a->repeats, "the best of so many counts")->capture_default_str()->check(CLI::Range(1, 100));
  verb->add_option("--radius", a->radius, "of the body")->capture_default_str()->check(CLI::Range(0.0, 10.0));
  verb->add_option("-o,--output", a->folder, "folder for the plot")->capture_default_str();
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench paths --sizes 250,2600 --queries 2000");
  verb->callback([a, &outcome] { outcome.status = run_bench_paths(*a); });
}

}  // namespace throng::cli
