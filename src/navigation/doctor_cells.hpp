// SPDX-License-Identifier: MIT
// The part of the geometry doctor that needs baked cells: ground nobody can reach, passages narrower than a person, areas without
// ground.
#pragma once
#include <vector>

#include <throng/scene.hpp>

#include "cells/cells.hpp"
#include "scene/doctor.hpp"

namespace throng {

/// Codes:
/// - unreachable: ground that no line leads to from the largest piece of ground, with its area;
/// - narrow-passage: the only way between two pieces of ground is narrower than the person, with its width and what lies behind
/// it;
/// - narrow-gap (note): a gap narrower than the person between places that are joined some other way;
/// - area-off-ground: a named area of which less than 1 dm² lies on the largest piece of ground.
/// O(n) in cells and portals, plus areas × cells in box tests.
std::vector<Finding> examine_cells(const Scene& scene, const Cells& cells, double person_radius = 0.2);

}  // namespace throng
