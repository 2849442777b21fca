// SPDX-License-Identifier: MIT
#include "scene/layer_mesh.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/point.hpp"
#include "geometry/polygon.hpp"
#include "scene/heights.hpp"
#include "scene/map.hpp"

namespace throng {
namespace {

double ground(const Layer& layer, Vec2 p) {
  if (const auto height = height_at(layer.heights, p)) return *height;
  return layer.elevation + dot(layer.slope, p);
}

/// How high a wall of a layer may be at a place: up to the next layer, so that nothing sticks out of a floor. A layer that slopes
/// counts only where it is.
double room_above(const Scene& scene, std::uint32_t layer, Vec2 place, double wall_height) {
  constexpr double kSame = 0.01;  // m: layers meet at joints
  for (std::uint32_t other = 0; other < scene.layers.size(); ++other) {
    const Layer& above = scene.layers[other];
    const double gap = ground(above, place) - ground(scene.layers[layer], place);
    if (other == layer || gap < kSame || gap >= wall_height) continue;
    const bool is_there =
        (above.slope == Vec2{} && above.heights.empty()) ||
        std::any_of(above.walkable.begin(), above.walkable.end(), [&](const Polygon& p) { return contains(p.outer, place); });
    if (is_there) wall_height = gap;
  }
  return wall_height;
}

class LayerMesh {
 public:
  LayerMesh(const Layer& layer, Mesh& mesh) : layer_(layer), mesh_(mesh) {}

  void add_ground(const Map& map) {
    const Triangulation& triangulation = map.triangulation;
    for (std::size_t slot = 0; slot < triangulation.triangle_slot_count(); ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!triangulation.is_alive(t) || triangulation.is_ghost(t) || !map.is_free(t)) continue;
      std::array<std::uint32_t, 3> corner;
      for (int k = 0; k < 3; ++k) corner[k] = add(to_metres(triangulation.point(triangulation.triangle(t).vertex[k])), 0);
      mesh_.triangles.push_back(corner);
    }
  }
  /// A level square round each point of the grid: between the points of stairs it would be too steep to walk on.
  void add_squares() {
    const HeightGrid& grid = layer_.heights;
    const double half = 0.5 * grid.step;
    for (std::size_t row = 0; row + 1 < grid.row_start.size(); ++row)
      for (std::uint32_t r = grid.row_start[row]; r < grid.row_start[row + 1]; ++r) {
        const std::size_t end = r + 1 < grid.runs.size() ? grid.runs[r + 1].first : grid.heights.size();
        for (std::size_t i = grid.runs[r].first; i < end; ++i) {
          const double x = grid.origin.x + grid.step * (grid.runs[r].column + static_cast<double>(i - grid.runs[r].first));
          const double y = grid.origin.y + grid.step * (grid.first_row + static_cast<double>(row)), z = grid.heights[i];
          const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
          for (const Vec2 corner : {Vec2{-half, -half}, {half, -half}, {half, half}, {-half, half}})
            mesh_.vertices.push_back({x + corner.x, y + corner.y, z});
          mesh_.triangles.push_back({first, first + 1, first + 2});
          mesh_.triangles.push_back({first, first + 2, first + 3});
        }
      }
  }
  void add_wall(Vec2 a, Vec2 b, double rise) {
    const std::uint32_t n = pieces(distance(a, b));
    for (std::uint32_t i = 0; i < n; ++i) {
      const Vec2 from = a + (1.0 * i / n) * (b - a), to = a + (1.0 * (i + 1) / n) * (b - a);
      const std::uint32_t p = add(from, 0), q = add(to, 0), r = add(to, rise), s = add(from, rise);
      mesh_.triangles.push_back({p, q, r});
      mesh_.triangles.push_back({p, r, s});
    }
  }

 private:
  std::uint32_t add(Vec2 p, double above) {
    mesh_.vertices.push_back({p.x, p.y, ground(layer_, p) + above});
    return static_cast<std::uint32_t>(mesh_.vertices.size() - 1);
  }
  /// Walls follow uneven ground.
  std::uint32_t pieces(double length) const {
    constexpr double kPoints = 2;  // of the grid, a piece may be long
    if (layer_.heights.empty()) return 1;
    return static_cast<std::uint32_t>(std::max(1.0, std::ceil(length / (kPoints * layer_.heights.step))));
  }
  const Layer& layer_;
  Mesh& mesh_;
};

void add_layer(const Scene& scene, std::uint32_t number, const Map& map, double wall_height, Mesh& mesh) {
  LayerMesh out(scene.layers[number], mesh);
  if (scene.layers[number].heights.empty())
    out.add_ground(map);
  else
    out.add_squares();
  for (const MapSegment& s : map.segments) {
    if (!s.wall) continue;
    const Vec2 a = to_metres(s.a), b = to_metres(s.b);
    out.add_wall(a, b, room_above(scene, number, 0.5 * (a + b), wall_height));
  }
}

}  // namespace

Result<Mesh> mesh_of_layers(const Scene& scene, double wall_height) {
  if (scene.layers.empty()) return Problem{scene.name, "the scene has no layer", "give it walkable polygons, obstacles or walls"};
  Mesh mesh;
  AreaSets sets;
  const Result<std::vector<Map>> maps = extract_maps(scene, sets);
  if (!maps) return maps.problems();
  for (std::uint32_t l = 0; l < scene.layers.size(); ++l) add_layer(scene, l, (*maps)[l], wall_height, mesh);
  return mesh;
}

}  // namespace throng
