// SPDX-License-Identifier: MIT
// What a run comes to, as summary.json has it (docs/formats/scenario.md, "Summary").
#pragma once
#include <nlohmann/json.hpp>

#include "scenario/simulation.hpp"

namespace throng::cli {

struct RunTimes {
  double wall = 0;  ///< s, of all steps
  bool was_interrupted = false;
};

nlohmann::ordered_json summarise(const Simulation& simulation, const RunTimes& times);

}  // namespace throng::cli
