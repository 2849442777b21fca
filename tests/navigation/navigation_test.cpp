// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include <throng/navigation.hpp>

#include "base/hash.hpp"
#include "navigation/navigation_data.hpp"
#include "scene/city.hpp"
#include "scene/office.hpp"
#include "support/count_allocations.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Polygon box(double x0, double y0, double x1, double y1) { return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}; }

Scene hall() {
  Scene scene;
  scene.name = "hall";
  Layer layer;
  layer.name = "ground";
  layer.walkable.push_back(box(0, 0, 20, 10));
  layer.obstacles.push_back(box(9, 0, 11, 8));
  scene.layers.push_back(layer);
  return scene;
}

std::vector<PathRequest> requests_in(const Navigation& navigation, int count, std::uint64_t seed, double radius = 0.2) {
  std::vector<PathRequest> requests;
  for (int i = 0; i < count; ++i) {
    RandomStream random(seed, static_cast<std::uint32_t>(i), 1);
    PathRequest r;
    r.radius = radius;
    for (Vec2* p : {&r.from, &r.to}) {
      const double u = random.unit(), v = random.unit();
      *p = navigation.random_walkable(u, v).point;
    }
    requests.push_back(r);
  }
  return requests;
}

TEST(Navigation, APathRoundABlockHasTheLengthOfTheFormula) {
  const auto navigation = Navigation::bake(hall());
  ASSERT_TRUE(navigation);
  // A point bends round both upper corners of the block; a disc of radius r round circles of that radius.
  const auto point = navigation->plan({.from = {5, 4}, .to = {15, 4}, .radius = 0, .planner = Planner::kShortest});
  ASSERT_TRUE(point && point->found);
  EXPECT_NEAR(point->length, 2 * std::hypot(4, 4) + 2, 1e-9);
  // Up the tangent, which is steeper than the line to the corner by asin(r / leg), then round the circle until the way is level.
  const double r = 0.5, leg = std::hypot(4, 4), tangent = std::sqrt(leg * leg - r * r),
               turn = std::acos(-1) / 4 + std::asin(r / leg);
  const auto disc = navigation->plan({.from = {5, 4}, .to = {15, 4}, .radius = r, .planner = Planner::kShortest});
  ASSERT_TRUE(disc && disc->found);
  EXPECT_NEAR(disc->length, 2 * (tangent + r * turn) + 2, 1e-6);
}

TEST(Navigation, AStartInsideAWallNamesTheNearestFreePoint) {
  const auto navigation = Navigation::bake(hall());
  ASSERT_TRUE(navigation);
  const auto path = navigation->plan({.from = {9.3, 4}, .to = {15, 4}, .radius = 0.25});
  ASSERT_FALSE(path);
  EXPECT_NE(path.problems()[0].where.find("start"), std::string::npos);
  EXPECT_NE(path.problems()[0].fix.find("(8.750, 4.000)"), std::string::npos) << path.problems()[0].fix;
  const auto close = navigation->plan({.from = {5, 4}, .to = {11.1, 4}, .radius = 0.25});
  ASSERT_FALSE(close);
  EXPECT_NE(close.problems()[0].fix.find("(11.250, 4.000)"), std::string::npos) << close.problems()[0].fix;
}

TEST(Navigation, BadRequestsAreRefused) {
  const auto navigation = Navigation::bake(hall());
  ASSERT_TRUE(navigation);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const PathRequest& r :
       {PathRequest{.from = {nan, 1}, .to = {1, 1}}, PathRequest{.from = {1, 1}, .to = {1, 1e9}},
        PathRequest{.from = {1, 1}, .to = {2, 2}, .radius = -1}, PathRequest{.from = {1, 1}, .to = {2, 2}, .radius = nan},
        PathRequest{.from = {1, 1}, .to = {2, 2}, .profile = 3}, PathRequest{.from = {1, 1}, .to = {2, 2}, .from_layer = 1}}) {
    const auto path = navigation->plan(r);
    ASSERT_FALSE(path);
    EXPECT_FALSE(path.problems()[0].fix.empty());
  }
}

TEST(Navigation, ThreePlannersAgreeBitForBitAndNoneBeatsTheShortest) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (std::uint32_t k : {1u, 2u, 3u}) {
      const auto navigation = Navigation::bake(random_scene(seed, 30, 40), {.key_points = k, .threads = 1});
      ASSERT_TRUE(navigation);
      PathFinder finder(*navigation);
      Path path;
      for (double radius : {0.0, 0.1, 0.2, 0.45}) {
        for (PathRequest r : requests_in(*navigation, 20, seed, radius)) {
          double cost[4];
          double length[4];
          PathStatus status[4];
          int i = 0;
          for (Planner p : {Planner::kHierarchy, Planner::kZones, Planner::kRoadmap, Planner::kShortest}) {
            r.planner = p;
            status[i] = finder.find(r, path);
            cost[i] = path.cost;
            length[i++] = path.length;
          }
          EXPECT_EQ(status[0], status[1]);
          EXPECT_EQ(status[0], status[2]);
          EXPECT_EQ(status[0], status[3]) << "seed " << seed << " radius " << radius;
          if (status[0] != PathStatus::kFound) continue;
          EXPECT_EQ(cost[0], cost[1]);
          EXPECT_EQ(cost[0], cost[2]);
          EXPECT_GE(length[0], length[3] - 1e-6) << "seed " << seed << " radius " << radius;
        }
      }
    }
  }
}

