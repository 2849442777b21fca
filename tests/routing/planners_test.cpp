// SPDX-License-Identifier: MIT
// The three planners on the roadmap (ALGORITHMS §1.6, §1.7, §1.7b) against a plain Dijkstra over all key points, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

#include "base/random.hpp"
#include "base/tasks.hpp"
#include "routing/access.hpp"
#include "routing/labels.hpp"
#include "routing/min_plus.hpp"
#include "routing/roadmap.hpp"
#include "routing/zone_paths.hpp"
#include "scene/office.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

constexpr double kBaked = 0.2;

struct Routing {
  BuiltCells built;
  Roadmap roadmap;
  ZonePaths zones;
  Labels labels;
  LabelScratch label_scratch;
  ZoneScratch zone_scratch;
  SearchScratch search;

  const Cells& cells() const { return built.cells(); }
  const Abstraction& tree() const { return built.build.tree; }
  std::uint32_t k() const { return roadmap.key_points; }
};

/// With a cost factor from 1 to 3 on every cell, and some cells forbidden, if `weighted`.
Routing route(const Scene& scene, std::uint32_t key_points, CrossroadsRule rule = CrossroadsRule::kBisection,
              bool weighted = false) {
  Routing r;
  r.built = build(scene, {.rule = rule});
  std::vector<float> factor(r.cells().cell_count(), 1);
  if (weighted) {
    RandomStream random(1, 2, 3);
    for (float& f : factor) f = random.chance(0.05) ? 0 : static_cast<float>(random.integer(2, 6)) / 2;
  }
  r.roadmap = build_roadmap(r.cells(), factor, key_points, kBaked);
  const auto tasks = make_task_runner(1);
  r.zones = build_zone_paths(r.cells(), r.tree(), r.roadmap, kBaked, *tasks);
  r.labels = build_labels(r.cells(), r.tree(), r.roadmap, kBaked, *tasks);
  return r;
}

/// Cost of the straight way between two keys of different portals through a cell, from geometry alone.
Cost arc_cost(const Routing& r, CellIndex c, KeyIndex a, KeyIndex b) {
  if (r.roadmap.factor[c] == 0) return kUnreachable;
  return static_cast<Cost>(std::ceil(distance(r.roadmap.key[a], r.roadmap.key[b]) * 4096 * r.roadmap.factor[c]));
}

std::uint32_t slot_of(const Cells& cells, CellIndex c, PortalIndex p) {
  const auto own = cells.portals_of(c);
  return static_cast<std::uint32_t>(std::find(own.begin(), own.end(), p) - own.begin());
}

/// Costs from some keys to all: the oracle.
std::vector<std::int64_t> dijkstra(const Routing& r, double radius, const std::vector<Endpoint::Leg>& starts) {
  const Cells& cells = r.cells();
  std::vector<std::int64_t> cost(r.roadmap.key_count(), kUnreachable);
  std::priority_queue<std::pair<std::int64_t, KeyIndex>, std::vector<std::pair<std::int64_t, KeyIndex>>, std::greater<>> queue;
  for (const auto& leg : starts)
    if (leg.cost < cost[leg.key]) queue.emplace(cost[leg.key] = leg.cost, leg.key);
  while (!queue.empty()) {
    const auto [at, key] = queue.top();
    queue.pop();
    if (at != cost[key]) continue;
    const PortalIndex p = key / r.k();
    for (CellIndex c : cells.portals[p].cell)
      for (PortalIndex other : cells.portals_of(c)) {
        if (other == p || r.roadmap.factor[c] == 0 ||
            cells.width(c, slot_of(cells, c, p), slot_of(cells, c, other)) < width_needed(radius))
          continue;
        for (std::uint32_t j = 0; j < r.k(); ++j) {
          const KeyIndex next = other * r.k() + j;
          const std::int64_t there = at + arc_cost(r, c, key, next);
          if (there < cost[next]) queue.emplace(cost[next] = there, next);
        }
      }
  }
  return cost;
}

Endpoint place(const Routing& r, Vec2 position, CellIndex cell, double radius) {
  Endpoint endpoint;
  endpoint.position = position;
  endpoint.cell = cell;
  endpoint.triangle = triangle_in_cell(r.cells(), cell, position) - r.cells().triangle_start[cell];
  connect(r.cells(), r.roadmap, radius, endpoint);
  return endpoint;
}

