// SPDX-License-Identifier: MIT
// CityJSON 1.0, 1.1 and 2.0: buildings and water block; everything else of a city model is ground or furniture and is left out.
//
// The footprint of a Building, BuildingPart or WaterBody is the union of its surfaces seen from above, in its lowest level of
// detail; if that names ground surfaces, of these alone. Walls seen from above have no area and vanish. Vertices are integers
// times `transform.scale` plus `transform.translate`; national grids put them hundreds of kilometres from zero, so
// `Scene::origin` is set.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "import/footprints.hpp"
#include "import/import.hpp"
#include "import/json_document.hpp"
#include "import/outline.hpp"
#include "import/scene_builder.hpp"

namespace throng {
namespace {

class CityJsonReader {
 public:
  explicit CityJsonReader(const std::string& name) : builder_(name), problems_(builder_.problems()) {}

  Result<Scene> read(const Json& root) {
    if (!read_header(root) || !read_vertices(root)) return problems_.take();
    const Json& objects = root["CityObjects"];
    for (const auto& [id, object] : objects.items()) {
      if (problems_.full()) break;
      read_object(object, "/CityObjects" + pointer_step(id));
    }
    if (!problems_.empty()) return problems_.take();
    if (footprints_.empty()) {
      problems_.add("/CityObjects", "no Building, BuildingPart or WaterBody with surfaces was found",
                    "there is nothing to walk around in this file");
      return problems_.take();
    }
    const auto origin = origin_for(low_, high_);
    if (!origin) {
      problems_.add("/vertices",
                    fmt::format("the buildings span {:.6g} × {:.6g} m; at most {:g} m each way is allowed", high_.x - low_.x,
                                high_.y - low_.y, limits::kExtentMetres),
                    "cut the model or correct \"transform\"");
      return problems_.take();
    }
    for (Footprint& footprint : footprints_) {
      for (Ring& ring : footprint) {
        for (Vec2& p : ring) p = p - *origin;
      }
    }
    auto polygons = unite(footprints_);
    if (!polygons) {
      problems_.add("/CityObjects", "the footprints overlap millions of times", "the model is damaged; export it again");
      return problems_.take();
    }
    builder_.scene().origin = *origin;
    for (Polygon& polygon : *polygons) builder_.add_obstacle(0, std::move(polygon), "/CityObjects");
    return builder_.finish(SceneBuilder::Outlines::trusted, true);
  }

 private:
  bool fail(std::string_view where, std::string what, std::string fix) {
    problems_.add(where, std::move(what), std::move(fix));
    return false;
  }

  bool read_header(const Json& root) {
    if (!root.is_object() || root.value("type", Json()) != "CityJSON") {
      return fail("/type", "\"CityJSON\" is needed", "this is another kind of file");
    }
    const Json version = root.value("version", Json());
    if (version != "1.0" && version != "1.1" && version != "2.0") {
      fail("/version", fmt::format("{} found; 1.0, 1.1 and 2.0 are read", describe(version)),
           "convert the file, for example with cjio");
    }
    if (!root.contains("CityObjects") || !root["CityObjects"].is_object()) {
      fail("/CityObjects", "an object of city objects is needed", "export the model again");
    }
    if (const auto transform = root.find("transform"); transform != root.end()) {
      read_triple(*transform, "scale", scale_);
      read_triple(*transform, "translate", translate_);
    } else if (version != "1.0") {
      fail("/transform", "the key is missing; it is mandatory since version 1.1", "add {\"scale\": […], \"translate\": […]}");
    }
    return problems_.empty();
  }

  void read_triple(const Json& transform, const char* key, Vec2& out) {
    const std::string where = std::string("/transform/") + key;
    if (!transform.is_object() || !transform.contains(key) || !transform[key].is_array() || transform[key].size() != 3) {
      fail(where, "three numbers are needed", "write [x, y, z]");
      return;
    }
    read_number(transform[key][0], where + "/0", "x", problems_, out.x);
    read_number(transform[key][1], where + "/1", "y", problems_, out.y);
  }

  bool read_vertices(const Json& root) {
    const auto found = root.find("vertices");
    if (found == root.end()) return fail("/vertices", "the key is missing", "export the model again");
    if (!read_positions(*found, "/vertices", true, problems_, vertices_)) return false;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      Vec2& p = vertices_[i];
      p = {p.x * scale_.x + translate_.x, p.y * scale_.y + translate_.y};
      if (!(std::abs(p.x) < limits::kCoordinateMetres && std::abs(p.y) < limits::kCoordinateMetres)) {
        return fail("/vertices" + pointer_step(i),
                    fmt::format("({}, {}) found; finite numbers within ±1e8 m are allowed", p.x, p.y),
                    "correct the vertex or \"transform\"");
      }
    }
    return true;
  }

  void read_object(const Json& object, const std::string& where) {
    if (!object.is_object() || !object.contains("type") || !object["type"].is_string()) {
      fail(where, fmt::format("{} found; a city object with a \"type\" is needed", describe(object)), "export the model again");
      return;
    }
    const Json& type = object["type"];
    if (type != "Building" && type != "BuildingPart" && type != "WaterBody") return;
    const auto geometries = object.find("geometry");
    if (geometries == object.end()) return;  // a Building whose parts have the geometry
    if (!geometries->is_array()) {
      fail(where + "/geometry", fmt::format("{} found; an array is needed", describe(*geometries)), "export the model again");
      return;
    }
    const Json* best = nullptr;
    std::size_t best_index = 0;
    double best_level = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < geometries->size(); ++i) {
      const Json& geometry = (*geometries)[i];
      if (!geometry.is_object() || depth_of(geometry.value("type", Json())) == 0) continue;  // points, lines, templates
      const double level = level_of(geometry.value("lod", Json()));
      if (!best || level < best_level) best = &geometry, best_index = i, best_level = level;
    }
    if (best) read_geometry(*best, where + "/geometry" + pointer_step(best_index));
  }

