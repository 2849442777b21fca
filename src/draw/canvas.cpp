// SPDX-License-Identifier: MIT
#include "draw/canvas.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "draw/palette.hpp"

namespace throng {
namespace {

constexpr double kTitleSize = 17;
constexpr double kSmallSize = 13;
constexpr double kLineHeight = 22;
constexpr double kSwatch = 16;
constexpr double kScaleBarRoom = 190;  ///< pixels that the scale bar and its words may take
constexpr double kTallest = 4;         ///< the sheet is at most this many times as tall as wide

/// The largest of 1, 2, 5 · 10^k metres that is at most `metres`.
double round_length(double metres) {
  double power = 1e-6;
  while (power * 10 <= metres && power < 1e12) power *= 10;
  for (const double factor : {5.0, 2.0})
    if (power * factor <= metres) return power * factor;
  return power;
}

/// Length in bytes of the well-formed UTF-8 sequence at the start of `s`, 0 if there is none.
std::size_t sequence_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned lead = byte(0);
  const std::size_t n = lead < 0x80                   ? 1
                        : lead >= 0xC2 && lead < 0xE0 ? 2
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xF0 && lead < 0xF5 ? 4
                                                      : 0;
  if (n == 0 || s.size() < n) return 0;
  for (std::size_t i = 1; i < n; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if (n >= 3) {
    const unsigned second = byte(1);
    // Overlong forms, surrogates, U+FFFE and U+FFFF (not XML characters) and what lies beyond U+10FFFF.
    if (lead == 0xE0 && second < 0xA0) return 0;
    if (lead == 0xED && second >= 0xA0) return 0;
    if (lead == 0xEF && second == 0xBF && byte(2) >= 0xBE) return 0;
    if (lead == 0xF0 && second < 0x90) return 0;
    if (lead == 0xF4 && second >= 0x90) return 0;
  }
  return n;
}

}  // namespace

std::string printable(std::string_view words) {
  std::string out;
  while (!words.empty()) {
    const std::size_t n = sequence_length(words);
    const bool control = static_cast<unsigned char>(words[0]) < 0x20 || words[0] == 0x7F;
    if (n == 0 || control) {
      out += '?';
      words.remove_prefix(1);
    } else {
      out += words.substr(0, n);
      words.remove_prefix(n);
    }
  }
  return out;
}

std::string length_words(double metres) {
  return metres >= 1000 ? fmt::format("{:.6g} km", metres / 1000)
         : metres >= 1  ? fmt::format("{:.6g} m", metres)
                        : fmt::format("{:.6g} cm", metres * 100);
}

double estimated_text_width(std::string_view words, double size) {
  const auto letters =
      std::count_if(words.begin(), words.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return 0.58 * size * static_cast<double>(letters);
}

Canvas::Canvas(const CanvasSettings& settings)
    : low_(settings.low),
      high_(settings.high),
      title_(printable(settings.title)),
      legend_(settings.legend),
      scale_bar_(settings.scale_bar),
      border_(settings.border) {
  const auto sane = [](double v) { return std::abs(v) < 1e9; };  // false for NaN
  if (!sane(low_.x) || !sane(low_.y) || !sane(high_.x) || !sane(high_.y)) low_ = {0, 0}, high_ = {1, 1};
  // Nothing to show, or a line: give it a metre.
  if (!(high_.x - low_.x > 1e-3)) low_.x -= 0.5, high_.x = low_.x + 1;
  if (!(high_.y - low_.y > 1e-3)) low_.y -= 0.5, high_.y = low_.y + 1;

  sheet_width_ = std::clamp(std::isfinite(settings.pixel_width) ? std::floor(settings.pixel_width) : 1600.0, 64.0, 16000.0);
  const double margin = margin_ = std::clamp(settings.margin, 0.0, sheet_width_ / 4);
  const double width = high_.x - low_.x, height = high_.y - low_.y;
  const double room = sheet_width_ - 2 * margin;
  const double tallest = std::min(kTallest * sheet_width_, kMaxPixels / sheet_width_ - 400);
  scale_ = std::min(room / width, tallest / height);
  left_ = margin + (room - width * scale_) / 2;
  top_ = margin + (title_.empty() ? 0 : kTitleSize * 1.7);
  footer_top_ = top_ + height * scale_ + 6;

  double footer = scale_bar_ ? kLineHeight + 4 : 0;
  double x = margin + (scale_bar_ ? kScaleBarRoom : 0), y = 0;
  const double line_start = x;
  for (LegendEntry& entry : legend_) {
    entry.words = printable(entry.words);
    const double needed = kSwatch + 6 + estimated_text_width(entry.words, kSmallSize) + 18;
    if (x > line_start && x + needed > sheet_width_ - margin) x = line_start, y += kLineHeight;
    legend_places_.push_back({x, y + kLineHeight / 2});
    x += needed;
    footer = std::max(footer, y + kLineHeight + 4);
  }
  sheet_height_ = std::ceil(footer_top_ + footer + (footer > 0 ? margin / 2 : margin - 6));
}

bool Canvas::outside(std::span<const Vec2> pixels, double reach) const {
  const Box b = picture();
  double x0 = 1e300, y0 = 1e300, x1 = -1e300, y1 = -1e300;
  for (const Vec2 p : pixels) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return true;
    x0 = std::min(x0, p.x), x1 = std::max(x1, p.x), y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
  }
  return x1 < b.x - reach || y1 < b.y - reach || x0 > b.x + b.width + reach || y0 > b.y + b.height + reach;
}

void Canvas::begin_layer(std::string_view name) { group(printable(name)); }

void Canvas::polyline(std::span<const Vec2> points, Pen pen) {
  if (points.size() < 2) return;
  const double width = std::max(pen.width * scale_, pen.min_pixels);
  scratch_.clear();
  for (const Vec2 p : points) scratch_.push_back(to_pixels(p));
  if (!outside(scratch_, width)) stroke(scratch_, pen.color, width);
}

void Canvas::polygon(std::span<const std::span<const Vec2>> rings, Color color) {
  rings_.clear();
  for (const auto ring : rings) {
    if (ring.size() < 3) continue;
    scratch_.clear();
    for (const Vec2 p : ring) scratch_.push_back(to_pixels(p));
    if (!outside(scratch_, 0)) rings_.push_back(scratch_);
  }
  if (!rings_.empty()) fill(rings_, color);
}

void Canvas::disc(Vec2 centre, double radius, Color color) {
  const Vec2 at = to_pixels(centre);
  if (!outside({&at, 1}, radius * scale_)) fill_disc(at, radius * scale_, color);
}

void Canvas::text(Vec2 at, std::string_view words, double size, Color color) { label(at, words, size, color, Anchor::kMiddle); }

void Canvas::label(Vec2 at, std::string_view words, double size, Color color, Anchor anchor, bool upwards) {
  const Vec2 pixel = to_pixels(at);
  const double pixels = size * scale_;
  if (pixels < kLeastTextPixels || outside({&pixel, 1}, estimated_text_width(words, pixels))) return;
  write(pixel, printable(words), pixels, color, anchor, upwards);
}

void Canvas::draw_scale_bar() {
  const double metres = round_length(120 / scale_), pixels = metres * scale_;
  const double x = margin_, y = footer_top_ + kLineHeight / 2 + 3;
  group("scale bar");
  const Vec2 bar[] = {{x, y - 4}, {x, y}, {x + pixels, y}, {x + pixels, y - 4}};
  stroke(bar, kInk, 1.5);
  write({x + pixels + 8, y - 1}, length_words(metres), kSmallSize, kInk, Anchor::kStart, false);
}

void Canvas::draw_legend() {
  group("legend");
  for (std::size_t i = 0; i < legend_.size(); ++i) {
    const LegendEntry& entry = legend_[i];
    const double x = legend_places_[i].x, y = footer_top_ + legend_places_[i].y;
    if (entry.mark == LegendEntry::kArea) {
      const std::vector<Vec2> box{{x, y - 6}, {x + kSwatch, y - 6}, {x + kSwatch, y + 6}, {x, y + 6}};
      fill({&box, 1}, entry.color);
      const Vec2 outline[] = {box[0], box[1], box[2], box[3], box[0]};
      stroke(outline, kFaintInk, 0.5);
    } else if (entry.mark == LegendEntry::kLine) {
      const Vec2 line[] = {{x, y}, {x + kSwatch, y}};
      stroke(line, entry.color, 2.5);
    } else {
      fill_disc({x + kSwatch / 2, y}, 4.5, entry.color);
    }
    write({x + kSwatch + 6, y}, entry.words, kSmallSize, kInk, Anchor::kStart, false);
  }
}

void Canvas::finish() {
  end_clip();
  if (border_) {
    group("border");
    const Box b = picture();
    const Vec2 frame[] = {{b.x, b.y}, {b.x + b.width, b.y}, {b.x + b.width, b.y + b.height}, {b.x, b.y + b.height}, {b.x, b.y}};
    stroke(frame, kFaintInk, 0.8);
  }
  if (!title_.empty()) {
    group("title");
    write({margin_, top_ - kTitleSize * 0.85}, title_, kTitleSize, kInk, Anchor::kStart, false);
  }
  if (scale_bar_) draw_scale_bar();
  if (!legend_.empty()) draw_legend();
}

Result<std::monostate> Canvas::save(const std::string& path) {
  finish();
  return write_file(path);
}

}  // namespace throng
