// SPDX-License-Identifier: MIT
// Meshes on several storeys as layered cells: what one walks on is one connected ground, wherever it lies over itself.
#include <throng/layers.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "base/random.hpp"
#include "navigation/navigation_data.hpp"
#include "scene/sheet_outlines.hpp"
#include "support/meshes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

struct Layered {
  LayeredScene split;
  Navigation navigation;
  Surface surface;
};

Surface sampled(const Mesh& mesh, const LayerSettings& s) {
  InlineTasks tasks;
  return std::move(*sample_surface(
      mesh,
      {.step = s.grid_step, .slope = s.slope, .step_height = s.step_height, .head_room = s.head_room, .min_island = s.min_island},
      tasks));
}

Layered layered(const Mesh& mesh, LayerSettings settings = {}) {
  settings.threads = 1;
  Scene scene;
  scene.mesh = mesh;
  Result<LayeredScene> split = split_into_layers(scene, settings);
  if (!split) throw std::runtime_error(to_string(split.problems()[0]));
  Result<Navigation> navigation = Navigation::bake(split->scene, {.threads = 1});
  if (!navigation) throw std::runtime_error(to_string(navigation.problems()[0]));
  return {std::move(*split), std::move(*navigation), sampled(mesh, settings)};
}

/// Connected pieces of the samples, by their straight links.
std::uint32_t islands_of(const Surface& s) {
  std::vector<bool> seen(s.node_count());
  std::uint32_t count = 0;
  std::vector<NodeIndex> open;
  for (NodeIndex seed = 0; seed < s.node_count(); ++seed) {
    if (seen[seed]) continue;
    ++count;
    seen[seed] = true;
    open.assign(1, seed);
    while (!open.empty()) {
      const NodeIndex n = open.back();
      open.pop_back();
      for (int d = 0; d < 8; d += 2)
        if (const NodeIndex m = s.neighbour(n, d); m != kNoNode && !seen[m]) seen[m] = true, open.push_back(m);
    }
  }
  return count;
}

double signed_area(const Ring& ring) {
  double sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) sum += cross(ring[i], ring[(i + 1) % ring.size()]) / 2;
  return sum;
}

/// What every layered scene must be, whatever its mesh.
void expect_sound(const Layered& l) {
  const BakeReport& r = l.navigation.report();
  EXPECT_EQ(r.components, islands_of(l.surface)) << "cells are connected where samples are";
  // The area of a layer is that of its rings: nothing overlaps and nothing is lost when the map is extracted.
  double rings = 0;
  for (const Layer& layer : l.split.scene.layers)
    for (const Polygon& p : layer.walkable) {
      rings += signed_area(p.outer);
      for (const Ring& hole : p.holes) rings += signed_area(hole);
    }
  // (Maps drop vertices within a grid unit of a straight line.)
  EXPECT_NEAR(r.area, rings, r.wall_length / 1024);
  EXPECT_EQ(r.doubled_map_area, r.doubled_cell_area);
  // … and that of the samples, up to a strip along the outline.
  EXPECT_NEAR(r.area, l.split.area, 0.75 * r.wall_length * l.surface.step);
}

double path_length(const Navigation& navigation, PathRequest request) {
  const auto path = navigation.plan(request);
  return path && path->found ? path->length : -1;
}

TEST(Layers, ASpiralRampOverItselfSplitsAndJoins) {
  const Layered l = layered(spiral_ramp(3), {.grid_step = 0.25});
  expect_sound(l);
  EXPECT_EQ(l.navigation.report().components, 1u);
  EXPECT_GE(l.split.sheets, 3u);
  EXPECT_LE(l.split.sheets, 8u);
  EXPECT_GE(l.split.scene.joints.size(), l.split.sheets - 1);
  // Once round and a storey higher: at least the inner circle's way, at most the outer one's.
  std::uint32_t low = 0, high = 0;
  for (std::uint32_t k = 0; k < l.split.scene.layers.size(); ++k) {
    const Vec2 p{0, 4.5};
    if (!l.navigation.cell_at(p, k)) continue;
    const double z = l.navigation.elevation(p, k);
    if (std::abs(z - 0.75) < 0.3) low = k;
    if (std::abs(z - 3.75) < 0.3) high = k;
  }
  ASSERT_NE(low, high);
  const double length = path_length(l.navigation, {.from = {0, 4.5}, .to = {0, 4.5}, .from_layer = low, .to_layer = high});
  EXPECT_GT(length, 2 * 3.14159 * 3);
  EXPECT_LT(length, 2 * 3.14159 * 4.5);
}