/// A place in a random cell: the middle of one of its triangles.
Endpoint random_place(const Routing& r, RandomStream& random, double radius) {
  const auto cell = static_cast<CellIndex>(random.integer(0, r.cells().cell_count() - 1));
  const auto triangles = r.cells().triangles_of(cell);
  const auto& t = triangles[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(triangles.size()) - 1))].vertex;
  const Vec2 middle = (1.0 / 3) * (r.cells().position(t[0]) + r.cells().position(t[1]) + r.cells().position(t[2]));
  return place(r, middle, cell, radius);
}

/// The cost of a sequence of keys, checked step by step: each two share a cell that a body of `radius` can pass.
std::int64_t cost_of_keys(const Routing& r, double radius, const Endpoint& start, const Endpoint& goal,
                          const std::vector<KeyIndex>& keys) {
  const auto leg_cost = [](const Endpoint& e, KeyIndex key) {
    for (const auto& leg : e.legs)
      if (leg.key == key) return std::int64_t{leg.cost};
    ADD_FAILURE() << "the way does not begin or end at its cell";
    return std::int64_t{0};
  };
  if (keys.empty()) {
    ADD_FAILURE() << "no keys";
    return 0;
  }
  std::int64_t sum = leg_cost(start, keys.front()) + leg_cost(goal, keys.back());
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const PortalIndex p = keys[i] / r.k(), q = keys[i + 1] / r.k();
    std::int64_t best = kUnreachable;
    for (CellIndex c : r.cells().portals[p].cell)
      if (p != q && (r.cells().portals[q].cell[0] == c || r.cells().portals[q].cell[1] == c) &&
          r.cells().width(c, slot_of(r.cells(), c, p), slot_of(r.cells(), c, q)) >= width_needed(radius))
        best = std::min<std::int64_t>(best, arc_cost(r, c, keys[i], keys[i + 1]));
    EXPECT_LT(best, kUnreachable) << "the way jumps from key " << keys[i] << " to " << keys[i + 1];
    sum += best;
  }
  return sum;
}

int turned_back = 0;

void expect_planners_agree(Routing& r, std::uint64_t seed, int queries) {
  std::vector<KeyIndex> keys;
  int found = 0;
  for (double radius : {kBaked, 0.0, 0.1, 0.3, 0.5}) {
    for (int i = 0; i < queries; ++i) {
      RandomStream random(seed, static_cast<std::uint32_t>(i), 4);
      const Endpoint start = random_place(r, random, radius), goal = random_place(r, random, radius);
      const auto reached = dijkstra(r, radius, start.legs);
      std::int64_t expected = kUnreachable;
      for (const auto& leg : goal.legs) expected = std::min(expected, reached[leg.key] + leg.cost);
      SCOPED_TRACE("radius " + std::to_string(radius) + " query " + std::to_string(i));

      const Cost by_roadmap = search_roadmap(r.cells(), r.roadmap, radius, start, goal, r.search, keys);
      ASSERT_EQ(by_roadmap, expected) << "roadmap";
      if (expected < kUnreachable) {
        ++found;
        EXPECT_EQ(cost_of_keys(r, radius, start, goal, keys), expected) << "roadmap";
        std::vector<PortalIndex> portals;
        const bool turns = !follow_keys(r.cells(), r.k(), start.cell, goal.cell, keys, portals);
        // Two cells may share several portals in line; the way between those is as dear as the cheaper cell.
        bool shared = false;
        for (std::size_t n = 0; n + 1 < keys.size(); ++n) {
          const auto a = r.cells().portals[keys[n] / r.k()].cell, b = r.cells().portals[keys[n + 1] / r.k()].cell;
          shared = shared || std::minmax(a[0], a[1]) == std::minmax(b[0], b[1]);
        }
        const Cost crossings = search_crossings(r.cells(), r.roadmap, radius, start, goal, r.search, keys);
        EXPECT_GE(crossings, expected);
        turned_back += turns && crossings > expected;
        EXPECT_TRUE(turns || shared || crossings == expected);
        if (crossings < kUnreachable) {
          EXPECT_TRUE(follow_keys(r.cells(), r.k(), start.cell, goal.cell, keys, portals));
          EXPECT_EQ(cost_of_keys(r, radius, start, goal, keys), crossings);
        }
      }

      const Cost by_zones = search_zones(r.cells(), r.tree(), r.roadmap, r.zones, radius, start, goal, r.zone_scratch, keys);
      ASSERT_EQ(by_zones, expected) << "zones";
      if (expected < kUnreachable) {
        EXPECT_EQ(cost_of_keys(r, radius, start, goal, keys), expected) << "zones";
      }

      // Labels answer bodies from their radius up, as long as their way is wide enough.
      if (radius < kBaked) continue;
      const Cost by_labels = search_labels(r.cells(), r.tree(), r.roadmap, r.labels, start, goal, r.label_scratch, keys);
      EXPECT_LE(by_labels, expected) << "labels";
      if (radius == kBaked ||
          (by_labels < kUnreachable && width_of(r.cells(), r.k(), start.cell, keys) >= width_needed(radius))) {
        ASSERT_EQ(by_labels, expected) << "labels";
      }
      if (by_labels < kUnreachable) {
        EXPECT_EQ(cost_of_keys(r, kBaked, start, goal, keys), by_labels) << "labels";
      }
    }
  }
  EXPECT_GT(found, 0);
}

