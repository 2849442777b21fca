// SPDX-License-Identifier: MIT
// What a run comes to, as summary.json has it (docs/formats/scenario.md, "Summary").
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "scenario/simulation.hpp"

namespace throng::cli {

/// Where the time of a run went, s.
struct RunTimes {
  // Before the first step.
  double reading = 0, baking = 0, placing = 0;
  /// From the first step to the end of the recording, and what of it went into steps and into recording.
  double wall = 0, stepping = 0, recording = 0;
  int signal = 0;  ///< that stopped it; 0: none

  /// The run begins: what was done before (a continued run brings it along) is none of its time.
  void begin(const Simulation& simulation);
  std::vector<double> phases_before;
  std::uint64_t agent_steps_before = 0;
};

nlohmann::ordered_json summarise(const Simulation& simulation, const RunTimes& times);

}  // namespace throng::cli
