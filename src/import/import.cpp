// SPDX-License-Identifier: MIT
#include "import/import.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "import/json_document.hpp"
#include "import/limits.hpp"

namespace throng {
namespace {

constexpr const char* kFormats =
    "scene JSON, GeoJSON, CityJSON, WKT, MovingAI .map, Polyanya .mesh, OpenStreetMap .osm and 3D meshes are read";

constexpr std::array<std::string_view, 16> kMeshExtensions{".obj", ".gltf", ".glb", ".fbx", ".dae", ".ply",   ".stl", ".3ds",
                                                           ".off", ".x",    ".dxf", ".ifc", ".3mf", ".blend", ".lwo", ".ase"};

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

Result<Scene> load_json(std::string_view bytes, const std::string& name, const ImportSettings& settings) {
  auto document = parse_json(bytes, name);
  if (!document) return document.problems();
  const Json& root = *document;
  if (root.is_object() && !root.contains("throng_scene")) {
    static constexpr std::array kGeoTypes{"FeatureCollection", "Feature", "Polygon",    "MultiPolygon",      "LineString",
                                          "MultiLineString",   "Point",   "MultiPoint", "GeometryCollection"};
    const Json type = root.value("type", Json());
    if (type == "CityJSON") return scene_from_cityjson(root, name);
    if (std::any_of(kGeoTypes.begin(), kGeoTypes.end(), [&](const char* word) { return type == word; })) {
      return scene_from_geojson(root, name, settings);
    }
  }
  return scene_from_json(root, name);
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) return Problem{name, "there is no such file", "check the path"};
  if (std::filesystem::is_directory(status)) return Problem{name, "this is a folder, not a file", "name a file in it"};
  // A pipe or a device may never end.
  if (!std::filesystem::is_regular_file(status)) return Problem{name, "this is not a regular file", "copy it to a file first"};
  const auto size = std::filesystem::file_size(file, error);
  if (error) return Problem{name, "the file cannot be read: " + error.message(), "check its permissions"};
  if (size > limits::kFileBytes) {
    return Problem{name, fmt::format("the file has {} MiB; at most {} are allowed", size >> 20, limits::kFileBytes >> 20),
                   "cut or simplify the scene"};
  }
  if (size == 0) return Problem{name, "the file is empty", "check how it was written"};
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!stream) return Problem{name, "the file cannot be read", "check its permissions"};
  return bytes;
}

Result<Scene> load_scene(const std::filesystem::path& file, const ImportSettings& settings) {
  const std::string name = file.string(), extension = lower_extension(file);
  if (std::find(kMeshExtensions.begin(), kMeshExtensions.end(), extension) != kMeshExtensions.end())
    return read_mesh(file, settings);

  auto bytes = read_file(file);
  if (!bytes) return bytes.problems();
  if (extension == ".map") return read_movingai_map(*bytes, name);
  if (extension == ".mesh") return read_polyanya_mesh(*bytes, name);
  if (extension == ".wkt") return read_wkt(*bytes, name);
  if (extension == ".osm") return read_osm(*bytes, name);
  if (extension == ".json" || extension == ".geojson" || extension == ".cityjson") return load_json(*bytes, name, settings);

  // Any other name: what does it look like?
  std::string_view content = *bytes;
  content.remove_prefix(std::min(content.find_first_not_of(" \t\r\n"), content.size()));
  const auto starts = [&](std::string_view word) { return content.starts_with(word); };
  if (starts("{")) return load_json(*bytes, name, settings);
  if (starts("<?xml") || starts("<osm")) return read_osm(*bytes, name);
  if (starts("type octile")) return read_movingai_map(*bytes, name);
  if (starts("mesh\n") || starts("mesh\r")) return read_polyanya_mesh(*bytes, name);
  for (const std::string_view word :
       {"POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION", "LINESTRING", "MULTILINESTRING", "walkable:", "obstacle:", "#"}) {
    if (starts(word)) return read_wkt(*bytes, name);
  }
  return Problem{name, fmt::format("neither the name's end \"{}\" nor the content is known; {}", extension, kFormats),
                 "rename or convert the file"};
}

}  // namespace throng
