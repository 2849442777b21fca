// SPDX-License-Identifier: MIT
// Convex cells and their topology (ALGORITHMS §1.3, §1.4).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <set>

#include "geometry/polygon.hpp"
#include "scene/city.hpp"
#include "scene/office.hpp"
#include "support/built_cells.hpp"
#include "support/clipper_oracle.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

std::vector<Point> outline_of(const Cells& cells, CellIndex c) {
  std::vector<Point> ring;
  for (const Side& s : cells.sides_of(c)) ring.push_back(cells.vertices[s.vertex]);
  return ring;
}

std::int64_t length_squared(const Cells& cells, PortalIndex p) {
  return distance_squared(cells.portals[p].position[0], cells.portals[p].position[1]);
}

/// How deep the deepest dent of a ring is, in units: the greatest distance of a corner to the convex hull's border.
double dent_of(const std::vector<Point>& ring) {
  std::vector<Point> sorted = ring, hull;
  std::sort(sorted.begin(), sorted.end());
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t first = hull.size();
    for (Point p : sorted) {
      while (hull.size() >= first + 2 && orient(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(sorted.begin(), sorted.end());
  }
  double deepest = 0;
  for (Point p : ring) {
    double nearest = 1e18;
    for (std::size_t i = 0; i < hull.size(); ++i)
      nearest = std::min(nearest,
                         distance_to_segment(to_metres(p), to_metres(hull[i]), to_metres(hull[(i + 1) % hull.size()])) / kUnit);
    deepest = std::max(deepest, nearest);
  }
  return deepest;
}

/// Components by flooding over portals.
std::vector<std::uint32_t> flood(const Cells& cells, std::uint32_t& count) {
  std::vector<std::uint32_t> component(cells.cell_count(), kNoCell);
  count = 0;
  for (CellIndex seed = 0; seed < cells.cell_count(); ++seed) {
    if (component[seed] != kNoCell) continue;
    std::queue<CellIndex> queue;
    queue.push(seed);
    component[seed] = count;
    while (!queue.empty()) {
      const CellIndex c = queue.front();
      queue.pop();
      for (PortalIndex p : cells.portals_of(c)) {
        const CellIndex next = cells.across(p, c);
        if (component[next] == kNoCell) component[next] = count, queue.push(next);
      }
    }
    ++count;
  }
  return component;
}

/// Everything §1.3 promises of any map.
void expect_sound(const BuiltCells& built) {
  const Cells& cells = built.cells();
  const CellsReport& report = built.build.report;

  std::int64_t area_of_outlines = 0, area_of_triangles = 0, area_of_maps = 0;
  double dent = 0;
  std::set<std::array<std::uint32_t, 3>> triangles;
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    const std::vector<Point> ring = outline_of(cells, c);
    ASSERT_GE(ring.size(), 3u);
    const std::int64_t area = doubled_area(ring);
    EXPECT_GT(area, 0);
    area_of_outlines += area;
    std::int64_t inside = 0;
    for (const CellTriangle& t : cells.triangles_of(c)) {
      const std::int64_t doubled = orient(cells.vertices[t.vertex[0]], cells.vertices[t.vertex[1]], cells.vertices[t.vertex[2]]);
      EXPECT_GT(doubled, 0);
      inside += doubled;
      auto key = t.vertex;
      std::sort(key.begin(), key.end());
      EXPECT_TRUE(triangles.insert(key).second) << "a triangle in two cells";
    }
    EXPECT_EQ(inside, area);
    area_of_triangles += inside;
    dent = std::max(dent, dent_of(ring));
    EXPECT_EQ(cells.triangles_of(c).size() + 2, ring.size()) << "no vertex inside a cell";
  }
  for (const Map& map : built.maps)
    for (std::size_t t = 0; t < map.triangulation.triangle_slot_count(); ++t) {
      const auto index = static_cast<TriangleIndex>(t);
      if (!map.triangulation.is_alive(index) || map.triangulation.is_ghost(index) || !map.is_free(index)) continue;
      const auto& v = map.triangulation.triangle(index).vertex;
      area_of_maps += orient(map.triangulation.point(v[0]), map.triangulation.point(v[1]), map.triangulation.point(v[2]));
    }
  EXPECT_EQ(area_of_outlines, area_of_maps);
  EXPECT_EQ(area_of_triangles, area_of_maps);
  EXPECT_EQ(report.doubled_area_units, area_of_maps);
  EXPECT_EQ(report.doubled_cell_area_units, area_of_maps);
  EXPECT_LE(dent, 2) << "cells are convex up to two units";

  // Portals lie on the borders they say, each in two cells, walls in one.
  std::map<PortalIndex, int> uses;
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    const auto sides = cells.sides_of(c);
    std::uint32_t slot = 0;
    for (std::uint32_t i = 0; i < sides.size(); ++i) {
      if (sides[i].portal == kNoPortal) continue;
      const Portal& p = cells.portals[sides[i].portal];
      const int end = cells.end_of(sides[i].portal, c);
      ++uses[sides[i].portal];
      EXPECT_EQ(p.cell[end], c);
      EXPECT_EQ(p.side[end], i);
      EXPECT_EQ(p.slot[end], slot++);
      EXPECT_EQ(p.vertex[end], sides[i].vertex) << "cell[0] lies left of vertex[0] → vertex[1]";
      EXPECT_EQ(p.vertex[1 - end], sides[(i + 1) % sides.size()].vertex);
    }
  }
  EXPECT_EQ(uses.size(), cells.portals.size());
  for (const auto& [portal, count] : uses) EXPECT_EQ(count, 2);

  // Euler: with islands counted from walls alone.
  std::uint32_t components = 0;
  const auto component = flood(cells, components);
  EXPECT_EQ(report.components, components);
  for (const Portal& p : cells.portals) EXPECT_EQ(cells.component[p.cell[0]], cells.component[p.cell[1]]);
  std::map<std::uint32_t, std::uint32_t> number;
  for (CellIndex c = 0; c < cells.cell_count(); ++c)
    EXPECT_EQ(number.try_emplace(component[c], cells.component[c]).first->second, cells.component[c]);
  EXPECT_EQ(std::int64_t{cells.portal_count()} - cells.cell_count(), std::int64_t{report.holes} - report.components);
}

