// SPDX-License-Identifier: MIT
// Scenes of several layers, each beside what it must be like or unlike.
#pragma once
#include <stdexcept>
#include <throng/navigation.hpp>

#include "navigation/navigation_data.hpp"
#include "support/built_cells.hpp"

namespace throng::testing {

inline Layer layer_of(const char* name, Polygon ground, double elevation = 0, Vec2 slope = {}) {
  Layer layer;
  layer.name = name;
  layer.walkable = {std::move(ground)};
  layer.elevation = elevation;
  layer.slope = slope;
  return layer;
}

inline Navigation baked(const Scene& scene) {
  Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
  if (!navigation) throw std::runtime_error(to_string(navigation.problems()[0]));
  return std::move(*navigation);
}

/// A road from south to north under a bridge from west to east, with a ramp from the road's north end up to the bridge's east
/// end.
inline Scene bridge() {
  Scene scene;
  scene.name = "bridge";
  scene.layers = {layer_of("road", box(0, -20, 6, 20)), layer_of("bridge", box(-20, -2, 20, 2), 4),
                  layer_of("ramp", box(6, 14, 20, 18), -12.0 / 7, {2.0 / 7, 0}), layer_of("tower", box(20, -2, 24, 18), 4)};
  scene.joints = {{{0, 2}, {{6, 14}, {6, 18}}}, {{2, 3}, {{20, 14}, {20, 18}}}, {{3, 1}, {{20, -2}, {20, 2}}}};
  return scene;
}

/// A hall of 20 × 10 m with pillars, in one layer.
inline Scene whole_hall() {
  Scene whole;
  whole.layers = {layer_of("hall", box(0, 0, 20, 10))};
  whole.layers[0].obstacles = {box(4, 3, 5, 9), box(12, 0, 12.5, 4), box(11.5, 6, 15, 7), box(9.5, 8, 10.5, 9),
                               box(17, 2, 18, 8)};
  return whole;
}

/// The same, cut along x = 10 and x = 14.
inline Scene cut_hall() {
  Scene cut;
  cut.layers = {layer_of("west", box(0, 0, 10, 10)), layer_of("middle", box(10, 0, 14, 10)),
                layer_of("east", box(14, 0, 20, 10))};
  for (Layer& layer : cut.layers) layer.obstacles = whole_hall().layers[0].obstacles;
  cut.joints = {{{0, 1}, {{10, 0}, {10, 10}}}, {{1, 2}, {{14, 0}, {14, 10}}}};
  return cut;
}
inline std::uint32_t layer_of_cut_hall(Vec2 p) { return p.x < 10 ? 0u : p.x < 14 ? 1u : 2u; }

}  // namespace throng::testing