  /// How many arrays lie around a surface; 0 for what has no surfaces.
  static int depth_of(const Json& type) {
    if (type == "MultiSurface" || type == "CompositeSurface") return 1;
    if (type == "Solid") return 2;
    if (type == "MultiSolid" || type == "CompositeSolid") return 3;
    return 0;
  }

  /// "1.2" since 1.1, the number 1 or 1.2 before.
  static double level_of(const Json& lod) {
    if (lod.is_number()) return lod.get<double>();
    if (lod.is_string()) return std::strtod(lod.get_ref<const std::string&>().c_str(), nullptr);
    return 0;
  }

  void read_geometry(const Json& geometry, const std::string& where) {
    static const Json kNothing;
    const int depth = depth_of(geometry["type"]);
    if (!geometry.contains("boundaries")) {
      fail(where + "/boundaries", "the key is missing", "export the model again");
      return;
    }
    const Json* values = &kNothing;
    ground_.clear();
    if (const auto semantics = geometry.find("semantics"); semantics != geometry.end() && semantics->is_object()) {
      const Json surfaces = semantics->value("surfaces", Json::array());
      bool any = false;
      for (const Json& surface : surfaces) {
        ground_.push_back(surface.is_object() && surface.value("type", Json()) == "GroundSurface");
        any = any || ground_.back();
      }
      if (!any) ground_.clear();
      if (semantics->contains("values")) values = &(*semantics)["values"];
    }
    surfaces_.clear();
    if (!read_surfaces(geometry["boundaries"], *values, depth, where + "/boundaries")) return;
    // Named ground surfaces may be absent from the values: then the whole is seen from above after all.
    if (surfaces_.empty() && !ground_.empty()) {
      ground_.clear();
      if (!read_surfaces(geometry["boundaries"], *values, depth, where + "/boundaries")) return;
    }
    std::move(surfaces_.begin(), surfaces_.end(), std::back_inserter(footprints_));
  }

  bool read_surfaces(const Json& boundaries, const Json& values, int depth, const std::string& where) {
    if (!boundaries.is_array()) {
      return fail(where, fmt::format("{} found; an array is needed", describe(boundaries)), "see the geometry's \"type\"");
    }
    static const Json kNothing;
    for (std::size_t i = 0; i < boundaries.size(); ++i) {
      const Json& value = values.is_array() && i < values.size() ? values[i] : kNothing;
      const std::string here = where + pointer_step(i);
      if (depth > 1) {
        // The first shell of a solid is its outside; the others are voids in it.
        if (depth == 2 && i > 0) break;
        if (!read_surfaces(boundaries[i], value, depth - 1, here)) return false;
        continue;
      }
      if (!ground_.empty()) {
        const bool is_ground =
            value.is_number_unsigned() && value.get<std::uint64_t>() < ground_.size() && ground_[value.get<std::size_t>()];
        if (!is_ground) continue;
      }
      if (!read_surface(boundaries[i], here)) return false;
    }
    return true;
  }

  bool read_surface(const Json& surface, const std::string& where) {
    if (!surface.is_array())
      return fail(where, fmt::format("{} found; a surface is an array of rings", describe(surface)),
                  "see the geometry's \"type\"");
    Footprint footprint;
    for (std::size_t r = 0; r < surface.size(); ++r) {
      const Json& indices = surface[r];
      const std::string here = where + pointer_step(r);
      if (!indices.is_array())
        return fail(here, fmt::format("{} found; a ring is an array of vertex numbers", describe(indices)),
                    "see the geometry's \"type\"");
      Ring ring;
      ring.reserve(indices.size());
      for (const Json& index : indices) {
        if (!index.is_number_unsigned() || index.get<std::uint64_t>() >= vertices_.size()) {
          return fail(here,
                      fmt::format("{} found; vertex numbers from 0 to {} are allowed", describe(index),
                                  vertices_.empty() ? 0 : vertices_.size() - 1),
                      "export the model again");
        }
        ring.push_back(vertices_[index.get<std::size_t>()]);
      }
      vertex_count_ += ring.size();
      if (vertex_count_ > limits::kVertices)
        return fail(here, fmt::format("more than {} corners found", limits::kVertices), "cut the model");
      footprint.push_back(std::move(ring));
    }
    // Below a square of the grid it is a wall seen from above.
    if (footprint.empty() || std::abs(signed_area(footprint[0])) < 5e-7) return true;
    for (const Vec2 p : footprint[0]) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
    surfaces_.push_back(std::move(footprint));
    return true;
  }

  SceneBuilder builder_;
  ProblemList& problems_;
  Vec2 scale_{1, 1}, translate_{0, 0};
  std::vector<Vec2> vertices_;
  std::vector<bool> ground_;
  std::vector<Footprint> surfaces_, footprints_;
  std::size_t vertex_count_ = 0;
  Vec2 low_{INFINITY, INFINITY}, high_{-INFINITY, -INFINITY};
};

}  // namespace

Result<Scene> scene_from_cityjson(const Json& document, const std::string& name) { return CityJsonReader(name).read(document); }

Result<Scene> read_cityjson(std::string_view bytes, const std::string& name) {
  auto document = parse_json(bytes, name);
  if (!document) return document.problems();
  return scene_from_cityjson(*document, name);
}

}  // namespace throng