/// What one pass over free edges by decreasing length leaves behind, seen in the final cells.
void expect_merge_rule(const Cells& cells) {
  // The last edge removed from a cell was longer than every free edge round it, and earlier ones were longer still.
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const CellTriangle& t : cells.triangles_of(c))
      for (int i = 0; i < 3; ++i) ++edges[std::minmax(t.vertex[i], t.vertex[(i + 1) % 3])];
    for (const auto& [edge, count] : edges) {
      if (count < 2) continue;
      for (PortalIndex p : cells.portals_of(c))
        EXPECT_GT(distance_squared(cells.vertices[edge.first], cells.vertices[edge.second]), length_squared(cells, p));
    }
  }
  // A portal that stayed could not go: the union has a dent at one of its ends, or a free edge of the union is as long. Both only
  // get worse by later merges, so they hold in the end.
  for (PortalIndex p = 0; p < cells.portal_count(); ++p) {
    const Portal& portal = cells.portals[p];
    if (portal.area_border) continue;
    bool longest = true;
    for (CellIndex c : portal.cell)
      for (PortalIndex other : cells.portals_of(c))
        longest = longest && (other == p || length_squared(cells, other) < length_squared(cells, p));
    bool convex = true;
    for (int end = 0; end < 2; ++end) {
      // At vertex[end]: the side of one cell that arrives there, the side of the other that leaves.
      const CellIndex before = portal.cell[end], after = portal.cell[1 - end];
      const auto in = cells.sides_of(before), out = cells.sides_of(after);
      const std::size_t arriving = (portal.side[end] + in.size() - 1) % in.size(),
                        leaving = (portal.side[1 - end] + 1) % out.size();
      const Point a = cells.vertices[in[arriving].vertex], b = cells.vertices[portal.vertex[end]];
      const Point c = cells.vertices[out[(leaving + 1) % out.size()].vertex];
      // Clearly: pieces of walls may lean by a unit, so a turn of less than four units may be none of the wall's.
      const double longer = std::sqrt(static_cast<double>(std::max(distance_squared(a, b), distance_squared(b, c))));
      convex = convex && static_cast<double>(orient(a, b, c)) > 4 * longer;
    }
    EXPECT_FALSE(longest && convex) << "portal " << p;
  }
}

