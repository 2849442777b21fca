// SPDX-License-Identifier: MIT
// GeoJSON (RFC 7946): polygons block unless a property says otherwise, lines are walls.
//
// What a feature is, in this order:
//   "throng": walkable | obstacle | wall | area | seed | ignore    ours; any other value is a mistake
//   "kind":   the same words                                       other values are somebody else's and do not count
//   "building" (not "no"), "natural": "water"                      obstacle
//   other keys of OpenStreetMap (landuse, highway, …)              ignored: such ground does not block
//   nothing                                                        polygon: obstacle, line: wall, point: ignored
// Areas read "name", "cost" and "forbidden_to" (a list, or names with commas) from the properties.
//
// RFC 7946 means longitude and latitude; files in metres are common nevertheless. The numbers are degrees if all could be and
// no "crs" (or EPSG:4326, CRS84) is given, metres otherwise. `"units": "metres"` or "degrees" at the top, or
// ImportSettings::units, decides a doubtful case. Degrees are projected about the middle of the file (projection.hpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "import/import.hpp"
#include "import/json_document.hpp"
#include "import/projection.hpp"
#include "import/scene_builder.hpp"

namespace throng {
namespace {

enum class Role { by_geometry, walkable, obstacle, wall, area, seed, ignore };

std::optional<Role> role_named(std::string_view word) {
  if (word == "walkable") return Role::walkable;
  if (word == "obstacle") return Role::obstacle;
  if (word == "wall") return Role::wall;
  if (word == "area") return Role::area;
  if (word == "seed") return Role::seed;
  if (word == "ignore") return Role::ignore;
  return std::nullopt;
}

/// What a feature's properties say, for all its geometries.
struct Meaning {
  Role role = Role::by_geometry;
  std::string name;
  double cost = 1;
  std::vector<std::string> forbidden_to;
};

/// One piece of geometry in the file's own numbers: a polygon's rings, a line, or a point.
struct Piece {
  enum class Shape { polygon, line, point } shape;
  std::vector<std::vector<Vec2>> parts;
  std::size_t meaning;
  std::string where;
};

class GeoJsonReader {
 public:
  GeoJsonReader(const std::string& name, const ImportSettings& settings)
      : builder_(name), problems_(builder_.problems()), settings_(settings) {}

  Result<Scene> read(const Json& root) {
    meanings_.emplace_back();
    read_object(root, "", 0);
    if (!problems_.empty()) return problems_.take();
    if (!settle_units(root)) return problems_.take();
    for (Piece& piece : pieces_) {
      if (builder_.full()) break;
      place(piece);
    }
    name_profiles();
    return builder_.finish(SceneBuilder::Outlines::check_crossings);
  }

 private:
  void read_object(const Json& value, const std::string& where, std::size_t meaning) {
    if (problems_.full()) return;
    if (!value.is_object() || !value.contains("type") || !value["type"].is_string()) {
      problems_.add(where, fmt::format("{} found; a GeoJSON object with a \"type\" is needed", describe(value)), "see RFC 7946");
      return;
    }
    const auto& type = value["type"].get_ref<const std::string&>();
    if (type == "FeatureCollection") return read_list(value, "features", where, meaning);
    if (type == "Feature") {
      if (value.contains("properties")) meaning = read_properties(value["properties"], where + "/properties");
      if (!value.contains("geometry")) {
        problems_.add(where + "/geometry", "the key is missing; a Feature has a geometry or null", "add it");
      } else if (!value["geometry"].is_null()) {
        read_object(value["geometry"], where + "/geometry", meaning);
      }
      return;
    }
    if (type == "GeometryCollection") return read_list(value, "geometries", where, meaning);
    read_geometry(type, value, where, meaning);
  }

