// SPDX-License-Identifier: MIT
// The verbs on navigation graphs, as a user meets them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Two floors 16 × 12 m, joined by a ramp along y = 5 … 7 through an opening of the upper one.
constexpr const char* kTwoFloors =
    "v 0 0 0\nv 16 0 0\nv 16 12 0\nv 0 12 0\n"
    "v 2 5 0\nv 8 5 3\nv 8 7 3\nv 2 7 0\n"
    "v 8 0 3\nv 16 0 3\nv 16 12 3\nv 8 12 3\n"
    "f 1 2 3 4\nf 5 6 7 8\nf 9 10 11 12\n";

class GraphCli : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("throng_graph_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    std::ofstream(folder_ / "floors.obj") << kTwoFloors;
  }
  void TearDown() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  int run(const std::string& words) {
    const std::string command =
        "cd '" + folder_.string() + "' && timeout 60 '" + test::binary_dir().string() + "/bin/throng' " + words + " >stdout 2>stderr";
    const int status = std::system(command.c_str());
    std::ifstream file(folder_ / "stdout", std::ios::binary);
    out_.assign(std::istreambuf_iterator<char>(file), {});
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
  }
  json ask(const std::string& words) {
    EXPECT_EQ(run(words + " --json --quiet"), 0) << words;
    return json::parse(out_, nullptr, false);
  }
  fs::path folder_;
  std::string out_;
};

TEST_F(GraphCli, BakeCountsWhatItMade) {
  const json graph = ask("bake floors.obj --up z --structure graph");
  for (const char* key : {"discs", "gates", "layers", "components", "covered", "samples", "bytes", "stages"})
    EXPECT_TRUE(graph.contains(key)) << key;
  EXPECT_EQ(graph["layers"], 2);
  EXPECT_EQ(graph["components"], 1);
  EXPECT_GE(graph["covered"].get<double>(), 0.96);
  EXPECT_EQ(ask("bake floors.obj --up z --structure graph --slope 20 --step-height 0.1")["components"], 2)
      << "the ramp is too steep";
  EXPECT_EQ(run("bake floors.obj --up z --structure graph --grid-step 3 --quiet"), 1);
  EXPECT_EQ(run("bake floors.obj --up z --structure graph -o x.nav --quiet"), 2);
}

TEST_F(GraphCli, APathClimbsTheRamp) {
  const json path = ask("path floors.obj --up z --planner graph --from 14,2,0 --to 14,2,3");
  ASSERT_TRUE(path["found"].get<bool>());
  EXPECT_GT(path["length"].get<double>(), 20);
  EXPECT_NEAR(path["points"].front()[2].get<double>(), 0, 0.01);
  EXPECT_NEAR(path["points"].back()[2].get<double>(), 3, 0.01);
  EXPECT_EQ(run("path floors.obj --up z --planner graph --from 90,2,0 --to 14,2,3 --quiet"), 1);
}

TEST_F(GraphCli, AFlowListsItsPathsAndAPictureShowsThem) {
  const json flow = ask("path city:20 --flow --from 3,3 --to 100,100 --flow-max 4 --min-radius 0.75");
  ASSERT_GE(flow["paths"].size(), 1u);
  EXPECT_LE(flow["paths"].size(), 4u);
  EXPECT_GT(flow["time_ms"].get<double>(), 0);
  EXPECT_FALSE(flow.contains("chosen"));
  const json choice = ask("path city:20 --flow --from 3,3 --to 100,100 --flow-max 4 --min-radius 0.75 --choice width");
  double widest = 0;
  for (const json& p : choice["paths"]) widest = std::max(widest, p["narrowest"].get<double>());
  EXPECT_EQ(choice["paths"][choice["chosen"].get<std::size_t>()]["narrowest"].get<double>(), widest);
  for (const json& p : flow["paths"]) {
    EXPECT_GE(p["length"].get<double>(), flow["paths"][0]["length"].get<double>() - 1e-9);
    EXPECT_GT(p["narrowest"].get<double>(), 0);
    EXPECT_FALSE(p["gates"].empty());
  }
  const json picture =
      ask("draw city:20 --structure graph --min-radius 0.75 --flow --from 3,3 --to 100,100 --show clearance -o a.png");
  EXPECT_GE(picture["paths"].get<int>(), 1);
  EXPECT_TRUE(fs::exists(folder_ / "a.png"));
  EXPECT_EQ(run("draw floors.obj --up z --structure graph --sight 20 --seen-from 14,2,0 -o b.svg --quiet"), 0);
}

using LayersCli = GraphCli;

TEST_F(LayersCli, BothFloorsAreBakedAndJoinedByTheRamp) {
  const json baked = ask("bake floors.obj --up z --layers -o floors.nav");
  EXPECT_EQ(baked["layers"], 2);
  EXPECT_GE(baked["joints"].get<int>(), 1);
  EXPECT_EQ(baked["components"], 1);
  EXPECT_EQ(baked["stages"][0]["name"], "sample");
  EXPECT_EQ(ask("bake floors.obj --up z --layers --slope 20 --step-height 0.1")["components"], 2) << "the ramp is too steep";
  for (const char* scene : {"floors.obj --up z --layers", "floors.nav"}) {
    const json path = ask(std::string("path ") + scene + " --from 14,2,0 --to 14,2,3");
    ASSERT_TRUE(path["found"].get<bool>()) << scene;
    EXPECT_GT(path["length"].get<double>(), 20);
    EXPECT_NEAR(path["points"].front()[2].get<double>(), 0, 0.01);
    EXPECT_NEAR(path["points"].back()[2].get<double>(), 3, 0.01);
  }
  EXPECT_EQ(run("bake floors.obj --up z --layers --grid-step 3 --quiet"), 1);
}

TEST_F(LayersCli, PicturesShowAllLayersOrOne) {
  EXPECT_EQ(ask("draw floors.obj --up z --layers --from 14,2,0 --to 14,2,3 -o all.png")["paths"], 1);
  EXPECT_TRUE(fs::exists(folder_ / "all.png"));
  EXPECT_EQ(run("draw floors.obj --up z --layers --layer 1 -o one.svg --quiet"), 0);
  EXPECT_EQ(run("draw floors.obj --up z --layers --layer 9 -o none.svg --quiet"), 1);
}

}  // namespace
}  // namespace throng
