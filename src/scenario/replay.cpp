// SPDX-License-Identifier: MIT
#include "scenario/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <nlohmann/json.hpp>
#include <optional>

#include "scenario/record.hpp"
#include "scene/builtin.hpp"

namespace throng {
namespace {

Result<bool> restore(const Recording& recording, const ChunkPlace& snapshot, Simulation& simulation) {
  const Result<std::string> bytes = recording.read(snapshot);
  if (!bytes) return bytes.problems();
  const Result<bool> restored = simulation.restore(*bytes);
  if (restored) return true;
  std::vector<Problem> problems = restored.problems();
  const std::string& version = recording.header().engine_version;
  for (Problem& p : problems) {
    p.where = recording.name() + ", snapshot of step " + std::to_string(snapshot.header.first);
    if (version != THRONG_VERSION)
      p.fix = fmt::format("it was written by version {}, this is {}: use that version", version, THRONG_VERSION);
  }
  return problems;
}

/// How the run ended; nothing if it was cut off.
struct RunEnd {
  std::uint64_t steps = 0;
  std::string hash;
};
std::optional<RunEnd> end_of(const Recording& recording) {
  const Result<std::string> text = recording.summary();
  if (!text) return std::nullopt;
  const auto summary = nlohmann::json::parse(*text, nullptr, false);
  if (!summary.is_object() || !summary.contains("steps") || !summary.contains("hash")) return std::nullopt;
  if (!summary["steps"].is_number_unsigned() || !summary["hash"].is_string()) return std::nullopt;
  return RunEnd{summary["steps"], summary["hash"]};
}

/// The step after the last frame's: what claims to lie beyond would be computed for ever.
std::uint64_t step_limit(const Recording& recording) {
  return recording.header().first_step + recording.frame_count() * recording.header().steps_per_frame;
}

Problem beyond_the_end(const Recording& recording, std::uint64_t step) {
  return {recording.name(), fmt::format("step {} is beyond its last frame, step {}", step, step_limit(recording)),
          "ask for an earlier moment; a file that names such a step itself is damaged"};
}

/// Compares recorded frames and events with those of a simulation that takes the same steps again.
class RecordedRun {
 public:
  RecordedRun(const Recording& recording, std::vector<RecordedEvent> events)
      : recording_(recording), frames_(recording), events_(std::move(events)) {}

  /// Compares the present, a step that has just been recomputed or restored.
  void compare_frame(const World& world, Recomputation& found) {
    const RecordingHeader& header = recording_.header();
    const std::uint64_t since = world.steps() - header.first_step;
    if (world.steps() < header.first_step || since % header.steps_per_frame != 0) return;
    const std::uint64_t number = since / header.steps_per_frame;
    if (number >= recording_.frame_count() || (found.frames > 0 && number <= last_)) return;
    frames_.seek(number);
    if (!frames_.next()) return;
    last_ = number;
    ++found.frames;
    if (!is_equal(frames_.frame(), present_.of(world)) && found.frame_mismatches++ == 0) found.first_frame_mismatch = number;
  }

  void note_events(const World& world) {
    for (const Event& event : world.events()) recomputed_.push_back(recorded_event(event));
  }

  /// Recorded events up to where the first snapshot was taken have nothing to be compared with. A recording that was cut off may
  /// have lost the last ones.
  void compare_events(double from, Recomputation& found) const {
    const auto first =
        std::partition_point(events_.begin(), events_.end(), [&](const RecordedEvent& e) { return e.time <= from; });
    const auto recorded = static_cast<std::size_t>(events_.end() - first);
    const bool was_cut_off = !recording_.ended_early().empty();
    for (std::size_t i = 0; i < std::max(recorded, recomputed_.size()); ++i) {
      if (i >= recorded && was_cut_off) break;
      ++found.events;
      found.event_mismatches +=
          i >= recorded || i >= recomputed_.size() || !is_equal(first[static_cast<std::ptrdiff_t>(i)], recomputed_[i]);
    }
  }

 private:
  static bool is_equal(const RecordedEvent& a, const RecordedEvent& b) {
    return a.time == b.time && a.kind == b.kind && a.agent == b.agent && a.text == b.text;
  }

  /// Bit for bit. Frames are sorted by id, rows of a world are not.
  bool is_equal(const FrameView& frame, const FrameColumns& now) {
    if (frame.size() != now.id.size()) return false;
    row_of_.clear();
    for (std::uint32_t row = 0; row < now.id.size(); ++row) row_of_.push_back({now.id[row], row});
    std::sort(row_of_.begin(), row_of_.end());
    const auto differ = [](float a, float b) { return std::bit_cast<std::uint32_t>(a) != std::bit_cast<std::uint32_t>(b); };
    for (std::size_t i = 0; i < row_of_.size(); ++i) {
      const auto [id, row] = row_of_[i];
      if (frame.facts(i).id != id || frame.layer[i] != now.layer[row]) return false;
      if (differ(frame.x[i], now.x[row]) || differ(frame.y[i], now.y[row]) || differ(frame.z[i], now.z[row])) return false;
      if (differ(frame.heading_x[i], now.heading_x[row]) || differ(frame.heading_y[i], now.heading_y[row])) return false;
    }
    return true;
  }

