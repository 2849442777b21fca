// SPDX-License-Identifier: MIT
// The built program as its users meet it: exit codes, one JSON document, files that come back, and bad input that does no harm.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/random.hpp"
#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Outcome {
  int status = -1;  ///< of the program; 124: it did not end in a minute; above 128: a signal ended it
  std::string out, err;
  json document() const { return json::parse(out, nullptr, false); }
};

std::string slurp(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A folder of its own for every test, gone afterwards.
class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("throng_cli_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    write("hall.json", kHall);
  }
  void TearDown() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  Outcome run(const std::string& words) {
    // In the test's folder, with words as a shell takes them.
    const std::string command = "cd '" + folder_.string() + "' && timeout 60 '" + test::binary_dir().string() + "/bin/throng' " + words + " >stdout 2>stderr";
    const int status = std::system(command.c_str());
    Outcome result{WIFEXITED(status) ? WEXITSTATUS(status) : 255, slurp(folder_ / "stdout"), slurp(folder_ / "stderr")};
    return result;
  }
  /// A run that must succeed with one JSON document.
  json ask(const std::string& words) {
    const Outcome result = run(words + " --json");
    EXPECT_EQ(result.status, 0) << words << "\n" << result.err;
    const json document = result.document();
    EXPECT_FALSE(document.is_discarded()) << words << "\n" << result.out;
    return document;
  }
  /// A run that must fail as bad input does: exit 1, a message with a place and what to do, one JSON document.
  void expect_refused(const std::string& words) {
    SCOPED_TRACE(words);
    const Outcome result = run(words + " --json");
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_NE(result.err.find("throng: "), std::string::npos) << result.err;
    const json document = result.document();
    ASSERT_TRUE(document.is_object()) << result.out;
    ASSERT_TRUE(document.contains("problems")) << result.out;
    ASSERT_FALSE(document["problems"].empty());
    for (const json& problem : document["problems"])
      for (const char* field : {"where", "what", "fix"}) EXPECT_FALSE(problem.at(field).get<std::string>().empty()) << result.out;
    EXPECT_LT(result.err.size(), 20000u);
  }

  void write(const std::string& name, const std::string& content) { std::ofstream(folder_ / name, std::ios::binary) << content; }
  fs::path path(const std::string& name) const { return folder_ / name; }

  static constexpr const char* kHall = R"({"throng_scene": 1, "name": "hall",
    "walkable": [[[0, 0], [20, 0], [20, 10], [0, 10]]], "obstacles": [[[9, 0], [11, 0], [11, 8], [9, 8]]]})";

 private:
  fs::path folder_;
};

TEST_F(Cli, WithoutWordsItPrintsHelp) {
  const Outcome alone = run("");
  EXPECT_EQ(alone.status, 0);
  for (const char* verb : {"bake", "path", "draw", "check", "bench", "demo"}) EXPECT_NE(alone.out.find(verb), std::string::npos) << verb;
  for (const char* verb : {"bake", "path", "draw", "check", "demo", "bench paths"}) {
    const Outcome help = run(std::string(verb) + " --help");
    EXPECT_EQ(help.status, 0) << verb;
    EXPECT_NE(help.out.find("Example: throng"), std::string::npos) << verb;
  }
  EXPECT_EQ(run("--version").status, 0);
}

TEST_F(Cli, WrongUsageExitsWithTwo) {
  for (const char* words : {"fly", "bake", "bake hall.json --no-such-option", "bake hall.json --threads many", "path hall.json", "path hall.json --from 1,1",
                            "path hall.json --from 1,1 --to 2,2 --planner magic", "path hall.json --from 1,1 --to 2,2 --radius -1", "draw hall.json",
                            "bake hall.json --key-points 9", "bake hall.json --structure graph_of_sorts"}) {
    const Outcome result = run(words);
    EXPECT_EQ(result.status, 2) << words << "\n" << result.err;
    EXPECT_FALSE(result.err.empty()) << words;
  }
}

