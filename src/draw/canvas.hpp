// SPDX-License-Identifier: MIT
// A sheet of paper for a DrawStream: maps metres to pixels (north up), clips to the picture, and adds what a figure needs beside
// the picture (title, scale bar, legend). SvgCanvas and PngCanvas only know how to put ink at pixels, so both show the same
// figure.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <throng/result.hpp>

#include "geometry/draw_stream.hpp"

namespace throng {

struct LegendEntry {
  enum Mark { kArea, kLine, kDot };
  std::string words;
  Color color;
  Mark mark = kArea;
};

struct CanvasSettings {
  Vec2 low;  ///< the part of the world to show, metres
  Vec2 high;
  double pixel_width = 1600;        ///< clamped to 64 … 16000; narrow and tall worlds get a narrower picture on the same sheet
  double margin = 16;               ///< pixels round the picture
  std::string title;                ///< above the picture
  std::vector<LegendEntry> legend;  ///< below it, in as many lines as needed
  bool scale_bar = true;            ///< below it, left
  bool border = true;               ///< a thin line round the picture
};

enum class Anchor { kStart, kMiddle, kEnd };

class Canvas : public DrawStream {
 public:
  void begin_layer(std::string_view name) final;
  void polyline(std::span<const Vec2> points, Pen pen) final;
  void polygon(std::span<const std::span<const Vec2>> rings, Color fill) final;
  void disc(Vec2 centre, double radius, Color fill) final;
  /// Centred on `at`. Words that would be smaller than kLeastTextPixels are left out: nobody could read them.
  void text(Vec2 at, std::string_view words, double size, Color color) final;

  /// Text with its anchor at `at`, vertically centred on it; `upwards` turns it to read from below.
  void label(Vec2 at, std::string_view words, double size, Color color, Anchor anchor, bool upwards = false);

  double metres_per_pixel() const { return 1 / scale_; }
  double sheet_width() const { return sheet_width_; }
  double sheet_height() const { return sheet_height_; }
  /// Where a point of the world lies on the sheet, in pixels from the top left.
  Vec2 to_pixels(Vec2 p) const { return {left_ + (p.x - low_.x) * scale_, top_ + (high_.y - p.y) * scale_}; }

  /// Adds title, scale bar and legend. Call once, or `save`, which does both.
  void finish();
  /// Finishes and writes the file.
  Result<std::monostate> save(const std::string& path);

  static constexpr double kLeastTextPixels = 4.5;
  static constexpr double kMaxPixels = 100e6;

 protected:
  explicit Canvas(const CanvasSettings& settings);

  // Ink at pixels; the rest is done here.
  virtual void group(std::string_view name) = 0;
  virtual void stroke(std::span<const Vec2> pixels, Color color, double width) = 0;
  virtual void fill(std::span<const std::vector<Vec2>> rings, Color color) = 0;
  virtual void fill_disc(Vec2 centre, double radius, Color color) = 0;
  virtual void write(Vec2 at, std::string_view words, double size, Color color, Anchor anchor, bool upwards) = 0;
  /// Later ink may lie outside the picture: title, scale bar, legend.
  virtual void end_clip() = 0;
  virtual Result<std::monostate> write_file(const std::string& path) = 0;

  struct Box {
    double x, y, width, height;
  };
  Box picture() const { return {left_, top_, (high_.x - low_.x) * scale_, (high_.y - low_.y) * scale_}; }

 private:
  struct PlacedEntry {
    double x, y;
  };

  bool outside(std::span<const Vec2> pixels, double reach) const;
  void draw_scale_bar();
  void draw_legend();

  Vec2 low_, high_;
  double scale_ = 1;
  double left_ = 0, top_ = 0;
  double margin_ = 0;
  double sheet_width_ = 0, sheet_height_ = 0;
  double footer_top_ = 0;
  std::string title_;
  std::vector<LegendEntry> legend_;
  std::vector<PlacedEntry> legend_places_;
  bool scale_bar_;
  bool border_;
  std::vector<Vec2> scratch_;
  std::vector<std::vector<Vec2>> rings_;
};

/// `words` as UTF-8 that every reader accepts: control characters and broken sequences become '?'.
std::string printable(std::string_view words);

/// "0.5 m", "20 m", "1 km"; numbers without trailing zeros.
std::string length_words(double metres);

/// About how wide words are in a sans-serif face; a writer of vectors cannot measure.
double estimated_text_width(std::string_view words, double size);

}  // namespace throng
