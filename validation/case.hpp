// SPDX-License-Identifier: MIT
// A validation case: something real people, or a guideline, do in numbers, held against a simulation.
//
// Adding a case is adding an entry to one of the lists below (and, where a scenario file describes it, a file in
// validation/scenarios). `throng validate` runs them all and prints one table.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <throng/models.hpp>
#include <throng/result.hpp>

namespace throng {

struct ValidationSettings {
  ReactiveSettings model = reactive();
  std::optional<MotionModel> instead;  ///< a model of another kind, in the guideline's cases; the others vary `model`
  std::uint32_t seeds = 10;            ///< runs of a case that is about chance
  unsigned threads = 1;
};

struct ValidationOutcome {
  bool passed = false;
  std::string measured;    ///< one line for the table
  std::string control;     ///< the same with the behaviour switched off, where there is such a thing; empty otherwise
  nlohmann::json figures;  ///< everything measured, per seed where it matters
};

struct ValidationCase {
  const char* name;       ///< "rimea_1", "lanes"
  const char* what;       ///< one line: the situation
  const char* reference;  ///< what is asked, and by whom
  Result<ValidationOutcome> (*run)(const ValidationSettings& settings);
};

/// The verification tests of the RiMEA guideline (VALIDATION.md): cases_rimea.cpp.
const std::vector<ValidationCase>& rimea_cases();
/// Behaviour of crowds, each beside a control in which its cause is switched off: cases_behaviour.cpp.
const std::vector<ValidationCase>& behaviour_cases();

}  // namespace throng
