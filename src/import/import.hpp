// SPDX-License-Identifier: MIT
// From a file to a `Scene`: picks the reader by the file's name and content.
//
//   auto scene = load_scene("plaza.json");
//   if (!scene) for (const Problem& p : scene.problems()) std::puts(to_string(p).c_str());
//
// | format          | chosen by                                   | becomes                                                   |
// |-----------------|---------------------------------------------|-----------------------------------------------------------|
// | scene JSON      | .json with "throng_scene"                   | as written (docs/formats/scene.md)                        |
// | GeoJSON         | .geojson, .json with a GeoJSON "type"       | polygons block unless marked walkable; lines are walls    |
// | CityJSON        | .json with "type": "CityJSON"               | footprints of buildings and water block                   |
// | WKT             | .wkt, .txt                                  | polygons are walkable, lines are walls                    |
// | MovingAI grid   | .map                                        | the frame is walkable, outlines of blocked cells block    |
// | Polyanya mesh   | .mesh                                       | outlines of the mesh's connected parts are walkable       |
// | OpenStreetMap   | .osm, .xml                                  | buildings and water block, walls and fences are walls     |
// | 3D meshes       | .obj .gltf .glb .fbx .dae .ply .stl and more | `Scene::mesh`, still to be cut into a layer               |
//
// Readers never throw and never trust a byte: sizes, nesting and work are capped (limits.hpp), every mistake of a file is a
// Problem that says where, what was found, what is allowed and how to mend it. They are pure functions of their input and
// may run on any number of threads.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <throng/result.hpp>
#include <throng/scene.hpp>

namespace throng {

enum class ImportUnits {
  by_format,  ///< GeoJSON: degrees if all numbers could be, metres otherwise; every other format knows
  metres,
  degrees,
};

struct ImportSettings {
  /// Which axis of a 3D mesh points up: 'y', 'z', or 0 for what its format usually means
  /// (y: OBJ, glTF, FBX, DAE and others; z: STL, PLY, DXF, IFC, 3MF).
  char up = 0;
  /// What the numbers of a GeoJSON file are.
  ImportUnits units = ImportUnits::by_format;
  /// What the process that reads a 3D mesh may take: seconds, both of the clock and of the processor, and bytes of memory.
  double mesh_seconds = 60;
  std::uint64_t mesh_bytes = std::uint64_t{2} << 30;
};

/// Reads a scene file. Built-in scenes ("city:2600") and baked files are not its business.
Result<Scene> load_scene(const std::filesystem::path& file, const ImportSettings& settings = {});

/// The whole file, or why it cannot be had: missing, a directory, not readable, empty, larger than limits::kFileBytes.
Result<std::string> read_file(const std::filesystem::path& file);

// Each reader by itself, on bytes that are already in memory. `name` stands for the file in messages and names the scene.
Result<Scene> read_scene_json(std::string_view bytes, const std::string& name);
Result<Scene> read_geojson(std::string_view bytes, const std::string& name, const ImportSettings& settings = {});
Result<Scene> read_cityjson(std::string_view bytes, const std::string& name);
Result<Scene> read_wkt(std::string_view bytes, const std::string& name);
Result<Scene> read_movingai_map(std::string_view bytes, const std::string& name);
Result<Scene> read_polyanya_mesh(std::string_view bytes, const std::string& name);
Result<Scene> read_osm(std::string_view bytes, const std::string& name);
/// Through assimp in a child process with limits on time and memory (mesh.cpp).
Result<Scene> read_mesh(const std::filesystem::path& file, const ImportSettings& settings = {});

/// The scene as scene JSON, one outline a line; reading it back gives the same scene. `Scene::mesh` has no place in the
/// format and is left out: cut it into layers first.
std::string write_scene_json(const Scene& scene);

}  // namespace throng
