// SPDX-License-Identifier: MIT
// What goes wrong around the studio: files that lead out of its folder, headers sent twice, killed studios, cancelled work.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "document.hpp"
#include "scenario/scenario.hpp"
#include "server/site.hpp"
#include "trajectory/recording.hpp"

namespace throng::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFlowWithoutAreas =
    R"({"throng_scenario":1,"scene":{"throng_scene":1,"walkable":[[[0,0],[30,0],[30,9],[0,9]]]},
        "flows":{"f":{"between":["a","b"]}},"populations":[{"count":4,"flow":"f"}]})";
constexpr const char* kSecretScene =
    R"({"throng_scene": 1, "walkable": [[[0,0],[9,0],[9,9],[0,9]]], "areas": [{"name": "secret", "polygon": [[1,1],[2,1],[2,2]]}]})";

void put(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// A flat square of 20 m as glTF, whose numbers lie in another file.
std::string gltf_with(const std::string& buffer) {
  return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "buffers": [{"uri": ")" +
         buffer + R"(", "byteLength": 60}],
    "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [20, 0, 20]},
                  {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}]})";
}
std::string square_buffer() {
  const std::array<float, 12> corners{0, 0, 0, 20, 0, 0, 20, 0, 20, 0, 0, 20};
  const std::array<std::uint16_t, 6> triangles{0, 2, 1, 0, 3, 2};
  std::string bytes(60, '\0');
  std::memcpy(bytes.data(), corners.data(), 48);
  std::memcpy(bytes.data() + 48, triangles.data(), 12);
  return bytes;
}

TEST(StudioFaults, agents_on_a_flow_without_areas_are_a_problem_and_the_studio_goes_on) {
  test::Rig rig;
  const Json scenario = Json::parse(kFlowWithoutAreas);
  EXPECT_FALSE(rig.ask({{"do", "run"}, {"scenario", scenario}}).value("ok", true));
  const Json checked = rig.get({{"do", "check"}, {"scenario", scenario}});
  EXPECT_NE(checked.dump().find("/flows/f/between/0"), std::string::npos) << checked.dump();
  EXPECT_TRUE(rig.get({{"do", "open"}, {"scene", "bottleneck"}}).contains("document"));
}

TEST(StudioFaults, a_scenario_that_came_from_elsewhere_opens_no_file_outside_the_folder) {
  test::Rig rig;
  test::TemporaryFolder outside;
  put(outside.path() / "secret.json", kSecretScene);
  put(rig.folder.path() / "plan.json", kSecretScene);
  const std::string up = "../" + outside.path().filename().string() + "/secret.json";
  const auto upload = [&](const std::string& scene) {
    const HttpQuestion question{
        "POST", "/api/upload", {{"name", "dropped.json"}}, R"({"throng_scenario": 1, "scene": ")" + scene + "\"}"};
    return rig.fetch(question);
  };
  std::string deep;
  for (int level = 0; level < 12; ++level) deep += "../";
  for (const std::string& scene :
       {(outside.path() / "secret.json").string(), up, deep + (outside.path() / "secret.json").string().substr(1)}) {
    const HttpAnswer answer = upload(scene);
    EXPECT_EQ(answer.status, 400u) << scene << answer.body.substr(0, 300);
    EXPECT_EQ(answer.body.find("\"secret\""), std::string::npos) << scene;
  }
  // The control: what lies in the folder, and built-in scenes.
  EXPECT_EQ(upload("plan.json").status, 200u);
  EXPECT_EQ(upload("office:3").status, 200u);
}

TEST(StudioFaults, a_recording_that_names_a_file_as_its_scene_opens_none) {
  test::Rig rig;
  test::TemporaryFolder outside;
  put(outside.path() / "secret.json", kSecretScene);
  for (const bool is_built_in : {false, true}) {
    RecordingHeader header;
    header.engine_version = "test";
    header.scenario = R"({"throng_scenario": 1, "scene": ")" +
                      (is_built_in ? std::string("office:3") : (outside.path() / "secret.json").string()) + "\"}";
    auto writer = RecordingWriter::create((rig.folder.path() / "made.throng").string(), header);
    ASSERT_TRUE(writer);
    ASSERT_FALSE(writer->add_frame(FrameColumns{}));
    ASSERT_FALSE(writer->finish("{}"));
    const Json answer = rig.ask({{"do", "open"}, {"path", "made.throng"}});
    EXPECT_EQ(answer.value("ok", false), is_built_in) << answer.dump().substr(0, 300);
    EXPECT_EQ(answer.dump().find("\"secret\""), std::string::npos);
  }
}