TEST(Planners, FindTheCostsOfAPlainDijkstraBitForBit) {
  for (std::uint32_t k : {1u, 2u, 3u})
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " key points " + std::to_string(k));
      Routing r = route(random_scene(seed, 20, 15 + static_cast<int>(seed) * 3), k,
                        seed % 2 ? CrossroadsRule::kBisection : CrossroadsRule::kMatching, seed % 3 == 0);
      expect_planners_agree(r, seed, 25);
    }
  Routing office = route(make_office(30), 2);
  expect_planners_agree(office, 5, 20);
}

TEST(Planners, AWayThatTurnsInAPortalIsNoWayForADisc) {
  // Random narrow places are where direct ways through a cell are too narrow and the roadmap steps aside into a portal.
  turned_back = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Routing r = route(random_scene(seed, 8, 8 + static_cast<int>(seed % 14)), 1);
    expect_planners_agree(r, seed, 12);
  }
  EXPECT_GT(turned_back, 0) << "no such place was met: the test has lost its point";
}

TEST(Roadmap, KeyPointsStandWhereTheyShould) {
  for (std::uint32_t k : {1u, 2u, 3u, 5u}) {
    const Routing r = route(random_scene(2, 20, 20), k);
    ASSERT_EQ(r.roadmap.key_count(), r.cells().portal_count() * k);
    for (PortalIndex p = 0; p < r.cells().portal_count(); ++p) {
      const Vec2 a = to_metres(r.cells().portals[p].position[0]), b = to_metres(r.cells().portals[p].position[1]);
      const double length = distance(a, b), inset = std::min(kBaked, length / 2);
      for (std::uint32_t j = 0; j < k; ++j) {
        const double along = k == 1 ? length / 2 : inset + (length - 2 * inset) * j / (k - 1);
        EXPECT_NEAR(distance(r.roadmap.key[p * k + j], a + (along / length) * (b - a)), 0, 1e-12);
      }
    }
  }
}

TEST(Roadmap, CostsRoundUpAndBoundsRoundDown) {
  EXPECT_EQ(cost_of(1, 1), 4096);
  EXPECT_EQ(cost_of(1, 2), 8192);
  EXPECT_EQ(cost_of(1.0001, 1), 4097);
  EXPECT_EQ(cost_of(1e9, 1), kUnreachable);
  EXPECT_EQ(cost_of(0, 1), 0);
  RandomStream random(1, 1, 1);
  for (int i = 0; i < 10000; ++i) {
    const Vec2 a{random.between(-1e4, 1e4), random.between(-1e4, 1e4)}, b{random.between(-1e4, 1e4), random.between(-1e4, 1e4)};
    EXPECT_LE(least_cost(a, b), cost_of(distance(a, b), 1));
    EXPECT_GE(least_cost(a, b) + 2, cost_of(distance(a, b), 1));
  }
}

/// Expands a stored pair into keys by the zones below it.
void expand(const Routing& r, std::uint32_t zone, KeyIndex from, KeyIndex to, std::vector<KeyIndex>& keys) {
  const ZonePaths& z = r.zones;
  const auto position = [&](KeyIndex key) {
    const auto outer = z.outer_of(zone);
    return static_cast<std::uint64_t>(std::lower_bound(outer.begin(), outer.end(), key / r.k()) - outer.begin()) * r.k() +
           key % r.k();
  };
  std::uint64_t i = position(from), j = position(to), n = z.outer_of(zone).size() * r.k();
  const bool reversed = i > j;
  if (reversed) std::swap(i, j);
  const std::uint64_t pair = z.pair_start[zone] + i * n - i * (i + 1) / 2 + (j - i - 1);
  std::vector<KeyIndex> via(z.via.begin() + z.via_start[pair], z.via.begin() + z.via_start[pair + 1]);
  if (reversed) std::reverse(via.begin(), via.end());
  keys.insert(keys.end(), via.begin(), via.end());
}

