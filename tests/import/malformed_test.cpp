// SPDX-License-Identifier: MIT
// Files that are wrong in every way we could think of. Each must give problems that say where, what and how to mend it.
#include "fixtures.hpp"
#include "import/limits.hpp"
#include "import/queries.hpp"

namespace throng {
namespace {

std::string repeat(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

std::string noise() {
  std::string bytes;
  std::uint32_t state = 1;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

const std::string kNode = R"(<node id="1" lat="1" lon="1"/><node id="2" lat="1.001" lon="1"/><node id="3" lat="1" lon="1.001"/>)";
const std::string kWay = R"(<way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="1"/><tag k="building" v="yes"/></way>)";
const std::string kCity = R"({"type":"CityJSON","version":"2.0","transform":{"scale":[1,1,1],"translate":[0,0,0]},)";

struct Case {
  std::string file;  ///< the name picks the reader
  std::string content;
  std::string where;  ///< part of where a problem must be
  std::string what;   ///< part of what it must say
};

std::vector<Case> cases() {
  return {
      // Our own format.
      {"empty.json", "", "empty.json", "empty"},
      {"noise.json", noise(), "noise.json", "parse error"},
      {"cut.json", R"({"throng_scene":1,"walkable":[[[0,0],[1,)", "cut.json", "line 1"},
      {"array.json", "[1,2,3]", "array.json", "an array of 3"},
      {"number.json", "42", "number.json", "the number 42"},
      {"none.json", "{}", "/throng_scene", "missing"},
      {"nothing.json", R"({"throng_scene":1})", "nothing.json", "no outline"},
      {"version.json", R"({"throng_scene":7,"walkable":[[[0,0],[1,0],[1,1]]]})", "/throng_scene", "the number 7"},
      {"version2.json", R"({"throng_scene":"1","walkable":[[[0,0],[1,0],[1,1]]]})", "/throng_scene", "the string"},
      {"nan.json", R"({"throng_scene":1,"walkable":[[[0,0],[NaN,0],[1,1]]]})", "nan.json", "column"},
      {"infinite.json", R"({"throng_scene":1,"walkable":[[[0,0],[1e999,0],[1,1]]]})", "infinite.json", "1e999"},
      {"null.json", R"({"throng_scene":1,"walkable":[[[0,0],[null,0],[1,1]]]})", "/walkable/0/1/0", "null"},
      {"billion.json", R"({"throng_scene":1,"walkable":[[[0,0],[1000000000,0],[1,1]]]})", "/walkable/0", "1000000000"},
      {"far.json", R"({"throng_scene":1,"walkable":[[[1e9,1e9],[1000000010,1e9],[1e9,1000000010]]]})", "/walkable/0", "1e+08"},
      {"wide.json", R"({"throng_scene":1,"walkable":[[[0,0],[17000,0],[1,1]]]})", "/walkable/0", "16000"},
      {"origin.json", R"({"throng_scene":1,"origin":[5],"walkable":[[[0,0],[1,0],[1,1]]]})", "/origin", "[x, y]"},
      {"origin2.json", R"({"throng_scene":1,"origin":[0,0],"walkable":[[[17000,0],[17001,0],[17000,1]]]})", "/walkable/0",
       "given origin"},
      {"cross.json", R"({"throng_scene":1,"obstacles":[[[0,0],[4,4],[4,0],[0,5]]]})", "/obstacles/0",
       "crosses itself at (2.22222"},
      {"hole.json", R"({"throng_scene":1,"walkable":[{"outer":[[0,0],[9,0],[9,9],[0,9]],"holes":[[[5,5],[12,5],[12,6]]]}]})",
       "/walkable/0", "crosses"},
      {"two.json", R"({"throng_scene":1,"walkable":[[[0,0],[1,1]]]})", "/walkable/0", "at least 3"},
      {"same.json", R"({"throng_scene":1,"walkable":[[[1,1],[1,1],[1,1],[1,1]]]})", "/walkable/0", "at least 3"},
      {"flat.json", R"({"throng_scene":1,"walkable":[[[0,0],[5,5],[9,9]]]})", "/walkable/0", "no area"},
      {"deep.json", repeat("[", 100'000), "deep.json", "nested more than 64"},
      {"deep2.json", repeat(R"({"a":)", 1000), "/a/a/a", "nested more than 64"},
      {"layers.json", R"({"throng_scene":1,"layers":[]})", "/layers", "at least one"},
      {"layer.json", R"({"throng_scene":1,"layers":[{"walkable":[[[0,0],[1,0],[1,1]]]},7]})", "/layers/1", "the number 7"},
      {"mixed.json", R"({"throng_scene":1,"layers":[{}],"walkable":[]})", "/walkable", "unknown key"},
      {"utf8.json", "{\"throng_scene\":1,\"name\":\"\xff\xfe\",\"walkable\":[]}", "utf8.json", "UTF-8"},
      {"elevation.json", R"({"throng_scene":1,"elevation":1e7,"walkable":[[[0,0],[1,0],[1,1]]]})", "/elevation", "10000"},
      // GeoJSON.
      {"type.geojson", R"({"type":"Topology"})", "type.geojson", ""},
      {"cut.geojson", R"({"type":"FeatureCollection","features":[)", "cut.geojson", "line 1"},
      {"country.geojson", R"({"type":"Polygon","coordinates":[[[5,47],[15,47],[15,55],[5,47]]]})", "country.geojson", "16 km"},
      {"pole.geojson", R"({"type":"Polygon","coordinates":[[[5,89.99],[5.001,89.99],[5,89.995],[5,89.99]]]})", "pole.geojson",
       "89"},
      {"feature.geojson", R"({"type":"FeatureCollection","features":{}})", "/features", "an array is needed"},
      {"cross.geojson", R"({"type":"Polygon","units":"metres","coordinates":[[[0,0],[4,4],[4,0],[0,5],[0,0]]]})", "/coordinates",
       "crosses itself"},
      {"units.geojson", R"({"type":"Polygon","units":"feet","coordinates":[[[0,0],[4,4],[4,0],[0,0]]]})", "/units", "feet"},
      {"line.geojson", R"({"type":"LineString","units":"metres","coordinates":[[0,0]]})", "/coordinates", "at least 2"},
      {"empty.geojson", R"({"type":"FeatureCollection","features":[]})", "empty.geojson", "no outline"},
      // CityJSON.
      {"version.city.json", R"({"type":"CityJSON","version":"3.0","CityObjects":{},"vertices":[]})", "/version", "3.0"},
      {"transform.city.json", R"({"type":"CityJSON","version":"2.0","CityObjects":{},"vertices":[]})", "/transform", "mandatory"},
      {"nothing.city.json", kCity + R"("CityObjects":{},"vertices":[]})", "/CityObjects", "no Building"},
      {"index.city.json",
       kCity +
           R"("vertices":[[0,0,0]],"CityObjects":{"h":{"type":"Building","geometry":[{"type":"MultiSurface","lod":"1","boundaries":[[[0,1,2]]]}]}}})",
       "/CityObjects/h/geometry/0/boundaries/0/0", "vertex numbers"},
      {"negative.city.json",
       kCity +
           R"("vertices":[[0,0,0]],"CityObjects":{"h":{"type":"Building","geometry":[{"type":"MultiSurface","lod":"1","boundaries":[[[-1,0,0]]]}]}}})",
       "/CityObjects/h", "-1"},
      {"shape.city.json",
       kCity +
           R"("vertices":[[0,0,0]],"CityObjects":{"h":{"type":"Building","geometry":[{"type":"Solid","lod":"1","boundaries":[[0]]}]}}})",
       "/boundaries/0/0", "surface"},
      {"wide.city.json",
       kCity +
           R"("vertices":[[0,0,0],[90000,0,0],[0,90000,0]],"CityObjects":{"h":{"type":"Building","geometry":[{"type":"MultiSurface","lod":"1","boundaries":[[[0,1,2]]]}]}}})",
       "/vertices", "16000"},
      {"billion.city.json", kCity + R"("vertices":[[1e9,0,0]],"CityObjects":{}})", "/vertices/0", "1e8"},
      // WKT.
      {"noise.wkt", noise(), "line", ""},
      {"cut.wkt", "POLYGON ((0 0, 1 0, 1", "line 1", "the end of the file"},
      {"nan.wkt", "POLYGON ((0 0, 1 0, nan 1, 0 0))", "line 1", "finite"},
      {"cross.wkt", "\nPOLYGON ((0 0, 4 4, 4 0, 0 5, 0 0))", "line 2", "crosses itself"},
      {"billion.wkt", "POLYGON ((0 0, 1e9 0, 1 1, 0 0))", "line 1", "1e+08"},
      {"comments.wkt", "# nothing here\n", "comments.wkt", "no outline"},
      // MovingAI.
      {"noise.map", noise(), "line 1", "header"},
      {"type.map", "type hex\nheight 1\nwidth 1\nmap\n.\n", "line 1", "hex"},
      {"cut.map", "type octile\nheight 9\nwidth 4\nmap\n....\n....\n....\n....\n....\n", "line 10", "5 of 9 rows"},
      {"row.map", "type octile\nheight 2\nwidth 2\nmap\n...\n..\n", "line 5", "3 cells"},
      {"letter.map", "type octile\nheight 2\nwidth 2\nmap\n.x\n..\n", "line 5", "'x'"},
      {"blocked.map", "type octile\nheight 1\nwidth 2\nmap\n@@\n", "blocked.map", "ground"},
      {"size.map", "type octile\nheight 99999999999\nwidth 2\nmap\n@@\n", "line 2", "16000"},
      {"bomb.map", "type octile\nheight 16000\nwidth 16000\nmap\n@@\n", "line", "cells"},
      {"nosize.map", "type octile\nmap\n@@\n", "line 2", "missing"},
      // Polyanya.
      {"noise.mesh", noise(), "line 1", "mesh"},
      {"version.mesh", "mesh\n1\n3 1\n", "line 2", "version"},
      {"bomb.mesh", "mesh\n2\n4000000000 4000000000\n", "line 3", "number of vertices"},
      {"cut.mesh", "mesh\n2\n3 1\n0 0 0\n1 0 0\n", "line", "the end of the file"},
      {"vertex.mesh", "mesh\n2\n3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3 -1 -1 -1\n", "line 7", "a vertex"},
      {"nan.mesh", "mesh\n2\n3 1\nnan 0 0\n1 0 0\n0 1 0\n3 0 1 2 -1 -1 -1\n", "line 4", "finite"},
      {"rest.mesh", "mesh\n2\n3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 -1 -1 -1\n5\n", "line 8", "after the last"},
      // OpenStreetMap.
      {"noise.osm", noise(), "line 1", "XML"},
      {"cut.osm", "<osm>" + kNode, "line 1", "XML"},
      {"html.osm", "<html></html>", "html.osm", "<osm>"},
      {"empty.osm", "<osm></osm>", "empty.osm", "no building"},
      {"bomb.osm", R"(<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><osm>&b;</osm>)", "line 1", "DOCTYPE"},
      {"latitude.osm", R"(<osm><node id="1" lat="91" lon="0"/></osm>)", "line 1", "91"},
      {"nan.osm", R"(<osm><node id="1" lat="nan" lon="0"/></osm>)", "line 1", ""},
      {"number.osm", R"(<osm><node id="1" lat="1x" lon="0"/></osm>)", "line 1", "1x"},
      {"wide.osm", R"(<osm><bounds minlat="1" maxlat="9" minlon="1" maxlon="9"/>)" + kNode + kWay + "</osm>", "wide.osm",
       "16 km"},
      {"bounds.osm", R"(<osm><bounds minlat="1" maxlat="1" minlon="1" maxlon="1"/></osm>)", "line 1", "empty"},
      {"deep.osm", "<osm>" + repeat("<a>", 10'000), "line 1", "nested"},
      // Neither name nor content tells.
      {"what.xyz", "hello", "what.xyz", "neither"},
      {"noise.bin", noise(), "noise.bin", "neither"},
  };
}

TEST(Malformed, every_bad_file_gives_a_problem_with_place_cause_and_fix) {
  ASSERT_GE(cases().size(), 50u);
  for (const Case& bad : cases()) {
    SCOPED_TRACE(bad.file);
    const TemporaryFile file(bad.file, bad.content);
    const auto scene = load_scene(file.path());
    ASSERT_FALSE(scene);
    EXPECT_TRUE(has_problem(scene, bad.where, bad.what)) << problems_of(scene);
    for (const Problem& problem : scene.problems()) {
      EXPECT_NE(problem.where.find(bad.file), std::string::npos) << "the file is named";
      EXPECT_FALSE(problem.what.empty());
      EXPECT_FALSE(problem.fix.empty());
      EXPECT_LT(to_string(problem).size(), 1500u);
    }
  }
}

TEST(Malformed, real_files_cut_short_anywhere_are_problems) {
  for (const char* name : {"scenes/delft.city.json", "scenes/small-town.osm", "paths/arena.mesh", "paths/Berlin_0_256.map"}) {
    THRONG_EXTERNAL(path, name);
    const std::string whole = slurp(path);
    for (int part = 1; part < 12; ++part) {
      const TemporaryFile file(path.filename().string(), whole.substr(0, whole.size() * static_cast<std::size_t>(part) / 12));
      EXPECT_FALSE(load_scene(file.path())) << name << " " << part;
    }
  }
}

TEST(Malformed, a_missing_file_a_folder_and_a_device_are_told_apart) {
  EXPECT_TRUE(has_problem(load_scene("nowhere/plaza.json"), "plaza.json", "no such file"));
  EXPECT_TRUE(has_problem(load_scene("nowhere/level.obj"), "level.obj", "no such file"));
  EXPECT_TRUE(has_problem(load_scene(std::filesystem::temp_directory_path()), "", "folder"));
  EXPECT_TRUE(has_problem(load_scene("/dev/zero"), "/dev/zero", "not a regular file"));
  EXPECT_TRUE(has_problem(read_queries("nowhere/a.scen"), "a.scen", "no such file"));
}

TEST(Malformed, a_file_beyond_the_cap_is_not_even_read) {
  const TemporaryFile file("large.json", "{");
  std::filesystem::resize_file(file.path(), limits::kFileBytes + 1);  // sparse: takes no room on the disk
  EXPECT_TRUE(has_problem(load_scene(file.path()), "large.json", "256"));
}

TEST(Malformed, a_document_of_too_many_values_is_refused) {
  const TemporaryFile file("many.json", "[" + repeat("0,", static_cast<int>(limits::kJsonValues) + 1) + "0]");
  EXPECT_TRUE(has_problem(load_scene(file.path()), "many.json", "values"));
}

}  // namespace
}  // namespace throng
