// SPDX-License-Identifier: MIT
#include "scene/doctor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/city.hpp"
#include "scene/office.hpp"

namespace throng {
namespace {

Ring rectangle(double x, double y, double width, double height) {
  return {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
}

/// A sound 50 m square with two obstacles and a closed wall loop.
Scene sound() {
  Scene scene;
  Layer& layer = scene.layers.emplace_back();
  layer.walkable.push_back({rectangle(0, 0, 50, 50), {}});
  layer.obstacles.push_back({rectangle(10, 10, 5, 5), {}});
  layer.obstacles.push_back({{{30, 30}, {36, 31}, {35, 37}, {29, 36}}, {}});
  layer.walls = {{{20, 20}, {25, 20}}, {{25, 20}, {25, 25}}, {{25, 25}, {20, 20}}, {{40, 5}, {45, 5}}};
  return scene;
}

/// The findings of a code, to be exactly one and near a place.
void expect_one(const Scene& scene, const std::string& code, Vec2 place, double tolerance = 0.01) {
  const auto findings = examine(scene);
  const auto count = std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
  std::string all;
  for (const Finding& f : findings) all += f.code + " " + to_string(f.problem) + "\n";
  ASSERT_EQ(count, 1) << code << " among:\n" << all;
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
  EXPECT_LT(distance(found->place, place), tolerance) << found->place.x << ", " << found->place.y;
  EXPECT_FALSE(found->problem.where.empty());
  EXPECT_FALSE(found->problem.what.empty());
  EXPECT_FALSE(found->problem.fix.empty());
}

std::string all_findings(const Scene& scene) {
  std::string all;
  for (const Finding& f : examine(scene)) all += f.code + ": " + to_string(f.problem) + "\n";
  return all;
}

TEST(Doctor, FindsNothingInSoundScenes) {
  EXPECT_EQ(all_findings(sound()), "");
  EXPECT_EQ(all_findings(make_city(300)), "");
  EXPECT_EQ(all_findings(make_office(40)), "");
}

TEST(Doctor, FindsAnOutlineThatCrossesItselfAndSaysWhere) {
  Scene scene = sound();
  scene.layers[0].obstacles.push_back({{{40, 40}, {44, 44}, {44, 40}, {40, 44}}, {}});
  expect_one(scene, "self-crossing", {42, 42});
}

TEST(Doctor, FindsACrossingAmongThousandsOfCorners) {
  // A zigzag strip of 4000 corners whose teeth touch in one place.
  Scene scene = sound();
  Ring comb;
  for (int i = 0; i < 2000; ++i) comb.push_back({i * 0.02 + 2, i % 2 == 0 ? 40.0 : 41.0});
  comb.push_back({42.5, 45});
  comb.push_back({1.5, 45});
  scene.layers[0].walkable[0].outer = rectangle(0, 0, 50, 50);
  scene.layers[0].obstacles = {{comb, {}}};
  const auto crossings = [](const Scene& s) {
    const auto all = examine(s);
    return std::count_if(all.begin(), all.end(), [](const Finding& f) { return f.code == "self-crossing"; });
  };
  EXPECT_EQ(crossings(scene), 0) << "control";
  scene.layers[0].obstacles[0].outer[1000] = {comb[1000].x + 0.1, 40};
  EXPECT_EQ(crossings(scene), 1);
}

TEST(Doctor, FindsAHoleThatCrossesItsOutline) {
  Scene scene = sound();
  scene.layers[0].walkable[0].holes.push_back({{45, 40}, {45, 42}, {55, 42}, {55, 40}});
  const auto findings = examine(scene);
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.code == "self-crossing"; }));
}

TEST(Doctor, FindsASpike) {
  Scene scene = sound();
  scene.layers[0].obstacles[0].outer = {{10, 10}, {15, 10}, {15, 12}, {19, 12.05}, {15, 12.1}, {15, 15}, {10, 15}};
  expect_one(scene, "needle", {19, 12.05});
}

TEST(Doctor, FindsASliver) {
  Scene scene = sound();
  scene.layers[0].obstacles.push_back({rectangle(5, 40, 8, 0.01), {}});
  expect_one(scene, "sliver", {5, 40});
}

TEST(Doctor, FindsAnOutlineWithoutArea) {
  Scene scene = sound();
  scene.layers[0].obstacles.push_back({{{5, 40}, {8, 40}, {6, 40}}, {}});
  expect_one(scene, "zero-area", {5, 40});
  scene = sound();
  scene.layers[0].obstacles.push_back({{{5, 40}, {8, 40}, {5, 40}}, {}});
  expect_one(scene, "too-few-points", {5, 40});
}

TEST(Doctor, FindsAPolygonDrawnTwiceWhateverItsFirstCornerAndDirection) {
  Scene scene = sound();
  Ring again = scene.layers[0].obstacles[1].outer;
  std::rotate(again.begin(), again.begin() + 2, again.end());
  std::reverse(again.begin(), again.end());
  scene.layers[0].obstacles.push_back({again, {}});
  expect_one(scene, "duplicate", again[0]);
}

