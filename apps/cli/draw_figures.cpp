// SPDX-License-Identifier: MIT
#include "draw_figures.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "common.hpp"
#include "draw/png_canvas.hpp"
#include "draw/stage.hpp"
#include "draw/video.hpp"

namespace throng::cli {
namespace {

bool ends_in(const std::string& file, std::string_view ending) {
  return file.size() > ending.size() && file.substr(file.size() - ending.size()) == ending;
}

std::optional<PeopleColor> coat_color(const std::string& name) {
  if (name == "speed") return PeopleColor::kSpeed;
  if (name == "direction") return PeopleColor::kDirection;
  if (name == "kind") return PeopleColor::kKind;
  if (name == "group") return PeopleColor::kGroup;
  return std::nullopt;
}

/// "X,Y,Z,X,Y,Z": the eye and what it looks at.
Result<Standpoint> parse_camera(const std::string& text) {
  double values[6];
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < 6; ++i) {
    const auto [next, error] = std::from_chars(at, end, values[i]);
    const bool goes_on = i < 5 ? next != end && *next == ',' : next == end;
    if (error != std::errc() || !goes_on || !(std::abs(values[i]) < 1e6))
      return Problem{"--camera", "\"" + text + "\" is not two points",
                     "write X,Y,Z of the eye, then X,Y,Z of what it looks at, in metres"};
    at = next + 1;
  }
  return Standpoint{{values[0], values[1], values[2]}, {values[3], values[4], values[5]}};
}

}  // namespace

Result<DrawnSize> draw_figures(const RecordingPicture& a, const Trajectory& trajectory, const Scene& scene, std::span<const Polygon> outline, Vec2 low, Vec2 high) {
  const bool moves = ends_in(a.output, ".mp4");
  if (!moves && !ends_in(a.output, ".png") && !ends_in(a.output, ".jpg"))
    return Problem{a.output, "figures are drawn in pixels", "name a .png, .jpg or .mp4 file, or draw dots"};
  const HeightSpan heights = height_span(scene);
  PerspectiveSettings settings;
  settings.width = static_cast<int>(a.pixel_width);
  settings.height = static_cast<int>(a.pixel_width * 9 / 16);
  if (moves) settings.width &= ~1, settings.height &= ~1;
  constexpr double kWidest = 6400;
  if (a.pixel_width > kWidest) return Problem{"--width", "pictures of figures have at most 6400 pixels", "choose fewer"};
  // A still can afford smooth edges, as far as its 36 bytes a sample fit; a video's are smoothed by its motion.
  settings.samples = moves || a.pixel_width > 3200 ? 1 : a.pixel_width > 1600 ? 2 : 3;
  settings.shadow_size = moves ? 2048 : 4096;
  settings.bottom = heights.low;
  settings.top = heights.high + 16;
  settings.low = low;
  settings.high = high;
  Standpoint standpoint = standpoint_on(low, high, heights.low, a.turn, a.tilt, settings);
  if (!a.camera.empty()) {
    const Result<Standpoint> given = parse_camera(a.camera);
    if (!given) return given.problems();
    standpoint = *given;
  }
  settings.eye = standpoint.eye;
  settings.target = standpoint.target;
  Perspective view(settings);
  add_scene(view, scene, outline);
  Figures figures(trajectory);
  const std::optional<PeopleColor> color = coat_color(a.color);
  const double length = trajectory.time_of(trajectory.frame_count() - 1);
  DrawnSize size{static_cast<double>(settings.width), static_cast<double>(settings.height), 1};
  if (!moves) {
    view.render(figures.at(a.time.value_or(0.5 * length), color));
    if (ends_in(a.output, ".jpg")) {
      if (auto problem = write_jpeg(a.output, view.pixels(), view.width(), view.height())) return *problem;
      return size;
    }
    if (const auto saved = write_png(a.output, view.pixels(), view.width(), view.height()); !saved) return saved.problems();
    return size;
  }
  Result<VideoWriter> video = VideoWriter::create(a.output, settings.width, settings.height, a.frames_per_second);
  if (!video) return video.problems();
  const double start = std::clamp(a.time.value_or(0), 0.0, length);
  const double seconds = std::min(length - start, a.length.value_or(length) * a.speed);
  size.pictures = static_cast<std::size_t>(seconds / a.speed * a.frames_per_second) + 1;
  Progress progress("video", a.quiet);
  for (std::size_t i = 0; i < size.pictures; ++i) {
    view.render(figures.at(start + static_cast<double>(i) / a.frames_per_second * a.speed, color));
    if (auto problem = video->add(view.pixels())) return *problem;
    progress.count(i + 1, size.pictures);
  }
  if (auto problem = video->finish()) return *problem;
  return size;
}

}  // namespace throng::cli
