// SPDX-License-Identifier: MIT
// A flat scene as the triangles a level designer would hand to a voxeliser: ground, and obstacles as low prisms.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include <throng/scene.hpp>

namespace throng {

/// Triangles with a height, y-up as Recast wants them: (x, height, y).
struct SceneTriangles {
  std::vector<float> vertices;  ///< three numbers a vertex
  std::vector<std::array<std::int32_t, 3>> triangles;
  std::vector<std::uint8_t> walkable;  ///< of each triangle: 1 for ground, 0 for walls and roofs
  Vec2 low, high;                      ///< bounds of the ground
};

/// Ear clipping of a simple ring in either direction: indices into it, counter-clockwise. O(n²). A ring that crosses itself
/// still gives n - 2 triangles, some of them wrong.
std::vector<std::array<std::int32_t, 3>> clip_ears(const Ring& ring);

/// Layer 0 of the scene. Ground is what the walkable outlines enclose (a frame 5 m outside the geometry without them); obstacles
/// and the holes of walkable polygons stand on it as closed prisms `height` tall, and walls as upright sheets. Holes of obstacles
/// are filled: nobody outside can reach them. Roofs are not walkable.
SceneTriangles triangulate_scene(const Scene& scene, double height);

}  // namespace throng
