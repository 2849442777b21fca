// SPDX-License-Identifier: MIT
// OpenStreetMap XML (.osm): buildings and water block, walls and fences are walls.
//
// Closed ways and multipolygon relations with building=* (but "no"), natural=water, waterway=riverbank, landuse=reservoir or
// landuse=basin become obstacles, united (footprints.hpp); ways with barrier=wall, fence, city_wall or retaining_wall become
// walls. Longitude and latitude are projected to metres about the middle of <bounds>, or of what is used if there are none
// (projection.hpp). With <bounds> the scene is cut there and the frame is the walkable ground.
//
// Extracts are often cut through ways and relations: nodes that are not in the file are skipped, and rings of a relation that
// do not close are left out. expat is used rather than libosmium because it streams, has no exceptions to contain, and lets
// us refuse a DOCTYPE, the door of XML bombs.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <unordered_map>

#include <expat.h>
#include <fmt/format.h>

#include "import/footprints.hpp"
#include "import/import.hpp"
#include "import/outline.hpp"
#include "import/projection.hpp"
#include "import/scene_builder.hpp"

namespace throng {
namespace {

/// Projected points are kept within this of the centre, so that a river that leaves the bounds cannot leave the integers.
constexpr double kFarthest = 1e6;

struct Way {
  std::vector<std::int64_t> nodes;
  bool blocks = false, wall = false;
};

struct Tags {
  bool blocks = false, wall = false, multipolygon = false;

  void add(std::string_view key, std::string_view value) {
    blocks = blocks || (key == "building" && value != "no") || (key == "natural" && value == "water") ||
             (key == "waterway" && value == "riverbank") || (key == "landuse" && (value == "reservoir" || value == "basin"));
    wall =
        wall || (key == "barrier" && (value == "wall" || value == "fence" || value == "city_wall" || value == "retaining_wall"));
    multipolygon = multipolygon || (key == "type" && value == "multipolygon");
  }
};

/// The parts of the file that can matter, in the file's own numbers.
class Document {
 public:
  explicit Document(ProblemList& problems) : problems_(problems) {}

  struct Degrees {
    double longitude, latitude;
  };
  std::unordered_map<std::int64_t, Degrees> nodes;
  std::unordered_map<std::int64_t, Way> ways;
  std::vector<std::int64_t> way_order;               // as in the file: hash order must not show in the result
  std::vector<std::vector<std::int64_t>> relations;  // member ways of multipolygons that block
  bool has_bounds = false;
  Degrees low{}, high{};

  bool parse(std::string_view bytes) {
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr), &XML_ParserFree);
    parser_ = parser.get();
    XML_SetUserData(parser_, this);
    XML_SetElementHandler(
        parser_,
        [](void* self, const XML_Char* name, const XML_Char** pairs) { static_cast<Document*>(self)->start(name, pairs); },
        [](void* self, const XML_Char* name) { static_cast<Document*>(self)->end(name); });
    XML_SetStartDoctypeDeclHandler(parser_, [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
      static_cast<Document*>(self)->stop("a DOCTYPE was found; OSM files have none and it is not allowed here", "remove it");
    });
    constexpr std::size_t kChunk = 1 << 20;
    for (std::size_t at = 0; problems_.empty(); at += kChunk) {
      const std::size_t size = std::min(kChunk, bytes.size() - at);
      const bool last = at + size == bytes.size();
      if (XML_Parse(parser_, bytes.data() + at, static_cast<int>(size), last) == XML_STATUS_ERROR && problems_.empty()) {
        problems_.add(here(), fmt::format("not well-formed XML: {}", XML_ErrorString(XML_GetErrorCode(parser_))),
                      "the file is damaged or cut short");
      }
      if (last) break;
    }
    if (problems_.empty() && !is_osm_) problems_.add("", "there is no <osm> element", "this is another kind of XML");
    return problems_.empty();
  }

 private:
  enum class Inside { nothing, way, relation };

  std::string here() const { return fmt::format("line {}", XML_GetCurrentLineNumber(parser_)); }

  void stop(std::string what, std::string fix) {
    problems_.add(here(), std::move(what), std::move(fix));
    XML_StopParser(parser_, XML_FALSE);
  }

