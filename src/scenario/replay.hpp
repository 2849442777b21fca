// SPDX-License-Identifier: MIT
// Recordings brought back to life: any step of a run recomputed, bit for bit, from the snapshots its recording holds.
//
// A recording embeds its scenario (with the scene) and a snapshot every so many steps. Restoring the last snapshot before a
// moment and stepping on gives the very state the run had, so a run can be rewound and continued without having kept anything
// else.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <throng/result.hpp>

#include "scenario/simulation.hpp"
#include "trajectory/recording.hpp"

namespace throng {

/// Opens built-in scenes, and no files: a scenario that a recording or the studio hands on holds its scene itself.
SceneOpener open_embedded_scenes();

/// The scenario a recording embeds, with changes. Not the seed's, nor people's: another run would not fit its snapshots.
Result<Scenario> scenario_of(const Recording& recording, const ScenarioOverrides& overrides = {});

/// Brings a simulation of the recording's scenario to the state before step number `step`.
Result<bool> go_to_step(const Recording& recording, std::uint64_t step, Simulation& simulation);

/// A recording with a simulation that can be brought to any of its moments.
class Replay {
 public:
  static Result<Replay> open(const std::string& file, unsigned threads = 0);
  const Scenario& scenario() const { return parts_->scenario; }
  const World& world() const { return parts_->simulation->world(); }
  /// To the state before a step. Forward by stepping, otherwise, or where it is far, from a snapshot.
  Result<bool> go_to_step(std::uint64_t step);
  Result<bool> go_to_time(double time);
  Simulation& simulation() { return *parts_->simulation; }
  /// One step on, also beyond the end of the recording.
  void step() { parts_->simulation->step(); }

 private:
  struct Parts {
    Recording recording;
    Scenario scenario;
    std::optional<Navigation> navigation;
    std::optional<Simulation> simulation;
  };
  explicit Replay(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
  std::unique_ptr<Parts> parts_;
};

/// What recomputing a recording has found.
struct Recomputation {
  std::uint64_t snapshots = 0;   ///< that were restored
  std::uint64_t steps = 0;       ///< recomputed
  std::uint64_t mismatches = 0;  ///< stretches that did not end in the bytes of the next snapshot, or in the summary's hash
  std::uint64_t first_mismatch = 0;
  std::uint64_t frames = 0, frame_mismatches = 0;  ///< recorded ones that were compared, and those with other bits
  std::uint64_t first_frame_mismatch = 0;          ///< its number
  std::uint64_t events = 0, event_mismatches = 0;
  bool is_equal() const { return mismatches == 0 && frame_mismatches == 0 && event_mismatches == 0; }
};
/// Recomputes every stretch between two snapshots, and compares each frame and event on the way with the recorded one. Reads the
/// whole file: a damaged chunk is a problem.
Result<Recomputation> recompute(const Recording& recording, Simulation& simulation);

}  // namespace throng
