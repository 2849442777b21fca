// SPDX-License-Identifier: MIT
// Well-known text (ISO 19125): one geometry after the other, usually one a line. Coordinates are metres.
//
// As in JuPedSim a POLYGON or MULTIPOLYGON is ground to walk on and its inner rings are holes in it; LINESTRING and
// MULTILINESTRING are walls; a POINT is a seed. A word with a colon before a geometry changes that:
//   obstacle: POLYGON ((2 2, 3 2, 3 3, 2 3, 2 2))      also walkable:, wall:, seed:
// `#` starts a comment, `SRID=…;` is skipped, Z and M values are dropped. After a mistake reading goes on at the next line
// that starts with a letter, so all mistakes of a file are found.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "import/import.hpp"
#include "import/scene_builder.hpp"
#include "import/text_scanner.hpp"

namespace throng {
namespace {

class WktReader {
 public:
  WktReader(std::string_view bytes, const std::string& name) : builder_(name), problems_(builder_.problems()), scan_(bytes) {}

  Result<Scene> read() {
    for (skip_ignored(); !scan_.at_end() && !problems_.full() && !builder_.full(); skip_ignored()) {
      if (!read_tagged()) recover();
    }
    return builder_.finish(SceneBuilder::Outlines::check_crossings);
  }

 private:
  enum class Role { by_geometry, walkable, obstacle, wall, seed };

  void skip_ignored() {
    for (scan_.skip_space(); scan_.peek() == '#' || scan_.peek() == ';'; scan_.skip_space()) {
      if (scan_.peek() == '#') {
        scan_.rest_of_line();
      } else {
        scan_.advance();
      }
    }
  }

  void recover() {
    do {
      scan_.rest_of_line();
      scan_.skip_blanks();
    } while (!scan_.at_end() && !TextScanner::is_letter(scan_.peek()));
  }

  bool fail(std::string what, std::string fix) {
    problems_.add(scan_.where(), std::move(what), std::move(fix));
    return false;
  }

  bool expect(char c, const char* meaning) {
    scan_.skip_space();
    if (scan_.peek() != c)
      return fail(fmt::format("{} found where '{}' {} is needed", scan_.found(), c, meaning), "check the brackets");
    scan_.advance();
    return true;
  }

  std::string word() {
    scan_.skip_space();
    std::string text(scan_.name());
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
  }

  bool read_tagged() {
    where_ = fmt::format("line {}", scan_.line());
    const std::string found = scan_.found();
    std::string type = word();
    if (type == "SRID") {
      if (!expect('=', "after SRID") || !scan_.integer() || !expect(';', "after the SRID")) return false;
      type = word();
    }
    Role role = Role::by_geometry;
    scan_.skip_blanks();
    if (scan_.peek() == ':') {
      scan_.advance();
      if (type == "WALKABLE") {
        role = Role::walkable;
      } else if (type == "OBSTACLE") {
        role = Role::obstacle;
      } else if (type == "WALL") {
        role = Role::wall;
      } else if (type == "SEED") {
        role = Role::seed;
      } else {
        return fail(fmt::format("{} found; walkable:, obstacle:, wall: or seed: may stand before a geometry", found),
                    "use one of these");
      }
      type = word();
    }
    if (type.empty()) {
      return fail(fmt::format("{} found where a geometry such as POLYGON ((x y, …)) is needed", found),
                  "remove it or start it with '#'");
    }
    return read_geometry(type, role, 0);
  }

