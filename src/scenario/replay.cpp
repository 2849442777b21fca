// SPDX-License-Identifier: MIT
#include "scenario/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>
#include <optional>

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

}  // namespace

Result<Scenario> scenario_of(const Recording& recording, const ScenarioOverrides& overrides) {
  const std::string name = "the scenario in " + recording.name();
  if (recording.header().scenario.empty())
    return Problem{recording.name(), "it holds no scenario", "only recordings of `throng run` can be recomputed"};
  return read_scenario(recording.header().scenario, name, open_scenes_from({}), overrides);
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
  Recomputation found;
  const auto note = [&](bool is_equal) {
    if (!is_equal && found.mismatches++ == 0) found.first_mismatch = simulation.world().steps();
  };
  bool is_restored = false;
  for (const ChunkPlace& chunk : recording.chunks()) {
    if (chunk.header.kind != ChunkKind::kSnapshot) continue;
    if (chunk.header.first > step_limit(recording)) return beyond_the_end(recording, chunk.header.first);
    if (is_restored) {
      for (; simulation.world().steps() < chunk.header.first; ++found.steps) simulation.step();
      const Result<std::string> bytes = recording.read(chunk);
      if (!bytes) return bytes.problems();
      note(simulation.snapshot() == *bytes);
    }
    // Each stretch starts from what the run wrote, so that one mismatch does not make all later ones.
    if (const Result<bool> restored = restore(recording, chunk, simulation); !restored) return restored.problems();
    is_restored = true;
    ++found.snapshots;
  }
  if (!is_restored) return Problem{recording.name(), "it holds no snapshots", "record with outputs.snapshot_every above 0"};
  if (const auto end = end_of(recording)) {
    if (end->steps > step_limit(recording)) return beyond_the_end(recording, end->steps);
    for (; simulation.world().steps() < end->steps; ++found.steps) simulation.step();
    note(fmt::format("{:016x}", simulation.hash()) == end->hash);
  }
  return found;
}

}  // namespace throng
