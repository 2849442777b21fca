// SPDX-License-Identifier: MIT
// A Canvas that writes SVG: one group a layer, coordinates in hundredths of a pixel written relatively, so that a city of 2600
// buildings with all its cells and portals stays within a few megabytes and opens in any browser, Inkscape or a LaTeX toolchain.
#pragma once
#include "draw/canvas.hpp"

namespace throng {

class SvgCanvas final : public Canvas {
 public:
  explicit SvgCanvas(const CanvasSettings& settings);

  /// The document so far, closed; what `save` writes is this after title, scale bar and legend.
  std::string document() const;

 private:
  void group(std::string_view name) override;
  void stroke(std::span<const Vec2> pixels, Color color, double width) override;
  void fill(std::span<const std::vector<Vec2>> rings, Color color) override;
  void fill_disc(Vec2 centre, double radius, Color color) override;
  void write(Vec2 at, std::string_view words, double size, Color color, Anchor anchor, bool upwards) override;
  void end_clip() override;
  Result<std::monostate> write_file(const std::string& path) override;

  void append_path(std::span<const Vec2> pixels, bool closed);
  /// Primitives of one look share a <g> (fills) or a single <path> (opaque strokes); a new look closes the former.
  void begin_style(std::string style, bool shared_path);
  void end_style();

  std::string body_;
  std::string style_;
  bool shared_path_ = false;
  bool group_open_ = false;
};

}  // namespace throng
