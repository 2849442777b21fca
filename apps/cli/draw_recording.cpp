// SPDX-License-Identifier: MIT
#include "draw_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "analysis/density_map.hpp"
#include "common.hpp"
#include "draw/crowd_picture.hpp"
#include "draw/flow_picture.hpp"
#include "draw/interest_picture.hpp"
#include "draw/open_canvas.hpp"
#include "draw/video.hpp"
#include "draw_field.hpp"
#include "draw_figures.hpp"
#include "inputs.hpp"
#include "pictures.hpp"
#include "scenario/ground_outline.hpp"
#include "scenario/replay.hpp"
#include "trajectory/files.hpp"

namespace throng::cli {
namespace {

constexpr const char* kRecordingOfRun = "recording.throng";

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && std::equal(end.rbegin(), end.rend(), text.rbegin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
         });
}

PeopleColor color_of(const std::string& name) {
  if (name == "group") return PeopleColor::kGroup;
  return name == "kind" ? PeopleColor::kKind : name == "direction" ? PeopleColor::kDirection : PeopleColor::kSpeed;
}

std::vector<VehicleState> vehicles_of(const World& world) {
  std::vector<VehicleState> vehicles;
  for (std::uint32_t i = 0; i < world.vehicle_count(); ++i) vehicles.push_back(world.vehicle(i));
  return vehicles;
}

/// Whether what a run shows besides people must be recomputed. Other tools' recordings, and old ones, hold no scenario.
bool has_more_than_people(const std::string& file) {
  const Result<Recording> recording = Recording::open(file);
  if (!recording || recording->header().scenario.empty()) return false;
  const Result<Scenario> scenario = scenario_of(*recording);
  return scenario && (!scenario->vehicles.empty() || !scenario->events.empty());
}

void move_by(std::vector<Polygon>& polygons, Vec2 shift) {
  for (Polygon& polygon : polygons) {
    for (Vec2& p : polygon.outer) p = p + shift;
    for (Ring& hole : polygon.holes)
      for (Vec2& p : hole) p = p + shift;
  }
}

struct Drawing {
  const RecordingPicture& arguments;
  Trajectory trajectory;
  std::vector<Polygon> ground;
  CanvasSettings sheet;
  CrowdPicture people;
  /// The run itself, for what a recording does not hold: vehicles and levels.
  std::optional<Replay> replay;
  std::size_t edits_shown = 0;  ///< that the ground has

  /// Brings the run to a frame, if it is needed for the picture, and the ground to what it was then.
  std::optional<Problem> replay_to(std::size_t frame) {
    if (!replay) return std::nullopt;
    if (const Result<bool> gone = replay->go_to_time(trajectory.time_of(frame)); !gone) return gone.problems()[0];
    if (replay->world().edits().size() == edits_shown) return std::nullopt;
    edits_shown = replay->world().edits().size();
    ground = ground_outline(replay->world().navigation(), people.layer);
    move_by(ground, replay->scenario().scene.origin);
    return std::nullopt;
  }
  std::size_t frame_at(double time) const {
    const double frame = std::round(time / trajectory.frame_seconds);
    return static_cast<std::size_t>(std::clamp(frame, 0.0, static_cast<double>(trajectory.frame_count() - 1)));
  }
  void draw_frame(DrawStream& out, std::size_t number) const {
    if (replay) draw_vehicles(out, vehicles_of(replay->world()), replay->scenario().scene.origin, people.layer);
    // Speeds from about a fifth of a second before: a step alone shows every sidestep.
    const auto back = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(0.2 / trajectory.frame_seconds)));
    const std::size_t old = number >= back ? number - back : 0;
    const FrameView now = trajectory.frame(number), before = trajectory.frame(old);
    draw_people(out, now, &before, static_cast<double>(number - old) * trajectory.frame_seconds, people);
  }
  std::string moment(std::size_t frame) const {
    return fmt::format("{:.1f} s, {} people", trajectory.time_of(frame), trajectory.frame(frame).size());
  }
};

