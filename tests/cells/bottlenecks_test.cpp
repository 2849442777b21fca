// SPDX-License-Identifier: MIT
// The corner-to-wall rule (ALGORITHMS §1.2), watched from outside: what must hold of the triangulation when the rule is at rest.
//
// A second run on the same map is no test of rest: it has no memory of which vertices are feet and takes them for corners. The
// rule is therefore judged here anew, triangle by triangle.
#include <gtest/gtest.h>

#include <set>

#include "scene/city.hpp"
#include "scene/office.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

bool is_ground(const Map& map, TriangleIndex t) {
  return map.triangulation.is_alive(t) && !map.triangulation.is_ghost(t) && map.is_free(t);
}

/// Triangles that satisfy the paper's rule, and those of them whose foot no guard explains.
struct AtRest {
  std::uint32_t qualify = 0;
  std::uint32_t unexplained = 0;
};

AtRest judge(const Map& map, const BottleneckReport& report) {
  const Triangulation& cdt = map.triangulation;
  std::set<Point> feet;
  for (std::size_t v = 0; v < report.kind.size(); ++v)
    if (report.kind[v] == VertexKind::kFoot) feet.insert(cdt.point(static_cast<VertexIndex>(v)));
  AtRest rest;
  for (std::size_t slot = 0; slot < cdt.triangle_slot_count(); ++slot) {
    const auto t = static_cast<TriangleIndex>(slot);
    if (!is_ground(map, t)) continue;
    for (int i = 0; i < 3; ++i) {
      const EdgeRef e{t, i};
      if (!map.is_wall(e) || (map.is_wall({t, (i + 1) % 3}) && map.is_wall({t, (i + 2) % 3}))) continue;
      if (report.kind[cdt.apex(e)] != VertexKind::kCorner) continue;
      const Vec2 a = to_metres(cdt.point(cdt.apex(e))), b = to_metres(cdt.point(cdt.from(e))),
                 c = to_metres(cdt.point(cdt.to(e)));
      const double along = dot(a - b, c - b) / dot(c - b, c - b);
      if (!(along > 0 && along < 1)) continue;
      ++rest.qualify;
      // The foot on the original line, in units, where a guard may have refused it.
      const MapSegment& s = *map.segment_on(e);
      const Vec2 from = to_metres(s.a), to = to_metres(s.b);
      const Vec2 foot = from + (dot(a - from, to - from) / dot(to - from, to - from)) * (to - from);
      // Two units, and the rounding; or beyond an end: pieces lean, so what projects inside a piece may have its foot on the
      // next.
      const bool near_end =
          std::min(distance(foot, b), distance(foot, c)) < 3 * kUnit || dot(foot - b, c - b) <= 0 || dot(foot - c, b - c) <= 0;
      bool fired = false;
      for (int dx = -1; dx <= 1; ++dx)
        for (int dy = -1; dy <= 1; ++dy) fired = fired || feet.contains({snap(foot).x + dx, snap(foot).y + dy});
      rest.unexplained += !near_end && !fired;
    }
  }
  return rest;
}

void expect_at_rest(const Scene& scene, double narrow_gap) {
  AreaSets sets;
  Result<Map> result = extract_map(scene, 0, sets);
  ASSERT_TRUE(result);
  Map& map = *result;
  const std::vector<MapSegment> segments = map.segments;
  const BottleneckReport report = insert_bottlenecks(map, narrow_gap);
  const Triangulation& cdt = map.triangulation;
  EXPECT_EQ(cdt.validate(), std::nullopt);
  EXPECT_EQ(report.unguarded, 0u);
  ASSERT_EQ(report.kind.size(), cdt.vertex_slot_count());

  const AtRest rest = judge(map, report);
  EXPECT_LE(rest.unexplained, report.refused_inverting);
  // Doubles and exact integers may differ on a foot within rounding of an end.
  EXPECT_NEAR(rest.qualify, report.refused_near_end + report.refused_twice + report.refused_inverting, 2 + rest.qualify / 100);

  std::uint32_t feet = 0;
  for (std::size_t v = 0; v < report.kind.size(); ++v) {
    if (report.kind[v] != VertexKind::kFoot) continue;
    ++feet;
    int walls = 0;
    cdt.for_each_edge_around(static_cast<VertexIndex>(v), [&](EdgeRef e) {
      if (cdt.to(e) == kGhost || !cdt.is_constrained(e)) return;
      ++walls;
      const MapSegment& s = *map.segment_on(e);
      const double off = std::abs(static_cast<double>(orient(s.a, s.b, cdt.point(static_cast<VertexIndex>(v))))) /
                         std::sqrt(static_cast<double>(distance_squared(s.a, s.b)));
      EXPECT_LT(off, 1) << "a foot is off its parent line";
    });
    EXPECT_EQ(walls, 2) << "a foot divides one wall";
  }
  EXPECT_EQ(feet, report.inserted);

  for (std::size_t i = 0; i < segments.size(); ++i) {
    double sum = 0;
    for (EdgeRef e : cdt.edges_of(static_cast<ConstraintId>(i)))
      sum += std::sqrt(static_cast<double>(distance_squared(cdt.point(cdt.from(e)), cdt.point(cdt.to(e)))));
    EXPECT_NEAR(sum, std::sqrt(static_cast<double>(distance_squared(segments[i].a, segments[i].b))), 2)
        << "pieces of a wall, in units";
  }
}

