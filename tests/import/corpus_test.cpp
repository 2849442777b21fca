// SPDX-License-Identifier: MIT
// Replays the seeds of the fuzzers, and mutations of them, through the same functions: what was found once stays found.
#include <random>

#include "fixtures.hpp"
#include "fuzz/mutations.hpp"
#include "fuzz/targets.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

class Corpus : public testing::TestWithParam<fuzz::Target> {};

TEST_P(Corpus, every_seed_keeps_the_promises) {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::source_dir() / "tests/fuzz/corpus" / GetParam().name)) {
    SCOPED_TRACE(entry.path().string());
    GetParam().run(slurp(entry.path()));
    ++count;
  }
  EXPECT_GT(count, 0u);
}

TEST_P(Corpus, every_truncation_and_many_mutations_of_the_seeds_keep_the_promises) {
  std::mt19937 random(1);
  for (const auto& entry :
       std::filesystem::directory_iterator(test::source_dir() / "tests/fuzz/corpus" / GetParam().name)) {
    SCOPED_TRACE(entry.path().string());
    const std::string seed = slurp(entry.path());
    fuzz::run_truncations(seed, GetParam().run);
    fuzz::run_mutations(seed, 300, "0123456789-.e[]{},\"<>() ", random, GetParam().run);
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, testing::ValuesIn(fuzz::kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace throng
