// SPDX-License-Identifier: MIT
#include "scene/map.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "scene/map_edit.hpp"
#include "scene/raw_map.hpp"
#include "scene/simplify.hpp"

namespace throng {
namespace {

bool has_layer(const Joint& joint, std::uint32_t layer) { return joint.layer[0] == layer || joint.layer[1] == layer; }

std::string place(Vec2 p) {
  char text[80];
  std::snprintf(text, sizeof text, "(%.3f, %.3f)", p.x, p.y);
  return text;
}

class Extractor {
 public:
  Extractor(const Scene& scene, std::uint32_t layer, AreaSets& sets, std::span<const std::vector<Point>> joint_points,
            EditableMap* keep)
      : scene_(scene), layer_(scene.layers[layer]), layer_index_(layer), sets_(sets), joint_points_(joint_points), keep_(keep) {}

  Result<Map> run() {
    if (auto problems = collect(); !problems.empty()) return problems;
    triangulate();
    classify();
    if (!layer_.seeds.empty()) {
      if (auto problems = flood_from_seeds(); !problems.empty()) return problems;
    }
    std::vector<MapSegment> kept = keep_borders();
    if (kept.empty()) {
      return Problem{layer_name(), "there is no walkable ground: obstacles cover everything",
                     "check that walkable and obstacle polygons are not exchanged and that units are metres"};
    }
    const double tolerance = std::max(1.0, layer_.simplify * kUnitsPerMetre);
    if (keep_ == nullptr) {
      merge_collinear_runs(kept, tolerance);
    } else {
      std::vector<std::uint32_t> run_of;
      const std::vector<MapSegment> pieces = kept;
      merge_collinear_runs(kept, tolerance, &run_of);
      *keep_ = EditableMap(std::move(raw_), pieces, borders_, run_of, obstacle_start_, tolerance);
      keep_->frame = frame_;
    }
    return rebuild(std::move(kept));
  }

 private:
  std::string layer_name() const { return "layer \"" + layer_.name + "\""; }

  void add_polygon(const Polygon& polygon, InputLine::Kind kind, std::uint32_t area = 0) {
    append_lines(polygon, kind, area, raw_.lines);
  }

  void add_joint(std::uint32_t index) {
    const Segment& line = scene_.joints[index].line;
    const Point a = snap(line.a), b = snap(line.b);
    std::vector<Point> chain{a, b};
    if (index < joint_points_.size()) chain.insert(chain.end(), joint_points_[index].begin(), joint_points_[index].end());
    std::sort(chain.begin(), chain.end(), [&](Point p, Point q) { return distance_squared(a, p) < distance_squared(a, q); });
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
      if (chain[i] != chain[i + 1]) raw_.lines.push_back({chain[i], chain[i + 1], InputLine::kJoint, index});
  }

  std::vector<Problem> collect() {
    std::vector<Problem> problems;
    const auto check = [&](Vec2 p, const char* of) {
      if (fits_grid(p) || problems.size() > 20) return;
      problems.push_back({layer_name() + ", " + of, "coordinate " + place(p) + " is not a number below 16 km",
                          "scenes reach at most 16 km from their origin; check units and projection"});
    };
    const auto check_polygon = [&](const Polygon& polygon, const char* of) {
      for (Vec2 p : polygon.outer) check(p, of);
      for (const Ring& hole : polygon.holes)
        for (Vec2 p : hole) check(p, of);
    };
    for (const Polygon& p : layer_.walkable) check_polygon(p, "walkable polygon");
    for (const Polygon& p : layer_.obstacles) check_polygon(p, "obstacle");
    for (const Segment& s : layer_.walls) check(s.a, "wall"), check(s.b, "wall");
    for (Vec2 s : layer_.seeds) check(s, "seed");
    for (const Joint& joint : scene_.joints)
      if (has_layer(joint, layer_index_)) check(joint.line.a, "joint"), check(joint.line.b, "joint");
    for (const Area& area : scene_.areas)
      if (area.layer == layer_index_) check_polygon(area.shape, "area");
    if (!problems.empty()) return problems;

    for (const Polygon& p : layer_.walkable) add_polygon(p, InputLine::kWalkable);
    for (const Polygon& p : layer_.obstacles) {
      obstacle_start_.push_back(static_cast<ConstraintId>(raw_.lines.size()));
      add_polygon(p, InputLine::kObstacle);
    }
    obstacle_start_.push_back(static_cast<ConstraintId>(raw_.lines.size()));
    for (const Segment& s : layer_.walls) {
      const Point a = snap(s.a), b = snap(s.b);
      if (a != b) raw_.lines.push_back({a, b, InputLine::kWall, 0});
    }
    if (raw_.lines.empty()) {
      problems.push_back({layer_name(), "it holds no polygon and no wall", "add a walkable polygon"});
      return problems;
    }
    if (layer_.walkable.empty()) add_frame();
    for (std::uint32_t i = 0; i < scene_.areas.size(); ++i) {
      const Area& area = scene_.areas[i];
      if (area.layer == layer_index_ && matters_to_planning(area)) add_polygon(area.shape, InputLine::kArea, i);
    }
    for (std::uint32_t i = 0; i < scene_.joints.size(); ++i)
      if (has_layer(scene_.joints[i], layer_index_)) add_joint(i);
    return problems;
  }