TEST(Navigation, NothingIsAllocatedPerQueryAfterWarmUp) {
  const auto navigation = Navigation::bake(make_city(150), {.threads = 1});
  ASSERT_TRUE(navigation);
  const auto requests = requests_in(*navigation, 300, 5);
  const std::size_t before_control = allocations;
  PathFinder finder(*navigation);
  EXPECT_GT(allocations, before_control) << "the counter counts";
  Path path;
  for (Planner p : {Planner::kHierarchy, Planner::kZones, Planner::kRoadmap, Planner::kShortest}) {
    for (int round = 0; round < 2; ++round) {
      const std::size_t before = allocations;
      for (PathRequest r : requests) {
        r.planner = p;
        finder.find(r, path);
      }
      const std::size_t made = allocations - before;
      EXPECT_TRUE(round == 0 || made == 0) << name_of(p) << ": " << made;
    }
  }
}

TEST(Navigation, ManyThreadsMayQueryOneBake) {
  const auto navigation = Navigation::bake(make_city(150), {.threads = 1});
  ASSERT_TRUE(navigation);
  const auto requests = requests_in(*navigation, 200, 6);
  std::vector<double> expected;
  for (const PathRequest& r : requests) {
    const auto path = navigation->plan(r);
    expected.push_back(path ? path->length : -1);
  }
  std::vector<std::jthread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      PathFinder finder(*navigation);
      Path path;
      for (std::size_t i = 0; i < requests.size(); ++i) {
        const PathStatus status = finder.find(requests[i], path);
        const double length = status == PathStatus::kFound || status == PathStatus::kNoWay ? path.length : -1;
        wrong += length != expected[i];
      }
    });
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST(BakedFile, IsTheSameForEveryRunAndThreadCountAndComesBackWhole) {
  Scene scene = make_office(40);
  const auto one = Navigation::bake(scene, {.threads = 1}), two = Navigation::bake(scene, {.threads = 2});
  ASSERT_TRUE(one && two);
  const std::string bytes = one->save();
  EXPECT_EQ(hash_of(bytes), hash_of(two->save()));
  EXPECT_EQ(bytes, Navigation::bake(scene, {.threads = 1})->save());
  const auto back = Navigation::load(bytes, "office.nav");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->save(), bytes);
  for (const PathRequest& r : requests_in(*one, 100, 3)) {
    const auto a = one->plan(r), b = back->plan(r);
    ASSERT_EQ(static_cast<bool>(a), static_cast<bool>(b));
    if (a) {
      EXPECT_EQ(a->length, b->length);
    }
  }
}

TEST(BakedFile, DamageIsAnErrorThatSaysWhatToDo) {
  const std::string bytes = Navigation::bake(hall())->save();
  const auto expect_problem = [](const std::string& damaged, const char* words) {
    const auto result = Navigation::load(damaged, "hall.nav");
    ASSERT_FALSE(result);
    EXPECT_NE(to_string(result.problems()[0]).find(words), std::string::npos) << to_string(result.problems()[0]);
    EXPECT_NE(result.problems()[0].fix.find("bake"), std::string::npos);
  };
  expect_problem("", "not a baked");
  expect_problem("hello, world, this is not a scene at all", "not a baked");
  expect_problem(bytes.substr(0, bytes.size() / 2), "cut short");
  expect_problem(bytes + "x", "longer");
  std::string version = bytes;
  version[8] = 99;
  expect_problem(version, "version 99");
  std::string flipped = bytes;
  flipped[bytes.size() / 2] ^= 1;
  expect_problem(flipped, "checksum");
}

/// With its checksum made right again, a forged file must still not do harm.
TEST(BakedFile, ForgedContentsAreFoundOrHarmless) {
  const std::string bytes = Navigation::bake(random_scene(3, 12, 8))->save();
  constexpr std::size_t kHeader = 28, kHashAt = 20;
  RandomStream random(1, 1, 1);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string forged = bytes;
    for (int n = static_cast<int>(random.integer(1, 3)); n > 0; --n) {
      const auto at = static_cast<std::size_t>(random.integer(kHeader, static_cast<std::int64_t>(forged.size()) - 1));
      forged[at] = static_cast<char>(random.integer(0, 255));
    }
    const std::uint64_t hash = hash_of(std::string_view(forged).substr(kHeader));
    for (int b = 0; b < 8; ++b) forged[kHashAt + b] = static_cast<char>(hash >> (8 * b));
    const auto result = Navigation::load(forged, "forged.nav");
    refused += !result;
    if (!result) continue;
    PathFinder finder(*result);
    Path path;
    for (Planner p : {Planner::kHierarchy, Planner::kZones, Planner::kRoadmap})
      finder.find({.from = {1, 1}, .to = {11, 11}, .planner = p}, path);
  }
  EXPECT_GT(refused, 300);
}

