// SPDX-License-Identifier: MIT
// Replays the seeds of the scenario reader's fuzzer, and mutations of them: what was found once stays found.
#include <random>

#include "fixtures.hpp"
#include "fuzz/mutations.hpp"
#include "fuzz/scenario_target.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::source_dir() / "tests/fuzz/corpus/scenario"))
    files.push_back(slurp_file(entry.path()));
  EXPECT_FALSE(files.empty());
  return files;
}

TEST(ScenarioCorpus, every_seed_and_every_part_of_it_keep_the_promises) {
  for (const std::string& seed : seeds()) fuzz::run_truncations(seed, fuzz::scenario);
}

TEST(ScenarioCorpus, mutations_of_the_seeds_keep_the_promises) {
  std::mt19937 random(1);
  for (const std::string& seed : seeds()) fuzz::run_mutations(seed, 500, "0123456789-.e[]{},\" ", random, fuzz::scenario);
}

}  // namespace
}  // namespace throng
