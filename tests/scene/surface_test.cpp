// SPDX-License-Identifier: MIT
#include "scene/surface.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/hash.hpp"
#include "scene/layer_mesh.hpp"
#include "support/meshes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Surface sampled(const Mesh& mesh, SurfaceSettings settings = {}) {
  InlineTasks tasks;
  Result<Surface> surface = sample_surface(mesh, settings, tasks);
  if (!surface) {
    ADD_FAILURE() << to_string(surface.problems()[0]);
    return {};
  }
  return std::move(*surface);
}

std::string surface_problem_of(const Mesh& mesh, const SurfaceSettings& settings = {}) {
  InlineTasks tasks;
  const Result<Surface> surface = sample_surface(mesh, settings, tasks);
  return surface ? "" : to_string(surface.problems()[0]);
}

std::uint64_t hash_of(const Surface& s) {
  Hash hash;
  for (const float z : s.z) hash.add(z);
  for (const auto c : s.column) hash.add(c);
  for (const auto& l : s.links)
    for (const auto b : l) hash.add(b);
  for (const auto c : s.column_start) hash.add(c);
  for (const auto n : s.border) hash.add(n);
  for (const auto n : s.piece_start) hash.add(n);
  for (const WallPiece& p : s.pieces) hash.add(p.ax).add(p.ay).add(p.bx).add(p.by);
  return hash.value();
}

/// Hills, turned boxes standing on and hanging over them, and a slab.
Mesh mixed_mesh() {
  Mesh mesh;
  add_terrain(mesh, {-9, -9}, 12, 1.5, 0.4);
  RandomStream random(7, 0, 2);
  for (int i = 0; i < 14; ++i) {
    const Vec2 middle{random.between(-8, 8), random.between(-8, 8)};
    const double bottom = random.between(-1, 2), top = bottom + random.between(0.1, 3);
    add_prism(mesh, rectangle(middle, random.between(0.2, 1.5), random.between(0.2, 1.5), random.between(0, 3)), bottom, top);
  }
  add_floor(mesh, {-3, -3}, {4, 2}, 3.5);
  return mesh;
}

TEST(Surface, NodesAreWhereVerticalRaysFindRoomToStand) {
  const Mesh mesh = mixed_mesh();
  SurfaceSettings settings;
  settings.min_island = 0;
  const Surface surface = sampled(mesh, settings);
  const double cosine = std::cos(settings.slope * 3.14159265358979323846 / 180);
  std::size_t compared = 0;
  for (std::int32_t j = 0; j < 80; ++j)
    for (std::int32_t i = 0; i < 80; ++i) {
      const auto hits = hits_above(mesh, surface.position(ColumnPlace{i, j}));
      std::vector<double> expected;
      for (std::size_t k = 0; k < hits.size(); ++k) {
        if (k + 1 < hits.size() && hits[k + 1].z - hits[k].z < 0.05) continue;  // merged into the one above
        if (hits[k].cosine >= cosine && (k + 1 == hits.size() || hits[k + 1].z - hits[k].z >= settings.head_room))
          expected.push_back(hits[k].z);
      }
      std::vector<double> found;
      if (const std::uint32_t c = surface.column_at({i, j}); c != kNoColumn)
        found.assign(surface.z.begin() + surface.column_start[c], surface.z.begin() + surface.column_start[c + 1]);
      ASSERT_EQ(found.size(), expected.size()) << "column " << i << ", " << j;
      for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-4);
      compared += expected.size();
    }
  EXPECT_GT(compared, 3000u);
  EXPECT_EQ(compared, surface.node_count());
}

TEST(Surface, LinksAreFreeExactlyWhereRaysThroughTheSlabAre) {
  const Mesh mesh = mixed_mesh();
  SurfaceSettings settings;
  settings.min_island = 0;
  const Surface s = sampled(mesh, settings);
  std::size_t linked = 0, blocked = 0;
  RandomStream random(3, 0, 1);
  for (int trial = 0; trial < 4000; ++trial) {
    const auto n = static_cast<NodeIndex>(random.integer(0, s.node_count() - 1));
    const int d = static_cast<int>(random.integer(0, 3)) * 2;
    const std::uint32_t column = s.neighbour_column(s.column[n], d);
    const NodeIndex other = s.nearest_in_column(column, s.z[n]);
    if (other == kNoNode || std::abs(s.z[other] - s.z[n]) > settings.step_height) continue;
    const Vec2 a = s.position(n), b = s.position(other);
    const double rise = s.z[other] - s.z[n];
    bool free = true;
    constexpr int kRays = 60;
    for (int k = 0; k <= kRays && free; ++k) {
      const double top = settings.head_room - std::abs(rise);
      const double w = settings.step_height + 1e-5 + (top - settings.step_height - 2e-5) * k / kRays;
      free = !first_hit(mesh, {a.x, a.y, s.z[n] + w}, {b.x, b.y, s.z[other] + w});
    }
    if (s.neighbour(n, d) == other) {
      EXPECT_TRUE(free) << "node " << n << " direction " << d;
      ++linked;
    } else {
      EXPECT_FALSE(free) << "node " << n << " direction " << d;
      ++blocked;
    }
  }
  EXPECT_GT(linked, 1000u);
  EXPECT_GT(blocked, 20u);
}

