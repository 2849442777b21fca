// SPDX-License-Identifier: MIT
// Who sees whom where layers meet: a hall cut into layers against the whole hall, and a bridge over a road.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "neighbours/crowd.hpp"
#include "neighbours/sight.hpp"
#include "support/layered_scenes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

/// The same people in the whole hall and in the cut one.
struct TwoHalls {
  Navigation whole = baked(whole_hall()), cut = baked(cut_hall());
  Crowd in_whole, in_cut;

  TwoHalls(std::uint64_t seed, std::uint32_t count, double low_x = 0, double high_x = 20) {
    RandomStream random(seed, 0, 1);
    while (in_cut.size() < count) {
      // On the grid, so that no rounding moves anybody across a joint.
      const Vec2 p = to_metres(snap({random.between(low_x, high_x), random.between(0, 10)}));
      if (!whole.cell_at(p)) continue;
      const double radius = random.chance(0.2) ? 0.4 : random.between(0.15, 0.3);
      const double vx = random.between(-1.5, 1.5), vy = random.between(-1.5, 1.5);
      for (Crowd* crowd : {&in_whole, &in_cut}) {
        crowd->add(p.x, p.y, radius);
        crowd->vx.back() = static_cast<float>(vx), crowd->vy.back() = static_cast<float>(vy);
      }
      in_whole.cell.back() = *whole.cell_at(p);
      in_cut.layer.back() = layer_of_cut_hall(p);
      in_cut.cell.back() = *cut.cell_at(p, layer_of_cut_hall(p));
    }
  }
  bool parts(std::uint32_t i, std::uint32_t j) const { return in_cut.layer[i] != in_cut.layer[j]; }
  bool touch(std::uint32_t i, std::uint32_t j) const {
    const Crowd& c = in_cut;
    const float dx = c.x[j] - c.x[i], dy = c.y[j] - c.y[i], dvx = c.vx[j] - c.vx[i], dvy = c.vy[j] - c.vy[i];
    const float limit = c.radius[i] + c.radius[j] + 0.1f * std::sqrt(dvx * dvx + dvy * dvy);
    return dx * dx + dy * dy < limit * limit;
  }
};

TEST(AcrossJoints, ACutHallHasTheNeighboursOfTheWholeHall) {
  InlineTasks tasks;
  std::size_t whole_links = 0, cut_links = 0, common = 0, contacts = 0;
  for (const std::uint32_t count : {8u, 30u, 120u, 400u, 900u}) {
    for (std::uint64_t seed = 1; seed <= (count < 100 ? 40u : 8u); ++seed) {
      const TwoHalls halls(seed, count);
      NeighbourGraph whole, cut;
      whole.update(halls.in_whole.input(&halls.whole.data().cells), tasks);
      cut.update(halls.in_cut.input(&halls.cut.data().cells, true), tasks);
      const Links expected = links_of(whole), got = links_of(cut);
      for (const auto& [i, j] : got) {
        EXPECT_TRUE(got.contains({j, i}));
        EXPECT_TRUE(can_see(halls.whole.data().cells, halls.in_whole.point(i), halls.in_whole.cell[i], halls.in_whole.point(j),
                            halls.in_whole.cell[j]));
        cut_links += halls.parts(i, j);
      }
      for (const auto& [i, j] : expected)
        if (halls.parts(i, j)) ++whole_links, common += got.contains({i, j});
      // What may touch is linked, all of it.
      for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t j = 0; j < count; ++j) {
          if (!halls.parts(i, j) || !halls.touch(i, j)) continue;
          const bool sees = can_see(halls.whole.data().cells, halls.in_whole.point(i), halls.in_whole.cell[i],
                                    halls.in_whole.point(j), halls.in_whole.cell[j]);
          EXPECT_EQ(got.contains({i, j}), sees) << count << ' ' << seed << ": " << i << ' ' << j;
          contacts += sees;
        }
    }
  }
  EXPECT_GT(whole_links, 5000u);
  EXPECT_GT(contacts, 1000u);
  EXPECT_GT(static_cast<double>(common), 0.93 * static_cast<double>(whole_links));
  EXPECT_LT(static_cast<double>(cut_links - common), 0.05 * static_cast<double>(whole_links));
}

