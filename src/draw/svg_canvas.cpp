// SPDX-License-Identifier: MIT
#include "draw/svg_canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>

#include <fmt/format.h>

namespace throng {
namespace {

/// n / 100 in as few characters as possible: "12.5", "-.25", "0".
void append_hundredths(std::string& out, std::int64_t n) {
  if (n < 0) {
    out += '-';
    n = -n;
  }
  const std::int64_t whole = n / 100, rest = n % 100;
  if (whole != 0 || rest == 0) out += fmt::format_int(whole).c_str();
  if (rest == 0) return;
  out += '.';
  out += static_cast<char>('0' + rest / 10);
  if (rest % 10 != 0) out += static_cast<char>('0' + rest % 10);
}

std::int64_t hundredths(double v) { return std::llround(std::clamp(v, -1e7, 1e7) * 100); }

std::string number(double v) {
  std::string out;
  append_hundredths(out, hundredths(v));
  return out;
}

/// A pair of numbers; a minus sign separates as well as a space.
void append_pair(std::string& out, std::int64_t x, std::int64_t y) {
  append_hundredths(out, x);
  if (y >= 0) out += ' ';
  append_hundredths(out, y);
}

std::string paint(std::string_view what, Color c) {
  std::string out = fmt::format("{}=\"#{:02x}{:02x}{:02x}\"", what, c.r, c.g, c.b);
  if (c.a != 255) out += fmt::format(" {}-opacity=\"{}\"", what, number(c.a / 255.0));
  return out;
}

std::string escaped(std::string_view words) {
  std::string out;
  for (const char c : words) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

SvgCanvas::SvgCanvas(const CanvasSettings& settings) : Canvas(settings) {
  const Box b = picture();
  body_ = fmt::format(
      "<clipPath id=\"picture\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n<g "
      "clip-path=\"url(#picture)\">\n",
      number(b.x), number(b.y), number(b.width), number(b.height));
}

void SvgCanvas::end_style() {
  if (style_.empty()) return;
  body_ += shared_path_ ? "\"/>\n" : "</g>\n";
  style_.clear();
}

void SvgCanvas::begin_style(std::string style, bool shared_path) {
  if (style == style_ && shared_path == shared_path_) return;
  end_style();
  body_ += shared_path ? fmt::format("<path {} d=\"", style) : fmt::format("<g {}>\n", style);
  style_ = std::move(style);
  shared_path_ = shared_path;
}

void SvgCanvas::group(std::string_view name) {
  end_style();
  if (group_open_) body_ += "</g>\n";
  body_ += fmt::format("<g class=\"{}\">\n", escaped(name));
  group_open_ = true;
}

void SvgCanvas::append_path(std::span<const Vec2> pixels, bool closed) {
  std::int64_t x = hundredths(pixels[0].x), y = hundredths(pixels[0].y);
  body_ += 'M';
  append_pair(body_, x, y);
  bool first = true, moved = false;
  for (std::size_t i = 1; i < pixels.size(); ++i) {
    const std::int64_t nx = hundredths(pixels[i].x), ny = hundredths(pixels[i].y);
    if (nx == x && ny == y) continue;  // closer than the format resolves
    moved = true;
    if (first)
      body_ += 'l';
    else if (nx >= x)
      body_ += ' ';
    first = false;
    append_pair(body_, nx - x, ny - y);
    x = nx, y = ny;
  }
  if (!moved && !closed) body_ += "h0";  // a dot: round caps make it visible
  if (closed) body_ += 'z';
}

void SvgCanvas::stroke(std::span<const Vec2> pixels, Color color, double width) {
  std::string style = fmt::format("fill=\"none\" {} stroke-width=\"{}\"", paint("stroke", color), number(std::max(width, 0.01)));
  // Opaque lines may share a path: where they cross, painting once or twice looks the same.
  if (color.a == 255) {
    begin_style(std::move(style), true);
    append_path(pixels, false);
    return;
  }
  begin_style(std::move(style), false);
  body_ += "<path d=\"";
  append_path(pixels, false);
  body_ += "\"/>\n";
}

void SvgCanvas::fill(std::span<const std::vector<Vec2>> rings, Color color) {
  begin_style(paint("fill", color), false);
  body_ += "<path d=\"";
  for (const auto& ring : rings) append_path(ring, true);
  body_ += "\"/>\n";
}

void SvgCanvas::fill_disc(Vec2 centre, double radius, Color color) {
  begin_style(paint("fill", color), false);
  body_ +=
      fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", number(centre.x), number(centre.y), number(std::max(0.0, radius)));
}

void SvgCanvas::write(Vec2 at, std::string_view words, double size, Color color, Anchor anchor, bool upwards) {
  const char* const names[] = {"start", "middle", "end"};
  begin_style(
      paint("fill", color) + fmt::format(" font-size=\"{}\" text-anchor=\"{}\"", number(size), names[static_cast<int>(anchor)]),
      false);
  // 0.35 of the size below the middle puts the x-height's centre on it; dominant-baseline is not known to every reader.
  if (upwards)
    body_ += fmt::format("<text transform=\"translate({},{}) rotate(-90)\">{}</text>\n", number(at.x + 0.35 * size), number(at.y),
                         escaped(words));
  else
    body_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", number(at.x), number(at.y + 0.35 * size), escaped(words));
}

void SvgCanvas::end_clip() {
  end_style();
  if (group_open_) body_ += "</g>\n";
  group_open_ = false;
  body_ += "</g>\n<g>\n";
}

std::string SvgCanvas::document() const {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" font-family=\"DejaVu "
      "Sans,Helvetica,Arial,sans-serif\" "
      "fill-rule=\"evenodd\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n",
      number(sheet_width()), number(sheet_height()));
  out += body_;
  if (!style_.empty()) out += shared_path_ ? "\"/>\n" : "</g>\n";
  if (group_open_) out += "</g>\n";
  out += "</g>\n</svg>\n";
  return out;
}

Result<std::monostate> SvgCanvas::write_file(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string text = document();
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return Problem{path, "cannot write the picture", "check that the folder exists, may be written and has room"};
  return std::monostate{};
}

}  // namespace throng
