// SPDX-License-Identifier: MIT
#include <cmath>
#include <random>
#include <set>

#include "fixtures.hpp"
#include "import/queries.hpp"

namespace throng {
namespace {

std::string map_text(const std::vector<std::string>& rows) {
  std::string text =
      "type octile\nheight " + std::to_string(rows.size()) + "\nwidth " + std::to_string(rows[0].size()) + "\nmap\n";
  for (const std::string& row : rows) text += row + "\n";
  return text;
}

TEST(MovingAiMap, the_first_row_is_the_northernmost) {
  const auto scene = read_movingai_map(map_text({"@..", "...", "..T"}), "grid.map");
  ASSERT_TRUE(scene) << problems_of(scene);
  const Layer& layer = scene->layers[0];
  EXPECT_DOUBLE_EQ(total_area(layer.walkable), 9);
  ASSERT_EQ(layer.obstacles.size(), 2u);
  EXPECT_TRUE(inside_any(layer.obstacles, {0.5, 2.5}));
  EXPECT_TRUE(inside_any(layer.obstacles, {2.5, 0.5}));
}

TEST(MovingAiMap, outlines_have_a_vertex_only_where_they_turn) {
  const auto scene = read_movingai_map(map_text({"......", ".@@@@.", ".@..@.", ".@@@@.", "......"}), "grid.map");
  ASSERT_TRUE(scene);
  ASSERT_EQ(scene->layers[0].obstacles.size(), 1u);
  EXPECT_EQ(scene->layers[0].obstacles[0].outer.size(), 4u);
  ASSERT_EQ(scene->layers[0].obstacles[0].holes.size(), 1u);
  EXPECT_EQ(scene->layers[0].obstacles[0].holes[0].size(), 4u);
}

TEST(MovingAiMap, every_cell_of_random_maps_is_inside_exactly_if_it_is_blocked) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const int width = 1 + static_cast<int>(random() % 12), height = 1 + static_cast<int>(random() % 12);
    std::vector<std::string> rows(static_cast<std::size_t>(height), std::string(static_cast<std::size_t>(width), '.'));
    int blocked = 0;
    for (auto& row : rows) {
      for (char& c : row) {
        if (random() % 100 < 45) c = "@OTW"[random() % 4], ++blocked;
      }
    }
    if (blocked == width * height) rows[0][0] = 'G', --blocked;
    const auto scene = read_movingai_map(map_text(rows), "random.map");
    ASSERT_TRUE(scene) << problems_of(scene);
    const auto& obstacles = scene->layers[0].obstacles;
    EXPECT_DOUBLE_EQ(total_area(obstacles), blocked);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        int covered = 0;
        for (const Polygon& polygon : obstacles) covered += contains(polygon, {x + 0.5, y + 0.5});
        const char c = rows[static_cast<std::size_t>(height - 1 - y)][static_cast<std::size_t>(x)];
        ASSERT_EQ(covered, c != '.' && c != 'G') << map_text(rows) << x << " " << y;
      }
    }
    for (const Polygon& polygon : obstacles) {
      std::vector<Ring> rings = polygon.holes;
      rings.push_back(polygon.outer);
      EXPECT_GT(signed_area(polygon.outer), 0);
      for (const Ring& hole : polygon.holes) EXPECT_LT(signed_area(hole), 0);
      for (const Ring& ring : rings) {
        std::set<std::pair<double, double>> seen;
        for (const Vec2 p : ring)
          EXPECT_TRUE(seen.emplace(p.x, p.y).second) << "a ring passes a vertex twice\n" << map_text(rows);
      }
      EXPECT_FALSE(find_crossing(rings));
    }
  }
}

TEST(MovingAiMap, blocked_area_of_real_maps_is_the_number_of_blocked_cells) {
  for (const char* file :
       {"paths/Berlin_0_256.map", "paths/Berlin_1_256.map", "paths/Paris_0_512.map", "paths/London_0_512.map"}) {
    THRONG_EXTERNAL(path, file);
    const std::string text = slurp(path);
    const std::string cells = text.substr(text.find("map\n") + 4);
    const auto blocked =
        std::count_if(cells.begin(), cells.end(), [](char c) { return c == '@' || c == 'T' || c == 'O' || c == 'W'; });
    const auto scene = load_scene(path);
    ASSERT_TRUE(scene) << problems_of(scene);
    EXPECT_DOUBLE_EQ(total_area(scene->layers[0].obstacles), static_cast<double>(blocked));
  }
}

TEST(MovingAiScen, cells_become_centres_with_north_up) {
  const auto rows = read_movingai_scen("version 1\n0\tgrid.map\t3\t4\t0\t0\t2\t3\t4.24264069\n", "grid.scen");
  ASSERT_TRUE(rows) << problems_of(rows);
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(rows->at(0).from, (Vec2{0.5, 3.5}));
  EXPECT_EQ(rows->at(0).to, (Vec2{2.5, 0.5}));
  EXPECT_DOUBLE_EQ(rows->at(0).expected, 4.24264069);
}

TEST(MovingAiScen, real_queries_start_and_end_on_ground_and_are_no_longer_than_octile) {
  THRONG_EXTERNAL(map, "paths/Berlin_0_256.map");
  THRONG_EXTERNAL(scen, "paths/Berlin_0_256.map.scen");
  const auto scene = load_scene(map);
  const auto rows = read_queries(scen);
  ASSERT_TRUE(scene);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->size(), 930u);
  for (const PathQueryRow& row : *rows) {
    EXPECT_FALSE(inside_any(scene->layers[0].obstacles, row.from));
    EXPECT_FALSE(inside_any(scene->layers[0].obstacles, row.to));
    EXPECT_LE(distance(row.from, row.to), row.expected + 1e-6);
  }
}

TEST(MovingAiScen, bad_rows_are_all_named) {
  const auto rows =
      read_movingai_scen("version 1\n0 m 3 3 0 0 3 0 1\n0 m 3 3 0 0\n0 m 3 3 0 0 1 1 nan\n0 m 3 3 0 0 1 1 1\n", "grid.scen");
  EXPECT_TRUE(has_problem(rows, "line 2", "stay inside"));
  EXPECT_TRUE(has_problem(rows, "line 3", "a row is"));
  EXPECT_TRUE(has_problem(rows, "line 4", "a row is"));
  EXPECT_FALSE(has_problem(rows, "line 5", ""));
}

TEST(QueryCsv, header_and_length_are_optional) {
  const auto with = read_query_csv("sx,sy,gx,gy,length\n1.5,2,3,-4e1,5\n# comment\n\n1, 2, 3, 4\r\n", "q.csv");
  ASSERT_TRUE(with) << problems_of(with);
  ASSERT_EQ(with->size(), 2u);
  EXPECT_EQ(with->at(0).to, (Vec2{3, -40}));
  EXPECT_EQ(with->at(0).expected, 5);
  EXPECT_TRUE(std::isnan(with->at(1).expected));
  EXPECT_EQ(read_query_csv("1,2,3,4,5", "q.csv")->size(), 1u);
}

TEST(QueryCsv, bad_rows_are_all_named) {
  const auto rows = read_query_csv("1,2,3\n1,2,3,4,5,6\nnan,1,2,3\n1,2,3,4\nx,y\n1;2;3;4\n1,2,3,4x\n", "q.csv");
  for (const char* line : {"line 1", "line 2", "line 3", "line 5", "line 6", "line 7"})
    EXPECT_TRUE(has_problem(rows, line, "a row is")) << line;
  EXPECT_FALSE(has_problem(rows, "line 4", ""));
}

}  // namespace
}  // namespace throng
