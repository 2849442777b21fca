// SPDX-License-Identifier: MIT
#include "navgraph/flow.hpp"

#include <functional>
#include <set>

#include "graph_fixture.hpp"
#include "navgraph/choice.hpp"
#include "scene/city.hpp"
#include "scene/layer_mesh.hpp"

namespace throng {
namespace {

using namespace throng::testing;

const NavGraph& town() {
  static const NavGraph graph = build(*mesh_of_layers(make_city(24, 2)), {.min_radius = 0.75, .sight_range = 30}).graph;
  return graph;
}

std::vector<double> costs_from(const NavGraph& g, DiscIndex from) {
  // Bellman & Ford.
  std::vector<double> cost(g.disc_count(), 1e300);
  cost[from] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Gate& gate : g.gates)
      for (int k = 0; k < 2; ++k)
        if (cost[gate.disc[k]] + gate.cost < cost[gate.disc[1 - k]] - 1e-12)
          cost[gate.disc[1 - k]] = cost[gate.disc[k]] + gate.cost, changed = true;
  }
  return cost;
}

/// Discs on any simple path from a to b: the block that holds the edge a–b, were there one (Hopcroft & Tarjan).
std::set<DiscIndex> between(const NavGraph& g, DiscIndex a, DiscIndex b) {
  std::vector<std::vector<DiscIndex>> next(g.disc_count());
  for (const Gate& gate : g.gates) next[gate.disc[0]].push_back(gate.disc[1]), next[gate.disc[1]].push_back(gate.disc[0]);
  next[a].insert(next[a].begin(), b);
  next[b].push_back(a);
  std::vector<std::uint32_t> depth(g.disc_count(), 0), low(g.disc_count(), 0);
  std::vector<DiscIndex> stack;
  std::set<DiscIndex> block;
  std::function<void(DiscIndex, DiscIndex, std::uint32_t)> visit = [&](DiscIndex v, DiscIndex parent, std::uint32_t level) {
    depth[v] = low[v] = level;
    stack.push_back(v);
    for (const DiscIndex w : next[v]) {
      if (w == parent) continue;
      if (depth[w] != 0) {
        low[v] = std::min(low[v], depth[w]);
        continue;
      }
      visit(w, v, level + 1);
      low[v] = std::min(low[v], low[w]);
      if (low[w] < depth[v]) continue;
      std::set<DiscIndex> found{v};
      while (found.insert(stack.back()).second && stack.back() != w) stack.pop_back();
      stack.pop_back();
      if (found.contains(a) && found.contains(b)) block = found;
    }
  };
  visit(a, kNoDisc, 1);
  return block;
}

std::set<DiscIndex> discs_of(const Flow& flow) {
  std::set<DiscIndex> all;
  for (const FlowPath& p : flow.paths) all.insert(p.discs.begin(), p.discs.end());
  return all;
}

std::vector<std::pair<DiscIndex, DiscIndex>> far_pairs(const NavGraph& g, int count) {
  RandomStream random(8, 0, 1);
  std::vector<std::pair<DiscIndex, DiscIndex>> pairs;
  while (pairs.size() < static_cast<std::size_t>(count)) {
    const auto a = static_cast<DiscIndex>(random.integer(0, g.disc_count() - 1)),
               b = static_cast<DiscIndex>(random.integer(0, g.disc_count() - 1));
    if (g.component[a] == g.component[b] && distance(g.centre[a], g.centre[b]) > 30) pairs.push_back({a, b});
  }
  return pairs;
}

TEST(Flow, StartsWithTheShortestAndNeverRepeats) {
  const NavGraph& g = town();
  for (const auto& [a, b] : far_pairs(g, 30)) {
    const Flow flow = find_flow(g, a, b);
    ASSERT_FALSE(flow.paths.empty());
    EXPECT_LE(flow.paths.size(), 8u);
    EXPECT_NEAR(flow.paths[0].length, costs_from(g, a)[b], 1e-6);
    std::set<std::vector<DiscIndex>> different;
    for (const FlowPath& p : flow.paths) {
      EXPECT_TRUE(different.insert(p.discs).second);
      EXPECT_GE(p.length, flow.paths[0].length - 1e-9);
      EXPECT_LE(p.length, 1.5 * flow.paths[0].length + 1e-9);
      ASSERT_EQ(p.discs.size(), p.gates.size() + 1);
      EXPECT_EQ(p.discs.front(), a);
      EXPECT_EQ(p.discs.back(), b);
      double length = 0, narrowest = 1e300;
      for (std::size_t i = 0; i < p.gates.size(); ++i) {
        EXPECT_EQ(g.gates[p.gates[i]].other(p.discs[i]), p.discs[i + 1]);
        length += g.gates[p.gates[i]].cost;
        narrowest = std::min(narrowest, g.gates[p.gates[i]].width());
      }
      EXPECT_NEAR(p.length, length, 1e-9);
      EXPECT_EQ(p.narrowest, narrowest);
    }
  }
}

TEST(Flow, GrowsWithTheNumberOfPathsAndWithTheirLength) {
  const NavGraph& g = town();
  const std::uint64_t before = hash_of(g);
  for (const auto& [a, b] : far_pairs(g, 10)) {
    std::set<DiscIndex> last;
    for (const std::uint32_t most : {1u, 2u, 4u, 8u, 16u}) {
      const std::set<DiscIndex> now = discs_of(find_flow(g, a, b, {.max_paths = most}));
      EXPECT_TRUE(std::includes(now.begin(), now.end(), last.begin(), last.end()));
      last = now;
    }
    last.clear();
    for (const double ratio : {1.0, 1.1, 1.3, 1.6, 2.0}) {
      const std::set<DiscIndex> now = discs_of(find_flow(g, a, b, {.max_paths = 30, .max_ratio = ratio}));
      EXPECT_TRUE(std::includes(now.begin(), now.end(), last.begin(), last.end()));
      last = now;
    }
  }
  EXPECT_EQ(hash_of(g), before) << "the graph itself is never changed";
}