TEST(StoredPaths, AreOptimalInsideTheirZoneSymmetricAndNeverShorterThanAStraightLine) {
  for (std::uint32_t k : {1u, 2u}) {
    for (std::uint64_t seed : {3, 4, 5}) {
      const Routing r = route(random_scene(seed, 20, 30), k, seed == 4 ? CrossroadsRule::kMatching : CrossroadsRule::kBisection);
      const ZonePaths& z = r.zones;
      std::uint64_t stored = 0;
      for (std::uint32_t zone = 0; zone < r.tree().zones.size(); ++zone) {
        const Zone& node = r.tree().zones[zone];
        // Outer portals: exactly those with one cell inside.
        std::vector<PortalIndex> outer;
        const auto holds = [&](CellIndex c) { return c >= node.first_cell && c < node.last_cell; };
        for (PortalIndex p = 0; p < r.cells().portal_count(); ++p)
          if (holds(r.cells().portals[p].cell[0]) != holds(r.cells().portals[p].cell[1])) outer.push_back(p);
        ASSERT_TRUE(std::equal(outer.begin(), outer.end(), z.outer_of(zone).begin(), z.outer_of(zone).end()));
        if (node.is_leaf()) {
          EXPECT_EQ(z.pair_start[zone], z.pair_start[zone + 1]);
          continue;
        }
        const std::size_t n = outer.size() * k;
        if (n < 2 || n > kMaxOuterKeys) continue;
        ASSERT_EQ(z.pair_start[zone + 1] - z.pair_start[zone], n * (n - 1) / 2);
        // Dijkstra confined to the zone.
        std::vector<std::vector<std::int64_t>> cost(n, std::vector<std::int64_t>(n, kUnreachable));
        std::uint64_t pair = z.pair_start[zone];
        float least = std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < n; ++i) {
          const KeyIndex from = outer[i / k] * k + static_cast<KeyIndex>(i % k);
          std::map<KeyIndex, std::int64_t> best{{from, 0}};
          std::priority_queue<std::pair<std::int64_t, KeyIndex>, std::vector<std::pair<std::int64_t, KeyIndex>>, std::greater<>>
              queue;
          queue.emplace(0, from);
          while (!queue.empty()) {
            const auto [at, key] = queue.top();
            queue.pop();
            if (best[key] < at) continue;
            for (CellIndex c : r.cells().portals[key / k].cell) {
              if (!holds(c)) continue;
              for (PortalIndex q : r.cells().portals_of(c)) {
                if (q == key / k ||
                    r.cells().width(c, slot_of(r.cells(), c, key / k), slot_of(r.cells(), c, q)) < static_cast<float>(2 * kBaked))
                  continue;
                for (std::uint32_t j = 0; j < k; ++j) {
                  const std::int64_t there = at + arc_cost(r, c, key, q * k + j);
                  const auto [entry, fresh] = best.try_emplace(q * k + j, there);
                  if (!fresh && entry->second <= there) continue;
                  entry->second = there;
                  queue.emplace(there, q * k + j);
                }
              }
            }
          }
          for (std::size_t j = 0; j < n; ++j) {
            const KeyIndex to = outer[j / k] * k + static_cast<KeyIndex>(j % k);
            if (const auto at = best.find(to); at != best.end()) cost[i][j] = at->second;
            if (j <= i) continue;
            ASSERT_EQ(z.cost[pair], cost[i][j]) << "zone " << zone;
            if (cost[i][j] < kUnreachable) {
              ++stored;
              EXPECT_GE(z.cost[pair] / kCostPerMetre, distance(r.roadmap.key[from], r.roadmap.key[to]));
              EXPECT_GE(z.width[pair], static_cast<float>(2 * kBaked));
              least = std::min(least, z.width[pair]);
              // Its via points are outer keys of parts of the zone, never outside it.
              std::vector<KeyIndex> keys;
              expand(r, zone, from, to, keys);
              for (KeyIndex via : keys)
                EXPECT_TRUE(holds(r.cells().portals[via / k].cell[0]) || holds(r.cells().portals[via / k].cell[1]));
            }
            ++pair;
          }
        }
        EXPECT_EQ(z.least_width[zone], least);
        for (std::size_t a = 0; a < n; ++a)
          for (std::size_t b = 0; b < n; ++b) {
            EXPECT_EQ(cost[a][b], cost[b][a]);
            for (std::size_t c = 0; c < n && n < 40; ++c) EXPECT_LE(cost[a][c], cost[a][b] + cost[b][c]);
          }
      }
      EXPECT_EQ(z.stored_count(), stored);
      EXPECT_GT(stored, 50u);
    }
  }
}