TEST(Surface, LinksAreMutualAndDiagonalsNeedBothWaysRound) {
  const Surface s = sampled(mixed_mesh());
  for (NodeIndex n = 0; n < s.node_count(); ++n)
    for (int d = 0; d < 8; ++d) {
      const NodeIndex other = s.neighbour(n, d);
      if (other == kNoNode) continue;
      EXPECT_EQ(s.neighbour(other, d ^ 4), n);
      if (d % 2 == 0) continue;
      const NodeIndex one = s.neighbour(n, d - 1), two = s.neighbour(n, (d + 1) % 8);
      ASSERT_NE(one, kNoNode);
      ASSERT_NE(two, kNoNode);
      EXPECT_EQ(s.neighbour(one, (d + 1) % 8), other);
    }
}

TEST(Surface, StairsAreClimbedAndTooHighStepsAreNot) {
  for (const double rise : {0.17, 0.19, 0.25}) {
    Mesh mesh;
    add_floor(mesh, {-6, -3}, {0, 3}, 0);
    add_stairs(mesh, {0, 0, 0}, 6, 10, rise, 0.3);
    add_floor(mesh, {3, -3}, {9, 3}, 10 * rise);
    const Surface s = sampled(mesh);
    std::set<NodeIndex> reached{s.nearest({-3, 0, 0}, 1)};
    std::vector<NodeIndex> open(reached.begin(), reached.end());
    while (!open.empty()) {
      const NodeIndex n = open.back();
      open.pop_back();
      for (int d = 0; d < 8; ++d)
        if (const NodeIndex other = s.neighbour(n, d); other != kNoNode && reached.insert(other).second) open.push_back(other);
    }
    EXPECT_EQ(reached.contains(s.nearest({6, 0, 10 * rise}, 1)), rise < 0.2) << rise;
  }
}

TEST(Surface, WallPiecesLieOnTheWallsThatStopALink) {
  Mesh mesh;
  add_floor(mesh, {0, 0}, {10, 8}, 0);
  const std::vector<Vec2> box = rectangle({5, 4}, 1.3, 0.8, 0.6);
  add_prism(mesh, box, 0, 2.5);
  const Surface s = sampled(mesh, {.min_island = 4});  // the inside and the roof of the box are smaller
  ASSERT_FALSE(s.pieces.empty());
  const std::vector<Vec2> floor = {{0, 0}, {10, 0}, {10, 8}, {0, 8}};
  for (const WallPiece& piece : s.pieces)
    for (const Vec2 p : {Vec2{piece.ax, piece.ay}, Vec2{piece.bx, piece.by}}) {
      double away = 1e300;
      for (const auto& ring : {box, floor})
        for (std::size_t i = 0; i < ring.size(); ++i) {
          const Vec2 a = ring[i], b = ring[(i + 1) % ring.size()];
          const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
          away = std::min(away, distance(p, a + t * (b - a)));
        }
      EXPECT_LT(away, 1e-4) << p.x << ", " << p.y;
    }
}

TEST(Surface, SmallIslandsGoUnlessASeedStandsOnThem) {
  Mesh mesh;
  add_floor(mesh, {0, 0}, {10, 10}, 0);
  add_prism(mesh, rectangle({5, 5}, 0.6, 0.6), 0, 2.5);  // its roof is an island of 1.4 m²
  const Surface without = sampled(mesh);
  for (const float z : without.z) EXPECT_EQ(z, 0);
  const Surface with = sampled(mesh, {.seeds = {{5, 5, 2.5}}});
  const NodeIndex roof = with.nearest({5, 5, 2.5}, 0.2);
  ASSERT_NE(roof, kNoNode);
  EXPECT_NEAR(with.z[roof], 2.5, 1e-6);
  EXPECT_GT(with.node_count(), without.node_count());
}

TEST(Surface, DoesNotDependOnTheNumberOfThreads) {
  const Mesh mesh = mixed_mesh();
  std::set<std::uint64_t> hashes;
  for (const unsigned threads : {1u, 2u, 4u}) {
    const auto tasks = make_task_runner(threads);
    const Result<Surface> s = sample_surface(mesh, {.step = 0.1}, *tasks);
    ASSERT_TRUE(s);
    hashes.insert(hash_of(*s));
  }
  EXPECT_EQ(hashes.size(), 1u);
}

