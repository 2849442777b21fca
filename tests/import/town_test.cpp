// SPDX-License-Identifier: MIT
// CityJSON, OpenStreetMap and the union of footprints behind both.
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include <nlohmann/json.hpp>

#include "fixtures.hpp"
#include "import/footprints.hpp"

namespace throng {
namespace {

Ring box(double x, double y, double width, double height) { return outline::rectangle({x, y}, {x + width, y + height}); }

using GridRing = std::vector<Point>;

GridRing to_grid(const Ring& ring) {
  GridRing out;
  for (const Vec2 p : ring) {
    if (out.empty() || out.back() != snap(p)) out.push_back(snap(p));
  }
  return out;
}

bool segments_touch(Point a, Point b, Point c, Point d) {
  const auto sign = [](std::int64_t v) { return (v > 0) - (v < 0); };
  const auto on = [](Point p, Point q, Point r) {
    return std::min(p.x, q.x) <= r.x && r.x <= std::max(p.x, q.x) && std::min(p.y, q.y) <= r.y && r.y <= std::max(p.y, q.y);
  };
  const int s1 = sign(orient(a, b, c)), s2 = sign(orient(a, b, d)), s3 = sign(orient(c, d, a)), s4 = sign(orient(c, d, b));
  if (s1 * s2 < 0 && s3 * s4 < 0) return true;
  return (s1 == 0 && on(a, b, c)) || (s2 == 0 && on(a, b, d)) || (s3 == 0 && on(c, d, a)) || (s4 == 0 && on(c, d, b));
}

/// Groups of shapes that touch or overlap, by comparing all edges of all pairs: an oracle that shares nothing with Clipper.
std::size_t count_islands(const std::vector<GridRing>& shapes) {
  std::vector<std::size_t> parent(shapes.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  struct Bounds {
    std::int32_t west = INT32_MAX, south = INT32_MAX, east = INT32_MIN, north = INT32_MIN;
  };
  std::vector<Bounds> bounds(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (const Point p : shapes[i]) {
      Bounds& b = bounds[i];
      b = {std::min(b.west, p.x), std::min(b.south, p.y), std::max(b.east, p.x), std::max(b.north, p.y)};
    }
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Bounds &p = bounds[i], &q = bounds[j];
      if (root(i) == root(j) || p.west > q.east || q.west > p.east || p.south > q.north || q.south > p.north) continue;
      const GridRing &a = shapes[i], &b = shapes[j];
      bool touch = find_in_ring(a, b[0]) != Containment::kOutside || find_in_ring(b, a[0]) != Containment::kOutside;
      for (std::size_t k = 0; k < a.size() && !touch; ++k) {
        for (std::size_t m = 0; m < b.size() && !touch; ++m)
          touch = segments_touch(a[k], a[(k + 1) % a.size()], b[m], b[(m + 1) % b.size()]);
      }
      if (touch) parent[root(i)] = root(j);
    }
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) count += parent[i] == i;
  return count;
}

std::size_t count_islands(const std::vector<Polygon>& polygons) {
  std::vector<GridRing> outers;
  for (const Polygon& polygon : polygons) outers.push_back(to_grid(polygon.outer));
  return count_islands(outers);
}

TEST(Footprints, overlapping_touching_and_separate_ones) {
  const auto united = unite({{box(0, 0, 2, 2)}, {box(1, 1, 2, 2)}, {box(3, 1, 2, 2)}, {box(10, 10, 1, 1)}});
  ASSERT_TRUE(united);
  EXPECT_EQ(united->size(), 2u);
  EXPECT_DOUBLE_EQ(total_area(*united), 4 + 4 - 1 + 4 + 1);
}

TEST(Footprints, a_courtyard_stays_open_and_a_house_in_it_stays_apart) {
  const auto united = unite({{box(0, 0, 10, 10), box(2, 2, 6, 6)}, {box(4, 4, 1, 1)}});
  ASSERT_TRUE(united);
  ASSERT_EQ(united->size(), 2u);
  EXPECT_EQ(hole_count(*united), 1u);
  EXPECT_DOUBLE_EQ(total_area(*united), 100 - 36 + 1);
}

TEST(Footprints, a_loop_of_one_that_crosses_itself_does_not_cancel_its_neighbour) {
  // A figure of eight whose second loop turns the other way, over a square.
  const auto united = unite({{{{0, 0}, {2, 2}, {2, 0}, {0, 2}}}, {box(1.25, 0.5, 0.5, 0.5)}});
  ASSERT_TRUE(united);
  EXPECT_TRUE(inside_any(*united, {1.7, 0.9}));
  EXPECT_TRUE(inside_any(*united, {0.3, 0.9}));
  EXPECT_NEAR(total_area(*united), 2 + 0.25 * 0.25 / 2, 0.001) << "a corner of the square sticks out";
}

TEST(Footprints, points_of_random_boxes_are_in_the_union_exactly_if_they_are_in_a_box) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> place(0, 100), size(0.5, 8), turn(0, 3);
  std::vector<Footprint> boxes;
  for (int i = 0; i < 300; ++i) {
    const double c = std::cos(turn(random)), s = std::sin(turn(random));
    Ring ring = box(0, 0, size(random), size(random));
    const Vec2 at{place(random), place(random)};
    for (Vec2& p : ring) p = at + Vec2{c * p.x - s * p.y, s * p.x + c * p.y};
    boxes.push_back({ring});
  }
  const auto united = unite(boxes);
  ASSERT_TRUE(united);
  int tested = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec2 p{place(random), place(random)};
    bool near = false, in = false;
    for (const Footprint& b : boxes) {
      in = in || contains(b[0], p);
      for (std::size_t k = 0; k < 4; ++k) near = near || distance_to_segment(p, b[0][k], b[0][(k + 1) % 4]) < 0.005;
    }
    if (near) continue;
    ++tested;
    ASSERT_EQ(inside_any(*united, p), in) << p.x << " " << p.y;
  }
  EXPECT_GT(tested, 4000);
}

