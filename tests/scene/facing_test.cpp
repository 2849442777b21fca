// SPDX-License-Identifier: MIT
#include "scene/facing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "scene/surface.hpp"

namespace throng {
namespace {

/// A closed box; `inside`: its faces look inwards, as those of a room.
void add_facing_box(Mesh& mesh, Vec3 low, Vec3 high, bool inside) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (int k = 0; k < 8; ++k) mesh.vertices.push_back({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
  const std::array<std::array<std::uint32_t, 4>, 6> faces{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};  // seen from outside
  for (const auto& f : faces)
    for (auto t : {std::array{f[0], f[1], f[2]}, std::array{f[0], f[2], f[3]}}) {
      if (inside) std::swap(t[1], t[2]);
      mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
}

/// Heights of the ground at the middle of the mesh.
std::vector<float> heights(const Mesh& mesh) {
  const auto tasks = make_task_runner(1);
  const Result<Surface> s = sample_surface(mesh, {}, *tasks);
  if (!s) return {};
  std::vector<float> z(s->z);
  std::sort(z.begin(), z.end());
  z.erase(std::unique(z.begin(), z.end()), z.end());
  return z;
}

TEST(Facing, ARoomHasAFloorAndNobodyWalksOnTheBackOfItsCeiling) {
  Mesh room;
  add_facing_box(room, {0, 0, 0}, {10, 10, 3}, true);
  EXPECT_EQ(heights(room), std::vector<float>{0});
  Mesh block;
  add_facing_box(block, {0, 0, 0}, {10, 10, 3}, false);
  EXPECT_EQ(heights(block), std::vector<float>{3}) << "the inside of a solid is no ground";
}

TEST(Facing, VerticesOfTheirOwnDoNotHideThatTrianglesAreNeighbours) {
  Mesh room, soup;
  add_facing_box(room, {0, 0, 0}, {10, 10, 3}, true);
  for (const auto& t : room.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t v : t) soup.vertices.push_back(room.vertices[v]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  EXPECT_EQ(find_ceilings(soup, 0.8), find_ceilings(room, 0.8));
  const auto ceilings = find_ceilings(soup, 0.8);
  EXPECT_EQ(std::accumulate(ceilings.begin(), ceilings.end(), 0), 2);
}

TEST(Facing, MixedUpLooseAndUpsideDownMeshesAreGroundWhicheverWayTheyFace) {
  Mesh mixed;
  add_facing_box(mixed, {0, 0, 0}, {10, 10, 3}, true);
  for (std::size_t t = 0; t < mixed.triangles.size(); t += 3) std::swap(mixed.triangles[t][0], mixed.triangles[t][1]);
  EXPECT_EQ(heights(mixed), (std::vector<float>{0, 3}));
  const Mesh floor{{{0, 0, 0}, {10, 0, 0}, {10, 10, 0}, {0, 10, 0}}, {{0, 2, 1}, {0, 3, 2}}};
  EXPECT_EQ(heights(floor), std::vector<float>{0}) << "all of it faces down";
}

/// Two floors, the second `rise` higher, joined by a riser that leans: steeper than one walks, `run` wide in plan.
std::uint32_t parts_with_riser(double run, double rise) {
  Mesh mesh;
  for (const double y : {0.0, 5.0})
    for (const Vec3 p : {Vec3{0, y, 0}, Vec3{5, y, 0}, Vec3{5 + run, y, rise}, Vec3{10, y, rise}}) mesh.vertices.push_back(p);
  for (std::uint32_t k = 0; k < 3; ++k) {
    mesh.triangles.push_back({k, k + 1, k + 5});
    mesh.triangles.push_back({k, k + 5, k + 4});
  }
  const auto tasks = make_task_runner(1);
  const Result<Surface> s = sample_surface(mesh, {}, *tasks);
  if (!s) return 0;
  std::vector<bool> seen(s->node_count());
  std::uint32_t parts = 0;
  for (NodeIndex seed = 0; seed < s->node_count(); ++seed) {
    if (seen[seed]) continue;
    ++parts;
    std::vector<NodeIndex> open{seed};
    seen[seed] = true;
    while (!open.empty()) {
      const NodeIndex n = open.back();
      open.pop_back();
      for (int d = 0; d < 8; ++d)
        if (const NodeIndex other = s->neighbour(n, d); other != kNoNode && !seen[other])
          seen[other] = true, open.push_back(other);
    }
  }
  return parts;
}

TEST(SteepStrip, IsSteppedOverIfItIsNarrowAndLow) {
  for (const double run : {0.01, 0.05, 0.1, 0.15, 0.19}) EXPECT_EQ(parts_with_riser(run, 0.19), 1u) << run;
  EXPECT_EQ(parts_with_riser(0.19, 0.3), 2u) << "higher than a step";
  EXPECT_EQ(parts_with_riser(1.0, 1.0), 2u) << "a slope that nobody walks";
}

}  // namespace
}  // namespace throng
