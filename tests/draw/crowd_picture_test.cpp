// SPDX-License-Identifier: MIT
#include "draw/crowd_picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "draw/palette.hpp"
#include "draw/png_canvas.hpp"
#include "draw/video.hpp"
#include "draw/service_levels.hpp"

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

TEST(CrowdPicture, SquaresHaveTheColoursOfFruinsLevelsAndEmptyOnesAreLeftOut) {
  PngCanvas canvas(sheet());
  const std::vector<double> density = {0, 4, -1, 0.35};
  draw_density(canvas, density, 2, {0, 0}, 5);
  EXPECT_TRUE(same(at(canvas, {2, 2}), kPaper));
  EXPECT_TRUE(same(at(canvas, {2, 7}), kPaper));
  EXPECT_TRUE(same(at(canvas, {7, 2}), service_color(5)));  // F
  EXPECT_TRUE(same(at(canvas, {7, 7}), service_color(1)));  // B: 2.3 to 3.2 m² a person
  ASSERT_EQ(density_legend().size(), 6u);
  EXPECT_EQ(density_legend()[0].words, "A to 0.31 /m²");
  EXPECT_EQ(density_legend()[5].words, "F over 2.17 /m²");
}

/// Relative luminance and contrast as WCAG 2.1 defines them.
double luminance(Color c) {
  const auto channel = [](std::uint8_t v) {
    const double s = v / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(c.r) + 0.7152 * channel(c.g) + 0.0722 * channel(c.b);
}
double contrast(Color a, Color b) {
  const double light = std::max(luminance(a), luminance(b)), dark = std::min(luminance(a), luminance(b));
  return (light + 0.05) / (dark + 0.05);
}

/// The strongest contrast to the background among the pixels of a person: its outline counts.
double contrast_of_person(Color background, PeopleColor meaning, double speed, Vec2 heading, double radius_metres) {
  CanvasSettings settings = sheet();
  PngCanvas canvas(settings);
  const Vec2 all[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
  const std::span<const Vec2> ring(all);
  canvas.polygon({&ring, 1}, background);
  Trajectory t;
  t.agents = {{1, static_cast<float>(radius_metres), 1.3f, 0, 0}};
  t.presence.resize(1);
  for (int k = 0; k < 2; ++k) {
    const std::uint32_t agent[] = {0};
    const float x[] = {5 + static_cast<float>(speed * (k - 1))}, y[] = {5}, hx[] = {static_cast<float>(heading.x)},
                hy[] = {static_cast<float>(heading.y)}, z[] = {0};
    const std::uint16_t layer[] = {0};
    t.append({static_cast<std::uint64_t>(k), 1.0 * k, t.agents, agent, x, y, hx, hy, z, layer});
  }
  CrowdPicture picture;
  picture.color = meaning;
  picture.pixel = canvas.metres_per_pixel();
  const FrameView before = t.frame(0);
  draw_people(canvas, t.frame(1), &before, 1, picture);
  double most = 1;
  const Vec2 middle = canvas.to_pixels({5, 5});
  constexpr int kReach = 30;  // pixels: more than the largest body
  for (int y = -kReach; y <= kReach; ++y)
    for (int x = -kReach; x <= kReach; ++x)
      most = std::max(most, contrast(background, canvas.pixel(static_cast<int>(middle.x) + x, static_cast<int>(middle.y) + y)));
  return most;
}

TEST(CrowdPicture, PeopleStandOutFromEveryGroundByThreeToOne) {
  std::vector<Color> grounds = {kPaper, kSolidGrey, kObstacleGrey};
  for (std::size_t level = 0; level < 6; ++level) grounds.push_back(service_color(level));
  for (const Color ground : grounds)
    for (const double radius : {0.02, 0.2, 0.5})
      for (const double speed : {0.0, 0.6, 1.2, 1.8})
        for (const PeopleColor meaning : {PeopleColor::kSpeed, PeopleColor::kDirection, PeopleColor::kGroup})
          EXPECT_GE(contrast_of_person(ground, meaning, speed, {0, 1}, radius), 3)
              << int{ground.r} << ' ' << int{ground.g} << ' ' << int{ground.b} << ", radius " << radius << ", speed " << speed;
  // Control: the fill alone would not do, on paper and on the mean level of service.
  EXPECT_LT(contrast(kPaper, viridis(1)), 3);
  EXPECT_LT(contrast(service_color(3), viridis(0.7)), 3);
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

TEST(ServiceLevels, have_fruins_areas_per_person) {
  // Walkways, m² a person: A over 3.24, B 2.32, C 1.39, D 0.93, E 0.46.
  const double areas[] = {3.3, 2.4, 1.5, 1.0, 0.5, 0.4};
  for (std::size_t level = 0; level < 6; ++level) EXPECT_EQ(service_level(1 / areas[level]), level);
  EXPECT_EQ(service_level(0), 0u);
}

}  // namespace
}  // namespace throng
