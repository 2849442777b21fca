// SPDX-License-Identifier: MIT
// `throng draw` of recordings, for what a recording does not hold and the run has to be recomputed for: the scene after edits,
// regions of interest, vehicles. The shapes of the picture are measured, in metres.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <throng/vec.hpp>

#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;
using Line = std::vector<Vec2>;

struct Extent {
  Vec2 low{1e9, 1e9}, high{-1e9, -1e9};
  Vec2 middle() const { return 0.5 * (low + high); }
  Vec2 size() const { return high - low; }
};
Extent extent_of(const Line& line) {
  Extent e;
  for (const Vec2 p : line) {
    e.low = {std::min(e.low.x, p.x), std::min(e.low.y, p.y)};
    e.high = {std::max(e.high.x, p.x), std::max(e.high.y, p.y)};
  }
  return e;
}

/// An SVG that `draw --crop` made, read back.
struct Picture {
  Picture(std::string text, Vec2 crop_low, Vec2 crop_high) : svg(std::move(text)), low(crop_low), high(crop_high) {
    const auto attribute = [&](std::string_view name) {
      const std::size_t rect = svg.find("<clipPath id=\"picture\"><rect");
      const std::size_t at = svg.find(' ' + std::string(name) + "=\"", rect);
      return rect == std::string::npos ? NAN : std::strtod(svg.c_str() + at + name.size() + 3, nullptr);
    };
    corner = {attribute("x"), attribute("y")};
    scale = attribute("width") / (high.x - low.x);
  }
  bool has(const std::string& group) const { return svg.find("<g class=\"" + group + "\">") != std::string::npos; }
  /// What stands between a group's beginning and the next one's.
  std::string_view part(const std::string& group) const {
    const std::size_t begin = svg.find("<g class=\"" + group + "\">");
    if (begin == std::string::npos) return {};
    return std::string_view(svg).substr(begin, svg.find("<g class=", begin + 1) - begin);
  }
  /// All lines and outlines of a group that are painted in a colour, or in any.
  std::vector<Line> lines(const std::string& group, const std::string& colour = "") const {
    std::vector<Line> lines;
    const std::string_view all = part(group);
    bool is_wanted = colour.empty();
    for (std::size_t at = all.find('<'); at != std::string_view::npos; at = all.find('<', at + 1)) {
      const std::string element(all.substr(at, all.find('>', at) - at));
      if (element.find("=\"#") != std::string::npos) is_wanted = colour.empty() || element.find(colour) != std::string::npos;
      const std::size_t path = element.find(" d=\"");
      if (path != std::string::npos && is_wanted) read_path(element.c_str() + path + 4, lines);
    }
    return lines;
  }
  /// Of outlines and the holes in them.
  double area(const std::string& group) const {
    double twice = 0;
    for (const Line& line : lines(group))
      for (std::size_t i = 0; i < line.size(); ++i) twice += cross(line[i], line[(i + 1) % line.size()]);
    return 0.5 * std::abs(twice);
  }

 private:
  /// M x y l dx dy dx dy … z, again and again, up to the quotation mark.
  void read_path(const char* text, std::vector<Line>& out) const {
    Vec2 pixel;
    for (bool is_relative = false; *text != '"' && *text != '\0';) {
      if (*text == 'M') out.emplace_back();
      if (*text == 'M' || *text == 'l') is_relative = *text == 'l';
      if (std::isalpha(static_cast<unsigned char>(*text)) != 0 || *text == ' ') {
        ++text;
        continue;
      }
      char* end = nullptr;
      const double x = std::strtod(text, &end), y = std::strtod(end, &end);
      ASSERT_NE(end, text);
      text = end;
      pixel = is_relative ? pixel + Vec2{x, y} : Vec2{x, y};
      out.back().push_back({low.x + (pixel.x - corner.x) / scale, high.y - (pixel.y - corner.y) / scale});
    }
  }
  std::string svg;
  Vec2 low, high, corner;
  double scale = 1;
};

class CliDraw : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("throng_draw_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  int run(const std::string& words) {
    const std::string command =
        "cd '" + folder_.string() + "' && timeout 300 '" + test::binary_dir().string() + "/bin/throng' " + words + " >stdout 2>stderr";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// Of all the ground, which reaches from `low` to `high`.
  Picture draw(const std::string& recording, const std::string& words, Vec2 low, Vec2 high) {
    const auto number = [](double v) { return std::to_string(static_cast<int>(v)); };
    const std::string crop = " --crop=" + number(low.x) + "," + number(low.y) + "," + number(high.x) + "," + number(high.y) + " ";
    EXPECT_EQ(run("draw " + recording + " -o picture.svg" + crop + words), 0) << read("stderr");
    return Picture(read("picture.svg"), low, high);
  }

 private:
  fs::path folder_;
};