TEST(Bottlenecks, AtRestOnlyGuardsRefuseAndWallsKeepTheirPlace) {
  for (double gap : {0.0, 1.1}) {
    expect_at_rest(make_city(250), gap);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(seed);
      expect_at_rest(random_scene(seed, 20, 10 + static_cast<int>(seed)), gap);
    }
  }
}

TEST(Bottlenecks, RingsAndPillarsComeToRest) {
  // A look round a ring once ran for ever: rooms and pillars, a court, and a wall that stands free.
  expect_at_rest(make_office(40), 1.1);
  expect_at_rest(make_office(40), 50);
  Polygon court = box(2, 2, 18, 18);
  court.holes.push_back({{4, 4}, {4, 16}, {16, 16}, {16, 4}});
  expect_at_rest(
      scene_of(Layer{.walkable = {box(0, 0, 20, 20)}, .obstacles = {court, box(9, 9, 11, 11)}, .walls = {{{6, 6}, {8, 7}}}}), 50);
}

/// The length of the portal between two places, 0 if there is none.
double portal_between(const Cells& cells, Vec2 a, Vec2 b, bool& bottleneck) {
  for (const Portal& p : cells.portals) {
    const Vec2 u = to_metres(p.position[0]), v = to_metres(p.position[1]);
    if ((u == a && v == b) || (u == b && v == a)) {
      bottleneck = p.bottleneck != 0;
      return distance(u, v);
    }
  }
  return 0;
}

TEST(Bottlenecks, ThePerpendicularOfTwoWallsWithOffsetCornersIsAPortal) {
  // A lower block ends at x = 8, an upper one begins at x = 5; between them 2 m.
  const BuiltCells built =
      build(scene_of(Layer{.walkable = {box(0, 0, 20, 10)}, .obstacles = {box(0, 0, 8, 4), box(5, 6, 20, 10)}}));
  bool bottleneck = false;
  EXPECT_EQ(portal_between(built.cells(), {8, 4}, {8, 6}, bottleneck), 2);
  EXPECT_TRUE(bottleneck);
  EXPECT_EQ(portal_between(built.cells(), {5, 4}, {5, 6}, bottleneck), 2);
  EXPECT_TRUE(bottleneck);
  EXPECT_EQ(built.build.report.feet, 4u) << "and the two corners' feet on the frame";
}

TEST(Bottlenecks, ThePerpendicularAppearsBetweenRotatedWallsToo) {
  const double angle = 0.4;
  const Vec2 u{std::cos(angle), std::sin(angle)};
  const auto turned = [&](double x0, double y0, double x1, double y1) {
    Polygon p = box(x0, y0, x1, y1);
    for (Vec2& v : p.outer) v = v.x * u + v.y * left(u);
    return p;
  };
  const BuiltCells built =
      build(scene_of(Layer{.walkable = {turned(0, 0, 20, 10)}, .obstacles = {turned(-1, -1, 8, 4), turned(5, 6, 21, 11)}}));
  int found = 0;
  for (const Portal& p : built.cells().portals)
    found += p.bottleneck && std::abs(distance(to_metres(p.position[0]), to_metres(p.position[1])) - 2) < 2 * kUnit;
  EXPECT_EQ(found, 2);
}

