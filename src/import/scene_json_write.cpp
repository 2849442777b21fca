// SPDX-License-Identifier: MIT
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <span>

#include "import/import.hpp"

namespace throng {
namespace {

/// Lays the document out by hand: nlohmann's pretty printer would give every coordinate a line of its own.
class Writer {
 public:
  std::string write(const Scene& scene) {
    text_ = "{\n  \"throng_scene\": 1";
    if (!scene.name.empty()) put(",\n  \"name\": {}", quoted(scene.name));
    if (scene.origin != Vec2{}) put(",\n  \"origin\": {}", point(scene.origin));
    text_ += ",\n  \"layers\": [";
    for (std::size_t i = 0; i < scene.layers.size(); ++i) write(scene.layers[i], i == 0);
    text_ += "\n  ]";
    if (!scene.joints.empty()) write_joints(scene);
    if (!scene.areas.empty()) write_areas(scene);
    if (!scene.links.empty()) write_links(scene);
    if (!scene.profiles.empty()) write_profiles(scene);
    text_ += "\n}\n";
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  /// Names may come from files in any encoding; what is not UTF-8 becomes U+FFFD.
  static std::string quoted(const std::string& s) {
    return nlohmann::json(s).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  // fmt prints the shortest decimal that reads back as the same double. Adding 0 makes -0 a plain 0: JSON's "-0" reads back as
  // one.
  static std::string point(Vec2 p) { return fmt::format("[{}, {}]", p.x + 0.0, p.y + 0.0); }

  static std::string ring(const Ring& points) {
    std::string text = "[";
    for (std::size_t i = 0; i < points.size(); ++i) (text += i ? ", " : "") += point(points[i]);
    return text + "]";
  }

  static std::string polygon(const Polygon& shape) {
    if (shape.holes.empty()) return ring(shape.outer);
    std::string text = "{\"outer\": " + ring(shape.outer) + ", \"holes\": [";
    for (std::size_t i = 0; i < shape.holes.size(); ++i) (text += i ? ", " : "") += ring(shape.holes[i]);
    return text + "]}";
  }

  static std::string heights(const HeightGrid& grid) {
    std::string text =
        fmt::format("{{\"origin\": {}, \"step\": {}, \"rise\": {}, \"runs\": [", point(grid.origin), grid.step, grid.rise);
    for (std::size_t line = 0; line + 1 < grid.row_start.size(); ++line)
      for (std::uint32_t r = grid.row_start[line]; r < grid.row_start[line + 1]; ++r) {
        const std::size_t end = r + 1 < grid.runs.size() ? grid.runs[r + 1].first : grid.heights.size();
        const auto run = std::span(grid.heights).subspan(grid.runs[r].first, end - grid.runs[r].first);
        fmt::format_to(std::back_inserter(text), "{}\n        [{}, {}, {}]", r ? "," : "",
                       grid.first_row + static_cast<std::int64_t>(line), grid.runs[r].column, fmt::join(run, ", "));
      }
    return text + "]}";
  }

  template <class List, class Format>
  void write_list(const char* key, const List& list, bool& first, Format&& format) {
    if (list.empty()) return;
    put("{}\n      \"{}\": [", first ? "" : ",", key);
    first = false;
    for (std::size_t i = 0; i < list.size(); ++i) put("{}\n        {}", i ? "," : "", format(list[i]));
    text_ += "\n      ]";
  }

  void write(const Layer& layer, bool first_layer) {
    put("{}\n    {{", first_layer ? "" : ",");
    bool first = true;
    const auto field = [&](const char* key, const std::string& value) {
      put("{}\n      \"{}\": {}", first ? "" : ",", key, value);
      first = false;
    };
    if (!layer.name.empty()) field("name", quoted(layer.name));
    if (layer.elevation != 0) field("elevation", fmt::format("{}", layer.elevation));
    if (layer.slope != Vec2{}) field("slope", point(layer.slope));
    if (!layer.heights.empty()) field("heights", heights(layer.heights));
    if (layer.speed_up != 0) field("speed_up", fmt::format("{}", layer.speed_up));
    if (layer.speed_down != 0) field("speed_down", fmt::format("{}", layer.speed_down));
    if (layer.simplify != 0) field("simplify", fmt::format("{}", layer.simplify));
    write_list("walkable", layer.walkable, first, polygon);
    write_list("obstacles", layer.obstacles, first, polygon);
    write_list("walls", layer.walls, first, [](const Segment& s) { return fmt::format("[{}, {}]", point(s.a), point(s.b)); });
    write_list("seeds", layer.seeds, first, point);
    text_ += first ? "}" : "\n    }";
  }

  void write_joints(const Scene& scene) {
    text_ += ",\n  \"joints\": [";
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
      const Joint& joint = scene.joints[i];
      put("{}\n    {{\"layers\": [{}, {}], \"line\": [{}, {}]}}", i ? "," : "", joint.layer[0], joint.layer[1],
          point(joint.line.a), point(joint.line.b));
    }
    text_ += "\n  ]";
  }

  void write_areas(const Scene& scene) {
    text_ += ",\n  \"areas\": [";
    for (std::size_t i = 0; i < scene.areas.size(); ++i) {
      const Area& area = scene.areas[i];
      put("{}\n    {{\"name\": {}", i ? "," : "", quoted(area.name));
      if (area.layer != 0) put(", \"layer\": {}", area.layer);
      if (area.cost != 1) put(", \"cost\": {}", area.cost);
      if (!area.forbidden_to.empty()) {
        text_ += ", \"forbidden_to\": [";
        for (std::size_t k = 0; k < area.forbidden_to.size(); ++k) put("{}{}", k ? ", " : "", quoted(area.forbidden_to[k]));
        text_ += "]";
      }
      put(",\n     \"polygon\": {}}}", polygon(area.shape));
    }
    text_ += "\n  ]";
  }

  void write_links(const Scene& scene) {
    text_ += ",\n  \"links\": [";
    for (std::size_t i = 0; i < scene.links.size(); ++i) {
      const Link& link = scene.links[i];
      put("{}\n    {{", i ? "," : "");
      if (!link.name.empty()) put("\"name\": {}, ", quoted(link.name));
      put("\"from\": {}, \"to\": {}, \"time\": {}", quoted(scene.areas[link.from].name), quoted(scene.areas[link.to].name),
          link.time);
      if (link.capacity != 0) put(", \"capacity\": {}", link.capacity);
      text_ += "}";
    }
    text_ += "\n  ]";
  }

  void write_profiles(const Scene& scene) {
    text_ += ",\n  \"profiles\": [";
    for (std::size_t i = 0; i < scene.profiles.size(); ++i) {
      const Profile& profile = scene.profiles[i];
      put("{}\n    {{\"name\": {}, \"radius\": {}", i ? "," : "", quoted(profile.name), profile.radius);
      if (!profile.other_radii.empty()) put(", \"other_radii\": [{}]", fmt::join(profile.other_radii, ", "));
      text_ += "}";
    }
    text_ += "\n  ]";
  }

  std::string text_;
};

}  // namespace

std::string write_scene_json(const Scene& scene) { return Writer().write(scene); }

}  // namespace throng