  bool read_geometry(std::string type, Role role, std::size_t depth) {
    // "POLYGON Z ((…", and the older "POLYGONZ ((…"
    for (const std::string_view suffix : {"ZM", "Z", "M"}) {
      if (type.size() > suffix.size() && type.ends_with(suffix)) {
        type.resize(type.size() - suffix.size());
        break;
      }
    }
    scan_.skip_space();
    if (TextScanner::is_letter(scan_.peek())) {
      std::string next = word();
      if (next == "Z" || next == "M" || next == "ZM") {
        scan_.skip_space();
        next = TextScanner::is_letter(scan_.peek()) ? word() : "";
      }
      if (next == "EMPTY") return true;
      if (!next.empty())
        return fail(fmt::format("\"{}\" found where '(' is needed", next.substr(0, 40)), "check the geometry's type");
    }
    if (type == "POLYGON") return read_polygon(role);
    if (type == "MULTIPOLYGON") return read_many([&] { return read_polygon(role); });
    if (type == "LINESTRING" || type == "LINEARRING") return read_line(role);
    if (type == "MULTILINESTRING") return read_many([&] { return read_line(role); });
    if (type == "POINT") return read_point(role);
    if (type == "GEOMETRYCOLLECTION") {
      if (depth >= limits::kNesting)
        return fail("collections are nested too deeply", fmt::format("at most {} levels are allowed", limits::kNesting));
      return read_many([&] {
        const std::string inner = word();
        if (inner.empty()) return fail(fmt::format("{} found where a geometry is needed", scan_.found()), "check the collection");
        return read_geometry(inner, role, depth + 1);
      });
    }
    return fail(fmt::format("the geometry \"{}\" is not read; POLYGON, MULTIPOLYGON, LINESTRING, MULTILINESTRING, POINT and "
                            "GEOMETRYCOLLECTION are",
                            type.substr(0, 40)),
                "convert or remove it");
  }

  template <class Function>
  bool read_many(Function&& read_one) {
    if (!expect('(', "around the members")) return false;
    while (true) {
      if (!read_one()) return false;
      scan_.skip_space();
      if (scan_.peek() != ',') break;
      scan_.advance();
    }
    return expect(')', "after the members");
  }

  bool read_points(std::vector<Vec2>& points) {
    return read_many([&] {
      const auto x = scan_.number();
      const auto y = x ? scan_.number() : std::nullopt;
      if (!x || !y)
        return fail(fmt::format("{} found where a number of \"x y\" is needed", scan_.found()),
                    "write two numbers a point, with commas between points");
      for (int i = 0; i < 2; ++i) {
        scan_.skip_space();
        if (scan_.peek() != ',' && scan_.peek() != ')' && !scan_.number()) break;
      }
      points.push_back({*x, *y});
      return points.size() <= limits::kVertices ||
             fail("too many points", fmt::format("at most {} are allowed", limits::kVertices));
    });
  }

  bool read_polygon(Role role) {
    Polygon polygon;
    bool first = true;
    const bool read = read_many([&] {
      if (first) {
        first = false;
        return read_points(polygon.outer);
      }
      return read_points(polygon.holes.emplace_back());
    });
    if (!read) return false;
    if (role == Role::seed) return fail("a polygon cannot be a seed; a seed is a POINT", "use another word before it");
    if (role == Role::wall) {
      builder_.add_walls(0, polygon.outer, where_);
      for (const Ring& hole : polygon.holes) builder_.add_walls(0, hole, where_);
    } else if (role == Role::obstacle) {
      builder_.add_obstacle(0, std::move(polygon), where_);
    } else {
      builder_.add_walkable(0, std::move(polygon), where_);
    }
    return true;
  }

  bool read_line(Role role) {
    std::vector<Vec2> line;
    if (!read_points(line)) return false;
    if (role == Role::walkable || role == Role::seed)
      return fail("a line can only be a wall", "use a polygon, or wall: before it");
    builder_.add_walls(0, line, where_);
    return true;
  }

  bool read_point(Role role) {
    std::vector<Vec2> points;
    if (!read_points(points)) return false;
    if (role != Role::by_geometry && role != Role::seed) return fail("a point can only be a seed", "use a polygon or a line");
    if (points.size() != 1) return fail(fmt::format("{} points found in a POINT; it has one", points.size()), "write one point");
    builder_.add_seed(0, points[0], where_);
    return true;
  }

  SceneBuilder builder_;
  ProblemList& problems_;
  TextScanner scan_;
  std::string where_;
};

}  // namespace

Result<Scene> read_wkt(std::string_view bytes, const std::string& name) { return WktReader(bytes, name).read(); }

}  // namespace throng
