// SPDX-License-Identifier: MIT
// `throng run` and `throng check` on scenarios, as a user meets them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "trajectory/recording.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class CliRun : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("throng_run_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  /// The program's exit status; its words are in stdout and stderr of the folder.
  int run(const std::string& words, const std::string& before = "timeout 100") {
    const std::string command =
        "cd '" + folder_.string() + "' && " + before + " '" THRONG_BINARY_DIR "/bin/throng' " + words + " >stdout 2>stderr";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  json document(const std::string& name) const { return json::parse(read(name), nullptr, false); }
  void write(const std::string& name, const std::string& content) { std::ofstream(folder_ / name) << content; }
  fs::path path(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

TEST_F(CliRun, a_named_scenario_leaves_a_summary_with_every_promised_figure_and_a_recording_of_the_same_run) {
  ASSERT_EQ(run("run corridor_counterflow -o out --duration 20 --threads 2 --json"), 0) << read("stderr");
  const json summary = document("out/summary.json");
  EXPECT_EQ(document("stdout"), summary) << "stdout has the document and nothing else";
  for (const char* key : {"agents", "arrived", "stuck", "steps", "simulated_s", "wall_s", "ns_per_agent_step",
                          "overlaps_per_1000", "deep_overlaps", "before_separate_per_1000", "wall_penetrations", "speed_ratio",
                          "progress_ratio", "hash", "phases", "travel_time_s", "lines", "densities", "problems"})
    EXPECT_TRUE(summary.contains(key)) << key;
  EXPECT_EQ(summary["agents"], 160);
  EXPECT_EQ(summary["steps"], 200);
  double shares = 0;
  for (const auto& [name, share] : summary["phases"].items()) shares += share.get<double>();
  EXPECT_NEAR(shares, 1, 1e-6);
  EXPECT_NEAR(summary["densities"]["corridor"]["mean"].get<double>(), 1, 0.05);

  const auto recording = Recording::open(path("out/recording.throng").string());
  ASSERT_TRUE(recording) << recording.problems()[0].what;
  EXPECT_EQ(recording->ended_early(), "");
  EXPECT_EQ(recording->frame_count(), 101u);
  EXPECT_EQ(json::parse(*recording->summary()), summary);
  // The scenario inside is the one that was run: running it again gives the same hash.
  write("again.json", recording->header().scenario);
  ASSERT_EQ(run("run again.json --threads 1 --json"), 0) << read("stderr");
  EXPECT_EQ(document("stdout")["hash"], summary["hash"]);
  ASSERT_EQ(run("run again.json --seed 2 --json"), 0);
  EXPECT_NE(document("stdout")["hash"], summary["hash"]);
  ASSERT_EQ(run("run again.json --model reactive_2004 --json"), 0);
  EXPECT_NE(document("stdout")["hash"], summary["hash"]);
}

TEST_F(CliRun, an_interrupt_ends_the_run_with_recording_and_summary) {
  // SIGINT after two seconds; a hundred thousand seconds of simulation take longer than that anywhere.
  EXPECT_EQ(run("run open_plaza -o out --duration 100000 --quiet", "timeout --preserve-status -s INT 2"), 0) << read("stderr");
  const json summary = document("out/summary.json");
  ASSERT_TRUE(summary.is_object());
  EXPECT_EQ(summary["interrupted"], true);
  EXPECT_GT(summary["steps"].get<int>(), 0);
  const auto recording = Recording::open(path("out/recording.throng").string());
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->ended_early(), "");
  EXPECT_EQ(recording->frame_count(), summary["steps"].get<std::uint64_t>() / 2 + 1);
}

TEST_F(CliRun, bad_scenarios_are_refused_with_their_places) {
  write("bad.json", R"({"throng_scenario": 1, "scene": "office:3", "populations": [{"count": 5, "plan": "no"}], "setings": {}})");
  for (const char* verb : {"run", "check"}) {
    EXPECT_EQ(run(std::string(verb) + " bad.json --json"), 1) << verb;
    const json problems = document("stdout")["problems"];
    ASSERT_EQ(problems.size(), 2u) << verb;
    EXPECT_EQ(problems[0]["where"], "bad.json /setings") << verb;
    EXPECT_EQ(problems[1]["where"], "bad.json /populations/0/plan") << verb;
  }
  EXPECT_EQ(run("run nothing_of_this_name"), 1);
  EXPECT_NE(read("stderr").find("bottleneck"), std::string::npos) << "it lists what there is";
  EXPECT_EQ(run("run bottleneck -o /proc/nowhere"), 1);
  EXPECT_EQ(run("run bottleneck --model walking"), 1);
  EXPECT_EQ(run("run"), 2);
}

TEST_F(CliRun, check_tells_of_people_without_room) {
  write(
      "full.json",
      R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[4,0],[4,4],[0,4]]]}, "populations": [{"count": 500}]})");
  EXPECT_EQ(run("check full.json"), 0);
  EXPECT_NE(read("stdout").find("found no room"), std::string::npos) << read("stdout");
  EXPECT_EQ(run("check bottleneck"), 0);
}

}  // namespace
}  // namespace throng