TEST_F(Cli, BakeSaysWhatItMade) {
  const json bake = ask("bake hall.json");
  for (const char* field : {"cells", "portals", "walls", "holes", "components", "bottlenecks", "zones", "depth", "stored_paths", "bytes"})
    EXPECT_TRUE(bake.at(field).is_number_unsigned()) << field;
  EXPECT_DOUBLE_EQ(bake.at("area").get<double>(), 200 - 16);
  EXPECT_EQ(bake.at("holes"), 0);
  EXPECT_EQ(bake.at("components"), 1);
  EXPECT_EQ(bake.at("portals").get<int>() - bake.at("cells").get<int>(), bake.at("holes").get<int>() - bake.at("components").get<int>());
  ASSERT_FALSE(bake.at("stages").empty());
  for (const json& stage : bake.at("stages")) {
    EXPECT_FALSE(stage.at("name").get<std::string>().empty());
    EXPECT_GE(stage.at("ms").get<double>(), 0);
  }
  const json city = ask("bake city:60");
  EXPECT_EQ(city.at("doubled_map_area_units"), city.at("doubled_cell_area_units"));
  EXPECT_EQ(city.at("unguarded"), 0);
}

TEST_F(Cli, PathHasTheLengthOfTheFormula) {
  // Round the block's two upper corners, as a point.
  for (const char* planner : {"hierarchy", "zones", "roadmap", "shortest"}) {
    const json path = ask(std::string("path hall.json --from 5,4 --to 15,4 --radius 0 --planner ") + planner);
    EXPECT_EQ(path.at("found"), true);
    EXPECT_NEAR(path.at("length").get<double>(), 2 * std::hypot(4, 4) + 2, 1e-6) << planner;
    EXPECT_TRUE(path.at("portals").is_array());
    ASSERT_GE(path.at("points").size(), 4u);
    EXPECT_EQ(path.at("points").front(), json::array({5.0, 4.0}));
    EXPECT_EQ(path.at("points").back(), json::array({15.0, 4.0}));
    EXPECT_GT(path.at("time_us").get<double>(), 0);
  }
  // Nothing that wide: an answer, not an error.
  EXPECT_EQ(ask("path hall.json --from 4,4 --to 16,4 --radius 1.2").at("found"), false);
  const Outcome words = run("path hall.json --from 5,4 --to 15,4");
  EXPECT_EQ(words.status, 0);
  EXPECT_NE(words.out.find(" m through "), std::string::npos);
}

TEST_F(Cli, AStartInAWallNamesTheNearestFreePoint) {
  expect_refused("path hall.json --from 9.5,4 --to 15,4");
  EXPECT_NE(run("path hall.json --from 9.5,4 --to 15,4").err.find("(8.800, 4.000)"), std::string::npos);
  expect_refused("path hall.json --from 5,4 --to 30,4");
  expect_refused("path hall.json --from 5,north --to 15,4");
  expect_refused("path hall.json --from nan,4 --to 15,4");
  expect_refused("path hall.json --from 5,4 --to 1e30,4");
  expect_refused("path hall.json --from 5,4 --to 15,4 --profile 7");
}

TEST_F(Cli, QueriesAreAnsweredInATable) {
  write("queries.csv", "sx,sy,gx,gy,length\n5,4,15,4,13.3137085\n1,1,1,9,8\n# a comment\n10,4,1,1,5\n");
  const json table = ask("path hall.json --queries queries.csv --radius 0 --planner shortest");
  EXPECT_EQ(table.at("queries"), 3);
  EXPECT_EQ(table.at("found"), 2);
  for (const char* field : {"mean", "median", "p99", "worst"}) EXPECT_GT(table.at("time_us").at(field).get<double>(), 0);
  for (const char* field : {"mean", "p95", "worst"}) EXPECT_NEAR(table.at("ratio").at(field).get<double>(), 1, 1e-6);
  ASSERT_EQ(table.at("results").size(), 3u);
  EXPECT_NEAR(table.at("results")[1].at("length").get<double>(), 8, 1e-9);
  EXPECT_EQ(table.at("results")[2].at("found"), false);
  for (const json& row : table.at("results")) EXPECT_TRUE(row.contains("found") && row.contains("length") && row.contains("time_us"));
}

