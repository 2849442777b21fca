// SPDX-License-Identifier: MIT
#include "navgraph/crowd_queries.hpp"

#include <set>

#include "graph_fixture.hpp"
#include "navgraph/visibility.hpp"

namespace throng {
namespace {

using namespace throng::testing;

struct Crowd {
  std::vector<Vec3> points;
  std::vector<DiscIndex> discs;
};

/// People where the body fits, on all storeys.
Crowd crowd_on(const NavGraph& g, std::size_t count, std::uint64_t seed) {
  Crowd crowd;
  RandomStream random(seed, 0, 1);
  while (crowd.points.size() < count) {
    const auto n = static_cast<NodeIndex>(random.integer(0, g.surface.node_count() - 1));
    if (!g.is_feasible(n)) continue;
    const Vec2 p = g.surface.position(n);
    const Vec3 at{p.x + random.between(-0.1, 0.1), p.y + random.between(-0.1, 0.1), g.surface.z[n]};
    const auto d = disc_at(g, at);
    if (!d) continue;
    crowd.points.push_back(at);
    crowd.discs.push_back(*d);
  }
  return crowd;
}

TEST(Neighbours, EqualBruteForceInAHundredThousandQueries) {
  for (const Mesh& mesh : {furnished_hall(1), two_storeys()}) {
    const Built built = build(mesh);
    const NavGraph& g = built.graph;
    const Crowd crowd = crowd_on(g, 250, 1);
    const DiscRegister people(g, crowd.points, crowd.discs);
    CrowdScratch scratch;
    std::vector<std::uint32_t> found;
    RandomStream random(2, 0, 1);
    std::vector<std::uint8_t> reached(g.disc_count());
    for (int query = 0; query < 50000; ++query) {
      const auto who = static_cast<std::uint32_t>(random.integer(0, 249));
      const double radius = random.chance(0.1) ? random.between(5, 30) : random.between(0.3, 5);
      const Vec3 p = crowd.points[who];
      find_neighbours(g, people, p, crowd.discs[who], radius, scratch, found);
      // Discs that touch the circle, joined by gates until nothing changes.
      std::fill(reached.begin(), reached.end(), 0);
      reached[crowd.discs[who]] = 1;
      const auto touches = [&](DiscIndex d) {
        double reach = g.radius[d];
        for (const std::uint32_t i : people.in_disc(d))
          reach = std::max(reach, throng::distance(plan_of(crowd.points[i]), plan_of(g.centre[d])));
        return throng::distance(plan_of(g.centre[d]), plan_of(p)) <= reach + radius;
      };
      for (bool changed = true; changed;) {
        changed = false;
        for (const Gate& gate : g.gates)
          for (int k = 0; k < 2; ++k)
            if (reached[gate.disc[k]] && !reached[gate.disc[1 - k]] && touches(gate.disc[1 - k]))
              reached[gate.disc[1 - k]] = 1, changed = true;
      }
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < crowd.points.size(); ++i)
        if (reached[crowd.discs[i]] && distance(crowd.points[i], p) <= radius) expected.push_back(i);
      ASSERT_EQ(found, expected) << query;
    }
  }
}

TEST(Neighbours, AreAllWithinTheRadiusOnOneFloorAndNobodyOnTheBridge) {
  const Built hall = build(furnished_hall(1, 20, 0));  // empty: everybody near is a neighbour
  const Crowd crowd = crowd_on(hall.graph, 200, 3);
  const DiscRegister people(hall.graph, crowd.points, crowd.discs);
  CrowdScratch scratch;
  std::vector<std::uint32_t> found;
  for (std::uint32_t who = 0; who < 200; ++who)
    for (const double radius : {0.5, 2.0, 7.0, 40.0}) {
      find_neighbours(hall.graph, people, crowd.points[who], crowd.discs[who], radius, scratch, found);
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < 200; ++i)
        if (distance(crowd.points[i], crowd.points[who]) <= radius) expected.push_back(i);
      EXPECT_EQ(found, expected);
    }

  const Built bridge = build(bridge_over_road());
  const std::vector<Vec3> two{{0, 0, 0}, {0, 0.5, 4}};
  const std::vector<DiscIndex> discs{*disc_at(bridge.graph, two[0]), *disc_at(bridge.graph, two[1])};
  find_neighbours(bridge.graph, DiscRegister(bridge.graph, two, discs), two[0], discs[0], 50, scratch, found);
  EXPECT_EQ(found, std::vector<std::uint32_t>{0});
}

