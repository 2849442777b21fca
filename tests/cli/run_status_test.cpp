// SPDX-License-Identifier: MIT
// The exit status of `throng run`, the figures behind it, where a run's time went, and runs with several seeds.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "support/tree.hpp"
#include "trajectory/recording.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class CliRunStatus : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("throng_status_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  int run(const std::string& words, const std::string& before = "timeout 300") {
    const std::string command = "cd '" + folder_.string() + "' && " + before + " '" + test::binary_dir().string() +
                                "/bin/throng' " + words + " >stdout 2>stderr";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  json document(const std::string& name = "stdout") const { return json::parse(read(name), nullptr, false); }
  /// Two rooms of 9 × 10 m, with a door of 2 m between them or none.
  void write_rooms(const std::string& name, bool has_door, const std::string& rest) {
    const std::string walls = has_door ? "[[[9.8,0],[10.2,0],[10.2,4],[9.8,4]],[[9.8,6],[10.2,6],[10.2,10],[9.8,10]]]"
                                       : "[[[9.8,0],[10.2,0],[10.2,10],[9.8,10]]]";
    std::ofstream(folder_ / name)
        << R"({"throng_scenario": 1, "name": "rooms", "scene": {"throng_scene": 1, "walkable": [[[0,0],[20,0],[20,10],[0,10]]],
          "obstacles": )"
        << walls << R"(, "areas": [{"name": "door", "polygon": [[9.8,4],[10.2,4],[10.2,6],[9.8,6]]}]},
          "areas": {"west": {"box": [0,0,9,10]}, "east": {"box": [11,0,20,10]}, "near": {"box": [5,0,9,10]}}, )"
        << rest << "}";
  }
  bool says(const std::string& words) const { return read("stderr").find(words) != std::string::npos; }
  fs::path path(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

TEST_F(CliRunStatus, is_one_with_a_line_where_people_are_lost_at_the_end) {
  const std::string rest = R"("plans": {"cross": {"goals": ["east"], "end": "leave"}, "stay": {"goals": ["near"]}},
    "populations": [{"count": 3, "area": "west", "plan": "cross"}, {"count": 3, "area": "west", "plan": "stay"}], "settings": {"duration": 30})";
  write_rooms("closed.json", false, rest);
  EXPECT_EQ(run("run closed.json --quiet --json"), 1);
  EXPECT_TRUE(says("3 agents are lost at the end")) << read("stderr");
  EXPECT_EQ(document()["at_end"]["lost"], 3);
  EXPECT_EQ(document()["failures"].size(), 1u);
  EXPECT_EQ(run("run closed.json --quiet --allow-lost --json"), 0);
  EXPECT_EQ(document()["at_end"]["lost"], 3) << "counted all the same";
  // The control: with a door.
  write_rooms("open.json", true, rest);
  EXPECT_EQ(run("run open.json --quiet --json"), 0) << read("stderr");
  EXPECT_EQ(document()["at_end"]["lost"], 0);
  EXPECT_EQ(document()["ending"], (json{{"agents", 6}, {"arrived", 6}}));
}

TEST_F(CliRunStatus, is_zero_where_people_were_lost_for_a_while) {
  write_rooms("again.json", true, R"("plans": {"cross": {"goals": ["east"], "end": "leave"}},
    "populations": [{"count": 6, "area": "west", "plan": "cross"}],
    "events": [{"time": 0, "actions": [{"close_door": "door"}]}, {"time": 10, "actions": [{"open_door": "door"}]}],
    "settings": {"duration": 60})");
  EXPECT_EQ(run("run again.json --quiet --json"), 0) << read("stderr");
  EXPECT_EQ(document()["lost"], 6);
  EXPECT_EQ(document()["at_end"]["lost"], 0);
  EXPECT_EQ(document()["arrived"], 6);
}

TEST_F(CliRunStatus, is_one_with_a_line_where_people_found_no_room) {
  write_rooms("full.json", true, R"("plans": {"near": {"goals": ["near"]}},
    "populations": [{"count": 2000, "area": "west", "plan": "near"}], "settings": {"duration": 5})");
  EXPECT_EQ(run("run full.json --quiet --json"), 1);
  const json summary = document();
  const auto dropped = summary["at_end"]["dropped"].get<std::uint64_t>();
  EXPECT_GT(dropped, 1000u);
  EXPECT_EQ(dropped + summary["agents"].get<std::uint64_t>(), 2000u);
  EXPECT_TRUE(says(std::to_string(dropped) + " agents found no room")) << read("stderr");
  EXPECT_EQ(run("run full.json --quiet --allow-lost"), 0);
  EXPECT_NE(read("stdout").find(std::to_string(dropped) + " dropped for want of room"), std::string::npos) << read("stdout");
}

