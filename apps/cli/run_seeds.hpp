// SPDX-License-Identifier: MIT
// One scenario with many seeds: what a figure is worth that a single run prints as a fact.
#pragma once
#include "run.hpp"

namespace throng::cli {

/// Runs the scenario once a seed, side by side on the given threads, and prints how each figure is spread over the runs. Exit
/// status as that of a run, of the worst of them.
int run_seeds(const RunArguments& arguments);

}  // namespace throng::cli
