// SPDX-License-Identifier: MIT
// Throng inside another program: make a scene, bake it, plan a path, print it.
#include <cmath>
#include <cstdio>

#include <throng/navigation.hpp>

int main() {
  throng::Scene scene;
  throng::Layer& floor = scene.layers.emplace_back();
  floor.walkable = {{{{0, 0}, {20, 0}, {20, 20}, {0, 20}}, {}}};
  floor.obstacles = {{{{9, 0}, {11, 0}, {11, 12}, {9, 12}}, {}}, {{{4, 3}, {6, 3}, {6, 5}, {4, 5}}, {}}};

  const auto navigation = throng::Navigation::bake(scene);
  if (!navigation) return std::puts(to_string(navigation.problems()[0]).c_str()), 1;
  const auto path = navigation->plan({.from = {2, 10}, .to = {18, 10}, .radius = 0.25});
  if (!path) return std::puts(to_string(path.problems()[0]).c_str()), 1;

  // By hand: a tangent to the circle round each upper corner of the wall, two arcs, and the straight piece between them.
  const double to_corner = std::hypot(7, 2), angle = std::atan2(2, 7) + std::asin(0.25 / to_corner);
  const double by_hand = 2 * (std::sqrt(to_corner * to_corner - 0.25 * 0.25) + 0.25 * angle) + 2;
  std::printf("%.3f m, by hand %.3f m\n", path->length, by_hand);
  for (const throng::Vec2 point : path->points) std::printf("(%.2f, %.2f) ", point.x, point.y);
  std::puts("");
  return std::abs(path->length - by_hand) < 1e-3 ? 0 : 1;
}
