// SPDX-License-Identifier: MIT
#pragma once
#include <CLI/App.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include <throng/world.hpp>

#include "common.hpp"

namespace throng::cli {

struct Timing {
  std::uint32_t warm_up = 0;  ///< steps
  std::uint32_t steps = 100;
  std::uint32_t repeats = 1;                ///< the best counts
  std::function<void(World&)> before_step;  ///< if there is anything to do
};
/// Steps of a world that is made anew for each repeat: steps_per_second, the report's means (high_level, updated, speed_ratio)
/// and each phase's share of the time.
Result<nlohmann::json> time_steps(const Timing& timing, const std::function<Result<World>()>& make);

void add_bench_paths(CLI::App& bench, Outcome& outcome);
void add_bench_bake(CLI::App& bench, Outcome& outcome);
void add_bench_edits(CLI::App& bench, Outcome& outcome);
void add_bench_crowd(CLI::App& bench, Outcome& outcome);
void add_bench_levels(CLI::App& bench, Outcome& outcome);
void add_bench_neighbours(CLI::App& bench, Outcome& outcome);
void add_bench_graph(CLI::App& bench, Outcome& outcome);
void add_bench_flows(CLI::App& bench, Outcome& outcome);
void add_bench_fields(CLI::App& bench, Outcome& outcome);
void add_bench_groups(CLI::App& bench, Outcome& outcome);
void add_bench_rules(CLI::App& bench, Outcome& outcome);
void add_bench_regions(CLI::App& bench, Outcome& outcome);
void add_bench_borders(CLI::App& bench, Outcome& outcome);
void add_bench_studio(CLI::App& bench, Outcome& outcome);

}  // namespace throng::cli
