// SPDX-License-Identifier: MIT
#include "scene/sheets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/meshes.hpp"

namespace throng {
namespace {

using namespace throng::testing;

struct Split {
  Surface surface;
  Sheets sheets;
};

Split split(const Mesh& mesh, const SurfaceSettings& settings = {}) {
  InlineTasks tasks;
  Result<Surface> surface = sample_surface(mesh, settings, tasks);
  if (!surface) throw std::runtime_error(to_string(surface.problems()[0]));
  Sheets sheets = split_into_sheets(*surface);
  return {std::move(*surface), std::move(sheets)};
}

/// Links between sheets, in metres across.
double seam_length(const Split& s) {
  int links = 0;
  for (NodeIndex n = 0; n < s.surface.node_count(); ++n)
    for (const int d : {0, 2})
      if (const NodeIndex m = s.surface.neighbour(n, d); m != kNoNode) links += s.sheets.of[m] != s.sheets.of[n];
  return links * s.surface.step;
}

TEST(Sheets, NoLayerLiesOverItselfAndEverySheetIsConnected) {
  Mesh hills;
  add_terrain(hills, {-9, -9}, 12, 1.5, 0.4);
  for (const Mesh& mesh : {spiral_ramp(3), bridge_over_road(), two_storeys(), hills, noise(2000, 20, 3, 5)}) {
    const Split s = split(mesh);
    const Surface& ground = s.surface;
    std::set<std::pair<std::uint32_t, std::uint32_t>> taken;
    for (NodeIndex n = 0; n < ground.node_count(); ++n) {
      EXPECT_TRUE(taken.insert({s.sheets.layer(n), ground.column[n]}).second) << "two nodes of a layer in one column";
      for (int d = 0; d < 8; ++d) {
        const std::uint32_t column = ground.neighbour_column(ground.column[n], d);
        if (column == kNoColumn) continue;
        for (NodeIndex m = ground.column_start[column]; m < ground.column_start[column + 1]; ++m)
          if (s.sheets.layer(m) == s.sheets.layer(n)) EXPECT_LT(std::abs(ground.z[m] - ground.z[n]), ground.head_room);
      }
    }
    std::vector<bool> seen(ground.node_count());
    std::set<std::uint32_t> started;
    std::vector<NodeIndex> open;
    for (NodeIndex seed = 0; seed < ground.node_count(); ++seed) {
      if (seen[seed]) continue;
      EXPECT_TRUE(started.insert(s.sheets.of[seed]).second) << "a sheet in two pieces";
      seen[seed] = true;
      open.assign(1, seed);
      while (!open.empty()) {
        const NodeIndex n = open.back();
        open.pop_back();
        for (int d = 0; d < 8; d += 2)
          if (const NodeIndex m = ground.neighbour(n, d); m != kNoNode && !seen[m] && s.sheets.of[m] == s.sheets.of[n])
            seen[m] = true, open.push_back(m);
      }
    }
    EXPECT_EQ(started.size(), s.sheets.layer_of_sheet.size());
  }
}

TEST(Sheets, StairsAreCutOnceAndStraightAcross) {
  const Split s = split(two_storeys(), {.step = 0.1});
  EXPECT_EQ(s.sheets.layer_of_sheet.size(), 2u);
  EXPECT_NEAR(seam_length(s), 2, 0.11) << "the stairs are 2 m wide";
}

TEST(Sheets, GroundThatDoesNotLieOverItselfIsOneSheet) {
  Mesh hills;
  add_terrain(hills, {-9, -9}, 12, 1.5, 0.4);
  EXPECT_EQ(split(hills).sheets.layer_of_sheet.size(), 1u);
}

TEST(Sheets, IslandsOfOneHeightShareALayer) {
  Mesh mesh;
  add_floor(mesh, {0, 0}, {4, 4}, 0);
  add_floor(mesh, {6, 0}, {9, 3}, 0.4);
  add_floor(mesh, {0, 6}, {4, 9}, 6);
  const Split s = split(mesh);
  EXPECT_EQ(s.sheets.layer_of_sheet.size(), 3u);
  EXPECT_EQ(s.sheets.layer_count, 2u);
}

}  // namespace
}  // namespace throng
