// SPDX-License-Identifier: MIT
// Layers of meshes, with their heights, through scene JSON.
#include <gtest/gtest.h>

#include <throng/layers.hpp>

#include "import/import.hpp"
#include "support/meshes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

TEST(HeightsJson, LayersOfAMeshReadBackBakeToTheSameBytes) {
  for (const Mesh& mesh : {two_storeys(), spiral_ramp(2), noise(2000, 20, 3, 3)}) {
    Scene scene;
    scene.name = "layers";
    scene.mesh = mesh;
    const auto split = split_into_layers(scene, {.grid_step = 0.25, .threads = 1});
    ASSERT_TRUE(split);
    const auto again = read_scene_json(write_scene_json(split->scene), "again");
    ASSERT_TRUE(again) << to_string(again.problems()[0]);
    const auto one = Navigation::bake(split->scene, {.threads = 1}), two = Navigation::bake(*again, {.threads = 1});
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->save(), two->save());
  }
}

std::string problem_of(const std::string& heights) {
  const auto scene =
      read_scene_json(R"({"throng_scene": 1, "walkable": [[[0,0],[4,0],[4,4],[0,4]]], "heights": )" + heights + "}", "hall");
  return scene ? "" : to_string(scene.problems()[0]);
}

TEST(HeightsJson, MistakesSayWhereTheyAre) {
  EXPECT_EQ(problem_of(R"({"origin": [0, 0], "step": 0.5, "rise": 0.3, "runs": [[0, 0, 1, 1.5], [0, 4, 2], [3, -2, 0]]})"), "");
  EXPECT_EQ(problem_of(R"({"origin": [0, 0], "step": 0.5, "rise": 0.3, "runs": []})"), "");
  const auto says = [](const std::string& heights, const char* words) {
    EXPECT_NE(problem_of(heights).find(words), std::string::npos) << problem_of(heights);
  };
  says("7", "/heights");
  says(R"({"origin": [0, 0], "step": 0.5, "rise": 0.3})", "/heights/runs");
  says(R"({"origin": [0, 0], "step": 0, "rise": 0.3, "runs": []})", "/heights/step");
  says(R"({"origin": [0, 0], "step": 0.5, "rise": 0.3, "runs": [[0, 0]]})", "/heights/runs/0");
  says(R"({"origin": [0, 0], "step": 0.5, "rise": 0.3, "runs": [[0, 0.5, 1]]})", "/heights/runs/0");
  says(R"({"origin": [0, 0], "step": 0.5, "rise": 0.3, "runs": [[0, 99999999, 1]]})", "/heights/runs/0");
  says(R"({"origin": [0, 0], "step": 0.5, "rise": 0.3, "runs": [[0, 0, 1, 1], [0, 1, 2]]})", "/heights/runs/1");
  says(R"({"origin": [0, 0], "step": 0.5, "rise": 0.3, "runs": [[1, 0, 1], [0, 1, 2]]})", "/heights/runs/1");
  says(R"({"origin": [0, 0], "step": 0.5, "rise": 0.3, "runs": [[0, 0, "high"]]})", "/heights/runs/0/2");
}

}  // namespace
}  // namespace throng
