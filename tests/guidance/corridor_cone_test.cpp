// SPDX-License-Identifier: MIT
#include "guidance/corridor_cone.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <throng/navigation.hpp>

#include "navigation/navigation_data.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Route route_of(const Navigation& navigation, const PathRequest& request) {
  PathFinder finder(navigation);
  Path path;
  EXPECT_EQ(finder.find(request, path), PathStatus::kFound);
  Route route;
  CellIndex cell = navigation.data().locator.cell_at(request.from);
  route.cells.push_back(cell);
  for (const PortalIndex portal : path.portals) {
    route.portals.push_back(portal);
    route.cells.push_back(cell = navigation.data().cells.across(portal, cell));
  }
  return route;
}

Vec2f to_float(Vec2 v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }

/// Walks along the aim in small steps; the length of the way, or -1 if it does not arrive. `on_step` sees each place.
double walk_by_aim(const Navigation& navigation, Vec2 from, Vec2 to, float radius, float cone_tangent, float side = 0.5f,
                   const std::function<void(Vec2)>& on_step = {}) {
  PathRequest request;
  request.from = from;
  request.to = to;
  request.radius = radius;
  Route route = route_of(navigation, request);
  const NavigationData& data = navigation.data();
  constexpr double kStep = 0.02;
  double length = 0;
  for (int i = 0; i < 10000; ++i) {
    if (distance(from, to) < 2 * kStep && route.next + 1 == route.cells.size()) return length + distance(from, to);
    const Aim aim = aim_in_corridor(data.cells, route, to_float(from), to_float(to), radius, cone_tangent, side);
    from = from + kStep * Vec2{aim.direction.x, aim.direction.y};
    length += kStep;
    if (on_step) on_step(from);
    const CellIndex cell = data.locator.cell_at(from);
    if (cell == kNoCell) return -1;
    while (route.next + 1 < route.cells.size() && route.cells[route.next] != cell) ++route.next;
    if (route.cells[route.next] != cell) return -1;
  }
  return -1;
}

TEST(CorridorCone, AimsAtTheGoalThatItSees) {
  Layer layer;
  layer.walkable = {box(0, 0, 10, 10)};
  const Result<Navigation> navigation = Navigation::bake(scene_of(layer), {.threads = 1});
  const Route route = route_of(*navigation, {.from = {2, 2}, .to = {8, 6}});
  const Aim aim = aim_in_corridor(navigation->data().cells, route, {2, 2}, {8, 6}, 0.2f, 0.17f);
  EXPECT_TRUE(aim.sees_goal);
  EXPECT_NEAR(cross(aim.direction, unit(Vec2f{6, 4})), 0, 1e-6);
}

TEST(CorridorCone, AimsAtADoorThatIsFarAwayFromAnywhereInTheHall) {
  Layer layer;
  layer.walkable = {box(0, 0, 20, 30), box(9.5, 30, 10.5, 30.5), box(5, 30.5, 15, 34)};
  const Result<Navigation> navigation = Navigation::bake(scene_of(layer), {.threads = 1});
  ASSERT_TRUE(navigation);
  for (const Vec2 from : {Vec2{1, 1}, Vec2{19, 3}, Vec2{10, 2}, Vec2{3, 20}}) {
    const Route route = route_of(*navigation, {.from = from, .to = {10, 33}});
    const Aim aim = aim_in_corridor(navigation->data().cells, route, to_float(from), {10, 33}, 0.2f, 0.17f);
    const Vec2f to_door = unit(to_float(Vec2{10, 30} - from));
    EXPECT_LT(std::abs(cross(aim.direction, to_door)), 0.05f) << from.x;
    EXPECT_GT(dot(aim.direction, to_door), 0);
  }
}

TEST(CorridorCone, ASmallAngleWalksTheShortestWayAndALargeOneALongerOne) {
  int compared = 0;
  double small = 0, large = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Result<Navigation> navigation = Navigation::bake(random_scene(seed, 16, 8), {.threads = 1});
    ASSERT_TRUE(navigation);
    RandomStream random(seed, 0, 3);
    for (int i = 0; i < 5; ++i) {
      const double u = random.unit(), v = random.unit(), s = random.unit(), t = random.unit();
      PathRequest request;
      request.from = navigation->random_walkable(u, v).point;
      request.to = navigation->random_walkable(s, t).point;
      PathFinder finder(*navigation);
      Path path;
      if (finder.find(request, path) != PathStatus::kFound || path.length < 3) continue;
      const double hugging = walk_by_aim(*navigation, request.from, request.to, 0.2f, 0.001f);
      const double middle = walk_by_aim(*navigation, request.from, request.to, 0.2f, 0.5f);
      // Bare points that follow the aim may catch on a corner, which the walls' push keeps people from.
      if (hugging < 0 || middle < 0) continue;
      ++compared;
      small += hugging / path.length;
      large += middle / path.length;
      EXPECT_GT(hugging, path.length * 0.93) << seed;  // the pulled path keeps the radius from corners exactly
    }
  }
  ASSERT_GT(compared, 50);
  EXPECT_LT(small / compared, 1.06);
  EXPECT_LE(small, large);
}

TEST(CorridorCone, PeopleRoundAWideCornerAtDifferentDistancesAndADoorAtOne) {
  // A right turn round (20, 20), 20 m wide; then the same with a wall that leaves a door of 1.2 m at the corner.
  Layer wide;
  wide.walkable = {Polygon{{{0, 20}, {20, 20}, {20, 0}, {40, 0}, {40, 40}, {0, 40}}, {}}};
  Layer door = wide;
  door.obstacles = {box(20, 21.2, 20.2, 40)};
  const auto nearest = [](const Layer& layer, float side) {
    const Result<Navigation> navigation = Navigation::bake(scene_of(layer), {.threads = 1});
    double least = 100;
    EXPECT_GT(walk_by_aim(*navigation, {2, 30}, {30, 2}, 0.2f, 0.17f, side,
                          [&](Vec2 p) {
                            least = std::min(least, distance(p, {20, 20}));
                          }),
              0);
    return least;
  };
  EXPECT_LT(nearest(wide, 0.1f), 1.5);
  EXPECT_GT(nearest(wide, 0.5f), nearest(wide, 0.1f) + 1);
  EXPECT_GT(nearest(wide, 0.9f), nearest(wide, 0.5f) + 1);
  for (const float side : {0.1f, 0.5f, 0.9f}) EXPECT_LT(nearest(door, side), 1.2) << side;
}

}  // namespace
}  // namespace throng
