// SPDX-License-Identifier: MIT
// A steady step of people who walk by priority rules allocates nothing.
#include <gtest/gtest.h>

#include <throng/world.hpp>

#include "support/count_allocations.hpp"
#include "support/layered_scenes.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

TEST(RulesMemory, a_steady_step_allocates_nothing) {
  Layer layer;
  layer.walkable = {box(0, 0, 24, 20)};
  layer.obstacles = {box(11.75, 0, 12.25, 8), box(11.75, 10, 12.25, 20)};
  const Navigation navigation = baked(scene_of(layer));
  WorldSettings settings;
  settings.models = {RulesSettings{}};
  settings.sort_every = 0;  // the neighbourhood graph follows moved rows with new memory, whatever the model
  Result<World> world = World::create(navigation, settings);
  ASSERT_TRUE(world);
  for (int i = 0; i < 60; ++i) {
    // From either side through the gap and back, for ever.
    const Vec2 here = {1.25 + i % 8, 1.25 + 2.0 * (i / 8)}, there = {22.75 - i % 8, 18.75 - 2.0 * (i / 8)};
    Plan plan;
    plan.goals = {{.point = i % 2 == 0 ? there : here}, {.point = i % 2 == 0 ? here : there}};
    plan.end = PlanEnd::kLoop;
    AgentDef def;
    def.position = i % 2 == 0 ? here : there;
    def.plan = world->add_plan(plan);
    ASSERT_TRUE(world->add(def));
  }
  const std::size_t at_first = allocations;
  std::size_t arrivals = 0;
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      world->step();
      for (const Event& event : world->events()) arrivals += event.kind == EventKind::kArrived;
    }
  };
  run(6000);
  EXPECT_GT(allocations, at_first) << "the counter counts";
  const std::size_t before = allocations, arrived = arrivals;
  run(1000);
  EXPECT_GT(arrivals, arrived + 20) << "people get new itineraries all the time";
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace throng
