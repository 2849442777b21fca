// SPDX-License-Identifier: MIT
// A moment of a crowd in perspective: buildings extruded, people as shaded figures, sun, shadows and haze. A small software
// renderer, so that pictures and videos need no graphics card.
//
// Idea: two cameras fill buffers of the same kind, one at the eye and one at the sun. What stands still (ground, buildings) is
// painted once; for each moment the buffers are copied, people are added as ellipsoids, whose surface a ray meets exactly, and
// every pixel is lit once. Cost: O(pixels) a picture, plus the pixels that people cover in both buffers.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <throng/result.hpp>
#include <throng/scene.hpp>

#include "geometry/draw_stream.hpp"

namespace throng {

/// What a surface looks like besides its colour.
enum class Material : std::uint8_t { kPlain, kPaving, kSteps, kFacade, kRoof, kLawn, kWater, kFigure };

/// A person of a picture.
struct Figure {
  Vec3 place;  ///< of the feet
  Vec2 heading{1, 0};
  double radius = 0.2;
  double height = 1.7;
  double stride = 0;        ///< 0 stands, 1 takes full steps
  double phase = 0;         ///< of the walk, radians: a cycle is two steps
  std::uint32_t looks = 0;  ///< chooses clothes, skin and hair
  bool has_color = false;   ///< the coat has `color` instead of its own
  Color color;
};

struct PerspectiveSettings {
  int width = 1600, height = 900;
  Vec3 eye{0, -50, 40}, target{0, 0, 0};
  double view_angle = 0.7;      ///< radians, of the width
  int samples = 1;              ///< a pixel is the mean of samples × samples
  int shadow_size = 2048;       ///< pixels of the sun's buffer, each way
  Vec2 low, high;               ///< shadows fall within this rectangle
  double bottom = 0, top = 20;  ///< and between these heights
  unsigned threads = 0;
};

class Perspective {
 public:
  explicit Perspective(const PerspectiveSettings& settings);
  ~Perspective();
  Perspective(Perspective&&) noexcept;

  /// A plane polygon (even-odd) at a height that may slope: z = height + slope · (x, y).
  void add_ground(const Polygon& polygon, double height, Vec2 slope, Color color, Material surface);
  /// An upright wall below the line from a to b, down to a height. Its outside is to the right of the line.
  void add_wall(Vec3 a, Vec3 b, double low, Color color, Material surface);
  /// A block: its roof, and walls round it.
  void add_block(const Polygon& polygon, double low, double high, Color wall, Color roof, Material surface);
  void add_tree(Vec2 at, double ground, double height, std::uint32_t looks);

  /// Lights everything with people in it. Rows from the top; four bytes a pixel: blue, green, red, nothing.
  void render(std::span<const Figure> people);
  std::span<const std::byte> pixels() const;
  int width() const;
  int height() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