std::optional<Problem> draw_picture(Drawing& drawing, double& width, double& height) {
  const RecordingPicture& a = drawing.arguments;
  const std::size_t frame =
      drawing.frame_at(a.time.value_or(0.5 * drawing.trajectory.time_of(drawing.trajectory.frame_count() - 1)));
  if (auto problem = drawing.replay_to(frame)) return problem;
  DensityMap map;
  if (a.show == "density") {
    map = mean_density_on(drawing.trajectory, drawing.ground, 1.5, 0.25, a.layer);
    drawing.sheet.legend = density_legend();
  } else {
    const PeopleColor color =
        a.show == "trails" && drawing.people.color == PeopleColor::kSpeed ? PeopleColor::kDirection : drawing.people.color;
    drawing.people.color = color;
    drawing.sheet.legend = crowd_legend(color, drawing.trajectory.kinds);
  }
  const bool shows_regions = a.show == "regions";
  if (shows_regions) {
    const auto levels = level_legend();
    drawing.sheet.legend.insert(drawing.sheet.legend.begin(), levels.begin(), levels.end());
  }
  std::optional<ChosenField> field;
  FieldPicture field_picture{.show = field_show(a.field), .layer = a.layer};
  std::vector<VehicleState> vehicles;
  if (a.show == "field") {
    vehicles = vehicles_of(drawing.replay->world());
    Result<ChosenField> chosen = choose_field(*drawing.replay, a.set);
    if (!chosen) return chosen.problems()[0];
    field.emplace(std::move(*chosen));
    field_picture.tile = field->info.tile;
    field_picture.origin = drawing.replay->scenario().scene.origin;
    drawing.sheet.legend = field_legend(field->tiles, field_picture);
    const auto people = crowd_legend(PeopleColor::kDirection, drawing.trajectory.kinds);
    drawing.sheet.legend.insert(drawing.sheet.legend.end(), people.begin(), people.end());
    if (drawing.sheet.title.empty())
      drawing.sheet.title = fmt::format("{} for {}, {:.1f} s", a.field, field->words, drawing.trajectory.time_of(frame));
  }
  if (drawing.sheet.title.empty() && (a.show == "frame" || shows_regions)) drawing.sheet.title = drawing.moment(frame);
  Result<std::unique_ptr<Canvas>> canvas = open_canvas(a.output, drawing.sheet);
  if (!canvas) return canvas.problems()[0];
  Canvas& out = **canvas;
  drawing.people.pixel = out.metres_per_pixel();
  draw_ground(out, drawing.ground, drawing.sheet.low, drawing.sheet.high, drawing.people.pixel);
  if (shows_regions) {
    const World& world = drawing.replay->world();
    const Vec2 origin = drawing.replay->scenario().scene.origin;
    draw_levels(out, world.level_tiles(), world.settings().interest.tile, origin, a.layer);
    draw_solid(out, drawing.ground, drawing.sheet.low, drawing.sheet.high, drawing.people.pixel);
    std::vector<Region> regions;
    for (std::uint32_t i = 0; i < world.region_count(); ++i)
      if (const auto region = world.region(i)) regions.push_back(*region);
    draw_regions(out, regions, origin, a.layer);
  }
  if (field) {
    field_picture.pixel = drawing.people.pixel;
    draw_field(out, field->tiles, field_picture);
    draw_solid(out, drawing.ground, drawing.sheet.low, drawing.sheet.high, drawing.people.pixel);
    draw_vehicles(out, vehicles, field_picture.origin, a.layer);
    drawing.replay.reset();  // it is a step ahead now
    drawing.people.color = PeopleColor::kDirection;
  }
  if (a.show == "density") {
    draw_density(out, map.density, map.columns, map.low, map.square);
    draw_solid(out, drawing.ground, drawing.sheet.low, drawing.sheet.high, drawing.people.pixel);
    if (a.with_people) drawing.draw_frame(out, frame);
  } else if (a.show == "trails") {
    draw_trails(out, drawing.trajectory, drawing.people);
  } else {
    drawing.draw_frame(out, frame);
  }
  width = out.sheet_width();
  height = out.sheet_height();
  if (const auto saved = out.save(a.output); !saved) return saved.problems()[0];
  return std::nullopt;
}

