// SPDX-License-Identifier: MIT
#include "gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "common.hpp"
#include "draw_recording.hpp"
#include "inputs.hpp"
#include "run.hpp"
#include "scenario/scenario.hpp"
#include "trajectory/files.hpp"

namespace throng::cli {
namespace {

namespace fs = std::filesystem;

/// Where the people of the last frame are: nine tenths of them each way, or, where that is a town, the busiest part of it.
std::string crowded_part(const Trajectory& trajectory) {
  constexpr double kMost = 110, kWindow = 80;  // m
  const FrameView frame = trajectory.frame(trajectory.frame_count() - 1);
  if (frame.size() == 0) return {};
  std::vector<float> x(frame.x.begin(), frame.x.end()), y(frame.y.begin(), frame.y.end());
  const auto span = [](std::vector<float>& v) {
    std::sort(v.begin(), v.end());
    return std::pair<double, double>(v[v.size() / 20], v[v.size() - 1 - v.size() / 20]);
  };
  auto [x0, x1] = span(x);
  auto [y0, y1] = span(y);
  if (x1 - x0 > kMost || y1 - y0 > kMost) {
    std::size_t most = 0;
    const auto stride = std::max<std::size_t>(1, frame.size() / 400);
    Vec2 best;
    for (std::size_t i = 0; i < frame.size(); i += stride) {
      std::size_t near = 0;
      for (std::size_t k = 0; k < frame.size(); ++k) near += distance(frame.position(i), frame.position(k)) < 0.4 * kWindow;
      if (near > most) most = near, best = frame.position(i);
    }
    x0 = best.x - 0.5 * kWindow, x1 = best.x + 0.5 * kWindow;
    y0 = best.y - 0.3 * kWindow, y1 = best.y + 0.3 * kWindow;
  }
  constexpr double kAir = 4;  // m
  return fmt::format("{:.1f},{:.1f},{:.1f},{:.1f}", x0 - kAir, y0 - kAir, x1 + kAir, y1 + kAir);
}

}  // namespace

int make_gallery(const GalleryArguments& a) {
  const fs::path folder = a.folder, pictures = folder / "images/gallery";
  std::error_code error;
  fs::create_directories(pictures, error);
  const fs::path work = pictures / ".work";
  std::string page =
      "# Gallery\n\nEvery scenario that comes with the program, fifteen seconds after its start. `./throng run NAME -o DIR` runs "
      "one, "
      "`./throng studio NAME`\nopens it. Those of more than 5000 people lie in `scenes/large/`. This page is made by "
      "`./throng demo --gallery docs`.\n";
  const std::vector<std::string> all = scenario_names();
  Progress progress("gallery", a.quiet);
  nlohmann::json names = nlohmann::json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& name = all[i];
    const auto scenario_file = find_scenario(name);
    if (!scenario_file) return report_problems(scenario_file.problems(), a.json);
    const Result<Scenario> scenario = load_scenario(*scenario_file);
    if (!scenario) return report_problems(scenario.problems(), a.json);
    RunArguments run;
    run.scenario = scenario_file->string();
    run.output = work.string();
    run.quiet = true;
    run.allow_lost = true;  // fifteen seconds are too short to arrive
    run.overrides.duration = std::min(15.0, scenario->settings.duration);
    nlohmann::ordered_json summary;
    run_scenario(run, &summary);
    const Result<TrajectoryFile> recorded = read_trajectory(recording_file(work.string()));
    if (!recorded) return report_problems(recorded.problems(), a.json);
    RecordingPicture picture;
    picture.recording = work.string();
    picture.output = (pictures / (name + ".jpg")).string();
    picture.people = "figures";
    picture.pixel_width = 400;
    picture.crop = crowded_part(recorded->trajectory);
    picture.time = 1e9;
    picture.tilt = 48;
    picture.turn = 20;
    nlohmann::json drawn;
    if (const int status = draw_recording(picture, &drawn); status != kSuccess) return status;
    page += fmt::format("\n## {0}\n\n![{0}](images/gallery/{0}.jpg)\n\n{1}\n", name, scenario->description);
    names.push_back(name);
    progress.count(i + 1, all.size());
  }
  fs::remove_all(work, error);
  const std::string file = (folder / "gallery.md").string();
  if (auto problem = write_file(file, page)) return report_problems({&*problem, 1}, a.json);
  if (a.json)
    print_json({{"file", file}, {"scenes", names}});
  else
    fmt::print("{}: {} scenes\n", file, names.size());
  return kSuccess;
}

}  // namespace throng::cli
