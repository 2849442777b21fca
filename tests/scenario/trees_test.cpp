// SPDX-License-Identifier: MIT
// Scenarios and scenes mutated as JSON trees; `./throng fuzz --trees` does the same for longer.
#include "fixtures.hpp"
#include "fuzz/tree_target.hpp"

namespace throng {
namespace {

TEST(TreeMutations, of_shipped_scenarios_and_scenes_keep_the_promises_and_run) {
  const fuzz::TreeMutator mutator(fuzz::tree_seeds(test::source_dir()));
  constexpr std::uint64_t kMutants = 3000, kStepEvery = 5;
  int read = 0, stepped = 0;
  for (std::uint64_t number = 0; number < kMutants; ++number) {
    const fuzz::TreeOutcome outcome = fuzz::try_tree(mutator.mutant(number), number % kStepEvery == 0);
    read += outcome.is_read;
    stepped += outcome.is_stepped;
  }
  // Mutations that no reader accepts would test nothing behind it.
  EXPECT_GT(read, 500);
  EXPECT_GT(stepped, 100);
}

TEST(TreeFinds, agents_on_a_flow_whose_areas_do_not_exist_are_refused_at_the_flow) {
  const std::string start = R"({"throng_scenario":1,"scene":{"throng_scene":1,"walkable":[[[0,0],[30,0],[30,9],[0,9]]]},)";
  for (const std::string between : {R"(["a","b"])", "[]", R"("a")", "[1, 2]", "null"}) {
    const auto result = read(start + R"("flows":{"f":{"between":)" + between + R"(}},"populations":[{"count":4,"flow":"f"}]})");
    ASSERT_FALSE(result) << between;
    EXPECT_TRUE(result.problems()[0].where.starts_with("test.json /flows/f/between")) << listed_problems(result);
  }
  const auto without = read(start + R"("flows":{"f":{}},"populations":[{"count":4,"flow":"f"}]})");
  ASSERT_FALSE(without);
  EXPECT_EQ(without.problems()[0].where, "test.json /flows/f/between") << listed_problems(without);
}

TEST(TreeFinds, a_problem_with_a_scene_of_a_long_name_stays_short) {
  const auto result = read(R"({"throng_scenario": 1, "scene": ")" + std::string(3000, 'x') + R"("})");
  ASSERT_FALSE(result);
  EXPECT_LT(to_string(result.problems()[0]).size(), 2000u);
}

TEST(TreeMutations, are_functions_of_their_number) {
  const fuzz::TreeMutator one(fuzz::tree_seeds(test::source_dir())), other(fuzz::tree_seeds(test::source_dir()));
  for (std::uint64_t number = 0; number < 100; ++number) EXPECT_EQ(one.mutant(number), other.mutant(number));
  EXPECT_NE(one.mutant(1), one.mutant(1 + fuzz::tree_seeds(test::source_dir()).size()));
}

}  // namespace
}  // namespace throng