  /// §1.1 step 6: ground without an end gets a frame, 5 m outside the geometry.
  void add_frame() {
    Point low = raw_.lines[0].a, high = low;
    for (const InputLine& line : raw_.lines)
      for (Point p : {line.a, line.b}) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
    const auto clamp = [](std::int64_t c) {
      return static_cast<double>(std::clamp<std::int64_t>(c, 1 - kCoordinateLimit, kCoordinateLimit - 1)) * kUnit;
    };
    const std::int64_t margin = 5 * kUnitsPerMetre;
    const double x0 = clamp(low.x - margin), y0 = clamp(low.y - margin), x1 = clamp(high.x + margin), y1 = clamp(high.y + margin);
    frame_ = {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}};
    add_polygon(frame_, InputLine::kWalkable);
  }

  void triangulate() {
    std::vector<Point> points;
    points.reserve(raw_.lines.size() * 2);
    for (const InputLine& line : raw_.lines) points.push_back(line.a), points.push_back(line.b);
    const std::vector<VertexIndex> vertex = raw_.triangulation.insert_points(points);
    for (std::size_t i = 0; i < raw_.lines.size(); ++i)
      raw_.triangulation.insert_constraint(vertex[2 * i], vertex[2 * i + 1], static_cast<ConstraintId>(i));
  }

  /// Winding numbers by flooding from outside the hull: crossing a line from its right to its left enters what it bounds.
  void classify() {
    const Triangulation& cdt = raw_.triangulation;
    const std::size_t slots = cdt.triangle_slot_count();
    raw_.cover.assign(slots, {});
    raw_.region.assign(slots, kSolid);
    std::vector<std::uint8_t> seen(slots, 0);
    std::vector<TriangleIndex> stack;
    for (std::size_t t = 0; t < slots; ++t) {
      const auto index = static_cast<TriangleIndex>(t);
      if (cdt.is_alive(index) && cdt.is_ghost(index)) {
        stack.push_back(index);
        seen[t] = 1;
        break;
      }
    }
    ChainSense sense(cdt, raw_.lines);
    while (!stack.empty()) {
      const TriangleIndex t = stack.back();
      stack.pop_back();
      for (int i = 0; i < 3; ++i) {
        const TriangleIndex next = cdt.triangle(t).neighbour[i];
        if (next == kNone || seen[next]) continue;
        seen[next] = 1;
        raw_.cover[next] = cover_across(raw_, {t, i}, raw_.cover[t], sense, sets_);
        if (!cdt.is_ghost(next)) raw_.region[next] = raw_.cover[next].region();
        stack.push_back(next);
      }
    }
  }