  static const char* attribute(const XML_Char** pairs, const char* name) {
    for (; pairs[0]; pairs += 2) {
      if (std::strcmp(pairs[0], name) == 0) return pairs[1];
    }
    return nullptr;
  }

  template <class Number>
  bool read(const XML_Char** pairs, const char* name, Number& out) {
    const char* text = attribute(pairs, name);
    if (text) {
      const char* const end = text + std::strlen(text);
      const auto [stop_at, error] = std::from_chars(text, end, out);
      if (error == std::errc() && stop_at == end) return true;
    }
    stop(fmt::format("attribute {} is {}; a number is needed", name, text ? fmt::format("\"{:.40}\"", text) : "missing"),
         "correct the element");
    return false;
  }

  bool read_degrees(const XML_Char** pairs, const char* longitude, const char* latitude, Degrees& out) {
    if (!read(pairs, longitude, out.longitude) || !read(pairs, latitude, out.latitude)) return false;
    if (std::abs(out.longitude) <= 180 && std::abs(out.latitude) <= LocalProjection::kLatitudeLimit) return true;
    stop(fmt::format("longitude {} and latitude {} found; ±180 and ±{:g} are allowed", out.longitude, out.latitude,
                     LocalProjection::kLatitudeLimit),
         "correct the element");
    return false;
  }

  void start(const char* name, const XML_Char** pairs) {
    if (++depth_ > limits::kNesting)
      return stop("elements are nested too deeply", fmt::format("at most {} levels are allowed", limits::kNesting));
    const auto is = [&](const char* word) { return std::strcmp(name, word) == 0; };
    if (is("osm")) {
      is_osm_ = true;
    } else if (is("bounds")) {
      if (read_degrees(pairs, "minlon", "minlat", low) && read_degrees(pairs, "maxlon", "maxlat", high)) {
        has_bounds = true;
        if (!(low.longitude < high.longitude && low.latitude < high.latitude))
          stop("the bounds are empty", "correct minlon, maxlon, minlat and maxlat");
      }
    } else if (is("node")) {
      Degrees place{};
      std::int64_t id = 0;
      if (deleted(pairs) || !read(pairs, "id", id) || !read_degrees(pairs, "lon", "lat", place)) return;
      nodes[id] = place;
      if (nodes.size() > limits::kVertices) stop(fmt::format("more than {} nodes found", limits::kVertices), "cut the file");
    } else if (is("way") || is("relation")) {
      if (deleted(pairs) || !read(pairs, "id", id_)) return;
      inside_ = is("way") ? Inside::way : Inside::relation;
      members_.clear();
      tags_ = {};
    } else if (is("nd") && inside_ == Inside::way) {
      read_member(pairs);
    } else if (is("member") && inside_ == Inside::relation) {
      const char* type = attribute(pairs, "type");
      if (type && std::strcmp(type, "way") == 0) read_member(pairs);
    } else if (is("tag") && inside_ != Inside::nothing) {
      const char *key = attribute(pairs, "k"), *value = attribute(pairs, "v");
      if (key && value) tags_.add(key, value);
    }
  }

  /// Editors keep what was deleted, with visible="false".
  static bool deleted(const XML_Char** pairs) {
    const char* visible = attribute(pairs, "visible");
    return visible && std::strcmp(visible, "false") == 0;
  }

  void read_member(const XML_Char** pairs) {
    std::int64_t id = 0;
    if (!read(pairs, "ref", id)) return;
    members_.push_back(id);
    if (++member_count_ > limits::kVertices)
      stop(fmt::format("ways and relations have more than {} members", limits::kVertices), "cut the file");
  }

  void end(const char* name) {
    --depth_;
    const bool way = std::strcmp(name, "way") == 0;
    if (!way && std::strcmp(name, "relation") != 0) return;
    if (inside_ == Inside::way && way) {
      // Ways without tags of interest are kept: relations may need them.
      if (ways.insert_or_assign(id_, Way{std::move(members_), tags_.blocks, tags_.wall}).second) way_order.push_back(id_);
      members_ = {};
    } else if (inside_ == Inside::relation && tags_.blocks && tags_.multipolygon) {
      relations.push_back(std::move(members_));
      members_ = {};
    }
    inside_ = Inside::nothing;
  }

