// SPDX-License-Identifier: MIT
// `throng check` on files with one mistake each, and beside each its control: the same file mended, without a finding.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class CheckVerb : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("throng_check_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  int run(const std::string& words) {
    const std::string command = "cd '" + folder_.string() + "' && timeout 100 '" + test::binary_dir().string() + "/bin/throng' " +
                                words + " >stdout 2>stderr";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& name, const std::string& content) { std::ofstream(folder_ / name) << content; }
  json findings_of(const std::string& words) {
    run("check " + words + " --json");
    const json document = json::parse(read("stdout"), nullptr, false);
    EXPECT_TRUE(document.is_object() && document.contains("findings")) << read("stdout") << read("stderr");
    return document.value("findings", json::array());
  }
  /// The file has exactly one finding, of this code, which says these words; mended it has none.
  void expect_one(const std::string& name, const std::string& wrong, const std::string& mended, const std::string& code,
                  std::initializer_list<const char*> says, const std::string& severity) {
    SCOPED_TRACE(code);
    write(name, wrong);
    const json found = findings_of(name);
    ASSERT_EQ(found.size(), 1u) << found.dump(1);
    EXPECT_EQ(found[0].at("code"), code);
    EXPECT_EQ(found[0].at("severity"), severity);
    EXPECT_FALSE(found[0].at("where").get<std::string>().empty());
    const std::string words = found[0].at("what").get<std::string>() + " | " + found[0].at("fix").get<std::string>();
    for (const char* word : says) EXPECT_NE(words.find(word), std::string::npos) << word << "\n" << words;
    EXPECT_EQ(run("check " + name), severity == "error" ? 1 : 0);
    write("mended_" + name, mended);
    EXPECT_EQ(findings_of("mended_" + name).size(), 0u) << read("stdout");
  }

 private:
  fs::path folder_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// A floor, stairs that rise 4 m over 6 m of plan, and a floor on top. People walk up.
const std::string kStoreys = R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "layers": [
    {"name": "ground", "walkable": [[[0, 0], [20, 0], [20, 10], [0, 10]]]},
    {"name": "stairs", "elevation": -13.333, "slope": [0.66667, 0], "walkable": [[[20, 4], [26, 4], [26, 6], [20, 6]]]},
    {"name": "upper", "elevation": 4, "walkable": [[[26, 0], [40, 0], [40, 10], [26, 10]]]}],
  "joints": [{"layers": ["ground", "stairs"], "line": [[20, 4], [20, 6]]},
             {"layers": ["stairs", "upper"], "line": [[26, 4], [26, 6]]}]},
  "areas": {"hall": {"box": [1, 1, 8, 9], "layer": "ground"}, "roof": {"box": [32, 1, 39, 9], "layer": "upper"}},
  "plans": {"up": {"goals": ["roof"], "end": "leave"}},
  "populations": [{"area": "hall", "count": 5, "plan": "up"}],
  "measurements": {"lines": {"half way": {"from": [23, 4], "to": [23, 6], "layer": "stairs"}}}})";

/// Two rooms and a door 1.2 m wide between them.
const std::string kDoor = R"({"throng_scenario": 1, "scene": {"throng_scene": 1,
    "walkable": [[[0, 0], [20, 0], [20, 10], [0, 10]]],
    "obstacles": [[[9.9, -1], [10.1, -1], [10.1, 4.4], [9.9, 4.4]], [[9.9, 5.6], [10.1, 5.6], [10.1, 11], [9.9, 11]]]},
  "areas": {"in": {"box": [1, 1, 8, 9]}, "out": {"box": [12, 1, 19, 9]}},
  "kinds": {"cart": {"base": "wheelchair", "radius": 0.55}},
  "plans": {"through": {"goals": ["out"], "end": "leave"}},
  "populations": [{"area": "in", "count": 3, "kinds": "cart", "plan": "through"}]})";

TEST_F(CheckVerb, a_landing_off_its_stairs_end) {
  expect_one("landing.json", replaced(kStoreys, R"("elevation": 4)", R"("elevation": 31)"), kStoreys, "joint-heights",
             {"\"stairs\" lies at 4 m", "\"upper\" at 31 m", "elevation"}, "error");
  // The stairs themselves, with the elevation of their foot instead of that at x = 0.
  write("foot.json", replaced(kStoreys, R"("elevation": -13.333)", R"("elevation": 0)"));
  EXPECT_EQ(findings_of("foot.json").size(), 2u) << "both ends are off";
}

