// SPDX-License-Identifier: MIT
// Our own scene format (docs/formats/scene.md, docs/formats/scene.schema.json): the strictest reader of all, because people
// write these files by hand. An unknown key is a mistake, a misspelt one is answered with its likely spelling.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "import/import.hpp"
#include "import/json_document.hpp"
#include "import/scene_builder.hpp"
#include "navigation/links.hpp"
#include "navigation/slope_speed.hpp"

namespace throng {
namespace {

constexpr int kVersion = 1;
constexpr double kLargestRadius = 10;
constexpr double kSteepest = 2;  // m per m: 63°, a ladder
using Names = std::initializer_list<std::string_view>;

class SceneReader {
 public:
  explicit SceneReader(const std::string& name) : builder_(name), problems_(builder_.problems()) {}

  Result<Scene> read(const Json& root) {
    if (!root.is_object()) {
      problems_.add("", fmt::format("{} found; a scene is an object {{\"throng_scene\": {}, …}}", describe(root), kVersion),
                    "see docs/formats/scene.md");
      return problems_.take();
    }
    check_version(root);
    const bool layered = root.contains("layers");
    if (layered) {
      check_keys(root, "",
                 {"throng_scene", "name", "origin", "layers", "joints", "areas", "links", "profiles", "$schema", "comment"});
    } else {
      check_keys(root, "",
                 {"throng_scene", "name", "origin", "elevation", "slope", "speed_up", "speed_down", "heights", "walkable",
                  "obstacles", "walls", "seeds", "simplify", "areas", "links", "profiles", "$schema", "comment"});
    }
    if (root.contains("name")) read_text(root["name"], "/name", builder_.scene().name);
    const bool has_origin = root.contains("origin");
    if (has_origin) read_position(root["origin"], "/origin", false, problems_, builder_.scene().origin);

    if (layered) {
      read_layers(root["layers"]);
      if (root.contains("joints")) read_joints(root["joints"]);
    } else {
      builder_.layer(0);
      read_layer(root, "", 0);
    }
    // Profiles first: areas name them.
    if (root.contains("profiles")) read_profiles(root["profiles"]);
    if (root.contains("areas")) read_areas(root["areas"]);
    if (root.contains("links")) read_links(root["links"]);
    return builder_.finish(SceneBuilder::Outlines::check_crossings, has_origin);
  }

 private:
  void check_version(const Json& root) {
    const auto found = root.find("throng_scene");
    if (found == root.end()) {
      problems_.add("/throng_scene", "the key is missing; it says that this is a scene and in which version of the format",
                    fmt::format("add \"throng_scene\": {}", kVersion));
    } else if (!found->is_number_integer() || *found != kVersion) {
      problems_.add("/throng_scene",
                    fmt::format("{} found; version {} is the one this program reads", describe(*found), kVersion),
                    fmt::format("write \"throng_scene\": {}, or use a newer program", kVersion));
    }
  }

  void check_keys(const Json& object, const std::string& where, Names allowed) {
    throng::check_keys(object, where, {allowed.begin(), allowed.size()}, problems_);
  }

  bool is_object(const Json& value, const std::string& where, const char* meaning) {
    return check_object(value, where, meaning, "scene", problems_);
  }
  bool is_array(const Json& value, const std::string& where, const char* meaning, std::size_t most) {
    return check_array(value, where, meaning, most, "scene", problems_);
  }

  bool read_text(const Json& value, const std::string& where, std::string& out) {
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      problems_.add(where, fmt::format("{} found; a name is a string that is not empty", describe(value)), "write it in quotes");
      return false;
    }
    out = value.get<std::string>();
    return true;
  }

  /// A number between two bounds, both allowed.
  bool read_bounded(const Json& value, const std::string& where, const char* meaning, double low, double high, double& out) {
    double number = 0;
    if (!read_number(value, where, meaning, problems_, number)) return false;
    if (number < low || number > high) {
      problems_.add(where, fmt::format("{} found; {} from {:g} to {:g} is allowed", describe(value), meaning, low, high),
                    "choose a number in that range");
      return false;
    }
    out = number;
    return true;
  }

