// SPDX-License-Identifier: MIT
// From a scenario file of the suite to the figures of a run: what most cases do, before their rule looks at the figures.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "case.hpp"
#include "scenario/scenario.hpp"
#include "scenario/simulation.hpp"

namespace throng {

/// validation/scenarios/NAME.json, in which everybody follows the model under test.
Result<Scenario> open_case(const std::string& name, const ValidationSettings& settings, std::uint64_t seed = 1);

/// Sees the simulation before the first step and after each.
using CaseWatch = std::function<void(const Simulation& simulation)>;

/// Runs a scenario to its end. That somebody found no room is a problem here: the case would not be the one that was asked for.
Result<Tally> run_case(const Scenario& scenario, const ValidationSettings& settings, const CaseWatch& watch = {});
/// Both in one.
Result<Tally> run_case(const std::string& name, const ValidationSettings& settings, std::uint64_t seed = 1);

}  // namespace throng
