// SPDX-License-Identifier: MIT
// Debug draw as an interface: the core emits points, lines, polygons and labels in metres; who renders is not its business.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include <throng/vec.hpp>

namespace throng {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
};

/// How a primitive looks. Widths are in metres on the ground; a renderer keeps them at least `min_pixels` wide.
struct Pen {
  Color color;
  double width = 0.1;
  double min_pixels = 0.5;
};

/// Receives primitives in drawing order: later ones cover earlier ones.
class DrawStream {
 public:
  virtual ~DrawStream() = default;
  /// Starts a named group ("walls", "cells", "bottlenecks", …); primitives belong to the last one begun.
  virtual void begin_layer(std::string_view name) = 0;
  virtual void polyline(std::span<const Vec2> points, Pen pen) = 0;
  /// Filled area between rings (even-odd), e.g. an outline and its holes.
  virtual void polygon(std::span<const std::span<const Vec2>> rings, Color fill) = 0;
  /// A filled disc, `radius` in metres.
  virtual void disc(Vec2 centre, double radius, Color fill) = 0;
  virtual void text(Vec2 at, std::string_view words, double size, Color color) = 0;
};

}  // namespace throng
