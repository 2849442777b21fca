// SPDX-License-Identifier: MIT
// Meshes through the child process: what comes back, and that nothing a child does can hurt.
#include <cmath>
#include <cstring>

#include "fixtures.hpp"
#include "import/mesh_wire.hpp"

namespace throng {
namespace {

const char* const kQuad = "v 0 1 0\nv 4 1 0\nv 4 1 -3\nv 0 1 -3\nf 1 2 3 4\n";

double area_in_plan(const Mesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const auto at = [&](int i) {
      return Vec2{mesh.vertices[t[static_cast<std::size_t>(i)]].x, mesh.vertices[t[static_cast<std::size_t>(i)]].y};
    };
    sum += cross(at(1) - at(0), at(2) - at(0)) / 2;
  }
  return sum;
}

TEST(MeshFile, an_obj_is_turned_z_up) {
  const TemporaryFile file("quad.obj", kQuad);
  const auto scene = load_scene(file.path());
  ASSERT_TRUE(scene) << problems_of(scene);
  EXPECT_EQ(scene->mesh.triangles.size(), 2u);
  EXPECT_NEAR(area_in_plan(scene->mesh), 12, 1e-6) << "seen from above, with its front up";
  for (const Vec3& v : scene->mesh.vertices) EXPECT_NEAR(v.z, 1, 1e-6);
  const auto as_is = load_scene(file.path(), {.up = 'z'});
  ASSERT_TRUE(as_is);
  EXPECT_NEAR(area_in_plan(as_is->mesh), 0, 1e-6);
  EXPECT_FALSE(load_scene(file.path(), {.up = 'q'}));
}

TEST(MeshFile, an_stl_is_z_up_by_default) {
  const TemporaryFile file(
      "tri.stl",
      "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 2\nvertex 1 0 2\nvertex 0 1 2\nendloop\nendfacet\nendsolid s\n");
  const auto scene = load_scene(file.path());
  ASSERT_TRUE(scene) << problems_of(scene);
  EXPECT_NEAR(area_in_plan(scene->mesh), 0.5, 1e-6);
}

TEST(MeshFile, game_levels_have_their_known_numbers_of_triangles) {
  THRONG_EXTERNAL(nav_test, "scenes/nav_test.obj");
  THRONG_EXTERNAL(dungeon, "scenes/dungeon.obj");
  const auto first = load_scene(nav_test), second = load_scene(dungeon);
  ASSERT_TRUE(first) << problems_of(first);
  ASSERT_TRUE(second) << problems_of(second);
  EXPECT_EQ(first->mesh.triangles.size(), 1612u);
  EXPECT_EQ(second->mesh.triangles.size(), 10133u);
}

TEST(MeshFile, damaged_files_are_problems) {
  const std::string noise = "\x7f\x01\x02\x80\xff\xfe binary \0 noise";
  for (const char* name : {"noise.obj", "noise.glb", "noise.gltf", "noise.fbx", "noise.dae", "noise.ply", "noise.stl"}) {
    const TemporaryFile file(name, noise);
    const auto scene = load_scene(file.path());
    ASSERT_FALSE(scene) << name;
    EXPECT_FALSE(scene.problems()[0].fix.empty());
  }
  EXPECT_FALSE(load_scene(TemporaryFile("nan.obj", "v nan 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n").path()));
  EXPECT_FALSE(load_scene(TemporaryFile("huge.obj", "v 1e9 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n").path()));
  EXPECT_FALSE(load_scene(TemporaryFile("points.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\n").path()));
  EXPECT_FALSE(load_scene(TemporaryFile("index.obj", "v 0 0 0\nf 1 2 900000000\n").path()));
}

TEST(MeshFile, a_mesh_that_unfolds_without_end_is_stopped) {
  // Twelve levels of nodes with eight children each would be 8^12 squares; glTF forbids shared children, other readers of it do
  // not look.
  std::string text = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)";
  for (int level = 0; level < 12; ++level) {
    const std::string child = std::to_string(level + 1);
    text += R"({"children":[)" + child;
    for (int i = 0; i < 7; ++i) text += "," + child;
    text += "]},";
  }
  text += R"({"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":4}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],
    "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";
  const TemporaryFile file("bomb.gltf", text);
  const auto scene = load_scene(file.path(), {.mesh_seconds = 10, .mesh_bytes = std::uint64_t{512} << 20});
  ASSERT_FALSE(scene);
  EXPECT_FALSE(scene.problems()[0].what.empty());
}

