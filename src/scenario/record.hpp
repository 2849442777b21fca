// SPDX-License-Identifier: MIT
// What a run hands to its recording: the header, its events, and the present as a frame.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "scenario/simulation.hpp"
#include "trajectory/recording.hpp"

namespace throng {

/// For a recording that begins at the simulation's present. `engine_version`: of the program that writes it.
RecordingHeader recording_header(const Simulation& simulation, std::uint32_t steps_per_frame, const std::string& engine_version);

RecordedEvent recorded_event(const Event& event);

/// The present of a world as a frame. Keeps the columns that a world does not have, so that nothing is allocated for the next
/// one.
class WorldFrame {
 public:
  /// Valid until the next call and until the world's next step.
  FrameColumns of(const World& world);

 private:
  std::vector<float> z_;
  std::vector<std::uint16_t> layer_;
};

}  // namespace throng
