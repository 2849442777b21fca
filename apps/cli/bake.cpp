// SPDX-License-Identifier: MIT
// throng bake: navigation data of a scene, with the statistics of each stage.
#include <fmt/format.h>

#include "common.hpp"
#include "graph.hpp"

namespace throng::cli {
namespace {

struct Arguments {
  SceneArguments scene;
  std::string output;
  std::string structure = "cells";
  GraphArguments graph;
};

void print_report(const BakeReport& r) {
  fmt::print("{} cells, {} portals ({} bottlenecks), {} walls, {} holes, {} component{}, {:.1f} m²\n", r.cells, r.portals,
             r.bottlenecks, r.walls, r.holes, r.components, r.components == 1 ? "" : "s", r.area);
  fmt::print("bottleneck rule: {} feet inserted; at rest {} triangles qualify but for a guard, {} without\n", r.feet, r.refused,
             r.unguarded);
  fmt::print("{} zones, depth {}, {} stored paths, {} label entries, {:.1f} MB\n", r.zones, r.depth, r.stored_paths,
             r.label_entries, static_cast<double>(r.bytes) / 1e6);
  double total = 0;
  for (const BakeStage& s : r.stages) {
    fmt::print("  {:<14} {:8.1f} ms\n", s.name, s.ms);
    total += s.ms;
  }
  if (!r.stages.empty())
    fmt::print("  {:<14} {:8.1f} ms, peak memory {:.0f} MB\n", "total", total, static_cast<double>(r.peak_bytes) / 1e6);
}

int run(const Arguments& arguments) {
  if (arguments.structure == "graph") {
    if (!arguments.output.empty()) {
      fmt::print(stderr, "throng bake: -o writes cells; a graph is baked anew each time\n");
      return kWrongUsage;
    }
    return bake_graph(arguments.scene, arguments.graph);
  }
  const Result<Navigation> navigation = open_navigation(arguments.scene);
  if (!navigation) return report_problems(navigation.problems(), arguments.scene.json);
  if (!arguments.output.empty()) {
    if (const auto problem = write_file(arguments.output, navigation->save()))
      return report_problems({&*problem, 1}, arguments.scene.json);
  }
  if (arguments.scene.json) {
    nlohmann::json document = to_json(navigation->report());
    if (!arguments.output.empty()) document["file"] = arguments.output;
    print_json(document);
  } else {
    print_report(navigation->report());
    if (!arguments.output.empty()) fmt::print("written to {}: use it wherever a SCENE is asked for\n", arguments.output);
  }
  return kSuccess;
}

}  // namespace

void add_bake(CLI::App& app, Outcome& outcome) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand("bake", "build navigation data; statistics of each stage");
  arguments->scene.add_to(*verb);
  verb->add_option("--structure", arguments->structure, "what to build")
      ->check(CLI::IsMember({"cells", "graph"}))
      ->capture_default_str();
  arguments->graph.add_to(*verb);
  verb->add_option("--radius", arguments->graph.radius, "of the body a graph is for, metres")->capture_default_str();
  verb->add_option("-o,--output", arguments->output, "write the baked scene to FILE.nav");
  verb->footer(
      "Example: throng bake city:2600 -o city.nav\n"
      "         throng bake level.obj --structure graph --step-height 0.4");
  verb->callback([arguments, &outcome] { outcome.status = run(*arguments); });
}

}  // namespace throng::cli
