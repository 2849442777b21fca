// SPDX-License-Identifier: MIT
#include <cmath>

#include "fixtures.hpp"
#include "import/projection.hpp"

namespace throng {
namespace {

Result<Scene> read_geojson_text(const std::string& text, ImportSettings settings = {}) { return read_geojson(text, "town.geojson", settings); }

std::string feature(const std::string& properties, const std::string& geometry) {
  return R"({"type":"Feature","properties":)" + properties + R"(,"geometry":)" + geometry + "}";
}
std::string square(double x, double y, double size) {
  const auto n = [](double v) { return std::to_string(v); };
  return R"({"type":"Polygon","coordinates":[[[)" + n(x) + "," + n(y) + "],[" + n(x + size) + "," + n(y) + "],[" + n(x + size) +
         "," + n(y + size) + "],[" + n(x) + "," + n(y + size) + "],[" + n(x) + "," + n(y) + "]]]}";
}
std::string collection(const std::vector<std::string>& features) {
  std::string text = R"({"type":"FeatureCollection","units":"metres","features":[)";
  for (std::size_t i = 0; i < features.size(); ++i) text += (i ? "," : "") + features[i];
  return text + "]}";
}

TEST(GeoJson, properties_say_what_a_feature_is) {
  const auto scene = read_geojson_text(collection({
      feature(R"({"throng":"walkable"})", square(0, 0, 100)),
      feature(R"({"kind":"obstacle"})", square(10, 10, 5)),
      feature(R"({"building":"yes"})", square(20, 10, 5)),
      feature(R"({"natural":"water"})", square(30, 10, 5)),
      feature("null", square(40, 10, 5)),
      feature(R"({"building":"no"})", square(50, 10, 5)),
      feature(R"({"landuse":"residential"})", square(0, 0, 90)),
      feature(R"({"throng":"ignore"})", square(0, 0, 80)),
      feature(R"({"throng":"area","name":"lawn","cost":3,"forbidden_to":"cart, bike"})", square(60, 60, 10)),
      feature(R"({"throng":"wall"})", square(80, 80, 10)),
      feature("{}", R"({"type":"LineString","coordinates":[[1,1],[2,2],[3,1]]})"),
      feature(R"({"throng":"seed"})", R"({"type":"Point","coordinates":[5,5]})"),
      feature("{}", R"({"type":"Point","coordinates":[6,6]})"),
  }));
  ASSERT_TRUE(scene) << problems_of(scene);
  const Layer& layer = scene->layers.at(0);
  EXPECT_DOUBLE_EQ(total_area(layer.walkable), 10'000);
  EXPECT_EQ(layer.obstacles.size(), 4u);
  EXPECT_DOUBLE_EQ(total_area(layer.obstacles), 100);
  EXPECT_EQ(layer.walls.size(), 4u + 2u);
  EXPECT_EQ(layer.seeds, (std::vector<Vec2>{{5, 5}}));
  ASSERT_EQ(scene->areas.size(), 1u);
  EXPECT_EQ(scene->areas[0].name, "lawn");
  EXPECT_EQ(scene->areas[0].cost, 3);
  EXPECT_EQ(scene->areas[0].forbidden_to, (std::vector<std::string>{"cart", "bike"}));
  EXPECT_EQ(scene->profiles.size(), 3u) << "default, cart and bike";
  const auto again = read_scene_json(write_scene_json(*scene), "again.json");
  EXPECT_TRUE(again) << problems_of(again);
}

TEST(GeoJson, reads_every_geometry_and_collections_of_them) {
  const auto scene = read_geojson_text(R"({"type":"GeometryCollection","units":"metres","geometries":[
    {"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5,7],[9,5,7],[9,9,7],[5,9,7],[5,5,7]],[[6,6],[6,7],[7,7],[6,6]]]]},
    {"type":"MultiLineString","coordinates":[[[0,0],[1,1]],[[2,2],[3,3]]]},{"type":"MultiPoint","coordinates":[[1,1]]},
    {"type":"GeometryCollection","geometries":[{"type":"Polygon","coordinates":[]}]}]})");
  ASSERT_TRUE(scene) << problems_of(scene);
  EXPECT_DOUBLE_EQ(total_area(scene->layers[0].obstacles), 0.5 + 16 - 0.5);
  EXPECT_EQ(scene->layers[0].walls.size(), 2u);
}

TEST(GeoJson, degrees_become_metres_about_the_middle) {
  // A building of 0.001 x 0.001 degrees in Munich: a degree of latitude is 111.2 km there, of longitude 74.5 km.
  const auto scene =
      read_geojson_text(R"({"type":"Polygon","coordinates":[[[11.57,48.13],[11.571,48.13],[11.571,48.131],[11.57,48.131],[11.57,48.13]]]})");
  ASSERT_TRUE(scene) << problems_of(scene);
  const double phi = 48.1305 * M_PI / 180, e2 = 0.00669437999014, s = 1 - e2 * std::sin(phi) * std::sin(phi);
  const double width = 6378137 / std::sqrt(s) * std::cos(phi) * 0.001 * M_PI / 180,
               height = 6378137 * (1 - e2) / std::pow(s, 1.5) * 0.001 * M_PI / 180;
  EXPECT_NEAR(total_area(scene->layers[0].obstacles), width * height, 0.01);
  EXPECT_EQ(scene->origin, (Vec2{0, 0}));
}

TEST(GeoJson, what_the_numbers_are_can_be_said) {
  const std::string room = R"("coordinates":[[[0,0],[10,0],[10,8],[0,8],[0,0]]]})";
  const auto doubtful = read_geojson_text(R"({"type":"Polygon",)" + room);
  EXPECT_TRUE(has_problem(doubtful, "town.geojson", "longitude and latitude"))
      << "ten degrees are too large, and never silently metres";
  EXPECT_TRUE(read_geojson_text(R"({"type":"Polygon","units":"metres",)" + room));
  EXPECT_TRUE(read_geojson_text(R"({"type":"Polygon",)" + room, {.units = ImportUnits::metres}));
  EXPECT_TRUE(read_geojson_text(R"({"type":"Polygon","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25832"}},)" + room));
  EXPECT_FALSE(read_geojson_text(R"({"type":"Polygon","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},)" + room));
  const auto utm =
      read_geojson_text(R"({"type":"Polygon","coordinates":[[[691000,5334000],[691010,5334000],[691010,5334010],[691000,5334000]]]})");
  ASSERT_TRUE(utm) << problems_of(utm);
  EXPECT_EQ(utm->origin, (Vec2{691000, 5334000}));
}

TEST(GeoJson, mistakes_are_named_by_their_pointers) {
  const auto scene = read_geojson_text(collection({
      feature(R"({"throng":"lake"})", square(0, 0, 1)),
      feature(R"({"throng":"area","cost":0})", square(0, 0, 1)),
      R"({"type":"Feature","properties":{}})",
      feature("{}", R"({"type":"Circle","coordinates":[1,2]})"),
      feature("{}", R"({"type":"Polygon","coordinates":[[[0,0],[1],[1,1]]]})"),
      feature("{}", R"({"type":"Polygon"})"),
      "17",
  }));
  EXPECT_TRUE(has_problem(scene, "/features/0/properties/throng", "lake"));
  EXPECT_TRUE(has_problem(scene, "/features/1/properties/cost", "0"));
  EXPECT_TRUE(has_problem(scene, "/features/2/geometry", "missing"));
  EXPECT_TRUE(has_problem(scene, "/features/3/geometry/type", "Circle"));
  EXPECT_TRUE(has_problem(scene, "/features/4/geometry/coordinates/0/1", "a point is"));
  EXPECT_TRUE(has_problem(scene, "/features/5/geometry/coordinates", "nothing found"));
  EXPECT_TRUE(has_problem(scene, "/features/6", "17"));
}

TEST(GeoJson, a_bow_tie_is_refused_with_the_place_of_its_crossing) {
  const auto scene = read_geojson_text(R"({"type":"Polygon","units":"metres","coordinates":[[[0,0],[10,10],[10,0],[0,12],[0,0]]]})");
  ASSERT_FALSE(scene);
  EXPECT_TRUE(has_problem(scene, "/coordinates", "crosses itself at (5.45454")) << problems_of(scene);
}

TEST(Projection, agrees_with_distances_along_the_ellipsoid) {
  // North: the arc of a meridian by numerical integration. East: the scale of a transverse Mercator map.
  const double e2 = 0.0066943799901413165, a = 6378137;
  for (const double latitude : {-60.0, 0.0, 35.0, 48.1, 70.0}) {
    const LocalProjection projection(10, latitude);
    double arc = 0;
    const int steps = 2000;
    for (int i = 0; i < steps; ++i) {
      const double phi = (latitude + 0.07 * (i + 0.5) / steps) * M_PI / 180, s = 1 - e2 * std::sin(phi) * std::sin(phi);
      arc += a * (1 - e2) / std::pow(s, 1.5) * (0.07 / steps) * M_PI / 180;
    }
    EXPECT_NEAR(projection.to_metres(10, latitude + 0.07).y, arc, 1e-3);
    // 8 km off the middle the scale across is cosh(x / R) within one part in 10^8.
    const double phi = latitude * M_PI / 180, n = a / std::sqrt(1 - e2 * std::sin(phi) * std::sin(phi)), step = 1e-6;
    const double offset = 8000 / (n * std::cos(phi)) * 180 / M_PI;
    const Vec2 p = projection.to_metres(10 + offset, latitude), q = projection.to_metres(10 + offset + step, latitude);
    EXPECT_NEAR(distance(p, q) / (n * std::cos(phi) * step * M_PI / 180), std::cosh(8000 / n), 1e-7);
  }
}

}  // namespace
}  // namespace throng