TEST_F(Cli, CellIndicesOfAGridMapMeanCellCentres) {
  write("grid.map", "type octile\nheight 4\nwidth 5\nmap\n.....\n.@@@.\n.....\n.....\n");
  write("grid.scen", "version 1\n0\tgrid.map\t5\t4\t0\t1\t4\t1\t5.41421356\n");
  const json table = ask("path grid.map --queries grid.scen --radius 0 --planner shortest");
  EXPECT_EQ(table.at("found"), 1);
  // From the middle of the left cell over the obstacle's upper corners to the middle of the right one.
  EXPECT_NEAR(table.at("results")[0].at("length").get<double>(), 3 + 2 * std::hypot(0.5, 0.5), 1e-6);
}

TEST_F(Cli, ABakedFileIsTheSceneAgain) {
  for (const char* scene : {"hall.json", "city:60", "office:12"}) {
    const json bake = ask(std::string("bake ") + scene + " --threads 1 -o one.nav");
    ask(std::string("bake ") + scene + " --threads 2 -o two.nav");
    EXPECT_EQ(slurp(path("one.nav")), slurp(path("two.nav"))) << scene;
    const json again = ask("bake one.nav -o three.nav");
    EXPECT_EQ(slurp(path("one.nav")), slurp(path("three.nav"))) << scene;
    for (const char* field : {"cells", "portals", "area", "zones", "depth", "stored_paths"}) EXPECT_EQ(again.at(field), bake.at(field)) << scene << " " << field;
    const json points = ask("path one.nav --random 8").at("points");
    int found = 0;
    for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
      const auto words = [](const json& p) { return std::to_string(p[0].get<double>()) + "," + std::to_string(p[1].get<double>()); };
      const std::string question = " --radius 0.1 --from " + words(points[i]) + " --to " + words(points[i + 1]);
      const Outcome fresh = run(std::string("path ") + scene + question + " --json"), baked = run("path one.nav" + question + " --json");
      EXPECT_EQ(fresh.status, baked.status);
      if (fresh.status != 0) continue;
      ++found;
      for (const char* field : {"found", "length", "portals", "points"}) EXPECT_EQ(fresh.document().at(field), baked.document().at(field)) << scene;
    }
    EXPECT_GT(found, 0);
  }
}

TEST_F(Cli, DrawWritesPictures) {
  const json svg = ask("draw hall.json -o hall.svg --show topology --roadmap --from 5,4 --to 15,4");
  EXPECT_EQ(svg.at("file"), "hall.svg");
  EXPECT_NE(slurp(path("hall.svg")).find("<svg"), std::string::npos);
  ask("draw office:6 -o office.png --show zones --depth 2 --paths 3 --width 400");
  EXPECT_EQ(slurp(path("office.png")).substr(0, 8), "\x89PNG\r\n\x1a\n");
  expect_refused("draw hall.json -o hall.bmp");
  expect_refused("draw hall.json -o no/such/folder/hall.svg");
  expect_refused("draw hall.json -o hall.svg --layer 3");
  expect_refused("draw hall.json -o hall.svg --crop 5,5,1,1");
}

TEST_F(Cli, CheckFindsAPlantedNarrowPassage) {
  EXPECT_EQ(ask("check hall.json").at("errors"), 0);
  // Two blocks 0.3 m apart: a child passes, a person of 0.2 m radius does not.
  write("narrow.json", R"({"throng_scene": 1, "walkable": [[[0, 0], [20, 0], [20, 10], [0, 10]]],
    "obstacles": [[[5, 0], [15, 0], [15, 4.85], [5, 4.85]], [[5, 5.15], [15, 5.15], [15, 10], [5, 10]]]})");
  const json report = ask("check narrow.json -o findings.svg");
  bool named = false;
  for (const json& finding : report.at("findings"))
    named = named || (finding.at("code").get<std::string>().find("narrow") != std::string::npos && std::abs(finding.at("place")[1].get<double>() - 5) < 0.3);
  EXPECT_TRUE(named) << report.dump(1);
  EXPECT_NE(slurp(path("findings.svg")).find("<svg"), std::string::npos);
}

/// Every verb that opens a scene.
std::vector<std::string> verbs_on(const std::string& scene) {
  return {"bake " + scene, "path " + scene + " --from 1,1 --to 2,2", "draw " + scene + " -o picture.svg", "check " + scene};
}

