// SPDX-License-Identifier: MIT
// The abstraction tree (ALGORITHMS §1.5): zones hold together, their ranges are what they say, and the tree is shallow.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <set>

#include "base/random.hpp"
#include "scene/city.hpp"
#include "scene/office.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

using Edges = std::vector<std::array<std::uint32_t, 2>>;

CellGraph graph_of(std::uint32_t cells, Edges portals) {
  CellGraph graph;
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(cells)));
  for (std::uint32_t c = 0; c < cells; ++c)
    graph.centre.push_back({static_cast<std::int32_t>(c % side) * 1024, static_cast<std::int32_t>(c / side) * 1024});
  graph.portals = std::move(portals);
  return graph;
}

/// Checks a tree over `cell_count` cells joined by portals (both in the tree's numbering).
void expect_tree(const Abstraction& tree, std::uint32_t cell_count, const Edges& portals) {
  const auto zone_count = static_cast<std::uint32_t>(tree.zones.size());
  ASSERT_EQ(tree.leaf.size(), cell_count);
  std::vector<std::vector<std::uint32_t>> portals_of(cell_count);
  for (std::uint32_t p = 0; p < portals.size(); ++p)
    for (std::uint32_t c : portals[p]) portals_of[c].push_back(p);

  // Leaves are exactly the cells, each once.
  std::set<std::uint32_t> leaves;
  for (std::uint32_t z = 0; z < zone_count; ++z)
    if (tree.zones[z].is_leaf()) leaves.insert(z);
  EXPECT_EQ(std::set<std::uint32_t>(tree.leaf.begin(), tree.leaf.end()), leaves);
  EXPECT_EQ(leaves.size(), cell_count);
  for (std::uint32_t c = 0; c < cell_count; ++c) EXPECT_EQ(tree.zones[tree.leaf[c]].first_cell, c);

  std::uint32_t roots = 0;
  std::vector<std::uint32_t> owner(portals.size(), kNoZone);
  for (std::uint32_t z = 0; z < zone_count; ++z) {
    const Zone& zone = tree.zones[z];
    const auto holds = [&](std::uint32_t cell) { return cell >= zone.first_cell && cell < zone.last_cell; };
    ASSERT_LT(zone.first_cell, zone.last_cell);
    if (zone.parent == kNoZone) {
      ++roots;
      EXPECT_EQ(zone.depth, 0u);
    } else {
      ASSERT_LT(zone.parent, z);
      EXPECT_LE(zone.end, tree.zones[zone.parent].end);
      EXPECT_EQ(zone.depth, tree.zones[zone.parent].depth + 1);
    }
    // Children tile it.
    std::uint32_t next_cell = zone.first_cell, children = 0;
    std::vector<std::uint32_t> child_of(zone.last_cell - zone.first_cell, kNoZone);
    for (std::uint32_t child = z + 1; child < zone.end; child = tree.zones[child].end, ++children) {
      EXPECT_EQ(tree.zones[child].parent, z);
      EXPECT_EQ(tree.zones[child].first_cell, next_cell);
      for (; next_cell < tree.zones[child].last_cell; ++next_cell) {
        child_of[next_cell - zone.first_cell] = child;
        EXPECT_EQ(tree.child_towards(z, next_cell), child);
      }
    }
    if (zone.is_leaf()) {
      EXPECT_EQ(children, 0u);
    } else {
      EXPECT_GE(children, 2u);
      EXPECT_EQ(next_cell, zone.last_cell);
    }
    // Inner portals are those with both cells inside; hubs those between children; a root has no others.
    std::uint32_t inner = 0, hubs = 0;
    for (std::uint32_t c = zone.first_cell; c < zone.last_cell; ++c)
      for (std::uint32_t p : portals_of[c]) {
        const bool inside = holds(portals[p][0]) && holds(portals[p][1]);
        EXPECT_TRUE(inside || zone.parent != kNoZone) << "a portal leaves a root";
        EXPECT_EQ(p >= zone.first_portal && p < zone.last_portal, inside);
        if (!inside || portals[p][0] != c) continue;
        ++inner;
        const bool between =
            !zone.is_leaf() && child_of[portals[p][0] - zone.first_cell] != child_of[portals[p][1] - zone.first_cell];
        EXPECT_EQ(p >= zone.first_portal && p < zone.hub_end, between);
        if (!between) continue;
        ++hubs;
        EXPECT_EQ(std::exchange(owner[p], z), kNoZone);
      }
    EXPECT_EQ(inner, zone.last_portal - zone.first_portal);
    EXPECT_EQ(hubs, zone.hub_end - zone.first_portal);
    // Connected.
    std::set<std::uint32_t> reached{zone.first_cell};
    std::queue<std::uint32_t> queue;
    queue.push(zone.first_cell);
    while (!queue.empty()) {
      const std::uint32_t c = queue.front();
      queue.pop();
      for (std::uint32_t p : portals_of[c]) {
        const std::uint32_t next = portals[p][0] == c ? portals[p][1] : portals[p][0];
        if (holds(next) && reached.insert(next).second) queue.push(next);
      }
    }
    EXPECT_EQ(reached.size(), zone.last_cell - zone.first_cell) << "zone " << z << " is in pieces";
  }
  EXPECT_EQ(roots, tree.roots.size());
  EXPECT_EQ(std::count(owner.begin(), owner.end(), kNoZone), 0) << "each portal is a hub of one zone";

  // Common zones against climbing by hand.
  RandomStream random(1, cell_count, 1);
  for (int i = 0; i < 200; ++i) {
    const auto a = static_cast<std::uint32_t>(random.integer(0, cell_count - 1)),
               b = static_cast<std::uint32_t>(random.integer(0, cell_count - 1));
    std::set<std::uint32_t> above;
    for (std::uint32_t z = tree.leaf[a]; z != kNoZone; z = tree.zones[z].parent) above.insert(z);
    std::uint32_t z = tree.leaf[b];
    while (z != kNoZone && !above.contains(z)) z = tree.zones[z].parent;
    EXPECT_EQ(tree.common_zone(a, b), z);
  }
}

