// SPDX-License-Identifier: MIT
// throng draw: a scene and what was baked from it, as SVG or PNG.
#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "common.hpp"
#include "draw/cells_picture.hpp"
#include "draw/open_canvas.hpp"
#include "draw/palette.hpp"
#include "draw_recording.hpp"
#include "graph.hpp"
#include "inputs.hpp"
#include "navigation/navigation_data.hpp"
#include "pictures.hpp"

namespace throng::cli {
namespace {

struct DrawArguments {
  SceneArguments scene;
  std::string output;
  PictureArguments picture;
  std::vector<std::string> from, to;
  std::uint32_t random_paths = 0;
  double radius = 0.20;
  std::string planner = "hierarchy";
  RecordingPicture recording;
  std::string structure = "cells";
  GraphArguments graph;
  GraphQuestion flow;
  std::string seen_from;
  std::string unit;
};

/// What only pictures of recordings show, and what only those of scenes do.
const std::vector<std::string> kRecordingShows = {"frame", "trails", "density", "load", "regions", "field"};

int run_draw(const DrawArguments& a) {
  const bool of_recording = std::find(kRecordingShows.begin(), kRecordingShows.end(), a.picture.fill) != kRecordingShows.end();
  if (is_recording(a.scene.scene)) {
    RecordingPicture picture = a.recording;
    picture.recording = a.scene.scene;
    picture.output = a.output;
    if (of_recording) picture.show = a.picture.fill;
    picture.layer = static_cast<std::uint16_t>(a.picture.layer.value_or(0));
    picture.crop = a.picture.crop;
    picture.pixel_width = a.picture.pixel_width;
    picture.title = a.picture.title;
    if (!a.unit.empty()) picture.text.unit_metres = a.unit == "cm" ? 0.01 : 1;
    picture.json = a.scene.json;
    picture.quiet = a.scene.quiet;
    return draw_recording(picture);
  }
  if (of_recording) {
    Problem problem{a.scene.scene, "", "name a recording"};
    if (const auto input = find_input(a.scene.scene, InputKind::kRecording | InputKind::kTrajectory); !input)
      problem = input.problems().front();
    problem.what = fmt::format("--show {} is for recordings; {}", a.picture.fill, problem.what);
    return report_usage("throng draw", {&problem, 1}, a.scene.json);
  }
  if (a.from.size() != a.to.size()) {
    return report_usage("throng draw", fmt::format("{} --from and {} --to found", a.from.size(), a.to.size()),
                        "give as many of the one as of the other", a.scene.json);
  }
  if (a.structure == "graph") {
    GraphArguments graph = a.graph;
    graph.radius = a.radius;
    return draw_graph({a.scene, graph, a.picture, a.flow, a.from, a.to, a.seen_from, a.output});
  }
  const Result<Navigation> navigation = open_navigation(a.scene);
  if (!navigation) return report_problems(navigation.problems(), a.scene.json);
  std::vector<std::vector<Vec2>> paths;
  PathRequest request;
  request.radius = a.radius;
  request.planner = *planner_from_name(a.planner);
  for (std::size_t i = 0; i < a.from.size(); ++i) {
    const Result<Place> from = parse_place(a.from[i], "--from"), to = parse_place(a.to[i], "--to");
    if (!from) return report_problems(from.problems(), a.scene.json);
    if (!to) return report_problems(to.problems(), a.scene.json);
    request.from = from->point - navigation->origin();
    request.to = to->point - navigation->origin();
    request.from_layer = layer_at(*navigation, *from);
    request.to_layer = layer_at(*navigation, *to);
    const Result<Path> path = navigation->plan(request);
    if (!path) return report_problems(path.problems(), a.scene.json);
    if (!path->found) {
      const Problem problem = navigation->explain(request, PathStatus::kNoWay);
      return report_problems({&problem, 1}, a.scene.json);
    }
    paths.push_back(path->points);
  }
  if (a.random_paths > 0) {
    const auto more = random_paths(*navigation, a.random_paths, request);
    paths.insert(paths.end(), more.begin(), more.end());
  }
  const Result<PictureSize> size = draw_navigation(*navigation, a.picture, paths, a.output);
  if (!size) return report_problems(size.problems(), a.scene.json);
  if (a.scene.json)
    print_json({{"file", a.output}, {"width", size->width}, {"height", size->height}, {"paths", paths.size()}});
  else
    fmt::print("{}: {:.0f} × {:.0f} pixels\n", a.output, size->width, size->height);
  return kSuccess;
}

}  // namespace

void add_draw(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<DrawArguments>();
  CLI::App* verb = app.add_subcommand("draw", "a picture of a scene or of a recording, or a video of one");
  a->scene.add_to(*verb);
  verb->add_option("-o,--output", a->output, "FILE.svg, FILE.png or, of a recording, FILE.mp4")->required();
  verb->add_option(
          "--show", a->picture.fill,
          "what to show; frame, trails, density, load (of flows), regions (of interest) and field (a potential field) are "
          "of recordings")
      ->check(CLI::IsMember({"plain", "cells", "topology", "zones", "components", "discs", "clearance", "frame", "trails",
                             "density", "load", "regions", "field"}))
      ->capture_default_str();
  verb->add_option("--depth", a->picture.depth, "which depth of zones (with --show zones)")->capture_default_str();
  verb->add_option("--layer", a->picture.layer, "number of the layer (default: all, the highest on top; of a recording: 0)");
  verb->add_flag("--roadmap", a->picture.roadmap, "the roadmap: middles of portals, joined inside cells");
  verb->add_flag("!--no-portals", a->picture.portals, "leave portals out");
  verb->add_flag("!--no-bottlenecks", a->picture.bottlenecks, "leave bottlenecks out");
  verb->add_option("--crop", a->picture.crop, "X0,Y0,X1,Y1: only this part");
  verb->add_option("--width", a->picture.pixel_width, "pixels")->capture_default_str()->check(CLI::Range(64.0, 16000.0));
  verb->add_option("--title", a->picture.title, "words above the picture");
  verb->add_option("--from", a->from, "X,Y[,Z]: draw a path from here (repeat with --to)");
  verb->add_option("--to", a->to, "X,Y[,Z]: … to here");
  verb->add_option("--paths", a->random_paths, "so many random paths")->check(CLI::Range(0, 10000));
  verb->add_option("--radius", a->radius, "of the body")->capture_default_str()->check(CLI::Range(0.0, 100.0));
  verb->add_option("--planner", a->planner)
      ->check(CLI::IsMember({"hierarchy", "zones", "roadmap", "shortest"}))
      ->capture_default_str();
  verb->add_option("--structure", a->structure, "of what")->check(CLI::IsMember({"cells", "graph"}))->capture_default_str();
  a->graph.add_to(*verb);
  a->flow.add_to(*verb);
  verb->add_option("--seen-from", a->seen_from, "X,Y[,Z]: which discs of a graph are seen from here (needs --sight)");
  verb->add_option("--time", a->recording.time, "which moment of a recording, seconds (default: the middle; of a video of figures, where it begins: 0)");
  verb->add_option("--color", a->recording.color,
                   "what the colours of people mean (default: the speed of dots, the clothes of figures)")
      ->check(CLI::IsMember({"speed", "direction", "kind", "group", "clothes"}));
  verb->add_option("--people", a->recording.people, "people of a recording as dots on a plan, or as figures in perspective")
      ->check(CLI::IsMember({"dots", "figures"}))
      ->capture_default_str();
  verb->add_flag("--with-people", a->recording.with_people, "in a density map: the people of the moment --time, as dots");
  verb->add_option("--camera", a->recording.camera, "of figures: X,Y,Z of the eye, then X,Y,Z of what it looks at");
  verb->add_option("--turn", a->recording.turn, "of figures, without --camera: degrees round from the south")
      ->check(CLI::Range(-360.0, 360.0))
      ->capture_default_str();
  verb->add_option("--tilt", a->recording.tilt, "… and above the ground")->check(CLI::Range(5.0, 89.0))->capture_default_str();
  verb->add_option("--length", a->recording.length, "of a video of figures: seconds that it plays (default: to the end)")
      ->check(CLI::Range(0.1, 36000.0));
  verb->add_option("--field", a->recording.field, "what of a field")
      ->check(CLI::IsMember({"potential", "density", "speed", "velocity"}))
      ->capture_default_str();
  verb->add_option("--set", a->recording.set,
                   "number of the set of people whose field is shown (default: that of the most people)");
  verb->add_option("--fps", a->recording.frames_per_second, "of a video")->capture_default_str()->check(CLI::Range(1.0, 120.0));
  verb->add_option("--speed", a->recording.speed, "of a video: 2 is twice as fast as real time")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 1000.0));
  verb->add_option("--data-fps", a->recording.text.frames_per_second, "frames a second of a text file that does not say it")
      ->check(CLI::Range(0.001, 100000.0));
  verb->add_option("--unit", a->unit, "of a text file that does not say it")->check(CLI::IsMember({"m", "cm"}));
  verb->footer(
      "Example: throng draw city:200 -o city.png --show topology --paths 5\n"
      "         throng draw level.obj -o level.png --structure graph --show clearance\n"
      "         throng draw level.obj -o level.png --layers --step-height 0.4 --from 3,4,0 --to 20,4,6\n"
      "         throng draw out/run -o run.mp4 --speed 4\n"
      "         throng draw out/run -o run.png --people figures --turn 30");
  verb->callback([a, &outcome] { outcome.status = run_draw(*a); });
}

}  // namespace throng::cli