TEST(StudioFaults, a_mesh_reads_no_file_outside_its_own_folder) {
  test::Rig rig;
  const fs::path folder = rig.folder.path();
  fs::create_directory(folder / "inner");
  test::TemporaryFolder outside;
  // Of a name that nothing beside the mesh has: assimp looks there for files that it does not find.
  put(outside.path() / "secret.bin", square_buffer());
  put(folder / "inner/buf.bin", square_buffer());
  put(folder / "inner/beside.gltf", gltf_with("buf.bin"));
  put(folder / "inner/up.gltf", gltf_with("../../" + outside.path().filename().string() + "/secret.bin"));
  put(folder / "inner/link.gltf", gltf_with("link.bin"));
  fs::create_symlink(outside.path() / "secret.bin", folder / "inner/link.bin");
  for (const std::string name : {"up", "link"}) {
    const Json answer = rig.ask({{"do", "open"}, {"path", "inner/" + name + ".gltf"}});
    EXPECT_FALSE(answer.value("ok", true)) << name;
    EXPECT_NE(answer.dump().find("outside its own folder"), std::string::npos) << answer.dump().substr(0, 400);
  }
  EXPECT_TRUE(rig.ask({{"do", "open"}, {"path", "inner/beside.gltf"}}).value("ok", false));
}

TEST(StudioFaults, headers_that_say_who_asks_are_taken_once) {
  Site site;
  const std::string start = "GET / HTTP/1.1\r\nConnection: close\r\nHost: " + site.host() + "\r\n";
  EXPECT_TRUE(site.raw(start + "\r\n").starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(site.raw(start + "Host: evil.example\r\n\r\n").starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(site.raw(start + "Host: " + site.host() + "\r\n\r\n").starts_with("HTTP/1.1 400"));
  const std::string own = "Origin: http://" + site.host() + "\r\n";
  EXPECT_TRUE(site.raw(start + own + "\r\n").starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(site.raw(start + own + "Origin: http://evil.example\r\n\r\n").starts_with("HTTP/1.1 400"));
}

TEST(StudioFaults, what_killed_studios_left_is_tidied_up_and_what_living_ones_use_is_not) {
  auto living = Workshop::open();
  ASSERT_TRUE(living);
  put((*living)->path() / "0.throng", "in use");
  // As a kill leaves it: with a lock that nothing holds.
  const fs::path deserted = fs::temp_directory_path() / ("throng-studio-test-" + std::to_string(::getpid()));
  fs::create_directory(deserted);
  put(deserted / ".lock", "");
  put(deserted / "0.throng", "left");
  const fs::path not_locked = deserted.string() + "-new";
  fs::create_directory(not_locked);
  auto next = Workshop::open();
  ASSERT_TRUE(next);
  EXPECT_FALSE(fs::exists(deserted));
  EXPECT_TRUE(fs::exists(not_locked)) << "a studio that has only just begun";
  EXPECT_TRUE(fs::exists((*living)->path() / "0.throng"));
  fs::remove(not_locked);
  const fs::path own = (*next)->path();
  *next = nullptr;
  EXPECT_FALSE(fs::exists(own));
}

TEST(StudioFaults, cancelling_is_not_forgotten_when_another_viewer_asks_for_something) {
  test::Rig rig;
  const std::int64_t large = rig.send({{"do", "open"}, {"scene", "city:2600"}});
  const std::int64_t cancel = rig.send({{"do", "cancel"}});
  const std::int64_t next = rig.send({{"do", "open"}, {"scene", "bottleneck"}});
  EXPECT_TRUE(rig.link->answer(cancel).value("ok", false));
  const Json cancelled = rig.link->answer(large);
  EXPECT_FALSE(cancelled.value("ok", true));
  EXPECT_NE(cancelled.dump().find("cancelled"), std::string::npos) << cancelled.dump().substr(0, 200);
  EXPECT_TRUE(rig.link->answer(next).value("ok", false));
}

}  // namespace
}  // namespace throng::server
