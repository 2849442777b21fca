// SPDX-License-Identifier: MIT
#include "draw/interest_picture.hpp"

#include <array>
#include <cmath>

#include "draw/palette.hpp"

namespace throng {
namespace {

constexpr std::array<Color, 3> kLevels = {kVermillion, kOrange, kSkyBlue};
constexpr double kTilePaleness = 0.65;  // of tiles, below people

Color level_color(std::uint8_t level) { return kLevels[level % kLevels.size()]; }

}  // namespace

void draw_levels(DrawStream& out, std::span<const LevelTile> tiles, double size, Vec2 origin, std::uint32_t layer) {
  out.begin_layer("levels");
  for (const LevelTile& tile : tiles) {
    if (tile.layer != layer) continue;
    const Vec2 at = tile.centre + origin;
    const double half = 0.49 * size;  // a hair of ground between two
    const Vec2 corners[] = {
        {at.x - half, at.y - half}, {at.x + half, at.y - half}, {at.x + half, at.y + half}, {at.x - half, at.y + half}};
    const std::span<const Vec2> ring(corners);
    out.polygon({&ring, 1}, pale(level_color(tile.level), kTilePaleness));
  }
}

void draw_regions(DrawStream& out, std::span<const Region> regions, Vec2 origin, std::uint32_t layer) {
  out.begin_layer("regions");
  constexpr int kSides = 96;
  for (const Region& region : regions) {
    if (region.layer != kAllLayers && region.layer != layer) continue;
    const Pen pen{level_color(region.level), 0.15, 2};
    const auto point = [&](int side) {
      const double angle = 6.283185307179586 * side / kSides;
      return region.centre + origin + region.radius * Vec2{std::cos(angle), std::sin(angle)};
    };
    const int gap = region.is_limit ? 2 : 0, dash = region.is_limit ? 2 : kSides;
    for (int first = 0; first < kSides; first += dash + gap) {
      std::vector<Vec2> arc;
      for (int side = first; side <= first + dash; ++side) arc.push_back(point(side));
      out.polyline(arc, pen);
    }
  }
}

void draw_vehicles(DrawStream& out, std::span<const VehicleState> vehicles, Vec2 origin, std::uint32_t layer) {
  out.begin_layer("vehicles");
  for (const VehicleState& v : vehicles) {
    if (!v.is_there || v.layer != layer) continue;
    const auto box = [&](double back, double front, double share, Color color) {
      const Vec2 middle = v.position + origin, side = 0.5 * share * v.width * Vec2{-v.ahead.y, v.ahead.x};
      const Vec2 low = middle + back * v.length * v.ahead, high = middle + front * v.length * v.ahead;
      const Vec2 corners[] = {low - side, high - side, high + side, low + side};
      const std::span<const Vec2> ring(corners);
      out.polygon({&ring, 1}, color);
    };
    box(-0.5, 0.5, 1, kInk);
    box(0.08, 0.24, 0.8, kSkyBlue);
  }
}

std::vector<LegendEntry> level_legend() {
  std::vector<LegendEntry> legend;
  for (std::uint8_t level = 0; level < 3; ++level)
    legend.push_back({"level " + std::to_string(level), pale(level_color(level), kTilePaleness), LegendEntry::kArea});
  return legend;
}

}  // namespace throng
