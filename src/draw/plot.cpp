// SPDX-License-Identifier: MIT
#include "draw/plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "draw/open_canvas.hpp"
#include "draw/palette.hpp"

namespace throng {
namespace {

constexpr double kTextSize = 14;
constexpr double kTitleSize = 17;
constexpr double kMarkerRadius = 4.5;
constexpr Color kGrid{228, 228, 228};

bool usable(double v, bool logarithmic) { return std::isfinite(v) && (!logarithmic || v > 0); }

/// Range of an axis: what is asked for, else what the data spans plus 4 % at both ends (in log space on a logarithmic axis).
PlotFrame::Axis make_axis(const Plot& plot, bool horizontal, double pixel_low, double pixel_high) {
  const PlotAxis& asked = horizontal ? plot.x : plot.y;
  double low = INFINITY, high = -INFINITY;
  for (const PlotSeries& s : plot.series)
    for (const Vec2 p : s.points) {
      if (!usable(p.x, plot.x.logarithmic) || !usable(p.y, plot.y.logarithmic)) continue;
      const double v = horizontal ? p.x : p.y;
      low = std::min(low, v), high = std::max(high, v);
    }
  if (!(low <= high)) low = asked.logarithmic ? 1 : 0, high = asked.logarithmic ? 10 : 1;
  if (asked.logarithmic) {
    const double air = std::max(std::pow(high / low, 0.04), 1.05);
    low /= air, high *= air;
  } else {
    const double air = high > low ? 0.04 * (high - low) : std::max(0.5, std::abs(high) * 0.1);
    // Amounts start at zero when zero is not far: a curve that floats hides its size.
    low = low >= 0 && low - air < 0.35 * high ? 0 : low - air;
    high += air;
  }
  if (asked.low && usable(*asked.low, asked.logarithmic)) low = *asked.low;
  if (asked.high && usable(*asked.high, asked.logarithmic)) high = *asked.high;
  if (!(high > low)) high = asked.logarithmic ? low * 10 : low + 1;
  return {low, high, asked.logarithmic, pixel_low, pixel_high};
}

std::string tick_words(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";  // never "-0"
  if (size >= 1e6 || size < 1e-4) return fmt::format("{:.3g}", value);
  return fmt::format("{:.6g}", value);
}

std::vector<PlotFrame::Tick> linear_ticks(const PlotFrame::Axis& axis) {
  double step = std::pow(10, std::floor(std::log10((axis.high - axis.low) / 8)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if ((axis.high - axis.low) / (step * factor) <= 8) {
      step *= factor;
      break;
    }
  std::vector<PlotFrame::Tick> ticks;
  const double first = std::ceil(axis.low / step - 1e-9);
  for (double i = first; i * step <= axis.high + 1e-9 * step && ticks.size() < 50; ++i)
    ticks.push_back({i * step, tick_words(i * step)});
  return ticks;
}

std::vector<PlotFrame::Tick> logarithmic_ticks(const PlotFrame::Axis& axis) {
  const double decades = std::log10(axis.high / axis.low);
  const int every = std::max(1, static_cast<int>(decades / 9));
  std::vector<PlotFrame::Tick> ticks;
  for (int power = static_cast<int>(std::floor(std::log10(axis.low))); power <= std::log10(axis.high); ++power)
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10, power);
      if (!axis.shows(value)) continue;
      // A range of few decades needs words at 2 and 5, too.
      const bool words = digit == 1 ? power % every == 0 : (digit == 2 || digit == 5) && decades < 2.5;
      if (words || decades < 6) ticks.push_back({value, words ? tick_words(value) : ""});
    }
  return ticks;
}

void draw_marker(Canvas& canvas, Vec2 at, std::size_t kind, Color color) {
  const double r = kMarkerRadius;
  std::vector<Vec2> shape;
  switch (kind % 4) {
    case 0:
      canvas.disc(at, r, color);
      return;
    case 1:
      shape = {{-r, -r}, {r, -r}, {r, r}, {-r, r}};
      break;
    case 2:
      shape = {{-1.2 * r, -0.9 * r}, {1.2 * r, -0.9 * r}, {0, 1.3 * r}};
      break;
    default:
      shape = {{0, -1.35 * r}, {1.35 * r, 0}, {0, 1.35 * r}, {-1.35 * r, 0}};
      break;
  }
  for (Vec2& p : shape) p = p + at;
  const std::span<const Vec2> ring = shape;
  canvas.polygon({&ring, 1}, color);
}

void line(Canvas& canvas, Vec2 a, Vec2 b, Color color, double width) {
  const Vec2 points[] = {a, b};
  canvas.polyline(points, {color, width, 0.1});
}

Color color_of(const Plot& plot, std::size_t series) { return plot.series[series].color.value_or(kind_color(series)); }

void draw_axes(Canvas& canvas, const Plot& plot, const PlotFrame& frame) {
  const double left = frame.x.pixel_low, right = frame.x.pixel_high, bottom = frame.y.pixel_low, top = frame.y.pixel_high;
  canvas.begin_layer("grid");
  for (const auto& t : frame.x_ticks)
    if (!t.words.empty()) line(canvas, {frame.x.pixel(t.value), bottom}, {frame.x.pixel(t.value), top}, kGrid, 1);
  for (const auto& t : frame.y_ticks)
    if (!t.words.empty()) line(canvas, {left, frame.y.pixel(t.value)}, {right, frame.y.pixel(t.value)}, kGrid, 1);
  canvas.begin_layer("axes");
  const Vec2 box[] = {{left, bottom}, {right, bottom}, {right, top}, {left, top}, {left, bottom}};
  canvas.polyline(box, {kInk, 1, 1});
  for (const auto& t : frame.x_ticks) {
    const double x = frame.x.pixel(t.value);
    line(canvas, {x, bottom}, {x, bottom - (t.words.empty() ? 3 : 6)}, kInk, 1);
    canvas.label({x, bottom - 17}, t.words, kTextSize, kInk, Anchor::kMiddle);
  }
  for (const auto& t : frame.y_ticks) {
    const double y = frame.y.pixel(t.value);
    line(canvas, {left, y}, {left - (t.words.empty() ? 3 : 6), y}, kInk, 1);
    canvas.label({left - 10, y}, t.words, kTextSize, kInk, Anchor::kEnd);
  }
  canvas.label({(left + right) / 2, 14}, plot.x.label, kTextSize, kInk, Anchor::kMiddle);
  canvas.label({14, (bottom + top) / 2}, plot.y.label, kTextSize, kInk, Anchor::kMiddle, true);
  canvas.label({left, plot.height - 16}, plot.title, kTitleSize, kInk, Anchor::kStart);
}

void draw_series(Canvas& canvas, const PlotSeries& series, std::size_t index, Color color, const PlotFrame& frame) {
  std::vector<Vec2> run;
  const auto flush = [&] {
    canvas.polyline(run, {color, 2, 1});
    run.clear();
  };
  const auto place = [&](Vec2 p) { return Vec2{frame.x.pixel(p.x), frame.y.pixel(p.y)}; };
  for (const Vec2 p : series.points) {
    if (!series.line) break;
    if (frame.x.shows(p.x) && frame.y.shows(p.y))
      run.push_back(place(p));
    else
      flush();
  }
  flush();
  for (const Vec2 p : series.points)
    if (series.markers && frame.x.shows(p.x) && frame.y.shows(p.y)) draw_marker(canvas, place(p), index, color);
}

/// In the corner of the curves' rectangle that holds the fewest points.
void draw_legend(Canvas& canvas, const Plot& plot, const PlotFrame& frame) {
  double width = 0;
  int lines = 0;
  for (const PlotSeries& s : plot.series)
    if (!s.name.empty()) width = std::max(width, estimated_text_width(s.name, kTextSize) + 56), ++lines;
  if (lines == 0) return;
  const double height = 22.0 * lines + 10;
  Vec2 best;
  std::size_t fewest = SIZE_MAX;
  for (const double y : {frame.y.pixel_high - height - 10, frame.y.pixel_low + 10})
    for (const double x : {frame.x.pixel_low + 10, frame.x.pixel_high - width - 10}) {
      std::size_t covered = 0;
      for (const PlotSeries& s : plot.series)
        for (std::size_t i = 0; i < s.points.size(); ++i)
          for (const double share : {0.0, 0.25, 0.5, 0.75}) {  // the lines between points count, too
            const Vec2 a = s.points[i], b = s.points[std::min(i + 1, s.points.size() - 1)];
            if (!frame.x.shows(a.x) || !frame.y.shows(a.y) || !frame.x.shows(b.x) || !frame.y.shows(b.y)) continue;
            const double px = frame.x.pixel(a.x) + share * (frame.x.pixel(b.x) - frame.x.pixel(a.x));
            const double py = frame.y.pixel(a.y) + share * (frame.y.pixel(b.y) - frame.y.pixel(a.y));
            covered += px > x - 8 && px < x + width + 8 && py > y - 8 && py < y + height + 8;
          }
      if (covered < fewest) fewest = covered, best = {x, y};
    }
  canvas.begin_layer("legend");
  const Vec2 box[] = {best, {best.x + width, best.y}, {best.x + width, best.y + height}, {best.x, best.y + height}, best};
  const std::span<const Vec2> ring(box, 4);
  canvas.polygon({&ring, 1}, {255, 255, 255, 225});
  canvas.polyline(box, {kFaintInk, 0.8, 0.8});
  double y = best.y + height - 16;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    if (plot.series[i].name.empty()) continue;
    const Color color = color_of(plot, i);
    if (plot.series[i].line) line(canvas, {best.x + 10, y}, {best.x + 38, y}, color, 2);
    if (plot.series[i].markers) draw_marker(canvas, {best.x + 24, y}, i, color);
    canvas.label({best.x + 46, y}, plot.series[i].name, kTextSize, kInk, Anchor::kStart);
    y -= 22;
  }
}

}  // namespace

