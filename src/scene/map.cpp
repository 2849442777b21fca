// SPDX-License-Identifier: MIT
#include "scene/map.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "scene/simplify.hpp"

namespace throng {
namespace {

/// A directed input line. What it bounds lies on its left.
struct InputLine {
  Point a;
  Point b;
  enum Kind : std::uint8_t { kWalkable, kObstacle, kWall, kArea, kJoint } kind;
  std::uint32_t index;  ///< of the area or joint
};

bool has_layer(const Joint& joint, std::uint32_t layer) { return joint.layer[0] == layer || joint.layer[1] == layer; }

std::string place(Vec2 p) {
  char text[80];
  std::snprintf(text, sizeof text, "(%.3f, %.3f)", p.x, p.y);
  return text;
}

/// Whether the triangle of `e` lies left of a → b, whose chain `e` belongs to: chains run their line's way piece by piece, but
/// for pieces so short that rounded crossings may have turned them (ChainSense).
bool lies_left(const Triangulation& cdt, EdgeRef e, Point a, Point b) {
  const Point u = cdt.point(cdt.from(e)), v = cdt.point(cdt.to(e));
  return (std::int64_t{v.x} - u.x) * (std::int64_t{b.x} - a.x) + (std::int64_t{v.y} - u.y) * (std::int64_t{b.y} - a.y) > 0;
}

/// Which way a line runs along the pieces of its chain.
///
/// Crossings are rounded to the grid, so a chain deviates from its line by up to a unit, and a piece of some units may even run
/// across or against it. There the way is found by walking the chain from one end of the line to the other; pieces that the walk
/// does not need are spurs, passed there and back.
class ChainSense {
 public:
  ChainSense(const Triangulation& cdt, std::span<const InputLine> lines) : cdt_(cdt), lines_(lines) {
    std::vector<ConstraintId> doubtful;
    for (std::size_t slot = 0; slot < cdt.triangle_slot_count(); ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!cdt.is_alive(t) || cdt.is_ghost(t)) continue;
      for (int i = 0; i < 3; ++i)
        if (is_short({t, i}))
          for (const ConstraintId id : cdt.constraints({t, i})) doubtful.push_back(id);
    }
    std::sort(doubtful.begin(), doubtful.end());
    doubtful.erase(std::unique(doubtful.begin(), doubtful.end()), doubtful.end());
    for (const ConstraintId id : doubtful) walk(id);
  }

  /// 1: the line runs as the edge does, with the edge's triangle on its left; -1: the other way; 0: there and back.
  int of(EdgeRef e, ConstraintId id) const {
    if (is_short(e)) {
      const bool is_turned = cdt_.from(e) > cdt_.to(e);
      const auto found = walked_.find({std::min(cdt_.from(e), cdt_.to(e)), std::max(cdt_.from(e), cdt_.to(e)), id});
      return found == walked_.end() ? 0 : is_turned ? -found->second : found->second;
    }
    return lies_left(cdt_, e, lines_[static_cast<std::size_t>(id)].a, lines_[static_cast<std::size_t>(id)].b) ? 1 : -1;
  }

 private:
  bool is_short(EdgeRef e) const {
    constexpr std::int64_t kUnits = 4;
    return distance_squared(cdt_.point(cdt_.from(e)), cdt_.point(cdt_.to(e))) <= kUnits * kUnits;
  }

  void walk(ConstraintId id) {
    std::map<VertexIndex, std::vector<VertexIndex>> next;
    VertexIndex start = kNone, end = kNone;
    for (const EdgeRef e : cdt_.edges_of(id)) {
      const VertexIndex u = cdt_.from(e), v = cdt_.to(e);
      next[u].push_back(v);
      next[v].push_back(u);
      for (const VertexIndex w : {u, v}) {
        if (cdt_.point(w) == lines_[static_cast<std::size_t>(id)].a) start = w;
        if (cdt_.point(w) == lines_[static_cast<std::size_t>(id)].b) end = w;
      }
    }
    if (start == kNone || end == kNone) return;
    std::map<VertexIndex, VertexIndex> came_from{{start, kNone}};
    std::vector<VertexIndex> queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (const VertexIndex v : next[queue[head]])
        if (came_from.emplace(v, queue[head]).second) queue.push_back(v);
    if (!came_from.contains(end)) return;
    for (VertexIndex v = end; v != start; v = came_from[v]) {
      const VertexIndex u = came_from[v];
      walked_[{std::min(u, v), std::max(u, v), id}] = u < v ? 1 : -1;
    }
  }