/// Of flows, as of a moment of the run, which is recomputed.
std::optional<Problem> draw_flow_load(Drawing& drawing, double& width, double& height) {
  const RecordingPicture& a = drawing.arguments;
  const double end = drawing.trajectory.time_of(drawing.trajectory.frame_count() - 1);
  const double time = std::clamp(a.time.value_or(end), 0.0, end);
  Result<Replay> replay = Replay::open(recording_file(a.recording));
  if (!replay) return replay.problems()[0];
  const Scenario* scenario = &replay->scenario();
  if (scenario->flows.empty())
    return Problem{recording_file(a.recording), "its scenario has no flows", "show frame, trails or density"};
  if (const Result<bool> gone = replay->go_to_time(time); !gone) return gone.problems()[0];
  const World& world = replay->world();
  std::vector<FlowTrips> flows;
  for (std::uint32_t i = 0; i < scenario->flows.size(); ++i) flows.push_back({world.flow(i).paths, world.load(i).trips});
  const std::vector<LoadedStretch> stretches = stretches_of(world.graph()->data(), flows, scenario->scene.origin);
  drawing.sheet.legend = load_legend(stretches);
  if (drawing.sheet.title.empty()) drawing.sheet.title = fmt::format("Trips on flows until {:.0f} s", time);
  Result<std::unique_ptr<Canvas>> canvas = open_canvas(a.output, drawing.sheet);
  if (!canvas) return canvas.problems()[0];
  Canvas& out = **canvas;
  draw_ground(out, drawing.ground, drawing.sheet.low, drawing.sheet.high, out.metres_per_pixel());
  constexpr double kWidest = 20;  // pixels
  draw_load(out, world.graph()->data(), scenario->scene.origin, stretches, kWidest * out.metres_per_pixel());
  width = out.sheet_width();
  height = out.sheet_height();
  if (const auto saved = out.save(a.output); !saved) return saved.problems()[0];
  return std::nullopt;
}

std::optional<Problem> draw_video(Drawing& drawing, double& width, double& height, std::size_t& pictures) {
  const RecordingPicture& a = drawing.arguments;
  drawing.sheet.legend = crowd_legend(drawing.people.color, drawing.trajectory.kinds);
  if (drawing.sheet.title.empty()) drawing.sheet.title = " ";  // room for the moment
  PngCanvas still(drawing.sheet);
  drawing.people.pixel = still.metres_per_pixel();
  draw_ground(still, drawing.ground, drawing.sheet.low, drawing.sheet.high, drawing.people.pixel);
  still.finish();
  width = still.sheet_width();
  height = still.sheet_height();
  Result<VideoWriter> video =
      VideoWriter::create(a.output, static_cast<int>(width), static_cast<int>(height), a.frames_per_second);
  if (!video) return video.problems()[0];
  const double seconds = drawing.trajectory.time_of(drawing.trajectory.frame_count() - 1);
  pictures = static_cast<std::size_t>(seconds / a.speed * a.frames_per_second) + 1;
  Progress progress("video", a.quiet);
  PngCanvas canvas(drawing.sheet);
  for (std::size_t i = 0; i < pictures; ++i) {
    canvas.copy_pixels(still);
    const std::size_t frame = drawing.frame_at(static_cast<double>(i) / a.frames_per_second * a.speed);
    if (auto problem = drawing.replay_to(frame)) return problem;
    if (drawing.edits_shown > 0) draw_ground(canvas, drawing.ground, drawing.sheet.low, drawing.sheet.high, drawing.people.pixel);
    drawing.draw_frame(canvas, frame);
    canvas.note(drawing.moment(frame));
    if (auto problem = video->add(canvas)) return problem;
    progress.count(i + 1, pictures);
  }
  return video->finish();
}

/// The scene of the run that was recorded, or, of other tools' recordings, one layer made of their geometry.
Scene scene_of(const Drawing& drawing) {
  if (const Result<Recording> recording = Recording::open(recording_file(drawing.arguments.recording));
      recording && !recording->header().scenario.empty()) {
    Result<Scenario> scenario = scenario_of(*recording);
    if (scenario && !scenario->scene.layers.empty()) return std::move(scenario->scene);
  }
  Scene scene;
  Layer& layer = scene.layers.emplace_back();
  for (const Polygon& part : drawing.ground) {
    layer.walkable.push_back(part);
    for (const Ring& hole : part.holes) layer.obstacles.push_back({hole, {}});
  }
  return scene;
}

