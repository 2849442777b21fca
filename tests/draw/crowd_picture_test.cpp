// SPDX-License-Identifier: MIT
#include "draw/crowd_picture.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "draw/palette.hpp"
#include "draw/png_canvas.hpp"
#include "draw/video.hpp"

namespace throng {
namespace {

bool same(Color a, Color b) { return a.r == b.r && a.g == b.g && a.b == b.b; }

/// Two people: one stands at (2, 2), one walks east from (5, 5) at 1.8 m/s.
Trajectory two_people() {
  Trajectory t;
  t.frame_seconds = 0.5;
  t.kinds = {"adult", "child"};
  t.agents = {{1, 0.5f, 1.3f, 0}, {2, 0.5f, 1.8f, 1}};
  t.presence.resize(2);
  for (int k = 0; k < 4; ++k) {
    const std::uint32_t agent[] = {0, 1};
    const float x[] = {2, 5 + 0.9f * static_cast<float>(k)}, y[] = {2, 5}, hx[] = {0, 1}, hy[] = {1, 0}, z[] = {0, 0};
    const std::uint16_t layer[] = {0, 0};
    t.append({static_cast<std::uint64_t>(k), 0.5 * k, t.agents, agent, x, y, hx, hy, z, layer});
  }
  return t;
}

CanvasSettings sheet() {
  CanvasSettings settings;
  settings.low = {0, 0};
  settings.high = {10, 10};
  settings.pixel_width = 500;
  settings.scale_bar = settings.border = false;
  return settings;
}

Color at(const PngCanvas& canvas, Vec2 place) {
  const Vec2 p = canvas.to_pixels(place);
  return canvas.pixel(static_cast<int>(p.x), static_cast<int>(p.y));
}

TEST(CrowdPicture, PeopleAreWhereTheyAreInTheColourOfTheirSpeed) {
  const Trajectory t = two_people();
  PngCanvas canvas(sheet());
  CrowdPicture settings;
  settings.pixel = canvas.metres_per_pixel();
  const FrameView now = t.frame(2), before = t.frame(1);
  draw_people(canvas, now, &before, 0.5, settings);
  EXPECT_TRUE(same(at(canvas, {1.7, 1.8}), viridis(0)));
  EXPECT_TRUE(same(at(canvas, {6.5, 5.2}), viridis(1)));
  EXPECT_TRUE(same(at(canvas, {2, 2.3}), kPaper));  // the nose
  EXPECT_TRUE(same(at(canvas, {8, 8}), kPaper));
}

TEST(CrowdPicture, KindsHaveTheirOwnColours) {
  const Trajectory t = two_people();
  PngCanvas canvas(sheet());
  CrowdPicture settings;
  settings.color = PeopleColor::kKind;
  settings.pixel = canvas.metres_per_pixel();
  draw_people(canvas, t.frame(0), nullptr, 0, settings);
  EXPECT_TRUE(same(at(canvas, {1.7, 1.8}), kind_color(0)));
  EXPECT_TRUE(same(at(canvas, {4.7, 5.2}), kind_color(1)));
  EXPECT_EQ(crowd_legend(PeopleColor::kKind, t.kinds).size(), 2u);
}

TEST(CrowdPicture, GroundIsPaperAndTheRestIsGrey) {
  PngCanvas canvas(sheet());
  const std::vector<Polygon> ground = {{{{1, 1}, {9, 1}, {9, 9}, {1, 9}}, {{{4, 4}, {4, 6}, {6, 6}, {6, 4}}}}};
  draw_ground(canvas, ground, {0, 0}, {10, 10}, canvas.metres_per_pixel());
  EXPECT_TRUE(same(at(canvas, {2, 2}), kPaper));
  EXPECT_TRUE(same(at(canvas, {5, 5}), kSolidGrey));
  EXPECT_TRUE(same(at(canvas, {0.5, 0.5}), kSolidGrey));
}

TEST(CrowdPicture, DenseSquaresAreBrightAndEmptyOnesAreLeftOut) {
  PngCanvas canvas(sheet());
  const std::vector<double> density = {0, 4, 0, 2};
  draw_density(canvas, density, 2, {0, 0}, 5, 4);
  EXPECT_TRUE(same(at(canvas, {2, 2}), kPaper));
  const Color full = at(canvas, {7, 2}), half = at(canvas, {7, 7});
  EXPECT_GT(full.r + full.g, half.r + half.g);
}

TEST(CrowdPicture, TrailsBreakAtJumps) {
  Trajectory t = two_people();
  const std::uint32_t agent[] = {0, 1};
  const float x[] = {2, 0.5f}, y[] = {2, 5}, h[] = {1, 1}, z[] = {0, 0};
  const std::uint16_t layer[] = {0, 0};
  t.append({4, 2, t.agents, agent, x, y, h, z, z, layer});  // the walker is back at the west end
  PngCanvas canvas(sheet());
  CrowdPicture settings;
  settings.pixel = canvas.metres_per_pixel();
  draw_trails(canvas, t, settings);
  EXPECT_FALSE(same(at(canvas, {6, 5}), kPaper));
  EXPECT_TRUE(same(at(canvas, {3, 5}), kPaper));
}

TEST(Video, IsWrittenByFfmpegAndSaysWhatIsWrongOtherwise) {
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "skipped: no ffmpeg";
  const std::string path = (std::filesystem::temp_directory_path() / "throng_video_test.mp4").string();
  PngCanvas canvas(sheet());
  {
    Result<VideoWriter> video =
        VideoWriter::create(path, static_cast<int>(canvas.sheet_width()), static_cast<int>(canvas.sheet_height()), 25);
    ASSERT_TRUE(video);
    for (int i = 0; i < 10; ++i) ASSERT_FALSE(video->add(canvas));
    EXPECT_FALSE(video->finish());
  }
  EXPECT_GT(std::filesystem::file_size(path), 500u);
  std::ifstream file(path, std::ios::binary);
  std::string head(12, '\0');
  file.read(head.data(), 12);
  EXPECT_EQ(head.substr(4, 4), "ftyp");
  std::filesystem::remove(path);

  Result<VideoWriter> nowhere = VideoWriter::create("/nowhere/at/all.mp4", 64, 64, 25);
  ASSERT_TRUE(nowhere);
  EXPECT_TRUE(nowhere->finish());
}

}  // namespace
}  // namespace throng