TEST_F(CheckVerb, a_line_on_the_wrong_layer) {
  expect_one("line.json", replaced(kStoreys, R"("to": [23, 6], "layer": "stairs")", R"("to": [23, 6], "layer": "ground")"),
             kStoreys, "line-off-ground",
             {"on layer 0 \"ground\"", "on layer 1 \"stairs\" there is some", "write \"layer\": \"stairs\""}, "warning");
}

TEST_F(CheckVerb, a_goal_on_the_wrong_layer) {
  expect_one("goal.json", replaced(kStoreys, R"([32, 1, 39, 9], "layer": "upper")", R"([32, 1, 39, 9], "layer": "stairs")"),
             kStoreys, "people", {"\"roof\" has no walkable ground on layer 1 \"stairs\"", "some on layer 2 \"upper\""}, "error");
}

TEST_F(CheckVerb, an_area_that_nothing_uses_on_the_wrong_layer) {
  const std::string wrong =
      replaced(kStoreys, R"("areas": {)", R"("areas": {"lift": {"box": [36, 1, 38, 3], "layer": "ground"}, )");
  expect_one("area.json", wrong, replaced(wrong, R"([36, 1, 38, 3], "layer": "ground")", R"([36, 1, 38, 3], "layer": "upper")"),
             "area-off-ground", {"on layer 0 \"ground\"", "write \"layer\": \"upper\""}, "warning");
}

TEST_F(CheckVerb, an_area_of_the_scene_on_the_wrong_layer) {
  const std::string wrong =
      replaced(kStoreys, R"("joints": )",
               R"("areas": [{"name": "gate", "layer": "ground", "polygon": [[36, 1], [38, 1], [38, 3], [36, 3]]}], "joints": )");
  expect_one("scene_area.json", wrong, replaced(wrong, R"("layer": "ground", "polygon")", R"("layer": "upper", "polygon")"),
             "area-off-ground", {"layer \"upper\" has ground there"}, "warning");
}

TEST_F(CheckVerb, people_without_a_plan) {
  expect_one("plan.json", replaced(kDoor, R"(, "plan": "through"})", "}"), kDoor, "no-plan",
             {"they stand where they are", "add \"plan\""}, "warning");
  // An event that gives them one is a plan.
  write("later.json",
        replaced(replaced(kDoor, R"(, "plan": "through"})", "}"), R"("populations")",
                 R"("events": [{"time": 5, "actions": [{"set_plan": "through", "population": 0}]}], "populations")"));
  EXPECT_EQ(findings_of("later.json").size(), 0u) << read("stdout");
}

TEST_F(CheckVerb, a_kind_too_wide_for_the_door) {
  expect_one("wide.json", replaced(kDoor, R"("radius": 0.55)", R"("radius": 0.7)"), kDoor, "too-wide",
             {"the kind \"cart\" is 1.40 m wide", "lets 1.20 m through", "from \"in\" to \"out\"", "widen the way"}, "error");
}

TEST_F(CheckVerb, the_widest_of_a_kind_too_wide_for_the_door) {
  expect_one("some_wide.json", replaced(kDoor, R"("radius": 0.55)", R"("radius": {"uniform": [0.5, 0.7]})"), kDoor, "too-wide",
             {"the widest of kind \"cart\"", "lets 1.20 m through"}, "warning");
}

TEST_F(CheckVerb, a_second_goal_behind_a_door_too_narrow) {
  const std::string two = replaced(replaced(kDoor, R"("goals": ["out"])", R"("goals": ["near", "out"])"), R"("areas": {)",
                                   R"("areas": {"near": {"box": [5, 1, 9, 9]}, )");
  expect_one("second.json", replaced(two, R"("radius": 0.55)", R"("radius": 0.7)"), two, "too-wide", {"from \"near\" to \"out\""},
             "error");
}

TEST_F(CheckVerb, a_goal_no_way_leads_to) {
  const std::string closed = replaced(kDoor, "[10.1, 4.4], [9.9, 4.4]", "[10.1, 5.7], [9.9, 5.7]");
  write("closed.json", closed);
  const json found = findings_of("closed.json");
  bool is_told = false;
  for (const json& finding : found) is_told = is_told || (finding.at("code") == "no-way" && finding.at("severity") == "error");
  EXPECT_TRUE(is_told) << found.dump(1);
}