TEST(Layers, ABridgeOverARoadIsTwoSheetsThatNothingJoins) {
  const Layered l = layered(bridge_over_road());
  expect_sound(l);
  EXPECT_EQ(l.split.sheets, 2u);
  EXPECT_EQ(l.split.scene.layers.size(), 2u);
  EXPECT_TRUE(l.split.scene.joints.empty());
  EXPECT_EQ(l.navigation.report().components, 2u);
  EXPECT_NEAR(l.navigation.elevation({0, 0}, 0), 0, 1e-6);
  EXPECT_NEAR(l.navigation.elevation({0, 0}, 1), 4, 1e-6);
  EXPECT_EQ(path_length(l.navigation, {.from = {0, 0}, .to = {0, 0}, .from_layer = 0, .to_layer = 1}), -1);
  EXPECT_NEAR(path_length(l.navigation, {.from = {-15, 0}, .to = {15, 0}}), 30, 1e-3);
}

TEST(Layers, TwoStoreysAreJoinedByTheirStairs) {
  const Layered l = layered(two_storeys());
  expect_sound(l);
  EXPECT_EQ(l.navigation.report().components, 1u);
  EXPECT_LE(l.split.scene.layers.size(), 3u);
  const std::uint32_t top = static_cast<std::uint32_t>(l.split.scene.layers.size()) - 1;
  const double up = path_length(l.navigation, {.from = {2, 5}, .to = {2, 5}, .from_layer = 0, .to_layer = top});
  // Along the stairs (5 m), and back on the floor above: from x = 2 to their top at 10.04, round the opening, to x = 2.
  EXPECT_GT(up, 16);
  EXPECT_LT(up, 20);
}

/// Two storeys with stairs at both ends: whoever may not use the near ones takes the far ones.
Mesh two_stairs(bool near_is_closed) {
  Mesh mesh;
  add_floor(mesh, {0, 0}, {30, 8}, 0);
  const double tread = 0.28, rise = 3.0 / 18, run = 18 * tread;
  for (const double x0 : {4.0, 20.0}) add_stairs(mesh, {x0, 4, 0}, 2, 18, rise, tread);
  add_floor(mesh, {0, 0}, {30, 3}, 3);
  add_floor(mesh, {0, 5}, {30, 8}, 3);
  add_floor(mesh, {0, 3}, {4, 5}, 3);
  add_floor(mesh, {4 + run, 3}, {20, 5}, 3);
  add_floor(mesh, {20 + run, 3}, {30, 5}, 3);
  for (const double x0 : {4.0, 20.0}) {
    add_wall(mesh, {x0, 3}, {x0 + run, 3}, 0, 4), add_wall(mesh, {x0, 5}, {x0 + run, 5}, 0, 4);
    add_wall(mesh, {x0, 3}, {x0, 5}, 3, 4);
  }
  if (near_is_closed) add_wall(mesh, {6, 3}, {6, 5}, 0, 4);
  return mesh;
}

TEST(Layers, OfTwoStairsTheFarOnesAreTakenWhenTheNearOnesAreClosed) {
  double length[2];
  for (const bool closed : {false, true}) {
    const Layered l = layered(two_stairs(closed));
    expect_sound(l);
    EXPECT_EQ(l.navigation.report().components, 1u);
    const std::uint32_t down = l.navigation.layer_at({1, 4}, 0), up = l.navigation.layer_at({1, 4}, 3);
    ASSERT_NE(down, up);
    const PathRequest request{.from = {1, 4}, .to = {1, 4}, .from_layer = down, .to_layer = up};
    length[closed] = path_length(l.navigation, request);
    // In space the way climbs the stairs, never more than a step at once.
    const auto path = l.navigation.plan(request);
    const std::vector<Vec3> way = l.navigation.in_space(path->points, down, 0.05);
    EXPECT_NEAR(way.front().z, 0, 0.01);
    EXPECT_NEAR(way.back().z, 3, 0.01);
    for (std::size_t i = 1; i < way.size(); ++i)
      EXPECT_LE(std::abs(way[i].z - way[i - 1].z), 0.2) << way[i].x << ", " << way[i].y;
  }
  EXPECT_NEAR(length[0], 2 * (3 + 18 * 0.28) + 2, 2);  // to their top, round the opening, and back
  EXPECT_NEAR(length[1], 2 * (19 + 18 * 0.28) + 2, 3);
}

