// SPDX-License-Identifier: MIT
#include "draw/flow_picture.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace throng {
namespace {

Gate gate(DiscIndex a, DiscIndex b, Vec2 middle) {
  return {{a, b}, {Vec3{middle.x, middle.y + 1, 0}, Vec3{middle.x, middle.y - 1, 0}}, 1};
}

TEST(FlowPicture, adds_up_the_trips_of_all_paths_on_each_stretch) {
  // Two ways from disc 0 to disc 3: by disc 1 or by disc 2.
  NavGraph graph;
  graph.centre = {{0, 0, 0}, {10, 5, 0}, {10, -5, 0}, {20, 0, 0}};
  graph.radius = {6, 6, 6, 6};
  graph.gates = {gate(0, 1, {5, 2}), gate(1, 3, {15, 2}), gate(0, 2, {5, -2}), gate(2, 3, {15, -2})};
  const std::vector<FlowPath> there{{{0, 1, 3}, {0, 1}}, {{0, 2, 3}, {2, 3}}}, back{{{3, 1, 0}, {1, 0}}};
  const FlowTrips flows[] = {{there, {30, 5}}, {back, {12}}, {back, {0}}};
  const std::vector<LoadedStretch> stretches = stretches_of(graph, flows, {100, 0});
  ASSERT_EQ(stretches.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(stretches[i].trips, i < 3 ? 5 : 42) << "both directions count";
  const auto joins = [](const LoadedStretch& s, Vec2 a, Vec2 b) {
    return (s.from == a && s.to == b) || (s.from == b && s.to == a);
  };
  EXPECT_EQ(std::count_if(stretches.begin(), stretches.end(), [&](const auto& s) { return joins(s, {105, 2}, {115, 2}); }), 1);
  EXPECT_EQ(std::count_if(stretches.begin(), stretches.end(), [&](const auto& s) { return joins(s, {100, 0}, {105, -2}); }), 1);
  EXPECT_EQ(load_legend(stretches).back().words, "42 trips");
  EXPECT_TRUE(load_legend({}).empty());
}

}  // namespace
}  // namespace throng
