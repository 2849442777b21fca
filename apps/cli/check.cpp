// SPDX-License-Identifier: MIT
// throng check: the geometry doctor; for recordings, whether they can be recomputed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common.hpp"
#include "draw/open_canvas.hpp"
#include "draw/scene_picture.hpp"
#include "draw_recording.hpp"
#include "inputs.hpp"
#include "navigation/doctor_cells.hpp"
#include "navigation/navigation_data.hpp"
#include "printable.hpp"
#include "scenario/doctor_people.hpp"
#include "scenario/replay.hpp"
#include "scenario/simulation.hpp"
#include "scene/doctor.hpp"

namespace throng::cli {
namespace {

struct CheckArguments {
  SceneArguments scene;
  std::string output;
  double radius = 0.20;
  double pixel_width = 1600;
};

const char* word(Finding::Severity s) { return s == Finding::kError ? "error" : s == Finding::kWarning ? "warning" : "note"; }

std::optional<std::vector<Problem>> draw_findings_file(const CheckArguments& a, const Scene& scene,
                                                       const std::vector<Finding>& findings) {
  CanvasSettings sheet;
  std::tie(sheet.low, sheet.high) = bounds_of(scene, 0);
  sheet.pixel_width = a.pixel_width;
  sheet.title = fmt::format("{}: {} findings", scene.name, findings.size());
  Result<std::unique_ptr<Canvas>> canvas = open_canvas(a.output, sheet);
  if (!canvas) return canvas.problems();
  ScenePicture picture;
  picture.pixel = (*canvas)->metres_per_pixel();
  draw_scene(**canvas, scene, picture);
  draw_findings(**canvas, findings, picture.pixel);
  if (const auto saved = (*canvas)->save(a.output); !saved) return saved.problems();
  return std::nullopt;
}

/// Whether the people of a scenario can be where it wants them, and come to where they want.
void examine_scenario(const Scenario& scenario, const Navigation& navigation, std::vector<Finding>& findings) {
  const std::vector<Finding> more = examine_people(scenario, navigation);
  findings.insert(findings.end(), more.begin(), more.end());
  const auto simulation = Simulation::create(scenario, navigation);
  if (!simulation) {
    for (const Problem& p : simulation.problems()) findings.push_back({Finding::kError, "people", {}, {}, p});
    return;
  }
  for (const Problem& p : simulation->notices()) findings.push_back({Finding::kWarning, "people", {}, {}, p});
}

/// Whether every step of a recording can be recomputed, bit for bit.
int run_on_recording(const CheckArguments& a) {
  const auto recording = Recording::open(recording_file(a.scene.scene));
  if (!recording) return report_problems(recording.problems(), a.scene.json);
  const auto scenario = scenario_of(*recording);
  if (!scenario) return report_problems(scenario.problems(), a.scene.json);
  const auto navigation = Navigation::bake(scenario->scene);
  if (!navigation) return report_problems(navigation.problems(), a.scene.json);
  auto simulation = Simulation::create(*scenario, *navigation, a.scene.threads);
  if (!simulation) return report_problems(simulation.problems(), a.scene.json);
  const auto found = recompute(*recording, *simulation);
  if (!found) return report_problems(found.problems(), a.scene.json);
  if (!recording->ended_early().empty()) fmt::print(stderr, "throng check: {}\n", recording->ended_early());
  if (a.scene.json) {
    print_json({{"snapshots", found->snapshots},
                {"steps", found->steps},
                {"mismatches", found->mismatches},
                {"frames", recording->frame_count()},
                {"frames_compared", found->frames},
                {"frame_mismatches", found->frame_mismatches},
                {"events_compared", found->events},
                {"event_mismatches", found->event_mismatches},
                {"ended_early", recording->ended_early()}});
    return found->is_equal() ? kSuccess : kBadInput;
  }
  fmt::print("{} frames and {} events compared, {} steps recomputed from {} snapshots", found->frames, found->events,
             found->steps, found->snapshots);
  if (found->is_equal()) {
    fmt::print(": the same bits\n");
    return kSuccess;
  }
  if (found->mismatches > 0)
    fmt::print("; {} stretches end in other bits, the first at step {}", found->mismatches, found->first_mismatch);
  if (found->frame_mismatches > 0)
    fmt::print("; {} frames differ, the first is frame {}", found->frame_mismatches, found->first_frame_mismatch);
  if (found->event_mismatches > 0) fmt::print("; {} events differ", found->event_mismatches);
  fmt::print("\n");
  return kBadInput;
}

int run_check(const CheckArguments& a) {
  const auto input =
      find_input(a.scene.scene, InputKind::kScenario | InputKind::kScene | InputKind::kBaked | InputKind::kRecording);
  if (!input) return report_problems(input.problems(), a.scene.json);
  if (input->kind == InputKind::kRecording) return run_on_recording(a);
  if (input->kind == InputKind::kBaked) {
    return report_usage("throng check", "a baked file has nothing left to examine", "check the scene it was baked from",
                        a.scene.json);
  }
  std::optional<Scenario> scenario;
  if (input->kind == InputKind::kScenario) {
    auto read = load_scenario(input->file);
    if (!read) return report_problems(read.problems(), a.scene.json);
    scenario = std::move(*read);
  }
  const Result<Scene> scene = scenario ? scenario->scene : open_scene(a.scene);
  if (!scene) return report_problems(scene.problems(), a.scene.json);
  std::vector<Finding> findings = examine(*scene);
  BakeSettings settings;
  settings.threads = a.scene.threads;
  Progress progress("checking " + a.scene.scene, a.scene.quiet);
  settings.progress = [&](std::string_view stage) { progress.step(stage); };
  const Result<Navigation> navigation = Navigation::bake(*scene, settings);
  if (navigation) {
    const std::vector<Finding> more = examine_cells(*scene, navigation->data().cells, a.radius);
    findings.insert(findings.end(), more.begin(), more.end());
    if (scenario) examine_scenario(*scenario, *navigation, findings);
  } else {
    for (const Problem& p : navigation.problems()) findings.push_back({Finding::kError, "no-ground", {}, {}, p});
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& x, const Finding& y) { return x.severity < y.severity; });
  if (!a.output.empty()) {
    if (const auto problems = draw_findings_file(a, *scene, findings)) return report_problems(*problems, a.scene.json);
  }
  const auto errors =
      std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Finding::kError; });
  if (a.scene.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const Finding& f : findings)
      list.push_back({{"severity", word(f.severity)},
                      {"code", f.code},
                      {"place", {f.place.x + scene->origin.x, f.place.y + scene->origin.y}},
                      {"where", f.problem.where},
                      {"what", f.problem.what},
                      {"fix", f.problem.fix}});
    print_json({{"findings", list}, {"errors", errors}});
  } else {
    for (const Finding& f : findings) fmt::print("{} [{}] {}\n", word(f.severity), f.code, printable(to_string(f.problem)));
    fmt::print("{} finding{}, {} of them errors{}\n", findings.size(), findings.size() == 1 ? "" : "s", errors,
               a.output.empty() ? "" : "; picture: " + a.output);
  }
  return errors > 0 ? kBadInput : kSuccess;
}

}  // namespace

void add_check(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<CheckArguments>();
  CLI::App* verb = app.add_subcommand(
      "check", "the geometry doctor for scenes and scenarios; for recordings: do their steps recompute to the same bits?");
  a->scene.add_to(*verb);
  verb->add_option("-o,--output", a->output, "FILE.svg or FILE.png: the findings as a picture");
  verb->add_option("--radius", a->radius, "of a person, for narrow passages")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0));
  verb->add_option("--width", a->pixel_width, "of the picture, pixels")->capture_default_str()->check(CLI::Range(64.0, 16000.0));
  verb->footer("Example: throng check plan.geojson -o findings.png");
  verb->callback([a, &outcome] { outcome.status = run_check(*a); });
}

}  // namespace throng::cli
