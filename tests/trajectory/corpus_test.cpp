// SPDX-License-Identifier: MIT
// Replays the seeds of the fuzzers of trajectories, and mutations of them: what was found once stays found.
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "fuzz/mutations.hpp"
#include "fuzz/trajectory_targets.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

class TrajectoryCorpus : public testing::TestWithParam<fuzz::TrajectoryTarget> {
 protected:
  std::vector<std::string> seeds() const {
    std::vector<std::string> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(test::source_dir() / "tests/fuzz/corpus" / GetParam().name)) {
      std::ifstream file(entry.path(), std::ios::binary);
      files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    EXPECT_FALSE(files.empty());
    return files;
  }
};

TEST_P(TrajectoryCorpus, every_seed_and_every_part_of_it_keep_the_promises) {
  for (const std::string& seed : seeds()) {
    for (std::size_t size = 0; size <= seed.size(); size += size < 400 ? 1 : 7)
      GetParam().run(std::string_view(seed).substr(0, size));
    GetParam().run(seed);
  }
}

TEST_P(TrajectoryCorpus, mutations_of_the_seeds_keep_the_promises) {
  std::mt19937 random(1);
  for (const std::string& seed : seeds()) fuzz::run_mutations(seed, 2000, "0123456789-.#/: \n", random, GetParam().run);
}

INSTANTIATE_TEST_SUITE_P(Readers, TrajectoryCorpus, testing::ValuesIn(fuzz::kTrajectoryTargets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace throng
