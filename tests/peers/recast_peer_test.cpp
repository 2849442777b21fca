// SPDX-License-Identifier: MIT
#include "peers/recast_peer.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "peers/scene_triangles.hpp"
#include "scene/city.hpp"

namespace throng {
namespace {

Ring rectangle(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

/// A 100 m square with a wall from its south edge to 20 m below the north one.
Scene square_with_wall() {
  Scene scene;
  Layer& layer = scene.layers.emplace_back();
  layer.walkable.push_back({rectangle(0, 0, 100, 100), {}});
  layer.obstacles.push_back({rectangle(49, -1, 51, 80), {}});
  return scene;
}

double triangle_area(const Ring& ring, const std::array<std::int32_t, 3>& t) {
  return 0.5 * cross(ring[t[1]] - ring[t[0]], ring[t[2]] - ring[t[0]]);
}

TEST(SceneTriangles, EarsCoverASimpleRingInEitherDirection) {
  Ring comb;  // teeth: many reflex corners
  for (int i = 0; i < 10; ++i) {
    comb.push_back({2.0 * i, 0});
    comb.push_back({2.0 * i + 1, 5.0 + i % 3});
  }
  comb.push_back({20, 0});
  comb.push_back({20, 10});
  comb.push_back({0, 10});
  double expected = 0;
  for (std::size_t i = 0; i < comb.size(); ++i) expected += 0.5 * cross(comb[i], comb[(i + 1) % comb.size()]);
  for (int direction = 0; direction < 2; ++direction) {
    const auto triangles = clip_ears(comb);
    EXPECT_EQ(triangles.size(), comb.size() - 2);
    double area = 0;
    for (const auto& t : triangles) {
      EXPECT_GT(triangle_area(comb, t), 0);
      area += triangle_area(comb, t);
    }
    EXPECT_NEAR(area, std::abs(expected), 1e-9);
    comb = Ring(comb.rbegin(), comb.rend());
  }
}

TEST(DetourPeer, WalksRoundAWall) {
  for (const double cell_size : {0.25, 0.5}) {
    auto peer = DetourPeer::build(square_with_wall(), cell_size, 0.2);
    ASSERT_TRUE(peer) << to_string(peer.problems()[0]);
    const auto path = peer->find({20, 10}, {80, 10});
    ASSERT_TRUE(path.found);
    // Over the two upper corners of the wall, moved out by one cell of erosion and up to 1.3 cells of simplification.
    const double tight = 2 * distance({20, 10}, {49, 80}) + 2;
    EXPECT_GE(path.length, tight - 2 * cell_size);
    EXPECT_LE(path.length, tight + 6 * cell_size);
    const auto straight = peer->find({60, 10}, {80, 40});
    ASSERT_TRUE(straight.found);
    EXPECT_NEAR(straight.length, distance({60, 10}, {80, 40}), 1e-3);
    ASSERT_EQ(straight.points.size(), 2u);
  }
}

TEST(DetourPeer, DoesNotWalkThroughAClosedWallOrIntoABuilding) {
  Scene scene = square_with_wall();
  scene.layers[0].obstacles[0].outer = rectangle(49, -1, 51, 101);
  scene.layers[0].obstacles.push_back({rectangle(70, 70, 90, 90), {}});
  auto peer = DetourPeer::build(scene, 0.5, 0.2);
  ASSERT_TRUE(peer) << to_string(peer.problems()[0]);
  EXPECT_FALSE(peer->find({20, 10}, {80, 10}).found);
  EXPECT_FALSE(peer->find({60, 60}, {80, 80}).found) << "the middle of the building is not ground";
  EXPECT_TRUE(peer->find({60, 60}, {95, 95}).found);
}

TEST(DetourPeer, CountsWhatItBuilt) {
  auto peer = DetourPeer::build(square_with_wall(), 0.25, 0.2);
  ASSERT_TRUE(peer) << to_string(peer.problems()[0]);
  const DetourPeer::Statistics& statistics = peer->statistics();
  EXPECT_EQ(statistics.tile_count, 4u) << "400 cells a side in tiles of 256";
  EXPECT_GE(statistics.polygon_count, 4u);
  EXPECT_GT(statistics.bytes, 0u);
  EXPECT_EQ(statistics.stages.size(), 9u);
}

TEST(DetourPeer, FindsItsWayThroughACityOfManyTiles) {
  const Scene city = make_city(60);
  auto peer = DetourPeer::build(city, 0.25, 0.2);
  ASSERT_TRUE(peer) << to_string(peer.problems()[0]);
  const double side = city.layers[0].walkable[0].outer[2].x;
  int found = 0;
  for (int i = 0; i < 20; ++i) {
    const Vec2 from{side * (0.05 + 0.045 * i), 1.0}, to{side * (0.95 - 0.045 * i), side - 1.0};
    const auto path = peer->find(from, to);
    if (!path.found) continue;
    ++found;
    EXPECT_GE(path.length, distance(from, to) - 4.0) << "ends may be moved by the search reach";
    EXPECT_LE(path.length, 2 * distance(from, to));
  }
  EXPECT_GE(found, 15);
}

/// A square of ground, facing up or down.
void add_square(Mesh& mesh, double x0, double y0, double x1, double y1, double z, bool up = true) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}});
  for (auto t : {std::array{0u, 1u, 2u}, std::array{0u, 2u, 3u}}) {
    if (!up) std::swap(t[1], t[2]);
    mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
}

TEST(DetourPeer, TellsStoreysOfAMeshApart) {
  Mesh mesh;
  add_square(mesh, 0, 0, 20, 20, 0);
  add_square(mesh, 0, 0, 20, 20, 2.9, false);
  add_square(mesh, 0, 0, 20, 20, 3);
  auto peer = DetourPeer::build(mesh, {});
  ASSERT_TRUE(peer) << to_string(peer.problems()[0]);
  EXPECT_EQ(peer->part_count(), 2u);
  EXPECT_NEAR(peer->statistics().area, 2 * 19.6 * 19.6, 0.05 * 2 * 400) << "eroded by two cells and a ledge";
  DetourPeer::Path path;
  peer->find(Vec3{2, 2, 3}, Vec3{18, 18, 3}, path);
  ASSERT_TRUE(path.found);
  EXPECT_NEAR(path.length, 16 * std::sqrt(2.0), 1e-3);
  EXPECT_NEAR(path.points.back().z, 3, 0.1);
  peer->find(Vec3{2, 2, 0}, Vec3{18, 18, 3}, path);
  EXPECT_FALSE(path.found);
  EXPECT_NE(peer->part_at({5, 5, 0}, 0, 0.9), peer->part_at({5, 5, 3}, 0, 0.9));
  EXPECT_FALSE(peer->part_at({25, 5, 0}, 0, 0.9)) << "beside the ground";
}

TEST(DetourPeer, SaysWhenThereIsNoGround) { EXPECT_FALSE(DetourPeer::build(Scene{}, 0.5, 0.2)); }

}  // namespace
}  // namespace throng
