// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "navigation/navigation_data.hpp"
#include "navigation/queries.hpp"
#include "routing/funnel.hpp"
#include "routing/path_check.hpp"
#include "routing/shortest.hpp"

namespace throng {
namespace {

/// A body may overlap a wall by this much where it starts or ends: positions are rounded to the grid by scene files, too.
constexpr double kClearanceSlack = 0.0005;

std::string place_text(Vec2 p) {
  char text[80];
  std::snprintf(text, sizeof text, "(%.3f, %.3f)", p.x, p.y);
  return text;
}

}  // namespace

std::optional<Planner> planner_from_name(std::string_view name) {
  for (Planner p : {Planner::kHierarchy, Planner::kZones, Planner::kRoadmap, Planner::kShortest})
    if (name == name_of(p)) return p;
  return std::nullopt;
}

const char* name_of(Planner planner) {
  switch (planner) {
    case Planner::kHierarchy:
      return "hierarchy";
    case Planner::kZones:
      return "zones";
    case Planner::kRoadmap:
      return "roadmap";
    case Planner::kShortest:
      return "shortest";
  }
  return "";
}

struct PathFinder::Scratch {
  Endpoint start, goal;
  LabelScratch labels;
  SearchScratch search;
  ZoneScratch zones;
  ShortestScratch shortest;
  FunnelScratch funnel;
  InnerWidthScratch inner;
  std::vector<KeyIndex> keys;
  Corridor corridor, walked;
  PulledPath pulled;
  PathCheckScratch check;
  bool is_tight = false;  // start or goal overlaps a wall by less than the slack

  /// Puts an end point into its cell and triangle; false if the body does not fit there.
  bool place(const NavigationData& data, Vec2 position, std::uint32_t layer, double radius, Endpoint& endpoint) {
    endpoint.position = position;
    endpoint.cell = data.locator.cell_at(position, layer);
    if (endpoint.cell == kNoCell) return false;
    if (radius > 0) {
      const double room = data.locator.clearance(position, layer, radius);
      if (room < radius - kClearanceSlack) return false;
      is_tight |= room < radius;
    }
    endpoint.triangle = triangle_in_cell(data.cells, endpoint.cell, position) - data.cells.triangle_start[endpoint.cell];
    return true;
  }

  /// Whether the way inside the common cell is wide enough: through no triangle border narrower than the body.
  bool meet_in_one_cell(const NavigationData& data, double radius) {
    if (start.cell != goal.cell) return false;
    return start.triangle == goal.triangle || data.cells.triangles_of(start.cell).size() == 1 || radius == 0 ||
           inner_width(data.cells, start.cell, start.triangle, goal.triangle, inner) >= width_needed(radius);
  }

  bool follow(const NavigationData& data, const ProfileRouting& routing) {
    walked.first_cell = start.cell;
    return follow_keys(data.cells, routing.roadmap.key_points, start.cell, goal.cell, keys, walked.portals);
  }

  /// Searches by key points and leaves the corridor in `walked`.
  Cost search_keys(const NavigationData& data, const ProfileRouting& routing, const PathRequest& request) {
    const double r = request.radius;
    Cost cost = kUnreachable;
    bool searched = false;
    if (request.planner == Planner::kZones) {
      cost = search_zones(data.cells, data.tree, routing.roadmap, routing.zone_paths, r, start, goal, zones, keys);
      searched = true;
    } else if (request.planner == Planner::kHierarchy) {
      // The largest baked radius that is not wider than the body.
      const Labels* baked = nullptr;
      for (const Labels& l : routing.labels)
        if (l.radius <= r) baked = &l;
      if (baked != nullptr) {
        cost = search_labels(data.cells, data.tree, routing.roadmap, *baked, start, goal, labels, keys);
        // A way found for narrower bodies is the best one if it is wide enough; and if they have none, nobody has.
        searched = cost == kUnreachable || r == baked->radius ||
                   width_of(data.cells, routing.roadmap.key_points, start.cell, keys) >= width_needed(r);
      }
    }
    if (!searched) cost = search_roadmap(data.cells, routing.roadmap, r, start, goal, search, keys);
    if (cost < kUnreachable && !follow(data, routing)) {
      cost = search_crossings(data.cells, routing.roadmap, r, start, goal, search, keys);
      if (cost < kUnreachable) follow(data, routing);
    }
    return cost;
  }

