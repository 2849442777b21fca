// SPDX-License-Identifier: MIT
#include "import/scene_builder.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "geometry/point.hpp"
#include "geometry/polygon.hpp"
#include "import/outline.hpp"

namespace throng {
namespace {

/// Origins are multiples of this, so that people can add them in their heads.
constexpr double kOriginStep = 100;
/// Edge tests spent on "is this hole inside": enough for any honest file, and a bound for the others.
constexpr std::uint64_t kContainmentBudget = 200'000'000;
/// Pairs of edges compared in search of crossings in one scene: some ten seconds.
constexpr std::uint64_t kCrossingBudget = 1'000'000'000;

}  // namespace

std::string scene_name_of(const std::string& file) {
  const std::size_t slash = file.find_last_of("/\\");
  std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
  const std::size_t dot = name.find('.', 1);
  if (dot != std::string::npos) name.resize(dot);
  return name;
}

std::optional<Vec2> origin_for(Vec2 low, Vec2 high) {
  if (!(high.x - low.x <= limits::kExtentMetres && high.y - low.y <= limits::kExtentMetres)) return std::nullopt;
  if (std::max({std::abs(low.x), std::abs(low.y), std::abs(high.x), std::abs(high.y)}) <= limits::kFarMetres) return Vec2{};
  return Vec2{kOriginStep * std::round((low.x + high.x) / 2 / kOriginStep),
              kOriginStep * std::round((low.y + high.y) / 2 / kOriginStep)};
}

SceneBuilder::SceneBuilder(const std::string& name) : problems_(name) { scene_.name = scene_name_of(name); }

Layer& SceneBuilder::layer(std::size_t index) {
  if (scene_.layers.size() <= index) scene_.layers.resize(index + 1);
  return scene_.layers[index];
}

std::string SceneBuilder::place(Vec2 p) const {
  return fmt::format("({:.10g}, {:.10g})", p.x + scene_.origin.x, p.y + scene_.origin.y);
}

bool SceneBuilder::take(const std::vector<Vec2>& points, const std::string& where) {
  const bool was_full = full();
  vertex_count_ += points.size();
  if (full()) {
    if (!was_full) {
      problems_.add(where, fmt::format("the scene has more than {} points here, the most that is allowed", limits::kVertices),
                    "simplify the outlines or split the scene");
    }
    return false;
  }
  for (const Vec2 p : points) {
    if (!(std::abs(p.x) <= limits::kCoordinateMetres && std::abs(p.y) <= limits::kCoordinateMetres)) {
      problems_.add(where,
                    fmt::format("coordinate ({}, {}) found; finite numbers within ±{:g} m are allowed", p.x, p.y,
                                limits::kCoordinateMetres),
                    "correct the point; the file may be in another unit than metres");
      return false;
    }
  }
  for (const Vec2 p : points) {
    if (!has_bounds_ || p.x < west_.value) west_ = {p.x, where};
    if (!has_bounds_ || p.x > east_.value) east_ = {p.x, where};
    if (!has_bounds_ || p.y < south_.value) south_ = {p.y, where};
    if (!has_bounds_ || p.y > north_.value) north_ = {p.y, where};
    has_bounds_ = true;
  }
  return true;
}

bool SceneBuilder::take(const Polygon& polygon, const std::string& where) {
  bool good = take(polygon.outer, where);
  for (const Ring& hole : polygon.holes) good = take(hole, where) && good;
  return good;
}

void SceneBuilder::add_walkable(std::size_t index, Polygon polygon, std::string where) {
  if (!take(polygon, where)) return;
  auto& list = layer(index).walkable;
  labels_.push_back(
      {Labelled::Kind::walkable, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(list.size()), std::move(where)});
  list.push_back(std::move(polygon));
}

void SceneBuilder::add_obstacle(std::size_t index, Polygon polygon, std::string where) {
  if (!take(polygon, where)) return;
  auto& list = layer(index).obstacles;
  labels_.push_back(
      {Labelled::Kind::obstacle, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(list.size()), std::move(where)});
  list.push_back(std::move(polygon));
}

void SceneBuilder::add_area(Area area, std::string where) {
  if (!take(area.shape, where)) return;
  labels_.push_back({Labelled::Kind::area, area.layer, static_cast<std::uint32_t>(scene_.areas.size()), std::move(where)});
  scene_.areas.push_back(std::move(area));
}

void SceneBuilder::add_walls(std::size_t index, const std::vector<Vec2>& line, const std::string& where) {
  if (line.size() < 2) {
    problems_.add(where, fmt::format("a wall of {} point(s) found; at least 2 are needed", line.size()), "add its other end");
    return;
  }
  if (!take(line, where)) return;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] != line[i + 1]) layer(index).walls.push_back({line[i], line[i + 1]});
  }
}

