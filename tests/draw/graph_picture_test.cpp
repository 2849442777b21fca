// SPDX-License-Identifier: MIT
#include "draw/graph_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "navgraph/build.hpp"
#include "support/meshes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

/// Counts primitives by layer, and the area of polygons.
class Recorder : public DrawStream {
 public:
  void begin_layer(std::string_view name) override { layer_ = name; }
  void polyline(std::span<const Vec2>, Pen) override { ++lines[layer_]; }
  void polygon(std::span<const std::span<const Vec2>> rings, Color) override {
    for (const auto& ring : rings)
      for (std::size_t i = 0; i < ring.size(); ++i) area[layer_] += cross(ring[i], ring[(i + 1) % ring.size()]) / 2;
  }
  void disc(Vec2, double, Color) override { ++discs[layer_]; }
  void text(Vec2, std::string_view, double, Color) override {}
  std::map<std::string, std::size_t> lines, discs;
  std::map<std::string, double> area;

 private:
  std::string layer_;
};

TEST(GraphPicture, ShowsEverySampleDiscAndGateOnce) {
  InlineTasks tasks;
  NavGraphReport report;
  const Result<NavGraph> graph = build_nav_graph(
      two_storeys(), {.sight_range = 10}, tasks, [](const char*) {}, report);
  ASSERT_TRUE(graph);
  for (const auto fill : {GraphPicture::kDiscs, GraphPicture::kClearance, GraphPicture::kPlain, GraphPicture::kComponents}) {
    Recorder out;
    draw_graph_picture(out, *graph, {.fill = fill, .pixel = 1e-9});
    EXPECT_NEAR(out.area["ground"], static_cast<double>(report.samples) * 0.0625, 0.01);
    EXPECT_EQ(out.lines["gates"], fill == GraphPicture::kPlain ? 0 : graph->gates.size());
    const bool discs = fill == GraphPicture::kDiscs || fill == GraphPicture::kComponents;
    EXPECT_EQ(out.discs["discs"], discs ? graph->disc_count() : 0);
    EXPECT_GE(graph_legend(*graph, {.fill = fill}).size(), 3u);
  }
}

}  // namespace
}  // namespace throng
