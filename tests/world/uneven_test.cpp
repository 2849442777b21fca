// SPDX-License-Identifier: MIT
// People on the uneven ground of meshes: how fast they climb, and that they get from storey to storey.
#include <throng/graph.hpp>
#include <throng/layers.hpp>
#include <throng/world.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "navigation/navigation_data.hpp"
#include "support/meshes.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Scene layered(const Mesh& mesh, double step) {
  Scene scene;
  scene.mesh = mesh;
  auto split = split_into_layers(scene, {.grid_step = step, .threads = 1});
  EXPECT_TRUE(split);
  return std::move(split->scene);
}

/// Metres a second in plan over the middle of a stretch of 20 m that rises by `rise` in all, walked from x = `from` to x = `to`.
double speed_over(double rise, double from, double to) {
  Mesh mesh;
  add_quad(mesh, {-10, -2, 0}, {0, -2, 0}, {0, 2, 0}, {-10, 2, 0});
  add_quad(mesh, {0, -2, 0}, {20, -2, rise}, {20, 2, rise}, {0, 2, 0});
  add_quad(mesh, {20, -2, rise}, {30, -2, rise}, {30, 2, rise}, {20, 2, rise});
  const auto navigation = Navigation::bake(layered(mesh, 0.25), {.threads = 1});
  EXPECT_TRUE(navigation);
  Result<World> world = World::create(*navigation, {.dt = 0.05});
  EXPECT_TRUE(world);
  const AgentId id = world->add({.position = {from, 0}});
  EXPECT_TRUE(id);
  EXPECT_TRUE(world->set_goal(id, {to, 0}));
  double entered = -1, left = -1;
  for (int i = 0; i < 1500 && left < 0; ++i) {
    world->step();
    const double x = world->position(id).x;
    if (x > 5 && x < 15 && entered < 0) entered = world->time();
    if (entered >= 0 && (x <= 5 || x >= 15)) left = world->time();
  }
  return 10 / (left - entered);
}

TEST(UnevenGround, is_climbed_at_the_speed_of_a_layer_with_the_same_slope) {
  const double flat = speed_over(0, -8, 28);
  EXPECT_NEAR(flat, 1.34, 0.02);
  for (const double rise : {2.0, 5.0, 10.0}) {
    Layer layer;
    layer.slope = {rise / 20, 0};
    const SlopeSpeed speed = slope_speed(layer);
    const double plan = 1.34 / std::sqrt(1 + layer.slope.x * layer.slope.x);
    EXPECT_NEAR(speed_over(rise, -8, 28), plan * speed.up, 0.03) << rise;
    EXPECT_NEAR(speed_over(rise, 28, -8), plan * speed.down, 0.03) << rise;
  }
}

TEST(UnevenGround, of_a_mesh_takes_people_up_its_stairs) {
  const Scene scene = layered(two_storeys(), 0.1);
  const auto navigation = Navigation::bake(scene, {.threads = 1});
  ASSERT_TRUE(navigation);
  const std::uint32_t ground = navigation->layer_at({1, 1}, 0), upper = navigation->layer_at({1, 1}, 3);
  ASSERT_NE(ground, upper);
  Result<World> world = World::create(*navigation);
  ASSERT_TRUE(world);
  const std::uint32_t up = world->add_plan({{{.point = {13, 10}, .layer = upper}}, PlanEnd::kStay});
  const std::uint32_t down = world->add_plan({{{.point = {13, 2}, .layer = ground}}, PlanEnd::kStay});
  std::vector<AgentId> climbers, others;
  for (int i = 0; i < 8; ++i) {
    climbers.push_back(world->add({.position = {1.0 + 0.7 * i, 1}, .layer = ground, .plan = up}));
    others.push_back(world->add({.position = {1.0 + 0.7 * i, 10}, .layer = upper, .plan = down}));
  }
  for (int i = 0; i < 900; ++i) world->step();
  for (const AgentId id : climbers) EXPECT_NEAR(world->elevation(id), 3, 0.05);
  for (const AgentId id : others) EXPECT_NEAR(world->elevation(id), 0, 0.05);
  std::vector<std::uint16_t> layer(world->agent_count());
  std::vector<float> elevation(world->agent_count());
  world->footing(layer, elevation);
  for (std::uint32_t row = 0; row < world->agent_count(); ++row) {
    EXPECT_EQ(layer[row], world->layer(world->id_at(row)));
    EXPECT_FLOAT_EQ(elevation[row], static_cast<float>(world->elevation(world->id_at(row))));
  }
}

TEST(UnevenGround, written_as_layers_gives_the_graph_that_the_mesh_gives) {
  Scene mesh;
  mesh.mesh = two_storeys();
  const auto direct = NavigationGraph::bake(mesh, {.grid_step = 0.1, .threads = 1});
  const auto by_layers = NavigationGraph::bake(layered(mesh.mesh, 0.1), {.grid_step = 0.1, .threads = 1});
  ASSERT_TRUE(direct && by_layers);
  EXPECT_EQ(direct->report().components, 1u);
  EXPECT_EQ(by_layers->report().components, 1u);
  EXPECT_NEAR(by_layers->report().feasible_area, direct->report().feasible_area, 0.03 * direct->report().feasible_area);
  const auto one = direct->path({1, 1, 0}, {14, 10, 3}), two = by_layers->path({1, 1, 0}, {14, 10, 3});
  ASSERT_TRUE(one && two && one->found && two->found);
  EXPECT_NEAR(two->length, one->length, 0.05 * one->length);
}

}  // namespace
}  // namespace throng