  void read_list(const Json& value, const char* key, const std::string& where, std::size_t meaning) {
    const std::string here = where + "/" + key;
    const auto found = value.find(key);
    if (found == value.end() || !found->is_array()) {
      problems_.add(here, fmt::format("{} found; an array is needed", found == value.end() ? "nothing" : describe(*found)),
                    "see RFC 7946");
      return;
    }
    for (std::size_t i = 0; i < found->size(); ++i) read_object((*found)[i], here + pointer_step(i), meaning);
  }

  void read_geometry(const std::string& type, const Json& value, const std::string& where, std::size_t meaning) {
    static constexpr std::array kTypes{"Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"};
    const auto known = std::find(kTypes.begin(), kTypes.end(), type);
    if (known == kTypes.end()) {
      problems_.add(where + "/type",
                    fmt::format("{} found; Polygon, LineString, Point, their Multi forms, GeometryCollection, Feature "
                                "and FeatureCollection are read",
                                describe(value["type"])),
                    "remove it or change its type");
      return;
    }
    const auto coordinates = value.find("coordinates");
    const std::string here = where + "/coordinates";
    if (coordinates == value.end() || !coordinates->is_array()) {
      problems_.add(here,
                    fmt::format("{} found; an array is needed", coordinates == value.end() ? "nothing" : describe(*coordinates)),
                    "see RFC 7946");
      return;
    }
    if (coordinates->empty()) return;  // an empty geometry is allowed
    const auto shape = static_cast<Piece::Shape>(2 - (known - kTypes.begin()) % 3);
    if (known - kTypes.begin() < 3) {
      read_piece(shape, *coordinates, here, meaning);
    } else {
      for (std::size_t i = 0; i < coordinates->size(); ++i) read_piece(shape, (*coordinates)[i], here + pointer_step(i), meaning);
    }
  }

  void read_piece(Piece::Shape shape, const Json& value, const std::string& where, std::size_t meaning) {
    Piece piece{shape, {}, meaning, where};
    if (shape == Piece::Shape::polygon) {
      if (!value.is_array() || value.empty()) {
        problems_.add(where, fmt::format("{} found; a polygon is an array of rings", describe(value)), "see RFC 7946, 3.1.6");
        return;
      }
      for (std::size_t i = 0; i < value.size(); ++i) {
        read_positions(value[i], where + pointer_step(i), true, problems_, piece.parts.emplace_back());
      }
    } else if (shape == Piece::Shape::line) {
      read_positions(value, where, true, problems_, piece.parts.emplace_back());
    } else {
      Vec2 p;
      if (read_position(value, where, true, problems_, p)) piece.parts.push_back({p});
    }
    pieces_.push_back(std::move(piece));
  }

  /// Index into meanings_.
  std::size_t read_properties(const Json& value, const std::string& where) {
    if (value.is_null()) return 0;
    if (!value.is_object()) {
      problems_.add(where, fmt::format("{} found; properties are an object or null", describe(value)), "see RFC 7946, 3.2");
      return 0;
    }
    Meaning meaning;
    meaning.role = role_of(value, where);
    if (value.contains("name") && value["name"].is_string()) meaning.name = value["name"].get<std::string>();
    if (meaning.role == Role::area) {
      if (value.contains("cost") && read_number(value["cost"], where + "/cost", "a cost factor", problems_, meaning.cost) &&
          !(meaning.cost >= 1 && meaning.cost <= 1e6)) {
        problems_.add(where + "/cost", fmt::format("{} found; a factor from 1 to 1000000 is allowed", describe(value["cost"])),
                      "choose a number in that range");
      }
      if (value.contains("forbidden_to")) read_bans(value["forbidden_to"], where + "/forbidden_to", meaning.forbidden_to);
    }
    meanings_.push_back(std::move(meaning));
    return meanings_.size() - 1;
  }