TEST(Cells, TileTheGroundAreConvexAndObeyEuler) {
  for (double gap : {0.0, 1.1}) {
    for (const Scene& scene : {make_city(250), make_city(120, 9), make_office(40), make_office(7)}) {
      const BuiltCells built = build(scene, {.narrow_gap = gap});
      expect_sound(built);
      expect_merge_rule(built.cells());
    }
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE(seed);
      const BuiltCells built = build(random_scene(seed, 20, 5 + static_cast<int>(seed)), {.narrow_gap = gap});
      expect_sound(built);
      expect_merge_rule(built.cells());
    }
  }
}

TEST(Cells, IslandsAndComponentsAreThoseOfAnIndependentUnion) {
  for (const Scene& scene : {make_city(250), make_city(1000, 3)}) {
    const BuiltCells built = build(scene);
    // All footprints lie inside the frame, so each group that hangs together is one island, whatever courts it encloses.
    EXPECT_EQ(built.build.report.holes, count_groups(scene.layers[0].obstacles));
    EXPECT_EQ(built.build.report.components, clip_ground(scene.layers[0]).components);
  }
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Scene scene = random_scene(seed, 40, 10 + static_cast<int>(seed % 40));
    const BuiltCells built = build(scene);
    const ClippedGround ground = clip_ground(scene.layers[0]);
    EXPECT_EQ(built.build.report.holes, ground.holes) << seed;
    EXPECT_EQ(built.build.report.components, ground.components) << seed;
  }
}

TEST(Cells, AConvexRoomIsOneCell) {
  // Lengths of edges differ and no corner projects inside a wall, so nothing keeps its two triangles apart.
  const BuiltCells built = build(scene_of(Layer{.walkable = {box(0, 0, 10, 5)}}));
  expect_sound(built);
  EXPECT_EQ(built.cells().cell_count(), 1u);
  EXPECT_EQ(built.cells().portal_count(), 0u);
  EXPECT_EQ(built.cells().topology[0], Topology::kClosed);
}

TEST(Cells, AFreeStandingWallIsAnIsland) {
  const BuiltCells built =
      build(scene_of(Layer{.walkable = {box(0, 0, 10, 10)}, .walls = {{{3, 5}, {7, 5.5}}, {{7, 5.5}, {8, 8}}}}));
  expect_sound(built);
  EXPECT_EQ(built.build.report.holes, 1u);
  // Joined to the frame it is none.
  const BuiltCells joined =
      build(scene_of(Layer{.walkable = {box(0, 0, 10, 10)}, .walls = {{{0, 5}, {7, 5.5}}, {{7, 5.5}, {8, 8}}}}));
  expect_sound(joined);
  EXPECT_EQ(joined.build.report.holes, 0u);
}

TEST(Cells, NeverMergeRoundTheEndOfAThinWall) {
  // The portal continues the wall: both its sides are one straight line, but the end of the wall between them is no straight
  // corner.
  const BuiltCells built = build(scene_of(Layer{.walkable = {box(0, 0, 10, 10)}, .walls = {{{0, 5}, {7, 5}}}}));
  expect_sound(built);
  EXPECT_EQ(built.cells().cell_count(), 2u);
  EXPECT_EQ(built.cells().portal_count(), 1u);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Scene scene = scene_of(Layer{.walkable = {box(0, 0, 12, 12)}});
    RandomStream random(seed, 0, 6);
    for (int i = 0; i < 12; ++i) {
      const auto at = [&] { return static_cast<double>(random.integer(0, 12)); };
      const Vec2 from{at(), at()};
      scene.layers[0].walls.push_back({from, from + (random.chance(0.5) ? Vec2{at() - from.x, 0} : Vec2{0, at() - from.y})});
    }
    const BuiltCells many = build(scene);
    expect_sound(many);
    expect_merge_rule(many.cells());
  }
}

