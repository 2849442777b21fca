// SPDX-License-Identifier: MIT
#include "scene/cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "support/external_data.hpp"

namespace throng {
namespace {

using Box = std::array<Vec3, 2>;

void add_quad(Mesh& mesh, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& v : {a, b, c, d}) mesh.vertices.push_back(v);
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
}

void add_box(Mesh& mesh, Box b) {
  const auto [p, q] = b;
  add_quad(mesh, {p.x, p.y, q.z}, {q.x, p.y, q.z}, {q.x, q.y, q.z}, {p.x, q.y, q.z});  // top, facing up
  add_quad(mesh, {p.x, p.y, p.z}, {p.x, q.y, p.z}, {q.x, q.y, p.z}, {q.x, p.y, p.z});
  add_quad(mesh, {p.x, p.y, p.z}, {q.x, p.y, p.z}, {q.x, p.y, q.z}, {p.x, p.y, q.z});
  add_quad(mesh, {q.x, p.y, p.z}, {q.x, q.y, p.z}, {q.x, q.y, q.z}, {q.x, p.y, q.z});
  add_quad(mesh, {q.x, q.y, p.z}, {p.x, q.y, p.z}, {p.x, q.y, q.z}, {q.x, q.y, q.z});
  add_quad(mesh, {p.x, q.y, p.z}, {p.x, p.y, p.z}, {p.x, p.y, q.z}, {p.x, q.y, q.z});
}

/// 8 × 6 m room with walls 3 m high, a pillar, a table 0.75 m high, a rug 2 cm high and a lamp hanging from 2.2 m.
Mesh room() {
  Mesh mesh;
  add_quad(mesh, {0, 0, 0}, {8, 0, 0}, {8, 6, 0}, {0, 6, 0});
  add_quad(mesh, {0, 0, 0}, {8, 0, 0}, {8, 0, 3}, {0, 0, 3});
  add_quad(mesh, {8, 0, 0}, {8, 6, 0}, {8, 6, 3}, {8, 0, 3});
  add_quad(mesh, {8, 6, 0}, {0, 6, 0}, {0, 6, 3}, {8, 6, 3});
  add_quad(mesh, {0, 6, 0}, {0, 0, 0}, {0, 0, 3}, {0, 6, 3});
  add_box(mesh, {Vec3{2, 2, 0}, {2.5, 2.5, 3}});
  add_box(mesh, {Vec3{5, 1, 0}, {6, 2, 0.75}});
  add_box(mesh, {Vec3{1, 4, 0}, {3, 5, 0.02}});
  add_box(mesh, {Vec3{6, 4, 2.2}, {6.5, 4.5, 2.5}});
  return mesh;
}

/// Length of wall that lies on the axis-parallel segment a–b, double parts counted once.
double covered(const Layer& layer, Vec2 a, Vec2 b) {
  std::vector<std::pair<double, double>> parts;
  const Vec2 along = (1 / distance(a, b)) * (b - a);
  for (const Segment& s : layer.walls) {
    if (std::abs(cross(along, s.a - a)) > 2e-3 || std::abs(cross(along, s.b - a)) > 2e-3) continue;
    const double t0 = dot(along, s.a - a), t1 = dot(along, s.b - a);
    parts.emplace_back(std::max(0.0, std::min(t0, t1)), std::min(distance(a, b), std::max(t0, t1)));
  }
  std::sort(parts.begin(), parts.end());
  double sum = 0, reached = 0;
  for (const auto& [from, to] : parts) {
    if (to > std::max(reached, from)) sum += to - std::max(reached, from);
    reached = std::max(reached, to);
  }
  return sum;
}

bool any_wall_near(const Layer& layer, Vec2 low, Vec2 high) {
  return std::any_of(layer.walls.begin(), layer.walls.end(), [&](const Segment& s) {
    return std::max(s.a.x, s.b.x) >= low.x && std::max(s.a.y, s.b.y) >= low.y && std::min(s.a.x, s.b.x) <= high.x &&
           std::min(s.a.y, s.b.y) <= high.y;
  });
}

TEST(Cut, ARoomKeepsItsWallsItsPillarAndItsTableAndNothingLowOrHigh) {
  const auto layer = cut_mesh(room(), {});
  ASSERT_TRUE(layer) << to_string(layer.problems()[0]);
  EXPECT_NEAR(layer->elevation, 0, 0.002) << "the mean of the floor and of the rug";
  EXPECT_NEAR(covered(*layer, {0, 0}, {8, 0}), 8, 0.01);
  EXPECT_NEAR(covered(*layer, {8, 0}, {8, 6}), 6, 0.01);
  EXPECT_NEAR(covered(*layer, {2, 2}, {2.5, 2}), 0.5, 0.01);
  EXPECT_NEAR(covered(*layer, {6, 1}, {6, 2}), 1, 0.01);
  EXPECT_FALSE(any_wall_near(*layer, {0.5, 3.5}, {3.5, 5.5})) << "the rug is stepped over";
  EXPECT_FALSE(any_wall_near(*layer, {5.8, 3.8}, {6.7, 4.7})) << "the lamp is walked under";
  ASSERT_EQ(layer->seeds.size(), 1u);
  const Vec2 seed = layer->seeds[0];
  EXPECT_TRUE(seed.x > 0 && seed.y > 0 && seed.x < 8 && seed.y < 6);
  EXPECT_FALSE(seed.x > 2 && seed.x < 2.5 && seed.y > 2 && seed.y < 2.5);
}

TEST(Cut, SegmentsAreUniqueSortedAndNeverOfLengthZero) {
  Mesh twice = room();
  const Mesh once = room();
  const auto offset = static_cast<std::uint32_t>(twice.vertices.size());
  twice.vertices.insert(twice.vertices.end(), once.vertices.begin(), once.vertices.end());
  for (const auto& t : once.triangles) twice.triangles.push_back({t[2] + offset, t[1] + offset, t[0] + offset});
  const auto a = cut_mesh(once, {}), b = cut_mesh(twice, {});
  ASSERT_TRUE(a && b);
  ASSERT_EQ(a->walls.size(), b->walls.size()) << "drawing everything twice changes nothing";
  for (std::size_t i = 0; i < a->walls.size(); ++i) {
    EXPECT_TRUE(a->walls[i].a == b->walls[i].a && a->walls[i].b == b->walls[i].b);
    EXPECT_FALSE(a->walls[i].a == a->walls[i].b);
  }
}

TEST(Cut, ARampIsFloorUntilAStepAndInTheWayAbove) {
  Mesh mesh;
  add_quad(mesh, {0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0});
  add_quad(mesh, {4, 0, 0}, {14, 0, 2}, {14, 4, 2}, {4, 4, 0});  // rises 0.2 m in the first metre
  CutSettings settings;
  settings.floor = 0;
  const auto layer = cut_mesh(mesh, settings);
  ASSERT_TRUE(layer);
  double westernmost = 1e9, easternmost = -1e9;
  for (const Segment& s : layer->walls) {
    westernmost = std::min({westernmost, s.a.x, s.b.x});
    easternmost = std::max({easternmost, s.a.x, s.b.x});
  }
  EXPECT_NEAR(westernmost, 5, 2e-3);
  EXPECT_NEAR(easternmost, 13, 2e-3) << "where the ramp is 1.8 m above the floor one walks under it";
  EXPECT_NEAR(covered(*layer, {5, 0}, {5, 4}), 4, 0.01);
}

TEST(Cut, FloorsAreFoundByTheirLevelArea) {
  Mesh mesh = room();
  add_quad(mesh, {0, 0, 3.3}, {20, 0, 3.3}, {20, 20, 3.3}, {0, 20, 3.3});
  add_quad(mesh, {0, 0, 9}, {0, 90, 9}, {90, 90, 9}, {90, 0, 9});  // a ceiling: faces down
  const auto floors = find_floors(mesh);
  ASSERT_GE(floors.size(), 2u);
  EXPECT_NEAR(floors[0].height, 3.3, 1e-9);
  EXPECT_NEAR(floors[0].area, 400, 1e-9);
  EXPECT_NEAR(floors[1].height, 0, 0.1);
}

TEST(Cut, SaysWhatIsWrong) {
  const auto what = [](const Mesh& mesh, CutSettings settings) {
    const auto layer = cut_mesh(mesh, settings);
    return layer ? std::string("fine") : to_string(layer.problems()[0]);
  };
  const auto has = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos ? "" : text; };
  CutSettings s;
  EXPECT_EQ(has(what(Mesh{}, s), "no triangles"), "");
  s.floor = 100;
  EXPECT_EQ(has(what(room(), s), "no geometry at this height"), "");
  EXPECT_EQ(has(what(room(), s), "floors were found at 0.0"), "");
  s = {};
  s.seed = Vec2{50, 50};
  EXPECT_EQ(has(what(room(), s), "outside the mesh"), "");
  s.seed = Vec2{5.5, 1.5};
  EXPECT_EQ(has(what(room(), s), "something stands there"), "");
  s.seed = Vec2{4, 4};
  EXPECT_EQ(what(room(), s), "fine");
  s = {};
  s.step = 2;
  EXPECT_EQ(has(what(room(), s), "step < height"), "");
  Mesh broken = room();
  broken.vertices[3].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(has(what(broken, {}), "vertex 3"), "");
  broken = room();
  broken.vertices[3].x = 1e9;
  EXPECT_EQ(has(what(broken, {}), "16 km"), "");
  broken = room();
  broken.triangles[5][1] = 100000;
  EXPECT_EQ(has(what(broken, {}), "triangle 5"), "");
  Mesh wall;
  add_quad(wall, {0, 0, 0}, {8, 0, 0}, {8, 0, 3}, {0, 0, 3});
  EXPECT_EQ(has(what(wall, {}), "up axis"), "");
}

