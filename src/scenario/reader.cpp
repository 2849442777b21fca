// SPDX-License-Identifier: MIT
#include "scenario/reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <throng/layers.hpp>

#include "geometry/polygon.hpp"
#include "import/limits.hpp"
#include "scene/builtin.hpp"

namespace throng {
namespace {

constexpr int kVersion = 1;

/// Applies what the command line changes to the document, so that a recording's scenario is what was run.
void apply(const ScenarioOverrides& overrides, Json& root) {
  if (!root.is_object()) return;
  if (Json& settings = root["settings"]; settings.is_object() || settings.is_null()) {
    if (settings.is_null()) settings = Json::object();
    if (overrides.duration) settings["duration"] = *overrides.duration;
    if (overrides.seed) settings["seed"] = *overrides.seed;
  }
  for (const char* list : {"populations", "sources"}) {
    if (!root.contains(list) || !root[list].is_array()) continue;
    for (Json& people : root[list]) {
      if (!people.is_object()) continue;
      if (overrides.model) people["model"] = *overrides.model;
      if (!overrides.most_people || !people.contains("count") || !people["count"].is_number_unsigned()) continue;
      people["count"] = std::min<std::uint64_t>(people["count"].get<std::uint64_t>(), *overrides.most_people);
    }
  }
}

/// What is wrong with what the command line changes: it is not the file's mistake.
std::optional<Problem> problem_with(const ScenarioOverrides& overrides, const Json& root) {
  constexpr std::uint64_t kMostSeed = 9007199254740992u;  // doubles know every whole number up to here
  if (overrides.seed && *overrides.seed > kMostSeed)
    return Problem{"--seed", fmt::format("{} found; a whole number from 0 to {} is needed", *overrides.seed, kMostSeed),
                   "choose a smaller one"};
  if (!overrides.model) return std::nullopt;
  std::vector<std::string_view> names(std::begin(kModelNames), std::end(kModelNames));
  const Json* own = root.is_object() && root.contains("models") && root["models"].is_object() ? &root["models"] : nullptr;
  if (own != nullptr)
    for (const auto& model : own->get_ref<const Json::object_t&>()) names.push_back(model.first);
  if (std::find(names.begin(), names.end(), *overrides.model) != names.end()) return std::nullopt;
  const auto meant = nearest_name(*overrides.model, names);
  return Problem{
      "--model", fmt::format("there is no model \"{}\"; there are {}", *overrides.model, listed(names)),
      meant ? fmt::format("did you mean {}?", *meant) : "choose one of them, or define it in the scenario's \"models\""};
}

/// A mesh as the layers one can walk on, all storeys.
Result<Scene> layers_of(Scene scene, const GraphSettings& graph) {
  LayerSettings settings;
  settings.grid_step = graph.grid_step;
  settings.slope = graph.slope;
  settings.step_height = graph.step_height;
  settings.head_room = graph.head_room;
  auto layered = split_into_layers(scene, settings);
  if (!layered) return layered.problems();
  return std::move(layered->scene);
}

}  // namespace

Result<Scenario> ScenarioReader::read(const Json& root) {
  if (!root.is_object()) {
    problems_.add("", fmt::format("{} found; a scenario is an object {{\"throng_scenario\": {}, …}}", describe(root), kVersion),
                  "see docs/formats/scenario.md");
    return problems_.take();
  }
  read_top(root);
  read_graph(root.contains("graph") ? root["graph"] : Json());
  read_scene(root);
  const auto part = [&](const char* key, void (ScenarioReader::*read_part)(const Json&)) {
    static const Json kAbsent;
    const auto found = root.find(key);
    (this->*read_part)(found == root.end() ? kAbsent : *found);
  };
  part("areas", &ScenarioReader::read_areas);
  part("kinds", &ScenarioReader::read_kinds);
  part("models", &ScenarioReader::read_models);
  part("flows", &ScenarioReader::read_flows);
  part("plans", &ScenarioReader::read_plans);
  part("populations", &ScenarioReader::read_populations);
  part("sources", &ScenarioReader::read_sources);
  part("vehicles", &ScenarioReader::read_vehicles);
  part("measurements", &ScenarioReader::read_measurements);
  part("settings", &ScenarioReader::read_run_settings);
  part("events", &ScenarioReader::read_events);
  if (root.contains("outputs") && is_object(root["outputs"], "/outputs", "outputs")) {
    check(root["outputs"], "/outputs", allowed_keys({}, output_settings()));
    read_settings(root["outputs"], "/outputs", output_settings(), scenario_.outputs);
  }
  if (!problems_.empty()) return problems_.take();
  return std::move(scenario_);
}

void ScenarioReader::read_top(const Json& root) {
  check(root, "", allowed_keys(keys::kTop));
  require(root, "", keys::kTop);
  if (const auto version = root.find("throng_scenario");
      version != root.end() && (!version->is_number() || *version != kVersion)) {
    problems_.add("/throng_scenario",
                  fmt::format("{} found; version {} is the one this program reads", describe(*version), kVersion),
                  fmt::format("write \"throng_scenario\": {}, or use a newer program", kVersion));
  }
  scenario_.name = std::filesystem::path(problems_.file()).stem().string();
  if (root.contains("name")) read_text(root["name"], "/name", scenario_.name);
  if (root.contains("description")) read_text(root["description"], "/description", scenario_.description, true);
}

void ScenarioReader::read_scene(const Json& root) {
  const auto value = root.find("scene");
  if (value != root.end() && value->is_object()) {
    const std::string& file = problems_.file();
    auto scene = scene_from_json(*value, file);
    if (scene) {
      scenario_.scene = std::move(*scene);
    } else {
      for (const Problem& problem : scene.problems()) {
        // Pointers of the inner document become those of the whole one.
        const bool has_place = problem.where.size() > file.size() + 1 && problem.where.starts_with(file + " /");
        problems_.add("/scene" + (has_place ? problem.where.substr(file.size() + 1) : ""), problem.what, problem.fix);
      }
    }
  } else if (std::string name; value != root.end() && read_text(*value, "/scene", name)) {
    auto scene = open_scene_(name);
    if (scene && !scene->mesh.empty()) scene = layers_of(std::move(*scene), scenario_.graph);
    if (scene) {
      scenario_.scene = std::move(*scene);
    } else {
      for (const Problem& problem : scene.problems())
        problems_.add("/scene", problem.where.empty() ? problem.what : problem.where + ": " + problem.what, problem.fix);
    }
  }
  const Scene& scene = scenario_.scene;
  for (std::size_t i = 0; i < scene.layers.size(); ++i)
    if (!scene.layers[i].name.empty()) layers_.emplace(scene.layers[i].name, static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < scene.profiles.size(); ++i)
    profiles_.emplace(scene.profiles[i].name, static_cast<std::uint32_t>(i));
  if (scene.profiles.empty()) profiles_.emplace(Profile{}.name, 0);
  for (const Area& area : scene.areas) {
    const auto [entry, is_new] = areas_.emplace(area.name, static_cast<std::uint32_t>(scenario_.areas.size()));
    if (is_new) scenario_.areas.push_back({area.name, {}});
    scenario_.areas[entry->second].parts.push_back({area.shape, area.layer});
  }
}

bool ScenarioReader::read_ring(const Json& value, const Where& where, Ring& out) {
  if (!is_array(value, where, "an outline [[x, y], …]", limits::kVertices)) return false;
  for (std::size_t i = 0; i < value.size() && !problems_.full(); ++i) {
    Vec2 point;
    if (!read_point(value[i], where + pointer_step(i), point)) return false;
    if (out.empty() || !(out.back() == point)) out.push_back(point);
  }
  if (out.size() > 1 && out.front() == out.back()) out.pop_back();
  if (out.size() >= 3 && std::abs(signed_area(out)) >= 1e-6) return true;
  problems_.add(where,
                fmt::format("{} different points without an area between them found; at least 3 that enclose ground are needed",
                            out.size()),
                "add the missing corners");
  return false;
}

bool ScenarioReader::read_polygon(const Json& value, const Where& where, Polygon& out) {
  if (value.is_array()) {
    if (!read_ring(value, where, out.outer)) return false;
  } else {
    if (!is_object(value, where, "a polygon is [[x, y], …], or")) return false;
    constexpr std::string_view kKeys[] = {"outer", "holes", "comment"};
    check(value, where, kKeys);
    if (!value.contains("outer")) {
      problems_.add(where + "/outer", "the key is missing; a polygon needs its outline", "add \"outer\": [[x, y], …]");
      return false;
    }
    if (!read_ring(value["outer"], where + "/outer", out.outer)) return false;
    if (value.contains("holes") && is_array(value["holes"], where + "/holes", "a list of holes", limits::kAreas)) {
      for (std::size_t i = 0; i < value["holes"].size() && !problems_.full(); ++i) {
        out.holes.emplace_back();
        if (!read_ring(value["holes"][i], where + "/holes" + pointer_step(i), out.holes.back())) return false;
      }
    }
  }
  std::vector<Ring> rings{out.outer};
  rings.insert(rings.end(), out.holes.begin(), out.holes.end());
  if (const auto crossing = find_crossing(rings)) {
    problems_.add(where, fmt::format("the outline crosses itself at ({:g}, {:g})", crossing->at.x, crossing->at.y),
                  "reorder its points so that it encloses one piece of ground");
    return false;
  }
  normalise_direction(out);
  return true;
}

void ScenarioReader::read_areas(const Json& value) {
  if (value.is_null() || !is_object(value, "/areas", "a list of areas by name")) return;
  for (const auto& [name, area] : value.items()) {
    const Where where = "/areas" + pointer_step(name);
    add_name(areas_, name, scenario_.areas.size(), where, "an area");
    ScenarioArea read{name, {{}}};
    ScenarioArea::Part& part = read.parts[0];
    if (area.is_array()) {
      read_polygon(area, where, part.shape);
    } else if (is_object(area, where, "an area is an outline [[x, y], …], or")) {
      check(area, where, allowed_keys(keys::kArea));
      exclude(area, where, "polygon", "box");
      if (area.contains("polygon")) {
        read_polygon(area["polygon"], where + "/polygon", part.shape);
      } else if (area.contains("box")) {
        std::vector<double> box;
        if (read_numbers(area["box"], where + "/box", "a coordinate", -limits::kCoordinateMetres, limits::kCoordinateMetres, 4,
                         box)) {
          if (box.size() != 4 || box[0] >= box[2] || box[1] >= box[3]) {
            problems_.add(where + "/box", fmt::format("{} found; a box is [x low, y low, x high, y high]", describe(area["box"])),
                          "write the lower corner first");
          } else {
            const Vec2 origin = scenario_.scene.origin, low = Vec2{box[0], box[1]} - origin, high = Vec2{box[2], box[3]} - origin;
            part.shape.outer = {low, {high.x, low.y}, high, {low.x, high.y}};
          }
        }
      } else {
        problems_.add(where, "neither \"polygon\" nor \"box\" found; an area needs one of them", "add \"box\": [x, y, x, y]");
      }
      if (area.contains("layer")) part.layer = read_layer(area["layer"], where + "/layer").value_or(0);
    }
    scenario_.areas.push_back(std::move(read));
  }
}

void ScenarioReader::read_measurements(const Json& value) {
  if (value.is_null() || !is_object(value, "/measurements", "measurements")) return;
  check(value, "/measurements", allowed_keys(keys::kMeasurements));
  if (value.contains("lines") && is_object(value["lines"], "/measurements/lines", "a list of lines by name")) {
    for (const auto& [name, line] : value["lines"].items()) {
      const Where where = "/measurements/lines" + pointer_step(name);
      ScenarioLine read{.name = name};
      if (!is_object(line, where, "a line")) continue;
      check(line, where, allowed_keys(keys::kLine));
      require(line, where, keys::kLine);
      bool is_whole = line.contains("from") && line.contains("to");
      if (line.contains("from")) is_whole = read_point(line["from"], where + "/from", read.from) && is_whole;
      if (line.contains("to")) is_whole = read_point(line["to"], where + "/to", read.to) && is_whole;
      if (line.contains("layer")) read.layer = read_layer(line["layer"], where + "/layer").value_or(0);
      if (is_whole && read.from == read.to)
        problems_.add(where, "both ends are the same point; nobody can cross it", "give the line a length");
      scenario_.lines.push_back(std::move(read));
    }
  }
  if (value.contains("areas") && is_array(value["areas"], "/measurements/areas", "a list of names of areas", limits::kAreas)) {
    for (std::size_t i = 0; i < value["areas"].size() && !problems_.full(); ++i)
      if (const auto area = read_name(value["areas"][i], "/measurements/areas" + pointer_step(i), "an area", areas_))
        scenario_.density_areas.push_back(*area);
  }
}

void ScenarioReader::read_run_settings(const Json& value) {
  if (value.is_null() || !is_object(value, "/settings", "settings")) return;
  check(value, "/settings", allowed_keys(keys::kSettings, run_settings()));
  read_settings(value, "/settings", run_settings(), scenario_.settings);
  if (value.contains("neighbours")) {
    constexpr std::string_view kModes[] = {"delaunay", "nearest"};
    if (const auto mode = read_word(value["neighbours"], "/settings/neighbours", kModes))
      scenario_.settings.neighbours = static_cast<NeighbourMode>(*mode);
  }
  if (value.contains("detail") && is_object(value["detail"], "/settings/detail", "levels of simulation"))
    read_detail(value["detail"]);
  exclude(value, "/settings", "detail", "interest");
  if (value.contains("interest") && is_object(value["interest"], "/settings/interest", "regions of interest"))
    read_interest(value["interest"]);
  if (!value.contains("period") || !is_object(value["period"], "/settings/period", "a period")) return;
  const Json& period = value["period"];
  check(period, "/settings/period", allowed_keys(keys::kPeriod));
  require(period, "/settings/period", keys::kPeriod);
  if (period.contains("low")) read_point(period["low"], "/settings/period/low", scenario_.settings.period_low);
  Vec2 size;
  if (!period.contains("size") || !read_position(period["size"], "/settings/period/size", false, problems_, size)) return;
  // Images are looked for on both sides: a shorter period would meet itself.
  const auto is_wrong = [](double length) {
    return length != 0 && !(length >= kPeriodMargin && length <= limits::kExtentMetres);
  };
  if (is_wrong(size.x) || is_wrong(size.y)) {
    problems_.add(
        "/settings/period/size",
        fmt::format("({:g}, {:g}) found; 0 or {:g} to {:g} m are allowed", size.x, size.y, kPeriodMargin, limits::kExtentMetres),
        "make the part that repeats larger");
    return;
  }
  scenario_.settings.period_size = size;
}

SceneOpener open_scenes_from(std::filesystem::path folder) {
  return [folder = std::move(folder)](const std::string& name) -> Result<Scene> {
    if (auto built_in = make_builtin(name)) return std::move(*built_in);
    return load_scene(folder / name);
  };
}

Result<Scenario> read_scenario(std::string_view bytes, const std::string& name, const SceneOpener& open_scene,
                               const ScenarioOverrides& overrides) {
  auto document = parse_json(bytes, name);
  if (!document) return document.problems();
  try {
    if (const auto problem = problem_with(overrides, *document)) return *problem;
    apply(overrides, *document);
    auto scenario = ScenarioReader(name, open_scene).read(*document);
    if (!scenario) return scenario;
    Json& scene = (*document)["scene"];
    if (scene.is_string() && !is_builtin(scene.get_ref<const std::string&>())) {
      scene = Json::parse(write_scene_json(scenario->scene));
      // Coordinates of the file were its own; those of the scene written out are relative to its origin, which it names.
    }
    // Names that came from the file's: a recording is read under another one.
    if (!scenario->name.empty()) (*document)["name"] = scenario->name;
    if (scene.is_object() && !scene.contains("name")) {
      if (scenario->scene.name.empty()) scenario->scene.name = "scene";
      scene["name"] = scenario->scene.name;
    }
    scenario->text = document->dump();
    return scenario;
  } catch (const std::exception& error) {  // memory
    return Problem{name, fmt::format("the scenario could not be read: {}", error.what()), "make it smaller"};
  }
}

Result<Scenario> load_scenario(const std::filesystem::path& file, const ScenarioOverrides& overrides) {
  const auto bytes = read_file(file);
  if (!bytes) return bytes.problems();
  return read_scenario(*bytes, file.string(), open_scenes_from(file.parent_path()), overrides);
}

bool looks_like_scenario(std::string_view bytes) { return bytes.find("\"throng_scenario\"") != std::string_view::npos; }

}  // namespace throng