TEST(Labels, ArePrefixesOfTheirZonesAndCanBeWalked) {
  for (std::uint32_t k : {1u, 3u}) {
    const Routing r = route(random_scene(6, 20, 40), k);
    const Labels& l = r.labels;
    EXPECT_TRUE(are_walkable(r.tree(), r.roadmap, l));
    ASSERT_EQ(l.prefix.size(), r.tree().zones.size());
    for (std::uint32_t z = 0; z < l.prefix.size(); ++z) {
      const Zone& zone = r.tree().zones[z];
      const std::uint32_t above = zone.parent == kNoZone ? 0 : l.prefix[zone.parent];
      EXPECT_EQ(l.prefix[z], above + (zone.hub_end - zone.first_portal) * k);
      // Each key strictly inside stores its cost to each hub without leaving the zone; here: not below the cost anywhere.
      for (std::uint32_t h = 0; h < (zone.hub_end - zone.first_portal) * k; ++h) {
        const KeyIndex hub = zone.first_portal * k + h;
        EXPECT_EQ(l.cost[l.start[hub] + above + h], 0);
        if (h % 7 != 0) continue;
        const auto anywhere = dijkstra(r, kBaked, {{hub, 0}});
        for (KeyIndex key = zone.first_portal * k; key < zone.last_portal * k; ++key) {
          EXPECT_EQ(l.start[key] % kLabelBlock, 0u);
          EXPECT_GE(l.cost[l.start[key] + above + h], anywhere[key]);
          EXPECT_TRUE(zone.parent != kNoZone || l.cost[l.start[key] + above + h] == anywhere[key]);
        }
      }
    }
    // What must not be believed: a hop that leads away, a negative cost.
    Labels forged = l;
    for (Cost& c : forged.cost)
      if (c > 0 && c < kUnreachable) {
        c = -c;
        break;
      }
    EXPECT_FALSE(are_walkable(r.tree(), r.roadmap, forged));
    int refused = 0;
    for (std::size_t i = 0; i < l.hops.size(); i += l.hops.size() / 50 + 1) {
      forged = l;
      forged.hops[i] = 200;
      refused += !are_walkable(r.tree(), r.roadmap, forged);
    }
    EXPECT_GT(refused, 10) << "hops of keys that reach the hub";
  }
}

TEST(Labels, AreTheSameForAnyNumberOfWorkers) {
  const Routing r = route(random_scene(8, 30, 60), 2);
  const auto many = make_task_runner(4);
  const Labels labels = build_labels(r.cells(), r.tree(), r.roadmap, kBaked, *many);
  EXPECT_EQ(labels.cost, r.labels.cost);
  EXPECT_EQ(labels.hops, r.labels.hops);
  const ZonePaths zones = build_zone_paths(r.cells(), r.tree(), r.roadmap, kBaked, *many);
  EXPECT_EQ(zones.cost, r.zones.cost);
  EXPECT_EQ(zones.via, r.zones.via);
}

TEST(MinPlus, VectorsAndPlainCodeAgreeOnStreamsOfAllLengths) {
  RandomStream random(2, 2, 2);
  for (int round = 0; round < 3000; ++round) {
    const auto length = static_cast<std::uint32_t>(random.integer(0, 150));
    const Cost limit = random.chance(0.3) ? 5 : 100000;  // many ties, or few
    std::vector<std::vector<Cost>> labels;
    const auto streams = [&](std::size_t count) {
      std::vector<LabelScratch::Stream> list;
      for (std::size_t s = 0; s < count; ++s) {
        const auto blocks = static_cast<std::uint32_t>(random.integer(0, (length + kLabelBlock - 1) / kLabelBlock));
        labels.emplace_back(std::size_t{blocks} * kLabelBlock);
        for (Cost& c : labels.back()) c = random.chance(0.3) ? kUnreachable : static_cast<Cost>(random.integer(0, limit));
        list.push_back({labels.back().data(), random.chance(0.05) ? kUnreachable : static_cast<Cost>(random.integer(0, limit)),
                        blocks * kLabelBlock});
      }
      return list;
    };
    labels.reserve(64);
    const auto from = streams(static_cast<std::size_t>(random.integer(0, 6))),
               to = streams(static_cast<std::size_t>(random.integer(0, 6)));
    const MinPlusResult fast = min_plus(from, to, length), plain = min_plus_plain(from, to, length);
    ASSERT_EQ(fast.cost, plain.cost);
    ASSERT_EQ(fast.index, plain.index);
  }
}

}  // namespace
}  // namespace throng
