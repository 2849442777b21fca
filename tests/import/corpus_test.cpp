// SPDX-License-Identifier: MIT
// Replays the seeds of the fuzzers, and mutations of them, through the same functions: what was found once stays found.
#include <random>

#include "fixtures.hpp"
#include "fuzz/targets.hpp"

namespace throng {
namespace {

class Corpus : public testing::TestWithParam<fuzz::Target> {};

TEST_P(Corpus, every_seed_keeps_the_promises) {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(THRONG_SOURCE_DIR) / "tests/fuzz/corpus" / GetParam().name)) {
    SCOPED_TRACE(entry.path().string());
    GetParam().run(slurp(entry.path()));
    ++count;
  }
  EXPECT_GT(count, 0u);
}

TEST_P(Corpus, every_truncation_and_many_mutations_of_the_seeds_keep_the_promises) {
  std::mt19937 random(1);
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(THRONG_SOURCE_DIR) / "tests/fuzz/corpus" / GetParam().name)) {
    SCOPED_TRACE(entry.path().string());
    const std::string seed = slurp(entry.path());
    const std::size_t step = seed.size() / 200 + 1;
    for (std::size_t length = 0; length < seed.size(); length += step) GetParam().run(std::string_view(seed).substr(0, length));
    for (int round = 0; round < 300; ++round) {
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
            bytes[at] = "0123456789-.e[]{},\"<>() "[random() % 24];
            break;
        }
      }
      GetParam().run(bytes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, testing::ValuesIn(fuzz::kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace throng
