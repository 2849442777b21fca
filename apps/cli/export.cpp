// SPDX-License-Identifier: MIT
// throng export: a recording, or a trajectory file of another tool, in a format others read.
#include <fmt/format.h>

#include "common.hpp"
#include "inputs.hpp"
#include "trajectory/files.hpp"

namespace throng::cli {
namespace {

struct Arguments {
  std::string recording;
  std::string output;
  JuelichTextSettings text;
  std::string unit;
  bool json = false;
};

int run(const Arguments& a) {
  JuelichTextSettings text = a.text;
  if (!a.unit.empty()) text.unit_metres = a.unit == "cm" ? 0.01 : 1;
  const auto input = find_input(a.recording, InputKind::kRecording | InputKind::kTrajectory);
  if (!input) return report_problems(input.problems(), a.json);
  const Result<TrajectoryFile> file = read_trajectory(input->file.string(), text);
  if (!file) return report_problems(file.problems(), a.json);
  const Trajectory& t = file->trajectory;
  if (!file->notice.empty()) fmt::print(stderr, "throng: {}: {}\n", a.recording, file->notice);
  if (const auto problem = write_trajectory(t, a.output)) return report_problems({&*problem, 1}, a.json);
  if (a.json) {
    nlohmann::json document{{"file", a.output},          {"from", file->format},  {"agents", t.agents.size()},
                            {"frames", t.frame_count()}, {"rows", t.row_count()}, {"frames_per_second", 1 / t.frame_seconds}};
    if (!file->notice.empty()) document["notice"] = file->notice;
    print_json(document);
  } else {
    fmt::print("{} agents, {} frames at {:.4g} a second, {} rows written to {}\n", t.agents.size(), t.frame_count(),
               1 / t.frame_seconds, t.row_count(), a.output);
  }
  return kSuccess;
}

}  // namespace

void add_export(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand("export", "write a recording in a format others read");
  verb->add_option("RECORDING", a->recording, "a recording, the folder of a run, a JuPedSim .sqlite or a Jülich .txt file")
      ->required();
  verb->add_option("-o,--output", a->output, "FILE.sqlite (JuPedSim) or FILE.txt (Jülich text)")->required();
  verb->add_option("--fps", a->text.frames_per_second, "frames a second of a text file that does not say it")
      ->check(CLI::Range(0.001, 100000.0));
  verb->add_option("--unit", a->unit, "of a text file that does not say it")->check(CLI::IsMember({"m", "cm"}));
  verb->add_flag("--json", a->json, "print one JSON document");
  verb->footer("Example: throng export out/run -o run.sqlite");
  verb->callback([a, &outcome] { outcome.status = run(*a); });
}

}  // namespace throng::cli