  PathStatus find(const NavigationData& data, const PathRequest& request, Path& path) {
    path.found = false;
    path.length = path.cost = 0;
    path.portals.clear();
    path.points.clear();
    if (request.profile >= data.profiles.size() || !(request.radius >= 0) || !std::isfinite(request.radius) ||
        !fits_grid(request.from) || !fits_grid(request.to) ||
        std::max(request.from_layer, request.to_layer) >= data.layer_names.size())
      return PathStatus::kBadRequest;
    is_tight = false;
    if (!place(data, request.from, request.from_layer, request.radius, start)) return PathStatus::kStartBlocked;
    if (!place(data, request.to, request.to_layer, request.radius, goal)) return PathStatus::kGoalBlocked;
    const ProfileRouting& routing = data.profiles[request.profile];
    if (routing.roadmap.factor[start.cell] == 0) return PathStatus::kStartForbidden;
    if (routing.roadmap.factor[goal.cell] == 0) return PathStatus::kGoalForbidden;
    if (data.cells.component[start.cell] != data.cells.component[goal.cell]) return PathStatus::kNoWay;

    if (request.planner == Planner::kShortest) {
      if (!find_shortest(data, routing, request)) return PathStatus::kNoWay;
      return finish(path, pulled.length);
    }

    corridor.first_cell = start.cell;
    corridor.portals.clear();
    Cost cost = 0;
    if (meet_in_one_cell(data, request.radius)) {
      cost = cost_of(distance(start.position, goal.position), routing.roadmap.factor[start.cell]);
    } else {
      connect(data.cells, routing.roadmap, request.radius, start);
      connect(data.cells, routing.roadmap, request.radius, goal);
      cost = search_keys(data, routing, request);
      if (cost == kUnreachable) {
        if (!may_be_refused_wrongly(data) || !find_shortest(data, routing, request)) return PathStatus::kNoWay;
        return finish(path, pulled.length);
      }
      std::swap(corridor, walked);
    }
    // The cost stays that of the key points, on which the planners agree whichever of several equal ways they took.
    if (!pull_free(data, routing, request) && !find_shortest(data, routing, request)) return PathStatus::kNoWay;
    return finish(path, cost / kCostPerMetre);
  }

  /// Widths never overstate what stands in the way of a body, but for corners on open ground, where they are a lower bound, and
  /// for ends that are tight themselves.
  bool may_be_refused_wrongly(const NavigationData& data) const { return is_tight || data.cells.area_sets.size() > 1; }

  /// Pulls the path in the corridor; false if it cannot be walked. Widths know nothing of where in its triangle the start is, and
  /// of gaps that no triangle turns round: the funnel finds out. Near areas it does not find all.
  bool pull_free(const NavigationData& data, const ProfileRouting& routing, const PathRequest& request) {
    if (!pull(data.cells, corridor, request.from, request.to, request.radius, funnel, pulled)) return false;
    if (request.radius == 0 || (!funnel.open_ground && routing.blocked.empty())) return true;
    return can_be_walked(data.cells, pulled, start.cell, routing.blocked, check);
  }

  /// The exact search finds the path itself, not only a corridor to pull it in; inside one cell, too, where walls behind its free
  /// sides can be in the way.
  bool find_shortest(const NavigationData& data, const ProfileRouting& routing, const PathRequest& request) {
    return shortest_path(data.cells, request.from, start.cell, request.to, goal.cell, request.radius, routing.blocked, shortest,
                         corridor, pulled);
  }

