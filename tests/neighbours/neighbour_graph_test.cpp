// SPDX-License-Identifier: MIT
// Who sees whom, over thousands of steps of mixed crowds: against brute force, a fresh graph, and other numbers of threads.
#include "neighbours/neighbour_graph.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "navigation/locator.hpp"
#include "navigation/queries.hpp"
#include "neighbours/oracle.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

// Sanitizers slow a step down tenfold; what they look for does not need all of them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint32_t kSteps = 1100;
#else
constexpr std::uint32_t kSteps = 10000;
#endif

std::vector<Point> points_of(const Crowd& crowd) {
  std::vector<Point> points;
  for (std::uint32_t i = 0; i < crowd.size(); ++i) points.push_back(crowd.point(i));
  return points;
}

TEST(NeighbourGraph, EqualsAFreshOneForTenThousandStepsOfAMixedCrowd) {
  MixedCrowd mixed(11, 240, 20);
  NeighbourGraph graph(bare_settings());
  InlineTasks tasks;
  std::uint32_t stages[5] = {}, most_flips = 0, inverted = 0, reinserted = 0;
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    mixed.step(step);
    graph.update(mixed.crowd.input(), tasks);
    const NeighbourReport& report = graph.report();
    ++stages[static_cast<int>(report.stage)];
    most_flips = std::max(most_flips, report.flips), inverted += report.inverted, reinserted += report.reinserted;
    NeighbourGraph fresh(bare_settings());
    fresh.update(mixed.crowd.input(), tasks);
    ASSERT_TRUE(same_lists(graph, fresh)) << "step " << step;
    ASSERT_EQ(report.edges, fresh.report().edges) << "step " << step;
    if (step % 20 != 0) continue;
    // A fresh graph is Delaunay: every link of agents on two places has an empty circle, and there are as many as there can be.
    const std::vector<Point> points = points_of(mixed.crowd);
    std::set<std::pair<Point, Point>> edges;
    for (const auto& [i, j] : links_of(fresh))
      if (points[i] < points[j]) edges.insert({points[i], points[j]});
    EXPECT_EQ(edges.size(), report.edges);
    for (const auto& [a, b] : edges) ASSERT_TRUE(has_empty_circle(a, b, points)) << "step " << step;
  }
  EXPECT_GT(most_flips, 20u);
  EXPECT_GT(inverted, kSteps / 10);
  EXPECT_GT(reinserted, kSteps / 10);
  // The knot and the lines tangle it in nearly every step; calmer crowds are in the next test.
  EXPECT_GT(stages[static_cast<int>(RepairStage::kReinserted)], kSteps / 10);
  EXPECT_GT(stages[static_cast<int>(RepairStage::kRebuilt)], kSteps / 1000);
}

TEST(NeighbourGraph, OfWalkersReachesEveryStageOfRepair) {
  Crowd crowd;
  RandomStream random(12, 0, 0);
  for (int i = 0; i < 150; ++i) {
    crowd.add(random.between(0, 25), random.between(0, 25));
    const double angle = random.between(0, 6.2831853);
    crowd.vx[i] = static_cast<float>(std::cos(angle)), crowd.vy[i] = static_cast<float>(std::sin(angle));
  }
  NeighbourGraph graph(bare_settings());
  InlineTasks tasks;
  std::uint32_t stages[5] = {};
  for (std::uint32_t step = 0; step < kSteps / 4; ++step) {
    if (step % 3 != 0)  // every third step nobody moves
      for (std::uint32_t i = 0; i < crowd.size(); ++i) {
        crowd.x[i] += 0.05f * crowd.vx[i], crowd.y[i] += 0.05f * crowd.vy[i];
        if (std::abs(crowd.x[i] - 12.5f) > 12.5f) crowd.vx[i] = -crowd.vx[i];
        if (std::abs(crowd.y[i] - 12.5f) > 12.5f) crowd.vy[i] = -crowd.vy[i];
      }
    graph.update(crowd.input(), tasks);
    ++stages[static_cast<int>(graph.report().stage)];
    NeighbourGraph fresh(bare_settings());
    fresh.update(crowd.input(), tasks);
    ASSERT_TRUE(same_lists(graph, fresh)) << "step " << step;
  }
  for (const std::uint32_t count : stages) EXPECT_GT(count, 0u);
  EXPECT_LT(stages[static_cast<int>(RepairStage::kRebuilt)], kSteps / 100);
}