/// Vertices and faces of a Y-up OBJ, turned to z up.
std::optional<Mesh> read_obj(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  Mesh mesh;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string kind;
    in >> kind;
    if (kind == "v") {
      double x, y, z;
      in >> x >> y >> z;
      mesh.vertices.push_back({x, -z, y});
    } else if (kind == "f") {
      std::vector<std::uint32_t> corners;
      for (std::string corner; in >> corner;) corners.push_back(static_cast<std::uint32_t>(std::stoul(corner)) - 1);
      for (std::size_t i = 1; i + 1 < corners.size(); ++i) mesh.triangles.push_back({corners[0], corners[i], corners[i + 1]});
    }
  }
  return mesh;
}

TEST(Cut, RealLevelsGiveAFloorPlanWithAFreeSeed) {
  for (const char* name : {"scenes/nav_test.obj", "scenes/dungeon.obj"}) {
    const auto mesh = read_obj(external(name));
    if (!mesh) GTEST_SKIP() << "skipped: no external data";
    const auto layer = cut_mesh(*mesh, {});
    ASSERT_TRUE(layer) << name << ": " << to_string(layer.problems()[0]);
    EXPECT_GT(layer->walls.size(), 100u) << name;
    EXPECT_EQ(layer->seeds.size(), 1u);
    // The seed is free: nothing of the mesh lies above or below it between step and height. Brute force over all triangles.
    const Vec2 seed = layer->seeds[0];
    for (const auto& t : mesh->triangles) {
      const Vec3 a = mesh->vertices[t[0]], b = mesh->vertices[t[1]], c = mesh->vertices[t[2]];
      const double det = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
      if (det == 0) continue;
      const double u = ((seed.x - a.x) * (c.y - a.y) - (c.x - a.x) * (seed.y - a.y)) / det;
      const double v = ((b.x - a.x) * (seed.y - a.y) - (seed.x - a.x) * (b.y - a.y)) / det;
      if (u < 0 || v < 0 || u + v > 1) continue;
      const double z = a.z + u * (b.z - a.z) + v * (c.z - a.z) - layer->elevation;
      EXPECT_FALSE(z > 0.2 && z < 1.8) << name << " z " << z;
    }
  }
}

}  // namespace
}  // namespace throng
