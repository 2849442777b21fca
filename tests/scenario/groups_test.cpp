// SPDX-License-Identifier: MIT
// Groups of scenarios: who is in them, where they start, what the tally says, and that a finder to whom nobody told of them finds
// them.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fixtures.hpp"
#include "groups/finder.hpp"
#include "support/tree.hpp"

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

/// People who come into the hall's west, in groups unless `groups` is empty.
std::string source_of(const std::string& when, const std::string& groups, const std::string& area = "west") {
  return hall(kKinds + R"(, "sources": [{"area": ")" + area + R"(", )" + when +
              R"(, "kinds": {"woman": 1, "man": 1, "elderly": 1, "girl": 3, "little girl": 3}, "plan": "cross")" +
              (groups.empty() ? "" : R"(, "groups": )" + groups) + "}]");
}

/// By group, numbers of the members; those who walk alone are groups of their own, by their negative numbers.
std::map<std::int64_t, std::vector<std::uint32_t>> groups_of(const World& world) {
  std::map<std::int64_t, std::vector<std::uint32_t>> groups;
  const World::Columns rows = world.columns();
  for (std::size_t row = 0; row < rows.x.size(); ++row) {
    const std::uint32_t group = rows.group.empty() ? 0 : rows.group[row];
    groups[group != 0 ? std::int64_t{group} : -std::int64_t{rows.number[row]}].push_back(rows.number[row]);
  }
  return groups;
}
std::map<std::size_t, int> sizes_of(const World& world) {
  std::map<std::size_t, int> sizes;
  for (const auto& [group, members] : groups_of(world)) ++sizes[members.size()];
  return sizes;
}

TEST(GroupsOfSources, come_whole_and_side_by_side_at_the_rate_of_people_who_come_alone) {
  const std::string when = R"("rate": 2, "arrivals": "regular", "limit": 60)";
  Simulation simulation = start(source_of(when, R"({"1": 1, "2": 1, "3": 1})")), control = start(source_of(when, ""));
  std::map<std::size_t, int> sizes;
  std::set<std::uint32_t> seen;
  for (int step = 0; step < 310; ++step) {
    simulation.step();
    control.step();
    const std::uint64_t came = simulation.tally().people, due = control.tally().people;
    EXPECT_LE(came, due) << "nobody before their time";
    EXPECT_LT(due, came + 3) << "at most two wait for a third";
    EXPECT_EQ(simulation.waiting_outside(), due - came);
    const World::Columns rows = simulation.world().columns();
    std::map<std::uint32_t, std::size_t> row_of;
    for (std::size_t row = 0; row < rows.x.size(); ++row) row_of[rows.number[row]] = row;
    for (const auto& [group, members] : groups_of(simulation.world())) {
      const auto old = static_cast<std::size_t>(
          std::count_if(members.begin(), members.end(), [&](std::uint32_t number) { return seen.contains(number); }));
      EXPECT_TRUE(old == 0 || old == members.size()) << "nobody comes after the others";
      if (old > 0) continue;
      // Those who are new have walked for one step.
      seen.insert(members.begin(), members.end());
      ++sizes[members.size()];
      std::set<std::uint16_t> kinds;
      int adults = 0;
      for (const std::uint32_t number : members) {
        const std::size_t row = row_of[number];
        kinds.insert(rows.kind[row]);
        adults += !simulation.scenario().kinds[rows.kind[row]].is_child;
        double nearest = members.size() == 1 ? 0 : 1e9;
        for (const std::uint32_t other : members)
          if (other != number)
            nearest = std::min(
                nearest, std::hypot(double{rows.x[row]} - rows.x[row_of[other]], double{rows.y[row]} - rows.y[row_of[other]]));
        EXPECT_LT(nearest, 1.6) << step;
      }
      EXPECT_EQ(kinds.size(), members.size()) << "no two alike";
      EXPECT_GE(adults, 1);
    }
  }
  EXPECT_EQ(simulation.tally().people, 60u);
  EXPECT_EQ(control.tally().people, 60u);
  for (const std::size_t size : {1, 2, 3}) EXPECT_GT(sizes[size], 3) << size;
  EXPECT_EQ(sizes.size(), 3u);
  EXPECT_TRUE(simulation.notices().empty());
  EXPECT_TRUE(control.world().columns().group.empty()) << "without the key everybody walks alone";
  EXPECT_GT(simulation.tally().groups.in_groups, 0) << "the tally counts them";
}