  Role role_of(const Json& properties, const std::string& where) {
    if (const auto ours = properties.find("throng"); ours != properties.end()) {
      const auto role = ours->is_string() ? role_named(ours->get_ref<const std::string&>()) : std::nullopt;
      if (role) return *role;
      problems_.add(where + "/throng",
                    fmt::format("{} found; walkable, obstacle, wall, area, seed or ignore is allowed", describe(*ours)),
                    "use one of these words");
      return Role::ignore;
    }
    if (const auto kind = properties.find("kind"); kind != properties.end() && kind->is_string()) {
      if (const auto role = role_named(kind->get_ref<const std::string&>())) return *role;
    }
    const auto tag = [&](const char* key) -> std::string_view {
      const auto found = properties.find(key);
      return found != properties.end() && found->is_string() ? std::string_view(found->get_ref<const std::string&>()) : "";
    };
    const auto building = properties.find("building");
    if (building != properties.end() && !building->is_null()) {
      return *building == "no" || *building == false ? Role::ignore : Role::obstacle;
    }
    if (tag("natural") == "water" || tag("waterway") == "riverbank" || tag("landuse") == "reservoir") return Role::obstacle;
    if (tag("barrier") == "wall" || tag("barrier") == "fence") return Role::wall;
    for (const char* key :
         {"landuse", "natural", "highway", "leisure", "amenity", "boundary", "place", "waterway", "railway", "power", "route"}) {
      if (!tag(key).empty()) return Role::ignore;
    }
    return Role::by_geometry;
  }

  void read_bans(const Json& value, const std::string& where, std::vector<std::string>& out) {
    if (value.is_string()) {
      // Tables that are exported as GeoJSON have no lists: "wheelchair, cart".
      std::string_view rest = value.get_ref<const std::string&>();
      while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        std::string_view word = rest.substr(0, comma);
        while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
        while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
        if (!word.empty()) out.emplace_back(word);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
      return;
    }
    bool good = value.is_array();
    for (std::size_t i = 0; good && i < value.size(); ++i) {
      good = value[i].is_string();
      if (good) out.push_back(value[i].get<std::string>());
    }
    if (!good) {
      problems_.add(where, fmt::format("{} found; a list of profile names is needed", describe(value)), "write [\"name\", …]");
    }
  }

  template <class Function>
  void for_each_point(Function&& visit) {
    for (Piece& piece : pieces_) {
      if (meanings_[piece.meaning].role == Role::ignore) continue;
      for (auto& part : piece.parts) {
        for (Vec2& p : part) visit(p);
      }
    }
  }

  /// Nothing if the file does not say.
  std::optional<bool> degrees_by_crs(const Json& root) {
    if (settings_.units != ImportUnits::by_format) return settings_.units == ImportUnits::degrees;
    if (const auto units = root.find("units"); units != root.end()) {
      if (*units == "metres") return false;
      if (*units == "degrees") return true;
      problems_.add("/units", fmt::format("{} found; \"metres\" or \"degrees\" is allowed", describe(*units)),
                    "use one of these words");
      return false;
    }
    const auto crs = root.find("crs");
    if (crs == root.end() || !crs->is_object()) return std::nullopt;
    const auto properties = crs->find("properties");
    if (properties == crs->end() || !properties->is_object() || !properties->contains("name") ||
        !(*properties)["name"].is_string()) {
      return std::nullopt;
    }
    const auto& name = (*properties)["name"].get_ref<const std::string&>();
    const auto ends_with = [&](std::string_view end) { return name.size() >= end.size() && name.ends_with(end); };
    return ends_with("4326") || ends_with("CRS84");
  }

