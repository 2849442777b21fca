// SPDX-License-Identifier: MIT
#include "navgraph/cover.hpp"

#include <set>

#include "graph_fixture.hpp"
#include "navgraph/clearance.hpp"

namespace throng {
namespace {

using namespace throng::testing;

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
  return throng::distance(p, a + t * (b - a));
}

TEST(Clearance, IsTheDistanceToTheNearestWall) {
  Mesh mesh;
  std::vector<std::vector<Vec2>> rings{{{0, 0}, {18, 0}, {18, 14}, {0, 14}}};
  add_floor(mesh, {0, 0}, {18, 14}, 0);
  for (std::size_t i = 0; i < 4; ++i) add_wall(mesh, rings[0][i], rings[0][(i + 1) % 4], 0, 3);
  RandomStream random(4, 0, 1);
  for (int i = 0; i < 9; ++i) {
    rings.push_back(rectangle({random.between(2, 16), random.between(2, 12)}, random.between(0.3, 1.2), random.between(0.3, 1.2),
                              random.between(0, 3)));
    add_prism(mesh, rings.back(), 0, 3);
  }
  const Built built = build(mesh, {.surface = {.min_island = 20}});
  const Surface& s = built.graph.surface;
  double worst = 0, worst_near = 0;
  for (NodeIndex n = 0; n < s.node_count(); ++n) {
    const Vec2 p = s.position(n);
    double exact = 1e300, pieces = 1e300;
    for (const auto& ring : rings)
      for (std::size_t i = 0; i < ring.size(); ++i)
        exact = std::min(exact, distance_to_segment(p, ring[i], ring[(i + 1) % ring.size()]));
    for (const WallPiece& piece : s.pieces) pieces = std::min(pieces, distance_to(piece, p));
    EXPECT_GE(built.graph.clearance[n], pieces - 1e-5);
    EXPECT_LE(built.graph.clearance[n], pieces + 0.5 * s.step);
    EXPECT_GE(built.graph.clearance[n], exact - 1e-4);
    const double error = built.graph.clearance[n] - exact;
    worst = std::max(worst, error);
    if (exact < 0.8) worst_near = std::max(worst_near, error);
  }
  EXPECT_LE(worst_near, 0.005) << "corners of walls count, not border nodes";
  EXPECT_LE(worst, 0.1 * s.step);
}

TEST(Clearance, OfABridgeAndOfTheRoadBelowDoNotMix) {
  const Built built = build(bridge_over_road());
  const Surface& s = built.graph.surface;
  const NodeIndex road = s.nearest({0, 0, 0}, 0.5), bridge = s.nearest({0, 0, 4}, 0.5);
  ASSERT_NE(road, bridge);
  EXPECT_NEAR(built.graph.clearance[road], 3, 0.15);
  EXPECT_NEAR(built.graph.clearance[bridge], 2, 0.15);
  EXPECT_EQ(built.graph.component_count, 2u);
  EXPECT_NE(built.graph.component[*disc_at(built.graph, {0, 0, 0})], built.graph.component[*disc_at(built.graph, {0, 0, 4})]);
}

TEST(Cover, KeepsItsPromisesInHallsFullOfThings) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const Built built = build(furnished_hall(seed));
    expect_sound(built);
    EXPECT_EQ(discs_with_obstacles(built, 0.02), 0u);
  }
}

TEST(Cover, KeepsItsPromisesOnStoreysSpiralsAndHills) {
  Mesh hills;
  add_terrain(hills, {0, 0}, 14, 1.5, 0.4);
  for (const Mesh& mesh : {two_storeys(), spiral_ramp(3), bridge_over_road(), hills}) {
    const Built built = build(mesh);
    expect_sound(built);
    EXPECT_EQ(discs_with_obstacles(built, 0.03), 0u);
  }
}

TEST(Cover, ASpiralIsOnePiece) {
  const Built built = build(spiral_ramp(3));
  EXPECT_EQ(built.graph.component_count, 1u);
  const auto low = disc_at(built.graph, {4.5, 0.5, 0.1}), high = disc_at(built.graph, {4.5, 0.5, 6.1});
  ASSERT_TRUE(low && high);
  EXPECT_NE(*low, *high);
  EXPECT_NEAR(built.graph.centre[*high].z - built.graph.centre[*low].z, 6, 1.5);
}

