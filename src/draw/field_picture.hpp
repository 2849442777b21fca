// SPDX-License-Identifier: MIT
// A potential field as tiles and arrows: what a way to the goal costs, how dense it is, and how fast and where people are led.
//
//   const FieldPicture picture{.show = FieldShow::kPotential, .tile = 0.5};
//   draw_field(out, tiles, picture);                    // below people
//   sheet.legend = field_legend(tiles, picture);
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/fields.hpp>

#include "draw/canvas.hpp"
#include "geometry/draw_stream.hpp"

namespace throng {

enum class FieldShow : std::uint8_t {
  kPotential,  ///< viridis from the goal (bright) to far away, with lines of equal potential
  kDensity,    ///< people per m², of everybody
  kSpeed,      ///< of the velocity that the field asks for
  kVelocity,   ///< arrows over the speed
};

struct FieldPicture {
  FieldShow show = FieldShow::kPotential;
  double tile = 0.5;  ///< m
  Vec2 origin;        ///< added to all places
  std::uint32_t layer = 0;
  double pixel = 0.05;  ///< metres a pixel covers: arrows keep a readable distance
};

void draw_field(DrawStream& out, std::span<const FieldTile> tiles, const FieldPicture& picture);
/// Five steps of the scale, with their unit.
std::vector<LegendEntry> field_legend(std::span<const FieldTile> tiles, const FieldPicture& picture);

}  // namespace throng