TEST(Doctor, FindsAWallThatNearlyClosesOnceAndOneThatNearlyMeetsAnother) {
  Scene scene = sound();
  scene.layers[0].walls[2].b = {20.02, 20.01};
  expect_one(scene, "open-wall", {20.02, 20.01}, 0.05);
  scene = sound();
  scene.layers[0].walls.push_back({{42, 5.03}, {42, 9}});
  expect_one(scene, "dangling-wall", {42, 5.03});
  scene = sound();
  scene.layers[0].walls.push_back({{42, 49.97}, {42, 45}});  // nearly meets the outer outline
  expect_one(scene, "dangling-wall", {42, 49.97});
  scene = sound();
  scene.layers[0].walls.push_back({{42, 5}, {42, 9}});
  EXPECT_EQ(all_findings(scene), "") << "control: a T-junction that meets";
  scene = sound();
  scene.layers[0].walls.push_back({{42, 4.98}, {42, 9}});
  EXPECT_EQ(all_findings(scene), "") << "control: an end that reaches a little beyond the wall";
  scene = sound();
  scene.layers[0].walls.push_back({{42, 5.2}, {42, 9}});
  EXPECT_EQ(all_findings(scene), "") << "control: an end far from everything is a free-standing wall";
}

TEST(Doctor, FindsObstaclesThatLieOutside) {
  Scene scene = sound();
  scene.layers[0].obstacles.push_back({rectangle(60, 60, 3, 3), {}});
  expect_one(scene, "outside-walkable", {60, 60});
  scene = sound();
  scene.layers[0].obstacles.push_back({rectangle(49, 20, 5, 5), {}});
  EXPECT_EQ(all_findings(scene), "") << "control: it reaches into the ground";
}

TEST(Doctor, SuspectsUnits) {
  const auto scaled = [](double factor) {
    Scene scene = make_office(10);
    for (auto* polygons : {&scene.layers[0].walkable, &scene.layers[0].obstacles})
      for (Polygon& p : *polygons)
        for (Vec2& v : p.outer) v = factor * v;
    scene.areas.clear();
    const auto findings = examine(scene);
    return std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.code == "units"; });
  };
  EXPECT_EQ(scaled(1), 0);
  EXPECT_EQ(scaled(0.01), 1);
  EXPECT_EQ(scaled(200), 1) << "typical edges of hundreds of metres";
  EXPECT_EQ(scaled(1000), 1);
}

TEST(Doctor, SuspectsTheUpAxisOfAMesh) {
  Scene scene;
  const auto quad = [&](Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const auto i = static_cast<std::uint32_t>(scene.mesh.vertices.size());
    for (const Vec3& v : {a, b, c, d}) scene.mesh.vertices.push_back(v);
    scene.mesh.triangles.push_back({i, i + 1, i + 2});
    scene.mesh.triangles.push_back({i, i + 2, i + 3});
  };
  quad({0, 0, 0}, {0, 0, 20}, {20, 0, 20}, {20, 0, 0});  // a floor that faces y
  quad({0, 0, 0}, {20, 0, 0}, {20, 3, 0}, {0, 3, 0});    // a wall that faces z
  expect_one(scene, "up-axis", {10, 1.5}, 11);
  for (Vec3& v : scene.mesh.vertices) v = {v.x, -v.z, v.y};
  EXPECT_EQ(all_findings(scene), "") << "control: turned to z up";
}

TEST(Doctor, FindsBrokenNumbersEmptyLayersAndBadAreas) {
  Scene scene = sound();
  scene.layers[0].obstacles[0].outer[2].x = std::numeric_limits<double>::quiet_NaN();
  const auto findings = examine(scene);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].code, "bad-number");
  EXPECT_EQ(findings[0].severity, Finding::kError);
  scene = sound();
  scene.layers.emplace_back();
  expect_one(scene, "no-ground", {0, 0});
  expect_one(Scene{}, "no-ground", {0, 0});
  scene = sound();
  scene.areas.push_back({"park", 0, {rectangle(1, 1, 3, 3), {}}, 0.5, {}});
  expect_one(scene, "bad-area", {1, 1});
}

TEST(Doctor, ListsNoMoreThanFiftyOfAKindAndSaysHowManyThereWere) {
  Scene scene = sound();
  for (int i = 0; i < 300; ++i) scene.layers[0].obstacles.push_back({rectangle(0.1 * i, 45, 0.05, 0.01), {}});
  const auto findings = examine(scene);
  EXPECT_EQ(std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.code == "sliver"; }), 51);
  EXPECT_NE(findings.back().problem.what.find("300"), std::string::npos);
}

}  // namespace
}  // namespace throng