TEST_F(CliRunStatus, is_one_with_a_line_where_nobody_arrives_whose_plan_ends) {
  for (const char* end : {"leave", "stay"}) {
    write_rooms("far.json", true, R"("plans": {"cross": {"goals": ["east"], "end": ")" + std::string(end) + R"("}},
      "populations": [{"count": 6, "area": "west", "plan": "cross"}])");
    EXPECT_EQ(run("run far.json --quiet --duration 0.5 --json"), 1) << end;
    EXPECT_TRUE(says("no agent arrived: the plans of 6 agents end")) << read("stderr");
    EXPECT_EQ(document()["at_end"]["under_way"], 6);
    EXPECT_EQ(run("run far.json --quiet --duration 0.5 --allow-lost"), 0);
    EXPECT_EQ(run("run far.json --quiet --duration 40"), 0) << read("stderr");
  }
}

TEST_F(CliRunStatus, is_zero_where_some_have_arrived_and_others_are_under_way) {
  write_rooms("late.json", true, R"("plans": {"cross": {"goals": ["east"], "end": "leave"}, "near": {"goals": ["near"]}},
    "populations": [{"count": 6, "area": "west", "plan": "cross", "pre_movement": 100}, {"count": 2, "area": "near", "plan": "near"}],
    "settings": {"duration": 10})");
  EXPECT_EQ(run("run late.json --quiet --json"), 0) << read("stderr");
  EXPECT_EQ(document()["at_end"]["under_way"], 6);
  EXPECT_EQ(document()["at_end"]["at_goal"], 2);
}

TEST_F(CliRunStatus, is_zero_for_rounds_wandering_and_flows_and_they_are_counted) {
  ASSERT_EQ(run("run groups_small --quiet --duration 3 --json"), 0) << read("stderr");
  EXPECT_EQ(document()["at_end"]["looping"], 60);
  ASSERT_EQ(run("run open_plaza --quiet --duration 3 --json"), 0) << read("stderr");
  EXPECT_EQ(document()["at_end"]["wandering"], 400);
  ASSERT_EQ(run("run cars --quiet --duration 3 --json"), 0) << read("stderr");
  EXPECT_EQ(document()["at_end"]["looping"], document()["agents"]) << "agents of a flow walk to and fro";
  write_rooms("idle.json", true, R"("populations": [{"count": 3, "area": "west"}])");
  ASSERT_EQ(run("run idle.json --quiet --duration 3 --json"), 0) << read("stderr");
  EXPECT_EQ(document()["at_end"]["without_plan"], 3);
  EXPECT_EQ(document()["failures"], json::array());
}

/// All of them, long enough that somebody has arrived where plans end.
TEST_F(CliRunStatus, is_as_it_should_be_for_each_named_scenario) {
  const std::map<std::string, std::pair<int, int>> expected{
#include "run_status_table.inc"
  };
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(test::source_dir() / "scenes"))
    if (entry.path().extension() == ".json") files.insert(entry.path().stem().string());
  for (const std::string& name : files) {
    ASSERT_TRUE(expected.contains(name)) << name << " is missing in the table";
    const auto [status, duration] = expected.at(name);
    EXPECT_EQ(run("run " + name + " --quiet --threads 2 --duration " + std::to_string(duration)), status)
        << name << read("stderr");
  }
  EXPECT_EQ(files.size(), expected.size());
}

TEST_F(CliRunStatus, is_128_and_the_signal_after_one_with_the_recording_whole_up_to_there) {
  const std::pair<const char*, int> signals[] = {{"INT", 130}, {"TERM", 143}};
  for (const auto& [name, status] : signals) {
    EXPECT_EQ(run("run open_plaza -o out --duration 100000 --quiet",
                  "timeout --foreground --preserve-status -s " + std::string(name) + " 2"),
              status)
        << read("stderr");
    const json summary = document("out/summary.json");
    ASSERT_TRUE(summary.is_object());
    EXPECT_EQ(summary["interrupted"], true);
    EXPECT_EQ(summary["signal"], status - 128);
    EXPECT_EQ(summary["at_end"]["wandering"], 400);
    const auto recording = Recording::open(path("out/recording.throng").string());
    ASSERT_TRUE(recording);
    EXPECT_EQ(recording->ended_early(), "");
    EXPECT_EQ(recording->frame_count(), summary["steps"].get<std::uint64_t>() / 2 + 1);
    EXPECT_NE(read("stdout").find("stopped by signal"), std::string::npos);
  }
}