TEST(Cells, AShortPieceOfAWallDoesNotBendACornerStraight) {
  // A foot a few units from a corner: its piece of the wall leans, and once hid a corner of four degrees (seeds found by search).
  for (std::uint64_t seed : {89, 386}) {
    const BuiltCells built = build(random_scene(seed, 20, 5 + static_cast<int>(seed % 90)), {.narrow_gap = 0});
    expect_sound(built);
  }
}

TEST(Cells, SeveralLayersShareNothing) {
  Scene scene = random_scene(2, 20, 15);
  scene.layers.push_back(random_scene(3, 20, 15).layers[0]);
  const BuiltCells built = build(scene);
  expect_sound(built);
  for (const Portal& p : built.cells().portals) EXPECT_EQ(built.cells().layer[p.cell[0]], built.cells().layer[p.cell[1]]);
  const BuiltCells first = build(random_scene(2, 20, 15)), second = build(random_scene(3, 20, 15));
  EXPECT_EQ(built.cells().cell_count(), first.cells().cell_count() + second.cells().cell_count());
}

TEST(Cells, NeverMergeAcrossTheBorderOfAnAreaThatMatters) {
  Scene scene = scene_of(Layer{.walkable = {box(0, 0, 20, 10)}});
  scene.areas = {{"named", 0, box(2, 2, 6, 8), 1, {}}};
  EXPECT_EQ(build(scene).cells().cell_count(), 1u);
  scene.areas.push_back({"lawn", 0, box(10, -1, 15, 11), 2, {}});
  const BuiltCells built = build(scene);
  const Cells& cells = built.cells();
  EXPECT_EQ(cells.cell_count(), 3u);
  EXPECT_EQ(cells.portal_count(), 2u);
  for (const Portal& p : cells.portals) {
    EXPECT_TRUE(p.area_border);
    EXPECT_NE(cells.area_set[p.cell[0]], cells.area_set[p.cell[1]]);
  }
  double dear = 0;
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    const auto& set = cells.area_sets[cells.area_set[c]];
    if (set.empty()) continue;
    EXPECT_EQ(set, std::vector<std::uint32_t>{1});
    dear += static_cast<double>(doubled_area(outline_of(cells, c))) / 2 * kUnit * kUnit;
  }
  EXPECT_DOUBLE_EQ(dear, 50);
}

std::map<Topology, int> counts(const std::vector<Topology>& topology) {
  std::map<Topology, int> count;
  for (Topology t : topology) ++count[t];
  return count;
}

TEST(Topology, OfAHandMadePlan) {
  // A crossing of corridors 2 m wide; the east arm bends north round a corner; apart from it a closed room.
  const BuiltCells built =
      build(scene_of(Layer{.walkable = {box(0, 4, 10, 6), box(4, 0, 6, 10), box(8, 4, 10, 14), box(20, 0, 25, 5)}}));
  expect_sound(built);
  const auto narrow = counts(built.cells().topology);
  EXPECT_EQ(narrow.at(Topology::kCrossroads), 1);
  EXPECT_EQ(narrow.at(Topology::kPassage), 2) << "the straight part of the east arm, and its bend";
  EXPECT_EQ(narrow.at(Topology::kDeadEnd), 4);
  EXPECT_EQ(narrow.at(Topology::kClosed), 1);
  EXPECT_EQ(built.build.report.components, 2u);
  // Portals are 2 m wide: a body of 1.98 m passes, one of 2 m is closed in everywhere.
  EXPECT_EQ(counts(classify_cells(built.cells(), 0.99)), narrow);
  EXPECT_EQ(counts(classify_cells(built.cells(), 1.0)).at(Topology::kClosed), 8);
}

}  // namespace
}  // namespace throng
