// SPDX-License-Identifier: MIT
// A Canvas that paints antialiased pixels with cairo and writes PNG.
#pragma once
#include <memory>

#include "draw/canvas.hpp"

namespace throng {

class PngCanvas final : public Canvas {
 public:
  explicit PngCanvas(const CanvasSettings& settings);
  ~PngCanvas() override;

  /// The colour painted at a pixel from the top left.
  Color pixel(int x, int y) const;
  /// All pixels, row by row: blue, green, red, nothing. For videos.
  std::span<const std::byte> pixels() const;
  /// Words where the title is, after `finish`d pixels were copied: the moment of a video.
  void note(std::string_view words);
  /// Takes over what another canvas of the same size shows: what stands still in a video is painted once.
  void copy_pixels(const PngCanvas& other);

 private:
  void group(std::string_view name) override;
  void stroke(std::span<const Vec2> pixels, Color color, double width) override;
  void fill(std::span<const std::vector<Vec2>> rings, Color color) override;
  void fill_disc(Vec2 centre, double radius, Color color) override;
  void write(Vec2 at, std::string_view words, double size, Color color, Anchor anchor, bool upwards) override;
  void end_clip() override;
  Result<std::monostate> write_file(const std::string& path) override;

  struct Surface;  // keeps cairo out of the header
  std::unique_ptr<Surface> surface_;
};

/// Rows from the top, four bytes a pixel: blue, green, red, nothing.
Result<std::monostate> write_png(const std::string& path, std::span<const std::byte> pixels, int width, int height);

}  // namespace throng
