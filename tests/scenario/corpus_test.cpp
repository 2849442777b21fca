// SPDX-License-Identifier: MIT
// Replays the seeds of the scenario reader's fuzzer, and mutations of them: what was found once stays found.
#include <random>

#include "fixtures.hpp"
#include "fuzz/scenario_target.hpp"

namespace throng {
namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(THRONG_SOURCE_DIR) / "tests/fuzz/corpus/scenario"))
    files.push_back(slurp_file(entry.path()));
  EXPECT_FALSE(files.empty());
  return files;
}

TEST(ScenarioCorpus, every_seed_and_every_part_of_it_keep_the_promises) {
  for (const std::string& seed : seeds()) {
    for (std::size_t size = 0; size < seed.size(); size += seed.size() / 200 + 1)
      fuzz::scenario(std::string_view(seed).substr(0, size));
    fuzz::scenario(seed);
  }
}

TEST(ScenarioCorpus, mutations_of_the_seeds_keep_the_promises) {
  std::mt19937 random(1);
  for (const std::string& seed : seeds()) {
    for (int round = 0; round < 500; ++round) {
      std::string bytes = seed;
      for (std::uint32_t change = 0; change <= random() % 4 && !bytes.empty(); ++change) {
        const std::size_t at = random() % bytes.size();
        switch (random() % 4) {
          case 0:
            bytes[at] = static_cast<char>(random());
            break;
          case 1:
            bytes.erase(at, 1 + random() % 8);
            break;
          case 2:
            bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 16));
            break;
          default:
            bytes[at] = "0123456789-.e[]{},\" "[random() % 20];
            break;
        }
      }
      fuzz::scenario(bytes);
    }
  }
}

}  // namespace
}  // namespace throng
