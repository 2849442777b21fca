// SPDX-License-Identifier: MIT
#include "navgraph/graph_path.hpp"

#include <throng/navigation.hpp>

#include "graph_fixture.hpp"
#include "scene/city.hpp"
#include "scene/layer_mesh.hpp"

namespace throng {
namespace {

using namespace throng::testing;

double distance_to_gate(const PullGate& gate, Vec2 p) {
  const Vec2 d = gate.right - gate.left;
  const double t = std::clamp(dot(p - gate.left, d) / dot(d, d), 0.0, 1.0);
  return throng::distance(p, gate.left + t * d);
}

/// Every leg between the first and the last gate lies in a disc of the path.
void expect_inside(const NavGraph& g, const GraphPath& path) {
  const std::size_t lead = path.points.size() - 2 - path.gates.size();  // places between discs at the ends
  for (std::size_t i = 1; i < path.gates.size() && lead == 0; ++i) {
    const Vec2 a = plan_of(path.points[i]), b = plan_of(path.points[i + 1]);
    const DiscIndex d = path.discs[i];
    for (int k = 0; k <= 10; ++k)
      EXPECT_GE(g.depth(d, a + 0.1 * k * (b - a)), -0.5 * g.surface.step - 0.02) << "gate " << i << " of " << path.gates.size();
  }
}

TEST(GraphPath, BetweenTwoStoreysClimbsTheStairs) {
  const Built built = build(two_storeys());
  GraphSearch search(built.graph);
  GraphPath path;
  ASSERT_EQ(search.find({2, 2, 0}, {14, 10, 3}, path), GraphPathStatus::kFound);
  EXPECT_NEAR(path.points.front().z, 0, 0.01);
  EXPECT_NEAR(path.points.back().z, 3, 0.01);
  bool on_stairs = false;
  for (const Vec3& p : path.points)
    if (p.z > 0.3 && p.z < 2.7) {
      on_stairs = true;
      EXPECT_GT(p.x, 4.5);
      EXPECT_LT(p.x, 10.5);
      EXPECT_GT(p.y, 4);
      EXPECT_LT(p.y, 6);
    }
  EXPECT_TRUE(on_stairs);
  EXPECT_GT(path.length, 14);
  EXPECT_LT(path.length, 21);
}

TEST(GraphPath, OnASpiralGoesAllTheWayRound) {
  const Built built = build(spiral_ramp(3));
  GraphSearch search(built.graph);
  GraphPath path;
  ASSERT_EQ(search.find({4.5, 1, 0.1}, {4.5, -1, 8.9}, path), GraphPathStatus::kFound);
  // Three turns of at least 2π · (3 + body) and 9 m up.
  EXPECT_GT(path.length, 50);
  EXPECT_LT(path.length, 75);
  for (std::size_t i = 1; i < path.points.size(); ++i) EXPECT_LT(std::abs(path.points[i].z - path.points[i - 1].z), 1.5);
}

TEST(GraphPath, IsSafeAndHardlyLongerThanTheShortest) {
  const Scene city = make_city(30, 3);
  const Result<Mesh> mesh = mesh_of_layers(city);
  ASSERT_TRUE(mesh);
  const Built built = build(*mesh, {.min_radius = 0.75});
  const Result<Navigation> exact = Navigation::bake(city);
  ASSERT_TRUE(exact);
  PathFinder finder(*exact);
  GraphSearch search(built.graph);
  GraphPath path;
  Path shortest;
  RandomStream random(5, 0, 1);
  double sum = 0;
  int compared = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec2 from = exact->random_walkable(random.unit(), random.unit()).point;
    const Vec2 to = exact->random_walkable(random.unit(), random.unit()).point;
    const GraphPathStatus status = search.find({from.x, from.y, 0}, {to.x, to.y, 0}, path);
    const PathStatus expected = finder.find_pulled({.from = from, .to = to, .planner = Planner::kShortest}, shortest);
    if (status != GraphPathStatus::kFound || expected != PathStatus::kFound) continue;
    expect_inside(built.graph, path);
    EXPECT_GE(path.length, 0.97 * throng::distance(from, to));
    if (shortest.length < 5) continue;
    // Corners of the exact path are circled by the body; ours keeps inside discs that end there.
    EXPECT_GE(path.length, 0.98 * shortest.length);
    sum += path.length / shortest.length;
    ++compared;
  }
  ASSERT_GT(compared, 250);
  EXPECT_LE(sum / compared, 1.05);
}

TEST(GraphPath, SaysWhyThereIsNone) {
  const Built built = build(bridge_over_road());
  GraphSearch search(built.graph);
  GraphPath path;
  EXPECT_EQ(search.find({0, 0, 0}, {0, 10, 4}, path), GraphPathStatus::kNoWay);
  EXPECT_EQ(search.find({100, 0, 0}, {0, 10, 4}, path), GraphPathStatus::kStartBlocked);
  EXPECT_EQ(search.find({0, 0, 0}, {std::nan(""), 10, 4}, path), GraphPathStatus::kGoalBlocked);
  ASSERT_EQ(search.find({-1, 0, 0}, {1, 0.5, 0}, path), GraphPathStatus::kFound);
  EXPECT_NEAR(path.length, std::sqrt(4.25), 0.02);
}

TEST(Pull, IsTheShortestWayThroughRandomGates) {
  // Oracle: many rounds of moving one crossing at a time, from several starts, on gates that do and do not cross each other.
  RandomStream random(9, 0, 1);
  PullScratch scratch;
  std::vector<Vec2> crossings;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<PullGate> gates;
    const int count = static_cast<int>(random.integer(0, 12));
    for (int i = 0; i < count; ++i) {
      const Vec2 middle{2.0 * i + random.between(0, trial % 2 == 0 ? 0.5 : 2.5), random.between(-2, 2)};
      const double lean = trial % 2 == 0 ? random.between(-0.2, 0.2) : random.between(-1, 1), half = random.between(0.1, 1.5);
      const Vec2 up{half * lean, half};
      gates.push_back({middle + up, middle - up});
    }
    const Vec2 start{-2, random.between(-2, 2)}, goal{2.0 * count + 3, random.between(-2, 2)};
    const double found = pull_through(start, goal, gates, scratch, crossings);
    double best = 1e300;
    for (int attempt = 0; attempt < 4; ++attempt) {
      std::vector<double> t(gates.size());
      for (double& v : t) v = random.unit();
      const auto at = [&](std::size_t i) { return gates[i].left + t[i] * (gates[i].right - gates[i].left); };
      const auto total = [&] {
        double sum = 0;
        Vec2 p = start;
        for (std::size_t i = 0; i < t.size(); ++i) sum += throng::distance(p, at(i)), p = at(i);
        return sum + throng::distance(p, goal);
      };
      for (double size = 0.5; size > 1e-5;) {
        bool better = false;
        for (double& v : t)
          for (const double change : {-size, size}) {
            const double before = total(), old = v;
            v = std::clamp(v + change, 0.0, 1.0);
            if (total() < before - 1e-12)
              better = true;
            else
              v = old;
          }
        if (!better) size /= 2;
      }
      best = std::min(best, total());
    }
    ASSERT_EQ(crossings.size(), gates.size());
    for (std::size_t i = 0; i < gates.size(); ++i) EXPECT_LT(distance_to_gate(gates[i], crossings[i]), 1e-6);
    EXPECT_LE(found, best * 1.004 + 1e-6) << trial;
  }
}

}  // namespace
}  // namespace throng