TEST(Footprints, millions_of_crossings_are_refused) {
  Ring comb_a, comb_b;
  for (int i = 0; i < 4000; ++i) {
    comb_a.push_back({i * 0.25, i % 2 ? 1000.0 : 0.0});
    comb_b.push_back({i % 2 ? 1000.0 : 0.0, i * 0.25});
  }
  EXPECT_FALSE(unite({{comb_a}, {comb_b}}));
}

TEST(CityJson, footprint_is_the_lowest_level_and_its_ground_surfaces) {
  // A house whose roof (lod 2) overhangs its ground; a second geometry of higher detail would be larger still.
  const std::string text =
      R"({"type":"CityJSON","version":"2.0","transform":{"scale":[0.01,0.01,0.01],"translate":[84000,447000,0]},
    "vertices":[[0,0,0],[1000,0,0],[1000,500,0],[0,500,0],[-100,-100,300],[1100,-100,300],[1100,600,300],[-100,600,300]],
    "CityObjects":{
      "house":{"type":"Building","geometry":[
        {"type":"Solid","lod":"2.2","boundaries":[[[[4,5,6,7]]]]},
        {"type":"MultiSurface","lod":"2","boundaries":[[[0,3,2,1]],[[4,5,6,7]],[[0,1,5,4]]],
         "semantics":{"surfaces":[{"type":"GroundSurface"},{"type":"RoofSurface"},{"type":"WallSurface"}],"values":[0,1,2]}}]},
      "bridge":{"type":"Bridge","geometry":[{"type":"MultiSurface","lod":"1","boundaries":[[[4,5,6,7]]]}]},
      "empty":{"type":"Building"}}})";
  const auto scene = read_cityjson(text, "house.city.json");
  ASSERT_TRUE(scene) << problems_of(scene);
  ASSERT_EQ(scene->layers[0].obstacles.size(), 1u);
  EXPECT_NEAR(total_area(scene->layers[0].obstacles), 50, 0.02);
  EXPECT_EQ(scene->origin, (Vec2{84000, 447000}));
  EXPECT_TRUE(inside_any(scene->layers[0].obstacles, {5, 2}));
}