AbstractionBuild build_checked(const CellGraph& graph, CrossroadsRule rule) {
  AbstractionBuild result = build_abstraction(graph, rule);
  const auto cells = static_cast<std::uint32_t>(graph.centre.size());
  std::vector<std::uint32_t> sorted = result.cell_order, number(cells);
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t c = 0; c < cells; ++c) EXPECT_EQ(sorted[c], c);
  for (std::uint32_t n = 0; n < cells; ++n) number[result.cell_order[n]] = n;
  sorted = result.portal_order;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t p = 0; p < graph.portals.size(); ++p) EXPECT_EQ(sorted[p], p);
  Edges portals;
  for (std::uint32_t old : result.portal_order) portals.push_back({number[graph.portals[old][0]], number[graph.portals[old][1]]});
  expect_tree(result.tree, cells, portals);
  return result;
}

class Trees : public ::testing::TestWithParam<CrossroadsRule> {};
INSTANTIATE_TEST_SUITE_P(Rules, Trees, ::testing::Values(CrossroadsRule::kBisection, CrossroadsRule::kMatching),
                         [](const auto& rule) { return rule.param == CrossroadsRule::kBisection ? "Bisection" : "Matching"; });

TEST_P(Trees, OneCellIsItsOwnRoot) {
  const auto built = build_checked(graph_of(1, {}), GetParam());
  EXPECT_EQ(built.tree.zones.size(), 1u);
  EXPECT_EQ(built.tree.depth(), 0u);
}

TEST_P(Trees, TwoCellsAreOneZone) {
  EXPECT_EQ(build_checked(graph_of(2, {{0, 1}}), GetParam()).tree.depth(), 1u);
  // Parallel portals count one by one.
  const auto parallel = build_checked(graph_of(2, {{0, 1}, {0, 1}, {1, 0}}), GetParam());
  EXPECT_EQ(parallel.tree.depth(), 1u);
  EXPECT_EQ(parallel.tree.zones[0].hub_end - parallel.tree.zones[0].first_portal, 3u);
}

TEST_P(Trees, AChainIsBalanced) {
  for (std::uint32_t length : {3u, 64u, 100u, 1000u}) {
    Edges edges;
    // Numbered at random, so that the order of cells does not give the chain away.
    std::vector<std::uint32_t> order(length);
    std::iota(order.begin(), order.end(), 0);
    RandomStream random(3, length, 1);
    for (std::uint32_t i = length; i-- > 1;) std::swap(order[i], order[static_cast<std::size_t>(random.integer(0, i))]);
    for (std::uint32_t i = 0; i + 1 < length; ++i) edges.push_back({order[i], order[i + 1]});
    const auto built = build_checked(graph_of(length, edges), GetParam());
    EXPECT_EQ(built.tree.depth(), static_cast<std::uint32_t>(std::ceil(std::log2(length)))) << length;
  }
}

