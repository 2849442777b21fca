// SPDX-License-Identifier: MIT
#include "exports.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "draw/crowd_picture.hpp"
#include "draw/palette.hpp"
#include "draw/png_canvas.hpp"
#include "draw/video.hpp"
#include "folder.hpp"
#include "frame_codec.hpp"
#include "frame_view.hpp"
#include "import/import.hpp"
#include "scenario/ground_outline.hpp"

namespace throng::server {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

void move_by(std::vector<Polygon>& polygons, Vec2 shift) {
  for (Polygon& polygon : polygons) {
    for (Vec2& p : polygon.outer) p = p + shift;
    for (Ring& hole : polygon.holes)
      for (Vec2& p : hole) p = p + shift;
  }
}

std::vector<Polygon> ground_of(const Document& document, std::uint32_t layer) {
  if (!document.navigation() || layer >= document.scenario()->scene.layers.size()) return {};
  std::vector<Polygon> ground = ground_outline(*document.navigation(), layer);
  move_by(ground, document.origin());
  return ground;
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kLetters[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string printable_name(const std::string& name) {
  std::string out;
  for (const unsigned char c : name) out += std::isalnum(c) != 0 || c == '_' || c == '-' ? static_cast<char>(c) : '_';
  return out.empty() ? "run" : out.substr(0, 80);
}

Result<fs::path> export_recording(Document& document, Branch& branch) {
  if (auto problem = branch.flush()) return *problem;
  const std::vector<Stretch> stretches = stretches_of(branch);
  Branch& oldest = *stretches.front().branch;
  auto first = oldest.frames().recording();
  if (!first) return first.problems();
  RecordingHeader header = (*first)->header();
  header.scenario = branch.scenario().models.empty() ? "" : branch.scenario().text;
  for (const Stretch& s : stretches) {
    auto recording = s.branch->frames().recording();
    if (!recording) return recording.problems();
    header.has_groups = header.has_groups || (*recording)->header().has_groups;
    if (s.branch->frames().steps_per_frame() != header.steps_per_frame) {
      // A branch of a file that has every second step: its own has all, so the copy takes every second.
      header.steps_per_frame = std::max(header.steps_per_frame, s.branch->frames().steps_per_frame());
    }
  }
  const fs::path file = document.workshop()->new_file(".throng");
  auto writer = RecordingWriter::create(file.string(), header);
  if (!writer) return writer.problems();
  std::uint64_t steps = 0;
  for (const Stretch& s : stretches) {
    auto recording = s.branch->frames().recording();
    if (!recording) return recording.problems();
    const auto events = (*recording)->events();
    if (!events) return events.problems();
    const double end_time = static_cast<double>(s.end) * s.branch->dt();
    for (const RecordedEvent& event : *events)
      if (event.time < end_time)
        if (auto problem = writer->add_event(event)) return *problem;
    // Snapshots of a parent belong to another scenario.
    if (s.branch == &branch)
      for (const ChunkPlace& chunk : (*recording)->chunks())
        if (chunk.header.kind == ChunkKind::kSnapshot) {
          auto bytes = (*recording)->read(chunk);
          if (!bytes) return bytes.problems();
          if (auto problem = writer->add_snapshot(chunk.header.first, *bytes)) return *problem;
        }
    FrameCursor frames(**recording);
    while (frames.next()) {
      const FrameView view = frames.frame();
      const std::uint64_t step = s.branch->first_step() + view.number * s.branch->frames().steps_per_frame();
      if (step >= s.end) break;
      if ((step - header.first_step) % header.steps_per_frame != 0) continue;
      steps = step;
      if (auto problem = writer->add_frame(view)) return *problem;
    }
    if (frames.problem()) return *frames.problem();
  }
  if (auto problem = writer->finish(dump({{"scenario", document.name()}, {"recorded_by", "studio"}, {"last_step", steps}})))
    return *problem;
  return file;
}

Result<fs::path> export_html(Document& document, const std::shared_ptr<Branch>& branch, const ExportSettings& settings) {
  auto html = read_file(settings.page / "index.html");
  if (!html)
    return Problem{"html", "the studio's page is not built, and the file would be made of it",
                   "start the studio with ./throng studio"};
  auto script = read_file(settings.page / "assets/studio.js");
  auto style = read_file(settings.page / "assets/studio.css");
  if (!script || !style)
    return Problem{"html", "the studio's page is incomplete", "build it again: npm run build in apps/studio"};

  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  constexpr std::uint64_t kKeyEvery = 100;
  const auto at = [&](double time) {
    return std::min(static_cast<std::uint64_t>(std::clamp(time / branch->dt(), 0.0, 1e9)), branch->end_step());
  };
  const std::uint64_t first = at(settings.from), last = at(settings.to);
  std::string frames;
  MarkMaker marks;
  bool lacks_marks = false;
  const auto encode = [&](std::uint64_t stride, bool with_marks) -> std::optional<Problem> {
    frames.clear();
    FrameCoder coder;
    std::uint64_t count = 0;
    std::uint64_t shown = ~std::uint64_t{0};
    for (std::uint64_t step = first; step <= last && frames.size() <= kMostBytes; step += stride) {
      auto frame = branch->frame(step);
      if (!frame) return frame.problems()[0];
      FramePointer now = *frame;
      if (now->step == shown) continue;
      shown = now->step;
      lacks_marks = lacks_marks || !now->has_marks;
      if (with_marks) {
        // What cannot be run again is shown as it is, to the end: it would only be tried for every frame.
        if (FramePointer made = marks.marked(document, branch, now))
          now = std::move(made);
        else
          with_marks = false;
      }
      if (count++ % kKeyEvery == 0) coder.restart();
      const std::string bytes = coder.encode(*now, branch->number());
      const auto size = static_cast<std::uint32_t>(bytes.size());
      frames.append(reinterpret_cast<const char*>(&size), sizeof size);
      frames += bytes;
    }
    return std::nullopt;
  };
  // A long run of many people is thinned until it fits. Frames of a recording get their goals once it is known which are taken:
  // it is run again for that.
  constexpr std::uint64_t kMostStride = 64;
  for (std::uint64_t stride = 1; stride <= kMostStride; stride *= 2) {
    if (auto problem = encode(stride, false)) return *problem;
    if (settings.with_goals && lacks_marks && frames.size() <= kMostBytes)
      if (auto problem = encode(stride, true)) return *problem;
    if (frames.size() <= kMostBytes) break;
  }
  Json doc = document.json();
  Json only = branch->json();
  only["parent"] = nullptr, only["from"] = 0, only["running"] = false, only["done"] = true;
  doc["branches"] = Json::array({only});
  std::string data = dump({{"document", doc}, {"branch", branch->number()}, {"frames", base64(frames)}});
  replace_all(data, "</", "<\\/");
  replace_all(data, "<!--", "<\\u0021--");
  replace_all(*script, "</script", "<\\/script");

  const auto cut = [&](const char* begin, const char* end, const std::string& by) {
    const std::size_t from = html->find(begin);
    const std::size_t to = from == std::string::npos ? from : html->find(end, from);
    if (to == std::string::npos) return false;
    html->replace(from, to + std::strlen(end) - from, by);
    return true;
  };
  if (!cut("<link rel=\"stylesheet\"", ">", "<style>" + *style + "</style>"))
    return Problem{"html", "the page has no style sheet", "build it again"};
  // The data must be there before the module runs, which is after everything is parsed.
  const std::size_t module = html->find("<script type=\"module\"");
  if (module == std::string::npos) return Problem{"html", "the page has no script", "build it again"};
  if (!cut("<script type=\"module\"", "</script>",
           "<script>window.THRONG_EMBEDDED=" + data + "</script><script type=\"module\">" + *script + "</script>"))
    return Problem{"html", "the page has no script", "build it again"};
  // An icon that lies beside the page would be asked for from nowhere.
  cut("<link rel=\"icon\"", ">", "");
  const fs::path file = document.workshop()->new_file(".html");
  if (auto problem = write_atomically(file, *html)) return *problem;
  return file;
}

Result<fs::path> export_video(Document& document, Branch& branch, const ExportSettings& settings) {
  constexpr double kFramesPerSecond = 25;
  const std::vector<Polygon> ground = ground_of(document, settings.layer);
  CanvasSettings sheet;
  sheet.low = document.low();
  sheet.high = document.high();
  sheet.pixel_width = settings.pixel_width;
  sheet.title = " ";
  std::vector<std::string> kinds;
  for (const Kind& kind : branch.scenario().kinds) kinds.push_back(kind.name);
  sheet.legend = crowd_legend(PeopleColor::kSpeed, kinds);
  PngCanvas still(sheet);
  CrowdPicture people;
  people.layer = static_cast<std::uint16_t>(settings.layer);
  people.pixel = still.metres_per_pixel();
  draw_ground(still, ground, sheet.low, sheet.high, people.pixel);
  still.finish();
  const fs::path file = document.workshop()->new_file(".mp4");
  auto video = VideoWriter::create(file.string(), static_cast<int>(still.sheet_width()), static_cast<int>(still.sheet_height()),
                                   kFramesPerSecond);
  if (!video) return video.problems();
  const double end = std::min(settings.to, static_cast<double>(branch.end_step()) * branch.dt());
  const double length = std::max(0.0, end - settings.from);
  const auto pictures = static_cast<std::size_t>(length / settings.speed * kFramesPerSecond) + 1;
  constexpr std::size_t kMostPictures = 25 * 60 * 20;
  if (pictures > kMostPictures)
    return Problem{"video", fmt::format("it would have {} pictures; at most {} are made", pictures, kMostPictures),
                   "choose a shorter part or a higher speed"};
  PngCanvas canvas(sheet);
  for (std::size_t i = 0; i < pictures; ++i) {
    const double time = settings.from + static_cast<double>(i) / kFramesPerSecond * settings.speed;
    const auto step = static_cast<std::uint64_t>(time / branch.dt() + 1e-6);
    const std::uint64_t back = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(0.2 / branch.dt())));
    auto now = branch.frame(step), before = branch.frame(step > back ? step - back : 0);
    if (!now) return now.problems();
    if (!before) return before.problems();
    const FrameColumnsOf a(**now, document.low()), b(**before, document.low());
    const FrameView old = b.view();
    canvas.copy_pixels(still);
    draw_people(canvas, a.view(), &old, (*now)->time - (*before)->time, people);
    canvas.note(fmt::format("{:.1f} s, {} people", (*now)->time, (*now)->rows.size()));
    if (auto problem = video->add(canvas)) return *problem;
  }
  if (auto problem = video->finish()) return *problem;
  return file;
}

namespace {

/// As the page has them (apps/studio/src/view/colors.ts).
struct PictureColors {
  Color earth, floor, wall;
  std::array<Color, 4> speed;  ///< standing, a third, two thirds, as fast as one likes
};
constexpr Color kOutline{16, 22, 29};
constexpr PictureColors kByDay{{223, 227, 230}, {247, 248, 249}, {141, 149, 157}, {{{31, 95, 168}, {79, 147, 201}, {240, 166, 58}, {253, 246, 232}}}};
constexpr PictureColors kByNight{{22, 28, 35}, {53, 64, 75}, {118, 131, 143}, {{{76, 155, 232}, {141, 195, 240}, {245, 171, 61}, {255, 249, 238}}}};

Color speed_color(const PictureColors& colors, double share) {
  const double at = 3 * std::clamp(share, 0.0, 1.0);
  const auto below = std::min<std::size_t>(static_cast<std::size_t>(at), 2);
  return mixed(colors.speed[below], colors.speed[below + 1], at - static_cast<double>(below));
}

}  // namespace

Result<fs::path> scene_picture(const fs::path& scenario_file, const fs::path& folder, bool dark) {
  constexpr double kPictureTime = 12;          // s simulated before the picture is taken
  constexpr double kMostSeconds = 2;           // of work
  constexpr std::uint32_t kMostPeople = 3000;  // of each population: it is a thumbnail
  constexpr const char* kLook = " look 2";     // another one makes new pictures
  auto bytes = read_file(scenario_file);
  if (!bytes) return bytes.problems();
  const std::string name =
      fmt::format("{}-{}-{:016x}.png", scenario_file.stem().string(), dark ? "night" : "day", hash_of(std::string_view(*bytes + THRONG_VERSION + kLook)));
  std::error_code error;
  if (fs::is_regular_file(folder / name, error)) return folder / name;
  fs::path cache;
  if (const char* home = std::getenv("XDG_CACHE_HOME"); home != nullptr && *home == '/')
    cache = fs::path(home) / "throng/pictures";
  else if (const char* user = std::getenv("HOME"); user != nullptr && *user == '/')
    cache = fs::path(user) / ".cache/throng/pictures";
  if (!cache.empty() && fs::is_regular_file(cache / name, error)) return cache / name;

  ScenarioOverrides overrides;
  overrides.most_people = kMostPeople;
  auto scenario = load_scenario(scenario_file, overrides);
  if (!scenario) return scenario.problems();
  auto navigation = Navigation::bake(scenario->scene, {.threads = 1});
  if (!navigation) return navigation.problems();
  auto simulation = Simulation::create(*scenario, *navigation, 1);
  if (!simulation) return simulation.problems();
  const auto began = Clock::now();
  while (simulation->world().time() < kPictureTime && !simulation->is_done() &&
         std::chrono::duration<double>(Clock::now() - began).count() < kMostSeconds)
    simulation->step();
  const World::Columns rows = simulation->world().columns();
  std::vector<std::uint16_t> layer(rows.x.size());
  std::vector<float> z(rows.x.size());
  simulation->world().footing(layer, z);
  std::vector<std::uint32_t> order(rows.x.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rows.number[a] < rows.number[b]; });
  std::vector<Polygon> ground = ground_outline(*navigation, 0);
  CanvasSettings sheet;
  sheet.low = {1e9, 1e9}, sheet.high = {-1e9, -1e9};
  for (const Polygon& polygon : ground)
    for (const Vec2& p : polygon.outer) {
      sheet.low = {std::min(sheet.low.x, p.x), std::min(sheet.low.y, p.y)};
      sheet.high = {std::max(sheet.high.x, p.x), std::max(sheet.high.y, p.y)};
    }
  // The same proportions for all.
  const double margin = 0.03 * std::max(sheet.high.x - sheet.low.x, sheet.high.y - sheet.low.y) + 0.2;
  const Vec2 middle = 0.5 * (sheet.low + sheet.high);
  double half_x = (sheet.high.x - sheet.low.x) / 2 + margin, half_y = (sheet.high.y - sheet.low.y) / 2 + margin;
  constexpr double kRatio = 1.6;
  half_x = std::max(half_x, kRatio * half_y), half_y = std::max(half_y, half_x / kRatio);
  sheet.low = {middle.x - half_x, middle.y - half_y}, sheet.high = {middle.x + half_x, middle.y + half_y};
  sheet.pixel_width = 640;
  sheet.margin = 0;
  sheet.scale_bar = sheet.border = false;
  PngCanvas canvas(sheet);
  const PictureColors& colors = dark ? kByNight : kByDay;
  const double pixel = canvas.metres_per_pixel();
  canvas.begin_layer("ground");
  const Vec2 all[] = {sheet.low, {sheet.high.x, sheet.low.y}, sheet.high, {sheet.low.x, sheet.high.y}};
  const std::span<const Vec2> whole(all);
  canvas.polygon({&whole, 1}, colors.earth);
  for (const Polygon& polygon : ground) {
    std::vector<std::span<const Vec2>> rings = {polygon.outer};
    rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
    canvas.polygon(rings, colors.floor);
    for (Ring ring : polygon.holes) ring.push_back(ring.front()), canvas.polyline(ring, {colors.wall, 1.5 * pixel, 1.5});
    Ring outer = polygon.outer;
    outer.push_back(outer.front());
    canvas.polyline(outer, {colors.wall, 1.5 * pixel, 1.5});
  }
  canvas.begin_layer("people");
  for (const std::uint32_t i : order) {
    if (layer[i] != 0) continue;
    const double speed = std::hypot(rows.vx[i], rows.vy[i]), preferred = std::max(0.1f, rows.preferred_speed[i]);
    const double radius = std::max<double>(rows.radius[i], 2.4 * pixel);
    canvas.disc({rows.x[i], rows.y[i]}, radius + 0.9 * pixel, kOutline);
    canvas.disc({rows.x[i], rows.y[i]}, radius, speed_color(colors, speed / preferred));
  }
  const fs::path made = folder / ("new-" + name);
  if (const auto saved = canvas.save(made.string()); !saved) return saved.problems();
  if (!cache.empty() && (fs::create_directories(cache, error), !error)) {
    // Into the cache by a name of this process, then in one go.
    const fs::path mine = cache / fmt::format("{}.{}", name, ::getpid());
    if (fs::copy_file(made, mine, fs::copy_options::overwrite_existing, error) && !error) fs::rename(mine, cache / name, error);
  }
  fs::rename(made, folder / name, error);
  if (error) return Problem{name, "the picture cannot be kept: " + error.message(), ""};
  return folder / name;
}

}  // namespace throng::server
