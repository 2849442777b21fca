// SPDX-License-Identifier: MIT
// throng bench: side-by-side figures. Each benchmark prints what it measured, on what, beside a baseline or a peer, in one run,
// and fails when a result is wrong.
#include "bench.hpp"

#include <chrono>

#include "common.hpp"

namespace throng::cli {

Result<nlohmann::json> time_steps(const Timing& timing, const std::function<Result<World>()>& make) {
  nlohmann::json best;
  double best_seconds = 1e300;
  for (std::uint32_t repeat = 0; repeat < timing.repeats; ++repeat) {
    Result<World> world = make();
    if (!world) return world.problems();
    for (std::uint32_t i = 0; i < timing.warm_up; ++i) {
      if (timing.before_step) timing.before_step(*world);
      world->step();
    }
    const std::vector<Phase> before = world->phases();
    double high = 0, updated = 0, speed = 0;
    const auto began = std::chrono::steady_clock::now();
    for (std::uint32_t i = 0; i < timing.steps; ++i) {
      if (timing.before_step) timing.before_step(*world);
      const StepReport& report = world->step();
      high += report.high_level, updated += report.updated, speed += report.speed_ratio;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (seconds >= best_seconds) continue;
    best_seconds = seconds;
    nlohmann::json shares;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double share = (world->phases()[i].seconds - before[i].seconds) / seconds;
      if (share > 0.0005) shares[before[i].name] = share;
    }
    best = {{"steps", timing.steps},
            {"steps_per_second", timing.steps / seconds},
            {"high_level", high / timing.steps},
            {"updated", updated / timing.steps},
            {"speed_ratio", speed / timing.steps},
            {"phases", shares}};
  }
  return best;
}

void add_bench(CLI::App& app, Outcome& outcome) {
  CLI::App* verb = app.add_subcommand("bench",
                                      "side-by-side figures: paths, bake, edits, crowd, levels, neighbours, graph, flows, "
                                      "fields, regions, borders, groups, rules, studio");
  verb->require_subcommand(1);
  verb->footer("Example: throng bench paths --sizes 250,2600");
  add_bench_paths(*verb, outcome);
  add_bench_bake(*verb, outcome);
  add_bench_edits(*verb, outcome);
  add_bench_crowd(*verb, outcome);
  add_bench_levels(*verb, outcome);
  add_bench_neighbours(*verb, outcome);
  add_bench_graph(*verb, outcome);
  add_bench_flows(*verb, outcome);
  add_bench_fields(*verb, outcome);
  add_bench_regions(*verb, outcome);
  add_bench_borders(*verb, outcome);
  add_bench_groups(*verb, outcome);
  add_bench_rules(*verb, outcome);
#ifdef THRONG_HAVE_STUDIO
  add_bench_studio(*verb, outcome);
#endif
}

}  // namespace throng::cli