TEST_F(CliRunStatus, the_figures_of_time_account_for_the_whole_run) {
  const auto began = std::chrono::steady_clock::now();
  ASSERT_EQ(run("run open_plaza -o out --duration 120 --quiet --threads 1 --json"), 0) << read("stderr");
  const double outside = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const json s = document();
  double shares = 0, start = 0;
  for (const auto& [name, share] : s["phases"].items()) shares += share.get<double>();
  for (const auto& [name, seconds] : s["start_s"].items()) start += seconds.get<double>();
  EXPECT_NEAR(shares, 1, 1e-6);
  for (const char* name : {"contacts", "count", "scenario", "recording", "other"})
    EXPECT_TRUE(s["phases"].contains(name)) << name;
  EXPECT_GT(s["phases"]["recording"], 0);
  EXPECT_EQ(s["agent_steps"], 400 * 1200);
  const double inside = 1e-9 * s["ns_per_agent_step"].get<double>() * s["agent_steps"].get<double>();
  EXPECT_NEAR(inside, s["wall_s"].get<double>(), 1e-6);
  const double all = start + inside + s["end_s"].get<double>();
  EXPECT_LT(all, outside);
  EXPECT_GT(all, 0.7 * outside) << "a short run on a busy machine: the program's own start counts";
}

TEST_F(CliRunStatus, several_seeds_give_the_spread_of_the_runs_with_each_seed) {
  ASSERT_EQ(run("run rules_crossing_groups --seeds 4 -o out --duration 60 --quiet --json --threads 2"), 0) << read("stderr");
  const json all = document();
  EXPECT_EQ(all, document("out/seeds.json"));
  EXPECT_EQ(all["seeds"], json({1, 2, 3, 4}));
  double sum = 0, least = 1e9, most = 0;
  std::set<std::string> hashes;
  for (int seed = 1; seed <= 4; ++seed) {
    ASSERT_EQ(run("run rules_crossing_groups --duration 60 --quiet --json --seed " + std::to_string(seed)), 0);
    const json one = document();
    EXPECT_EQ(all["runs"][seed - 1]["seed"], seed);
    EXPECT_EQ(all["runs"][seed - 1]["summary"]["hash"], one["hash"]) << "the run that --seed gives";
    hashes.insert(one["hash"].get<std::string>());
    const double last = one["last_arrival_s"].get<double>();
    sum += last;
    least = std::min(least, last);
    most = std::max(most, last);
  }
  EXPECT_GT(hashes.size(), 1u) << "seeds make a difference";
  const json last = all["figures"]["last arrival, s"];
  EXPECT_EQ(last["runs"], 4);
  EXPECT_NEAR(last["mean"].get<double>(), sum / 4, 1e-9);
  EXPECT_NEAR(last["low"].get<double>(), least, 1e-9);
  EXPECT_NEAR(last["high"].get<double>(), most, 1e-9);
  EXPECT_GT(last["deviation"], 0);
  // Listed seeds, on one thread: the same runs.
  ASSERT_EQ(run("run rules_crossing_groups --seeds 2,4 --duration 60 --quiet --json --threads 1"), 0) << read("stderr");
  EXPECT_EQ(document()["runs"][1]["summary"]["hash"], all["runs"][3]["summary"]["hash"]);
  ASSERT_EQ(run("run rules_crossing_groups --seeds 2 --duration 60 --quiet"), 0);
  EXPECT_NE(read("stdout").find("last arrival, s"), std::string::npos) << read("stdout");
  EXPECT_EQ(run("run rules_crossing_groups --seeds 2 --duration 0.5 --quiet"), 1);
  EXPECT_TRUE(says("seed 2: no agent arrived")) << read("stderr");
  EXPECT_EQ(run("run rules_crossing_groups --seeds 0"), 2);
  EXPECT_EQ(run("run rules_crossing_groups --seeds 3,3"), 2);
  EXPECT_EQ(run("run rules_crossing_groups --seeds 3 --seed 1"), 2);
}

}  // namespace
}  // namespace throng