  bool settle_units(const Json& root) {
    Vec2 low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    for_each_point([&](const Vec2& p) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    });
    if (!(low.x <= high.x)) return true;  // no points at all; the builder says so
    const bool could_be = low.x >= -180 && high.x <= 180 && low.y >= -90 && high.y <= 90;
    const std::optional<bool> said = degrees_by_crs(root);
    if (!problems_.empty()) return false;
    if (!said.value_or(could_be)) return true;
    const bool polar = low.y < -LocalProjection::kLatitudeLimit || high.y > LocalProjection::kLatitudeLimit;
    // A degree of latitude is 111 km everywhere; the exact extent in metres is checked after projecting.
    const double degrees = std::max(high.y - low.y, (high.x - low.x) * std::cos((low.y + high.y) / 2 * 0.017453292519943295));
    if (!could_be || polar || degrees * 111'000 > 2 * limits::kExtentMetres) {
      problems_.add(
          "",
          fmt::format(
              "read as longitude and latitude the file reaches from ({:.7g}, {:.7g}) to ({:.7g}, {:.7g}); at most {:g} km "
              "each way and latitudes within ±{:g} are allowed",
              low.x, low.y, high.x, high.y, limits::kExtentMetres / 1000, LocalProjection::kLatitudeLimit),
          "if the numbers are metres, add \"units\": \"metres\" to the top object; otherwise cut the file");
      return false;
    }
    const LocalProjection projection((low.x + high.x) / 2, (low.y + high.y) / 2);
    for_each_point([&](Vec2& p) { p = projection.to_metres(p.x, p.y); });
    return true;
  }

  void place(Piece& piece) {
    const Meaning& meaning = meanings_[piece.meaning];
    Role role = meaning.role;
    if (role == Role::ignore || piece.parts.empty()) return;
    if (piece.shape == Piece::Shape::point) {
      if (role == Role::seed) builder_.add_seed(0, piece.parts[0][0], piece.where);
      return;
    }
    if (piece.shape == Piece::Shape::line) {
      if (role == Role::by_geometry || role == Role::wall || role == Role::obstacle) {
        builder_.add_walls(0, piece.parts[0], piece.where);
      } else {
        problems_.add(piece.where, "a line cannot be walkable, an area or a seed; lines are walls",
                      "use a polygon or mark it \"wall\"");
      }
      return;
    }
    if (role == Role::by_geometry) role = Role::obstacle;
    if (role == Role::wall) {
      for (const auto& ring : piece.parts) builder_.add_walls(0, ring, piece.where);  // rings repeat their first point
      return;
    }
    if (role == Role::seed) {
      problems_.add(piece.where, "a polygon cannot be a seed; a seed is a point", "use a Point or another word");
      return;
    }
    Polygon polygon;
    polygon.outer = std::move(piece.parts[0]);
    polygon.holes.assign(std::make_move_iterator(piece.parts.begin() + 1), std::make_move_iterator(piece.parts.end()));
    if (role == Role::walkable) {
      builder_.add_walkable(0, std::move(polygon), piece.where);
    } else if (role == Role::obstacle) {
      builder_.add_obstacle(0, std::move(polygon), piece.where);
    } else {
      std::string name = meaning.name.empty() ? fmt::format("area {}", builder_.scene().areas.size() + 1) : meaning.name;
      builder_.layer(0);
      builder_.add_area({std::move(name), 0, std::move(polygon), meaning.cost, meaning.forbidden_to}, piece.where);
    }
  }

  /// GeoJSON has no place for profiles: those that an area forbids exist, with the default body, beside the default one.
  void name_profiles() {
    auto& profiles = builder_.scene().profiles;
    for (const Area& area : builder_.scene().areas) {
      for (const std::string& name : area.forbidden_to) {
        if (profiles.empty()) profiles.emplace_back();
        const auto same = [&](const Profile& profile) { return profile.name == name; };
        if (profiles.size() < limits::kLayers && std::none_of(profiles.begin(), profiles.end(), same)) profiles.push_back({name});
      }
    }
  }

  SceneBuilder builder_;
  ProblemList& problems_;
  const ImportSettings& settings_;
  std::vector<Meaning> meanings_;
  std::vector<Piece> pieces_;
};

}  // namespace

Result<Scene> scene_from_geojson(const Json& document, const std::string& name, const ImportSettings& settings) {
  return GeoJsonReader(name, settings).read(document);
}

Result<Scene> read_geojson(std::string_view bytes, const std::string& name, const ImportSettings& settings) {
  auto document = parse_json(bytes, name);
  if (!document) return document.problems();
  return scene_from_geojson(*document, name, settings);
}

}  // namespace throng
