// SPDX-License-Identifier: MIT
// throng demo: a bottleneck, a square before a station and a city at rush hour, as recordings, videos, pictures and a page.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "common.hpp"
#include "draw_recording.hpp"
#include "gallery.hpp"
#include "run.hpp"
#ifdef THRONG_HAVE_STUDIO
#include "studio_page.hpp"
#endif

namespace throng::cli {
namespace {

namespace fs = std::filesystem;

struct DemoArguments {
  std::string folder = "out/demo";
  std::string gallery;
  double share = 1;
  bool no_video = false;
  bool quiet = false;
  bool json = false;
};

/// One of the things the demo makes.
struct Stage {
  const char* words;
  double usual_seconds;  ///< on two cores, of 2023: only their ratios count
  std::function<int()> work;
};

/// What was made, and what was not and why.
struct Outcomes {
  std::vector<std::string> files, left_out;
  nlohmann::ordered_json scenes = nlohmann::ordered_json::array();
};

bool has_ffmpeg() { return std::system("ffmpeg -version > /dev/null 2>&1") == 0; }

/// "45 s", "2 min".
std::string duration_words(double seconds) {
  return seconds < 90 ? fmt::format("{:.0f} s", std::max(seconds, 1.0)) : fmt::format("{:.0f} min", seconds / 60);
}

/// Does the stages one after the other. Says before each how long all that are left will take, at the speed of those before.
int do_stages(const std::vector<Stage>& stages, bool quiet) {
  const auto began = Clock::now();
  double done = 0, all = 0;
  for (const Stage& stage : stages) all += stage.usual_seconds;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const double pace = done > 2 ? seconds_since(began) / done : 1;
    if (!quiet)
      fmt::print(stderr, "{} of {}: {}; about {} left\n", i + 1, stages.size(), stages[i].words,
                 duration_words(pace * (all - done)));
    if (const int status = stages[i].work(); status != kSuccess) return status;
    done += stages[i].usual_seconds;
  }
  return kSuccess;
}

int make_demo(const DemoArguments& a) {
  const auto began = Clock::now();
  Outcomes made;
  // Bars that move on are for people who watch; the lines of the stages do for a log.
  const bool is_quiet = a.quiet || isatty(STDERR_FILENO) == 0;
  const auto file_in = [&](const char* name) { return (fs::path(a.folder) / name).string(); };
  const auto simulate = [&](const char* scenario) {
    RunArguments run;
    run.allow_lost = true;  // it shows whatever scenario it is given
    run.scenario = scenario;
    run.output = file_in(scenario);
    run.quiet = is_quiet;
    run.json = a.json;
    if (a.share < 1) run.overrides.duration = 120 * a.share;
    nlohmann::ordered_json summary;
    const int status = run_scenario(run, &summary);
    made.scenes.push_back({{"name", scenario}, {"folder", run.output}, {"summary", summary}});
    return status;
  };
  const auto draw = [&](RecordingPicture picture, const char* scenario, const char* file) {
    picture.recording = file_in(scenario);
    picture.output = file_in(file);
    picture.quiet = is_quiet;
    picture.json = a.json;
    if (a.share < 1) {
      if (picture.time) *picture.time *= a.share;
      picture.pixel_width = std::max(320.0, picture.pixel_width * a.share);
      if (picture.length) *picture.length *= a.share;
    }
    nlohmann::json drawn;
    const int status = draw_recording(picture, &drawn);
    if (status == kSuccess) made.files.push_back(picture.output);
    return status;
  };
  // From the south-west, where the streams cross before the stairs.
  RecordingPicture square;
  square.people = "figures";
  square.camera = "22,-24,25,63,50,0";
  square.crop = "-30,0,150,130";
  square.time = 64;
  square.pixel_width = 2400;
  RecordingPicture square_video = square;
  square_video.camera = "-4,-42,34,57,50,2";
  square_video.time = 40;
  square_video.length = 12;
  square_video.speed = 2;
  square_video.pixel_width = 1280;
  RecordingPicture city;
  city.people = "figures";
  city.crop = "676,674,752,746";
  city.turn = -25;
  city.tilt = 38;
  city.time = 60;
  city.pixel_width = 1920;
  RecordingPicture city_video = city;
  city_video.time = 30;
  city_video.length = 8;
  city_video.speed = 3;
  city_video.pixel_width = 1280;
  RecordingPicture density;
  density.show = "density";
  density.title = "The square: mean density, by Fruin's levels of service";

  const bool has_video = !a.no_video && has_ffmpeg();
  if (a.no_video)
    made.left_out.push_back("videos: --no-video was given");
  else if (!has_video)
    made.left_out.push_back("videos: ffmpeg is not installed (apt-get install ffmpeg, then ./throng demo again)");

  std::vector<Stage> stages;
  stages.push_back({"150 people before a bottleneck", 1, [&] { return simulate("bottleneck"); }});
  stages.push_back({"a picture of it", 1, [&] {
                      RecordingPicture picture;
                      picture.people = "figures";
                      picture.time = 10;
                      picture.crop = "-1,3,9,14";
                      picture.turn = 155;
                      picture.tilt = 45;
                      const int status = draw(picture, "bottleneck", "bottleneck.png");
                      if (status == kSuccess && !a.json) {
                        fmt::print("The first picture: {}\n", made.files.back());
                        std::fflush(stdout);
                      }
                      return status;
                    }});
  stages.push_back({"two minutes of a station square, 8800 people", 14, [&] { return simulate("great_square"); }});
  stages.push_back({"a large picture of it", 3, [&] { return draw(square, "great_square", "square.png"); }});
  stages.push_back({"its density", 1, [&] { return draw(density, "great_square", "square_density.png"); }});
#ifdef THRONG_HAVE_STUDIO
  if (!find_page().empty()) {
    stages.push_back({"a page that replays it in 3D", 1, [&] {
                        const auto page =
                            write_page(recording_file(file_in("great_square")), file_in("square.html"), 0, 1e9, false);
                        if (!page) return report_problems(page.problems(), a.json);
                        made.files.push_back(file_in("square.html"));
                        return kSuccess;
                      }});
  } else {
    made.left_out.push_back("the page that replays the square in 3D: the studio's page is not built (./throng studio builds it)");
  }
#else
  made.left_out.push_back("the page that replays the square in 3D: this program was built without the studio");
#endif
  if (has_video) stages.push_back({"a video of it", 16, [&] { return draw(square_video, "great_square", "square.mp4"); }});
  stages.push_back({"a minute and a half of rush hour in a city, 13,000 people", 14, [&] { return simulate("rush_hour"); }});
  stages.push_back({"a picture of it", 2, [&] { return draw(city, "rush_hour", "city.png"); }});
  if (has_video) stages.push_back({"a video of it", 12, [&] { return draw(city_video, "rush_hour", "city.mp4"); }});
  if (const int status = do_stages(stages, a.quiet); status != kSuccess) return status;

  double simulated = 0, wall = 0, people = 0;
  for (const auto& scene : made.scenes) {
    simulated += scene["summary"]["simulated_s"].get<double>();
    wall += scene["summary"]["wall_s"].get<double>();
    people += scene["summary"]["agents"].get<double>();
  }
  if (a.json) {
    print_json({{"folder", a.folder},
                {"files", made.files},
                {"left_out", made.left_out},
                {"scenes", made.scenes},
                {"seconds", seconds_since(began)}});
    return kSuccess;
  }
  std::string names;
  for (const std::string& file : made.files) names += (names.empty() ? "" : ", ") + fs::path(file).filename().string();
  std::string missing;
  for (const std::string& words : made.left_out) missing += (missing.empty() ? "" : "; ") + words;
  fmt::print("Made: {}, and three recordings.\n", names);
  fmt::print("Where: {}\n", fs::absolute(a.folder).lexically_normal().string());
  fmt::print("How fast: {:.0f} people, {:.0f} s simulated in {:.0f} s; everything in {:.0f} s.\n", people, simulated, wall,
             seconds_since(began));
  fmt::print("Left out: {}.\n", missing.empty() ? "nothing" : missing);
  fmt::print("Next: {}./throng studio {}, and walk in the crowd with W.\n",
             made.left_out.empty() ? fmt::format("open {} in a browser; or ", file_in("square.html")) : std::string(),
             file_in("great_square"));
  return kSuccess;
}

int run_demo(const DemoArguments& a) {
  if (!a.gallery.empty()) return make_gallery({a.gallery, a.quiet, a.json});
  return make_demo(a);
}

}  // namespace

void add_demo(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<DemoArguments>();
  CLI::App* verb = app.add_subcommand("demo", "a bottleneck, a square and a city: recordings, videos, pictures, a 3D page");
  verb->add_option("-o,--output", a->folder, "folder for what it writes")->capture_default_str();
  verb->add_option("--share", a->share, "do only this share of it, smaller: 0.1 takes some seconds")
      ->check(CLI::Range(0.01, 1.0))
      ->capture_default_str();
  verb->add_option("--gallery", a->gallery, "instead: FOLDER/gallery.md with a picture of every named scene");
  verb->add_flag("--no-video", a->no_video, "leave the videos out (they need ffmpeg)");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->footer("Example: throng demo -o out/demo");
  verb->callback([a, &outcome] { outcome.status = run_demo(*a); });
}

}  // namespace throng::cli