/// Floors of 30 × 20 m, 3 m apart, with stairs from each to the next at two places in turn.
Mesh tower(int storeys) {
  Mesh mesh;
  const double run = 18 * 0.28;
  for (int k = 0; k < storeys; ++k) {
    const double z = 3 * k, up = k % 2 ? 18 : 8, opening = k % 2 ? 8 : 18;
    if (k == 0) {
      add_floor(mesh, {0, 0}, {30, 20}, 0);
    } else {
      add_floor(mesh, {0, 0}, {30, 9}, z);
      add_floor(mesh, {0, 11}, {30, 20}, z);
      add_floor(mesh, {0, 9}, {opening, 11}, z);
      add_floor(mesh, {opening + run, 9}, {30, 11}, z);
    }
    if (k + 1 == storeys) continue;
    add_stairs(mesh, {up, 10, z}, 2, 18, 3.0 / 18, 0.28);
    add_wall(mesh, {up, 9}, {up + run, 9}, z, z + 4), add_wall(mesh, {up, 11}, {up + run, 11}, z, z + 4);
    add_wall(mesh, {up, 9}, {up, 11}, z + 3, z + 4);
  }
  return mesh;
}

TEST(Layers, ATowerHasALayerForEachStoreyAndAJointForEachFlightOfStairs) {
  for (const double step : {0.25, 0.1}) {
    const Layered l = layered(tower(6), {.grid_step = step});
    expect_sound(l);
    EXPECT_EQ(l.split.scene.layers.size(), 6u) << step;
    EXPECT_EQ(l.split.scene.joints.size(), 5u) << step;
    EXPECT_EQ(l.navigation.report().components, 1u);
    const double up = path_length(l.navigation, {.from = {2, 2}, .to = {2, 2}, .from_layer = 0, .to_layer = 5});
    EXPECT_GT(up, 5 * 18 * 0.28);
    EXPECT_LT(up, 5 * (18 * 0.28 + 12) + 20);
  }
}

TEST(Layers, ElevationsAreThoseOfTheMesh) {
  Mesh hills;
  add_terrain(hills, {-9, -9}, 12, 1.5, 0.4);
  for (const Mesh& mesh : {two_storeys(), spiral_ramp(2), hills}) {
    const Layered l = layered(mesh);
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
      RandomStream random(3, static_cast<std::uint64_t>(i), 1);
      const double u = random.unit(), v = random.unit();
      const WalkablePlace place = l.navigation.random_walkable(u, v);
      const double z = l.navigation.elevation(place.point, place.layer);
      double away = 1e300;
      for (const auto& hit : hits_above(mesh, place.point)) away = std::min(away, std::abs(hit.z - z));
      if (away < 1e300) worst = std::max(worst, away);
    }
    EXPECT_LT(worst, 0.2) << "a riser of stairs at most";
  }
}

