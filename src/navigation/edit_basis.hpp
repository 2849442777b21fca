// SPDX-License-Identifier: MIT
// What a bake keeps so that its scene can be edited.
#pragma once
#include <vector>

#include <throng/scene.hpp>

#include "cells/edit.hpp"
#include "navigation/navigation_data.hpp"

namespace throng {

struct EditBasis {
  Scene scene;  ///< every layer with walkable polygons
  BakeSettings settings;
  CellsEditor cells;
};

/// Everything of a bake but the checks of its input.
Result<std::shared_ptr<NavigationData>> bake_scene(const Scene& scene, const BakeSettings& settings);

/// Cost factors of the cells for a profile: the product of those of their areas and of their layer's slope; 0: forbidden.
std::vector<float> cell_factors(const Scene& scene, const Cells& cells, const Profile& profile);
std::vector<Profile> profiles_of(const Scene& scene);

}  // namespace throng