TEST(GroupsOfSources, the_last_is_cut_to_what_is_left) {
  Simulation limited = start(source_of(R"("rate": 2, "limit": 7)", R"({"3": 1})"));
  while (limited.tally().people < 7) limited.step();
  EXPECT_EQ(sizes_of(limited.world()), (std::map<std::size_t, int>{{1, 1}, {3, 2}}));
  while (!limited.is_done()) limited.step();
  EXPECT_EQ(limited.tally().left, 7u);
  // Five are due while it is open: at 0, 0.5, 1, 1.5 and 2 s.
  Simulation closing = start(source_of(R"("rate": 2, "arrivals": "regular", "until": 2)", R"({"3": 1})"));
  while (closing.world().time() < 1.9) closing.step();
  EXPECT_EQ(closing.tally().people, 3u);
  EXPECT_EQ(closing.waiting_outside(), 1u);
  while (closing.world().time() < 2.2) closing.step();
  EXPECT_EQ(closing.tally().people, 5u);
  EXPECT_EQ(sizes_of(closing.world()), (std::map<std::size_t, int>{{2, 1}, {3, 1}}));
}

TEST(GroupsOfSources, nobody_waits_for_mates_of_a_later_train) {
  Simulation simulation = start(source_of(R"("timetable": [{"at": 1, "count": 5}, {"at": 9, "count": 4}])", R"({"3": 1})"));
  while (simulation.world().time() < 1.2) simulation.step();
  EXPECT_EQ(simulation.tally().people, 5u);
  EXPECT_EQ(sizes_of(simulation.world()), (std::map<std::size_t, int>{{2, 1}, {3, 1}}));
  while (simulation.world().time() < 9.2) simulation.step();
  EXPECT_EQ(simulation.tally().people, 9u);
}

TEST(GroupsOfSources, wait_outside_for_room_for_all_of_them) {
  // Into 1.2 m², where they stay.
  const auto crowded = [](const std::string& groups) {
    std::string text = source_of(R"("rate": 10, "limit": 30)", groups, "nook");
    text.replace(text.find(R"("plan": "cross")"), 15, R"("plan": "stand")");
    text.replace(text.find(R"("plans": {)"), 10, R"("plans": {"stand": {"goals": ["nook"], "end": "stay"}, )");
    text.replace(text.find(R"("areas": {"west")"), 16, R"("areas": {"nook": {"box": [0, 0, 1.2, 1]}, "west")");
    return start(text);
  };
  Simulation simulation = crowded(R"({"3": 1})"), control = crowded("");
  int came_in_parts = 0;
  for (int step = 0; step < 200; ++step) {
    simulation.step();
    control.step();
    EXPECT_EQ(simulation.tally().people % 3, 0u) << "never a part of a group";
    came_in_parts += control.tally().people % 3 != 0;
  }
  EXPECT_GT(came_in_parts, 0);
  EXPECT_GT(simulation.tally().people, 0u);
  EXPECT_GT(simulation.waiting_outside(), 3u);
  ASSERT_EQ(simulation.notices().size(), 1u);
  EXPECT_EQ(simulation.notices()[0].where, "/sources/0");
  for (const auto& [size, count] : sizes_of(simulation.world())) EXPECT_EQ(size, 3u) << count;
}

TEST(GroupsOfSources, give_the_same_run_on_any_number_of_threads_and_after_a_restore_while_a_group_gathers) {
  const std::string text = source_of(R"("rate": 1.5, "arrivals": "regular", "limit": 40)", R"({"1": 1, "3": 2})");
  Simulation simulation = start(text);
  std::vector<std::string> snapshots;
  for (int step = 0; step < 250; ++step) {
    simulation.step();
    if (simulation.waiting_outside() == 2 && snapshots.size() < 3) snapshots.push_back(simulation.snapshot());
  }
  ASSERT_EQ(snapshots.size(), 3u) << "two wait for the third";
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    Simulation same = start(text, threads);
    for (int step = 0; step < 250; ++step) same.step();
    EXPECT_EQ(same.hash(), simulation.hash()) << threads;
  }
  for (const std::string& snapshot : snapshots) {
    Simulation restored = start(text);
    ASSERT_TRUE(restored.restore(snapshot));
    EXPECT_EQ(restored.waiting_outside(), 2u);
    while (restored.world().steps() < 250) restored.step();
    EXPECT_EQ(restored.hash(), simulation.hash());
    EXPECT_EQ(restored.tally().groups, simulation.tally().groups);
    EXPECT_EQ(restored.snapshot(), simulation.snapshot());
  }
}

Scenario mixed(std::uint64_t seed) {
  auto scenario = load_scenario(test::source_dir() / "scenes" / "groups_mixed.json", {.seed = seed});
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
  auto scenario = load_scenario(test::source_dir() / "scenes" / "groups_alone.json");
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