  /// §1.1 step 4: only ground reached from a seed without crossing a line.
  std::vector<Problem> flood_from_seeds() {
    std::vector<Problem> problems;
    std::vector<std::uint8_t> reached(raw_.region.size(), 0);
    std::vector<TriangleIndex> stack;
    for (Vec2 seed : layer_.seeds) {
      const Triangulation::Location at = raw_.triangulation.locate(snap(seed));
      if (at.triangle == kNone || raw_.region[at.triangle] == kSolid) {
        problems.push_back({layer_name() + ", seed " + place(seed), "the seed stands inside an obstacle or outside the scene",
                            "put it on walkable ground"});
        continue;
      }
      stack.push_back(at.triangle);
      reached[at.triangle] = 1;
    }
    while (!stack.empty()) {
      const TriangleIndex t = stack.back();
      stack.pop_back();
      for (int i = 0; i < 3; ++i) {
        const TriangleIndex next = raw_.triangulation.triangle(t).neighbour[i];
        if (reached[next] || raw_.region[next] == kSolid || raw_.carries_wall({t, i})) continue;
        reached[next] = 1;
        stack.push_back(next);
      }
    }
    for (std::size_t t = 0; t < raw_.region.size(); ++t)
      if (!reached[t]) raw_.region[t] = kSolid;
    return problems;
  }

  /// Every piece of outline, each once.
  std::vector<MapSegment> keep_borders() {
    const Triangulation& cdt = raw_.triangulation;
    std::vector<MapSegment> kept;
    for (std::size_t slot = 0; slot < raw_.region.size(); ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!cdt.is_alive(t) || cdt.is_ghost(t)) continue;
      for (int i = 0; i < 3; ++i) {
        const TriangleIndex other = cdt.triangle(t).neighbour[i];
        if (!cdt.is_ghost(other) && other < t) continue;
        if (const auto border = raw_.border_on({t, i})) {
          if (keep_ != nullptr) borders_.push_back({t, i});
          kept.push_back(*border);
        }
      }
    }
    return kept;
  }

  Map rebuild(std::vector<MapSegment> kept) const {
    Map map;
    std::vector<Point> points;
    points.reserve(kept.size() * 2);
    for (const MapSegment& s : kept) points.push_back(s.a), points.push_back(s.b);
    const std::vector<VertexIndex> vertex = map.triangulation.insert_points(points);
    for (std::size_t i = 0; i < kept.size(); ++i)
      map.triangulation.insert_constraint(vertex[2 * i], vertex[2 * i + 1], static_cast<ConstraintId>(i));
    map.segments = std::move(kept);

    const Triangulation& cdt = map.triangulation;
    const std::size_t slots = cdt.triangle_slot_count();
    map.region.assign(slots, kSolid);
    std::vector<std::uint8_t> seen(slots, 0);
    std::vector<TriangleIndex> stack;
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!cdt.is_alive(t) || cdt.is_ghost(t) || seen[t]) continue;
      for (int i = 0; i < 3 && !seen[t]; ++i) {
        if (!cdt.is_constrained({t, i})) continue;
        seen[t] = 1;
        map.region[t] = map.region_beside({t, i});
        stack.push_back(t);
      }
      while (!stack.empty()) {
        const TriangleIndex current = stack.back();
        stack.pop_back();
        for (int i = 0; i < 3; ++i) {
          const TriangleIndex next = cdt.triangle(current).neighbour[i];
          if (seen[next] || cdt.is_ghost(next) || cdt.is_constrained({current, i})) continue;
          seen[next] = 1;
          map.region[next] = map.region[current];
          stack.push_back(next);
        }
      }
    }
    return map;
  }

  const Scene& scene_;
  const Layer& layer_;
  std::uint32_t layer_index_;
  AreaSets& sets_;
  std::span<const std::vector<Point>> joint_points_;
  EditableMap* keep_;
  Polygon frame_;
  RawMap raw_;
  std::vector<EdgeRef> borders_;              // of the pieces, if they are kept
  std::vector<ConstraintId> obstacle_start_;  // of each obstacle: its first line
};

}  // namespace

const MapSegment* Map::segment_on(EdgeRef e) const {
  const auto ids = triangulation.constraints(e);
  return ids.empty() ? nullptr : &segments[ids[0]];
}