TEST(CityJson, islands_and_ground_of_delft_are_those_of_its_surfaces) {
  THRONG_EXTERNAL(path, "scenes/delft.city.json");
  const auto scene = load_scene(path);
  ASSERT_TRUE(scene) << problems_of(scene);
  // All surfaces of all buildings and water bodies, read without our reader.
  const auto document = nlohmann::json::parse(slurp(path));
  const auto scale = document["transform"]["scale"], shift = document["transform"]["translate"];
  std::vector<Ring> surfaces;
  for (const auto& object : document["CityObjects"]) {
    if (object["type"] != "Building" && object["type"] != "WaterBody") continue;
    for (const auto& geometry : object["geometry"]) {
      const auto& faces = geometry["type"] == "Solid" ? geometry["boundaries"][0] : geometry["boundaries"];
      for (const auto& face : faces) {
        ASSERT_EQ(face.size(), 1u) << "no face of this model has holes";
        Ring ring;
        for (const auto& index : face[0]) {
          const auto& v = document["vertices"][index.get<std::size_t>()];
          ring.push_back(Vec2{v[0].get<double>() * scale[0].get<double>() + shift[0].get<double>(),
                              v[1].get<double>() * scale[1].get<double>() + shift[1].get<double>()} -
                         scene->origin);
        }
        if (std::abs(doubled_area(to_grid(ring))) > 0) surfaces.push_back(ring);
      }
    }
  }
  std::vector<GridRing> snapped;
  for (const Ring& ring : surfaces) snapped.push_back(to_grid(ring));
  const auto& obstacles = scene->layers[0].obstacles;
  EXPECT_EQ(count_islands(obstacles), count_islands(snapped));
  RecordProperty("islands", static_cast<int>(count_islands(obstacles)));

  std::mt19937 random(5);
  std::uniform_real_distribution<double> x(-300, 260), y(-190, 160);
  int inside = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vec2 p{x(random), y(random)};
    bool in = false, near = false;
    for (const Ring& ring : surfaces) {
      in = in || contains(ring, p);
      for (std::size_t k = 0; k < ring.size() && !near; ++k)
        near = distance_to_segment(p, ring[k], ring[(k + 1) % ring.size()]) < 0.005;
    }
    inside += in;
    if (!near) {
      ASSERT_EQ(inside_any(obstacles, p), in) << p.x << " " << p.y;
    }
  }
  EXPECT_GT(inside, 200);
}

const char* const kTown =
    R"(<?xml version="1.0"?><osm version="0.6"><bounds minlat="48" minlon="11" maxlat="48.001" maxlon="11.001"/>
  <node id="1" lat="48.0002" lon="11.0002"/><node id="2" lat="48.0002" lon="11.0004"/><node id="3" lat="48.0004" lon="11.0004"/><node id="4" lat="48.0004" lon="11.0002"/>
  <node id="5" lat="48.0006" lon="11.0006"/><node id="6" lat="48.0006" lon="11.0014"/><node id="7" lat="48.0008" lon="11.0014"/><node id="8" lat="48.0008" lon="11.0006"/>
  <node id="11" lat="48.00025" lon="11.00025"/><node id="12" lat="48.00025" lon="11.00035"/><node id="13" lat="48.00035" lon="11.00035"/><node id="14" lat="48.00035" lon="11.00025"/>
  <way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/></way><way id="2"><nd ref="1"/><nd ref="4"/><nd ref="3"/></way>
  <way id="3"><nd ref="11"/><nd ref="12"/><nd ref="13"/><nd ref="14"/><nd ref="11"/></way>
  <way id="4"><nd ref="5"/><nd ref="6"/><nd ref="7"/><nd ref="8"/><nd ref="5"/><tag k="natural" v="water"/></way>
  <way id="5"><nd ref="8"/><nd ref="14"/><tag k="barrier" v="wall"/></way>
  <way id="6"><nd ref="5"/><nd ref="6"/><nd ref="7"/><nd ref="5"/><tag k="building" v="no"/></way>
  <way id="7"><nd ref="5"/><nd ref="99"/><nd ref="98"/><nd ref="5"/><tag k="building" v="yes"/></way>
  <way id="8" visible="false"><nd ref="1"/><nd ref="2"/><nd ref="7"/><nd ref="1"/><tag k="building" v="yes"/></way>
  <relation id="1"><member type="way" ref="1" role="outer"/><member type="way" ref="2" role="outer"/><member type="way" ref="3" role="inner"/>
    <tag k="type" v="multipolygon"/><tag k="building" v="yes"/></relation></osm>)";