TEST_F(Cli, BadSceneFilesAreRefusedByEveryVerb) {
  RandomStream random(1, 1, 1);
  std::string noise;
  for (int i = 0; i < 5000; ++i) noise.push_back(static_cast<char>(random.integer(0, 255)));
  const std::string hall = kHall;
  write("empty.json", "");
  write("noise.json", noise);
  write("noise.map", noise);
  write("noise.osm", noise);
  write("noise.wkt", noise);
  write("noise.mesh", noise);
  write("noise.obj", noise);
  write("noise.glb", noise);
  write("truncated.json", hall.substr(0, hall.size() / 2));
  write("nan.json", R"({"throng_scene": 1, "walkable": [[[0, 0], [NaN, 0], [1, 1]]]})");
  write("nan.wkt", "POLYGON((0 0, nan 0, 1 1, 0 0))");
  write("crossing.json", R"({"throng_scene": 1, "walkable": [[[0, 0], [4, 4], [4, 0], [0, 5]]]})");
  write("huge.json", R"({"throng_scene": 1, "walkable": [[[0, 0], [1e9, 0], [1e9, 1e9], [0, 1e9]]]})");
  write("version.json", R"({"throng_scene": 99, "walkable": [[[0, 0], [4, 0], [4, 4]]]})");
  write("solid.json", R"({"throng_scene": 1, "walkable": [[[0, 0], [4, 0], [4, 4]]], "obstacles": [[[-1, -1], [9, -1], [9, 9], [-1, 9]]]})");
  write("deep.json", std::string(100000, '['));
  write("short.map", "type octile\nheight 1000000\nwidth 1000000\nmap\n...\n");
  write("unknown.xyz", "hello");
  for (const char* scene : {"missing.json", "missing.obj", "empty.json", "noise.json", "noise.map", "noise.osm", "noise.wkt", "noise.mesh", "noise.obj",
                            "noise.glb", "truncated.json", "nan.json", "nan.wkt", "crossing.json", "huge.json", "version.json", "deep.json", "short.map",
                            "unknown.xyz", "city:0", "city:many", "office:-4"})
    for (const std::string& words : verbs_on(scene)) expect_refused(words);
  // The doctor examines what can be read, and reports findings instead of problems.
  expect_refused("bake solid.json");
  EXPECT_EQ(run("check solid.json --json").status, 1);
}

TEST_F(Cli, AMeshBombEndsInAnError) {
  // Each node of the scene graph holds ten of the next level: 10^9 triangles from a kilobyte.
  std::string text = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)";
  for (int level = 0; level < 9; ++level) {
    text += R"({"children":[)";
    for (int i = 0; i < 10; ++i) text += (i ? "," : "") + std::to_string(level + 1);
    text += "]},";
  }
  text += R"({"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],
    "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";
  write("bomb.gltf", text);
  expect_refused("bake bomb.gltf");
}

TEST_F(Cli, BadBakedFilesAreRefused) {
  ASSERT_EQ(run("bake hall.json -o good.nav").status, 0);
  const std::string good = slurp(path("good.nav"));
  write("empty.nav", "");
  write("truncated.nav", good.substr(0, good.size() / 2));
  write("noise.nav", good.substr(0, 28) + std::string(1000, '\x5a'));
  write("longer.nav", good + "x");
  std::string changed = good;
  changed[8] = 77;
  write("version.nav", changed);
  changed = good;
  changed[good.size() / 2] ^= 4;
  write("flipped.nav", changed);
  for (const char* scene : {"missing.nav", "empty.nav", "truncated.nav", "noise.nav", "longer.nav", "version.nav", "flipped.nav"})
    for (const std::string& words : verbs_on(scene))
      if (!words.starts_with("check")) expect_refused(words);
  EXPECT_EQ(run("check good.nav").status, 2) << "a baked file has nothing left to examine";
}

TEST_F(Cli, BadQueriesAndUnwritableFilesAreRefused) {
  write("bad.csv", "1,1,2\n1,2,3,4\n");
  write("noise.scen", "version 1\n\x01\x02\x03\n");
  for (const char* file : {"bad.csv", "noise.scen", "missing.csv"}) expect_refused(std::string("path hall.json --queries ") + file);
  expect_refused("bake hall.json -o no/such/folder/hall.nav");
}

}  // namespace
}  // namespace throng
