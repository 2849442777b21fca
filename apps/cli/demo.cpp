// SPDX-License-Identifier: MIT
// throng demo: rush hour in the built-in city, as a recording, a video, pictures and a summary.
#include <fmt/format.h>

#include <filesystem>

#include "common.hpp"
#include "draw_recording.hpp"
#include "pictures.hpp"
#include "run.hpp"

namespace throng::cli {
namespace {

struct Arguments {
  std::string folder = "out/demo";
  std::string scenario = "city_rush_hour";
  bool no_video = false;
  bool quiet = false;
  bool json = false;
};

int run(const Arguments& a) {
  RunArguments simulation;
  simulation.scenario = a.scenario;
  simulation.output = a.folder;
  simulation.quiet = a.quiet;
  simulation.json = a.json;
  simulation.allow_lost = true;  // it shows whatever scenario it is given
  nlohmann::ordered_json summary;
  if (const int status = run_scenario(simulation, a.json ? &summary : nullptr); status != kSuccess) return status;

  const std::string station = "665,660,765,760";  // the busiest part of the city
  const auto picture = [&](const char* file, const char* show, const char* title, const std::string& crop) {
    RecordingPicture p;
    p.recording = a.folder;
    p.output = a.folder + "/" + file;
    p.show = show;
    p.title = title;
    p.crop = crop;
    p.quiet = a.quiet;
    p.json = a.json;
    return p;
  };
  RecordingPicture video = picture("station.mp4", "frame", "", station);
  video.speed = 10;
  video.pixel_width = 960;
  std::vector<RecordingPicture> pictures = {
      picture("trails.png", "trails", "Ten minutes of rush hour: where everybody went", ""),
      picture("station.png", "frame", "", station),
      picture("density.png", "density", "Mean density round the station", station),
  };
  if (!a.no_video) pictures.push_back(video);
  nlohmann::json files = nlohmann::json::array();
  for (const RecordingPicture& p : pictures) {
    nlohmann::json drawn;
    if (const int status = draw_recording(p, a.json ? &drawn : nullptr); status != kSuccess) return status;
    files.push_back(p.output);
  }

  SceneArguments scene;
  scene.scene = "city:2600";
  scene.quiet = true;
  const Result<Navigation> navigation = open_navigation(scene);
  if (!navigation) return report_problems(navigation.problems(), a.json);
  PictureArguments cells;
  cells.crop = "620,620,800,800";
  cells.title = "What people walk on: convex cells and bottlenecks";
  const std::string file = a.folder + "/cells.png";
  const auto drawn = draw_navigation(*navigation, cells, {}, file);
  if (!drawn) return report_problems(drawn.problems(), a.json);
  files.push_back(file);
  if (a.json) {
    summary["pictures"] = files;
    std::fputs((summary.dump(2) + "\n").c_str(), stdout);
    return kSuccess;
  }
  fmt::print("{}: {:.0f} × {:.0f} pixels\n", file, drawn->width, drawn->height);
  fmt::print("Everything is in {0}. Watch it: ./throng studio {0}. Next: ./throng run bottleneck -o out/bottleneck, or ./throng --help\n",
             a.folder);
  return kSuccess;
}

}  // namespace

void add_demo(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand("demo", "rush hour in the built-in city: recording, video, pictures, summary");
  verb->add_option("-o,--output", a->folder, "folder for what it writes")->capture_default_str();
  verb->add_option("--scenario", a->scenario, "another scenario of the city")->capture_default_str();
  verb->add_flag("--no-video", a->no_video, "leave the video out (it needs ffmpeg)");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->footer("Example: throng demo -o out/demo");
  verb->callback([a, &outcome] { outcome.status = run(*a); });
}

}  // namespace throng::cli