  /// [[x, y], …] or {"outer": […], "holes": […]}.
  bool read_polygon(const Json& value, const std::string& where, Polygon& out) {
    if (value.is_array()) return read_positions(value, where, false, problems_, out.outer);
    if (!value.is_object()) {
      problems_.add(where, fmt::format("{} found; a polygon is [[x, y], …] or {{\"outer\": …, \"holes\": […]}}", describe(value)),
                    "see docs/formats/scene.md");
      return false;
    }
    check_keys(value, where, {"outer", "holes", "comment"});
    if (!value.contains("outer")) {
      problems_.add(where + "/outer", "the key is missing; a polygon needs its outline", "add \"outer\": [[x, y], …]");
      return false;
    }
    bool good = read_positions(value["outer"], where + "/outer", false, problems_, out.outer);
    if (value.contains("holes") && is_array(value["holes"], where + "/holes", "a list of holes", limits::kVertices)) {
      const Json& holes = value["holes"];
      for (std::size_t i = 0; i < holes.size(); ++i) {
        out.holes.emplace_back();
        good = read_positions(holes[i], where + "/holes" + pointer_step(i), false, problems_, out.holes.back()) && good;
      }
    }
    return good;
  }

  template <class Function>
  void for_each(const Json& object, const char* key, const std::string& where, const char* meaning, Function&& read_one) {
    const auto found = object.find(key);
    if (found == object.end()) return;
    const std::string here = where + "/" + key;
    if (!is_array(*found, here, meaning, limits::kVertices)) return;
    for (std::size_t i = 0; i < found->size() && !problems_.full() && !builder_.full(); ++i)
      read_one((*found)[i], here + pointer_step(i));
  }

  void read_layer(const Json& object, const std::string& where, std::size_t index) {
    if (object.contains("elevation")) {
      read_bounded(object["elevation"], where + "/elevation", "an elevation in metres", -1e4, 1e4,
                   builder_.layer(index).elevation);
    }
    if (object.contains("slope")) read_slope(object["slope"], where + "/slope", builder_.layer(index).slope);
    if (object.contains("heights")) read_heights(object["heights"], where + "/heights", builder_.layer(index).heights);
    if (object.contains("speed_up")) {
      read_bounded(object["speed_up"], where + "/speed_up", "a factor on the free speed", kLeastSlopeSpeed, 1,
                   builder_.layer(index).speed_up);
    }
    if (object.contains("speed_down")) {
      read_bounded(object["speed_down"], where + "/speed_down", "a factor on the free speed", kLeastSlopeSpeed, 1,
                   builder_.layer(index).speed_down);
    }
    if (object.contains("simplify")) {
      read_bounded(object["simplify"], where + "/simplify", "a tolerance in metres", 0, 1, builder_.layer(index).simplify);
    }
    for_each(object, "walkable", where, "a list of polygons", [&](const Json& value, const std::string& here) {
      Polygon polygon;
      if (read_polygon(value, here, polygon)) builder_.add_walkable(index, std::move(polygon), here);
    });
    for_each(object, "obstacles", where, "a list of polygons", [&](const Json& value, const std::string& here) {
      Polygon polygon;
      if (read_polygon(value, here, polygon)) builder_.add_obstacle(index, std::move(polygon), here);
    });
    for_each(object, "walls", where, "a list of lines", [&](const Json& value, const std::string& here) {
      std::vector<Vec2> line;
      if (read_positions(value, here, false, problems_, line)) builder_.add_walls(index, line, here);
    });
    for_each(object, "seeds", where, "a list of points", [&](const Json& value, const std::string& here) {
      Vec2 seed;
      if (read_position(value, here, false, problems_, seed)) builder_.add_seed(index, seed, here);
    });
  }