/// Runs a shell script in place of the importer.
class Impostor {
 public:
  explicit Impostor(const std::string& script)
      : script_("impostor.sh", "#!/bin/sh\n" + script + "\n"), file_("victim.obj", kQuad) {
    std::filesystem::permissions(script_.path(), std::filesystem::perms::owner_all);
    ::setenv("THRONG_MESH_IMPORT", script_.path().c_str(), 1);
  }
  ~Impostor() { ::unsetenv("THRONG_MESH_IMPORT"); }
  Result<Scene> load(double seconds = 20) { return load_scene(file_.path(), {.mesh_seconds = seconds}); }

 private:
  TemporaryFile script_, file_;
};

TEST(MeshChild, a_crash_a_hang_a_flood_and_nonsense_are_problems) {
  EXPECT_TRUE(has_problem(Impostor("kill -SEGV $$").load(), "victim.obj", "crashed"));
  EXPECT_TRUE(has_problem(Impostor("kill -KILL $$").load(), "victim.obj", "more time or memory"));
  EXPECT_TRUE(has_problem(Impostor("exit 3").load(), "victim.obj", "status 3"));
  EXPECT_TRUE(has_problem(Impostor("exec sleep 100").load(0.3), "victim.obj", "longer than"));
  EXPECT_TRUE(has_problem(Impostor("exec sleep 100 >&-").load(0.3), "victim.obj", ""));
  EXPECT_TRUE(has_problem(Impostor("exec cat /dev/zero").load(), "victim.obj", "unfolds"));
  EXPECT_TRUE(has_problem(Impostor("echo THRMESH1 and nonsense that is long enough").load(), "victim.obj", "allowed"));
  EXPECT_TRUE(has_problem(Impostor("true").load(), "victim.obj", "damaged"));
}

TEST(MeshChild, a_missing_importer_is_named) {
  ::setenv("THRONG_MESH_IMPORT", "/nowhere/throng-mesh-import", 1);
  const TemporaryFile file("quad.obj", kQuad);
  const auto scene = load_scene(file.path());
  ::unsetenv("THRONG_MESH_IMPORT");
  EXPECT_TRUE(has_problem(scene, "quad.obj", "could not be started")) << problems_of(scene);
}

std::string answer(std::uint64_t vertices, std::uint64_t triangles, const std::vector<double>& numbers,
                   const std::vector<std::uint32_t>& indices) {
  std::string bytes(mesh_wire::kMeshMagic);
  const auto put = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(vertices), put(triangles);
  for (const double v : numbers) put(v);
  for (const std::uint32_t i : indices) put(i);
  return bytes;
}

TEST(MeshAnswer, every_number_of_it_is_checked) {
  const std::vector<double> corners{0, 0, 0, 1, 0, 0, 0, 1, 0};
  EXPECT_TRUE(mesh_wire::read_answer(answer(3, 1, corners, {0, 1, 2}), "a"));
  EXPECT_FALSE(mesh_wire::read_answer(answer(3, 1, corners, {0, 1, 3}), "a")) << "index";
  EXPECT_FALSE(mesh_wire::read_answer(answer(4, 1, corners, {0, 1, 2}), "a")) << "count";
  EXPECT_FALSE(mesh_wire::read_answer(answer(UINT64_MAX / 24 + 2, 1, corners, {0, 1, 2}), "a")) << "overflow";
  EXPECT_FALSE(mesh_wire::read_answer(answer(3, 0, corners, {}), "a")) << "empty";
  EXPECT_FALSE(mesh_wire::read_answer(answer(3, 1, {0, 0, 0, 1, 0, 0, 0, NAN, 0}, {0, 1, 2}), "a")) << "NaN";
  EXPECT_FALSE(mesh_wire::read_answer("THRMESH1", "a"));
  EXPECT_FALSE(mesh_wire::read_answer("", "a"));
}

}  // namespace
}  // namespace throng