TEST(Bottlenecks, TenThousandNearDegenerateCornersTerminate) {
  // Below: flat steps between pits. Above: teeth whose tips stand 0 to 3 units from the ends of the steps.
  constexpr int kTeeth = 2500;
  Ring ring;
  for (int i = 0; i < kTeeth; ++i) {
    const double x = i;
    for (Vec2 p : {Vec2{x, 0}, Vec2{x + 0.5, 0}, Vec2{x + 0.5, -0.3}, Vec2{x + 1, -0.3}}) ring.push_back(p);
  }
  for (int i = kTeeth; i-- > 0;) {
    const int units = i % 4;
    const double tip = i % 2 == 0 ? i + units * kUnit : i + 0.5 - units * kUnit;
    ring.push_back({i + 0.75, 3});
    ring.push_back({tip, 0.5});
  }
  ring.push_back({-0.25, 3});
  expect_at_rest(scene_of(Layer{.walkable = {{ring, {}}}}), 0);
  expect_at_rest(scene_of(Layer{.walkable = {{ring, {}}}}), 1.1);
}

TEST(Bottlenecks, NarrowGapsGetAFootAcrossFreeEdgesToo) {
  // Every corner that sees a wall nearer than the gap has a vertex where it projects on it (its foot, or an end that guards kept
  // it from).
  constexpr double kGap = 1.1;
  int tested = 0, refused = 0, missing = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const BuiltCells built = build(random_scene(seed, 12, 16), {.narrow_gap = kGap});
    const Cells& cells = built.cells();
    refused += static_cast<int>(built.feet[0].refused_inverting);
    const auto pieces = wall_segments_of(cells);
    const auto is_on_ground = [&](Vec2 place) {
      for (const CellTriangle& t : cells.triangles) {
        const Vec2 p = cells.position(t.vertex[0]), q = cells.position(t.vertex[1]), r = cells.position(t.vertex[2]);
        if (cross(q - p, place - p) > 0 && cross(r - q, place - q) > 0 && cross(p - r, place - r) > 0) return true;
      }
      return false;
    };
    for (std::size_t v = 0; v < cells.vertices.size(); ++v) {
      if (cells.vertex_kind[v] != VertexKind::kCorner) continue;
      const Vec2 a = cells.position(static_cast<std::uint32_t>(v));
      for (const MapSegment& s : built.maps[0].segments) {
        const Vec2 from = to_metres(s.a), to = to_metres(s.b);
        const double along = dot(a - from, to - from) / dot(to - from, to - from);
        const Vec2 foot = from + along * (to - from);
        if (!(along > 0 && along < 1) || distance(a, foot) >= kGap - 2 * kUnit || distance(a, foot) < 4 * kUnit) continue;
        const bool seen = std::none_of(pieces.begin(), pieces.end(), [&](const WallSegment& other) {
          if (other.a == a || other.b == a) return false;
          const Vec2 way = foot - a, wall = other.b - other.a;
          const double det = cross(way, wall);
          if (det == 0) return false;
          const double on_way = cross(other.a - a, wall) / det * distance(a, foot), on_wall = cross(other.a - a, way) / det;
          return on_way > 0 && on_way < distance(a, foot) - 3 * kUnit && on_wall > -0.01 && on_wall < 1.01;
        });
        if (!seen || !is_on_ground(a + 0.5 * (foot - a))) continue;
        ++tested;
        missing += std::none_of(cells.vertices.begin(), cells.vertices.end(),
                                [&](Point p) { return distance(to_metres(p), foot) < 4 * kUnit; });
      }
    }
  }
  EXPECT_GT(tested, 500);
  EXPECT_LE(missing, refused);
}

TEST(Bottlenecks, CornersOnOpenGroundAndFeetProjectNothing) {
  // An area's border has corners that bodies walk over: they get no feet.
  Scene scene = scene_of(Layer{.walkable = {box(0, 0, 10, 10)}});
  EXPECT_EQ(build(scene).build.report.feet, 0u);
  scene.areas.push_back({"lawn", 0, box(4, 4, 6, 6), 2, {}});
  const BuiltCells built = build(scene);
  EXPECT_EQ(built.build.report.feet, 0u);
  EXPECT_EQ(std::count(built.cells().vertex_kind.begin(), built.cells().vertex_kind.end(), VertexKind::kOpen), 4);
}

}  // namespace
}  // namespace throng
