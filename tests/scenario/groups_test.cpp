// SPDX-License-Identifier: MIT
// Groups of scenarios: who is in them, where they start, what the tally says, and that a finder to whom nobody told of them finds
// them.
#include <cmath>
#include <map>
#include <set>

#include "fixtures.hpp"
#include "groups/finder.hpp"

namespace throng {
namespace {

const std::string kKinds =
    R"("kinds": {"woman": {"base": "adult"}, "man": {"base": "adult"}, "girl": {"base": "child"}, "little girl": {"base": "girl"}})";

std::string people_in_groups(const std::string& groups, int count = 60, int seed = 1) {
  return hall(kKinds + R"(, "populations": [{"count": )" + std::to_string(count) +
              R"(, "kinds": {"woman": 1, "man": 1, "elderly": 1, "girl": 3, "little girl": 3}, "plan": "cross", "groups": )" +
              groups + R"(}], "settings": {"seed": )" + std::to_string(seed) + "}");
}

TEST(Figures, are_never_twice_in_a_group_and_no_child_is_without_an_adult) {
  const auto scenario = read(people_in_groups(R"({"1": 1})"));
  ASSERT_TRUE(scenario) << listed_problems(scenario);
  const std::vector<Share>& mix = scenario->populations[0].kinds;
  RandomStream bits(1, 0, 1);
  std::map<std::uint32_t, int> drawn;
  for (int i = 0; i < 20000; ++i) {
    const auto size = static_cast<std::uint32_t>(1 + i % 5);
    const std::vector<std::uint32_t> figures = draw_figures(scenario->kinds, mix, size, bits);
    ASSERT_EQ(figures.size(), size);
    EXPECT_EQ(std::set<std::uint32_t>(figures.begin(), figures.end()).size(), size);
    EXPECT_FALSE(scenario->kinds[figures[0]].is_child) << "who leads or walks alone";
    for (const std::uint32_t figure : figures) ++drawn[figure];
  }
  EXPECT_EQ(drawn.size(), 5) << "all are drawn, children too";
}

TEST(Figures, a_child_of_a_child_is_a_child) {
  const auto scenario = read(people_in_groups(R"({"1": 1})"));
  ASSERT_TRUE(scenario);
  for (const Kind& kind : scenario->kinds)
    EXPECT_EQ(kind.is_child, kind.name == "child" || kind.name == "girl" || kind.name == "little girl") << kind.name;
}

TEST(GroupsOfScenarios, start_side_by_side_with_one_plan_and_in_the_sizes_asked_for) {
  for (const int seed : {1, 2, 3}) {
    const Simulation simulation = start(people_in_groups(R"({"2": 1, "3": 1})", 60, seed));
    EXPECT_TRUE(simulation.notices().empty());
    const World& world = simulation.world();
    const World::Columns rows = world.columns();
    ASSERT_EQ(rows.x.size(), 60);
    EXPECT_EQ(touching_pairs(world), 0);
    std::map<std::uint32_t, std::vector<std::size_t>> members;
    for (std::size_t row = 0; row < rows.x.size(); ++row)
      if (rows.group[row] != 0) members[rows.group[row]].push_back(row);
    std::map<std::size_t, int> sizes;
    for (const auto& [group, list] : members) {
      ++sizes[list.size()];
      std::set<std::uint16_t> kinds;
      int adults = 0;
      for (const std::size_t row : list) {
        kinds.insert(rows.kind[row]);
        adults += !simulation.scenario().kinds[rows.kind[row]].is_child;
        double nearest = 1e9;
        for (const std::size_t other : list)
          if (other != row)
            nearest = std::min(nearest, std::hypot(double{rows.x[row]} - rows.x[other], double{rows.y[row]} - rows.y[other]));
        EXPECT_LT(nearest, 1.3);
      }
      EXPECT_EQ(kinds.size(), list.size()) << "no two alike";
      EXPECT_GE(adults, 1);
    }
    EXPECT_GT(sizes[2], 4);
    EXPECT_GT(sizes[3], 4);
    EXPECT_EQ(sizes.size(), 2);
  }
}

TEST(GroupsOfScenarios, are_not_there_without_the_key) {
  Simulation simulation = start(hall(R"("populations": [{"count": 20, "plan": "cross"}])"));
  for (int i = 0; i < 50; ++i) simulation.step();
  EXPECT_TRUE(simulation.world().columns().group.empty());
  EXPECT_EQ(simulation.tally().groups, Cohesion{});
}

TEST(GroupsOfScenarios, walk_together_as_the_tally_says) {
  Simulation simulation = start(people_in_groups(R"({"2": 1})", 16));
  for (int i = 0; i < 100; ++i) simulation.step();
  const Cohesion& groups = simulation.tally().groups;
  EXPECT_GT(groups.in_groups, 0.9 * groups.people);
  EXPECT_NEAR(groups.pair_distance / groups.pairs, 0.8, 0.25);
  EXPECT_NEAR(groups.to_middle / groups.in_groups, 0.5 * groups.pair_distance / groups.pairs, 0.05) << "half of it, for pairs";
  EXPECT_GT(groups.abreast, 0.7 * groups.followers);
}

Scenario mixed(std::uint64_t seed) {
  auto scenario = load_scenario(std::filesystem::path(THRONG_SOURCE_DIR) / "scenes" / "groups_mixed.json", {.seed = seed});
  if (!scenario) throw std::runtime_error(listed_problems(scenario));
  return std::move(*scenario);
}

std::vector<std::vector<std::uint32_t>> declared_in(const World& world) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  const World::Columns rows = world.columns();
  for (std::size_t row = 0; row < rows.x.size(); ++row)
    if (rows.group[row] != 0) members[rows.group[row]].push_back(rows.number[row]);
  std::vector<std::vector<std::uint32_t>> groups;
  for (const auto& [number, list] : members) groups.push_back(list);
  return groups;
}

TEST(FoundGroups, are_those_that_were_declared) {
  PairScore all;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Simulation simulation = start(mixed(seed));
    EXPECT_TRUE(simulation.world().found_groups().empty()) << "nobody has been seen yet";
    for (int i = 0; i < 600; ++i) simulation.step();
    const PairScore score = score_of(simulation.world().found_groups(), declared_in(simulation.world()));
    all.right += score.right, all.wrong += score.wrong, all.missed += score.missed;
    EXPECT_GT(score.precision(), 0.75) << seed;
    EXPECT_GT(score.recall(), 0.75) << seed;
  }
  EXPECT_GE(all.precision(), 0.9);
  EXPECT_GE(all.recall(), 0.9);
}

TEST(FoundGroups, are_next_to_none_where_everybody_walks_alone) {
  auto scenario = load_scenario(std::filesystem::path(THRONG_SOURCE_DIR) / "scenes" / "groups_alone.json");
  ASSERT_TRUE(scenario);
  Simulation simulation = start(*scenario);
  simulation.world().found_groups();
  for (int i = 0; i < 600; ++i) simulation.step();
  std::size_t people = 0;
  for (const auto& group : simulation.world().found_groups()) people += group.size();
  EXPECT_LE(people, 6) << "of 60";
}

TEST(FoundGroups, looking_for_them_changes_nothing) {
  Simulation watched = start(mixed(3)), control = start(mixed(3), 2);
  watched.world().found_groups();
  for (int i = 0; i < 100; ++i) watched.step(), control.step();
  EXPECT_EQ(watched.hash(), control.hash());
  EXPECT_EQ(watched.snapshot(), control.snapshot());
}

}  // namespace
}  // namespace throng
