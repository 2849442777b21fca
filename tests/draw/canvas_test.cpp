// SPDX-License-Identifier: MIT
#include "draw/canvas.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "draw/open_canvas.hpp"
#include "draw/palette.hpp"
#include "draw/png_canvas.hpp"
#include "draw/svg_canvas.hpp"
#include "draw/xml_check.hpp"

namespace throng {

bool operator==(Color a, Color b) { return a.r == b.r && a.g == b.g && a.b == b.b; }
std::ostream& operator<<(std::ostream& out, Color c) { return out << int{c.r} << ',' << int{c.g} << ',' << int{c.b}; }

namespace {

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("throng_" + std::to_string(getpid()) + "_" + name)).string();
}

std::string contents(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A square 10 m picture of 200 pixels and a bit of everything in it.
CanvasSettings square() {
  CanvasSettings s;
  s.low = {100, 50};
  s.high = {110, 60};
  s.pixel_width = 200;
  s.margin = 0;
  s.scale_bar = s.border = false;
  return s;
}

void paint(DrawStream& out) {
  out.begin_layer("a <layer> & \"more\"");
  const Vec2 outer[] = {{101, 51}, {109, 51}, {109, 59}, {101, 59}}, hole[] = {{104, 54}, {104, 56}, {106, 56}, {106, 54}};
  const std::span<const Vec2> rings[] = {outer, hole};
  out.polygon(rings, kBlue);
  out.begin_layer("lines");
  const Vec2 line[] = {{100, 50}, {110, 50.0}};
  out.polyline(line, {kVermillion, 1.0, 0.5});
  out.polyline(line, {{1, 2, 3, 100}, 0.1, 0.5});
  out.disc({105, 55}, 0.5, kBluishGreen);
  out.text({102, 58}, "5 < 6 & 7 > 2", 1, kPaper);
  out.text({102, 58}, "broken \xff\xfe \x01 bytes \xed\xa0\x80", 1, kPaper);
}

TEST(Canvas, PutsNorthUpAndTheWorldIntoItsMargins) {
  CanvasSettings s = square();
  s.margin = 20;
  s.title = "title";
  const SvgCanvas canvas(s);
  const Vec2 north_west = canvas.to_pixels({100, 60}), south_east = canvas.to_pixels({110, 50});
  EXPECT_DOUBLE_EQ(north_west.x, 20);
  EXPECT_GT(north_west.y, 20);
  EXPECT_DOUBLE_EQ(south_east.x, 180);
  EXPECT_DOUBLE_EQ(south_east.y - north_west.y, 160);
  EXPECT_DOUBLE_EQ(canvas.metres_per_pixel(), 10.0 / 160);
}

TEST(PngCanvas, HasTheColoursDrawnAtTheirPlaces) {
  PngCanvas canvas(square());
  paint(canvas);
  const auto at = [&](Vec2 p) {
    const Vec2 pixel = canvas.to_pixels(p);
    return canvas.pixel(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
  };
  EXPECT_EQ(at({108, 52}), kBlue);
  EXPECT_EQ(at({105, 55}), kBluishGreen) << "the disc in the hole";
  EXPECT_EQ(at({104.2, 54.2}), kPaper) << "the hole";
  EXPECT_EQ(at({100.5, 57}), kPaper) << "outside";
  EXPECT_EQ(at({105, 50.3}), kVermillion) << "half of the line is above the border";
}

TEST(PngCanvas, SavesAFileThatStartsAsPngAndHasItsSize) {
  const std::string path = temporary("a.png");
  PngCanvas canvas(square());
  paint(canvas);
  ASSERT_TRUE(canvas.save(path));
  const std::string bytes = contents(path);
  ASSERT_GT(bytes.size(), 24u);
  EXPECT_EQ(bytes.substr(1, 3), "PNG");
  const auto big_endian = [&](std::size_t i) {
    std::uint32_t n = 0;
    for (std::size_t k = 0; k < 4; ++k) n = n << 8 | static_cast<unsigned char>(bytes[i + k]);
    return n;
  };
  EXPECT_EQ(big_endian(16), 200u);
  EXPECT_EQ(big_endian(20), 200u);
  std::filesystem::remove(path);
}

TEST(SvgCanvas, IsWellFormedWhateverTheWords) {
  CanvasSettings s = square();
  s.title = "quotes \" and <tags> & \xc3\x28";
  s.scale_bar = s.border = true;
  s.legend = {{"one <", kBlue}, {"two &", kOrange, LegendEntry::kLine}, {"three", kOrange, LegendEntry::kDot}};
  const std::string path = temporary("a.svg");
  SvgCanvas canvas(s);
  paint(canvas);
  EXPECT_EQ(xml_error(canvas.document()), std::nullopt) << "before it is finished";
  ASSERT_TRUE(canvas.save(path));
  const std::string text = contents(path);
  EXPECT_EQ(xml_error(text), std::nullopt);
  EXPECT_NE(text.find("class=\"a &lt;layer&gt; &amp; &quot;more&quot;\""), std::string::npos);
  EXPECT_NE(text.find("three"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(SvgCanvas, TheCheckerItselfFindsBrokenXml) {
  for (const char* bad :
       {"<a>", "<a></b>", "<a b=c/>", "<a b=\"<\"/>", "<a>&</a>", "<a/><b/>", "x<a/>", "<a b=\"1\" b=\"2\"/>", ""})
    EXPECT_NE(xml_error(bad), std::nullopt) << bad;
}

TEST(SvgCanvas, WritesRelativePathsThatEndWhereTheyShould) {
  SvgCanvas canvas(square());
  canvas.begin_layer("l");
  const Vec2 line[] = {{100, 60}, {100.5, 59.5}, {100.25, 59.75}};
  canvas.polyline(line, {kBlue, 0.1, 0.5});
  EXPECT_NE(canvas.document().find("d=\"M0 0l10 10-5-5\""), std::string::npos) << canvas.document();
}

TEST(Canvas, LeavesOutWhatLiesOutsideThePictureAndWordsNobodyCanRead) {
  SvgCanvas canvas(square());
  const std::size_t before = canvas.document().size();
  const Vec2 far[] = {{0, 0}, {1, 0}, {1, 1}};
  const std::span<const Vec2> ring = far;
  canvas.polyline(far, {kBlue, 0.1, 0.5});
  canvas.polygon({&ring, 1}, kBlue);
  canvas.disc({0, 0}, 1, kBlue);
  canvas.text({105, 55}, "tiny", 0.1, kBlue);
  EXPECT_EQ(canvas.document().size(), before);
  canvas.text({105, 55}, "large", 1, kBlue);
  EXPECT_GT(canvas.document().size(), before);
}

TEST(Canvas, SurvivesStrangeWorlds) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const auto& [low, high] : {std::pair<Vec2, Vec2>{{0, 0}, {0, 0}},
                                  {{0, 0}, {1e6, 1}},
                                  {{0, 0}, {1, 1e6}},
                                  {{nan, 0}, {1, 1}},
                                  {{-inf, -inf}, {inf, inf}},
                                  {{5, 5}, {1, 1}}})
    for (const double width : {-5.0, 100.0, 1e9, nan}) {
      CanvasSettings s;
      s.low = low, s.high = high, s.pixel_width = width;
      s.title = "t";
      SvgCanvas canvas(s);
      EXPECT_GE(canvas.sheet_width(), 64);
      EXPECT_LE(canvas.sheet_width() * canvas.sheet_height(), Canvas::kMaxPixels * 1.05);
      const Vec2 line[] = {{0, 0}, {nan, 1}, {1e300, 1e300}};
      canvas.polyline(line, {kBlue, 1, 1});
      EXPECT_EQ(xml_error(canvas.document()), std::nullopt);
    }
}

TEST(Canvas, AFolderThatDoesNotExistIsAProblemWithItsPath) {
  for (const char* path : {"/nonexistent/folder/a.svg", "/nonexistent/folder/a.png"}) {
    auto canvas = open_canvas(path, square());
    ASSERT_TRUE(canvas);
    const auto saved = (*canvas)->save(path);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.problems()[0].where, path);
  }
  EXPECT_FALSE(open_canvas("a.gif", square()));
  EXPECT_TRUE(open_canvas("A.SVG", square()));
}

TEST(Palette, ViridisRunsFromDarkToLightAndTintsStayLight) {
  const auto light = [](Color c) { return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b; };
  for (int i = 0; i < 50; ++i) EXPECT_LT(light(viridis(i / 50.0)), light(viridis((i + 1) / 50.0)) + 1);
  EXPECT_EQ(viridis(-1), viridis(0));
  EXPECT_EQ(viridis(std::nan("")), viridis(0));
  EXPECT_EQ(viridis(7), viridis(1));
  for (std::uint32_t i = 0; i < 10000; ++i) EXPECT_GT(light(tint(i)), 150) << i;
}

}  // namespace
}  // namespace throng
