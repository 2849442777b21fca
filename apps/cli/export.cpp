// SPDX-License-Identifier: MIT
// throng export: a recording, or a trajectory file of another tool, in a format others read.
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "common.hpp"
#include "inputs.hpp"
#ifdef THRONG_HAVE_STUDIO
#include "studio_page.hpp"
#endif
#include "trajectory/files.hpp"

namespace throng::cli {
namespace {

struct ExportArguments {
  std::string recording;
  std::string output;
  JuelichTextSettings text;
  std::string unit;
  std::vector<double> span;  ///< of a page, seconds
  bool has_no_goals = false;
  bool json = false;
};

bool is_page(const std::string& file) { return std::filesystem::path(file).extension() == ".html"; }

int export_page(const ExportArguments& a) {
#ifdef THRONG_HAVE_STUDIO
  const double from = a.span.empty() ? 0 : a.span[0], to = a.span.empty() ? 1e9 : a.span[1];
  const auto input = find_input(a.recording, InputKind::kRecording | InputKind::kTrajectory);
  if (!input) return report_problems(input.problems(), a.json);
  const auto written = write_page(input->file.string(), a.output, from, to, !a.has_no_goals);
  if (!written) return report_problems(written.problems(), a.json);
  std::error_code error;
  const auto bytes = std::filesystem::file_size(a.output, error);
  if (a.json)
    print_json({{"file", a.output}, {"bytes", bytes}});
  else
    fmt::print("{}: {:.1f} MB, opens in any browser\n", a.output, static_cast<double>(bytes) / 1e6);
  return kSuccess;
#else
  const Problem problem{a.output, "this program was built without the studio, of whose page the file would be made",
                        "export .sqlite or .txt"};
  return report_problems({&problem, 1}, a.json);
#endif
}

int run_export(const ExportArguments& a) {
  if (is_page(a.output)) return export_page(a);
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
  auto a = std::make_shared<ExportArguments>();
  CLI::App* verb = app.add_subcommand("export", "write a recording in a format others read");
  verb->add_option("RECORDING", a->recording, "a recording, the folder of a run, a JuPedSim .sqlite or a Jülich .txt file")
      ->required();
  verb->add_option("-o,--output", a->output, "FILE.sqlite (JuPedSim), FILE.txt (Jülich text) or FILE.html (a page that replays it in 3D)")
      ->required();
  verb->add_option("--fps", a->text.frames_per_second, "frames a second of a text file that does not say it")
      ->check(CLI::Range(0.001, 100000.0));
  verb->add_option("--unit", a->unit, "of a text file that does not say it")->check(CLI::IsMember({"m", "cm"}));
  verb->add_option("--span", a->span, "FROM TO: the seconds that a page shows (default: all)")->expected(2);
  verb->add_flag("--no-goals", a->has_no_goals, "of a page: leave out where people are going, which takes another run");
  verb->add_flag("--json", a->json, "print one JSON document");
  verb->footer("Example: throng export out/run -o run.sqlite\n"
               "         throng export out/run -o run.html");
  verb->callback([a, &outcome] { outcome.status = run_export(*a); });
}

}  // namespace throng::cli
