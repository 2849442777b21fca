// SPDX-License-Identifier: MIT
// throng demo: the built-in city, from geometry to a thousand paths, in pictures.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "common.hpp"
#include "navigation/navigation_data.hpp"
#include "pictures.hpp"

namespace throng::cli {
namespace {

struct Arguments {
  std::string folder = "out/demo";
  bool json = false;
  bool quiet = false;
};

int run(const Arguments& a) {
  using Clock = std::chrono::steady_clock;
  std::error_code error;
  std::filesystem::create_directories(a.folder, error);
  if (error) {
    const Problem problem{a.folder, "the folder cannot be made: " + error.message(), "name another one with -o"};
    return report_problems({&problem, 1}, a.json);
  }
  SceneArguments scene;
  scene.scene = "city:2600";
  scene.quiet = a.quiet;
  const Result<Navigation> navigation = open_navigation(scene);
  if (!navigation) return report_problems(navigation.problems(), a.json);

  constexpr std::size_t kPaths = 1000;
  const std::vector<PathRequest> requests = random_requests(*navigation, kPaths, {});
  PathFinder finder(*navigation);
  Path path;
  double length = 0;
  std::vector<double> times;
  std::vector<std::vector<Vec2>> shown;
  Progress progress("planning", a.quiet);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    finder.find(requests[i], path);  // memory and caches warm up
    const auto began = Clock::now();
    finder.find(requests[i], path);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - began).count());
    length += path.length;
    if (i < 24) shown.push_back(path.points);
    progress.count(i + 1, requests.size());
  }
  const Spread time = spread_of(times);

  struct Picture {
    const char* file;
    const char* title;
    PictureArguments arguments;
    bool paths;
  };
  const auto with = [](auto change) {
    PictureArguments p;
    change(p);
    return p;
  };
  const std::vector<Picture> pictures = {
      {"city.png", "city:2600, paths of 24 people",
       with([](auto& p) { p.fill = "plain", p.portals = false, p.bottlenecks = false; }), true},
      {"cells.png", "convex cells and bottlenecks", with([](auto& p) { p.crop = "560,560,740,740"; }), false},
      {"topology.png", "dead ends, passages, crossroads", with([](auto& p) { p.fill = "topology", p.crop = "560,560,740,740"; }),
       false},
      {"zones.png", "zones of depth 5",
       with([](auto& p) { p.fill = "zones", p.depth = 5, p.portals = false, p.bottlenecks = false; }), false},
  };
  nlohmann::json files = nlohmann::json::array();
  for (const Picture& p : pictures) {
    PictureArguments arguments = p.arguments;
    arguments.title = p.title;
    progress.step(p.file);
    const std::string file = a.folder + "/" + p.file;
    const auto drawn = draw_navigation(
        *navigation, arguments, p.paths ? std::span<const std::vector<Vec2>>(shown) : std::span<const std::vector<Vec2>>(), file);
    if (!drawn) return report_problems(drawn.problems(), a.json);
    files.push_back(file);
  }
  const BakeReport& report = navigation->report();
  double bake_ms = 0;
  for (const BakeStage& s : report.stages) bake_ms += s.ms;
  nlohmann::json summary = {{"bake", to_json(report)},
                            {"paths", requests.size()},
                            {"mean_length", length / static_cast<double>(std::max<std::size_t>(1, requests.size()))},
                            {"time_us", {{"mean", time.mean}, {"median", time.median}, {"p99", time.p99}, {"worst", time.worst}}},
                            {"pictures", files}};
  const std::string summary_file = a.folder + "/summary.json";
  if (const auto problem = write_file(summary_file, summary.dump(2) + "\n")) return report_problems({&*problem, 1}, a.json);
  if (a.json) {
    print_json(summary);
    return kSuccess;
  }
  fmt::print("A city of 2600 buildings became {} cells and {} zones in {:.0f} ms.\n", report.cells, report.zones, bake_ms);
  fmt::print("{} paths of {:.0f} m on average: {:.1f} µs each, the slowest {:.1f} µs.\n", requests.size(),
             summary["mean_length"].get<double>(), time.mean, time.worst);
  fmt::print("Pictures:\n");
  for (const auto& file : files) fmt::print("  {}\n", file.get<std::string>());
  fmt::print("Figures: {}\nNext: ./throng path city:2600 --from 650,650 --to 1200,100, or ./throng --help\n", summary_file);
  return kSuccess;
}

}  // namespace

void add_demo(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand("demo", "bake the built-in city, plan 1000 paths, write pictures");
  verb->add_option("-o,--output", a->folder, "folder for what it writes")->capture_default_str();
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng demo -o out/demo");
  verb->callback([a, &outcome] { outcome.status = run(*a); });
}

}  // namespace throng::cli
