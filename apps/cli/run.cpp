// SPDX-License-Identifier: MIT
// throng run: simulates a scenario, or continues a recording from any moment, with a recording and a summary.
#include "run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "common.hpp"
#include "draw_recording.hpp"
#include "inputs.hpp"
#include "navigation/navigation_data.hpp"
#include "printable.hpp"
#include "run_seeds.hpp"
#include "run_status.hpp"
#include "run_summary.hpp"
#include "scenario/record.hpp"
#include "scenario/replay.hpp"
#include "scenario/simulation.hpp"
#include "stop_request.hpp"
#include "trajectory/recording.hpp"
#include "trajectory/run_folder.hpp"

namespace throng::cli {
namespace {


/// Simulated time, speed and what is left, on one line that moves on; a line each tenth where nobody watches.
class RunBar {
 public:
  RunBar(const Simulation& simulation, bool quiet)
      : simulation_(simulation), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), began_(Clock::now()) {}
  ~RunBar() {
    if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
  }
  void show() {
    if (quiet_) return;
    const double now = simulation_.world().time(), end = simulation_.scenario().settings.duration, wall = seconds_since(began_);
    if (wall < Progress::kPatience) return;
    const int tenth = end > 0 ? static_cast<int>(10 * now / end) : 10;
    if (terminal_ ? wall - last_ < 0.1 : tenth == tenth_) return;
    last_ = wall;
    tenth_ = tenth;
    shown_ = true;
    const double speed = wall > 0 ? now / wall : 0;
    const std::string text = fmt::format("{:.1f} of {:g} s, {} agents, {:.1f} × real time, {:.0f} s left", now, end,
                                         simulation_.world().agent_count(), speed, speed > 0 ? (end - now) / speed : 0);
    if (!terminal_) {
      fmt::print(stderr, "{}: {}\n", simulation_.scenario().name, text);
      return;
    }
    constexpr int kWidth = 24;
    const int filled = end > 0 ? static_cast<int>(kWidth * now / end) : kWidth;
    fmt::print(stderr, "\r{} [{:=<{}}{: <{}}] {}\033[K", simulation_.scenario().name, "", filled, "", kWidth - filled, text);
  }

 private:
  const Simulation& simulation_;
  bool quiet_, terminal_, shown_ = false;
  Clock::time_point began_;
  double last_ = -1;
  int tenth_ = -1;
};

/// Turns steps into frames, events and snapshots.
class Recorder {
 public:
  Recorder(const Simulation& simulation, RecordingWriter writer)
      : simulation_(simulation), writer_(std::move(writer)), first_step_(simulation.world().steps()) {}

  std::optional<Problem> record() {
    const World& world = simulation_.world();
    const ScenarioOutputs& outputs = simulation_.scenario().outputs;
    for (const Event& event : world.events())
      if (auto problem = writer_.add_event(recorded_event(event))) return problem;
    if (outputs.snapshot_every > 0 && (world.steps() - first_step_) % outputs.snapshot_every == 0)
      if (auto problem = writer_.add_snapshot(world.steps(), simulation_.snapshot())) return problem;
    if ((world.steps() - first_step_) % outputs.frame_every == 0) return writer_.add_frame(frame_.of(world));
    return std::nullopt;
  }
  std::optional<Problem> finish(const std::string& summary) { return writer_.finish(summary); }