/// Two rooms and a door of `width` in a wall 0.2 m thick, turned and shifted at random.
Mesh rooms_with_door(double width, std::uint64_t seed) {
  RandomStream random(seed, 0, 3);
  const double angle = random.between(0, 3), middle = random.between(-1.5, 1.5);
  const Vec2 shift{random.between(0, 1), random.between(0, 1)}, x{std::cos(angle), std::sin(angle)}, y = left(x);
  const auto at = [&](double u, double v) { return shift + u * x + v * y; };
  Mesh mesh;
  const Vec2 ring[4] = {at(-4, -3), at(4, -3), at(4, 3), at(-4, 3)};
  const auto up = [](Vec2 p, double z) { return Vec3{p.x, p.y, z}; };
  add_quad(mesh, up(ring[0], 0), up(ring[1], 0), up(ring[2], 0), up(ring[3], 0));
  for (int i = 0; i < 4; ++i) add_wall(mesh, ring[i], ring[(i + 1) % 4], 0, 3);
  add_prism(mesh, {at(-0.1, -3), at(0.1, -3), at(0.1, middle - width / 2), at(-0.1, middle - width / 2)}, 0, 3);
  add_prism(mesh, {at(-0.1, middle + width / 2), at(0.1, middle + width / 2), at(0.1, 3), at(-0.1, 3)}, 0, 3);
  return mesh;
}

TEST(Cover, SixtyRandomDoorsStayOpen) {
  for (const auto& [width, step] : {std::pair{0.9, 0.25}, std::pair{0.7, 0.1}}) {
    std::size_t open = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const Built built = build(rooms_with_door(width, seed), {.surface = {.step = step}});
      std::set<std::uint32_t> components(built.graph.component.begin(), built.graph.component.end());
      open += components.size() == 1;
    }
    EXPECT_EQ(open, 60u) << width << " m at " << step;
  }
}

TEST(Cover, ADoorNarrowerThanTheBodyIsClosed) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Built built = build(rooms_with_door(0.36, seed), {.surface = {.step = 0.1}});
    EXPECT_EQ(built.graph.component_count, 2u);
  }
}

TEST(NavGraph, DoesNotDependOnTheNumberOfThreads) {
  std::set<std::uint64_t> hashes;
  for (const unsigned threads : {1u, 2u, 4u})
    hashes.insert(hash_of(build(furnished_hall(2), {.sight_range = 15}, threads).graph));
  EXPECT_EQ(hashes.size(), 1u);
}

TEST(NavGraph, ElevationIsThatOfTheTriangles) {
  const Built built = build(furnished_hall(3));
  RandomStream random(1, 0, 1);
  std::size_t asked = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec2 p{random.between(0.5, 19.5), random.between(0.5, 19.5)};
    const auto disc = disc_at(built.graph, {p.x, p.y, 2});
    if (!disc || built.graph.depth(*disc, p) < 0) continue;
    const auto hits = hits_above(built.mesh, p);
    double nearest = 1e300;
    for (const TriangleHit& h : hits) nearest = std::min(nearest, std::abs(h.z - elevation_in(built.graph, *disc, p)));
    EXPECT_LT(nearest, 0.02);
    EXPECT_NEAR(*elevation_at(built.graph, {p.x, p.y, 2}), elevation_in(built.graph, *disc, p), 1e-6);
    ++asked;
  }
  EXPECT_GT(asked, 800u);
}

TEST(NavGraph, SettingsOutOfRangeAndImpossibleBodiesAreProblems) {
  InlineTasks tasks;
  NavGraphReport report;
  const auto problem = [&](const NavGraphSettings& settings) {
    const Result<NavGraph> graph = build_nav_graph(
        two_storeys(), settings, tasks, [](const char*) {}, report);
    return graph ? std::string() : to_string(graph.problems()[0]);
  };
  EXPECT_NE(problem({.body_radius = -1}).find("radius"), std::string::npos);
  EXPECT_NE(problem({.min_radius = 0.1}).find("1.5 steps"), std::string::npos);
  EXPECT_NE(problem({.body_radius = 50}).find("fits nowhere"), std::string::npos);
  EXPECT_NE(problem({.sight_range = -1}).find("sight_range"), std::string::npos);
  EXPECT_EQ(problem({}), "");
}

TEST(NavGraph, NoiseIsCoveredLikeAnythingElse) {
  const Built built = build(noise(20000, 30, 1.5, 3), {.surface = {.min_island = 0.5}, .body_radius = 0.1});
  const auto [component, count] = node_components(built.graph.surface, [&](NodeIndex n) { return built.graph.is_feasible(n); });
  EXPECT_EQ(count, built.graph.component_count);
}

}  // namespace
}  // namespace throng
