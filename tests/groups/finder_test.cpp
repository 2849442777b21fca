// SPDX-License-Identifier: MIT
// Finding groups: made-up people whose company is known.
#include "groups/finder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "groups/cohesion.hpp"

namespace throng {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

/// People who walk straight on, everybody in sight of everybody.
struct Walkers {
  std::vector<std::uint32_t> id;
  std::vector<float> x, y, vx, vy;
  void add(std::uint32_t number, float at_x, float at_y, float speed_x, float speed_y) {
    id.push_back(number), x.push_back(at_x), y.push_back(at_y), vx.push_back(speed_x), vy.push_back(speed_y);
  }
  void walk(GroupFinder& finder, double seconds) {
    std::vector<std::uint32_t> all(id.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    for (double t = 0; t < seconds; t += 0.2) {
      for (std::size_t i = 0; i < id.size(); ++i) x[i] += 0.2f * vx[i], y[i] += 0.2f * vy[i];
      finder.look({id, x, y, vx, vy}, 0.2f, [&](std::uint32_t) { return std::span<const std::uint32_t>(all); });
    }
  }
};

TEST(GroupFinder, joins_those_who_stay_near_and_nobody_else) {
  Walkers people;
  for (std::uint32_t k = 0; k < 3; ++k) people.add(10 + k, 0, 0.8f * static_cast<float>(k), 1.3f, 0);  // three abreast
  people.add(20, -8, 1, 1.7f, 0);                                                                      // overtakes them
  people.add(21, 30, 0.9f, -1.3f, 0);                                                                  // meets them
  people.add(30, 0, 6, 1.3f, 0), people.add(31, 0, 9, 1.3f, 0);  // walk alike, three metres apart
  GroupFinder finder;
  people.walk(finder, 3);
  EXPECT_EQ(finder.found(), Groups{}) << "too early to tell";
  people.walk(finder, 27);
  EXPECT_EQ(finder.found(), (Groups{{10, 11, 12}}));
}

TEST(GroupFinder, does_not_take_those_who_stand_for_company) {
  Walkers people;
  people.add(1, 0, 0, 0, 0), people.add(2, 0.8f, 0, 0, 0);
  GroupFinder finder;
  people.walk(finder, 30);
  EXPECT_EQ(finder.found(), Groups{});
  for (std::size_t i = 0; i < 2; ++i) people.vx[i] = 1;
  people.walk(finder, 15);
  EXPECT_EQ(finder.found(), (Groups{{1, 2}}));
}

TEST(GroupFinder, forgets_who_has_parted_unless_told_to_keep) {
  for (const bool keeps : {false, true}) {
    Walkers people;
    people.add(1, 0, 0, 1.3f, 0), people.add(2, 0, 0.8f, 1.3f, 0);
    GroupFinder finder;
    if (keeps) finder.keep_all();
    people.walk(finder, 20);
    EXPECT_EQ(finder.found(), (Groups{{1, 2}}));
    people.vy[1] = 1;
    people.walk(finder, 30);
    EXPECT_EQ(finder.found(), Groups{});
    EXPECT_EQ(finder.pairs().size(), keeps ? 1 : 0);
    if (keeps) {
      EXPECT_GT(finder.pairs()[0].bound, 7) << "the last eight of twenty seconds, at least";
    }
  }
}

TEST(PairScore, counts_pairs) {
  const PairScore score = score_of({{1, 2, 3}, {5, 6}}, {{1, 2}, {5, 6, 7}});
  EXPECT_EQ(score.right, 2u) << "1 2 and 5 6";
  EXPECT_EQ(score.wrong, 2u) << "1 3 and 2 3";
  EXPECT_EQ(score.missed, 2u) << "5 7 and 6 7";
  EXPECT_EQ(score.precision(), 0.5);
  EXPECT_EQ(score_of({}, {}).recall(), 1);
}

TEST(Cohesion, is_what_a_ruler_says) {
  // Two abreast, one of them 0.3 m behind; three of whom the last is 2 m behind; one alone.
  const std::vector<std::uint32_t> group = {0, 7, 4, 7, 4, 4}, id = {1, 2, 3, 4, 5, 6};
  const std::vector<float> x = {9, 10, 20, 9.7f, 20, 18}, y = {9, 0, 0, 0.4f, 1, 0}, v = {1, 1, 1, 1, 1, 1}, none(6, 0);
  Cohesion sums;
  CohesionMeter().add({group, id, x, y, v, none}, sums);
  EXPECT_EQ(sums.people, 6u);
  EXPECT_EQ(sums.in_groups, 5u);
  EXPECT_EQ(sums.pairs, 1u);
  EXPECT_NEAR(sums.pair_distance, 0.5, 1e-6);
  EXPECT_EQ(sums.followers, 3u);
  EXPECT_EQ(sums.abreast, 2u);
  const double third =
      std::hypot(58.0 / 3 - 20, 1.0 / 3) + std::hypot(58.0 / 3 - 20, 1.0 / 3 - 1) + std::hypot(58.0 / 3 - 18, 1.0 / 3);
  EXPECT_NEAR(sums.to_middle, 0.5 + third, 1e-5);
}

}  // namespace
}  // namespace throng
