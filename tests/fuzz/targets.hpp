// SPDX-License-Identifier: MIT
// One function for each reader of ours: reads the bytes, and aborts if what comes back breaks a promise. libFuzzer calls
// them (*_fuzz.cpp) with what it invents; tests/import/corpus_test.cpp with the seeds in corpus/ and with what was once found.
#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include <throng/navigation.hpp>
#include <throng/result.hpp>
#include <throng/scene.hpp>

#include "base/hash.hpp"
#include "geometry/point.hpp"
#include "geometry/polygon.hpp"
#include "import/import.hpp"
#include "import/mesh_wire.hpp"
#include "import/queries.hpp"
#include "promises.hpp"

namespace throng::fuzz {

inline void require_ring(const Ring& ring, bool hole) {
  require(ring.size() >= 3, "rings have three points");
  for (const Vec2 p : ring) require(fits_grid(p), "points fit the grid");
  require(hole ? signed_area(ring) < 0 : signed_area(ring) > 0, "outer rings are counter-clockwise and holes clockwise");
}

inline void require_polygon(const Polygon& polygon) {
  require_ring(polygon.outer, false);
  for (const Ring& hole : polygon.holes) require_ring(hole, true);
}

/// What every scene promises, and that our own format can carry it.
inline void check(const Result<Scene>& result) {
  if (!result) return require_problems(result);
  const Scene& scene = *result;
  require(!scene.layers.empty(), "a scene has a layer");
  for (const Layer& layer : scene.layers) {
    for (const Polygon& polygon : layer.walkable) require_polygon(polygon);
    for (const Polygon& polygon : layer.obstacles) require_polygon(polygon);
    for (const Segment& wall : layer.walls) require(fits_grid(wall.a) && fits_grid(wall.b), "walls fit the grid");
    for (const Vec2 seed : layer.seeds) require(fits_grid(seed), "seeds fit the grid");
  }
  for (const Area& area : scene.areas) {
    require_polygon(area.shape);
    require(area.layer < scene.layers.size(), "an area is on a layer");
    require(area.cost >= 1, "costs are at least 1");
  }
}

inline void check_round_trip(const Result<Scene>& result) {
  check(result);
  if (!result) return;
  const std::string text = write_scene_json(*result);
  const auto again = read_scene_json(text, "again");
  require(static_cast<bool>(again), "what is written can be read");
  require(write_scene_json(*again) == text, "and is the same scene");
}

inline void check(const Result<std::vector<PathQueryRow>>& result) {
  if (!result) return require_problems(result);
  for (const PathQueryRow& row : *result) {
    for (const double v : {row.from.x, row.from.y, row.to.x, row.to.y}) require(std::isfinite(v), "query points are finite");
  }
}

inline void scene_json(std::string_view bytes) { check_round_trip(read_scene_json(bytes, "input")); }
inline void geojson(std::string_view bytes) { check_round_trip(read_geojson(bytes, "input")); }
inline void cityjson(std::string_view bytes) { check(read_cityjson(bytes, "input")); }
inline void wkt(std::string_view bytes) { check_round_trip(read_wkt(bytes, "input")); }
inline void movingai_map(std::string_view bytes) { check(read_movingai_map(bytes, "input")); }
inline void polyanya_mesh(std::string_view bytes) { check(read_polyanya_mesh(bytes, "input")); }
inline void osm(std::string_view bytes) { check(read_osm(bytes, "input")); }
inline void queries(std::string_view bytes) {
  check(read_movingai_scen(bytes, "input"));
  check(read_query_csv(bytes, "input"));
}
inline void mesh_answer(std::string_view bytes) {
  const auto mesh = mesh_wire::read_answer(bytes, "input");
  if (!mesh) return require_problems(mesh);
  for (const auto& triangle : mesh->triangles) {
    for (const std::uint32_t index : triangle) require(index < mesh->vertices.size(), "triangles have vertices");
  }
}

/// A baked file with its size and checksum made right, so that what is inside is read; if it is accepted, questions must be
/// answered without harm, though not rightly. `shortest` is left out: on forged cells it may search for long.
inline void nav(std::string_view bytes) {
  constexpr std::size_t kSizeAt = 12, kHashAt = 20, kHeader = 28;
  std::string file(bytes);
  if (file.size() >= kHeader) {
    const std::uint64_t size = file.size() - kHeader, hash = hash_of(std::string_view(file).substr(kHeader));
    for (int b = 0; b < 8; ++b) {
      file[kSizeAt + b] = static_cast<char>(size >> (8 * b));
      file[kHashAt + b] = static_cast<char>(hash >> (8 * b));
    }
  }
  const auto navigation = Navigation::load(file, "input");
  if (!navigation) return require_problems(navigation);
  require(static_cast<bool>(Navigation::load(navigation->save(), "again")), "what is written can be read");
  PathFinder finder(*navigation);
  Path path;
  constexpr std::array<double, 6> kPlaces{0.01, 0.3, 0.55, 0.8, 0.99, 0.5};
  for (std::size_t i = 0; i + 1 < kPlaces.size(); ++i) {
    const WalkablePlace a = navigation->random_walkable(kPlaces[i], kPlaces[i + 1]), b = navigation->random_walkable(kPlaces[i + 1], kPlaces[i]);
    for (const Planner planner : {Planner::kHierarchy, Planner::kZones, Planner::kRoadmap})
      for (const double radius : {0.0, 0.2, 0.45}) {
        PathRequest request{.from = a.point, .to = b.point, .radius = radius, .planner = planner};
        request.from_layer = a.layer;
        request.to_layer = b.layer;
        request.profile = i % 2;
        finder.find(request, path);
      }
    navigation->cell_at(a.point, b.layer);
    navigation->ray_cast(a.point, b.point, a.layer);
    require(std::isfinite(navigation->elevation(b.point, a.layer)), "heights are numbers");
    navigation->nearest_walkable(b.point, 0.3, b.layer);
  }
  navigation->cell_at({std::numeric_limits<double>::quiet_NaN(), 1});
}

struct Target {
  const char* name;  ///< of the corpus folder and of NAME_fuzz.cpp
  void (*run)(std::string_view);
};

inline constexpr std::array<Target, 10> kTargets{{{"scene_json", scene_json},
                                                 {"geojson", geojson},
                                                 {"cityjson", cityjson},
                                                 {"wkt", wkt},
                                                 {"movingai_map", movingai_map},
                                                 {"polyanya_mesh", polyanya_mesh},
                                                 {"osm", osm},
                                                 {"queries", queries},
                                                 {"mesh_answer", mesh_answer},
                                                 {"nav", nav}}};

}  // namespace throng::fuzz
