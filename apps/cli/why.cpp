// SPDX-License-Identifier: MIT
// throng why: what somebody in a recording wanted at a moment, whom it met, what it tried and what it did. Recomputed from the
// recording's snapshots, so that nothing is written down while a run goes on.
#include <fmt/format.h>

#include <cmath>

#include "common.hpp"
#include "inputs.hpp"
#include "scenario/replay.hpp"
#include "scenario/why.hpp"

namespace throng::cli {
namespace {

struct WhyArguments {
  std::string recording;
  std::uint32_t agent = 0;
  double time = 0;
  bool json = false;
};

int run_why(const WhyArguments& a) {
  const auto input = find_input(a.recording, only(InputKind::kRecording));
  if (!input) return report_problems(input.problems(), a.json);
  auto replay = Replay::open(input->file.string(), 1);
  if (!replay) return report_problems(replay.problems(), a.json);
  const auto why = why_at(*replay, a.agent, a.time);
  if (!why) return report_problems(why.problems(), a.json);
  if (a.json) {
    print_json(json_of(*why));
    return kSuccess;
  }
  for (const std::string& line : lines_of(*why)) fmt::print("{}\n", line);
  return kSuccess;
}

}  // namespace

void add_why(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<WhyArguments>();
  CLI::App* verb = app.add_subcommand("why", "what somebody in a recording wanted, met, tried and did at a moment");
  verb->add_option("RECORDING", a->recording, "a recording of `throng run`, or its folder")->required();
  verb->add_option("--agent", a->agent, "its number")->required();
  verb->add_option("--time", a->time, "seconds since the start")->required()->check(CLI::NonNegativeNumber);
  verb->add_flag("--json", a->json, "one JSON document");
  verb->footer("Example: throng run rules_narrow_passage -o out && throng why out --agent 7 --time 12.5");
  verb->callback([a, &outcome] { outcome.status = run_why(*a); });
}

}  // namespace throng::cli