TEST_F(CheckVerb, one_polygon_that_contains_all_others) {
  const std::string feature =
      R"({"type": "Feature", "properties": {PROPERTIES}, "geometry": {"type": "Polygon", "coordinates": [RING]}})";
  const auto polygon = [&](const std::string& ring, const std::string& properties) {
    return replaced(replaced(feature, "RING", ring), "PROPERTIES", properties);
  };
  const auto plan = [&](const std::string& properties) {
    return R"({"type": "FeatureCollection", "units": "metres", "features": [)" +
           polygon("[[0,0],[20,0],[20,10],[0,10],[0,0]]", properties) + "," + polygon("[[3,3],[5,3],[5,5],[3,5],[3,3]]", "") +
           "," + polygon("[[9,3],[11,3],[11,5],[9,5],[9,3]]", "") + "]}";
  };
  expect_one("cad.geojson", plan(""), plan(R"("throng": "walkable")"), "swallows-all",
             {"contains all other outlines of the layer (2)", "one solid block", "\"throng\": \"walkable\""}, "warning");
  // Rooms inside a floor that are walkable as well change nothing.
  expect_one("rooms.wkt", "POLYGON((0 0, 20 0, 20 10, 0 10, 0 0))\nPOLYGON((3 3, 5 3, 5 5, 3 5, 3 3))\n",
             "walkable: POLYGON((0 0, 20 0, 20 10, 0 10, 0 0))\nobstacle: POLYGON((3 3, 5 3, 5 5, 3 5, 3 3))\n", "swallows-all",
             {"contains all other outlines of the layer (1)", "changes nothing", "obstacle:"}, "warning");
}

TEST_F(CheckVerb, the_shipped_scenarios_have_none_of_these) {
  for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / "scenes")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename().string());
    for (const json& finding : findings_of("'" + entry.path().string() + "'"))
      EXPECT_EQ(finding.at("severity"), "note") << finding.dump(1);
  }
}

/// A room whose inner walls are lines: one free in the room, one from the outline, one bent.
const std::string kWalls = R"({"throng_scenario": 1, "scene": {"throng_scene": 1,
    "walkable": [[[0, 0], [20, 0], [20, 10], [0, 10]]],
    "walls": [[[5, 3], [5, 7]], [[10, 0], [10, 4]], [[14, 3], [14, 6], [17, 6]]]},
  "areas": {"in": {"box": [1, 1, 4, 9]}, "out": {"box": [17.5, 1, 19, 9]}},
  "plans": {"through": {"goals": ["out"], "end": "leave"}},
  "populations": [{"area": "in", "count": 3, "plan": "through"}], "settings": {"duration": 2}})";

TEST_F(CheckVerb, floor_plans_of_wall_lines_are_drawn_and_exported) {
  write("walls.json", kWalls);
  EXPECT_EQ(findings_of("walls.json").size(), 0u) << read("stdout");
  ASSERT_EQ(run("run walls.json -o out --allow-lost"), 0) << read("stderr");
  for (const char* show : {"frame", "trails", "density"})
    EXPECT_EQ(run("draw out -o " + std::string(show) + ".png --show " + show), 0) << read("stderr");
  ASSERT_EQ(run("export out -o out.txt"), 0) << read("stderr");
  // What is exported is a scene again, with the walls in it, and the doctor finds no fault with it.
  std::istringstream lines(read("out.txt"));
  std::string geometry;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("# geometry: ")) geometry = line.substr(12);
  ASSERT_FALSE(geometry.empty());
  write("geometry.wkt", geometry);
  EXPECT_EQ(findings_of("geometry.wkt").size(), 0u) << read("stdout");
  ASSERT_EQ(run("bake geometry.wkt --json"), 0) << read("stderr");
  const double area = json::parse(read("stdout")).at("area").get<double>();
  EXPECT_NEAR(area, 200 - 0.03 * (4.03 + 4.015 + 6.03), 0.02) << "14 m of walls, 3 cm thick";
  // No straight line leads through the walls.
  ASSERT_EQ(run("path geometry.wkt --radius 0 --from 4,5 --to 6,5 --json"), 0) << read("stderr");
  EXPECT_GT(json::parse(read("stdout")).at("length").get<double>(), 4);
}

}  // namespace
}  // namespace throng