  void read_heights(const Json& value, const std::string& where, HeightGrid& out) {
    if (!is_object(value, where, "heights")) return;
    check_keys(value, where, {"origin", "step", "rise", "runs", "comment"});
    for (const char* key : {"origin", "step", "rise", "runs"})
      if (!value.contains(key)) {
        problems_.add(where + "/" + key, "the key is missing; heights have origin, step, rise and runs",
                      "write {\"origin\": [x, y], \"step\": 0.1, \"rise\": 0.2, \"runs\": [[row, column, z, …], …]}");
        return;
      }
    HeightGrid grid;
    if (!read_position(value["origin"], where + "/origin", false, problems_, grid.origin) ||
        !read_bounded(value["step"], where + "/step", "a distance in metres", 0.01, 10, grid.step) ||
        !read_bounded(value["rise"], where + "/rise", "a height in metres", 0, 100, grid.rise) ||
        !is_array(value["runs"], where + "/runs", "a list of runs", limits::kVertices))
      return;
    std::int64_t row = 0, end = 0;
    for (std::size_t i = 0; i < value["runs"].size(); ++i) {
      const Json& run = value["runs"][i];
      const std::string here = where + "/runs" + pointer_step(i);
      constexpr std::int64_t kFar = 2'000'000;  // beyond any scene at the least step
      const auto is_place = [](const Json& v) { return v.is_number_integer() && std::abs(v.get<double>()) <= kFar; };
      if (!run.is_array() || run.size() < 3 || !is_place(run[0]) || !is_place(run[1])) {
        problems_.add(here, fmt::format("{} found; a run is [row, column, height, …]", describe(run)),
                      "give two whole numbers and one height or more");
        return;
      }
      const auto at = run[0].get<std::int64_t>(), column = run[1].get<std::int64_t>();
      if (i > 0 && (at < row || (at == row && column < end))) {
        problems_.add(here, "the run begins before the one ahead of it ends", "sort runs by row and column, without overlap");
        return;
      }
      if (i == 0) grid.first_row = static_cast<std::int32_t>(at), row = at - 1;
      for (; row < at; ++row) grid.row_start.push_back(static_cast<std::uint32_t>(grid.runs.size()));
      grid.runs.push_back({static_cast<std::int32_t>(column), static_cast<std::uint32_t>(grid.heights.size())});
      for (std::size_t k = 2; k < run.size(); ++k) {
        double height = 0;
        if (!read_bounded(run[k], here + pointer_step(k), "a height in metres", -2e4, 2e4, height)) return;
        grid.heights.push_back(static_cast<float>(height));
      }
      end = column + static_cast<std::int64_t>(run.size()) - 2;
    }
    if (!grid.runs.empty()) grid.row_start.push_back(static_cast<std::uint32_t>(grid.runs.size()));
    out = grid.runs.empty() ? HeightGrid{} : std::move(grid);
  }

  void read_slope(const Json& value, const std::string& where, Vec2& out) {
    Vec2 slope;
    if (!read_position(value, where, false, problems_, slope)) return;
    if (std::abs(slope.x) > kSteepest || std::abs(slope.y) > kSteepest) {
      problems_.add(where,
                    fmt::format("a rise of {:g} and {:g} per metre found; at most {:g} is allowed", slope.x, slope.y, kSteepest),
                    "give metres of height per metre of plan, east and north");
      return;
    }
    out = slope;
  }

  void read_joints(const Json& joints) {
    if (!is_array(joints, "/joints", "a list of joints", limits::kAreas)) return;
    for (std::size_t i = 0; i < joints.size() && !problems_.full(); ++i) {
      const Json& value = joints[i];
      const std::string where = "/joints" + pointer_step(i);
      if (!is_object(value, where, "a joint")) continue;
      check_keys(value, where, {"layers", "line", "comment"});
      for (const char* key : {"layers", "line"})
        if (!value.contains(key))
          problems_.add(where + "/" + key, "the key is missing; a joint has the layers it joins and the line where they meet",
                        "write {\"layers\": [\"a\", \"b\"], \"line\": [[x, y], [x, y]]}");
      if (!value.contains("layers") || !value.contains("line")) continue;
      Joint joint;
      std::vector<Vec2> line;
      if (!is_array(value["layers"], where + "/layers", "a pair of layers", 2)) continue;
      if (value["layers"].size() != 2) {
        problems_.add(where + "/layers", fmt::format("{} layers found; a joint joins two", value["layers"].size()), "name both");
        continue;
      }
      for (std::size_t k = 0; k < 2; ++k)
        read_layer_reference(value["layers"][k], where + "/layers" + pointer_step(k), joint.layer[k]);
      if (!read_positions(value["line"], where + "/line", false, problems_, line)) continue;
      if (line.size() != 2 || line[0] == line[1]) {
        problems_.add(where + "/line", fmt::format("a line of {} points found; two different ones are needed", line.size()),
                      "make a joint of each straight piece");
        continue;
      }
      joint.line = {line[0], line[1]};
      builder_.add_joint(joint, where);
    }
  }