TEST_P(Trees, ARingOfPassagesIsBalancedToo) {
  for (std::uint32_t length : {3u, 64u, 501u}) {
    Edges edges;
    for (std::uint32_t i = 0; i < length; ++i) edges.push_back({i, (i + 1) % length});
    const auto built = build_checked(graph_of(length, edges), GetParam());
    EXPECT_EQ(built.tree.depth(), static_cast<std::uint32_t>(std::ceil(std::log2(length)))) << length;
  }
}

TEST_P(Trees, ACombOfDeadEndsIsShallow) {
  // A corridor with a room on each of its cells: every crossroads swallows its dead ends, and a chain is left.
  constexpr std::uint32_t kLength = 128;
  Edges edges;
  for (std::uint32_t i = 0; i < kLength; ++i) {
    if (i + 1 < kLength) edges.push_back({i, i + 1});
    edges.push_back({i, kLength + i});
  }
  EXPECT_LE(build_checked(graph_of(2 * kLength, edges), GetParam()).tree.depth(), 9u);
  // A hall with a thousand doors: one zone of a thousand children, not a list.
  Edges star;
  for (std::uint32_t i = 1; i <= 1000; ++i) star.push_back({0, i});
  EXPECT_EQ(build_checked(graph_of(1001, star), GetParam()).tree.depth(), 1u);
}

TEST_P(Trees, ComponentsHaveRootsOfTheirOwn) {
  const auto built = build_checked(graph_of(9, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {6, 7}, {7, 8}}), GetParam());
  EXPECT_EQ(built.tree.roots.size(), 4u);
  std::vector<std::uint32_t> number(9);
  for (std::uint32_t n = 0; n < 9; ++n) number[built.cell_order[n]] = n;
  EXPECT_EQ(built.tree.common_zone(number[0], number[5]), kNoZone);
  EXPECT_EQ(built.tree.common_zone(number[3], number[6]), kNoZone);
  EXPECT_NE(built.tree.common_zone(number[6], number[8]), kNoZone);
}

TEST_P(Trees, AChainBetweenTwoDoorsOfOneCrossroadsIsOneZone) {
  // Crossroads 0 and 1 with three portals between them; a loop of four passages leaves and enters 0.
  build_checked(graph_of(6, {{0, 1}, {0, 1}, {0, 1}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}), GetParam());
}

TEST_P(Trees, OfRandomGraphs) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed, 0, 7);
    const auto cells = static_cast<std::uint32_t>(random.integer(1, 150));
    const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(cells)));
    Edges edges;
    const double share = random.between(0.3, 1);
    for (std::uint32_t c = 0; c < cells; ++c)
      for (std::uint32_t other : {c % side + 1 < side ? c + 1 : cells, c + side, c % side + 1 < side ? c + side + 1 : cells})
        while (other < cells && random.chance(share * 0.6)) edges.push_back({c, other});
    build_checked(graph_of(cells, edges), GetParam());
  }
}

void expect_built(const Scene& scene, CrossroadsRule rule, bool shallow) {
  const BuiltCells built = build(scene, {.rule = rule});
  Edges portals;
  for (const Portal& p : built.cells().portals) portals.push_back({p.cell[0], p.cell[1]});
  expect_tree(built.build.tree, built.cells().cell_count(), portals);
  EXPECT_TRUE(!shallow || built.build.tree.depth() <= 4 * std::log2(built.cells().cell_count())) << built.build.tree.depth();
  ::testing::Test::RecordProperty("depth", static_cast<int>(built.build.tree.depth()));
}

TEST_P(Trees, OfCitiesAreShallow) {
  expect_built(make_city(250), GetParam(), true);
  expect_built(make_city(1000), GetParam(), true);
}

TEST_P(Trees, OfOfficesAndRandomScenesHoldTogether) {
  expect_built(make_office(60), GetParam(), true);
  Scene two = random_scene(5, 20, 30);
  two.layers.push_back(make_office(9).layers[0]);
  expect_built(two, GetParam(), false);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) expect_built(random_scene(seed, 20, 40), GetParam(), false);
}

}  // namespace
}  // namespace throng
