// SPDX-License-Identifier: MIT
#include "scene/layer_mesh.hpp"

#include <algorithm>

#include "geometry/point.hpp"
#include "scene/map.hpp"

namespace throng {
namespace {

void add_layer(const Map& map, double floor, double top, Mesh& mesh) {
  const auto vertex = [&](Point p, double z) {
    const Vec2 m = to_metres(p);
    mesh.vertices.push_back({m.x, m.y, z});
    return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  };
  const Triangulation& triangulation = map.triangulation;
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (std::size_t v = 0; v < triangulation.vertex_slot_count(); ++v)
    vertex(triangulation.point(static_cast<VertexIndex>(v)), floor);
  for (std::size_t slot = 0; slot < triangulation.triangle_slot_count(); ++slot) {
    const auto t = static_cast<TriangleIndex>(slot);
    if (!triangulation.is_alive(t) || triangulation.is_ghost(t) || !map.is_free(t)) continue;
    std::array<std::uint32_t, 3> corner;
    for (int k = 0; k < 3; ++k) corner[k] = first + static_cast<std::uint32_t>(triangulation.triangle(t).vertex[k]);
    mesh.triangles.push_back(corner);
  }
  for (const MapSegment& s : map.segments) {
    if (!s.wall) continue;
    const std::uint32_t a = vertex(s.a, floor), b = vertex(s.b, floor), c = vertex(s.b, top), d = vertex(s.a, top);
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
}

}  // namespace

Result<Mesh> mesh_of_layers(const Scene& scene, double wall_height) {
  if (scene.layers.empty()) return Problem{scene.name, "the scene has no layer", "give it walkable polygons, obstacles or walls"};
  Mesh mesh;
  AreaSets sets;
  for (std::uint32_t l = 0; l < scene.layers.size(); ++l) {
    const Result<Map> map = extract_map(scene, l, sets);
    if (!map) return map.problems();
    const double floor = scene.layers[l].elevation;
    double top = floor + wall_height;
    for (const Layer& other : scene.layers)
      if (other.elevation > floor) top = std::min(top, other.elevation);
    add_layer(*map, floor, top, mesh);
  }
  return mesh;
}

}  // namespace throng