TEST(Flow, WithoutLimitsCoversWhatLiesBetween) {
  const NavGraph& g = town();
  for (const auto& [a, b] : far_pairs(g, 3)) {
    const std::set<DiscIndex> possible = between(g, a, b);
    ASSERT_GT(possible.size(), 50u);
    const Flow flow = find_flow(g, a, b, {.max_paths = 0, .max_ratio = 1e9});
    const std::set<DiscIndex> found = discs_of(flow);
    EXPECT_TRUE(std::includes(possible.begin(), possible.end(), found.begin(), found.end()));
    EXPECT_GE(static_cast<double>(found.size()), 0.9 * static_cast<double>(possible.size()));
    EXPECT_LE(flow.searches, 3 * g.gates.size() + 1);
  }
}

TEST(Flow, FromADiscToItselfIsEmptyAndToAnotherComponentIsNone) {
  const Built built = build(bridge_over_road());
  const DiscIndex road = *disc_at(built.graph, {0, 0, 0}), bridge = *disc_at(built.graph, {0, 0, 4});
  const Flow here = find_flow(built.graph, road, road);
  ASSERT_EQ(here.paths.size(), 1u);
  EXPECT_TRUE(here.paths[0].gates.empty());
  EXPECT_TRUE(find_flow(built.graph, road, bridge).paths.empty());
  // A road has one way only: the search must end all the same.
  const Flow along = find_flow(built.graph, *disc_at(built.graph, {-19, 0, 0}), *disc_at(built.graph, {19, 0, 0}));
  EXPECT_GE(along.paths.size(), 1u);
}

TEST(Choice, SpeedsAreWeidmanns) {
  for (const auto& [density, speed] : {std::pair{0.5, 1.30}, {1.0, 1.06}, {2.0, 0.61}, {3.0, 0.33}, {4.0, 0.16}})
    EXPECT_NEAR(speed_in_crowd(density), speed, 0.005);
  EXPECT_EQ(speed_in_crowd(0), 1.34);
  EXPECT_EQ(speed_in_crowd(100), 0.1);
}

TEST(Choice, FollowsItsCriterionAndAvoidsTheCrowd) {
  const NavGraph& g = town();
  int changed = 0;
  for (const auto& [a, b] : far_pairs(g, 10)) {
    const Flow flow = find_flow(g, a, b);
    if (flow.paths.size() < 3) continue;
    std::vector<std::uint32_t> people(g.disc_count(), 0);
    const auto at = [&](PathCriterion criterion) { return choose_path(g, flow, {people}, {.criterion = criterion}); };
    const auto within = [&](double value, double best) { return value <= best * 1.05 / 0.95 + 1e-12; };
    EXPECT_TRUE(within(flow.paths[at(PathCriterion::kLength)].length, flow.paths[0].length));
    double widest = 0, most = 0, fastest = 1e300;
    for (const FlowPath& p : flow.paths) {
      widest = std::max(widest, p.narrowest);
      most = std::max(most, seen_share(g, p));
      fastest = std::min(fastest, travel_time(g, p, {people}));
      EXPECT_GT(travel_time(g, p, {people}), 0.5 * p.length / 1.34);
    }
    EXPECT_TRUE(within(1 / flow.paths[at(PathCriterion::kWidth)].narrowest, 1 / widest));
    EXPECT_TRUE(within(1 / seen_share(g, flow.paths[at(PathCriterion::kVisibility)]), 1 / most));
    const std::uint32_t free_choice = at(PathCriterion::kTravelTime);
    EXPECT_TRUE(within(travel_time(g, flow.paths[free_choice], {people}), fastest));
    // A crowd on this path sends people elsewhere, where there is an elsewhere.
    for (const DiscIndex d : flow.paths[free_choice].discs)
      if (d != a && d != b && g.radius[d] > 0.5) people[d] = static_cast<std::uint32_t>(4 * 3.14 * g.radius[d] * g.radius[d]);
    fastest = 1e300;
    for (const FlowPath& p : flow.paths) fastest = std::min(fastest, travel_time(g, p, {people}));
    EXPECT_TRUE(within(travel_time(g, flow.paths[at(PathCriterion::kTravelTime)], {people}), fastest));
    changed += at(PathCriterion::kTravelTime) != free_choice;
  }
  EXPECT_GE(changed, 3);
}

TEST(Choice, StaysOnItsPathUnlessAnotherIsATenthBetter) {
  const NavGraph& g = town();
  const auto [a, b] = far_pairs(g, 1)[0];
  const Flow flow = find_flow(g, a, b);
  const std::vector<std::uint32_t> people(g.disc_count(), 0);
  for (std::uint32_t current = 0; current < flow.paths.size(); ++current)
    for (std::uint32_t agent = 0; agent < 50; ++agent) {
      const std::uint32_t chosen =
          choose_path(g, flow, {people}, {.criterion = PathCriterion::kLength, .current = current, .agent = agent});
      if (chosen == current) continue;
      EXPECT_LT(flow.paths[chosen].length * 0.95, 0.9 * 1.05 * flow.paths[current].length);
    }
}

}  // namespace
}  // namespace throng