  PathStatus finish(Path& path, double cost) const {
    path.found = true;
    path.length = pulled.length;
    path.cost = cost;
    path.portals.assign(corridor.portals.begin(), corridor.portals.end());
    return PathStatus::kFound;
  }
};

PathFinder::PathFinder(const Navigation& navigation) : navigation_(navigation), scratch_(std::make_unique<Scratch>()) {}
PathFinder::~PathFinder() = default;
PathFinder::PathFinder(PathFinder&&) noexcept = default;
PathFinder& PathFinder::operator=(PathFinder&&) noexcept = default;

PathStatus PathFinder::find_pulled(const PathRequest& request, Path& path) {
  return scratch_->find(navigation_.data(), request, path);
}

PathStatus PathFinder::find(const PathRequest& request, Path& path) {
  const PathStatus status = find_pulled(request, path);
  if (status == PathStatus::kFound) sample(scratch_->pulled, navigation_.data().cells.vertices, request.sagitta, path.points);
  return status;
}

Result<Path> Navigation::plan(const PathRequest& request) const {
  PathFinder finder(*this);
  Path path;
  const PathStatus status = finder.find(request, path);
  if (status == PathStatus::kFound || status == PathStatus::kNoWay) return path;
  return explain(request, status);
}

Problem Navigation::explain(const PathRequest& request, PathStatus status) const {
  const bool at_start = status == PathStatus::kStartBlocked || status == PathStatus::kStartForbidden;
  const Vec2 point = at_start ? request.from : request.to;
  const std::uint32_t layer = at_start ? request.from_layer : request.to_layer;
  const std::string where = std::string(at_start ? "start " : "goal ") + place_text(point + data_->origin);
  switch (status) {
    case PathStatus::kFound:
      return {};
    case PathStatus::kNoWay:
      return {"from " + place_text(request.from + data_->origin) + " to " + place_text(request.to + data_->origin),
              "no way is wide enough for a body of radius " + std::to_string(request.radius) + " m",
              "try a smaller radius, or run `throng check`"};
    case PathStatus::kStartBlocked:
    case PathStatus::kGoalBlocked: {
      const std::optional<Vec2> free = nearest_walkable(point, request.radius, layer);
      const bool outside = data_->locator.cell_at(point, layer) == kNoCell;
      return {where,
              outside ? "lies inside a wall or outside the scene"
                      : "is closer to a wall than the body's radius " + std::to_string(request.radius) + " m",
              free ? "the nearest free point is " + place_text(*free + data_->origin)
                   : "no place in this layer has room for that body"};
    }
    case PathStatus::kStartForbidden:
    case PathStatus::kGoalForbidden:
      return {where, "lies in an area that profile \"" + data_->profiles[request.profile].name + "\" may not enter",
              "choose another point or profile"};
    case PathStatus::kBadRequest:
      return {"request", "a coordinate or the radius is not a number in range, or the profile or layer does not exist",
              "coordinates below 16 km, radius at least 0, profiles and layers count from 0"};
  }
  return {};
}

std::optional<Vec2> Navigation::nearest_walkable(Vec2 point, double radius, std::uint32_t layer) const {
  if (!fits_grid(point) || layer >= data_->layer_names.size() || !(radius >= 0)) return std::nullopt;
  return data_->locator.nearest_walkable(point, layer, radius);
}

std::optional<std::uint32_t> Navigation::cell_at(Vec2 point, std::uint32_t layer) const {
  if (!fits_grid(point) || layer >= data_->layer_names.size()) return std::nullopt;
  const CellIndex cell = data_->locator.cell_at(point, layer);
  return cell == kNoCell ? std::nullopt : std::optional<std::uint32_t>(cell);
}

std::optional<Vec2> Navigation::ray_cast(Vec2 from, Vec2 to, std::uint32_t layer) const {
  const std::optional<std::uint32_t> cell = cell_at(from, layer);
  if (!cell || !fits_grid(to)) return from;
  const RayHit hit = throng::ray_cast(data_->cells, from, *cell, to);
  return hit.hit ? std::optional<Vec2>(hit.place) : std::nullopt;
}

std::uint32_t Navigation::layer_at(Vec2 point, double z) const {
  std::uint32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t l = 0; l < data_->layer_names.size(); ++l) {
    if (!cell_at(point, l)) continue;
    if (const double away = std::abs(data_->elevation(point, l) - z); away < least) best = l, least = away;
  }
  return best;
}

std::vector<Vec3> Navigation::in_space(const std::vector<Vec2>& points, std::uint32_t layer, double spacing) const {
  constexpr double kStride = 0.02;  // metres; on its way to the next point a path may cross a layer
  std::vector<Vec3> way;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 from = points[i == 0 ? 0 : i - 1], to = points[i];
    const double size = distance(from, to);
    const int count = std::max(1, static_cast<int>(std::ceil(size / kStride)));
    double since = 0;
    for (int k = 1; k <= count; ++k) {
      const Vec2 p = from + (static_cast<double>(k) / count) * (to - from);
      // Beyond a joint a layer has no ground, and another goes on at the same height.
      if (!cell_at(p, layer))
        if (const std::uint32_t next = layer_at(p, way.empty() ? elevation(p, layer) : way.back().z); cell_at(p, next))
          layer = next;
      since += size / count;
      if (k < count && since + size / count < spacing) continue;
      way.push_back({p.x, p.y, elevation(p, layer)});
      since = 0;
    }
  }
  return way;
}

double Navigation::elevation(Vec2 point, std::uint32_t layer) const {
  return layer < data_->layer_names.size() ? data_->elevation(point, layer) : 0;
}

WalkablePlace Navigation::random_walkable(double u, double v) const {
  const PlaceSampler::Place place = data_->sampler.at(data_->cells, u, v);
  return {place.position, data_->cells.layer[place.cell]};
}

const BakeReport& Navigation::report() const { return data_->report; }

Vec2 Navigation::origin() const { return data_->origin; }

}  // namespace throng