  const Triangulation& cdt_;
  std::span<const InputLine> lines_;
  std::map<std::tuple<VertexIndex, VertexIndex, ConstraintId>, int> walked_;
};

class Extractor {
 public:
  Extractor(const Scene& scene, std::uint32_t layer, AreaSets& sets, std::span<const std::vector<Point>> joint_points)
      : scene_(scene), layer_(scene.layers[layer]), layer_index_(layer), sets_(sets), joint_points_(joint_points) {}

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
    merge_collinear_runs(kept, std::max(1.0, layer_.simplify * kUnitsPerMetre));
    return rebuild(std::move(kept));
  }

 private:
  std::string layer_name() const { return "layer \"" + layer_.name + "\""; }

  void add_ring(const Ring& ring, InputLine::Kind kind, std::uint32_t area = 0) {
    const std::size_t first = lines_.size();
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = snap(ring[i]), b = snap(ring[(i + 1) % ring.size()]);
      if (a != b) lines_.push_back({a, b, kind, area});
    }
    if (lines_.size() - first < 3) lines_.resize(first);  // thinner than the grid: bounds nothing
  }
  void add_polygon(const Polygon& polygon, InputLine::Kind kind, std::uint32_t area = 0) {
    add_ring(polygon.outer, kind, area);
    for (const Ring& hole : polygon.holes) add_ring(hole, kind, area);
  }

  void add_joint(std::uint32_t index) {
    const Segment& line = scene_.joints[index].line;
    const Point a = snap(line.a), b = snap(line.b);
    std::vector<Point> chain{a, b};
    if (index < joint_points_.size()) chain.insert(chain.end(), joint_points_[index].begin(), joint_points_[index].end());
    std::sort(chain.begin(), chain.end(), [&](Point p, Point q) { return distance_squared(a, p) < distance_squared(a, q); });
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
      if (chain[i] != chain[i + 1]) lines_.push_back({chain[i], chain[i + 1], InputLine::kJoint, index});
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
    for (const Polygon& p : layer_.obstacles) add_polygon(p, InputLine::kObstacle);
    for (const Segment& s : layer_.walls) {
      const Point a = snap(s.a), b = snap(s.b);
      if (a != b) lines_.push_back({a, b, InputLine::kWall, 0});
    }
    if (lines_.empty()) {
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
    Point low = lines_[0].a, high = low;
    for (const InputLine& line : lines_)
      for (Point p : {line.a, line.b}) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
    const auto clamp = [](std::int64_t c) {
      return static_cast<double>(std::clamp<std::int64_t>(c, 1 - kCoordinateLimit, kCoordinateLimit - 1)) * kUnit;
    };
    const std::int64_t margin = 5 * kUnitsPerMetre;
    const double x0 = clamp(low.x - margin), y0 = clamp(low.y - margin), x1 = clamp(high.x + margin), y1 = clamp(high.y + margin);
    add_ring({{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, InputLine::kWalkable);
  }

  void triangulate() {
    std::vector<Point> points;
    points.reserve(lines_.size() * 2);
    for (const InputLine& line : lines_) points.push_back(line.a), points.push_back(line.b);
    const std::vector<VertexIndex> vertex = cdt_.insert_points(points);
    for (std::size_t i = 0; i < lines_.size(); ++i)
      cdt_.insert_constraint(vertex[2 * i], vertex[2 * i + 1], static_cast<ConstraintId>(i));
  }

  /// Winding numbers by flooding from outside the hull: crossing a line from its right to its left enters what it bounds.
  void classify() {
    struct State {
      std::int32_t walkable = 0;
      std::int32_t solid = 0;
      AreaSetIndex areas = 0;
    };
    const std::size_t slots = cdt_.triangle_slot_count();
    std::vector<State> state(slots);
    std::vector<std::uint8_t> seen(slots, 0);
    region_.assign(slots, kSolid);
    std::vector<TriangleIndex> stack;
    for (std::size_t t = 0; t < slots; ++t) {
      const auto index = static_cast<TriangleIndex>(t);
      if (cdt_.is_alive(index) && cdt_.is_ghost(index)) {
        stack.push_back(index);
        seen[t] = 1;
        break;
      }
    }
    const ChainSense sense(cdt_, lines_);
    std::vector<std::uint32_t> areas;
    while (!stack.empty()) {
      const TriangleIndex t = stack.back();
      stack.pop_back();
      for (int i = 0; i < 3; ++i) {
        const EdgeRef e{t, i};
        const TriangleIndex next = cdt_.triangle(t).neighbour[i];
        if (next == kNone || seen[next]) continue;
        seen[next] = 1;
        State s = state[t];
        for (ConstraintId id : cdt_.constraints(e)) {
          const InputLine& line = lines_[id];
          const std::int32_t step = -sense.of(e, id);
          if (line.kind == InputLine::kWalkable) s.walkable += step;
          if (line.kind == InputLine::kObstacle) s.solid += step;
          if (line.kind == InputLine::kArea && step != 0) {
            areas = sets_.sets[s.areas];
            const auto at = std::lower_bound(areas.begin(), areas.end(), line.index);
            if (at != areas.end() && *at == line.index)
              areas.erase(at);
            else
              areas.insert(at, line.index);
            s.areas = sets_.intern(areas);
          }
        }
        state[next] = s;
        if (!cdt_.is_ghost(next) && s.walkable > 0 && s.solid <= 0) region_[next] = s.areas;
        stack.push_back(next);
      }
    }
  }

  /// The joint on an edge, -1 without one.
  std::int32_t joint_on(EdgeRef e) const {
    for (ConstraintId id : cdt_.constraints(e))
      if (lines_[id].kind == InputLine::kJoint) return static_cast<std::int32_t>(lines_[id].index);
    return -1;
  }

  bool carries_wall(EdgeRef e) const {
    for (ConstraintId id : cdt_.constraints(e))
      if (lines_[id].kind == InputLine::kWall) return true;
    return false;
  }

  /// §1.1 step 4: only ground reached from a seed without crossing a line.
  std::vector<Problem> flood_from_seeds() {
    std::vector<Problem> problems;
    std::vector<std::uint8_t> reached(region_.size(), 0);
    std::vector<TriangleIndex> stack;
    for (Vec2 seed : layer_.seeds) {
      const Triangulation::Location at = cdt_.locate(snap(seed));
      if (at.triangle == kNone || region_[at.triangle] == kSolid) {
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
        const TriangleIndex next = cdt_.triangle(t).neighbour[i];
        if (reached[next] || region_[next] == kSolid || carries_wall({t, i})) continue;
        reached[next] = 1;
        stack.push_back(next);
      }
    }
    for (std::size_t t = 0; t < region_.size(); ++t)
      if (!reached[t]) region_[t] = kSolid;
    return problems;
  }

  /// Every edge that separates walkable from solid, is a wall on walkable ground, or separates sets of areas. The first may lie
  /// on no line where outlines degenerate on the grid: the map is tight all the same.
  std::vector<MapSegment> keep_borders() const {
    std::vector<MapSegment> kept;
    for (std::size_t slot = 0; slot < region_.size(); ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!cdt_.is_alive(t) || cdt_.is_ghost(t)) continue;
      for (int i = 0; i < 3; ++i) {
        const EdgeRef e{t, i};
        const TriangleIndex other = cdt_.triangle(t).neighbour[i];
        if (!cdt_.is_ghost(other) && other < t) continue;  // each edge once
        const AreaSetIndex left = region_[t], right = region_[other];
        if (left == kSolid && right == kSolid) continue;
        if (!cdt_.is_constrained(e) && left != kSolid && right != kSolid) continue;
        const bool is_end = left == kSolid || right == kSolid, has_wall = carries_wall(e);
        const std::int32_t joint = is_end && !has_wall ? joint_on(e) : -1;
        const bool wall = (is_end || has_wall) && joint < 0;
        if (is_end || wall || left != right)
          kept.push_back({cdt_.point(cdt_.from(e)), cdt_.point(cdt_.to(e)), left, right, wall, joint});
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
  std::vector<InputLine> lines_;
  Triangulation cdt_;
  std::vector<AreaSetIndex> region_;
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

Result<Map> extract_map(const Scene& scene, std::uint32_t layer, AreaSets& sets,
                        std::span<const std::vector<Point>> joint_points) {
  return Extractor(scene, layer, sets, joint_points).run();
}

Result<std::vector<Map>> extract_maps(const Scene& scene, AreaSets& sets) {
  std::vector<Map> maps;
  std::vector<Problem> problems;
  std::vector<std::vector<Point>> points(scene.joints.size());
  const auto extract = [&](std::uint32_t layer) {
    Result<Map> map = extract_map(scene, layer, sets, points);
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
