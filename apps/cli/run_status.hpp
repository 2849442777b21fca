// SPDX-License-Identifier: MIT
// The exit status of a run: whether people got where they wanted.
#pragma once
#include <string>
#include <vector>

#include "scenario/outcome.hpp"

namespace throng::cli {

/// What speaks against a run, a sentence each: agents that are lost at its end, agents that found no room, or agents whose plan
/// ends of which none arrived. Empty: nothing does. Loops, wandering, flows and agents under way are no failure.
std::vector<std::string> failures_of(const RunOutcome& outcome);

/// 128 + signal if one has stopped the run, 1 if something speaks against it and nobody has said yes to it, else 0.
int status_of_run(const std::vector<std::string>& failures, int signal, bool allow_lost);

}  // namespace throng::cli
