// SPDX-License-Identifier: MIT
#include "graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "draw/graph_picture.hpp"
#include "draw/open_canvas.hpp"
#include "draw/palette.hpp"
#include "navgraph/graph_path.hpp"

namespace throng::cli {
namespace {

nlohmann::json json_of(Vec3 p, Vec2 origin) { return {p.x + origin.x, p.y + origin.y, p.z}; }

/// A place of the command line in the scene's coordinates; without a height the ground nearest to 0.
Result<Vec3> place_in(const NavigationGraph& graph, const std::string& text, const char* option) {
  const Result<Place> place = parse_place(text, option);
  if (!place) return place.problems();
  return Vec3{place->point.x - graph.origin().x, place->point.y - graph.origin().y, place->z.value_or(0)};
}

struct Ends {
  Vec3 from, to;
};
Result<Ends> ends_in(const NavigationGraph& graph, const std::string& from, const std::string& to) {
  const Result<Vec3> a = place_in(graph, from, "--from"), b = place_in(graph, to, "--to");
  if (!a) return a.problems();
  if (!b) return b.problems();
  return Ends{*a, *b};
}

int print_flow(const NavigationGraph& graph, const Ends& ends, const GraphQuestion& question, bool json) {
  const auto began = std::chrono::steady_clock::now();
  const Result<Flow> flow = graph.flow(ends.from, ends.to, question.settings);
  const double time = milliseconds_since(began);
  if (!flow) return report_problems(flow.problems(), json);
  std::optional<std::uint32_t> chosen;
  if (!question.choice.empty() && !flow->paths.empty())
    chosen = PeopleOnGraph(graph, {}).choose(*flow, *criterion_of(question.choice));
  if (json) {
    nlohmann::json paths = nlohmann::json::array();
    for (const FlowPath& p : flow->paths)
      paths.push_back({{"length", p.length},
                       {"narrowest", p.gates.empty() ? nlohmann::json(nullptr) : nlohmann::json(p.narrowest)},
                       {"gates", p.gates}});
    nlohmann::json answer = {{"paths", paths}, {"searches", flow->searches}, {"time_ms", time}};
    if (chosen) answer["chosen"] = *chosen;
    print_json(answer);
    return kSuccess;
  }
  fmt::print("{} path{}, {} searches, {:.2f} ms\n", flow->paths.size(), flow->paths.size() == 1 ? "" : "s", flow->searches, time);
  for (std::uint32_t i = 0; i < flow->paths.size(); ++i) {
    const FlowPath& p = flow->paths[i];
    fmt::print("  {:8.2f} m through {} gates, the narrowest {:.2f} m{}\n", p.length, p.gates.size(),
               p.gates.empty() ? 0 : p.narrowest, chosen == i ? "  <- chosen by " + question.choice : "");
  }
  return kSuccess;
}

int print_path(const NavigationGraph& graph, const Ends& ends, bool json) {
  GraphSearch search(graph.data());
  GraphPath path;
  search.find(ends.from, ends.to, path);  // memory warms up
  const auto began = std::chrono::steady_clock::now();
  const GraphPathStatus status = search.find(ends.from, ends.to, path);
  const double time = 1000 * milliseconds_since(began);
  if (status == GraphPathStatus::kStartBlocked || status == GraphPathStatus::kGoalBlocked)
    return report_problems(graph.path(ends.from, ends.to).problems(), json);
  if (json) {
    nlohmann::json points = nlohmann::json::array();
    for (const Vec3& p : path.points) points.push_back(json_of(p, graph.origin()));
    print_json({{"found", path.found},
                {"length", path.length},
                {"cost", path.cost},
                {"narrowest", path.narrowest},
                {"gates", path.gates},
                {"points", points},
                {"time_us", time}});
  } else if (path.found) {
    fmt::print("{:.3f} m through {} gates, the narrowest {:.2f} m, {:.1f} µs (graph)\n", path.length, path.gates.size(),
               path.narrowest, time);
    for (const Vec3& p : path.points)
      fmt::print("  {:.3f}, {:.3f}, {:.3f}\n", p.x + graph.origin().x, p.y + graph.origin().y, p.z);
  } else {
    fmt::print("there is no way: start and goal are on different ground\n");
  }
  return kSuccess;
}

}  // namespace

void GraphArguments::add_to(CLI::App& verb) {
  verb.add_option("--min-radius", min_radius, "of a graph: the least disc (default 0.375 m or 1.5 grid steps; 0.75 in a town)");
  verb.add_option("--sight", settings.sight_range, "of a graph: discs know whom they see within so many metres")
      ->capture_default_str();
}

void GraphQuestion::add_to(CLI::App& verb) {
  verb.add_flag("--flow", flow, "on a graph: many different paths from --from to --to");
  verb.add_option("--flow-max", settings.max_paths, "at most so many paths; 0: no limit")->capture_default_str();
  verb.add_option("--flow-ratio", settings.max_ratio, "the longest path allowed, relative to the shortest")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1e9));
  verb.add_option("--choice", choice, "of the paths of a flow, the one that somebody takes in an empty scene by this criterion")
      ->check(CLI::IsMember({"length", "width", "visibility", "time"}));
}

