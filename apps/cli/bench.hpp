// SPDX-License-Identifier: MIT
#pragma once
#include <CLI/App.hpp>

#include "common.hpp"

namespace throng::cli {

void add_bench_paths(CLI::App& bench, Outcome& outcome);
void add_bench_bake(CLI::App& bench, Outcome& outcome);
void add_bench_crowd(CLI::App& bench, Outcome& outcome);
void add_bench_levels(CLI::App& bench, Outcome& outcome);
void add_bench_neighbours(CLI::App& bench, Outcome& outcome);
void add_bench_graph(CLI::App& bench, Outcome& outcome);
void add_bench_flows(CLI::App& bench, Outcome& outcome);

}  // namespace throng::cli
