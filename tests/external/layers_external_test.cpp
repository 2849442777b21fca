// SPDX-License-Identifier: MIT
// Layered cells of two game levels that nobody on this project made. Absent data is skipped.
#include <gtest/gtest.h>

#include <throng/graph.hpp>
#include <throng/layers.hpp>

#include <cmath>

#include "base/random.hpp"
#include "import/import.hpp"
#include "scene/sight_grid.hpp"
#include "support/external_data.hpp"

namespace throng {
namespace {

class LayeredLevel : public ::testing::TestWithParam<GameLevel> {};

TEST_P(LayeredLevel, BakesAndItsStoreysAreJoined) {
  const GameLevel& level = GetParam();
  THRONG_EXTERNAL(file, level.file);
  Result<Scene> scene = load_scene(file);
  ASSERT_TRUE(scene) << to_string(scene.problems()[0]);
  const auto split = split_into_layers(*scene, {.grid_step = level.step, .step_height = 0.9, .threads = 2});
  ASSERT_TRUE(split) << to_string(split.problems()[0]);
  const auto baked = Navigation::bake(split->scene, {.threads = 2});
  ASSERT_TRUE(baked) << to_string(baked.problems()[0]);
  EXPECT_GE(baked->report().layers, 2u);
  EXPECT_NEAR(baked->report().area, split->area, 0.75 * baked->report().wall_length * level.step);

  // Both structures find a way between the storeys, and it climbs no faster than stairs do.
  const PathRequest request{.from = {level.low.x, level.low.y},
                            .to = {level.high.x, level.high.y},
                            .from_layer = baked->layer_at({level.low.x, level.low.y}, level.low.z),
                            .to_layer = baked->layer_at({level.high.x, level.high.y}, level.high.z)};
  const auto path = baked->plan(request);
  ASSERT_TRUE(path && path->found);
  const std::vector<Vec3> way = baked->in_space(path->points, request.from_layer, 0.1);
  EXPECT_NEAR(way.front().z, level.low.z, 0.5);
  EXPECT_NEAR(way.back().z, level.high.z, 0.5);
  for (std::size_t i = 1; i < way.size(); ++i) EXPECT_LE(std::abs(way[i].z - way[i - 1].z), 0.91 + 0.1) << i;
  const auto graph = NavigationGraph::bake(*scene, {.grid_step = level.step, .step_height = 0.9});
  ASSERT_TRUE(graph);
  const auto other = graph->path(level.low, level.high);
  ASSERT_TRUE(other && other->found);
  double length = 0;
  for (std::size_t i = 1; i < way.size(); ++i)
    length += std::sqrt(std::pow(way[i].x - way[i - 1].x, 2) + std::pow(way[i].y - way[i - 1].y, 2) +
                        std::pow(way[i].z - way[i - 1].z, 2));
  EXPECT_NEAR(length, other->length, 0.1 * other->length);

  // The way is free at waist height, against the triangles themselves.
  const SightGrid lines(scene->mesh);
  for (std::size_t i = 1; i < way.size(); ++i)
    EXPECT_TRUE(lines.is_free({way[i - 1].x, way[i - 1].y, way[i - 1].z + 1.3}, {way[i].x, way[i].y, way[i].z + 1.3}))
        << way[i].x << ", " << way[i].y << ", " << way[i].z;
}

INSTANTIATE_TEST_SUITE_P(Layers, LayeredLevel, kGameLevels, name_of_level);

}  // namespace
}  // namespace throng