Result<NavigationGraph> open_graph(const SceneArguments& arguments, const GraphArguments& graph) {
  if (is_baked_file(arguments.scene))
    return Problem{arguments.scene, "a baked file holds cells, not the geometry a graph is made of", "give the scene itself"};
  const Result<Scene> scene = open_uncut_scene(arguments);
  if (!scene) return scene.problems();
  Progress progress("baking " + arguments.scene, arguments.quiet);
  GraphSettings settings = graph.settings;
  settings.grid_step = arguments.ground.grid_step.value_or(settings.grid_step);
  settings.slope = arguments.ground.slope;
  settings.step_height = arguments.ground.step_height;
  settings.head_room = arguments.ground.head_room;
  settings.min_island = arguments.ground.min_island;
  settings.body_radius = graph.radius;
  settings.min_radius = graph.min_radius > 0 ? graph.min_radius : std::max(0.375, 1.5 * settings.grid_step);
  settings.threads = arguments.threads;
  settings.progress = [&](std::string_view stage) { progress.step(stage); };
  return NavigationGraph::bake(*scene, settings);
}

int bake_graph(const SceneArguments& scene, const GraphArguments& arguments) {
  const Result<NavigationGraph> graph = open_graph(scene, arguments);
  if (!graph) return report_problems(graph.problems(), scene.json);
  const GraphReport& r = graph->report();
  if (scene.json) {
    print_json({{"discs", r.discs},
                {"gates", r.gates},
                {"layers", r.layers},
                {"components", r.components},
                {"covered", r.covered},
                {"samples", r.samples},
                {"area", r.area},
                {"feasible_area", r.feasible_area},
                {"bytes", r.bytes},
                {"peak_bytes", r.peak_bytes},
                {"stages", stages_json(r.stages)}});
    return kSuccess;
  }
  fmt::print("{} discs, {} gates, {} component{}, up to {} floor{} over each other\n", r.discs, r.gates, r.components,
             r.components == 1 ? "" : "s", r.layers, r.layers == 1 ? "" : "s");
  fmt::print("{} samples: {:.1f} m² of ground, the body fits on {:.1f} m², {:.1f} % of it inside discs; {:.1f} MB\n", r.samples,
             r.area, r.feasible_area, 100 * r.covered, static_cast<double>(r.bytes) / 1e6);
  double total = 0;
  for (const BakeStage& s : r.stages) {
    fmt::print("  {:<14} {:8.1f} ms\n", s.name, s.ms);
    total += s.ms;
  }
  fmt::print("  {:<14} {:8.1f} ms, peak memory {:.0f} MB\n", "total", total, static_cast<double>(r.peak_bytes) / 1e6);
  return kSuccess;
}

