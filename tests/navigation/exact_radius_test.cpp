// SPDX-License-Identifier: MIT
// Any radius is answered exactly: no path reaches a micrometre into a wall or enters forbidden ground, and every planner finds a
// way where the exact search does. Bodies are as wide as the gaps, to a ten-millionth, and areas cut the ground.
#include <gtest/gtest.h>

#include <throng/navigation.hpp>

#include "navigation/navigation_data.hpp"
#include "routing/funnel.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

constexpr double kSagitta = 2e-6;   // of the chords that are checked instead of arcs
constexpr double kAllowed = 1e-6;   // that a wall may reach into a body
constexpr double kRounding = 2e-7;  // of this check

double distance_of_segments(Vec2 a, Vec2 b, const WallSegment& w) {
  if (cross(b - a, w.a - a) * cross(b - a, w.b - a) < 0 && cross(w.b - w.a, a - w.a) * cross(w.b - w.a, b - w.a) < 0) return 0;
  return std::min({distance_to(w, a), distance_to(w, b), distance_to({a, b}, w.a), distance_to({a, b}, w.b)});
}

double clearance_of(const std::vector<WallSegment>& walls, const std::vector<Vec2>& points) {
  double least = 1e9;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    for (const WallSegment& w : walls) least = std::min(least, distance_of_segments(points[i], points[i + 1], w));
  return least;
}

/// Whether a place and all that is within a hair of it lie in blocked cells.
bool is_inside(const Cells& cells, const std::vector<std::uint8_t>& blocked, Vec2 place) {
  const auto in_blocked = [&](Vec2 p) {
    for (CellIndex c = 0; c < cells.cell_count(); ++c) {
      if (blocked[c] == 0) continue;
      const auto sides = cells.sides_of(c);
      bool inside = true;
      for (std::size_t i = 0; i < sides.size() && inside; ++i) {
        const Vec2 a = cells.position(sides[i].vertex), b = cells.position(sides[(i + 1) % sides.size()].vertex);
        inside = cross(b - a, p - a) >= -1e-9 * distance(a, b);
      }
      if (inside) return true;
    }
    return false;
  };
  if (!in_blocked(place)) return false;
  for (int i = 0; i < 8; ++i)
    if (!in_blocked(place + 5e-6 * Vec2{std::cos(0.1 + i * M_PI / 4), std::sin(0.1 + i * M_PI / 4)})) return false;
  return true;
}

bool enters(const Cells& cells, const std::vector<std::uint8_t>& blocked, const std::vector<Vec2>& points) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const int steps = 1 + static_cast<int>(distance(points[i], points[i + 1]) / 0.01);
    for (int s = 0; s < steps; ++s)
      if (is_inside(cells, blocked, points[i] + (static_cast<double>(s) / steps) * (points[i + 1] - points[i]))) return true;
  }
  return false;
}

/// Up to four areas, every second one forbidden to the second profile; a third costs double.
void add_areas(Scene& scene, std::uint64_t seed, RandomStream& random) {
  scene.profiles = {{.name = "default"}, {.name = "other", .radius = 0.2}};
  for (std::uint64_t k = 0; k <= seed % 4; ++k) {
    const double x = random.between(1, 7), y = random.between(1, 7), size = random.between(0.3, 2);
    const int corners = 3 + static_cast<int>(random.between(0, 5));
    const double turn = random.between(0, 6.28);
    Ring ring;
    for (int i = 0; i < corners; ++i)
      ring.push_back({x + size * std::cos(turn + 6.2831853 * i / corners), y + size * std::sin(turn + 6.2831853 * i / corners)});
    Area area{"area" + std::to_string(k), 0, {ring, {}}, k % 3 == 2 ? 2.0 : 1.0, {}};
    if (k % 2 == 0) area.forbidden_to = {"other"};
    scene.areas.push_back(area);
  }
}

double random_radius(const Cells& cells, int mode, RandomStream& random) {
  const double radius = random.between(0.03, 0.6);
  if (mode == 3) return radius;
  const auto any_of = [&](const std::vector<float>& list) {
    return static_cast<double>(list[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(list.size()) - 1))]);
  };
  for (int attempt = 0; attempt < 20 && !cells.widths.empty(); ++attempt) {
    double width = any_of(cells.widths);
    if (mode == 2) width = any_of(cells.access);
    if (!(width > 0.06 && width < 2)) continue;
    if (mode == 0) return width / 2 * (1 - 1e-7);
    if (mode == 2) return width / 2 * (1 - random.between(1e-6, 3e-2));
    const double off = random.between(-1e-3, 1e-3);
    return width / 2 * (1 + off + (random.chance(0.5) ? 1e-5 : -1e-5));
  }
  return radius;
}

struct Tally {
  int found = 0, refused = 0;
};