 private:
  const Simulation& simulation_;
  RecordingWriter writer_;
  std::uint64_t first_step_;  ///< of the recording: a continued run's frames and snapshots count from there
  WorldFrame frame_;
};

Result<Recorder> open_recorder(const RunFolder& folder, const Simulation& simulation) {
  const RecordingHeader header = recording_header(simulation, simulation.scenario().outputs.frame_every, THRONG_VERSION);
  auto writer = RecordingWriter::create(folder.recording(), header);
  if (!writer) return writer.problems();
  return Recorder(simulation, std::move(*writer));
}

void print_summary(const RunArguments& a, const nlohmann::ordered_json& s) {
  const auto number = [&](const char* key) { return s[key].get<double>(); };
  const auto& start = s["start_s"];
  fmt::print(
      "{}: {:.1f} s simulated in {:.2f} s ({:.0f} ns an agent and step); before: {:.2f} s reading, {:.2f} s baking, {:.2f} s "
      "placing; "
      "after: {:.2f} s\n",
      s["scenario"].get<std::string>(), number("simulated_s"), number("wall_s"), number("ns_per_agent_step"),
      start["reading"].get<double>(), start["baking"].get<double>(), start["placing"].get<double>(), number("end_s"));
  if (s["interrupted"].get<bool>())
    fmt::print("stopped by signal {} at {:.1f} s\n", s["signal"].get<int>(), number("simulated_s"));
  fmt::print("{} people, {} arrived, {} stuck, {} still there\n", number("agents"), number("arrived"), number("stuck"),
             number("still_there"));
  std::string still;
  const auto& at_end = s["at_end"];
  const auto tell = [&](const char* key, const char* words) {
    if (const auto count = at_end[key].get<std::uint64_t>(); count > 0)
      still += fmt::format("{}{} {}", still.empty() ? "" : ", ", count, words);
  };
  tell("at_goal", "at their goal");
  tell("under_way", "under way");
  tell("looping", "on rounds");
  tell("wandering", "wandering");
  tell("without_plan", "without a plan");
  tell("riding", "riding");
  tell("lost", "lost");
  tell("waiting_outside", "waiting outside");
  tell("dropped", "dropped for want of room");
  if (!still.empty()) fmt::print("at the end: {}\n", still);
  fmt::print(
      "speed {:.2f}, progress {:.2f} of the preferred; overlaps per 1000 {:.2f} ({} deep, {:.2f} before they are pushed apart)\n",
      number("speed_ratio"), number("progress_ratio"), number("overlaps_per_1000"), number("deep_overlaps"),
      number("before_separate_per_1000"));
  if (s["travel_time_s"]["count"] > 0)
    fmt::print("travel time mean {:.1f} s, 95 % within {:.1f} s, last arrival at {:.1f} s\n",
               s["travel_time_s"]["mean"].get<double>(), s["travel_time_s"]["p95"].get<double>(), number("last_arrival_s"));
  for (const auto& [name, line] : s["lines"].items())
    fmt::print("line {}: {} and {} people, {:.2f} /s, {:.2f} /(m s)\n", name, line["to_left"].get<int>(),
               line["to_right"].get<int>(), line["flow_per_s"].get<double>(), line["specific_flow"].get<double>());
  for (const auto& [name, area] : s["densities"].items())
    fmt::print("area {}: {:.2f} /m² on average, {:.2f} at most\n", name, area["mean"].get<double>(), area["most"].get<double>());
  if (s.contains("groups"))
    fmt::print("groups: {:.0f} % of people, two walk {:.2f} m apart, {:.0f} % of the time abreast of their leader\n",
               100 * s["groups"]["share"].get<double>(), s["groups"]["pair_distance_m"].get<double>(),
               100 * s["groups"]["abreast"].get<double>());
  fmt::print("hash {}{}\n", s["hash"].get<std::string>(), a.output.empty() ? "" : "; written to " + a.output);
}

/// What a run starts from.
struct Origin {
  std::filesystem::path file;
  std::optional<Recording> recording;
};
Result<Origin> find_origin(const RunArguments& a) {
  auto input = find_input(a.scenario, InputKind::kScenario | InputKind::kRecording);
  if (!input) return input.problems();
  if (input->kind == InputKind::kRecording) {
    const std::string file = input->file.string();
    if (a.overrides.seed || a.overrides.model)
      return Problem{a.scenario, "a recording's own run has its seed and model", "run the scenario itself to change them"};
    auto recording = Recording::open(file);
    if (!recording) return recording.problems();
    return Origin{file, std::move(*recording)};
  }
  if (a.from)
    return Problem{a.scenario, "--from goes with recordings, and this is a scenario", "leave it out, or name a recording"};
  return Origin{std::move(input->file), std::nullopt};
}

}  // namespace

