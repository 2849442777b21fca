// SPDX-License-Identifier: MIT
#include "draw/plot.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "draw/png_canvas.hpp"
#include "draw/svg_canvas.hpp"
#include "draw/xml_check.hpp"

namespace throng {
namespace {

Plot fig12() {
  Plot plot;
  plot.title = "Worst query against number of cells";
  plot.x = {"convex cells", true, {}, {}};
  plot.y = {"time of a query (µs)", true, {}, {}};
  plot.series = {{"roadmap", {{780, 60}, {3100, 260}, {8100, 677}, {31000, 2900}}, {}, true, true},
                 {"zones", {{780, 40}, {3100, 130}, {8100, 296}, {31000, 800}}, {}, true, true},
                 {"hierarchy", {{780, 5}, {3100, 8}, {8100, 13.6}, {31000, 22}}, {}, true, true}};
  return plot;
}

TEST(Plot, EqualFactorsAreEqualDistancesOnALogarithmicAxis) {
  const PlotFrame frame(fig12());
  EXPECT_NEAR(frame.x.pixel(10000) - frame.x.pixel(1000), frame.x.pixel(20000) - frame.x.pixel(2000), 1e-9);
  EXPECT_DOUBLE_EQ(frame.x.pixel(frame.x.low), frame.x.pixel_low);
  EXPECT_DOUBLE_EQ(frame.x.pixel(frame.x.high), frame.x.pixel_high);
}

TEST(Plot, EqualDifferencesAreEqualDistancesOnALinearAxis) {
  Plot plot;
  plot.series = {{"a", {{0, 0}, {10, 100}}, {}, true, true}};
  const PlotFrame frame(plot);
  EXPECT_NEAR(frame.y.pixel(60) - frame.y.pixel(40), frame.y.pixel(30) - frame.y.pixel(10), 1e-9);
  EXPECT_EQ(frame.y.low, 0);
  EXPECT_GE(frame.y.high, 100);
}

TEST(Plot, AllPointsAndAllTicksLieInsideTheFrame) {
  for (const bool logarithmic : {false, true}) {
    Plot plot = fig12();
    plot.x.logarithmic = plot.y.logarithmic = logarithmic;
    const PlotFrame frame(plot);
    for (const PlotSeries& s : plot.series)
      for (const Vec2 p : s.points) EXPECT_TRUE(frame.x.shows(p.x) && frame.y.shows(p.y));
    int words = 0;
    for (const auto& t : frame.y_ticks) {
      EXPECT_GE(frame.y.pixel(t.value), frame.y.pixel_low - 1e-6);
      EXPECT_LE(frame.y.pixel(t.value), frame.y.pixel_high + 1e-6);
      words += !t.words.empty();
      if (!t.words.empty()) {
        EXPECT_NEAR(std::stod(t.words), t.value, 1e-6 * std::abs(t.value));
      }
    }
    EXPECT_GE(words, 3);
    EXPECT_LE(words, 12);
  }
}

TEST(Plot, TheColourOfASeriesStandsAtItsPoint) {
  Plot plot = fig12();
  plot.series[1].color = Color{10, 20, 200};
  PngCanvas canvas(plot_canvas(plot));
  draw_plot(canvas, plot);
  const PlotFrame frame(plot);
  const Vec2 pixel = canvas.to_pixels({frame.x.pixel(3100), frame.y.pixel(130)});
  const Color found = canvas.pixel(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
  EXPECT_EQ(found.r, 10);
  EXPECT_EQ(found.b, 200);
}

TEST(Plot, EmptyAndImpossibleDataGiveAnEmptyFigureNotACrash) {
  for (const bool logarithmic : {false, true}) {
    Plot plot;
    plot.x.logarithmic = plot.y.logarithmic = logarithmic;
    plot.series = {{"none", {}, {}, true, true},
                   {"bad", {{-1, 0}, {NAN, 1}, {INFINITY, 2}, {0, -5}}, {}, true, true},
                   {"one", {{3, 3}}, {}, true, true}};
    SvgCanvas canvas(plot_canvas(plot));
    draw_plot(canvas, plot);
    EXPECT_EQ(xml_error(canvas.document()), std::nullopt);
  }
}

}  // namespace
}  // namespace throng
