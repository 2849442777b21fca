// SPDX-License-Identifier: MIT
#include <map>
#include <random>
#include <sstream>

#include "fixtures.hpp"

namespace throng {
namespace {

/// The free cells of a grid as a mesh of unit squares.
std::string mesh_of_cells(const std::vector<std::string>& rows) {
  const int height = static_cast<int>(rows.size()), width = static_cast<int>(rows[0].size());
  const auto free = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < width && y < height && rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '.';
  };
  std::map<std::pair<int, int>, int> polygon;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (free(x, y)) polygon.emplace(std::pair(x, y), static_cast<int>(polygon.size()));
    }
  }
  std::ostringstream out;
  out << "mesh\n2\n" << (width + 1) * (height + 1) << " " << polygon.size() << "\n";
  for (int y = 0; y <= height; ++y) {
    for (int x = 0; x <= width; ++x) out << x << " " << y << " 1 -1\n";
  }
  std::vector<std::pair<int, int>> order(polygon.size());
  for (const auto& [cell, index] : polygon) order[static_cast<std::size_t>(index)] = cell;
  for (const auto& [x, y] : order) {
    const auto vertex = [&](int i, int j) { return j * (width + 1) + i; };
    const auto neighbour = [&](int i, int j) { return free(i, j) ? polygon.at({i, j}) : -1; };
    out << "4 " << vertex(x, y) << " " << vertex(x + 1, y) << " " << vertex(x + 1, y + 1) << " " << vertex(x, y + 1) << " "
        << neighbour(x - 1, y) << " " << neighbour(x, y - 1) << " " << neighbour(x + 1, y) << " " << neighbour(x, y + 1) << "\n";
  }
  return out.str();
}

/// Parts connected through edges, by flooding the grid.
int part_count(std::vector<std::string> rows) {
  int count = 0;
  const auto flood = [&](auto&& self, std::size_t x, std::size_t y) -> void {
    if (y >= rows.size() || x >= rows[0].size() || rows[y][x] != '.') return;
    rows[y][x] = '#';
    self(self, x + 1, y), self(self, x - 1, y), self(self, x, y + 1), self(self, x, y - 1);
  };
  for (std::size_t y = 0; y < rows.size(); ++y) {
    for (std::size_t x = 0; x < rows[0].size(); ++x) {
      if (rows[y][x] == '.') ++count, flood(flood, x, y);
    }
  }
  return count;
}

TEST(PolyanyaMesh, ground_of_random_meshes_is_their_polygons_and_nothing_else) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> rows(1 + random() % 9, std::string(1 + random() % 9, '.'));
    int area = 0;
    for (auto& row : rows) {
      for (char& c : row) c = random() % 100 < 45 ? '@' : '.', area += c == '.';
    }
    if (area == 0) continue;
    const auto scene = read_polyanya_mesh(mesh_of_cells(rows), "cells.mesh");
    ASSERT_TRUE(scene) << problems_of(scene);
    const auto& ground = scene->layers[0].walkable;
    EXPECT_DOUBLE_EQ(total_area(ground), area);
    EXPECT_EQ(static_cast<int>(ground.size()), part_count(rows)) << "parts that meet at a corner stay apart";
    for (std::size_t y = 0; y < rows.size(); ++y) {
      for (std::size_t x = 0; x < rows[0].size(); ++x) {
        ASSERT_EQ(inside_any(ground, {static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5}), rows[y][x] == '.');
      }
    }
  }
}

TEST(PolyanyaMesh, an_edge_without_neighbours_between_two_polygons_is_a_wall) {
  // Two squares side by side that share an edge and do not name each other.
  const auto scene = read_polyanya_mesh(
      "mesh 2 6 2\n0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0\n4 0 1 4 3 -1 -1 -1 -1\n4 1 2 5 4 -1 -1 -1 -1\n", "two.mesh");
  ASSERT_TRUE(scene) << problems_of(scene);
  EXPECT_EQ(scene->layers[0].walkable.size(), 2u);
  ASSERT_EQ(scene->layers[0].walls.size(), 1u);
  EXPECT_EQ(scene->layers[0].walls[0].a.x, 1);
  EXPECT_EQ(scene->layers[0].walls[0].b.x, 1);
}

TEST(PolyanyaMesh, neighbours_that_disagree_are_named) {
  EXPECT_TRUE(has_problem(
      read_polyanya_mesh("mesh 2 6 2\n0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0\n4 0 1 4 3 -1 -1 1 -1\n4 1 2 5 4 -1 -1 -1 -1\n",
                         "two.mesh"),
      "polygon 1", "do not name each other"));
  EXPECT_TRUE(has_problem(read_polyanya_mesh("mesh 2 3 1\n0 0 0 1 0 0 0 1 0\n3 0 1 2 0 -1 -1\n", "one.mesh"), "polygon 0",
                          "does not have this edge"));
  EXPECT_TRUE(
      has_problem(read_polyanya_mesh("mesh 2 3 1\n0 0 0 1 0 0 0 1 0\n3 0 2 1 -1 -1 -1\n", "one.mesh"), "line 3", "clockwise"));
}

/// Sum of the file's polygon areas, read without our reader.
double file_area(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string word;
  long version = 0, vertices = 0, polygons = 0;
  stream >> word >> version >> vertices >> polygons;
  std::vector<Vec2> points(static_cast<std::size_t>(vertices));
  for (Vec2& p : points) {
    long count = 0, skipped = 0;
    stream >> p.x >> p.y >> count;
    while (count--) stream >> skipped;
  }
  double sum = 0;
  for (long i = 0; i < polygons; ++i) {
    long count = 0, skipped = 0;
    stream >> count;
    std::vector<std::size_t> corner(static_cast<std::size_t>(count));
    for (auto& c : corner) stream >> c;
    for (long k = 0; k < count; ++k) stream >> skipped;
    for (std::size_t k = 0; k < corner.size(); ++k) sum += cross(points[corner[k]], points[corner[(k + 1) % corner.size()]]) / 2;
  }
  return sum;
}

TEST(PolyanyaMesh, area_of_real_meshes_is_the_sum_of_their_polygons) {
  for (const char* file : {"paths/arena.mesh", "paths/aurora-merged.mesh"}) {
    THRONG_EXTERNAL(path, file);
    const auto scene = load_scene(path);
    ASSERT_TRUE(scene) << problems_of(scene);
    EXPECT_NEAR(total_area(scene->layers[0].walkable), file_area(path), 1e-6);
    EXPECT_TRUE(scene->layers[0].obstacles.empty());
  }
}

}  // namespace
}  // namespace throng