/// A mixed crowd kept on walkable ground, away from walls by more than rounding.
class WalledCrowd {
 public:
  explicit WalledCrowd(std::uint64_t seed, std::uint32_t count)
      : built(build(random_scene(seed, 30, 14))),
        locator(built.cells()),
        oracle(built.cells()),
        sampler_(built.cells()),
        random_(seed, 5, 5) {
    for (std::uint32_t i = 0; i < count; ++i) crowd.add(0, 0), place(i);
  }
  void step(std::uint32_t number) {
    for (std::uint32_t i = 0; i < crowd.size(); ++i) {
      const Vec2 to{static_cast<double>(crowd.x[i] + 0.1f * crowd.vx[i]), static_cast<double>(crowd.y[i] + 0.1f * crowd.vy[i])};
      if (!put(i, to)) turn(i);
    }
    for (std::uint32_t i = 0; i < crowd.size() && number % 50 == 0; ++i)
      if (random_.chance(0.1)) place(i);
    // Some walk exactly on top of another.
    for (std::uint32_t i = 0; i + 1 < 12; i += 2)
      crowd.x[i] = crowd.x[i + 1], crowd.y[i] = crowd.y[i + 1], crowd.cell[i] = crowd.cell[i + 1];
  }

  BuiltCells built;
  Locator locator;
  WallOracle oracle;
  Crowd crowd;

 private:
  bool put(std::uint32_t i, Vec2 to) {
    if (locator.cell_at(to) == kNoCell || locator.clearance(to, 0, 0.05) < 0.02) return false;
    if (oracle.cross(crowd.point(i), snap(to)) != Crossing::kNone && crowd.cell[i] != kNoCell) return false;
    crowd.x[i] = static_cast<float>(to.x), crowd.y[i] = static_cast<float>(to.y);
    // As the world will have it: the cell is that of the float position, not of the snapped one.
    crowd.cell[i] = locator.cell_at({static_cast<double>(crowd.x[i]), static_cast<double>(crowd.y[i])});
    return true;
  }
  void place(std::uint32_t i) {
    crowd.cell[i] = kNoCell;
    while (!put(i, sampler_.at(built.cells(), random_.unit(), random_.unit()).position)) {
    }
    turn(i);
  }
  void turn(std::uint32_t i) {
    const double angle = random_.between(0, 6.2831853);
    crowd.vx[i] = static_cast<float>(1.3 * std::cos(angle)), crowd.vy[i] = static_cast<float>(1.3 * std::sin(angle));
  }
  PlaceSampler sampler_;
  RandomStream random_;
};

TEST(NeighbourGraph, LinksWhereTheLineStaysOnWalkableGround) {
  std::size_t kept = 0, cut = 0, touching = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    WalledCrowd walled(seed, 150);
    const Cells& cells = walled.built.cells();
    NeighbourSettings settings = bare_settings();
    settings.reach = 8;
    NeighbourGraph open(bare_settings()), graph(settings);
    InlineTasks tasks;
    for (std::uint32_t step = 0; step < kSteps / 10; ++step) {
      walled.step(step);
      open.update(walled.crowd.input(), tasks);
      graph.update(walled.crowd.input(&cells), tasks);
      for (std::uint32_t i = 0; i < open.size(); ++i) {
        const auto seen = graph.of(i);
        for (const std::uint32_t j : seen) ASSERT_TRUE(std::ranges::binary_search(open.of(i), j));
        for (const std::uint32_t j : open.of(i)) {
          const Point a = walled.crowd.point(i), b = walled.crowd.point(j);
          const Crossing crossing = walled.oracle.cross(a, b);
          const bool near = distance_squared(a, b) <= std::int64_t{8 * 1024} * (8 * 1024);
          ++(crossing == Crossing::kCrosses ? cut : kept);
          const bool linked = std::ranges::binary_search(seen, j);
          if (near && crossing == Crossing::kTouches) {
            ++touching;  // through a corner exactly: the ray's rule, tested where the ray is
            continue;
          }
          ASSERT_EQ(linked, near && crossing == Crossing::kNone)
              << "seed " << seed << ", step " << step << ", " << i << " and " << j;
        }
      }
    }
  }
  EXPECT_GT(kept, 100000u);
  EXPECT_GT(cut, 100000u);
  EXPECT_LT(touching, cut / 1000);
}