TEST(Surface, ALayeredSceneBecomesGroundAndWalls) {
  Scene scene;
  Layer layer;
  layer.elevation = 2;
  layer.walkable.push_back({{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}});
  layer.obstacles.push_back({{{4, 4}, {6, 4}, {6, 6}, {4, 6}}, {}});
  scene.layers.push_back(layer);
  const Result<Mesh> mesh = mesh_of_layers(scene);
  ASSERT_TRUE(mesh);
  const Surface s = sampled(*mesh);
  EXPECT_NEAR(s.node_count() * s.step * s.step, 96, 2.5);
  for (const float z : s.z) EXPECT_EQ(z, 2);
}

TEST(SurfaceSettings, OutOfRangeAreProblemsThatSayWhatIsAllowed) {
  const Mesh mesh = two_storeys();
  EXPECT_NE(surface_problem_of(mesh, {.step = 0}).find("step"), std::string::npos);
  EXPECT_NE(surface_problem_of(mesh, {.step = std::nan("")}).find("step"), std::string::npos);
  EXPECT_NE(surface_problem_of(mesh, {.step = 0.4}).find("0.286"), std::string::npos);  // 0.2 / tan 35°
  EXPECT_NE(surface_problem_of(mesh, {.slope = 90}).find("slope"), std::string::npos);
  EXPECT_NE(surface_problem_of(mesh, {.step_height = 1.5}).find("step_height"), std::string::npos);
  EXPECT_NE(surface_problem_of(mesh, {.head_room = -1}).find("head_room"), std::string::npos);
  EXPECT_EQ(surface_problem_of(mesh), "");
}

TEST(BrokenMesh, TooMuchIsRefusedBeforeMemoryIsAskedFor) {
  Mesh plain;
  add_floor(plain, {-5000, -5000}, {5000, 5000}, 0);
  EXPECT_NE(surface_problem_of(plain).find("larger step"), std::string::npos);
  Mesh far;  // two specks 30 km apart, finely sampled
  add_floor(far, {-15000, -15000}, {-14999, -14999}, 0);
  add_floor(far, {14999, 14999}, {15000, 15000}, 0);
  EXPECT_NE(surface_problem_of(far, {.step = 0.01}).find("larger step"), std::string::npos);
  EXPECT_NE(surface_problem_of(noise(300000, 200, 100, 1)).find("larger step"), std::string::npos);
}

TEST(BrokenMesh, TwoSpecksFarApartCostLittle) {
  Mesh far;
  add_floor(far, {-5000, -5000}, {-4990, -4990}, 0);
  add_floor(far, {4990, 4990}, {5000, 5000}, 0);
  const Surface s = sampled(far);
  EXPECT_NEAR(s.node_count() / 16.0, 200, 20);
  EXPECT_LT(s.bytes(), 4u << 20);
}

TEST(BrokenMesh, NumbersThatAreNoneAndWrongIndicesAreNamed) {
  Mesh mesh = two_storeys();
  mesh.vertices[5].z = std::nan("");
  EXPECT_NE(surface_problem_of(mesh).find("vertex 5"), std::string::npos);
  mesh = two_storeys();
  mesh.triangles[3][1] = 1000000;
  EXPECT_NE(surface_problem_of(mesh).find("triangle 3"), std::string::npos);
  EXPECT_NE(surface_problem_of(Mesh{}).find("no triangles"), std::string::npos);
  Mesh upright;
  add_wall(upright, {0, 0}, {10, 0}, 0, 10);
  EXPECT_NE(surface_problem_of(upright).find("no ground"), std::string::npos);
}

TEST(BrokenMesh, HolesFlipsCopiesAndDegenerateFacesAreTaken) {
  Mesh mesh = two_storeys();
  const Surface good = sampled(mesh);
  Mesh worse = mesh;
  for (std::size_t i = 0; i < worse.triangles.size(); i += 2) std::swap(worse.triangles[i][0], worse.triangles[i][1]);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) worse.triangles.push_back(mesh.triangles[i]);
  for (std::uint32_t i = 0; i < 30; ++i) worse.triangles.push_back({i, i, i + 1});
  const Surface s = sampled(worse);
  ASSERT_EQ(s.node_count(), good.node_count());
  EXPECT_EQ(s.z, good.z);
  EXPECT_EQ(s.links, good.links);
  Mesh holed = mesh;
  holed.triangles.erase(holed.triangles.begin() + 4, holed.triangles.begin() + 9);
  EXPECT_GT(sampled(holed).node_count(), 1000u);
}

TEST(BrokenMesh, AMillionTrianglesOfNoiseBakeOrSayWhyNot) {
  const Mesh mesh = noise(1000000, 120, 0.6, 5);
  InlineTasks tasks;
  const Result<Surface> surface = sample_surface(mesh, {.min_island = 0.5}, tasks);
  if (surface)
    EXPECT_LT(surface->node_count(), 400000u);
  else
    EXPECT_FALSE(to_string(surface.problems()[0]).empty());
}

}  // namespace
}  // namespace throng
