// SPDX-License-Identifier: MIT
// Bodies with a size: what is planned can be walked, and what is refused cannot.
#include <gtest/gtest.h>

#include <throng/navigation.hpp>

#include "navigation/navigation_data.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

constexpr double kSide = 8;

/// 200 scenes, five queries each. Every third radius is drawn from a child's shoulder to a wheelchair's, the others near the
/// half of some passage of the scene: many of those are just too wide.
class Widths : public ::testing::TestWithParam<Planner> {};

TEST_P(Widths, PlannedPathsTouchNoWallAndRefusedOnesDoNotExist) {
  int found = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Scene scene = random_scene(seed, kSide, 6 + static_cast<int>(seed % 14));
    const Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
    ASSERT_TRUE(navigation) << seed;
    const auto walls = wall_segments_of(navigation->data().cells);
    RandomStream random(seed, 1, 98);
    PathRequest request;
    request.planner = GetParam();
    const auto& widths = navigation->data().cells.widths;
    request.radius = random.between(0.05, 0.5);
    if (seed % 3 != 0 && !widths.empty()) {
      const double half = widths[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(widths.size()) - 1))] / 2;
      request.radius = std::clamp(half * random.between(0.9, 1.2), 0.05, 0.6);
    }
    for (int query = 0; query < 5; ++query) {
      for (Vec2* p : {&request.from, &request.to})
        for (int attempt = 0; attempt < (query == 0 ? 1 : 10); ++attempt) {  // the first may be a place where nobody fits
          const double u = random.unit(), v = random.unit();
          *p = navigation->random_walkable(u, v).point;
          if (clearance_of(walls, *p) >= request.radius) break;
        }
      PathFinder finder(*navigation);
      Path path;
      const PathStatus status = finder.find(request, path);
      const double room = std::min(clearance_of(walls, request.from), clearance_of(walls, request.to));
      if (status == PathStatus::kStartBlocked || status == PathStatus::kGoalBlocked) {
        EXPECT_LT(room, request.radius) << "seed " << seed;
        continue;
      }
      EXPECT_GT(room, request.radius - 0.001);
      if (status == PathStatus::kFound) {
        ++found;
        EXPECT_EQ(path.points.front(), request.from);
        EXPECT_EQ(path.points.back(), request.to);
        EXPECT_GT(path_clearance(walls, path.points), request.radius - 0.001)
            << "seed " << seed << " query " << query << " radius " << request.radius << " from " << request.from.x << ","
            << request.from.y << " to " << request.to.x << "," << request.to.y;
      } else {
        ++refused;
        EXPECT_FALSE(grid_connects(walls, kSide, request.from, request.to, request.radius + 0.03, 0.02))
            << "seed " << seed << " query " << query << " radius " << request.radius << " from " << request.from.x << ","
            << request.from.y << " to " << request.to.x << "," << request.to.y;
      }
    }
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(refused, 100);
}

INSTANTIATE_TEST_SUITE_P(Planners, Widths,
                         ::testing::Values(Planner::kHierarchy, Planner::kZones, Planner::kRoadmap, Planner::kShortest),
                         [](const auto& planner) { return name_of(planner.param); });

}  // namespace
}  // namespace throng
