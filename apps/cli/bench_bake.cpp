// SPDX-License-Identifier: MIT
// throng bench bake: our bake of a city beside Recast's navigation mesh of the same city, stage by stage.
#include <fmt/format.h>

#include "base/profile.hpp"
#include "bench.hpp"
#include "scene/city.hpp"
#ifdef THRONG_HAVE_PEERS
#include "peers/recast_peer.hpp"
#endif

namespace throng::cli {
namespace {

struct BenchBakeArguments {
  std::vector<std::uint32_t> sizes{2600};
  double cell_size = 0.25;
  bool json = false;
  bool quiet = false;
};

int run_bench_bake(const BenchBakeArguments& a) {
  nlohmann::json rows = nlohmann::json::array();
  for (std::uint32_t buildings : a.sizes) {
    const Scene scene = make_city(buildings);
    Progress progress(fmt::format("{} buildings", buildings), a.quiet);
    nlohmann::json row = {{"buildings", buildings}};
    for (unsigned threads : {1u, 2u}) {
      progress.step(fmt::format("throng, {} threads", threads));
      const std::uint64_t before = reset_peak_memory() ? resident_memory_bytes() : 0;
      BakeSettings settings;
      settings.threads = threads;
      const Result<Navigation> navigation = Navigation::bake(scene, settings);
      if (!navigation) return report_problems(navigation.problems(), a.json);
      const std::uint64_t peak = peak_memory_bytes() - before;
      double total = 0;
      for (const BakeStage& s : navigation->report().stages) total += s.ms;
      nlohmann::json ours = to_json(navigation->report());
      ours["total_ms"] = total;
      ours["peak_bytes"] = peak;
      row[threads == 1 ? "throng" : "throng_2_threads"] = ours;
    }
#ifdef THRONG_HAVE_PEERS
    progress.step("Recast");
    const Result<DetourPeer> peer = DetourPeer::build(scene, a.cell_size, 0.2);
    if (!peer) return report_problems(peer.problems(), a.json);
    nlohmann::json stages = nlohmann::json::array();
    for (const StageTime& s : peer->statistics().stages) stages.push_back({{"name", s.name}, {"ms", s.ms}});
    row["recast"] = {{"cell_size", a.cell_size},
                     {"total_ms", peer->statistics().build_ms},
                     {"polygons", peer->statistics().polygon_count},
                     {"bytes", peer->statistics().bytes},
                     {"peak_bytes", peer->statistics().peak_bytes},
                     {"stages", stages}};
#endif
    rows.push_back(row);
  }
  if (a.json) {
    print_json({{"rows", rows}});
    return kSuccess;
  }
  for (const auto& row : rows) {
    fmt::print("{} buildings\n", row["buildings"].get<std::uint32_t>());
    for (const char* engine : {"throng", "throng_2_threads", "recast"}) {
      if (!row.contains(engine)) continue;
      const auto& r = row[engine];
      fmt::print("  {:<18}{:>10.0f} ms, {:.1f} MB kept, {:.0f} MB at the peak\n", engine, r["total_ms"].get<double>(),
                 r["bytes"].get<double>() / 1e6, r["peak_bytes"].get<double>() / 1e6);
      for (const auto& s : r["stages"])
        fmt::print("    {:<20}{:>10.1f} ms\n", s["name"].get<std::string>(), s["ms"].get<double>());
    }
    if (row.contains("recast"))
      fmt::print("  one thread each: Recast at {} m cells / Throng = {:.1f}\n", a.cell_size,
                 row["recast"]["total_ms"].get<double>() / row["throng"]["total_ms"].get<double>());
  }
  return kSuccess;
}

}  // namespace

void add_bench_bake(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchBakeArguments>();
  CLI::App* verb = bench.add_subcommand("bake", "our bake beside Recast's mesh of the same city");
  verb->add_option("--sizes", a->sizes, "numbers of buildings")->delimiter(',')->check(CLI::Range(1, 100000));
  verb->add_option("--cell-size", a->cell_size, "Recast's, metres")->capture_default_str()->check(CLI::Range(0.05, 2.0));
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench bake --sizes 2600");
  verb->callback([a, &outcome] { outcome.status = run_bench_bake(*a); });
}

}  // namespace throng::cli