  const Recording& recording_;
  FrameCursor frames_;
  std::vector<RecordedEvent> events_, recomputed_;
  WorldFrame present_;
  std::uint64_t last_ = 0;  ///< frame that was compared
  std::vector<std::pair<std::uint32_t, std::uint32_t>> row_of_;
};

}  // namespace

SceneOpener open_embedded_scenes() {
  return [](const std::string& name) -> Result<Scene> {
    if (auto built_in = make_builtin(name)) return std::move(*built_in);
    return Problem{name.substr(0, 80), "a file is named where the scene itself is needed: recordings hold it",
                   "take a recording that `throng run` wrote"};
  };
}

Result<Scenario> scenario_of(const Recording& recording, const ScenarioOverrides& overrides) {
  const std::string name = "the scenario in " + recording.name();
  if (recording.header().scenario.empty())
    return Problem{recording.name(), "it holds no scenario", "only recordings of `throng run` can be recomputed"};
  return read_scenario(recording.header().scenario, name, open_embedded_scenes(), overrides);
}

Result<bool> go_to_step(const Recording& recording, std::uint64_t step, Simulation& simulation) {
  if (step > step_limit(recording)) return beyond_the_end(recording, step);
  const std::optional<ChunkPlace> snapshot = recording.snapshot_before(step);
  if (!snapshot)
    return Problem{recording.name(), fmt::format("it holds no snapshot at or before step {}", step),
                   "record with outputs.snapshot_every above 0"};
  if (const Result<bool> restored = restore(recording, *snapshot, simulation); !restored) return restored.problems();
  while (simulation.world().steps() < step) simulation.step();
  return true;
}

Result<Replay> Replay::open(const std::string& file, unsigned threads) {
  Result<Recording> recording = Recording::open(file);
  if (!recording) return recording.problems();
  auto parts = std::make_unique<Parts>(Parts{std::move(*recording), {}, {}, {}});
  Result<Scenario> scenario = scenario_of(parts->recording);
  if (!scenario) return scenario.problems();
  parts->scenario = std::move(*scenario);
  Result<Navigation> navigation = Navigation::bake(parts->scenario.scene);
  if (!navigation) return navigation.problems();
  parts->navigation.emplace(std::move(*navigation));
  Result<Simulation> simulation = Simulation::create(parts->scenario, *parts->navigation, threads);
  if (!simulation) return simulation.problems();
  parts->simulation.emplace(std::move(*simulation));
  return Replay(std::move(parts));
}

Result<bool> Replay::go_to_step(std::uint64_t step) {
  Simulation& simulation = *parts_->simulation;
  const std::uint64_t now = simulation.world().steps();
  const std::optional<ChunkPlace> snapshot = parts_->recording.snapshot_before(step);
  if (now > step || (snapshot && snapshot->header.first > now)) return throng::go_to_step(parts_->recording, step, simulation);
  if (step > step_limit(parts_->recording)) return beyond_the_end(parts_->recording, step);
  while (simulation.world().steps() < step) simulation.step();
  return true;
}

Result<bool> Replay::go_to_time(double time) {
  return go_to_step(static_cast<std::uint64_t>(std::llround(std::max(0.0, time) / parts_->scenario.settings.dt)));
}

Result<Recomputation> recompute(const Recording& recording, Simulation& simulation) {
  // All of the file before anything is computed: damage is told at once, and nothing is compared with damaged frames.
  FrameCursor frames(recording);
  while (frames.next()) {
  }
  if (frames.problem()) return *frames.problem();
  Result<std::vector<RecordedEvent>> events = recording.events();
  if (!events) return events.problems();
  RecordedRun recorded(recording, std::move(*events));
  Recomputation found;
  const World& world = simulation.world();
  const auto note = [&](bool is_equal) {
    if (!is_equal && found.mismatches++ == 0) found.first_mismatch = world.steps();
  };
  const auto step_to = [&](std::uint64_t step) {
    for (; world.steps() < step; ++found.steps) {
      simulation.step();
      recorded.note_events(world);
      recorded.compare_frame(world, found);
    }
  };
  const bool was_cut_off = !recording.ended_early().empty();
  std::optional<double> began;
  for (const ChunkPlace& chunk : recording.chunks()) {
    if (chunk.header.kind != ChunkKind::kSnapshot) continue;
    if (chunk.header.first > step_limit(recording)) {
      // A snapshot is written at once and frames by the chunk: a run that is killed can leave one without the frames before it.
      if (was_cut_off) break;
      return beyond_the_end(recording, chunk.header.first);
    }
    if (began) {
      step_to(chunk.header.first);
      const Result<std::string> bytes = recording.read(chunk);
      if (!bytes) return bytes.problems();
      note(simulation.snapshot() == *bytes);
    }
    // Each stretch starts from what the run wrote, so that one mismatch does not make all later ones.
    if (const Result<bool> restored = restore(recording, chunk, simulation); !restored) return restored.problems();
    if (!began) {
      began = world.time();
      recorded.compare_frame(world, found);
    }
    ++found.snapshots;
  }
  if (began) {
    if (const auto end = end_of(recording)) {
      if (end->steps > step_limit(recording)) return beyond_the_end(recording, end->steps);
      step_to(end->steps);
      note(fmt::format("{:016x}", simulation.hash()) == end->hash);
    } else if (recording.frame_count() > 0) {
      step_to(step_limit(recording) - recording.header().steps_per_frame);
    }
    recorded.compare_events(*began, found);
  }
  if (!began) return Problem{recording.name(), "it holds no snapshots", "record with outputs.snapshot_every above 0"};
  return found;
}

}  // namespace throng
