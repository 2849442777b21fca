// SPDX-License-Identifier: MIT
// A scene taken through the stages up to cells, with the products of each kept.
#pragma once
#include <gtest/gtest.h>

#include <vector>

#include "cells/build.hpp"
#include "scene/map.hpp"

namespace throng::testing {

struct BuiltCells {
  std::vector<Map> maps;  ///< with the bottleneck feet
  std::vector<BottleneckReport> feet;
  CellsBuild build;

  const Cells& cells() const { return build.cells; }
};

struct BuildSettings {
  double narrow_gap = 1.1;  ///< what a bake with bodies up to 0.5 m radius uses
  double radius = 0.2;
  CrossroadsRule rule = CrossroadsRule::kBisection;
};

inline BuiltCells build(const Scene& scene, const BuildSettings& settings = {}) {
  BuiltCells built;
  AreaSets sets;
  for (std::uint32_t layer = 0; layer < scene.layers.size(); ++layer) {
    Result<Map> map = extract_map(scene, layer, sets);
    if (!map) {
      ADD_FAILURE() << to_string(map.problems()[0]);
      return built;
    }
    built.maps.push_back(std::move(*map));
    built.feet.push_back(insert_bottlenecks(built.maps.back(), settings.narrow_gap));
  }
  built.build = build_cells(built.maps, built.feet, std::move(sets), settings.radius, settings.rule);
  return built;
}

inline Polygon box(double x0, double y0, double x1, double y1) { return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}; }

inline Scene scene_of(Layer layer) {
  Scene scene;
  scene.name = "test";
  layer.name = "ground";
  scene.layers.push_back(std::move(layer));
  return scene;
}

}  // namespace throng::testing
