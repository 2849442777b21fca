// SPDX-License-Identifier: MIT
#include "common.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>

#include "navigation/navigation_data.hpp"
#include "scene/builtin.hpp"

namespace throng::cli {

void GroundArguments::add_to(CLI::App& verb) {
  verb.add_option("--grid-step", grid_step, "metres between samples of a 3D mesh (default: 0.1 for layers, 0.25 for graphs)");
  verb.add_option("--step-height", step_height, "of layers and graphs: what is lower is stepped over, metres")
      ->capture_default_str();
  verb.add_option("--slope", slope, "of layers and graphs: the steepest ground, degrees")->capture_default_str();
  verb.add_option("--head-room", head_room, "of layers and graphs, metres")->capture_default_str();
  verb.add_option("--min-island", min_island, "of layers and graphs: smaller ground is dropped, m²")->capture_default_str();
}

void SceneArguments::add_to(CLI::App& verb) {
  verb.add_option("SCENE", scene, "a file, a baked file (.nav), or a built-in such as city:2600 or office:40")->required();
  verb.add_option("--up", up, "which axis of a 3D mesh points up")->check(CLI::IsMember({"y", "z"}));
  verb.add_option("--units", units, "what the numbers of a GeoJSON file are (default: degrees if all could be)")
      ->check(CLI::IsMember({"metres", "degrees"}));
  verb.add_option("--floor", floor, "height of the floor a 3D mesh is cut at, metres (default: the largest level)");
  verb.add_option("--height", height, "a person's height: what is lower than this above the floor blocks")->capture_default_str();
  verb.add_option("--step", step, "what is lower than this above the floor does not block")->capture_default_str();
  verb.add_option("--seed", seed, "X,Y: a point on the floor to fill from (3D meshes)");
  verb.add_flag("--layers", layers, "all storeys of a 3D mesh, with stairs and ramps, instead of one cut");
  ground.add_to(verb);
  verb.add_option("--key-points", key_points, "key points per portal, 1 to 8")->capture_default_str()->check(CLI::Range(1, 8));
  verb.add_option("--threads", threads, "0: one per core; results do not depend on it")->capture_default_str();
  verb.add_flag("--quiet", quiet, "no progress");
  verb.add_flag("--json", json, "one JSON document on stdout");
}

bool is_baked_file(const std::string& scene) { return scene.size() > 4 && scene.ends_with(".nav"); }

Result<Scene> open_uncut_scene(const SceneArguments& arguments) {
  if (auto builtin = make_builtin(arguments.scene)) return std::move(*builtin);
  ImportSettings settings;
  settings.up = arguments.up.empty() ? '\0' : arguments.up[0];
  if (!arguments.units.empty()) settings.units = arguments.units == "metres" ? ImportUnits::metres : ImportUnits::degrees;
  return load_scene(arguments.scene, settings);
}

Result<Scene> open_scene(const SceneArguments& arguments, std::vector<BakeStage>* stages) {
  Result<Scene> scene = open_uncut_scene(arguments);
  if (!scene || scene->mesh.empty()) return scene;
  if (arguments.layers) {
    Progress progress("splitting " + arguments.scene, arguments.quiet);
    LayerSettings settings;
    settings.grid_step = arguments.ground.grid_step.value_or(settings.grid_step);
    settings.slope = arguments.ground.slope;
    settings.step_height = arguments.ground.step_height;
    settings.head_room = arguments.ground.head_room;
    settings.min_island = arguments.ground.min_island;
    settings.threads = arguments.threads;
    settings.progress = [&](std::string_view stage) { progress.step(stage); };
    Result<LayeredScene> layered = split_into_layers(*scene, settings);
    if (!layered) return layered.problems();
    if (stages != nullptr) *stages = layered->stages;
    return std::move(layered->scene);
  }
  CutSettings cut;
  cut.floor = arguments.floor;
  cut.height = arguments.height;
  cut.step = arguments.step;
  if (!arguments.seed.empty()) {
    const Result<Place> seed = parse_place(arguments.seed, "--seed");
    if (!seed) return seed.problems();
    cut.seed = seed->point - scene->origin;
  }
  Result<Layer> layer = cut_mesh(scene->mesh, cut);
  if (!layer) return layer.problems();
  scene->layers.push_back(std::move(*layer));
  return scene;
}

Result<Navigation> open_navigation(const SceneArguments& arguments, std::vector<BakeStage>* stages) {
  if (is_baked_file(arguments.scene)) {
    const Result<std::string> bytes = read_file(arguments.scene);
    if (!bytes) return bytes.problems();
    return Navigation::load(*bytes, arguments.scene);
  }
  const Result<Scene> scene = open_scene(arguments, stages);
  if (!scene) return scene.problems();
  Progress progress("baking " + arguments.scene, arguments.quiet);
  BakeSettings settings;
  settings.key_points = arguments.key_points;
  settings.threads = arguments.threads;
  settings.progress = [&](std::string_view stage) { progress.step(stage); };
  return Navigation::bake(*scene, settings);
}

Result<Place> parse_place(const std::string& text, const std::string& option) {
  double number[3] = {0, 0, 0};
  int count = 0;
  const char* at = text.c_str();
  for (; count < 3; ++count) {
    char* end = nullptr;
    number[count] = std::strtod(at, &end);
    if (end == at || !std::isfinite(number[count])) break;
    at = end;
    if (*at != ',') {
      ++count;
      break;
    }
    ++at;
  }
  if (count < 2 || *at != '\0')
    return Problem{option, "\"" + text + "\" is not a place", "write X,Y or X,Y,Z in metres, for example 12.5,40"};
  return Place{{number[0], number[1]}, count == 3 ? std::optional<double>(number[2]) : std::nullopt};
}

std::uint32_t layer_at(const Navigation& navigation, const Place& place) {
  return place.z ? navigation.layer_at(place.point - navigation.origin(), *place.z) : 0;
}

int report_problems(std::span<const Problem> problems, bool json) {
  nlohmann::json list = nlohmann::json::array();
  for (const Problem& p : problems) {
    fmt::print(stderr, "throng: {}\n", to_string(p));
    list.push_back({{"where", p.where}, {"what", p.what}, {"fix", p.fix}});
  }
  if (json) print_json({{"problems", list}});
  return kBadInput;
}

void print_json(const nlohmann::json& document) {
  // Names come from files: broken UTF-8 becomes U+FFFD rather than an exception.
  const std::string text = document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
}

nlohmann::json to_json(const BakeReport& r) {
  return {{"cells", r.cells},
          {"portals", r.portals},
          {"walls", r.walls},
          {"holes", r.holes},
          {"components", r.components},
          {"layers", r.layers},
          {"joints", r.joints},
          {"links", r.links},
          {"bottlenecks", r.bottlenecks},
          {"feet", r.feet},
          {"refused_by_guards", r.refused},
          {"unguarded", r.unguarded},
          {"area", r.area},
          {"wall_length", r.wall_length},
          {"doubled_map_area_units", r.doubled_map_area},
          {"doubled_cell_area_units", r.doubled_cell_area},
          {"zones", r.zones},
          {"depth", r.depth},
          {"stored_paths", r.stored_paths},
          {"label_entries", r.label_entries},
          {"bytes", r.bytes},
          {"peak_bytes", r.peak_bytes},
          {"stages", stages_json(r.stages)}};
}

Progress::Progress(std::string title, bool quiet)
    : title_(std::move(title)), terminal_(isatty(STDERR_FILENO) != 0), quiet_(quiet) {}

Progress::~Progress() {
  if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::step(std::string_view words) {
  if (quiet_) return;
  if (terminal_)
    fmt::print(stderr, "\r{}: {} \033[K", title_, words);
  else
    fmt::print(stderr, "{}: {}\n", title_, words);
  shown_ = true;
}

void Progress::count(std::size_t done, std::size_t total) {
  const int tenth = total == 0 ? 10 : static_cast<int>(10 * done / total);
  if (tenth == last_tenth_) return;
  last_tenth_ = tenth;
  step(fmt::format("{} of {}", done, total));
}

std::optional<Problem> write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return std::nullopt;
  return Problem{path, "the file cannot be written", "check that the folder exists and is writable"};
}

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
  };
  return {std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()), at(0.5), at(0.95), at(0.99),
          values.back()};
}

}  // namespace throng::cli
