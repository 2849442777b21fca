// SPDX-License-Identifier: MIT
#include "draw/cells_picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "draw/cells_fixture.hpp"
#include "draw/palette.hpp"
#include "draw/png_canvas.hpp"
#include "draw/scene_picture.hpp"
#include "draw/svg_canvas.hpp"
#include "draw/xml_check.hpp"
#include "scene/office.hpp"

namespace throng {
namespace {

double signed_area(const std::vector<Vec2>& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) twice += cross(ring[i], ring[(i + 1) % ring.size()]);
  return twice / 2;
}

/// A 10 m square round a 2 m island, as four trapezoids; and a closed cell 4 m to the east.
Cells square_with_island() {
  return make_cells({{0, 0}, {10, 0}, {10, 10}, {0, 10}, {4, 4}, {6, 4}, {6, 6}, {4, 6}, {14, 0}, {16, 0}, {16, 2}, {14, 2}},
                    {{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {8, 9, 10, 11}});
}

CanvasSettings whole(const Cells& cells) {
  CanvasSettings s;
  std::tie(s.low, s.high) = bounds_of(cells, 0);
  s.pixel_width = 320;
  s.margin = 0;
  s.scale_bar = s.border = false;
  return s;
}

TEST(CellsPicture, GroundOutlinesAreTheOuterWallAndTheIslandWithGroundOnTheLeft) {
  const auto outlines = ground_outlines(square_with_island(), 0);
  ASSERT_EQ(outlines.size(), 3u);
  std::vector<double> areas;
  for (const auto& o : outlines) areas.push_back(signed_area(o));
  std::sort(areas.begin(), areas.end());
  EXPECT_EQ(areas, (std::vector<double>{-4, 4, 100}));
  EXPECT_TRUE(ground_outlines(square_with_island(), 1).empty());
}

TEST(CellsPicture, GroundIsPaperAndTheIslandIsGrey) {
  const Cells cells = square_with_island();
  PngCanvas canvas(whole(cells));
  CellsPicture settings;
  settings.fill = CellsPicture::kPlain;
  settings.pixel = canvas.metres_per_pixel();
  draw_cells(canvas, cells, settings);
  const auto green_at = [&](Vec2 p) {
    const Vec2 pixel = canvas.to_pixels(p);
    return int{canvas.pixel(static_cast<int>(pixel.x), static_cast<int>(pixel.y)).g};
  };
  EXPECT_EQ(green_at({2, 5}), kPaper.g);
  EXPECT_EQ(green_at({5, 5}), kSolidGrey.g);
  EXPECT_EQ(green_at({12, 5}), kSolidGrey.g);
  EXPECT_EQ(green_at({15, 1}), kPaper.g);
}

TEST(CellsPicture, TopologyAndZonesGiveTheirColours) {
  const Cells cells = square_with_island();
  const std::vector<std::uint32_t> zones{3, 3, 8, 8, 9};
  for (const auto fill : {CellsPicture::kCells, CellsPicture::kTopology, CellsPicture::kZones, CellsPicture::kComponents}) {
    PngCanvas canvas(whole(cells));
    CellsPicture settings;
    settings.fill = fill;
    settings.zone_of_cell = zones;
    settings.pixel = canvas.metres_per_pixel();
    draw_cells(canvas, cells, settings);
    const auto at = [&](Vec2 p) {
      const Vec2 pixel = canvas.to_pixels(p);
      const Color c = canvas.pixel(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
      return std::array<int, 3>{c.r, c.g, c.b};
    };
    const auto south = at({5, 1}), east = at({9, 5}), north = at({5, 9}), closed = at({15, 1});
    EXPECT_EQ(south == east, fill != CellsPicture::kCells);
    EXPECT_EQ(south == north, fill == CellsPicture::kTopology || fill == CellsPicture::kComponents);
    EXPECT_NE(south, closed);
  }
}

TEST(CellsPicture, EveryLayerOfThePictureIsWellFormedSvg) {
  const Cells cells = square_with_island();
  CellsPicture settings;
  settings.roadmap = true;
  CanvasSettings sheet = whole(cells);
  sheet.legend = cells_legend(settings);
  SvgCanvas canvas(sheet);
  settings.pixel = canvas.metres_per_pixel();
  draw_cells(canvas, cells, settings);
  const Vec2 path[] = {{1, 1}, {9, 1}, {9, 9}};
  draw_path(canvas, path, kBlue, settings.pixel);
  const std::string text = canvas.document();
  EXPECT_EQ(xml_error(text), std::nullopt);
  for (const char* layer : {"solid", "ground", "cells", "portals", "bottlenecks", "roadmap", "walls", "path"})
    EXPECT_NE(text.find(std::string("class=\"") + layer + "\""), std::string::npos) << layer;
}

TEST(CellsPicture, BottleneckWidthsAreWrittenOnlyWhereTheyCanBeRead) {
  Cells cells = square_with_island();
  cells.portals[0].bottleneck = 1;
  const auto document = [&](double world_width) {
    CanvasSettings sheet = whole(cells);
    sheet.high = sheet.low + Vec2{world_width, world_width};
    SvgCanvas canvas(sheet);
    CellsPicture settings;
    settings.pixel = canvas.metres_per_pixel();
    draw_cells(canvas, cells, settings);
    return canvas.document();
  };
  EXPECT_NE(document(16).find(">5.66</text>"), std::string::npos);
  EXPECT_EQ(document(1600).find("<text"), std::string::npos);
}

TEST(ScenePicture, ShowsWallsInGreyAndTheNamesOfRooms) {
  const Scene office = make_office(6);
  CanvasSettings sheet;
  std::tie(sheet.low, sheet.high) = bounds_of(office, 0);
  SvgCanvas canvas(sheet);
  ScenePicture settings;
  settings.pixel = canvas.metres_per_pixel();
  draw_scene(canvas, office, settings);
  const Finding finding{Finding::kError, "x", {1, 1}, {{1, 1}, {2, 2}}, {}};
  draw_findings(canvas, {&finding, 1}, settings.pixel);
  const std::string text = canvas.document();
  EXPECT_EQ(xml_error(text), std::nullopt);
  EXPECT_NE(text.find(">room 6</text>"), std::string::npos);
  EXPECT_NE(text.find("findings"), std::string::npos);
}

}  // namespace
}  // namespace throng