AreaSetIndex Map::region_beside(EdgeRef e) const {
  const MapSegment& s = *segment_on(e);
  return lies_left(triangulation, e, s.a, s.b) ? s.left : s.right;
}

AreaSetIndex AreaSets::intern(const std::vector<std::uint32_t>& sorted_areas) {
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (sets[i] == sorted_areas) return static_cast<AreaSetIndex>(i);
  sets.push_back(sorted_areas);
  return static_cast<AreaSetIndex>(sets.size() - 1);
}

bool matters_to_planning(const Area& area) { return area.cost != 1 || !area.forbidden_to.empty(); }

Result<Map> extract_map(const Scene& scene, std::uint32_t layer, AreaSets& sets, std::span<const std::vector<Point>> joint_points,
                        EditableMap* keep) {
  return Extractor(scene, layer, sets, joint_points, keep).run();
}

Result<std::vector<Map>> extract_maps(const Scene& scene, AreaSets& sets, std::vector<EditableMap>* keep) {
  if (keep != nullptr) keep->assign(scene.layers.size(), {});
  std::vector<Map> maps;
  std::vector<Problem> problems;
  std::vector<std::vector<Point>> points(scene.joints.size());
  const auto extract = [&](std::uint32_t layer) {
    Result<Map> map = extract_map(scene, layer, sets, points, keep == nullptr ? nullptr : &(*keep)[layer]);
    if (map) return std::optional(std::move(*map));
    problems.insert(problems.end(), map.problems().begin(), map.problems().end());
    return std::optional<Map>();
  };
  for (std::uint32_t layer = 0; layer < scene.layers.size(); ++layer)
    if (auto map = extract(layer)) maps.push_back(std::move(*map));
  if (!problems.empty()) return problems;
  if (scene.joints.empty()) return maps;

  // Where outlines of one side meet a joint, the other side is split as well.
  using Piece = std::tuple<std::int32_t, Point, Point>;
  const auto pieces_of = [&](const Map& map) {
    std::set<Piece> pieces;
    for (const MapSegment& s : map.segments)
      if (s.joint >= 0) pieces.insert({s.joint, std::min(s.a, s.b), std::max(s.a, s.b)});
    return pieces;
  };
  for (const Map& map : maps)
    for (const auto& [joint, a, b] : pieces_of(map)) points[joint].push_back(a), points[joint].push_back(b);
  for (auto& list : points) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  std::vector<std::uint8_t> is_joined(maps.size(), 0);
  for (const Joint& joint : scene.joints) is_joined[joint.layer[0]] = is_joined[joint.layer[1]] = 1;
  for (std::uint32_t layer = 0; layer < maps.size(); ++layer)
    if (is_joined[layer])
      if (auto map = extract(layer)) maps[layer] = std::move(*map);
  if (!problems.empty()) return problems;

  std::vector<std::uint32_t> common(scene.joints.size(), 0);
  std::vector<std::set<Piece>> pieces;
  for (const Map& map : maps) pieces.push_back(pieces_of(map));
  for (std::uint32_t layer = 0; layer < maps.size(); ++layer)
    for (MapSegment& s : maps[layer].segments) {
      if (s.joint < 0) continue;
      const auto& sides = scene.joints[static_cast<std::size_t>(s.joint)].layer;
      const std::uint32_t other = sides[0] == layer ? sides[1] : sides[0];
      if (pieces[other].contains({s.joint, std::min(s.a, s.b), std::max(s.a, s.b)})) {
        ++common[s.joint];
      } else {
        s.joint = -1;
        s.wall = true;
      }
    }
  for (std::size_t j = 0; j < common.size(); ++j)
    if (common[j] == 0)
      problems.push_back({"joint " + std::to_string(j) + " at " + place(scene.joints[j].line.a),
                          "its line is not on the outlines of both layers, \"" + scene.layers[scene.joints[j].layer[0]].name +
                              "\" and \"" + scene.layers[scene.joints[j].layer[1]].name + "\"",
                          "let both end there, with the same two points"});
  if (!problems.empty()) return problems;
  return maps;
}

}  // namespace throng