  ProblemList& problems_;
  XML_Parser parser_ = nullptr;
  std::size_t depth_ = 0, member_count_ = 0;
  bool is_osm_ = false;
  Inside inside_ = Inside::nothing;
  std::int64_t id_ = 0;
  std::vector<std::int64_t> members_;
  Tags tags_;
};

/// Chains ways end to end into closed rings of node numbers.
std::vector<std::vector<std::int64_t>> assemble_rings(const Document& document, const std::vector<std::int64_t>& members) {
  std::vector<std::vector<std::int64_t>> rings;
  std::vector<const Way*> open;
  std::unordered_multimap<std::int64_t, std::size_t> at_end;
  for (const std::int64_t id : members) {
    const auto found = document.ways.find(id);
    if (found == document.ways.end() || found->second.nodes.size() < 2) continue;
    const Way& way = found->second;
    if (way.nodes.front() == way.nodes.back()) {
      rings.push_back(way.nodes);
      continue;
    }
    at_end.emplace(way.nodes.front(), open.size());
    at_end.emplace(way.nodes.back(), open.size());
    open.push_back(&way);
  }
  std::vector<bool> used(open.size(), false);
  for (std::size_t first = 0; first < open.size(); ++first) {
    if (used[first]) continue;
    used[first] = true;
    std::vector<std::int64_t> ring = open[first]->nodes;
    while (ring.front() != ring.back()) {
      // An entry is erased when it is looked at: at a node where thousands of ways end nothing is looked at twice.
      const auto found = at_end.find(ring.back());
      if (found == at_end.end()) break;
      const std::size_t next = found->second;
      at_end.erase(found);
      if (used[next]) continue;
      used[next] = true;
      const auto& nodes = open[next]->nodes;
      if (nodes.front() == ring.back()) {
        ring.insert(ring.end(), nodes.begin() + 1, nodes.end());
      } else {
        ring.insert(ring.end(), nodes.rbegin() + 1, nodes.rend());
      }
    }
    if (ring.front() == ring.back()) rings.push_back(std::move(ring));
  }
  return rings;
}

/// The part of a segment inside a convex counter-clockwise ring (Cyrus & Beck).
bool clip_segment(const Ring& border, Vec2& a, Vec2& b) {
  double from = 0, to = 1;
  const Vec2 along = b - a;
  for (std::size_t i = 0; i < border.size(); ++i) {
    const Vec2 p = border[i], edge = border[(i + 1) % border.size()] - p;
    const double start = cross(edge, a - p), slope = cross(edge, along);
    if (slope == 0) {
      if (start < 0) return false;
    } else if (slope > 0) {
      from = std::max(from, -start / slope);
    } else {
      to = std::min(to, -start / slope);
    }
  }
  if (from >= to) return false;
  const Vec2 old = a;
  a = old + from * along;
  b = old + to * along;
  return true;
}

class OsmReader {
 public:
  explicit OsmReader(const std::string& name) : builder_(name), problems_(builder_.problems()), document_(problems_) {}

  Result<Scene> read(std::string_view bytes) {
    if (!document_.parse(bytes)) return problems_.take();
    collect_rings();
    if (!settle_projection()) return problems_.take();
    place();
    return builder_.finish(SceneBuilder::Outlines::trusted, true);
  }

 private:
  /// Footprints and walls as node numbers that exist.
  void collect_rings() {
    const auto existing = [&](const std::vector<std::int64_t>& nodes) {
      std::vector<Document::Degrees> points;
      for (const std::int64_t id : nodes) {
        if (const auto found = document_.nodes.find(id); found != document_.nodes.end()) points.push_back(found->second);
      }
      return points;
    };
    for (const std::int64_t id : document_.way_order) {
      const Way& way = document_.ways.at(id);
      const bool closed = way.nodes.size() >= 4 && way.nodes.front() == way.nodes.back();
      if (way.blocks && closed) {
        footprints_.push_back({existing(way.nodes)});
      } else if (way.wall) {
        walls_.push_back(existing(way.nodes));
      }
    }
    // A hostile file may name one large way in every relation: what is unfolded here is counted.
    std::size_t count = 0;
    for (const auto& relation : document_.relations) {
      std::vector<std::vector<Document::Degrees>> rings;
      for (const auto& ring : assemble_rings(document_, relation)) {
        count += ring.size();
        if (count > limits::kVertices) break;
        rings.push_back(existing(ring));
      }
      footprints_.push_back(std::move(rings));
      if (count > limits::kVertices) {
        problems_.add("", fmt::format("multipolygons have more than {} points together", limits::kVertices), "cut the file");
        return;
      }
    }
  }