TEST(AcrossJoints, WithoutJointsNobodySeesAnotherLayer) {
  Scene apart = cut_hall();
  apart.joints.clear();
  const Navigation navigation = baked(apart);
  TwoHalls halls(3, 400);
  for (std::uint32_t i = 0; i < halls.in_cut.size(); ++i)
    halls.in_cut.cell[i] = *navigation.cell_at({halls.in_cut.x[i], halls.in_cut.y[i]}, halls.in_cut.layer[i]);
  InlineTasks tasks;
  NeighbourGraph graph;
  graph.update(halls.in_cut.input(&navigation.data().cells, true), tasks);
  EXPECT_EQ(graph.report().joint_links, 0u);
  for (const auto& [i, j] : links_of(graph)) EXPECT_FALSE(halls.parts(i, j));
}

TEST(AcrossJoints, ArePartOfTheNearestModeToo) {
  const TwoHalls halls(5, 400);
  InlineTasks tasks;
  NeighbourGraph graph(NeighbourSettings{.mode = NeighbourSettings::Mode::kNearest});
  graph.update(halls.in_cut.input(&halls.cut.data().cells, true), tasks);
  const Links links = links_of(graph);
  std::size_t contacts = 0;
  for (std::uint32_t i = 0; i < halls.in_cut.size(); ++i)
    for (std::uint32_t j = 0; j < halls.in_cut.size(); ++j) {
      if (!halls.parts(i, j) || !halls.touch(i, j)) continue;
      const Crowd& crowd = halls.in_cut;
      if (!can_see(halls.cut.data().cells, crowd.point(i), crowd.cell[i], crowd.point(j), crowd.cell[j])) continue;
      EXPECT_TRUE(links.contains({i, j}));
      ++contacts;
    }
  EXPECT_GT(contacts, 20u);
}

TEST(AcrossJoints, AreTheSameForAnyNumberOfThreadsAndAnyPast) {
  NeighbourGraph kept;
  InlineTasks one;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const TwoHalls halls(seed, 700, 6, 18);
    const NeighbourInput input = halls.in_cut.input(&halls.cut.data().cells, true);
    NeighbourGraph fresh;
    fresh.update(input, one);
    EXPECT_GT(fresh.report().joint_links, 50u);
    for (const unsigned threads : {2u, 8u}) {
      const auto tasks = make_task_runner(threads);
      NeighbourGraph other;
      other.update(input, *tasks);
      EXPECT_TRUE(same_lists(other, fresh)) << seed;
    }
    kept.update(input, one);
    EXPECT_TRUE(same_lists(kept, fresh)) << seed;
  }
}

TEST(AcrossJoints, PeopleOnABridgeAndUnderItNeverSeeEachOtherAtTheRampFootTheyDo) {
  const Navigation navigation = baked(bridge());
  const Cells& cells = navigation.data().cells;
  RandomStream random(9, 0, 1);
  InlineTasks tasks;
  const auto put = [&](Crowd& crowd, Vec2 p, std::uint32_t layer) {
    crowd.add(p.x, p.y);
    crowd.layer.back() = layer;
    crowd.cell.back() = *navigation.cell_at({crowd.x.back(), crowd.y.back()}, layer);
  };
  for (int i = 0; i < 300; ++i) {
    // Under the bridge and on it; in the first rounds exactly one above the other, and above a corner of the bridge.
    Crowd crowd;
    const Vec2 under = i == 0 ? Vec2{3, 0} : i == 1 ? Vec2{0.5, 2} : Vec2{random.between(0.3, 5.7), random.between(-4, 4)};
    put(crowd, under, 0);
    put(crowd, i < 2 ? under : Vec2{random.between(-1, 7), random.between(-1.7, 1.7)}, 1);
    NeighbourGraph graph;
    graph.update(crowd.input(&cells, true), tasks);
    EXPECT_TRUE(graph.of(0).empty() && graph.of(1).empty()) << i;
    EXPECT_FALSE(can_see(cells, crowd.point(0), crowd.cell[0], crowd.point(1), crowd.cell[1])) << i;
    // The same two at the foot of the ramp.
    Crowd foot;
    put(foot, {random.between(1, 5.9), random.between(14.3, 17.7)}, 0);
    put(foot, {random.between(6.1, 11), random.between(14.3, 17.7)}, 2);
    graph.update(foot.input(&cells, true), tasks);
    EXPECT_EQ(graph.of(0).size(), 1u) << i;
    EXPECT_EQ(graph.of(1).size(), 1u) << i;
  }
}

}  // namespace
}  // namespace throng