TEST(NeighbourGraph, IsSymmetricAndHoldsTheNearestVisible) {
  WalledCrowd walled(3, 200);
  const Cells& cells = walled.built.cells();
  NeighbourGraph graph;
  InlineTasks tasks;
  std::size_t nearest_found = 0;
  for (std::uint32_t step = 0; step < 200; ++step) {
    walled.step(step);
    graph.update(walled.crowd.input(&cells), tasks);
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
      std::int64_t best = INT64_MAX;
      std::uint32_t nearest = i;
      for (const std::uint32_t j : graph.of(i)) {
        ASSERT_NE(j, i);
        ASSERT_TRUE(std::ranges::binary_search(graph.of(j), i));
      }
      for (std::uint32_t j = 0; j < graph.size(); ++j)
        if (const auto d = distance_squared(walled.crowd.point(i), walled.crowd.point(j)); j != i && d < best)
          best = d, nearest = j;
      // L-10: the nearest of all is joined; so it is linked whenever it is visible.
      if (walled.oracle.cross(walled.crowd.point(i), walled.crowd.point(nearest)) != Crossing::kNone) continue;
      ASSERT_TRUE(std::ranges::binary_search(graph.of(i), nearest));
      ++nearest_found;
    }
  }
  EXPECT_GT(nearest_found, 20000u);
}

TEST(NeighbourGraph, NetAddsExactlyThePairsThatMayTouchInAStep) {
  WalledCrowd walled(4, 300);
  const Cells& cells = walled.built.cells();
  RandomStream random(13, 0, 0);
  Crowd& crowd = walled.crowd;
  // Small children between wide, fast vehicles: radii below 0.41 of the large ones' (L-10).
  for (std::uint32_t i = 0; i < crowd.size(); ++i) crowd.radius[i] = random.chance(0.1) ? 1.5f : 0.15f;
  NeighbourSettings without;
  without.net_steps = -1;
  NeighbourGraph bare(without), graph;
  InlineTasks tasks;
  std::size_t links = 0;
  for (std::uint32_t step = 0; step < 300; ++step) {
    walled.step(step);
    bare.update(crowd.input(&cells), tasks);
    graph.update(crowd.input(&cells), tasks);
    Links expected = links_of(bare);
    const std::size_t before = expected.size();
    for (std::uint32_t i = 0; i < crowd.size(); ++i)
      for (std::uint32_t j = 0; j < crowd.size(); ++j) {
        const float dx = crowd.x[j] - crowd.x[i], dy = crowd.y[j] - crowd.y[i];
        const float dvx = crowd.vx[j] - crowd.vx[i], dvy = crowd.vy[j] - crowd.vy[i];
        const float limit = crowd.radius[i] + crowd.radius[j] + 0.1f * std::sqrt(dvx * dvx + dvy * dvy);
        if (i == j || dx * dx + dy * dy >= limit * limit) continue;
        if (walled.oracle.cross(crowd.point(i), crowd.point(j)) == Crossing::kNone) expected.insert({i, j});
      }
    ASSERT_EQ(links_of(graph), expected) << "step " << step;
    ASSERT_EQ(graph.report().net_links, (expected.size() - before) / 2);
    links += graph.report().net_links;
  }
  EXPECT_GT(links, 1000u);
}

