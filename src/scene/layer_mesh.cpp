// SPDX-License-Identifier: MIT
#include "scene/layer_mesh.hpp"

#include <algorithm>

#include "geometry/point.hpp"
#include "geometry/polygon.hpp"
#include "scene/map.hpp"

namespace throng {
namespace {

double height_of(const Layer& layer, Vec2 p) { return layer.elevation + dot(layer.slope, p); }

/// How high a wall of a layer may be at a place: up to the next layer, so that nothing sticks out of a floor. A layer that slopes
/// counts only where it is.
double room_above(const Scene& scene, std::uint32_t layer, Vec2 place, double wall_height) {
  constexpr double kSame = 0.01;  // m: layers meet at joints
  for (std::uint32_t other = 0; other < scene.layers.size(); ++other) {
    const Layer& above = scene.layers[other];
    const double gap = height_of(above, place) - height_of(scene.layers[layer], place);
    if (other == layer || gap < kSame || gap >= wall_height) continue;
    const bool is_there = above.slope == Vec2{} || std::any_of(above.walkable.begin(), above.walkable.end(),
                                                               [&](const Polygon& p) { return contains(p.outer, place); });
    if (is_there) wall_height = gap;
  }
  return wall_height;
}

void add_layer(const Scene& scene, std::uint32_t number, const Map& map, double wall_height, Mesh& mesh) {
  const Layer& layer = scene.layers[number];
  const auto vertex = [&](Point p, double above) {
    const Vec2 m = to_metres(p);
    mesh.vertices.push_back({m.x, m.y, height_of(layer, m) + above});
    return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  };
  const Triangulation& triangulation = map.triangulation;
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (std::size_t v = 0; v < triangulation.vertex_slot_count(); ++v) vertex(triangulation.point(static_cast<VertexIndex>(v)), 0);
  for (std::size_t slot = 0; slot < triangulation.triangle_slot_count(); ++slot) {
    const auto t = static_cast<TriangleIndex>(slot);
    if (!triangulation.is_alive(t) || triangulation.is_ghost(t) || !map.is_free(t)) continue;
    std::array<std::uint32_t, 3> corner;
    for (int k = 0; k < 3; ++k) corner[k] = first + static_cast<std::uint32_t>(triangulation.triangle(t).vertex[k]);
    mesh.triangles.push_back(corner);
  }
  for (const MapSegment& s : map.segments) {
    if (!s.wall) continue;
    const double rise = room_above(scene, number, 0.5 * (to_metres(s.a) + to_metres(s.b)), wall_height);
    const std::uint32_t a = vertex(s.a, 0), b = vertex(s.b, 0), c = vertex(s.b, rise), d = vertex(s.a, rise);
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
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