  void read_layers(const Json& layers) {
    if (!is_array(layers, "/layers", "a list of layers", limits::kLayers)) return;
    if (layers.empty()) problems_.add("/layers", "no layer found; a scene has at least one", "add a layer {\"walkable\": […]}");
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const std::string where = "/layers" + pointer_step(i);
      builder_.layer(i);
      if (!is_object(layers[i], where, "a layer")) continue;
      check_keys(layers[i], where,
                 {"name", "elevation", "slope", "speed_up", "speed_down", "heights", "walkable", "obstacles", "walls", "seeds",
                  "simplify", "comment"});
      if (layers[i].contains("name") && read_text(layers[i]["name"], where + "/name", builder_.layer(i).name)) {
        note_name(builder_.layer(i).name, layer_of_, i, where + "/name");
      }
      read_layer(layers[i], where, i);
    }
  }

  void note_name(const std::string& name, std::unordered_map<std::string, std::size_t>& names, std::size_t index,
                 const std::string& where) {
    if (!names.emplace(name, index).second) {
      problems_.add(where, fmt::format("the name \"{}\" is taken; names of one kind differ", name), "rename one of the two");
    }
  }

  void read_profiles(const Json& profiles) {
    if (!is_array(profiles, "/profiles", "a list of profiles", limits::kLayers)) return;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      const Json& value = profiles[i];
      const std::string where = "/profiles" + pointer_step(i);
      if (!is_object(value, where, "a profile")) continue;
      check_keys(value, where, {"name", "radius", "other_radii", "comment"});
      Profile profile;
      if (value.contains("name")) read_text(value["name"], where + "/name", profile.name);
      note_name(profile.name, profile_of_, i, where + "/name");
      if (value.contains("radius")) {
        read_bounded(value["radius"], where + "/radius", "a radius in metres", 0, kLargestRadius, profile.radius);
      }
      for_each(value, "other_radii", where, "a list of radii", [&](const Json& item, const std::string& here) {
        double radius = 0;
        if (read_bounded(item, here, "a radius in metres", 0, kLargestRadius, radius)) profile.other_radii.push_back(radius);
      });
      builder_.scene().profiles.push_back(std::move(profile));
    }
  }

  void read_areas(const Json& areas) {
    if (!is_array(areas, "/areas", "a list of areas", limits::kAreas)) return;
    for (std::size_t i = 0; i < areas.size() && !problems_.full(); ++i) {
      const Json& value = areas[i];
      const std::string where = "/areas" + pointer_step(i);
      if (!is_object(value, where, "an area")) continue;
      check_keys(value, where, {"name", "layer", "polygon", "cost", "forbidden_to", "comment"});
      Area area;
      if (!value.contains("name")) {
        problems_.add(where + "/name", "the key is missing; every area has a name", "add \"name\": \"…\"");
      } else {
        read_text(value["name"], where + "/name", area.name);  // several polygons of one name are one area in parts
      }
      if (value.contains("layer")) read_layer_reference(value["layer"], where + "/layer", area.layer);
      if (value.contains("cost")) read_bounded(value["cost"], where + "/cost", "a cost factor", 1, 1e6, area.cost);
      for_each(value, "forbidden_to", where, "a list of profile names", [&](const Json& item, const std::string& here) {
        std::string name;
        if (!read_text(item, here, name)) return;
        if (!profile_of_.contains(name) && !(profile_of_.empty() && name == Profile{}.name)) {
          problems_.add(here, fmt::format("no profile \"{}\" in this scene; it has {}", name, profile_names()),
                        "name one of them or add it to \"profiles\"");
        }
        area.forbidden_to.push_back(std::move(name));
      });
      if (!value.contains("polygon")) {
        problems_.add(where + "/polygon", "the key is missing; every area has an outline", "add \"polygon\": [[x, y], …]");
      } else if (read_polygon(value["polygon"], where + "/polygon", area.shape)) {
        builder_.add_area(std::move(area), where + "/polygon");
      }
    }
  }

  void read_links(const Json& links) {
    if (!is_array(links, "/links", "a list of links", kMostLinks)) return;
    for (std::size_t i = 0; i < links.size() && !problems_.full(); ++i) {
      const Json& value = links[i];
      const std::string where = "/links" + pointer_step(i);
      if (!is_object(value, where, "a link")) continue;
      check_keys(value, where, {"name", "from", "to", "time", "capacity", "comment"});
      Link link;
      if (value.contains("name")) read_text(value["name"], where + "/name", link.name);
      for (const char* key : {"from", "to", "time"})
        if (!value.contains(key))
          problems_.add(where + "/" + key, "the key is missing; a link leads from an area to another in some time",
                        "write {\"from\": \"lobby\", \"to\": \"landing\", \"time\": 12}");
      if (value.contains("from")) read_area_reference(value["from"], where + "/from", link.from);
      if (value.contains("to")) read_area_reference(value["to"], where + "/to", link.to);
      if (value.contains("from") && value.contains("to") && value["from"] == value["to"])
        problems_.add(where + "/to", "it leads back to the area that it comes from", "name another area");
      if (value.contains("time")) read_bounded(value["time"], where + "/time", "seconds", 0, kLongestRide, link.time);
      double capacity = 0;
      if (value.contains("capacity") &&
          read_bounded(value["capacity"], where + "/capacity", "a number of people", 0, 1e6, capacity)) {
        link.capacity = static_cast<std::uint32_t>(capacity);
        if (link.capacity != capacity)
          problems_.add(where + "/capacity", fmt::format("{} found; people are whole", describe(value["capacity"])),
                        "give a whole number; 0 means no limit");
      }
      builder_.scene().links.push_back(std::move(link));
    }
  }

  void read_area_reference(const Json& value, const std::string& where, std::uint32_t& out) {
    const std::vector<Area>& areas = builder_.scene().areas;
    const auto is_meant = [&](const Area& area) { return value.is_string() && value.get_ref<const std::string&>() == area.name; };
    const auto count = std::count_if(areas.begin(), areas.end(), is_meant);
    if (count == 1) {
      out = static_cast<std::uint32_t>(std::find_if(areas.begin(), areas.end(), is_meant) - areas.begin());
    } else if (count == 0) {
      problems_.add(where, fmt::format("{} found; the name of an area is allowed", describe(value)), "name one of \"areas\"");
    } else {
      problems_.add(where, fmt::format("{} areas have this name; a link needs one", count), "give its polygon a name of its own");
    }
  }

  void read_layer_reference(const Json& value, const std::string& where, std::uint32_t& out) {
    const std::size_t count = builder_.scene().layers.size();
    if (value.is_number_unsigned() && value.get<std::uint64_t>() < count) {
      out = value.get<std::uint32_t>();
      return;
    }
    if (value.is_string()) {
      const auto found = layer_of_.find(value.get<std::string>());
      if (found != layer_of_.end()) {
        out = static_cast<std::uint32_t>(found->second);
        return;
      }
    }
    problems_.add(
        where,
        fmt::format("{} found; the name of a layer or its index from 0 to {} is allowed", describe(value), count ? count - 1 : 0),
        "name a layer of this scene");
  }

  std::string profile_names() {
    if (profile_of_.empty()) return fmt::format("\"{}\" only", Profile{}.name);
    std::vector<std::string_view> names;
    for (const Profile& profile : builder_.scene().profiles) names.push_back(profile.name);
    return listed(names);
  }

  SceneBuilder builder_;
  ProblemList& problems_;
  std::unordered_map<std::string, std::size_t> layer_of_, profile_of_;
};

}  // namespace

Result<Scene> scene_from_json(const Json& document, const std::string& name) { return SceneReader(name).read(document); }

Result<Scene> read_scene_json(std::string_view bytes, const std::string& name) {
  auto document = parse_json(bytes, name);
  if (!document) return document.problems();
  return scene_from_json(*document, name);
}

}  // namespace throng
