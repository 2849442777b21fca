// SPDX-License-Identifier: MIT
// throng bake: navigation data of a scene, with the statistics of each stage.
#include <fmt/format.h>

#include "common.hpp"
#include "graph.hpp"

namespace throng::cli {
namespace {

struct BakeArguments {
  SceneArguments scene;
  std::string output;
  std::string structure = "cells";
  GraphArguments graph;
};

void print_report(const BakeReport& r, const std::vector<BakeStage>& stages) {
  if (r.layers > 1) fmt::print("{} layers, {} joint{}\n", r.layers, r.joints, r.joints == 1 ? "" : "s");
  if (r.links > 0) fmt::print("{} link{}\n", r.links, r.links == 1 ? "" : "s");
  fmt::print("{} cells, {} portals ({} bottlenecks), {} walls, {} holes, {} component{}, {:.1f} m²\n", r.cells, r.portals,
             r.bottlenecks, r.walls, r.holes, r.components, r.components == 1 ? "" : "s", r.area);
  fmt::print("bottleneck rule: {} feet inserted; at rest {} triangles qualify but for a guard, {} without\n", r.feet, r.refused,
             r.unguarded);
  fmt::print("{} zones, depth {}, {} stored paths, {} label entries, {:.1f} MB\n", r.zones, r.depth, r.stored_paths,
             r.label_entries, static_cast<double>(r.bytes) / 1e6);
  double total = 0;
  for (const BakeStage& s : stages) {
    fmt::print("  {:<14} {:8.1f} ms\n", s.name, s.ms);
    total += s.ms;
  }
  if (!stages.empty())
    fmt::print("  {:<14} {:8.1f} ms, peak memory {:.0f} MB\n", "total", total, static_cast<double>(r.peak_bytes) / 1e6);
}

int run_bake(const BakeArguments& arguments) {
  if (arguments.structure == "graph") {
    if (!arguments.output.empty()) {
      return report_usage("throng bake", "-o writes cells, and a graph is baked anew each time",
                          "leave -o or --structure graph out", arguments.scene.json);
    }
    return bake_graph(arguments.scene, arguments.graph);
  }
  std::vector<BakeStage> stages;
  const Result<Navigation> navigation = open_navigation(arguments.scene, &stages);
  if (!navigation) return report_problems(navigation.problems(), arguments.scene.json);
  if (!arguments.output.empty()) {
    if (const auto problem = write_file(arguments.output, navigation->save()))
      return report_problems({&*problem, 1}, arguments.scene.json);
  }
  stages.insert(stages.end(), navigation->report().stages.begin(), navigation->report().stages.end());
  if (arguments.scene.json) {
    nlohmann::json document = to_json(navigation->report());
    document["stages"] = stages_json(stages);
    if (!arguments.output.empty()) document["file"] = arguments.output;
    print_json(document);
  } else {
    print_report(navigation->report(), stages);
    if (!arguments.output.empty()) fmt::print("written to {}: use it wherever a SCENE is asked for\n", arguments.output);
  }
  return kSuccess;
}

}  // namespace

void add_bake(CLI::App& app, Outcome& outcome) {
  auto arguments = std::make_shared<BakeArguments>();
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
      "         throng bake level.obj --structure graph --step-height 0.4\n"
      "         throng bake level.obj --layers --step-height 0.4 -o level.nav");
  verb->callback([arguments, &outcome] { outcome.status = run_bake(*arguments); });
}

}  // namespace throng::cli
