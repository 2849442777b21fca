// SPDX-License-Identifier: MIT
// Figures of numbers: curves over linear or logarithmic axes, in the style of Lamarche & Donikian's Fig. 12 (query time against
// number of cells).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "draw/canvas.hpp"

namespace throng {

struct PlotAxis {
  std::string label;
  bool logarithmic = false;
  std::optional<double> low;  ///< default: the data's range with a little air
  std::optional<double> high;
};

struct PlotSeries {
  std::string name;          ///< in the legend; empty leaves it out
  std::vector<Vec2> points;  ///< in drawing order; not-finite values, and non-positive ones on a logarithmic axis, break the line
  std::optional<Color> color;  ///< default: the next of Okabe & Ito's
  bool line = true;
  bool markers = true;
};

struct Plot {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  double width = 960;  ///< pixels
  double height = 600;
};

/// Where values lie on the sheet: the axes' ranges and the rectangle of the curves, in pixels from the bottom left.
class PlotFrame {
 public:
  explicit PlotFrame(const Plot& plot);

  struct Axis {
    double low, high;
    bool logarithmic;
    double pixel_low, pixel_high;

    bool shows(double value) const;
    double pixel(double value) const;
  };
  struct Tick {
    double value;
    std::string words;  ///< empty: a small tick
  };

  Axis x, y;
  std::vector<Tick> x_ticks, y_ticks;
};

/// Draws on a canvas made with `plot_canvas(plot)`.
void draw_plot(Canvas& canvas, const Plot& plot);
CanvasSettings plot_canvas(const Plot& plot);

/// Draws and writes the plot; .svg or .png by the ending of the name.
Result<std::monostate> save_plot(const Plot& plot, const std::string& path);

}  // namespace throng
