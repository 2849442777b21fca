// SPDX-License-Identifier: MIT
#include "draw/field_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "draw/palette.hpp"

namespace throng {
namespace {

constexpr double kPaleness = 0.15;    // of tiles: people are drawn over them
constexpr double kPaleArrows = 0.55;  // of tiles below arrows
constexpr double kArrowPixels = 16;   // between two arrows
constexpr double kBands = 32;         // of the scale of potentials, every other one darker
constexpr double kBandShade = 0.12;   // by so much
constexpr double kLeastSpeed = 0.05;  // m/s: below it no arrow has a direction worth drawing

/// What a tile shows, if anything is known of it.
std::optional<double> value_of(const FieldTile& tile, FieldShow show) {
  if (show == FieldShow::kDensity) return tile.density;
  if (!std::isfinite(tile.potential)) return std::nullopt;
  if (show == FieldShow::kPotential) return tile.potential;
  // A goal asks for no velocity.
  return tile.velocity == Vec2{} ? std::nullopt : std::optional(length(tile.velocity));
}

/// The end of the scale: nearly everything is below it, and it is a round number.
double end_of_scale(std::span<const FieldTile> tiles, const FieldPicture& picture) {
  std::vector<double> values;
  for (const FieldTile& tile : tiles)
    if (tile.layer == picture.layer)
      if (const auto value = value_of(tile, picture.show)) values.push_back(*value);
  const double least = picture.show == FieldShow::kPotential ? 1 : 0.5;
  if (values.empty()) return least;
  const auto last = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 995 / 1000);
  std::nth_element(values.begin(), last, values.end());
  const double most = std::max(least, *last), step = std::pow(10, std::floor(std::log10(most))) / 2;
  return std::ceil(most / step) * step;
}

/// Where it is good to be is bright: near the goal, where nobody is, where one walks fast.
Color color_of(double value, double end, FieldShow show) {
  const double share = std::clamp(value / end, 0.0, 1.0);
  return viridis(show == FieldShow::kSpeed || show == FieldShow::kVelocity ? share : 1 - share);
}

void draw_arrow(DrawStream& out, Vec2 at, Vec2 way, double width) {
  const Vec2 tip = at + 0.5 * way, tail = at - 0.5 * way, back = 0.35 * way, side = 0.2 * Vec2{-way.y, way.x};
  const Vec2 shaft[] = {tail, tip}, head[] = {tip - back + side, tip, tip - back - side};
  const Pen pen{kInk, width, 1};
  out.polyline(shaft, pen);
  out.polyline(head, pen);
}

}  // namespace

void draw_field(DrawStream& out, std::span<const FieldTile> tiles, const FieldPicture& picture) {
  // Half a pixel wider than they are, or the paper would show between them.
  const double end = end_of_scale(tiles, picture), half = 0.5 * (picture.tile + picture.pixel);
  const bool has_arrows = picture.show == FieldShow::kVelocity;
  out.begin_layer("field");
  for (const FieldTile& tile : tiles) {
    const auto value = value_of(tile, picture.show);
    if (tile.layer != picture.layer || !value || (picture.show == FieldShow::kDensity && *value <= 0)) continue;
    Color color = pale(color_of(*value, end, picture.show), has_arrows ? kPaleArrows : kPaleness);
    // Every other band is darker: their edges are lines of equal potential.
    if (picture.show == FieldShow::kPotential && static_cast<std::int64_t>(*value / end * kBands) % 2 != 0)
      color = mixed(color, kBlack, kBandShade);
    const Vec2 at = tile.centre + picture.origin;
    const Vec2 corners[] = {
        {at.x - half, at.y - half}, {at.x + half, at.y - half}, {at.x + half, at.y + half}, {at.x - half, at.y + half}};
    const std::span<const Vec2> ring(corners);
    out.polygon({&ring, 1}, color);
  }
  if (!has_arrows) return;
  out.begin_layer("velocity");
  // On a grid of their own that is as fine as can be read.
  const auto every = std::max<std::int64_t>(1, std::llround(std::ceil(kArrowPixels * picture.pixel / picture.tile)));
  const double longest = 0.85 * static_cast<double>(every) * picture.tile;
  for (const FieldTile& tile : tiles) {
    const auto column = static_cast<std::int64_t>(std::floor(tile.centre.x / picture.tile));
    const auto row = static_cast<std::int64_t>(std::floor(tile.centre.y / picture.tile));
    const double speed = length(tile.velocity);
    if (tile.layer != picture.layer || column % every != 0 || row % every != 0 || speed < kLeastSpeed) continue;
    const double share = std::max(0.35, std::min(1.0, speed / end));
    draw_arrow(out, tile.centre + picture.origin, share * longest / speed * tile.velocity, 0.06 * longest);
  }
}

std::vector<LegendEntry> field_legend(std::span<const FieldTile> tiles, const FieldPicture& picture) {
  const double end = end_of_scale(tiles, picture);
  const char* const unit = picture.show == FieldShow::kPotential ? "" : picture.show == FieldShow::kDensity ? " /m²" : " m/s";
  const double paleness = picture.show == FieldShow::kVelocity ? kPaleArrows : kPaleness;
  std::vector<LegendEntry> legend;
  constexpr std::array<const char*, 4> kNames = {"potential ", "density ", "speed ", "speed "};
  for (int step = 0; step <= 4; ++step) {
    const double value = end * step / 4;
    legend.push_back({fmt::format("{}{:g}{}", step == 0 ? kNames[static_cast<std::size_t>(picture.show)] : "", value, unit),
                      pale(color_of(value, end, picture.show), paleness), LegendEntry::kArea});
  }
  return legend;
}

}  // namespace throng