TEST_F(CliDraw, shows_the_ground_as_edits_have_left_it_at_each_moment) {
  ASSERT_EQ(run("run closing_door -o out --duration 47 --quiet"), 0) << read("stderr");
  const Vec2 low{0, 0}, high{40, 24};
  const auto area_at = [&](const char* time) { return draw("out", std::string("--time ") + time, low, high).area("ground"); };
  // Two halls of 960 m² together, less the wall between them; then a door of 0.8 m² is closed and a crate of 4 m² is there.
  const double whole = 960 - 0.4 * (11 + 8);
  EXPECT_NEAR(area_at("1"), whole, 0.3);
  EXPECT_NEAR(area_at("30"), whole - 0.8 - 4, 0.3);
  EXPECT_NEAR(area_at("46.5"), whole, 0.3);
  // The crate where it was dropped, and nobody in the door.
  const Picture closed = draw("out", "--time 30", low, high);
  const auto is_crate = [](const Line& line) {
    const Extent e = extent_of(line);
    return distance(e.middle(), {15, 2}) < 0.05 && distance(e.size(), {2, 2}) < 0.05;
  };
  const std::vector<Line> walls = closed.lines("walls");
  EXPECT_EQ(std::count_if(walls.begin(), walls.end(), is_crate), 1);
  const std::vector<Line> before = draw("out", "--time 1", low, high).lines("walls");
  EXPECT_EQ(std::count_if(before.begin(), before.end(), is_crate), 0);
}

TEST_F(CliDraw, shows_regions_where_they_are_and_the_levels_they_give) {
  ASSERT_EQ(run("run regions -o out --duration 3 --quiet"), 0) << read("stderr");
  const Vec2 low{-60, -40}, high{60, 40};
  const Picture picture = draw("out", "--show regions --time 2", low, high);
  std::vector<Extent> whole;
  int dashes = 0;
  for (const Line& line : picture.lines("regions")) {
    const Extent e = extent_of(line);
    if (e.size().x > 20) {
      whole.push_back(e);
      continue;
    }
    ++dashes;
    EXPECT_LT(distance(e.middle(), Vec2{-18, 12}), 6.5) << "the limit is dashed";
  }
  EXPECT_GT(dashes, 10);
  ASSERT_EQ(whole.size(), 2u);
  std::sort(whole.begin(), whole.end(), [](const Extent& a, const Extent& b) { return a.size().x < b.size().x; });
  for (const Extent& e : whole) EXPECT_LT(length(e.middle()), 0.1);
  EXPECT_NEAR(whole[0].size().x, 2 * 15, 0.2);
  EXPECT_NEAR(whole[1].size().x, 2 * 36, 0.2);
  // Tiles in the colours of their levels.
  std::size_t tiles = 0;
  for (const Line& tile : picture.lines("levels")) tiles += tile.size() >= 4;
  EXPECT_GT(tiles, 500u);
  const auto colour_at = [&](Vec2 place) {
    const std::string_view part = picture.part("levels");
    for (std::size_t at = part.find("fill=\"#"); at != std::string_view::npos; at = part.find("fill=\"#", at + 1)) {
      const std::string name(part.substr(at + 6, 7));
      for (const Line& tile : picture.lines("levels", name)) {
        const Extent e = extent_of(tile);
        if (place.x > e.low.x && place.x < e.high.x && place.y > e.low.y && place.y < e.high.y) return name;
      }
    }
    return std::string();
  };
  const std::string most = colour_at({8.5, 1.4}), some = colour_at({26.2, 1.4}), least = colour_at({50.2, 1.4});
  EXPECT_FALSE(most.empty() || some.empty() || least.empty());
  EXPECT_TRUE(most != some && some != least && most != least);
  EXPECT_EQ(colour_at({1.4, -9.7}), most);
  EXPECT_EQ(colour_at({-1.4, 30.2}), some);
  EXPECT_EQ(colour_at({-55.2, -34.4}), least);
  // The controls: a frame shows none of it, and a run without regions has none to show.
  const Picture frame = draw("out", "--show frame --time 2", low, high);
  EXPECT_FALSE(frame.has("regions") || frame.has("levels"));
  ASSERT_EQ(run("run bottleneck -o plain --duration 2 --quiet --allow-lost"), 0) << read("stderr");
  EXPECT_NE(run("draw plain -o picture.svg --show regions"), 0);
  EXPECT_NE(read("stderr").find("no regions of interest"), std::string::npos) << read("stderr");
}

TEST_F(CliDraw, shows_vehicles_where_they_drive_from_when_they_start) {
  ASSERT_EQ(run("run cars -o out --duration 10 --quiet"), 0) << read("stderr");
  const Vec2 low{-50, -30}, high{50, 30};
  // Bodies are drawn in ink, one outline each, with the windscreen on top of it.
  const auto bodies = [&](const char* time) {
    std::vector<Extent> found;
    for (const Line& line : draw("out", std::string("--time ") + time, low, high).lines("vehicles"))
      if (const Extent e = extent_of(line); e.size().x > 3) found.push_back(e);
    return found;
  };
  EXPECT_TRUE(bodies("2").empty()) << "before the first starts";
  const std::vector<Extent> first = bodies("6"), both = bodies("9.5");
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(both.size(), 2u);
  for (const std::vector<Extent>& cars : {first, both})
    for (const Extent& car : cars) {
      EXPECT_NEAR(car.size().x, 4.4, 0.05);
      EXPECT_NEAR(car.size().y, 1.8, 0.05);
      EXPECT_NEAR(std::abs(car.middle().y), 2.5, 0.05) << "on its path";
    }
  EXPECT_NEAR(first[0].middle().y, -2.5, 0.05);
  EXPECT_GT(both[0].middle().x, first[0].middle().x + 1) << "it has driven east";
  EXPECT_NEAR(both[1].middle().y, 2.5, 0.05);
  EXPECT_GT(both[1].middle().x, 20) << "the other has just begun";
}

}  // namespace
}  // namespace throng