void check_scene(std::uint64_t seed, bool with_areas, Tally& tally) {
  Scene scene = random_scene(seed, 8, 4 + static_cast<int>(seed % 16));
  RandomStream random(seed, 1, with_areas ? 77 : 78);
  if (with_areas) add_areas(scene, seed, random);
  const Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
  ASSERT_TRUE(navigation) << seed;
  const Cells& cells = navigation->data().cells;
  const auto walls = wall_segments_of(cells);
  PathFinder finder(*navigation);
  for (int query = 0; query < 30; ++query) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " query " << query);
    PathRequest request;
    request.profile = with_areas && query % 4 != 0 ? 1 : 0;
    request.sagitta = kSagitta;
    request.radius = random_radius(cells, query % 4, random);
    bool fits = true;
    for (Vec2* p : {&request.from, &request.to}) {
      bool is_free = false;
      for (int attempt = 0; attempt < 30 && !is_free; ++attempt) {
        const double u = random.unit(), v = random.unit();
        *p = navigation->random_walkable(u, v).point;
        is_free = testing::clearance_of(walls, *p) >= request.radius;
      }
      fits &= is_free;
    }
    if (!fits) continue;
    Path shortest, first, path;
    request.planner = Planner::kShortest;
    const PathStatus expected = finder.find(request, shortest);
    for (const Planner planner : {Planner::kHierarchy, Planner::kZones, Planner::kRoadmap}) {
      request.planner = planner;
      ASSERT_EQ(finder.find(request, path), expected) << name_of(planner) << " radius " << request.radius;
      ++(path.found ? tally.found : tally.refused);
      if (planner == Planner::kHierarchy) first = path;
      EXPECT_EQ(path.cost, first.cost);
      if (!path.found || (planner != Planner::kHierarchy && path.points == first.points)) continue;
      EXPECT_GE(path.length, shortest.length - 1e-5);
      EXPECT_GE(clearance_of(walls, path.points), request.radius - kAllowed - kSagitta - kRounding) << request.radius;
      const auto& blocked = navigation->data().profiles[request.profile].blocked;
      EXPECT_FALSE(!blocked.empty() && enters(cells, blocked, path.points)) << request.radius;
    }
  }
}

TEST(ExactRadius, TheStartsPlaceInItsTriangleCounts) {
  // The triangle of the start lets the body out, the place of the start does not: the path was 2 cm in a wall.
  const Result<Navigation> navigation = Navigation::bake(random_scene(1717, 8, 11), {.threads = 1});
  ASSERT_TRUE(navigation);
  PathRequest request;
  request.from = {4.0073, 5.8345};
  request.to = {0.7964, 7.3591};
  request.radius = 0.6167;
  request.sagitta = kSagitta;
  PathFinder finder(*navigation);
  Path path;
  request.planner = Planner::kShortest;
  const PathStatus expected = finder.find(request, path);
  for (const Planner planner : {Planner::kHierarchy, Planner::kZones, Planner::kRoadmap}) {
    request.planner = planner;
    EXPECT_EQ(finder.find(request, path), expected);
    if (!path.found) continue;
    EXPECT_GE(clearance_of(wall_segments_of(navigation->data().cells), path.points), request.radius - kAllowed - kSagitta - kRounding);
  }
}

TEST(ExactRadius, HoldsWhereBodiesAreAsWideAsTheGaps) {
  Tally tally;
  // The last three: a gap that no triangle turns round, a goal beyond a gap of its triangle, a start beyond one.
  for (std::uint64_t seed = 1; seed <= 120; ++seed) check_scene(seed, false, tally);
  for (const std::uint64_t seed : {8113, 8456, 8531}) check_scene(seed, false, tally);
  EXPECT_GT(tally.found, 5000);
  EXPECT_GT(tally.refused, 1000);
}

TEST(ExactRadius, HoldsWhereAreasAreForbidden) {
  Tally tally;
  // 31, 35, 54: paths entered forbidden ground or walls behind it. 50, 51: ways were refused. 133: a leg ran along the border of
  // two forbidden cells. 668: corners of a narrow gap, far along a path.
  for (std::uint64_t seed = 1; seed <= 60; ++seed) check_scene(seed, true, tally);
  for (const std::uint64_t seed : {133, 668}) check_scene(seed, true, tally);
  EXPECT_GT(tally.found, 3000);
  EXPECT_GT(tally.refused, 1000);
}

TEST(ExactRadius, AnEndHalfAUnitBehindItsPortalIsNoDetour) {
  // Such places are put into the cell before the portal, whose corridor crosses it; the way is straight all the same.
  RandomStream random(5, 1, 79);
  FunnelScratch scratch;
  PulledPath path;
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Result<Navigation> navigation = Navigation::bake(random_scene(seed, 8, 10), {.threads = 1});
    ASSERT_TRUE(navigation);
    const Cells& cells = navigation->data().cells;
    for (PortalIndex p = 0; p < cells.portal_count(); ++p) {
      const Portal& portal = cells.portals[p];
      const Vec2 a = cells.position(portal.vertex[0]), d = cells.position(portal.vertex[1]) - a;
      if (length(d) < 0.1) continue;
      const Vec2 on = a + random.between(0.1, 0.9) * d, behind = on - (0.4 * kUnit / length(d)) * left(d);  // in cell[1]
      Vec2 middle;
      const auto sides = cells.sides_of(portal.cell[1]);
      for (const Side& side : sides) middle = middle + (1.0 / static_cast<double>(sides.size())) * cells.position(side.vertex);
      EXPECT_TRUE(pull(cells, {portal.cell[0], {p}}, behind, middle, 0, scratch, path));
      EXPECT_NEAR(path.length, distance(behind, middle), 1e-9);
      EXPECT_TRUE(pull(cells, {portal.cell[1], {p}}, middle, behind, 0, scratch, path));
      EXPECT_NEAR(path.length, distance(behind, middle), 1e-9);
      ++checked;
    }
  }
  EXPECT_GT(checked, 500);
}

}  // namespace
}  // namespace throng
