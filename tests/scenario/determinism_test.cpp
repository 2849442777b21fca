// SPDX-License-Identifier: MIT
// The named scenarios run to the same bits with any number of threads, after a restore, and as they did when the hash was noted.
#include <map>

#include <fmt/format.h>

#include "fixtures.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;
constexpr int kSteps = 100;
constexpr std::uint32_t kMostPeople = 300;  // of a population: the city is large enough without them

/// After kSteps steps. They change whenever a model does; then, and only then, note the value that the failed test prints.
const std::map<std::string, std::uint64_t> kGolden{
    {"open_plaza", 0x0eb0b5d57c3da088},
    {"corridor_counterflow", 0xcac918bce82702f4},
    {"four_way_crossing", 0x7f0877ed49643f47},
    {"bottleneck", 0x95cc4113f635a63c},
    {"circle_swap", 0x255aafd85ae02921},
    {"room_evacuation", 0xc8240bfd8eeffac0},
    {"office", 0x4f4e7b976e00b5ba},
    {"city_rush_hour", 0x5e870379c9352423},
    {"ring_of_stones", 0x082c0b71f439852c},
    {"two_storeys", 0xeebf46c69e664c26},
    {"regions", 0x59199df6c1e5ed8b},
    {"cars", 0x3b553776b9c9f676},
    {"closing_door", 0x24eb8dd7f6249b12},
    {"continuum_crossing", 0xab1dd54383eeea02},
    {"groups_alone", 0x73325e913f5645ca},
    {"groups_small", 0xc4ed198b984824ad},
    {"groups_large", 0x061638693e6716f9},
    {"groups_mixed", 0xbcf97ca3941f84cd},
    {"station_square", 0xc538ff7ae6d28bc6},
    {"rules_open_area", 0xb9fc51e662c27b05},
    {"rules_crossing_groups", 0x1eb66d10a61b258a},
    {"rules_bottleneck", 0xb8d14d842a8ece80},
    {"rules_queue_a", 0x7cfaa5c19702269d},
    {"rules_queue_b", 0xdd42c789fcf973f2},
    {"rules_narrow_passage", 0x1d97af656ec4d268},
    {"rules_640", 0x44a3a7fb488e510c},
    {"boarding_train", 0x48aba1f1b8a6ff12},
    {"pavement", 0xa7e056ab1df19500},
    {"shop_door", 0x926da642b5a6f41b},
};

class NamedScenario : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto scenario = load_scenario(test::source_dir() / "scenes" / (GetParam() + ".json"), {.most_people = kMostPeople});
    ASSERT_TRUE(scenario) << listed_problems(scenario);
    scenario_ = std::move(*scenario);
    auto navigation = Navigation::bake(scenario_.scene);
    ASSERT_TRUE(navigation) << listed_problems(navigation);
    navigation_.emplace(std::move(*navigation));
  }
  Simulation start(unsigned threads = 1) const {
    auto simulation = Simulation::create(scenario_, *navigation_, threads);
    if (!simulation) throw std::runtime_error(listed_problems(simulation));
    return std::move(*simulation);
  }
  static void run(Simulation& simulation, int steps) {
    for (int i = 0; i < steps; ++i) simulation.step();
  }

  Scenario scenario_;
  std::optional<Navigation> navigation_;
};

TEST_P(NamedScenario, has_one_hash_at_every_number_of_threads_and_after_a_restore) {
  Simulation simulation = start();
  run(simulation, kSteps);
  const std::uint64_t expected = simulation.hash();
  for (const unsigned threads : {2u, 4u, 8u}) {
    Simulation other = start(threads);
    run(other, kSteps);
    EXPECT_EQ(other.hash(), expected) << threads << " threads";
  }
  Simulation first = start();
  run(first, kSteps / 2);
  const std::string snapshot = first.snapshot();
  Simulation second = start(2);
  run(second, 7);  // somewhere else
  const auto restored = second.restore(snapshot);
  ASSERT_TRUE(restored) << listed_problems(restored);
  EXPECT_EQ(second.hash(), first.hash());
  EXPECT_EQ(second.snapshot(), snapshot);
  run(second, kSteps - kSteps / 2);
  EXPECT_EQ(second.hash(), expected) << "after a restore";
  EXPECT_EQ(second.snapshot(), simulation.snapshot()) << "with the same tally";

  const auto golden = kGolden.find(GetParam());
  EXPECT_TRUE(golden != kGolden.end() && golden->second == expected)
      << "results changed: if that was meant, note {\"" << GetParam() << "\", 0x" << fmt::format("{:016x}", expected) << "},";
}

INSTANTIATE_TEST_SUITE_P(Scenes, NamedScenario,
                         testing::Values("open_plaza", "corridor_counterflow", "four_way_crossing", "bottleneck", "circle_swap",
                                         "room_evacuation", "office", "city_rush_hour", "ring_of_stones", "two_storeys",
                                         "regions", "cars", "continuum_crossing", "groups_alone", "groups_small", "groups_large",
                                         "groups_mixed", "closing_door", "station_square", "rules_open_area",
                                         "rules_crossing_groups", "rules_bottleneck", "rules_queue_a", "rules_queue_b",
                                         "rules_narrow_passage", "rules_640", "boarding_train", "pavement", "shop_door"),
                         [](const auto& scene) { return scene.param; });

TEST(NamedScenarios, all_files_are_tested) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(test::source_dir() / "scenes"))
    files += entry.path().extension() == ".json";
  EXPECT_EQ(files, 29u);
}

TEST(SimulationSnapshot, damaged_or_foreign_bytes_are_refused_and_change_nothing) {
  const std::string text = hall(
      R"("populations": [{"count": 30, "area": "west", "plan": "cross"}], "sources": [{"area": "west", "rate": 1, "plan": "cross"}],
      "measurements": {"lines": {"l": {"from": [10, 0], "to": [10, 10]}}, "areas": ["middle"]})");
  Simulation simulation = start(text);
  for (int i = 0; i < 80; ++i) simulation.step();
  const std::string good = simulation.snapshot();
  const std::uint64_t hash = simulation.hash();
  for (std::size_t at = 0; at < good.size(); at += good.size() / 97 + 1) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    EXPECT_FALSE(simulation.restore(bytes)) << at;
    EXPECT_FALSE(simulation.restore(good.substr(0, at))) << at;
  }
  EXPECT_FALSE(simulation.restore(""));
  EXPECT_FALSE(start(hall(R"("populations": [{"count": 30, "area": "east"}])")).restore(good));
  EXPECT_EQ(simulation.hash(), hash);
  EXPECT_TRUE(simulation.restore(good));
}

TEST(Simulation, another_seed_gives_another_run_and_the_same_seed_the_same) {
  const std::string people = R"("populations": [{"count": 40, "area": "west", "plan": "cross"}], "settings": {"seed": )";
  const auto hash_of_seed = [&](int seed) {
    Simulation simulation = start(hall(people + std::to_string(seed) + "}"));
    for (int i = 0; i < 30; ++i) simulation.step();
    return simulation.hash();
  };
  EXPECT_EQ(hash_of_seed(1), hash_of_seed(1));
  EXPECT_NE(hash_of_seed(1), hash_of_seed(2));
}

}  // namespace
}  // namespace throng