void SceneBuilder::add_seed(std::size_t index, Vec2 seed, const std::string& where) {
  if (take(std::vector<Vec2>{seed}, where)) layer(index).seeds.push_back(seed);
}

void SceneBuilder::add_joint(const Joint& joint, const std::string& where) {
  if (joint.layer[0] == joint.layer[1]) {
    problems_.add(where + "/layers", "the same layer twice found; a joint joins two", "name two layers");
    return;
  }
  if (take(std::vector<Vec2>{joint.line.a, joint.line.b}, where)) scene_.joints.push_back(joint);
}

Polygon& SceneBuilder::polygon_of(const Labelled& labelled) {
  switch (labelled.kind) {
    case Labelled::Kind::walkable:
      return scene_.layers[labelled.layer].walkable[labelled.index];
    case Labelled::Kind::obstacle:
      return scene_.layers[labelled.layer].obstacles[labelled.index];
    case Labelled::Kind::area:
      break;
  }
  return scene_.areas[labelled.index].shape;
}

template <class Function>
void SceneBuilder::for_each_point(Function&& change) {
  const auto each = [&](Polygon& polygon) {
    for (Vec2& p : polygon.outer) change(p);
    for (Ring& hole : polygon.holes) {
      for (Vec2& p : hole) change(p);
    }
  };
  for (Layer& layer : scene_.layers) {
    for (Polygon& polygon : layer.walkable) each(polygon);
    for (Polygon& polygon : layer.obstacles) each(polygon);
    for (Segment& wall : layer.walls) change(wall.a), change(wall.b);
    for (Vec2& seed : layer.seeds) change(seed);
  }
  for (Joint& joint : scene_.joints) change(joint.line.a), change(joint.line.b);
  for (Area& area : scene_.areas) each(area.shape);
}

void SceneBuilder::settle_origin(bool has_origin) {
  if (!has_bounds_) return;
  const double width = east_.value - west_.value, height = north_.value - south_.value;
  if (width > limits::kExtentMetres || height > limits::kExtentMetres) {
    const bool wide = width >= height;
    const Extreme &low = wide ? west_ : south_, &high = wide ? east_ : north_;
    // One stray outline is the common cause: name the one that is farther out.
    const Extreme& stray = std::abs(low.value) > std::abs(high.value) ? low : high;
    problems_.add(stray.where,
                  fmt::format("{} = {:.10g} makes the scene {:.6g} × {:.6g} m large; at most {:g} m each way is allowed",
                              wide ? "x" : "y", stray.value, width, height, limits::kExtentMetres),
                  "correct stray points, cut the scene, or convert its unit to metres");
    return;
  }
  if (has_origin) {
    const double reach = std::max({std::abs(west_.value), std::abs(east_.value), std::abs(south_.value), std::abs(north_.value)});
    if (reach > limits::kExtentMetres) {
      problems_.add(
          west_.where,
          fmt::format("points lie {:.6g} m from the given origin; at most {:g} m is allowed", reach, limits::kExtentMetres),
          "choose an origin near the middle of the scene");
    }
    return;
  }
  const Vec2 origin = *origin_for({west_.value, south_.value}, {east_.value, north_.value});
  if (origin == Vec2{}) return;
  scene_.origin = origin;
  for_each_point([origin](Vec2& p) { p = p - origin; });
  for (Layer& layer : scene_.layers) {
    layer.elevation += dot(layer.slope, origin);
    layer.heights.origin = layer.heights.origin - origin;
  }
}