TEST(Osm, ways_and_relations_block_and_are_cut_at_the_bounds) {
  const auto scene = read_osm(kTown, "town.osm");
  ASSERT_TRUE(scene) << problems_of(scene);
  const Layer& layer = scene->layers[0];
  const double metres_x = 74'630 * 0.001, metres_y = 111'198 * 0.001;  // of 0.001 degrees at 48° north, to a part in a thousand
  EXPECT_NEAR(total_area(layer.walkable), metres_x * metres_y, 10);
  EXPECT_EQ(layer.obstacles.size(), 2u);
  EXPECT_EQ(hole_count(layer.obstacles), 1u);
  EXPECT_NEAR(total_area(layer.obstacles), metres_x * metres_y * (0.2 * 0.2 - 0.1 * 0.1 + 0.4 * 0.2), 1)
      << "0.4 of the water's 0.8 is inside";
  EXPECT_EQ(layer.walls.size(), 1u);
}

/// The value of the next such attribute after `at`.
std::string attribute(const std::string& text, std::size_t at, const std::string& name) {
  const std::size_t start = text.find(" " + name + "=\"", at) + name.size() + 3;
  return text.substr(start, text.find('"', start) - start);
}

TEST(Osm, islands_of_the_small_town_are_those_of_its_buildings) {
  THRONG_EXTERNAL(path, "scenes/small-town.osm");
  const auto scene = load_scene(path);
  ASSERT_TRUE(scene) << problems_of(scene);
  // The buildings read by searching the text, on a plain equirectangular map; only those that reach into the bounds count.
  const std::string text = slurp(path);
  const double north = 48.137, south = 48.135, west = 10.068, east = 10.071, scale = 111'200;
  const double across = scale * std::cos(48.136 * M_PI / 180);
  std::map<std::string, Vec2> nodes;
  for (std::size_t at = text.find("<node "); at != std::string::npos; at = text.find("<node ", at + 1)) {
    nodes[attribute(text, at, "id")] = {(std::stod(attribute(text, at, "lon")) - (west + east) / 2) * across,
                                        (std::stod(attribute(text, at, "lat")) - (south + north) / 2) * scale};
  }
  std::vector<GridRing> buildings;
  double area = 0;
  const Vec2 high{(east - west) / 2 * across, (north - south) / 2 * scale};
  for (std::size_t at = text.find("<way "); at != std::string::npos; at = text.find("<way ", at + 1)) {
    const std::string way = text.substr(at, text.find("</way>", at) - at);
    if (way.find("k=\"building\"") == std::string::npos) continue;
    Ring ring;
    for (std::size_t nd = way.find("<nd "); nd != std::string::npos; nd = way.find("<nd ", nd + 1)) {
      ring.push_back(nodes.at(attribute(way, nd, "ref")));
    }
    ASSERT_EQ(ring.front(), ring.back());
    ring.pop_back();
    const bool reaches =
        std::any_of(ring.begin(), ring.end(), [&](Vec2 p) { return std::abs(p.x) < high.x && std::abs(p.y) < high.y; });
    if (!reaches) continue;
    buildings.push_back(to_grid(ring));
    area += std::abs(signed_area(ring));
  }
  const auto& obstacles = scene->layers[0].obstacles;
  EXPECT_GT(buildings.size(), obstacles.size() / 2);
  EXPECT_EQ(count_islands(obstacles), count_islands(buildings));
  EXPECT_NEAR(total_area(obstacles), area, 0.1 * area) << "less what the bounds cut off";
  RecordProperty("islands", static_cast<int>(count_islands(obstacles)));
}

}  // namespace
}  // namespace throng
