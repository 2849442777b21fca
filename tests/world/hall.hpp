// SPDX-License-Identifier: MIT
// Navigation of a few boxes, for tests that only need some ground.
#pragma once
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <throng/navigation.hpp>

#include "support/built_cells.hpp"

namespace throng::testing {

inline Navigation bake_boxes(std::vector<Polygon> walkable, std::vector<Polygon> obstacles = {}) {
  Layer layer;
  layer.walkable = std::move(walkable);
  layer.obstacles = std::move(obstacles);
  Result<Navigation> baked = Navigation::bake(scene_of(layer), {.threads = 1});
  EXPECT_TRUE(baked);
  return std::move(*baked);
}

inline Navigation hall(double width, double height) { return bake_boxes({box(0, 0, width, height)}); }

}  // namespace throng::testing
