// SPDX-License-Identifier: MIT
// Ways over links against relaxation of all pairs, and links in baked files.
#include "navigation/links.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/layered_scenes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

/// Islands of 30 × 30 m above each other with random links: on an island every walk is straight.
Scene islands(std::uint32_t count, std::uint32_t links, std::uint32_t seed) {
  Scene scene;
  scene.name = "islands";
  RandomStream random(seed, 0, 1);
  for (std::uint32_t i = 0; i < count; ++i) scene.layers.push_back(layer_of("island", box(0, 0, 30, 30), 3.0 * i));
  for (std::uint32_t i = 0; i < links; ++i) {
    for (int end = 0; end < 2; ++end) {
      const double x = random.between(1, 28), y = random.between(1, 28);
      const auto layer = static_cast<std::uint32_t>(random.integer(0, count - 1));
      scene.areas.push_back({"area " + std::to_string(2 * i + end), layer, box(x, y, x + 1, y + 1), 1, {}});
    }
    scene.links.push_back({"link", 2 * i, 2 * i + 1, random.between(0, 20), 0});
  }
  return scene;
}

double straight(Vec2 a, std::uint32_t layer_a, Vec2 b, std::uint32_t layer_b) {
  return layer_a == layer_b ? distance(a, b) : kNoWalk;
}

/// The cost of the cheapest way over one link or more, by relaxing every pair of links as often as there are links.
double relaxed(const std::vector<BakedLink>& links, const PathRequest& request, double speed) {
  std::vector<double> reached;  // at the exit of each link
  for (const BakedLink& link : links)
    reached.push_back(straight(request.from, request.from_layer, link.ends[0].place, link.ends[0].layer) + speed * link.time);
  for (std::size_t round = 0; round < links.size(); ++round)
    for (std::size_t i = 0; i < links.size(); ++i)
      for (std::size_t k = 0; k < links.size(); ++k) {
        const LinkEnd &exit = links[i].ends[1], &entry = links[k].ends[0];
        reached[k] =
            std::min(reached[k], reached[i] + straight(exit.place, exit.layer, entry.place, entry.layer) + speed * links[k].time);
      }
  double best = kNoWalk;
  for (std::size_t i = 0; i < links.size(); ++i)
    best = std::min(best, reached[i] + straight(links[i].ends[1].place, links[i].ends[1].layer, request.to, request.to_layer));
  return best;
}

TEST(LinkRoutes, FindTheCheapestSequenceOfLinks) {
  std::size_t without = 0, longest = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const Navigation navigation = baked(islands(4, 10, seed));
    const auto& links = navigation.data().links;
    const LinkRoutes routes(navigation);
    LinkRoutes::Scratch scratch;
    RandomStream random(seed, 1, 1);
    for (int query = 0; query < 50; ++query) {
      PathRequest request;
      request.from = {random.between(1, 29), random.between(1, 29)};
      request.to = {random.between(1, 29), random.between(1, 29)};
      request.from_layer = static_cast<std::uint32_t>(random.integer(0, 3));
      request.to_layer = static_cast<std::uint32_t>(random.integer(0, 3));
      const double on_foot = straight(request.from, request.from_layer, request.to, request.to_layer);
      const double expected = relaxed(links, request, 1.5);
      const LinkRoutes::Way way = routes.find(request, 1.5, on_foot, straight, scratch);
      if (expected >= on_foot || expected == kNoWalk) {
        EXPECT_EQ(way.first, kNoRide);
        ++without;
        continue;
      }
      ASSERT_NE(way.first, kNoRide);
      EXPECT_NEAR(way.cost, expected, 0.01);
      // The links that it names cost what it says.
      double cost = straight(request.from, request.from_layer, links[way.first].ends[0].place, links[way.first].ends[0].layer);
      std::size_t count = 0;
      for (std::uint32_t at = way.first; at != kNoRide; at = scratch.next[at], ++count) {
        const LinkEnd& exit = links[at].ends[1];
        const std::uint32_t next = scratch.next[at];
        cost += 1.5 * links[at].time;
        cost += next == kNoRide ? straight(exit.place, exit.layer, request.to, request.to_layer)
                                : straight(exit.place, exit.layer, links[next].ends[0].place, links[next].ends[0].layer);
      }
      EXPECT_NEAR(cost, expected, 0.01);
      longest = std::max(longest, count);
    }
  }
  EXPECT_GT(without, 50u);
  EXPECT_GE(longest, 3u);
}

TEST(LinkRoutes, LinksSurviveABakedFile) {
  const Navigation navigation = baked(islands(2, 3, 7));
  EXPECT_EQ(navigation.report().links, 3u);
  const Result<Navigation> loaded = Navigation::load(navigation.save(), "links.nav");
  ASSERT_TRUE(loaded);
  ASSERT_EQ(loaded->data().links.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const BakedLink &a = navigation.data().links[i], &b = loaded->data().links[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.time, b.time);
    for (int end = 0; end < 2; ++end) {
      EXPECT_EQ(a.ends[end].layer, b.ends[end].layer);
      EXPECT_EQ(a.ends[end].place, b.ends[end].place);
      EXPECT_EQ(a.ends[end].shape.outer, b.ends[end].shape.outer);
    }
  }
}

TEST(LinkRoutes, MistakesOfLinksAreProblems) {
  const auto problem = [](auto change) {
    Scene scene = islands(2, 1, 3);
    change(scene);
    const Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
    return navigation ? std::string() : to_string(navigation.problems()[0]);
  };
  EXPECT_EQ(problem([](Scene&) {}), "");
  EXPECT_NE(problem([](Scene& s) { s.links[0].to = 9; }).find("two areas"), std::string::npos);
  EXPECT_NE(problem([](Scene& s) { s.links[0].to = s.links[0].from; }).find("leads back"), std::string::npos);
  EXPECT_NE(problem([](Scene& s) { s.links[0].time = -1; }).find("a ride of -1"), std::string::npos);
  EXPECT_NE(problem([](Scene& s) { s.areas[1].shape = box(50, 50, 52, 52); }).find("room for a body"), std::string::npos);
  EXPECT_NE(problem([](Scene& s) { s.areas[0].shape = box(0, 0, 0.1, 9); }).find("room for a body"), std::string::npos);
  EXPECT_NE(problem([](Scene& s) { s.links.resize(300, s.links[0]); }).find("300 links"), std::string::npos);
}

}  // namespace
}  // namespace throng