TEST(NeighbourGraph, NetMissesNobodyInAPress) {
  // Ordinary people only, of several sizes, at up to 8 /m²: every search goes through others, and most may be cut short.
  RandomStream random(19, 0, 0);
  InlineTasks tasks;
  NeighbourSettings without;
  without.net_steps = -1;
  std::size_t links = 0;
  for (int round = 0; round < 150; ++round) {
    Crowd crowd;
    const double side = random.between(5, 12), fastest = random.between(0, 2);
    for (std::uint32_t i = 0; i < 200; ++i) {
      crowd.add(random.between(0, side), random.between(0, side), random.between(0.1, 0.3));
      crowd.vx[i] = static_cast<float>(random.between(-fastest, fastest)),
      crowd.vy[i] = static_cast<float>(random.between(-fastest, fastest));
    }
    NeighbourGraph bare(without), graph;
    bare.update(crowd.input(), tasks);
    graph.update(crowd.input(), tasks);
    Links expected = links_of(bare);
    const std::size_t before = expected.size();
    for (std::uint32_t i = 0; i < crowd.size(); ++i)
      for (std::uint32_t j = 0; j < crowd.size(); ++j) {
        const float dx = crowd.x[j] - crowd.x[i], dy = crowd.y[j] - crowd.y[i];
        const float dvx = crowd.vx[j] - crowd.vx[i], dvy = crowd.vy[j] - crowd.vy[i];
        const float limit = crowd.radius[i] + crowd.radius[j] + 0.1f * std::sqrt(dvx * dvx + dvy * dvy);
        if (i != j && dx * dx + dy * dy < limit * limit) expected.insert({i, j});
      }
    ASSERT_EQ(links_of(graph), expected) << "round " << round;
    links += (expected.size() - before) / 2;
  }
  EXPECT_GT(links, 1000u);
}

TEST(NeighbourGraph, IsTheSameForAnyNumberOfThreads) {
  for (const auto mode : {NeighbourSettings::Mode::kDelaunay, NeighbourSettings::Mode::kNearest}) {
    MixedCrowd mixed(14, 6000, 60);
    NeighbourSettings settings;
    settings.mode = mode;
    std::vector<std::unique_ptr<TaskRunner>> runners;
    std::vector<NeighbourGraph> graphs;
    for (const unsigned threads : {1u, 2u, 4u, 8u}) {
      runners.push_back(make_task_runner(threads));
      graphs.emplace_back(settings);
    }
    for (std::uint32_t step = 40; step < 60; ++step) {
      mixed.step(step);
      for (std::size_t i = 0; i < graphs.size(); ++i) graphs[i].update(mixed.crowd.input(), *runners[i]);
      for (std::size_t i = 1; i < graphs.size(); ++i) ASSERT_TRUE(same_lists(graphs[0], graphs[i])) << "step " << step;
    }
  }
}

TEST(NeighbourGraph, DoesNotDependOnWhatItHeldBefore) {
  MixedCrowd one(15, 400, 25), other(16, 300, 25);
  InlineTasks tasks;
  NeighbourGraph fresh, after_itself, after_another;
  after_another.update(other.crowd.input(), tasks);
  for (std::uint32_t step = 0; step < 30; ++step) {
    one.step(step);
    after_itself.update(one.crowd.input(), tasks);
  }
  after_another.update(one.crowd.input(), tasks);
  fresh.update(one.crowd.input(), tasks);
  EXPECT_TRUE(same_lists(fresh, after_itself));
  EXPECT_TRUE(same_lists(fresh, after_another));
  after_itself.reset();
  after_itself.update(one.crowd.input(), tasks);
  EXPECT_TRUE(same_lists(fresh, after_itself));
}

TEST(NeighbourGraph, OfAHubSeesAllRoundIt) {
  Crowd crowd;
  crowd.add(0, 0);
  for (int i = 0; i < 100; ++i) crowd.add(10 * std::cos(0.0628 * i), 10 * std::sin(0.0628 * i));
  NeighbourGraph graph;
  InlineTasks tasks;
  for (int step = 0; step < 2; ++step) {
    graph.update(crowd.input(), tasks);
    EXPECT_EQ(graph.of(0).size(), step == 0 ? 100u : 101u);
    for (std::uint32_t i = 1; i <= 100; ++i) EXPECT_TRUE(std::ranges::binary_search(graph.of(i), 0u));
    crowd.add(0, 0);  // and somebody on the hub sees them too
  }
  EXPECT_EQ(graph.of(101).size(), 101u);
}

