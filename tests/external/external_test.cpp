// SPDX-License-Identifier: MIT
// Maps, meshes and towns that nobody on this project wrote. Where they are absent each test says "skipped: no external data".
#include <gtest/gtest.h>

#include <filesystem>

#include <throng/navigation.hpp>

#include "base/random.hpp"
#include "import/import.hpp"
#include "import/queries.hpp"
#include "scene/cut.hpp"
#include "support/clipper_oracle.hpp"
#include "support/external_data.hpp"

namespace throng {
namespace {

using namespace throng::testing;

struct Loaded {
  Scene scene;
  std::optional<Navigation> navigation;
};

/// The scene of a file, cut at its largest floor if it is a mesh, and baked.
Loaded load(const std::filesystem::path& file) {
  Loaded loaded;
  Result<Scene> scene = load_scene(file);
  if (!scene) {
    ADD_FAILURE() << to_string(scene.problems()[0]);
    return loaded;
  }
  if (!scene->mesh.empty()) {
    Result<Layer> layer = cut_mesh(scene->mesh, {});
    if (!layer) {
      ADD_FAILURE() << to_string(layer.problems()[0]);
      return loaded;
    }
    scene->layers.push_back(std::move(*layer));
  }
  Result<Navigation> navigation = Navigation::bake(*scene);
  if (!navigation) {
    ADD_FAILURE() << to_string(navigation.problems()[0]);
    return loaded;
  }
  const BakeReport& report = navigation->report();
  EXPECT_EQ(std::int64_t{report.portals} - report.cells, std::int64_t{report.holes} - report.components);
  EXPECT_EQ(report.doubled_cell_area, report.doubled_map_area);
  EXPECT_EQ(report.unguarded, 0u);
  loaded.scene = std::move(*scene);
  loaded.navigation = std::move(*navigation);
  return loaded;
}

std::string words(const PathQueryRow& row) {
  return std::to_string(row.from.x) + "," + std::to_string(row.from.y) + " → " + std::to_string(row.to.x) + "," +
         std::to_string(row.to.y);
}

/// Where a body stands and `shortest` finds a way, `hierarchy` finds one, not shorter and not much longer.
void expect_hierarchy_follows(const Navigation& navigation, const std::vector<PathRequest>& requests) {
  PathFinder finder(navigation);
  Path shortest, path;
  std::size_t found = 0;
  for (PathRequest request : requests) {
    request.planner = Planner::kShortest;
    const PathStatus status = finder.find_pulled(request, shortest);
    request.planner = Planner::kHierarchy;
    EXPECT_EQ(finder.find_pulled(request, path), status)
        << request.from.x << "," << request.from.y << " → " << request.to.x << "," << request.to.y;
    if (status != PathStatus::kFound || !path.found) continue;
    ++found;
    EXPECT_GE(path.length, shortest.length - 1e-6)
        << request.from.x << "," << request.from.y << " → " << request.to.x << "," << request.to.y;
  }
  EXPECT_GT(found, requests.size() / 2);
}

/// Plans every query of a file as a point; `is_good` judges the length. At least `least` queries there must be.
template <class IsGood>
void expect_shortest(const std::filesystem::path& scene, const std::filesystem::path& queries, std::size_t least,
                     IsGood is_good) {
  const Loaded loaded = load(scene);
  ASSERT_TRUE(loaded.navigation);
  const auto rows = read_queries(queries);
  ASSERT_TRUE(rows);
  PathFinder finder(*loaded.navigation);
  Path path;
  std::size_t wrong = 0;
  for (const PathQueryRow& row : *rows) {
    const Vec2 origin = loaded.scene.origin;
    const PathRequest request{.from = row.from - origin, .to = row.to - origin, .radius = 0, .planner = Planner::kShortest};
    const PathStatus status = finder.find_pulled(request, path);
    if ((status != PathStatus::kFound || !is_good(row, path.length)) && ++wrong <= 10)
      ADD_FAILURE() << words(row) << ": " << path.length << " beside " << row.expected << ", status " << static_cast<int>(status);
  }
  EXPECT_EQ(wrong, 0u) << "of " << rows->size();
  EXPECT_GT(rows->size(), least);
}

class Meshes : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Polyanya, Meshes, ::testing::Values("arena", "aurora-merged"),
                         [](const auto& name) { return std::string(name.param).substr(0, 6); });

TEST_P(Meshes, ShortestEqualsEveryPublishedLength) {
  const std::string name = std::string("paths/") + GetParam();
  const auto mesh = external(name + ".mesh"), queries = external(name + ".optimal.csv");
  if (mesh.empty() || queries.empty()) GTEST_SKIP() << "skipped: no external data";
  expect_shortest(mesh, queries, 100,
                  [](const PathQueryRow& row, double length) { return std::abs(length - row.expected) <= 1e-3; });
}

class Grids : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(MovingAi, Grids, ::testing::Values("Berlin_0_256", "Berlin_1_256", "London_0_512", "Paris_0_512"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(Grids, ShortestNeverExceedsTheOctileLength) {
  const std::string name = std::string("paths/") + GetParam();
  const auto map = external(name + ".map"), queries = external(name + ".map.scen");
  if (map.empty() || queries.empty()) GTEST_SKIP() << "skipped: no external data";
  expect_shortest(map, queries, 500, [](const PathQueryRow& row, double length) {
    return length <= row.expected + 1e-3 && length >= distance(row.from, row.to) - 1e-6;
  });
}

TEST_P(Grids, HierarchyFindsAWayWhereverShortestDoes) {
  const auto map = external(std::string("paths/") + GetParam() + ".map"),
             queries = external(std::string("paths/") + GetParam() + ".map.scen");
  if (map.empty() || queries.empty()) GTEST_SKIP() << "skipped: no external data";
  const Loaded loaded = load(map);
  ASSERT_TRUE(loaded.navigation);
  const auto rows = read_queries(queries);
  ASSERT_TRUE(rows);
  std::vector<PathRequest> requests;
  for (std::size_t i = 0; i < rows->size(); i += rows->size() / 300 + 1)
    requests.push_back({.from = (*rows)[i].from - loaded.scene.origin, .to = (*rows)[i].to - loaded.scene.origin, .radius = 0.2});
  expect_hierarchy_follows(*loaded.navigation, requests);
}

class Places : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Scenes, Places, ::testing::Values("nav_test.obj", "dungeon.obj", "delft.city.json", "small-town.osm"),
                         [](const auto& name) {
                           std::string word = name.param;
                           std::erase_if(word, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
                           return word;
                         });

TEST_P(Places, BakeAndPlan) {
  const auto file = external(std::string("scenes/") + GetParam());
  if (file.empty()) GTEST_SKIP() << "skipped: no external data";
  const Loaded loaded = load(file);
  ASSERT_TRUE(loaded.navigation);
  const Navigation& navigation = *loaded.navigation;
  EXPECT_GT(navigation.report().cells, 20u);
  Layer layer = loaded.scene.layers[0];
  // Islands by oracles of our own, where the scene is made of polygons.
  if (!layer.obstacles.empty()) {
    double west = 1e9, south = 1e9, east = -1e9, north = -1e9;
    const auto cover = [&](const std::vector<Polygon>& polygons) {
      for (const Polygon& p : polygons)
        for (Vec2 v : p.outer)
          west = std::min(west, v.x), south = std::min(south, v.y), east = std::max(east, v.x), north = std::max(north, v.y);
    };
    cover(layer.walkable);
    if (layer.walkable.empty()) {  // then everything within 5 m of the geometry is
      cover(layer.obstacles);
      for (const Segment& w : layer.walls)
        for (Vec2 v : {w.a, w.b})
          west = std::min(west, v.x), south = std::min(south, v.y), east = std::max(east, v.x), north = std::max(north, v.y);
      west -= 5, south -= 5, east += 5, north += 5;
      layer.walkable.push_back({{{west, south}, {east, south}, {east, north}, {west, north}}, {}});
    }
    const ClippedGround ground = clip_ground(layer);
    std::vector<Polygon> inside;
    for (const Polygon& p : layer.obstacles)
      if (std::all_of(p.outer.begin(), p.outer.end(),
                      [&](Vec2 v) { return v.x > west && v.x < east && v.y > south && v.y < north; }))
        inside.push_back(p);
    EXPECT_EQ(navigation.report().holes, count_groups(inside));
    EXPECT_NEAR(navigation.report().area, ground.area_units * kUnit * kUnit, navigation.report().wall_length * kUnit);
    RecordProperty("islands", static_cast<int>(navigation.report().holes));
  }
  PathFinder finder(navigation);
  Path path;
  int found = 0, tried = 0;
  for (std::uint32_t i = 0; found < 50 && i < 3000; ++i) {
    RandomStream random(1, i, 1);
    PathRequest request;
    for (Vec2* p : {&request.from, &request.to}) {
      const double u = random.unit(), v = random.unit();
      *p = navigation.random_walkable(u, v).point;
    }
    const PathStatus status = finder.find(request, path);
    if (status == PathStatus::kStartBlocked || status == PathStatus::kGoalBlocked) continue;
    ++tried;
    if (status != PathStatus::kFound) continue;
    ++found;
    EXPECT_GE(path.length, distance(request.from, request.to) - 1e-9);
    EXPECT_EQ(path.points.front(), request.from);
    EXPECT_EQ(path.points.back(), request.to);
    for (std::size_t n = 0; n + 1 < path.points.size(); ++n)
      EXPECT_FALSE(navigation.ray_cast(path.points[n], path.points[n + 1])) << "a path crosses a wall";
  }
  EXPECT_EQ(found, 50) << "of " << tried;
}

}  // namespace
}  // namespace throng
