// SPDX-License-Identifier: MIT
#include "scene/raw_map.hpp"

#include <algorithm>

namespace throng {
namespace {

bool is_short(const Triangulation& cdt, EdgeRef e) {
  constexpr std::int64_t kUnits = 4;
  return distance_squared(cdt.point(cdt.from(e)), cdt.point(cdt.to(e))) <= kUnits * kUnits;
}

}  // namespace

void append_lines(const Polygon& polygon, InputLine::Kind kind, std::uint32_t index, std::vector<InputLine>& lines) {
  const auto add_ring = [&](const Ring& ring) {
    const std::size_t first = lines.size();
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = snap(ring[i]), b = snap(ring[(i + 1) % ring.size()]);
      if (a != b) lines.push_back({a, b, kind, index});
    }
    if (lines.size() - first < 3) lines.resize(first);
  };
  add_ring(polygon.outer);
  for (const Ring& hole : polygon.holes) add_ring(hole);
}

bool lies_left(const Triangulation& cdt, EdgeRef e, Point a, Point b) {
  const Point u = cdt.point(cdt.from(e)), v = cdt.point(cdt.to(e));
  return (std::int64_t{v.x} - u.x) * (std::int64_t{b.x} - a.x) + (std::int64_t{v.y} - u.y) * (std::int64_t{b.y} - a.y) > 0;
}

int ChainSense::of(EdgeRef e, ConstraintId id) {
  if (is_short(cdt_, e)) {
    if (is_walked_.emplace(id, true).second) walk(id);
    const bool is_turned = cdt_.from(e) > cdt_.to(e);
    const auto found = walked_.find({std::min(cdt_.from(e), cdt_.to(e)), std::max(cdt_.from(e), cdt_.to(e)), id});
    return found == walked_.end() ? 0 : is_turned ? -found->second : found->second;
  }
  return lies_left(cdt_, e, lines_[static_cast<std::size_t>(id)].a, lines_[static_cast<std::size_t>(id)].b) ? 1 : -1;
}

void ChainSense::walk(ConstraintId id) {
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

RawMap::Cover cover_across(const RawMap& raw, EdgeRef e, RawMap::Cover cover, ChainSense& sense, AreaSets& sets) {
  for (const ConstraintId id : raw.triangulation.constraints(e)) {
    const InputLine& line = raw.lines[static_cast<std::size_t>(id)];
    const std::int32_t step = -sense.of(e, id);
    if (line.kind == InputLine::kWalkable) cover.walkable += step;
    if (line.kind == InputLine::kObstacle) cover.solid += step;
    if (line.kind == InputLine::kArea && step != 0) {
      std::vector<std::uint32_t> areas = sets.sets[static_cast<std::size_t>(cover.areas)];
      const auto at = std::lower_bound(areas.begin(), areas.end(), line.index);
      if (at != areas.end() && *at == line.index)
        areas.erase(at);
      else
        areas.insert(at, line.index);
      cover.areas = sets.intern(areas);
    }
  }
  return cover;
}

std::int32_t RawMap::joint_on(EdgeRef e) const {
  for (const ConstraintId id : triangulation.constraints(e))
    if (lines[static_cast<std::size_t>(id)].kind == InputLine::kJoint)
      return static_cast<std::int32_t>(lines[static_cast<std::size_t>(id)].index);
  return -1;
}

bool RawMap::carries_wall(EdgeRef e) const {
  for (const ConstraintId id : triangulation.constraints(e))
    if (lines[static_cast<std::size_t>(id)].kind == InputLine::kWall) return true;
  return false;
}

std::optional<MapSegment> RawMap::border_on(EdgeRef e) const {
  const Triangulation& cdt = triangulation;
  const AreaSetIndex left = region[static_cast<std::size_t>(e.triangle)];
  const AreaSetIndex right = region[static_cast<std::size_t>(cdt.triangle(e.triangle).neighbour[e.edge])];
  if (left == kSolid && right == kSolid) return std::nullopt;
  if (!cdt.is_constrained(e) && left != kSolid && right != kSolid) return std::nullopt;
  const bool is_end = left == kSolid || right == kSolid, has_wall = carries_wall(e);
  const std::int32_t joint = is_end && !has_wall ? joint_on(e) : -1;
  const bool wall = (is_end || has_wall) && joint < 0;
  if (!is_end && !wall && left == right) return std::nullopt;
  return MapSegment{cdt.point(cdt.from(e)), cdt.point(cdt.to(e)), left, right, wall, joint};
}

}  // namespace throng