int report_drawn(const RecordingPicture& a, double width, double height, std::size_t pictures, nlohmann::json* drawn) {
  const nlohmann::json said = {{"file", a.output}, {"width", width}, {"height", height}, {"pictures", pictures}};
  if (drawn != nullptr)
    *drawn = said;
  else if (a.json)
    print_json(said);
  else
    fmt::print("{}: {:.0f} × {:.0f} pixels{}\n", a.output, width, height,
               pictures > 1 ? fmt::format(", {} pictures", pictures) : std::string());
  return kSuccess;
}

}  // namespace

std::string recording_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) ? path + "/" + kRecordingOfRun : path;
}

bool is_recording(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return std::filesystem::exists(recording_file(path), error);
  return static_cast<bool>(find_input(path, InputKind::kRecording | InputKind::kTrajectory));
}

int draw_recording(const RecordingPicture& a, nlohmann::json* drawn) {
  Result<TrajectoryFile> file = read_trajectory(recording_file(a.recording), a.text);
  if (!file) return report_problems(file.problems(), a.json);
  if (!file->notice.empty()) fmt::print(stderr, "throng draw: {}\n", file->notice);
  Drawing drawing{a, std::move(file->trajectory), {}, {}, {}, {}};
  if (drawing.trajectory.frame_count() == 0) {
    const Problem problem{a.recording, "the recording has no frames", "run the scenario for longer"};
    return report_problems({&problem, 1}, a.json);
  }
  if (!drawing.trajectory.geometry_wkt.empty()) {
    Result<Scene> scene = read_wkt(drawing.trajectory.geometry_wkt, a.recording + " (geometry)");
    if (!scene) return report_problems(scene.problems(), a.json);
    if (!scene->layers.empty()) drawing.ground = scene->layers[0].walkable;
    // Readers move far coordinates to an origin; people are where they are.
    move_by(drawing.ground, scene->origin);
  }
  std::tie(drawing.sheet.low, drawing.sheet.high) = bounds_of(drawing.trajectory, drawing.ground);
  if (!a.crop.empty()) {
    const auto crop = parse_crop(a.crop, {0, 0});
    if (!crop) return report_problems(crop.problems(), a.json);
    std::tie(drawing.sheet.low, drawing.sheet.high) = *crop;
  }
  drawing.sheet.pixel_width = a.pixel_width;
  drawing.sheet.title = a.title;
  drawing.people.color = color_of(a.color);
  drawing.people.layer = a.layer;
  if (a.people == "figures") {
    if (a.show != "frame") {
      const Problem problem{"--people figures", "pictures with --show " + a.show + " are plans", "leave one of the two out"};
      return report_problems({&problem, 1}, a.json);
    }
    const Scene scene = scene_of(drawing);
    const Result<DrawnSize> size = draw_figures(a, drawing.trajectory, scene, drawing.ground, drawing.sheet.low, drawing.sheet.high);
    if (!size) return report_problems(size.problems(), a.json);
    return report_drawn(a, size->width, size->height, size->pictures, drawn);
  }
  const bool shows_people = a.show == "frame" || ends_with(a.output, ".mp4");
  if (a.show == "regions" || a.show == "field" || (shows_people && has_more_than_people(recording_file(a.recording)))) {
    Result<Replay> replay = Replay::open(recording_file(a.recording));
    if (!replay) return report_problems(replay.problems(), a.json);
    if (a.show == "regions" && !replay->world().settings().interest.enabled) {
      const Problem problem{a.recording, "its scenario has no regions of interest", "show frame, trails or density"};
      return report_problems({&problem, 1}, a.json);
    }
    drawing.replay.emplace(std::move(*replay));
  }
  double width = 0, height = 0;
  std::size_t pictures = 1;
  const auto problem = ends_with(a.output, ".mp4") ? draw_video(drawing, width, height, pictures)
                       : a.show == "load"          ? draw_flow_load(drawing, width, height)
                                                   : draw_picture(drawing, width, height);
  if (problem) return report_problems({&*problem, 1}, a.json);
  return report_drawn(a, width, height, pictures, drawn);
}

}  // namespace throng::cli
