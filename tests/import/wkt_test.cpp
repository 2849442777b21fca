// SPDX-License-Identifier: MIT
#include "fixtures.hpp"

namespace throng {
namespace {

Result<Scene> read_wkt_text(const std::string& text) { return read_wkt(text, "rooms.wkt"); }

TEST(Wkt, polygons_are_ground_with_holes_as_in_jupedsim) {
  const auto scene = read_wkt_text("POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 2 4, 4 4, 4 2, 2 2))\n");
  ASSERT_TRUE(scene) << problems_of(scene);
  EXPECT_DOUBLE_EQ(total_area(scene->layers[0].walkable), 96);
  EXPECT_EQ(hole_count(scene->layers[0].walkable), 1u);
}

TEST(Wkt, reads_every_geometry_prefix_and_dimension) {
  const auto scene = read_wkt_text(
      "# a comment\n"
      "SRID=4326; MULTIPOLYGON (((0 0, 10 0, 10 10, 0 10, 0 0)), ((20 0,30 0,30 10,20 10,20 0)))\n"
      "obstacle: polygon Z ((1 1 5, 2 1 5, 2 2 5, 1 2 5, 1 1 5))\r\n"
      "OBSTACLE: POLYGONZM((3 1 5 6, 4 1 5 6, 4 2 5 6, 3 1 5 6))\n"
      "LINESTRING (5 5, 6 6, 7 5)\n"
      "MULTILINESTRING ((5 7, 6 8), (5 8, 6 9))\n"
      "wall: POLYGON ((8 8, 9 8, 9 9, 8 8))\n"
      "seed: POINT (0.5 0.5)\n"
      "POINT EMPTY\n"
      "GEOMETRYCOLLECTION (POLYGON ((40 0, 50 0, 50 10, 40 0)), LINESTRING (1 9,\n 2 9))\n");
  ASSERT_TRUE(scene) << problems_of(scene);
  const Layer& layer = scene->layers[0];
  EXPECT_DOUBLE_EQ(total_area(layer.walkable), 100 + 100 + 50);
  EXPECT_DOUBLE_EQ(total_area(layer.obstacles), 1 + 0.5);
  EXPECT_EQ(layer.walls.size(), 2u + 2u + 3u + 1u);
  EXPECT_EQ(layer.seeds.size(), 1u);
}

TEST(Wkt, every_bad_line_is_reported_by_its_number) {
  const auto scene = read_wkt_text(
      "POLYGON ((0 0, 1 0, 1 1, 0 0))\n"
      "CIRCLE (0 0, 1)\n"
      "POLYGON ((0 0, 1 x, 1 1))\n"
      "POLYGON (0 0, 1 1)\n"
      "lake: POLYGON ((0 0, 1 0, 1 1))\n"
      "POLYGON ((0 0, 4 4, 4 0, 0 5, 0 0))\n"
      "seed: POLYGON ((0 0, 1 0, 1 1))\n"
      "POLYGON ((0 0, 1 0, nan 1, 0 0))\n"
      "LINESTRING (1 1)\n");
  ASSERT_FALSE(scene);
  for (const char* line : {"line 2", "line 3", "line 4", "line 5", "line 6", "line 7", "line 8", "line 9"}) {
    EXPECT_TRUE(has_problem(scene, std::string("rooms.wkt ") + line, "")) << line << "\n" << problems_of(scene);
  }
  EXPECT_FALSE(has_problem(scene, "line 1,", ""));
}

TEST(Wkt, collections_in_collections_without_end_are_refused) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "GEOMETRYCOLLECTION(";
  EXPECT_TRUE(has_problem(read_wkt_text(text), "line 1", "nested too deeply"));
}

}  // namespace
}  // namespace throng