bool PlotFrame::Axis::shows(double value) const {
  return usable(value, logarithmic) && value >= low - std::abs(low) * 1e-12 && value <= high + std::abs(high) * 1e-12;
}

double PlotFrame::Axis::pixel(double value) const {
  const double share = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return pixel_low + share * (pixel_high - pixel_low);
}

PlotFrame::PlotFrame(const Plot& plot)
    : x(make_axis(plot, true, 0, 1)),
      y(make_axis(plot, false, plot.x.label.empty() ? 34 : 56, plot.height - (plot.title.empty() ? 14 : 36))) {
  y_ticks = y.logarithmic ? logarithmic_ticks(y) : linear_ticks(y);
  double widest = 0;
  for (const Tick& t : y_ticks) widest = std::max(widest, estimated_text_width(t.words, kTextSize));
  x.pixel_low = widest + (plot.y.label.empty() ? 18 : 42);
  x.pixel_high = plot.width - 24;
  x_ticks = x.logarithmic ? logarithmic_ticks(x) : linear_ticks(x);
}

CanvasSettings plot_canvas(const Plot& plot) {
  CanvasSettings settings;
  settings.high = {plot.width, plot.height};
  settings.pixel_width = plot.width;
  settings.margin = 0;
  settings.scale_bar = settings.border = false;
  return settings;
}

void draw_plot(Canvas& canvas, const Plot& plot) {
  const PlotFrame frame(plot);
  draw_axes(canvas, plot, frame);
  canvas.begin_layer("curves");
  for (std::size_t i = 0; i < plot.series.size(); ++i) draw_series(canvas, plot.series[i], i, color_of(plot, i), frame);
  draw_legend(canvas, plot, frame);
}

Result<std::monostate> save_plot(const Plot& plot, const std::string& path) {
  auto canvas = open_canvas(path, plot_canvas(plot));
  if (!canvas) return canvas.problems();
  draw_plot(**canvas, plot);
  return (*canvas)->save(path);
}

}  // namespace throng