TEST(SightGrid, AHundredThousandLinesEqualBruteForce) {
  for (const Mesh& mesh : {furnished_hall(4), two_storeys(), noise(150, 20, 4, 2)}) {
    const SightGrid grid(mesh);
    RandomStream random(6, 0, 1);
    int free = 0;
    for (int i = 0; i < 34000; ++i) {
      const auto any = [&] { return Vec3{random.between(-3, 23), random.between(-3, 23), random.between(-2, 9)}; };
      const Vec3 a = any(), b = i % 3 == 0 ? Vec3{a.x + random.between(-3, 3), a.y, a.z + random.between(-1, 1)} : any();
      ASSERT_EQ(grid.is_free(a, b), !first_hit(mesh, a, b)) << i;
      free += grid.is_free(a, b);
    }
    EXPECT_GT(free, 2000);
    EXPECT_LT(free, 33000);
  }
}

TEST(Sight, ListsAreSymmetricHoldNeighboursAndEqualBruteForce) {
  const Built built = build(furnished_hall(5), {.sight_range = 12});
  const NavGraph& g = built.graph;
  std::set<std::pair<DiscIndex, DiscIndex>> listed;
  for (DiscIndex a = 0; a < g.disc_count(); ++a)
    for (int q = 0; q < 4; ++q) {
      for (std::uint32_t k = g.sight.start[4 * a + q]; k < g.sight.start[4 * a + q + 1]; ++k) {
        const DiscIndex b = g.sight.discs[k];
        EXPECT_TRUE(listed.insert({a, b}).second);
        const Vec2 to = plan_of(g.centre[b]) - plan_of(g.centre[a]);
        const double azimuth = std::atan2(to.y, to.x) * 180 / 3.14159265358979;
        EXPECT_LE(std::abs(std::remainder(azimuth - 90 * q, 360)), 45 + 1e-9);
      }
    }
  EXPECT_GT(listed.size(), 500u);
  for (const auto& [a, b] : listed) EXPECT_TRUE(listed.contains({b, a}));
  for (const Gate& gate : g.gates) EXPECT_TRUE(listed.contains({gate.disc[0], gate.disc[1]}));
  const auto eye = [&](DiscIndex d) { return Vec3{g.centre[d].x, g.centre[d].y, g.centre[d].z + kEyeHeight}; };
  for (DiscIndex a = 0; a < g.disc_count(); ++a)
    for (DiscIndex b = a + 1; b < g.disc_count(); ++b) {
      bool seen = g.gate_between(a, b) != kNoGate;
      for (int way = 0; way < 2 && !seen; ++way) {
        const Vec3 from = eye(way == 0 ? a : b), to = eye(way == 0 ? b : a);
        seen = !first_hit(built.mesh, from, to);
        for (int k = 0; k < 8 && !seen; ++k) {
          const double angle = k * 3.14159265358979323846 / 4, r = 0.7 * g.radius[way == 0 ? b : a];
          seen = !first_hit(built.mesh, from, {to.x + r * std::cos(angle), to.y + r * std::sin(angle), to.z});
        }
      }
      EXPECT_EQ(listed.contains({a, b}), seen && distance(g.centre[a], g.centre[b]) <= 12) << a << " " << b;
    }
}

TEST(Sight, PeopleSeenEqualBruteForce) {
  const Built built = build(furnished_hall(6), {.sight_range = 30});
  const NavGraph& g = built.graph;
  const Crowd crowd = crowd_on(g, 320, 5);
  const DiscRegister people(g, crowd.points, crowd.discs);
  std::vector<std::uint32_t> found;
  std::size_t judged = 0, missed = 0, seen = 0;
  RandomStream random(3, 0, 1);
  for (std::uint32_t who = 0; who < crowd.points.size(); ++who) {
    const double angle = random.between(0, 6.28);
    const View view{
        .range = random.between(3, 25), .towards = Vec2{std::cos(angle), std::sin(angle)}, .cosine = random.between(-1, 0.9)};
    find_visible(g, people, crowd.points[who], crowd.discs[who], view, found);
    const std::set<std::uint32_t> answer(found.begin(), found.end());
    const Vec3 p = crowd.points[who], eye{p.x, p.y, p.z + view.height};
    for (std::uint32_t i = 0; i < crowd.points.size(); ++i) {
      const Vec3 q = crowd.points[i], head{q.x, q.y, q.z + view.height};
      const Vec2 to = plan_of(head) - plan_of(eye);
      const bool expected = distance(eye, head) <= view.range && dot(to, *view.towards) >= view.cosine * throng::length(to) &&
                            !first_hit(built.mesh, eye, head);
      bool listed = crowd.discs[i] == crowd.discs[who];
      for (std::uint32_t k = g.sight.start[4 * crowd.discs[who]]; k < g.sight.start[4 * crowd.discs[who] + 4]; ++k)
        listed |= g.sight.discs[k] == crowd.discs[i];
      EXPECT_EQ(answer.contains(i), expected && listed);
      ++judged;
      seen += expected;
      missed += expected && !listed;
    }
  }
  EXPECT_GT(judged, 100000u);
  EXPECT_LT(static_cast<double>(missed), 0.03 * static_cast<double>(seen)) << "the lists are sampled: they miss slivers only";
}

}  // namespace
}  // namespace throng
