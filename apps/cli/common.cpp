// SPDX-License-Identifier: MIT
#include "common.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "import/problem_list.hpp"
#include "inputs.hpp"
#include "navigation/navigation_data.hpp"
#include "printable.hpp"
#include "scenario/scenario.hpp"
#include "scene/builtin.hpp"

namespace throng::cli {
namespace {

double elapsed_seconds(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

void GroundArguments::add_to(CLI::App& verb) {
  verb.add_option("--grid-step", grid_step, "metres between samples of a 3D mesh (default: 0.1 for layers, 0.25 for graphs)");
  verb.add_option("--step-height", step_height, "of layers and graphs: what is lower is stepped over, metres")
      ->capture_default_str();
  verb.add_option("--slope", slope, "of layers and graphs: the steepest ground, degrees")->capture_default_str();
  verb.add_option("--head-room", head_room, "of layers and graphs, metres")->capture_default_str();
  verb.add_option("--min-island", min_island, "of layers and graphs: smaller ground is dropped, m²")->capture_default_str();
}

void SceneArguments::add_to(CLI::App& verb) {
  verb.add_option("SCENE", scene,
                  "a file, a baked file (.nav), a scenario or its name, whose scene is taken, or a built-in such as city:2600")
      ->required();
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
  const auto input = find_input(arguments.scene, InputKind::kScenario | InputKind::kScene | InputKind::kBaked);
  if (!input) return input.problems();
  if (input->kind == InputKind::kScenario) {
    auto scenario = load_scenario(input->file);
    if (!scenario) return scenario.problems();
    return std::move(scenario->scene);
  }
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
  const auto input = find_input(arguments.scene, InputKind::kScenario | InputKind::kScene | InputKind::kBaked);
  if (!input) return input.problems();
  if (input->kind == InputKind::kBaked) {
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

namespace {

constexpr std::size_t kShownProblems = 5;
/// Bytes of a problem: three lines of 100 columns. Files bring names of any length.
constexpr std::size_t kWhereBytes = 120, kFixBytes = 130, kProblemBytes = 280;

/// The first `most` bytes or, at the end, the last ones; never the middle of a UTF-8 character.
std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

/// Keeps both ends of a long place: the file, and the key.
std::string shortened_place(const std::string& place) {
  if (place.size() <= kWhereBytes) return place;
  std::size_t tail = place.size() - kWhereBytes / 2;
  while (tail < place.size() && (static_cast<unsigned char>(place[tail]) & 0xC0) == 0x80) ++tail;
  return shortened(place, kWhereBytes / 2) + place.substr(tail);
}

/// The place and the advice are kept; what was found is cut to the room that is left.
std::string line_of(const Problem& problem) {
  Problem shown{shortened_place(problem.where), problem.what, shortened(problem.fix, kFixBytes)};
  shown.what = shortened(problem.what, kProblemBytes - shown.where.size() - shown.fix.size());
  return to_string(shown);
}

void print_problems(std::span<const Problem> problems, std::string_view program, bool json) {
  nlohmann::json list = nlohmann::json::array();
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Problem& p = problems[i];
    list.push_back({{"where", p.where}, {"what", p.what}, {"fix", p.fix}});
    if (i < kShownProblems)
      fmt::print(stderr, "{}: {}\n", program, printable(line_of(p)));
    else
      hidden += std::max<std::size_t>(1, ProblemList::unlisted_count(p));
  }
  if (hidden > 0)
    fmt::print(stderr, "{}: {} more problem{}; mend the ones above first\n", program, hidden, hidden == 1 ? "" : "s");
  if (json) print_json({{"problems", list}});
}

}  // namespace

int report_problems(std::span<const Problem> problems, bool json) {
  print_problems(problems, "throng", json);
  return kBadInput;
}

int report_usage(std::string_view verb, std::span<const Problem> problems, bool json) {
  print_problems(problems, verb, json);
  return kWrongUsage;
}

int report_usage(std::string_view verb, const std::string& what, const std::string& fix, bool json) {
  const Problem problem{"", what, fix};
  return report_usage(verb, {&problem, 1}, json);
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
    : title_(std::move(title)), terminal_(isatty(STDERR_FILENO) != 0), quiet_(quiet), began_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::step(std::string_view words) {
  if (quiet_ || elapsed_seconds(began_) < kPatience) return;
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
  namespace fs = std::filesystem;
  std::error_code error;
  // A link keeps pointing where it does, and /dev/stdout stays what it is.
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : fs::path(path);
  const bool is_special = fs::exists(target, error) && !fs::is_regular_file(target, error);
  const fs::path part = is_special ? target : fs::path(fmt::format("{}.{}.part", target.string(), ::getpid()));
  std::ofstream file(part, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  error = file ? std::error_code() : std::make_error_code(std::errc::io_error);
  if (!error && !is_special) fs::rename(part, target, error);
  if (!error) return std::nullopt;
  std::error_code ignored;
  if (!is_special) fs::remove(part, ignored);
  return Problem{path, "the file cannot be written", "check that the folder exists, is writable and has room"};
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
