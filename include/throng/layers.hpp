// SPDX-License-Identifier: MIT
// From any triangle mesh, on any number of storeys, to layers that cells can be baked from.
//
//   throng::Scene scene = …;                                   // a mesh
//   auto layered = throng::split_into_layers(scene, {.step_height = 0.3});
//   if (!layered) for (auto& problem : layered.problems()) std::puts(to_string(problem).c_str());
//   auto navigation = throng::Navigation::bake(layered->scene);
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <throng/navigation.hpp>
#include <throng/result.hpp>
#include <throng/scene.hpp>

namespace throng {

struct LayerSettings {
  double grid_step = 0.1;    ///< metres between samples, at most step_height / tan(slope) and half the narrowest door
  double slope = 35;         ///< degrees; the steepest ground one walks on
  double step_height = 0.2;  ///< metres; kerbs and stairs up to here are stepped over
  double head_room = 1.9;    ///< metres
  double min_island = 2;     ///< m²; smaller pieces of ground are dropped unless a seed is on them
  std::vector<Vec3> seeds;   ///< places whose ground is kept
  std::uint64_t max_samples = 50'000'000;  ///< a mesh that needs more is refused before memory is asked for
  unsigned threads = 0;                    ///< 0: one per core; the result does not depend on it
  /// Called at the start of each stage, on the calling thread.
  std::function<void(std::string_view stage)> progress;
};

struct LayeredScene {
  Scene scene;                ///< layers, lowest first, and their joints; no mesh
  std::uint64_t samples = 0;  ///< places of the grid where one can stand
  double area = 0;            ///< m² of them
  std::uint32_t sheets = 0;   ///< connected pieces of ground that do not lie over themselves; a layer holds one or more
  std::vector<BakeStage> stages;
};

/// Samples the mesh of a scene and splits the ground into layers that never overlap in plan, joined where one walks from one to
/// the other. Outlines follow walls and ledges to a quarter of a grid step, heights are kept as a grid for each layer. The same
/// for any number of threads. Fails when a setting is out of range, the mesh is broken or too large, or there is no ground.
Result<LayeredScene> split_into_layers(const Scene& scene, const LayerSettings& settings = {});

}  // namespace throng