/// A hall with pillars, turned by odd angles: the outline must be the walls'.
TEST(Layers, OutlinesFollowWallsCloselyAndNeverRunThroughThem) {
  for (const double step : {0.25, 0.1}) {
    Mesh mesh;
    add_floor(mesh, {0, 0}, {20, 16}, 0);
    std::vector<std::vector<Vec2>> pillars;
    RandomStream random(11, 0, 1);
    for (int i = 0; i < 12; ++i) {
      pillars.push_back(rectangle({2.5 + 5 * (i % 4), 2.7 + 5 * (i / 4)}, random.between(0.4, 1.2), random.between(0.4, 1.2),
                                  random.between(0, 3)));
      add_prism(mesh, pillars.back(), 0, 3);
    }
    const Layered l = layered(mesh, {.grid_step = step, .min_island = 8});
    expect_sound(l);
    const auto away_from_walls = [&](Vec2 p) {
      double least = std::min({p.x, p.y, 20 - p.x, 16 - p.y});
      for (const auto& ring : pillars)
        for (std::size_t i = 0; i < ring.size(); ++i) {
          const Vec2 a = ring[i], b = ring[(i + 1) % ring.size()];
          const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
          least = std::min(least, distance(p, a + t * (b - a)));
        }
      return least;
    };
    ASSERT_EQ(l.split.scene.layers.size(), 1u);
    double area = 20 * 16;
    for (const auto& ring : pillars) area -= signed_area(ring);
    EXPECT_NEAR(l.navigation.report().area, area, 0.02 * l.navigation.report().wall_length);
    // Where a body of 0.2 m may stand, it stands clear of all walls up to a tenth of a step.
    int compared = 0;
    for (int i = 0; i < 4000; ++i) {
      RandomStream at(5, static_cast<std::uint64_t>(i), 1);
      const Vec2 p{20 * at.unit(), 16 * at.unit()};
      const auto nearest = l.navigation.nearest_walkable(p, 0.2);
      ASSERT_TRUE(nearest);
      EXPECT_GE(away_from_walls(*nearest), 0.2 - 0.1 * step - 0.002) << step;
      const bool inside = std::any_of(pillars.begin(), pillars.end(), [&](const auto& ring) {
        return cross(ring[1] - ring[0], p - ring[0]) >= 0 && cross(ring[2] - ring[1], p - ring[1]) >= 0 &&
               cross(ring[3] - ring[2], p - ring[2]) >= 0 && cross(ring[0] - ring[3], p - ring[3]) >= 0;
      });
      if (inside || away_from_walls(p) < 0.2 + 0.3 * step + 0.01) continue;
      EXPECT_LT(distance(*nearest, p), 1e-3) << "there is room at " << p.x << ", " << p.y << ", step " << step;
      ++compared;
    }
    EXPECT_GT(compared, 1500);
  }
}

TEST(Layers, DoorsStayOpenForABodyThatFits) {
  for (const auto& [step, width] : {std::pair{0.25, 0.9}, {0.1, 0.7}}) {
    int open = 0;
    for (int i = 0; i < 60; ++i) {
      RandomStream random(21, static_cast<std::uint64_t>(i), 1);
      const double angle = random.between(0, 3.14159), at = random.between(-1.5, 1.5), thick = random.between(0.02, 0.3);
      const Vec2 along{std::cos(angle), std::sin(angle)}, across = left(along);
      Mesh mesh;
      add_floor(mesh, {-6, -6}, {6, 6}, 0);
      for (const double side : {-1.0, 1.0}) {
        const double from = at + side * width / 2, to = side * 12;
        const Vec2 middle = (0.5 * (from + to)) * along;
        add_prism(mesh, rectangle(middle, std::abs(to - from) / 2, thick / 2, angle), 0, 3);
      }
      const Layered l = layered(mesh, {.grid_step = step, .min_island = 30});
      const auto path = l.navigation.plan({.from = -2.0 * across + at * along, .to = 2.0 * across + at * along});
      open += path && path->found && path->length < 4.5;
    }
    EXPECT_EQ(open, 60) << "doors of " << width << " m, step " << step;
  }
}

TEST(Layers, AThinWallIsCrossedByNobody) {
  Mesh mesh;
  add_floor(mesh, {0, 0}, {10, 10}, 0);
  add_wall(mesh, {2, 3.3}, {8, 6.1}, 0, 3);  // a sheet without thickness
  const Layered l = layered(mesh);
  expect_sound(l);
  const double length = path_length(l.navigation, {.from = {5, 3.5}, .to = {5, 6}, .planner = Planner::kShortest});
  const double round = std::min(distance({5, 3.5}, {2, 3.3}) + distance({2, 3.3}, {5, 6}),
                                distance({5, 3.5}, {8, 6.1}) + distance({8, 6.1}, {5, 6}));
  EXPECT_GT(length, round);
  EXPECT_LT(length, round + 0.6);
}

