// SPDX-License-Identifier: MIT
// A scene of polygons as triangles, for structures that are baked from triangles: the ground of each layer at its elevation and
// slope, and its walls as upright sheets. At joints there is no wall: the ground of two layers meets there.
#pragma once
#include <throng/result.hpp>
#include <throng/scene.hpp>

namespace throng {

/// Ground and walls are those of the extracted map (scene/map.hpp): nothing lies under obstacles, and every outline has a wall of
/// `wall_height`, or up to the next layer if that is lower. Fails where the map does.
Result<Mesh> mesh_of_layers(const Scene& scene, double wall_height = 3);

}  // namespace throng