bool SceneBuilder::check_ring(Ring& ring, bool hole, const std::string& where) {
  const char* what = hole ? "hole" : "outline";
  outline::drop_repeated(ring);
  if (ring.size() < 3) {
    problems_.add(where, fmt::format("the {} has {} distinct point(s); at least 3 are needed", what, ring.size()),
                  "add the missing points or remove it");
    return false;
  }
  // A thinner ring than this collapses on the 2^-10 m grid.
  if (std::abs(signed_area(ring)) < kUnit * kUnit / 2) {
    problems_.add(where, fmt::format("the {} near {} has no area", what, place(ring[0])), "correct its points or remove it");
    return false;
  }
  hole ? make_clockwise(ring) : make_counter_clockwise(ring);
  return true;
}

void SceneBuilder::check_holes_inside(const Polygon& polygon, const std::string& where) {
  for (std::size_t i = 0; i < polygon.holes.size(); ++i) {
    containment_work_ += polygon.outer.size();
    if (containment_work_ > kContainmentBudget) return;
    const Ring& hole = polygon.holes[i];
    // No crossing was found, so one point that is clearly not on the outline decides; the middle of an edge rarely is.
    const Vec2 sample = 0.5 * (hole[0] + hole[1]);
    bool touches = false;
    for (std::size_t k = 0, j = polygon.outer.size() - 1; k < polygon.outer.size() && !touches; j = k++) {
      touches = distance_to_segment(sample, polygon.outer[j], polygon.outer[k]) <= kUnit;
    }
    if (!touches && !contains(polygon.outer, sample)) {
      problems_.add(where, fmt::format("hole {} near {} lies outside the outline it belongs to", i, place(hole[0])),
                    "make it a polygon of its own or move it inside");
    }
  }
}

void SceneBuilder::check_polygon(Polygon& polygon, const std::string& where, Outlines outlines) {
  bool good = check_ring(polygon.outer, false, where);
  for (Ring& hole : polygon.holes) good = check_ring(hole, true, where) && good;
  if (!good || outlines == Outlines::trusted) return;

  std::vector<Ring> rings;
  rings.reserve(1 + polygon.holes.size());
  rings.push_back(std::move(polygon.outer));
  std::move(polygon.holes.begin(), polygon.holes.end(), std::back_inserter(rings));
  crossing_work_ += outline::estimate_crossing_work(rings);
  const bool tangled = crossing_work_ > kCrossingBudget;
  const std::optional<Crossing> crossing = tangled ? std::nullopt : find_crossing(rings);
  polygon.outer = std::move(rings[0]);
  std::move(rings.begin() + 1, rings.end(), polygon.holes.begin());
  if (tangled) {
    problems_.add(where, "the edges of this outline cross so often or lie so close that checking them would take minutes",
                  "simplify it; it may be damaged");
    return;
  }
  if (crossing) {
    problems_.add(where,
                  fmt::format("the outline crosses itself at {} (edges {} and {}, counted from 0 through outline and holes)",
                              place(crossing->at), crossing->edge_a, crossing->edge_b),
                  "reorder its points, or split it into polygons that do not cross themselves");
    return;
  }
  check_holes_inside(polygon, where);
}

Result<Scene> SceneBuilder::finish(Outlines outlines, bool has_origin) {
  if (!full()) {
    const std::size_t before = problems_.count();
    settle_origin(has_origin);
    if (problems_.count() == before) {
      for (const Labelled& labelled : labels_) {
        if (problems_.full()) break;
        check_polygon(polygon_of(labelled), labelled.where, outlines);
      }
    }
  }
  bool any = !scene_.mesh.empty();
  for (const Layer& layer : scene_.layers)
    any = any || !layer.walkable.empty() || !layer.obstacles.empty() || !layer.walls.empty();
  if (problems_.empty() && !any) {
    problems_.add("", "the file has no outline that could be walked on or walked around",
                  "add a walkable polygon, an obstacle or a wall");
  }
  if (!problems_.empty()) return problems_.take();
  return std::move(scene_);
}

}  // namespace throng
