// SPDX-License-Identifier: MIT
// Replays the seeds of the fuzzer of viewers' messages, and mutations of them: what was found once stays found.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "fuzz/mutations.hpp"
#include "fuzz/studio_message_target.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::source_dir() / "tests/fuzz/corpus/studio_message")) {
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    files.push_back(text.str());
  }
  EXPECT_FALSE(files.empty());
  return files;
}

TEST(StudioMessageCorpus, EverySeedAndEveryPartOfItKeepThePromises) {
  for (const std::string& seed : seeds()) fuzz::run_truncations(seed, fuzz::studio_message);
}

TEST(StudioMessageCorpus, MutationsOfTheSeedsKeepThePromises) {
  std::mt19937 random(1);
  for (const std::string& seed : seeds())
    fuzz::run_mutations(seed, 500, "0123456789-.e[]{},:\" \\u", random, fuzz::studio_message);
}

}  // namespace
}  // namespace throng
