// SPDX-License-Identifier: MIT
// Simulating a scenario with recording and summary, for `run` and `demo`.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace throng::cli {

struct RunArguments {
  std::string scenario;  ///< or a recording, to be run again or continued
  std::string output;
  unsigned threads = 0;
  ScenarioOverrides overrides;
  std::optional<double> from;  ///< of a recording: where to go on, seconds
  std::vector<std::uint64_t> seeds;  ///< of several runs; one: so many, from 1 on
  bool allow_lost = false;           ///< lost or dropped people, and none that arrive, are no failure
  bool quiet = false, json = false;
};

/// Exit status, with problems reported; the summary is printed, or handed over if somebody asks for it.
int run_scenario(const RunArguments& arguments, nlohmann::ordered_json* summary = nullptr);

}  // namespace throng::cli
