// SPDX-License-Identifier: MIT
// Counts of overlaps and penetrations from lists that last, against a look at every pair and every row.
#include "world/close_pairs.hpp"

#include <throng/navigation.hpp>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "navigation/navigation_data.hpp"
#include "support/layered_scenes.hpp"
#include "world/wall_watch.hpp"

namespace throng {
namespace {

using testing::baked;
using testing::box;

/// Bodies that walk, jump, grow, come and go, and change their rows.
struct RestlessBodies {
  std::vector<float> x, y, radius;
  RandomStream random;
  double side, pace, jumps;

  RestlessBodies(std::uint64_t seed, std::size_t count, double side_, double pace_, double jumps_)
      : random(seed, 0, 1), side(side_), pace(pace_), jumps(jumps_) {
    for (std::size_t i = 0; i < count; ++i) add();
  }
  void add() {
    x.push_back(static_cast<float>(random.between(-0.1 * side, 1.1 * side)));
    y.push_back(static_cast<float>(random.between(-0.1 * side, 1.1 * side)));
    radius.push_back(static_cast<float>(random.between(0.15, 0.4)));
  }
  void remove(std::size_t row) {
    x[row] = x.back();
    y[row] = y.back();
    radius[row] = radius.back();
    x.pop_back();
    y.pop_back();
    radius.pop_back();
  }
  void step() {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += static_cast<float>(random.between(-pace, pace));
      y[i] += static_cast<float>(random.between(-pace, pace));
      if (!random.chance(jumps)) continue;
      x[i] = static_cast<float>(random.between(-0.3 * side, 1.3 * side));
      y[i] = static_cast<float>(random.between(0, side));
      radius[i] = static_cast<float>(random.between(0.15, 0.5));
    }
    if (random.chance(0.3) && !x.empty())
      remove(static_cast<std::size_t>(random.between(0, static_cast<double>(x.size()) - 0.01)));
    if (random.chance(0.3)) add();
  }
  ClosePairs::Bodies bodies() const { return {x, y, radius}; }
};

/// Every pair, and in a periodic world every image of one beside the other.
ClosePairs::Counts counts_of_all_pairs(const ClosePairs::Bodies& b, ClosePairs::Period period, auto meet) {
  ClosePairs::Counts counts;
  for (std::uint32_t i = 0; i < b.x.size(); ++i)
    for (std::uint32_t j = i + 1; j < b.x.size(); ++j)
      for (int column = period.x > 0 ? -1 : 0; column <= (period.x > 0 ? 1 : 0); ++column)
        for (int line = period.y > 0 ? -1 : 0; line <= (period.y > 0 ? 1 : 0); ++line) {
          const float dx = b.x[j] + static_cast<float>(column) * period.x - b.x[i];
          const float dy = b.y[j] + static_cast<float>(line) * period.y - b.y[i], contact = b.radius[i] + b.radius[j];
          if (dx * dx + dy * dy >= contact * contact || !meet(i, j)) continue;
          ++counts.overlaps;
          counts.deep += dx * dx + dy * dy < 0.64f * contact * contact;
        }
  return counts;
}

TEST(ClosePairs, countsWhatALookAtEveryPairCountsWhateverRowsDo) {
  struct Case {
    const char* name;
    std::size_t count;
    double side, pace, jumps;
    ClosePairs::Period period;
  };
  const Case cases[] = {
      {"walking", 700, 30, 0.1, 0, {}},          {"dense", 500, 9, 0.03, 0, {}},         {"standing", 300, 12, 0, 0, {}},
      {"some jump", 700, 30, 0.1, 0.004, {}},    {"many jump", 300, 20, 0.1, 0.3, {}},   {"sparse", 60, 900, 2, 0.05, {}},
      {"torus", 500, 22, 0.15, 0.005, {22, 22}}, {"ring", 300, 18, 0.1, 0.005, {18, 0}}, {"three", 3, 1, 0.1, 0.1, {}},
      {"one or none", 1, 1, 0.1, 0.1, {}}};
  TaskPool pool(3);
  InlineTasks alone;
  for (const Case& c : cases) {
    RestlessBodies bodies(7, c.count, c.side, c.pace, c.jumps);
    ClosePairs pairs, by_three;
    std::uint64_t overlaps = 0;
    // Some pairs are above each other.
    const auto meet = [](std::uint32_t i, std::uint32_t j) { return (i ^ j) % 7 != 0; };
    for (int step = 0; step < 80; ++step) {
      bodies.step();
      const auto expected = counts_of_all_pairs(bodies.bodies(), c.period, meet);
      const auto found = pairs.count(bodies.bodies(), c.period, meet, alone);
      const auto found_by_three = by_three.count(bodies.bodies(), c.period, meet, pool);
      ASSERT_EQ(found.overlaps, expected.overlaps) << c.name << ", step " << step;
      ASSERT_EQ(found.deep, expected.deep) << c.name << ", step " << step;
      ASSERT_EQ(found_by_three.overlaps, expected.overlaps) << c.name << ", step " << step;
      ASSERT_EQ(found_by_three.deep, expected.deep) << c.name << ", step " << step;
      overlaps += expected.overlaps;
    }
    if (c.count > 100) {
      EXPECT_GT(overlaps, 100u) << c.name;
    }
    if (std::string(c.name) == "walking") {
      EXPECT_LT(pairs.version(), 60u) << "a list lasts for several counts";
    }
    if (std::string(c.name) == "many jump") {
      EXPECT_GT(pairs.version(), 70u) << "the control: where rows jump it does not";
    }
  }
}

TEST(WallWatch, countsTheBodiesInWallsAndBesideTheGroundAsALookAtEveryBodyDoes) {
  for (const bool has_layers : {false, true}) {
    Scene hall;
    hall.layers = {testing::layer_of("hall", box(0, 0, 30, 30))};
    hall.layers[0].obstacles = {box(5, 5, 9, 9), box(14, 2, 15, 25), box(20, 20, 20.4, 20.4)};
    const Navigation navigation = baked(has_layers ? testing::bridge() : hall);
    const NavigationData& data = navigation.data();
    RestlessBodies bodies(3, 400, 30, 0.08, 0.01);
    if (has_layers)
      for (float& x : bodies.x) x -= 12;
    std::vector<std::array<Vec2, 2>> joints;
    for (const Portal& portal : data.cells.portals)
      if (data.cells.layer[portal.cell[0]] != data.cells.layer[portal.cell[1]])
        joints.push_back({to_metres(portal.position[0]), to_metres(portal.position[1])});
    EXPECT_EQ(joints.empty(), !has_layers);
    const auto layers = static_cast<std::uint32_t>(data.locator.grids.size());
    int now = 0;
    const auto layer_of = [&](std::uint32_t row) { return (row + static_cast<std::uint32_t>(now) / 9) % layers; };
    const auto penetrates = [&](std::uint32_t row) {
      const Vec2 at = {bodies.x[row], bodies.y[row]};
      const double radius = bodies.radius[row];
      return data.locator.clearance(at, layer_of(row), radius) < radius - 0.001 ||
             data.locator.cell_at(at, layer_of(row)) == kNoCell;
    };
    const auto room = [&](Vec2 place, std::uint32_t layer, double up_to) {
      if (data.locator.cell_at(place, layer) == kNoCell) return 0.0;
      double free = data.locator.clearance(place, layer, up_to);
      for (const auto& [a, b] : joints) {
        const double share = std::clamp(dot(place - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
        free = std::min(free, distance(place, a + share * (b - a)));
      }
      return free;
    };
    InlineTasks tasks;
    ClosePairs pairs;
    WallWatch watch;
    std::uint64_t all = 0, exact_questions = 0;
    const auto asks = [&](std::uint32_t row) { return ++exact_questions, penetrates(row); };
    for (now = 0; now < 100; ++now) {
      bodies.step();
      std::uint32_t expected = 0;
      for (std::uint32_t row = 0; row < bodies.x.size(); ++row) expected += penetrates(row);
      pairs.count(
          bodies.bodies(), {}, [](std::uint32_t, std::uint32_t) { return true; }, tasks);
      if (now % 40 == 20) watch.forget();
      ASSERT_EQ(watch.count(bodies.bodies(), pairs, {room, asks, layer_of, layers > 1}, tasks), expected) << "step " << now;
      all += expected;
    }
    EXPECT_GT(all, 1000u);
    EXPECT_LT(exact_questions, 100u * 400u) << "most rows are vouched for";
  }
}

}  // namespace
}  // namespace throng