TEST(Layers, APostBetweenSamplesIsWalkedRound) {
  for (const double turn : {0.0, 0.4, 0.785}) {
    Mesh mesh;
    add_floor(mesh, {0, 0}, {6, 6}, 0);
    const Surface empty = sampled(mesh, {.grid_step = 0.25});
    const Vec2 corner = empty.position(empty.nearest({3, 3, 0}, 1));
    const Vec2 middle = corner + Vec2{0.125, 0.125};  // between four columns, 12 cm wide
    add_prism(mesh, rectangle(middle, 0.06, 0.06, turn), 0, 2.5);
    const Layered l = layered(mesh, {.grid_step = 0.25});
    EXPECT_EQ(l.navigation.report().components, 1u);
    const double length = path_length(l.navigation, {.from = middle - Vec2{2, 0}, .to = middle + Vec2{2, 0}});
    EXPECT_GT(length, 4.02);
    EXPECT_LT(length, 4.2);
  }
}

TEST(Layers, SurviveTheBakedFileWithTheirHeights) {
  const Layered l = layered(two_storeys());
  const auto loaded = Navigation::load(l.navigation.save(), "storeys.nav");
  ASSERT_TRUE(loaded) << to_string(loaded.problems()[0]);
  EXPECT_EQ(loaded->save(), l.navigation.save());
  EXPECT_EQ(loaded->report().joints, l.split.scene.joints.size());
  for (int i = 0; i < 200; ++i) {
    RandomStream random(3, static_cast<std::uint64_t>(i), 1);
    const Vec2 p{16 * random.unit(), 12 * random.unit()};
    for (std::uint32_t k = 0; k < l.split.scene.layers.size(); ++k)
      EXPECT_EQ(loaded->elevation(p, k), l.navigation.elevation(p, k));
  }
}

TEST(Layers, DoNotDependOnTheNumberOfThreads) {
  std::set<std::string> bytes;
  for (const unsigned threads : {1u, 2u, 4u}) {
    Scene scene;
    scene.mesh = spiral_ramp(3);
    const auto split = split_into_layers(scene, {.threads = threads});
    ASSERT_TRUE(split);
    bytes.insert(Navigation::bake(split->scene, {.threads = threads})->save());
  }
  EXPECT_EQ(bytes.size(), 1u);
}

TEST(LayersOfBrokenMeshes, BakeSoundlyOrSayWhy) {
  const auto check = [](const char* name, const Mesh& mesh) {
    SCOPED_TRACE(name);
    Scene scene;
    scene.mesh = mesh;
    const auto split = split_into_layers(scene, {.grid_step = 0.2, .threads = 1});
    if (!split) {
      EXPECT_FALSE(split.problems()[0].fix.empty());
      return false;
    }
    const auto navigation = Navigation::bake(split->scene, {.threads = 1});
    EXPECT_TRUE(navigation) << to_string(navigation.problems()[0]);
    if (!navigation) return false;
    expect_sound({*split, *navigation, sampled(mesh, {.grid_step = 0.2})});
    return true;
  };
  const Mesh whole = two_storeys();
  Mesh flipped = whole, holes, twice = whole, specks = whole;
  for (std::size_t i = 0; i < flipped.triangles.size(); i += 2) std::swap(flipped.triangles[i][0], flipped.triangles[i][1]);
  holes.vertices = whole.vertices;
  for (std::size_t i = 0; i < whole.triangles.size(); ++i)
    if (i % 5 != 3) holes.triangles.push_back(whole.triangles[i]);
  twice.triangles.insert(twice.triangles.end(), whole.triangles.begin(), whole.triangles.end());
  for (std::uint32_t i = 0; i + 2 < whole.vertices.size(); i += 3) specks.triangles.push_back({i, i, i + 1});
  EXPECT_TRUE(check("whole", whole));
  EXPECT_TRUE(check("flipped", flipped));
  EXPECT_TRUE(check("holes", holes));
  EXPECT_TRUE(check("twice", twice));
  EXPECT_TRUE(check("specks", specks));
  EXPECT_FALSE(check("empty", {}));
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    EXPECT_TRUE(check("noise", noise(3000, 20, 3, seed)));
    Mesh littered = whole;
    const Mesh rubbish = noise(400, 14, 0.6, seed);
    const auto first = static_cast<std::uint32_t>(littered.vertices.size());
    littered.vertices.insert(littered.vertices.end(), rubbish.vertices.begin(), rubbish.vertices.end());
    for (const auto& t : rubbish.triangles) littered.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    EXPECT_TRUE(check("littered", littered));
  }
}

}  // namespace
}  // namespace throng