int ask_graph(const SceneArguments& scene, const GraphArguments& arguments, const GraphQuestion& question) {
  const Result<NavigationGraph> graph = open_graph(scene, arguments);
  if (!graph) return report_problems(graph.problems(), scene.json);
  const Result<Ends> ends = ends_in(*graph, question.from, question.to);
  if (!ends) return report_problems(ends.problems(), scene.json);
  return question.flow ? print_flow(*graph, *ends, question, scene.json) : print_path(*graph, *ends, scene.json);
}

int draw_graph(const GraphDrawing& drawing) {
  const bool json = drawing.scene.json;
  const Result<NavigationGraph> graph = open_graph(drawing.scene, drawing.graph);
  if (!graph) return report_problems(graph.problems(), json);
  const NavGraph& data = graph->data();
  GraphPicture picture;
  if (drawing.picture.fill == "plain") picture.fill = GraphPicture::kPlain;
  if (drawing.picture.fill == "clearance") picture.fill = GraphPicture::kClearance;
  if (drawing.picture.fill == "components") picture.fill = GraphPicture::kComponents;
  picture.gates = drawing.picture.portals;
  if (!drawing.seen_from.empty()) {
    const Result<Vec3> eye = place_in(*graph, drawing.seen_from, "--seen-from");
    if (!eye) return report_problems(eye.problems(), json);
    picture.seen_from = graph->disc_at(*eye);
  }

  std::vector<std::vector<Vec2>> paths;
  const auto add = [&](const std::vector<Vec3>& points) {
    std::vector<Vec2>& line = paths.emplace_back();
    for (const Vec3& p : points) line.push_back(plan_of(p));
  };
  for (std::size_t i = 0; i < drawing.from.size(); ++i) {
    const Result<Ends> ends = ends_in(*graph, drawing.from[i], drawing.to[i]);
    if (!ends) return report_problems(ends.problems(), json);
    if (!drawing.flow.flow) {
      const Result<GraphPath> path = graph->path(ends->from, ends->to);
      if (!path) return report_problems(path.problems(), json);
      if (path->found) add(path->points);
      continue;
    }
    const Result<Flow> flow = graph->flow(ends->from, ends->to, drawing.flow.settings);
    if (!flow) return report_problems(flow.problems(), json);
    GraphSearch search(data);
    for (const FlowPath& p : flow->paths) {
      GraphPath pulled;
      pulled.discs = p.discs;
      pulled.gates = p.gates;
      pulled.points.push_back(ends->from);
      search.pull(ends->from, ends->to, pulled);
      pulled.points.push_back(ends->to);
      add(pulled.points);
    }
  }

  CanvasSettings sheet;
  std::tie(sheet.low, sheet.high) = bounds_of(data);
  if (!drawing.picture.crop.empty()) {
    const auto crop = parse_crop(drawing.picture.crop, graph->origin());
    if (!crop) return report_problems(crop.problems(), json);
    std::tie(sheet.low, sheet.high) = *crop;
  }
  sheet.pixel_width = drawing.picture.pixel_width;
  sheet.title = drawing.picture.title;
  sheet.legend = graph_legend(data, picture);
  if (!paths.empty()) sheet.legend.push_back({paths.size() == 1 ? "path" : "paths", kind_color(0), LegendEntry::kLine});
  Result<std::unique_ptr<Canvas>> canvas = open_canvas(drawing.output, sheet);
  if (!canvas) return report_problems(canvas.problems(), json);
  picture.pixel = (*canvas)->metres_per_pixel();
  draw_graph_picture(**canvas, data, picture);
  for (std::size_t i = 0; i < paths.size(); ++i) draw_path(**canvas, paths[i], kind_color(i), picture.pixel);
  if (const auto saved = (*canvas)->save(drawing.output); !saved) return report_problems(saved.problems(), json);
  if (json)
    print_json({{"file", drawing.output},
                {"width", (*canvas)->sheet_width()},
                {"height", (*canvas)->sheet_height()},
                {"paths", paths.size()}});
  else
    fmt::print("{}: {:.0f} × {:.0f} pixels\n", drawing.output, (*canvas)->sheet_width(), (*canvas)->sheet_height());
  return kSuccess;
}

}  // namespace throng::cli