TEST(Areas, CostsSendPathsRoundAndBansKeepProfilesOut) {
  Scene scene;
  scene.name = "lawn";
  Layer layer;
  layer.name = "ground";
  layer.walkable.push_back(box(0, 0, 30, 20));
  scene.layers.push_back(layer);
  scene.profiles = {{.name = "default"}, {.name = "wheelchair", .radius = 0.35}};
  const PathRequest across{.from = {2, 10}, .to = {28, 10}, .planner = Planner::kHierarchy};
  const auto crosses = [](const Path& path, double x0, double y0, double x1, double y1) {
    for (std::size_t i = 0; i + 1 < path.points.size(); ++i)
      for (int s = 0; s <= 100; ++s) {
        const Vec2 p = path.points[i] + (s / 100.0) * (path.points[i + 1] - path.points[i]);
        if (p.x > x0 + 0.01 && p.x < x1 - 0.01 && p.y > y0 + 0.01 && p.y < y1 - 0.01) return true;
      }
    return false;
  };
  Area area{"lawn", 0, box(10, 2, 20, 18), 1, {}};
  // Control: a name alone changes nothing.
  scene.areas = {area};
  EXPECT_TRUE(crosses(*Navigation::bake(scene)->plan(across), 10, 2, 20, 18));
  // Dear enough, the way round wins; a little dearer, it does not.
  scene.areas[0].cost = 1.05;
  EXPECT_TRUE(crosses(*Navigation::bake(scene)->plan(across), 10, 2, 20, 18));
  scene.areas[0].cost = 4;
  const auto dear = Navigation::bake(scene);
  EXPECT_FALSE(crosses(*dear->plan(across), 10, 2, 20, 18));
  // Forbidden to one profile only, for every planner.
  scene.areas[0].cost = 1;
  scene.areas[0].forbidden_to = {"wheelchair"};
  const auto banned = Navigation::bake(scene);
  ASSERT_TRUE(banned);
  for (Planner p : {Planner::kHierarchy, Planner::kZones, Planner::kRoadmap, Planner::kShortest}) {
    PathRequest r = across;
    r.planner = p;
    EXPECT_TRUE(crosses(*banned->plan(r), 10, 2, 20, 18)) << name_of(p);
    r.profile = 1;
    r.radius = 0.35;
    const auto path = banned->plan(r);
    ASSERT_TRUE(path && path->found) << name_of(p);
    EXPECT_FALSE(crosses(*path, 10, 2, 20, 18)) << name_of(p);
    r.to = {15, 10};
    const auto inside = banned->plan(r);
    ASSERT_FALSE(inside);
    EXPECT_NE(inside.problems()[0].what.find("wheelchair"), std::string::npos);
  }
}

TEST(Areas, AWideBodyMayCrossAFinelyDrawnBorder) {
  Scene scene = hall();
  Ring ring;  // a circle of short segments across the passage above the block
  for (int i = 0; i < 200; ++i) ring.push_back({10 + 3 * std::cos(i * 0.0314159265), 9 + 0.9 * std::sin(i * 0.0314159265)});
  scene.areas.push_back({"rug", 0, {ring, {}}, 1.2, {}});
  const auto navigation = Navigation::bake(scene);
  ASSERT_TRUE(navigation);
  for (Planner p : {Planner::kHierarchy, Planner::kZones, Planner::kRoadmap, Planner::kShortest}) {
    const auto path = navigation->plan({.from = {5, 4}, .to = {15, 4}, .radius = 0.6, .planner = p});
    ASSERT_TRUE(path && path->found) << name_of(p);
    EXPECT_GT(path_clearance(wall_segments_of(navigation->data().cells), path->points), 0.6 - 0.001) << name_of(p);
  }
}

TEST(SpatialQueries, AreReachedFromTheBake) {
  const auto navigation = Navigation::bake(hall());
  ASSERT_TRUE(navigation);
  EXPECT_TRUE(navigation->cell_at({5, 5}));
  EXPECT_FALSE(navigation->cell_at({10, 5}));
  const auto hit = navigation->ray_cast({5, 4}, {15, 4});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->x, 9, 1e-6);
  EXPECT_NEAR(hit->y, 4, 1e-6);
  EXPECT_FALSE(navigation->ray_cast({5, 9}, {15, 9}));
  const auto nearest = navigation->nearest_walkable({10, 7.5}, 0.3);
  ASSERT_TRUE(nearest);
  EXPECT_NEAR(nearest->x, 10, 1e-6);
  EXPECT_NEAR(nearest->y, 8.3, 1e-6);
}

}  // namespace
}  // namespace throng
