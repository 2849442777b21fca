// SPDX-License-Identifier: MIT
// A scene as its file gave it: walkable polygons, obstacles, walls, areas with their names, and what the geometry doctor found.
#pragma once
#include <cstdint>
#include <span>
#include <utility>

#include <throng/scene.hpp>

#include "geometry/draw_stream.hpp"
#include "scene/doctor.hpp"

namespace throng {

struct ScenePicture {
  std::uint32_t layer = 0;
  bool areas = true;   ///< outlines and names of areas
  double pixel = 0.5;  ///< metres a pixel covers (Canvas::metres_per_pixel): marks keep a readable size
};

/// Everything of the layer, or of all layers and the mesh if the layer does not exist; (0,0)–(1,1) if there is nothing.
std::pair<Vec2, Vec2> bounds_of(const Scene& scene, std::uint32_t layer);

void draw_scene(DrawStream& out, const Scene& scene, const ScenePicture& settings);

/// Red outlines and rings; errors strong, notes pale.
void draw_findings(DrawStream& out, std::span<const Finding> findings, double pixel);

}  // namespace throng