TEST(NeighbourGraph, KeepsLayersApart) {
  MixedCrowd mixed(17, 300, 20);
  RandomStream random(18, 0, 0);
  InlineTasks tasks;
  NeighbourGraph graph(bare_settings());
  for (std::uint32_t step = 0; step < 200; ++step) {
    mixed.step(step);
    Crowd& crowd = mixed.crowd;
    // Layers 0 and 2 are peopled, 1 is empty; some change storeys.
    for (std::uint32_t i = 0; i < crowd.size(); ++i)
      if (step == 0 || random.chance(0.01)) crowd.layer[i] = random.chance(0.5) ? 0 : 2;
    graph.update(crowd.input(nullptr, true), tasks);
    Links expected;
    for (const std::uint32_t layer : {0u, 2u}) {
      Crowd storey = crowd;
      std::vector<std::uint32_t> rows;
      for (std::uint32_t i = 0; i < crowd.size(); ++i)
        if (crowd.layer[i] == layer) rows.push_back(i);
      storey = {};
      for (const std::uint32_t i : rows) storey.add(static_cast<double>(crowd.x[i]), static_cast<double>(crowd.y[i]));
      NeighbourGraph alone(bare_settings());
      alone.update(storey.input(), tasks);
      for (const auto& [i, j] : links_of(alone)) expected.insert({rows[i], rows[j]});
    }
    ASSERT_EQ(links_of(graph), expected) << "step " << step;
  }
}

TEST(NearestMode, LinksTheEightNearestInSight) {
  WalledCrowd walled(6, 250);
  const Cells& cells = walled.built.cells();
  Crowd& crowd = walled.crowd;
  NeighbourSettings settings;
  settings.mode = NeighbourSettings::Mode::kNearest;
  settings.reach = 6;
  NeighbourGraph graph(settings);
  InlineTasks tasks;
  for (std::uint32_t step = 0; step < 40; ++step) {
    walled.step(step);
    graph.update(crowd.input(&cells), tasks);
    for (std::uint32_t i = 0; i < crowd.size(); ++i) {
      std::vector<std::array<std::int64_t, 3>> others;
      for (std::uint32_t j = 0; j < crowd.size(); ++j)
        if (const auto d = distance_squared(crowd.point(i), crowd.point(j)); j != i && d <= 6144 * 6144)
          others.push_back({d, crowd.id[j], j});
      std::sort(others.begin(), others.end());
      std::vector<std::uint32_t> expected;
      for (std::size_t k = 0; k < std::min<std::size_t>(8, others.size()); ++k) {
        const auto j = static_cast<std::uint32_t>(others[k][2]);
        if (walled.oracle.cross(crowd.point(i), crowd.point(j)) == Crossing::kNone) expected.push_back(j);
      }
      std::sort(expected.begin(), expected.end());
      const auto seen = graph.of(i);
      ASSERT_EQ(std::vector(seen.begin(), seen.end()), expected) << "step " << step << ", agent " << i;
    }
  }
}

TEST(NearestMode, CopesWithNobodyOneAndAllOnAPointOrALine) {
  NeighbourSettings settings;
  settings.mode = NeighbourSettings::Mode::kNearest;
  NeighbourGraph graph(settings);
  InlineTasks tasks;
  Crowd crowd;
  graph.update(crowd.input(), tasks);
  EXPECT_EQ(graph.size(), 0u);
  crowd.add(1, 2);
  graph.update(crowd.input(), tasks);
  EXPECT_TRUE(graph.of(0).empty());
  for (int i = 0; i < 20; ++i) crowd.add(1, 2);
  graph.update(crowd.input(), tasks);
  for (std::uint32_t i = 0; i < 21; ++i) EXPECT_EQ(graph.of(i).size(), 8u);
  for (std::uint32_t i = 0; i < 21; ++i) crowd.x[i] = static_cast<float>(i);
  graph.update(crowd.input(), tasks);
  const auto middle = graph.of(10);
  EXPECT_EQ(std::vector(middle.begin(), middle.end()), (std::vector<std::uint32_t>{6, 7, 8, 9, 11, 12, 13, 14}));
}

}  // namespace
}  // namespace throng
