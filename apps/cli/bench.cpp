// SPDX-License-Identifier: MIT
// throng bench: side-by-side figures. Each benchmark prints what it measured, on what, beside a baseline or a peer, in one run,
// and fails when a result is wrong.
#include "bench.hpp"

#include "common.hpp"

namespace throng::cli {

void add_bench(CLI::App& app, Outcome& outcome) {
  CLI::App* verb = app.add_subcommand("bench", "side-by-side figures: paths, bake, crowd, levels, neighbours, graph, flows");
  verb->require_subcommand(1);
  verb->footer("Example: throng bench paths --sizes 250,2600");
  add_bench_paths(*verb, outcome);
  add_bench_bake(*verb, outcome);
  add_bench_crowd(*verb, outcome);
  add_bench_levels(*verb, outcome);
  add_bench_neighbours(*verb, outcome);
  add_bench_graph(*verb, outcome);
  add_bench_flows(*verb, outcome);
}

}  // namespace throng::cli
