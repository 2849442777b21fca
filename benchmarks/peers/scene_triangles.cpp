// SPDX-License-Identifier: MIT
#include "peers/scene_triangles.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace throng {
namespace {

double turn(Vec2 a, Vec2 b, Vec2 c) { return cross(b - a, c - a); }

double doubled_area(const Ring& ring) {
  double sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) sum += cross(ring[i], ring[(i + 1) % ring.size()]);
  return sum;
}

bool is_ear(const Ring& ring, const std::vector<std::int32_t>& left, std::size_t at) {
  const std::size_t n = left.size();
  const Vec2 a = ring[left[(at + n - 1) % n]], b = ring[left[at]], c = ring[left[(at + 1) % n]];
  if (turn(a, b, c) <= 0) return false;
  for (const std::int32_t i : left) {
    const Vec2 p = ring[i];
    if (p == a || p == b || p == c) continue;
    if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
  }
  return true;
}

class Builder {
 public:
  Builder(SceneTriangles& result, double height) : result_(result), height_(static_cast<float>(height)) {}

  void add_flat(const Ring& ring, float height, bool walkable) {
    if (ring.size() < 3) return;
    const auto first = static_cast<std::int32_t>(result_.vertices.size() / 3);
    for (const Vec2 p : ring) add_vertex(p, height);
    for (auto triangle : clip_ears(ring)) {
      for (std::int32_t& corner : triangle) corner += first;
      add_triangle(triangle, walkable);
    }
  }
  void add_sheet(Vec2 a, Vec2 b) {
    const auto first = static_cast<std::int32_t>(result_.vertices.size() / 3);
    add_vertex(a, 0), add_vertex(b, 0), add_vertex(b, height_), add_vertex(a, height_);
    add_triangle({first, first + 1, first + 2}, false);
    add_triangle({first, first + 2, first + 3}, false);
  }
  void add_prism(const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) add_sheet(ring[i], ring[(i + 1) % ring.size()]);
    add_flat(ring, height_, false);
  }

 private:
  void add_vertex(Vec2 p, float height) {
    result_.vertices.insert(result_.vertices.end(), {static_cast<float>(p.x), height, static_cast<float>(p.y)});
  }
  void add_triangle(std::array<std::int32_t, 3> triangle, bool walkable) {
    result_.triangles.push_back(triangle);
    result_.walkable.push_back(walkable ? 1 : 0);
  }

  SceneTriangles& result_;
  float height_;
};

}  // namespace

std::vector<std::array<std::int32_t, 3>> clip_ears(const Ring& ring) {
  std::vector<std::array<std::int32_t, 3>> triangles;
  if (ring.size() < 3) return triangles;
  std::vector<std::int32_t> left(ring.size());
  std::iota(left.begin(), left.end(), 0);
  if (doubled_area(ring) < 0) std::reverse(left.begin(), left.end());
  while (left.size() > 3) {
    std::size_t at = 0;
    while (at < left.size() && !is_ear(ring, left, at)) ++at;
    if (at == left.size()) at = 0;  // collinear or crossing leftovers: any triangle brings us on
    const std::size_t n = left.size();
    triangles.push_back({left[(at + n - 1) % n], left[at], left[(at + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
  }
  triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

SceneTriangles triangulate_scene(const Scene& scene, double height) {
  SceneTriangles result;
  if (scene.layers.empty()) return result;
  const Layer& layer = scene.layers[0];
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  result.low = {kInfinity, kInfinity};
  result.high = {-kInfinity, -kInfinity};
  const auto include = [&](Vec2 p) {
    result.low = {std::min(result.low.x, p.x), std::min(result.low.y, p.y)};
    result.high = {std::max(result.high.x, p.x), std::max(result.high.y, p.y)};
  };

  Builder builder(result, height);
  if (layer.walkable.empty()) {
    for (const Polygon& obstacle : layer.obstacles) std::for_each(obstacle.outer.begin(), obstacle.outer.end(), include);
    for (const Segment& wall : layer.walls) include(wall.a), include(wall.b);
    constexpr Vec2 kMargin{5, 5};
    result.low = result.low - kMargin;
    result.high = result.high + kMargin;
    builder.add_flat({result.low, {result.high.x, result.low.y}, result.high, {result.low.x, result.high.y}}, 0, true);
  }
  for (const Polygon& ground : layer.walkable) {
    std::for_each(ground.outer.begin(), ground.outer.end(), include);
    builder.add_flat(ground.outer, 0, true);
    for (const Ring& hole : ground.holes) builder.add_prism(hole);
  }
  for (const Polygon& obstacle : layer.obstacles) builder.add_prism(obstacle.outer);
  for (const Segment& wall : layer.walls) builder.add_sheet(wall.a, wall.b);
  return result;
}

}  // namespace throng
