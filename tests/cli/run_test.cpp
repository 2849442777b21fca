// SPDX-License-Identifier: MIT
// `throng run` and `throng check` on scenarios, as a user meets them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "scenario/record.hpp"
#include "scenario/simulation.hpp"
#include "support/tree.hpp"
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
        "cd '" + folder_.string() + "' && " + before + " '" + test::binary_dir().string() + "/bin/throng' " + words + " >stdout 2>stderr";
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
  json printed = document("stdout");
  ASSERT_TRUE(printed.is_object()) << "stdout has the document and nothing else";
  EXPECT_TRUE(printed.erase("end_s")) << "which a file cannot tell of itself";
  EXPECT_EQ(printed, summary);
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

/// x and y of everybody at a step of a recording.
std::vector<float> places_at(const Recording& recording, std::uint64_t step) {
  FrameCursor frames(recording, (step - recording.header().first_step) / recording.header().steps_per_frame);
  if (!frames.next()) return {};
  std::vector<float> places(frames.frame().x.begin(), frames.frame().x.end());
  places.insert(places.end(), frames.frame().y.begin(), frames.frame().y.end());
  return places;
}

TEST_F(CliRun, a_recording_goes_on_from_any_moment_as_it_went_on_then) {
  ASSERT_EQ(run("run four_way_crossing -o whole --duration 75 --threads 2"), 0) << read("stderr");
  for (const char* from : {"0", "30.6", "61.4"}) {
    ASSERT_EQ(run("run whole -o part --threads 1 --from " + std::string(from)), 0) << from << read("stderr");
    EXPECT_EQ(document("part/summary.json")["hash"], document("whole/summary.json")["hash"]) << from;
    EXPECT_EQ(document("part/summary.json")["arrived"], document("whole/summary.json")["arrived"]) << from;
    const auto whole = Recording::open(path("whole/recording.throng").string());
    const auto part = Recording::open(path("part/recording.throng").string());
    ASSERT_TRUE(whole && part);
    EXPECT_EQ(part->header().first_step, static_cast<std::uint64_t>(std::lround(10 * std::stod(from))));
    ASSERT_FALSE(places_at(*whole, 720).empty());
    EXPECT_EQ(places_at(*part, 720), places_at(*whole, 720)) << from;
  }
  EXPECT_EQ(run("run whole --from 500"), 1);
  EXPECT_NE(read("stderr").find("beyond its last frame"), std::string::npos) << read("stderr");
  EXPECT_EQ(run("run whole --seed 2"), 1);
  EXPECT_EQ(run("run four_way_crossing --from 3"), 1);
}

TEST_F(CliRun, check_recomputes_a_recording_and_sees_a_step_that_does_not_follow) {
  ASSERT_EQ(run("run four_way_crossing -o out --duration 75"), 0) << read("stderr");
  ASSERT_EQ(run("check out --json"), 0) << read("stderr");
  EXPECT_EQ(document("stdout")["snapshots"], 2);
  EXPECT_EQ(document("stdout")["steps"], 750);
  EXPECT_EQ(document("stdout")["mismatches"], 0);

  // The same run, with somebody put elsewhere just before the second snapshot.
  const auto honest = Recording::open(path("out/recording.throng").string());
  ASSERT_TRUE(honest);
  const auto scenario = read_scenario(honest->header().scenario, "embedded", open_scenes_from({}));
  ASSERT_TRUE(scenario);
  const auto navigation = Navigation::bake(scenario->scene);
  auto simulation = Simulation::create(*scenario, *navigation);
  ASSERT_TRUE(simulation);
  {
    auto writer = RecordingWriter::create(path("forged.throng").string(), honest->header());
    ASSERT_TRUE(writer);
    WorldFrame frame;
    const auto add = [&] { ASSERT_FALSE(writer->add_frame(frame.of(simulation->world()))); };
    ASSERT_FALSE(writer->add_snapshot(0, simulation->snapshot()));
    for (int step = 0; step < 40; ++step) {
      if (step % 2 == 0) add();
      simulation->step();
    }
    World& world = simulation->world();
    const AgentId someone = world.id_at(0);
    ASSERT_TRUE(world.teleport(someone, world.position(someone) + Vec2{0.01, 0}));
    ASSERT_FALSE(writer->add_snapshot(40, simulation->snapshot()));
    add();
  }
  ASSERT_EQ(run("check forged.throng --json"), 1) << read("stderr");
  EXPECT_EQ(document("stdout")["mismatches"], 1);
}

TEST_F(CliRun, an_interrupt_ends_the_run_with_recording_and_summary) {
  // SIGINT after two seconds; a hundred thousand seconds of simulation take longer than that anywhere. In the foreground, since
  // timeout otherwise signals its child and then the group the child is in, and the second interrupt is the one that kills.
  EXPECT_EQ(run("run open_plaza -o out --duration 100000 --quiet", "timeout --foreground --preserve-status -s INT 2"), 130)
      << read("stderr");
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

TEST_F(CliRun, draws_the_potential_field_of_a_set_and_says_which_there_are) {
  ASSERT_EQ(run("run continuum_crossing -o out --duration 6 --quiet --allow-lost"), 0) << read("stderr");
  for (const std::string field : {"potential", "density", "speed", "velocity"}) {
    ASSERT_EQ(run("draw out -o field.svg --show field --set 0 --time 4 --field " + field), 0) << read("stderr");
    EXPECT_NE(read("field.svg").find("to east, 4.0 s"), std::string::npos);
    EXPECT_NE(read("field.svg").find(field == "velocity" ? "speed 0 m/s" : field + " 0"), std::string::npos) << field;
  }
  EXPECT_NE(run("draw out -o field.svg --show field --set 9 --time 4"), 0);
  EXPECT_NE(read("stderr").find("there are 4 sets"), std::string::npos) << read("stderr");
  ASSERT_EQ(run("run corridor_counterflow -o plain --duration 3 --quiet"), 0) << read("stderr");
  EXPECT_NE(run("draw plain -o field.svg --show field"), 0);
  EXPECT_NE(read("stderr").find("nobody follows a potential field"), std::string::npos) << read("stderr");
}

TEST_F(CliRun, groups_are_recorded_measured_and_found_again) {
  ASSERT_EQ(run("run groups_small -o out --duration 60 --quiet --json"), 0) << read("stderr");
  const json summary = document("stdout");
  EXPECT_EQ(summary["groups"]["share"], 1);
  EXPECT_GT(summary["groups"]["abreast"], 0.7);
  ASSERT_EQ(run("groups out --json"), 0) << read("stderr");
  const json groups = document("stdout");
  EXPECT_EQ(groups["people"], 60);
  EXPECT_GE(groups["declared"]["groups"], 20);
  EXPECT_NEAR(groups["declared"]["pair_distance_m"], summary["groups"]["pair_distance_m"], 0.05);
  EXPECT_GE(groups["precision"], 0.8);
  EXPECT_GE(groups["recall"], 0.8);
  ASSERT_EQ(run("draw out -o groups.svg --color group --quiet"), 0) << read("stderr");
  EXPECT_NE(read("groups.svg").find("in a group"), std::string::npos);
  // The control: nobody to find.
  ASSERT_EQ(run("run groups_alone -o alone --duration 60 --quiet"), 0) << read("stderr");
  ASSERT_EQ(run("groups alone --json"), 0) << read("stderr");
  EXPECT_FALSE(document("stdout").contains("declared"));
  EXPECT_LE(document("stdout")["found"]["groups"], 4);
}

}  // namespace
}  // namespace throng