int run_scenario(const RunArguments& a, nlohmann::ordered_json* wanted) {
  RunTimes times;
  auto began = Clock::now();
  const auto lap = [&] {
    const double seconds = seconds_since(began);
    began = Clock::now();
    return seconds;
  };
  const auto origin = find_origin(a);
  if (!origin) return report_problems(origin.problems(), a.json);
  const auto scenario =
      origin->recording ? scenario_of(*origin->recording, a.overrides) : load_scenario(origin->file, a.overrides);
  if (!scenario) return report_problems(scenario.problems(), a.json);
  times.reading = lap();
  BakeSettings bake;
  bake.threads = a.threads;
  bake.editable = edits_scene(*scenario);
  auto baking = std::make_unique<Progress>("baking " + scenario->name, a.quiet);
  bake.progress = [&](std::string_view stage) { baking->step(stage); };
  const auto navigation = Navigation::bake(scenario->scene, bake);
  baking.reset();
  if (!navigation) return report_problems(navigation.problems(), a.json);
  times.baking = lap();
  auto simulation = Simulation::create(*scenario, *navigation, a.threads);
  if (!simulation) {
    std::vector<Problem> problems = simulation.problems();
    for (Problem& p : problems) p.where = origin->file.string() + " " + p.where;
    return report_problems(problems, a.json);
  }
  if (origin->recording) {
    const auto step = static_cast<std::uint64_t>(std::llround(a.from.value_or(0) / scenario->settings.dt));
    const auto restored = go_to_step(*origin->recording, step, *simulation);
    if (!restored) return report_problems(restored.problems(), a.json);
  }

  if (scenario->populations.empty() && scenario->sources.empty() && scenario->vehicles.empty())
    fmt::print(stderr, "throng: {}: no agent is in it and none comes (add \"populations\" or \"sources\")\n",
               origin->file.string());
  std::optional<RunFolder> folder;
  std::optional<Recorder> recorder;
  if (!a.output.empty()) {
    auto taken = RunFolder::open(a.output);
    if (!taken) return report_problems(taken.problems(), a.json);
    folder.emplace(std::move(*taken));
    if (scenario->outputs.recording) {
      auto opened = open_recorder(*folder, *simulation);
      if (!opened) return report_problems(opened.problems(), a.json);
      recorder.emplace(std::move(*opened));
    }
  }
  std::optional<Problem> failure = recorder ? recorder->record() : std::nullopt;
  times.placing = lap();

  times.begin(*simulation);
  {
    const StopRequest stop;
    RunBar bar(*simulation, a.quiet);
    while (!failure && !simulation->is_done() && times.signal == 0) {
      const auto step_began = Clock::now();
      simulation->step();
      times.stepping += seconds_since(step_began);
      if (recorder) {
        const auto recording_began = Clock::now();
        failure = recorder->record();
        times.recording += seconds_since(recording_began);
      }
      bar.show();
      times.signal = stop.signal();
    }
  }
  times.wall = lap();
  const std::vector<std::string> failures = failures_of(simulation->outcome());
  const int status = status_of_run(failures, times.signal, a.allow_lost);
  nlohmann::ordered_json summary = summarise(*simulation, times);
  const std::string text = summary.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (!failure && recorder) failure = recorder->finish(text);
  if (!failure && folder) failure = folder->finish(text);
  // The files cannot say how long writing them took.
  summary["end_s"] = lap();
  for (const Problem& notice : simulation->notices()) fmt::print(stderr, "throng: {}\n", printable(to_string(notice)));
  if (failure) return report_problems({&*failure, 1}, a.json);
  if (wanted != nullptr) {
    *wanted = summary;
  } else if (a.json) {
    std::fputs((summary.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n").c_str(), stdout);
  } else {
    print_summary(a, summary);
  }
  for (const std::string& words : failures)
    fmt::print(stderr, "throng: {}: {}{}\n", scenario->name, words, a.allow_lost ? "" : " (--allow-lost makes this no failure)");
  return status;
}

void add_run(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<RunArguments>();
  CLI::App* verb = app.add_subcommand("run", "simulate a scenario: recording and summary");
  verb->add_option(
          "SCENARIO", a->scenario,
          "a scenario file, the name of one that comes with the program, such as bottleneck, or a recording to run again")
      ->required();
  verb->add_option("-o,--output", a->output, "DIR for recording.throng and summary.json (default: neither is written)");
  verb->add_option("--threads", a->threads, "0: one per core; results do not depend on it")->capture_default_str();
  verb->add_option("--duration", a->overrides.duration, "simulated seconds, instead of the scenario's")
      ->check(CLI::Range(0.0, 1e7));
  verb->add_option("--seed", a->overrides.seed, "of all random numbers, instead of the scenario's")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--model", a->overrides.model, "motion model of everybody, instead of the scenario's");
  verb->add_option("--from", a->from, "of a recording: go on from this moment, seconds (default: from its start)")
      ->check(CLI::Range(0.0, 1e7));
  verb->add_flag("--allow-lost", a->allow_lost,
                 "exit status 0 although people are lost at the end, found no room, or none of those whose plan ends arrived");
  verb->add_option(
          "--seeds", a->seeds,
          "run with several seeds, each on one thread: N for the seeds 1 to N, or a list such as 3,14,15; mean, spread and "
          "percentiles over the runs, with -o as seeds.json with the summary of each")
      ->delimiter(',');
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->add_flag("--json", a->json, "the summary as one JSON document on stdout");
  verb->footer(
      "Exit status: 0; 1 if people are lost or found no room, if nobody arrives, or for bad input; 2 for wrong usage;\n"
      "130 and 143 after SIGINT and SIGTERM, with the recording whole up to there.\n"
      "Example: throng run bottleneck -o out/bottleneck --threads 2");
  verb->callback([a, &outcome] { outcome.status = a->seeds.empty() ? run_scenario(*a) : run_seeds(*a); });
}

}  // namespace throng::cli