  bool settle_projection() {
    if (!problems_.empty()) return false;
    Document::Degrees low = document_.low, high = document_.high;
    if (!document_.has_bounds) {
      low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
      const auto include = [&](const std::vector<Document::Degrees>& points) {
        for (const auto& p : points) {
          low = {std::min(low.longitude, p.longitude), std::min(low.latitude, p.latitude)};
          high = {std::max(high.longitude, p.longitude), std::max(high.latitude, p.latitude)};
        }
      };
      for (const auto& rings : footprints_) std::for_each(rings.begin(), rings.end(), include);
      std::for_each(walls_.begin(), walls_.end(), include);
      if (!(low.longitude <= high.longitude)) {
        problems_.add("", "no building, water or wall with nodes was found, and no <bounds>",
                      "there is nothing to walk around in this file");
        return false;
      }
    }
    projection_ = LocalProjection((low.longitude + high.longitude) / 2, (low.latitude + high.latitude) / 2);
    frame_ = {project(low), project({high.longitude, low.latitude}), project(high), project({low.longitude, high.latitude})};
    Vec2 south_west{INFINITY, INFINITY}, north_east{-INFINITY, -INFINITY};
    for (const Vec2 p : frame_) {
      south_west = {std::min(south_west.x, p.x), std::min(south_west.y, p.y)};
      north_east = {std::max(north_east.x, p.x), std::max(north_east.y, p.y)};
    }
    if (!origin_for(south_west, north_east)) {
      problems_.add(
          "",
          fmt::format("the map reaches from ({:.6g}, {:.6g}) to ({:.6g}, {:.6g}) degrees; at most {:g} km each way is allowed",
                      low.longitude, low.latitude, high.longitude, high.latitude, limits::kExtentMetres / 1000),
          "cut it, for example with osmium extract");
      return false;
    }
    return true;
  }

  Vec2 project(const Document::Degrees& p) const {
    // Far from the centre's meridian the series diverges; nothing that far is inside the bounds.
    const double turn = std::clamp(std::remainder(p.longitude - middle_longitude(), 360.0), -15.0, 15.0);
    const Vec2 metres = projection_.to_metres(middle_longitude() + turn, p.latitude);
    return {std::clamp(metres.x, -kFarthest, kFarthest), std::clamp(metres.y, -kFarthest, kFarthest)};
  }
  double middle_longitude() const { return projection_.longitude(); }

  void place() {
    const Ring* clip = document_.has_bounds ? &frame_ : nullptr;
    std::vector<Footprint> footprints;
    for (const auto& rings : footprints_) {
      Footprint& footprint = footprints.emplace_back();
      for (const auto& ring : rings) {
        Ring& out = footprint.emplace_back();
        for (const auto& p : ring) out.push_back(project(p));
      }
    }
    auto polygons = unite(footprints, clip);
    if (!polygons) {
      problems_.add("", "the outlines of buildings and water cross millions of times", "the file is damaged");
      return;
    }
    if (clip) builder_.add_walkable(0, {frame_, {}}, "bounds");
    for (Polygon& polygon : *polygons) builder_.add_obstacle(0, std::move(polygon), "the union of buildings and water");
    for (const auto& line : walls_) {
      for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        Vec2 a = project(line[i]), b = project(line[i + 1]);
        if (a != b && (!clip || clip_segment(frame_, a, b))) builder_.add_walls(0, {a, b}, "walls");
      }
    }
  }

  SceneBuilder builder_;
  ProblemList& problems_;
  Document document_;
  std::vector<std::vector<std::vector<Document::Degrees>>> footprints_;
  std::vector<std::vector<Document::Degrees>> walls_;
  LocalProjection projection_{0, 0};
  Ring frame_;
};

}  // namespace

Result<Scene> read_osm(std::string_view bytes, const std::string& name) { return OsmReader(name).read(bytes); }

}  // namespace throng
