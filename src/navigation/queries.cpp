// SPDX-License-Identifier: MIT
#include "navigation/queries.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace throng {
namespace {

constexpr std::uint32_t kNowhere = kNoPortal - 1;  // before the ray has crossed a portal; no side has it

int sign(std::int64_t v) { return (v > 0) - (v < 0); }

class RayWalk {
 public:
  RayWalk(const Cells& cells, Point a, Point b) : cells_(cells), a_(a), b_(b), steps_left_(4 * cells.cell_count() + 64) {}

  /// From a cell that holds the ray's beginning, or the corner on the ray that it has passed last.
  RayHit walk(CellIndex cell, std::int64_t passed = -1) {
    std::uint32_t entry = kNowhere;
    while (steps_left_-- > 0) {
      const auto sides = cells_.sides_of(cell);
      const std::size_t count = sides.size();
      // A counter-clockwise outline crosses the ray from right to left where the ray leaves, once but for rounded feet: take the
      // last.
      std::size_t exit = count, corner = count;
      std::int64_t exit_along = 0, corner_along = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const Point p = vertex(sides, i), q = vertex(sides, i + 1);
        const int s = side_of(p), t = side_of(q);
        if (s < 0 && t > 0 && sides[i].portal != entry) {
          const std::int64_t reach = std::max(along(p), along(q));
          if (reach > passed && (exit == count || reach > exit_along)) exit = i, exit_along = reach;
        }
        if (s == 0 && along(p) > passed && (corner == count || along(p) > corner_along)) corner = i, corner_along = along(p);
      }
      if (exit != count) {
        const Point p = vertex(sides, exit), q = vertex(sides, exit + 1);
        if (orient(p, q, b_) >= 0) return free_way(cell);
        if (sides[exit].portal == kNoPortal) {
          // b is right of the side, a left of it or on it: the crossing divides the ray by those areas.
          const double before = static_cast<double>(orient(p, q, a_)), behind = static_cast<double>(orient(p, q, b_));
          return blocked(cell, before / (before - behind), cells_.side_start[cell] + static_cast<std::uint32_t>(exit));
        }
        entry = sides[exit].portal;
        cell = cells_.across(entry, cell);
        continue;
      }
      if (corner == count) {
        // Only a rounded foot lets the ray miss the cell it enters: nothing is in the way, but behind a corner this is no way on.
        return passed < 0 ? free_way(cell)
                          : blocked(cell, static_cast<double>(passed) / static_cast<double>(along(b_)), kNoPortal);
      }
      if (corner_along >= along(b_)) return free_way(cell);
      return round_corner(cell, sides[corner].vertex);
    }
    return free_way(cell);
  }

 private:
  Point vertex(std::span<const Side> sides, std::size_t i) const {
    return cells_.vertices[sides[i < sides.size() ? i : 0].vertex];
  }
  int side_of(Point p) const { return sign(orient(a_, b_, p)); }
  std::int64_t along(Point p) const {
    return (std::int64_t{b_.x} - a_.x) * (p.x - a_.x) + (std::int64_t{b_.y} - a_.y) * (p.y - a_.y);
  }
  RayHit free_way(CellIndex cell) const { return {false, to_metres(b_), 1, cell, kNoPortal}; }
  RayHit blocked(CellIndex cell, double parameter, std::uint32_t side) const {
    parameter = std::clamp(parameter, 0.0, 1.0);
    return {true, to_metres(a_) + parameter * (to_metres(b_) - to_metres(a_)), parameter, cell, side};
  }

  /// Goes on behind a corner through cells that can be reached round it. Both ways round can matter (the ray may run along a wall
  /// behind it): the way that gets further counts.
  RayHit round_corner(CellIndex cell, std::uint32_t corner) {
    const Point v = cells_.vertices[corner];
    const double whole = static_cast<double>(along(b_));
    RayHit best = blocked(cell, whole > 0 ? static_cast<double>(along(v)) / whole : 0, kNoPortal);
    for (const bool clockwise : {false, true}) {
      CellIndex c = cell;
      for (std::uint32_t turns = 0; turns <= cells_.cell_count() && steps_left_-- > 0; ++turns) {
        const auto sides = cells_.sides_of(c);
        std::size_t i = 0;
        while (i < sides.size() && sides[i].vertex != corner) ++i;
        if (i == sides.size()) break;
        const std::size_t before = i == 0 ? sides.size() - 1 : i - 1;
        const bool opens = orient(vertex(sides, before), v, b_) >= 0 && orient(v, vertex(sides, i + 1), b_) >= 0 &&
                           goes_forward(sides, before, i, v);
        if (opens) {
          const RayHit further = walk(c, along(v));
          if (!further.hit) return further;
          if (further.parameter > best.parameter) best = further;
          break;
        }
        const std::uint32_t portal = sides[clockwise ? i : before].portal;
        if (portal == kNoPortal) break;
        c = cells_.across(portal, c);
        if (c == cell) break;
      }
    }
    return best;
  }

  /// In a sector of half a turn the ray back would pass the orientation tests as well.
  bool goes_forward(std::span<const Side> sides, std::size_t before, std::size_t i, Point v) const {
    const Point p = vertex(sides, before), q = vertex(sides, i + 1);
    if (orient(p, v, b_) != 0 || orient(v, q, b_) != 0) return true;
    return along(q) > along(v) || along(p) > along(v);
  }

  const Cells& cells_;
  const Point a_, b_;
  std::int64_t steps_left_;
};

}  // namespace

RayHit ray_cast(const Cells& cells, Vec2 from, CellIndex cell, Vec2 to) {
  const Point a = snap(from), b = snap(to);
  if (a == b) return {false, to, 1, cell, kNoPortal};
  return RayWalk(cells, a, b).walk(cell);
}

Passage narrowest_passage(const Cells& cells, Vec2 place, CellIndex cell, double reach) {
  constexpr int kDirections = 180, kRefined = 4, kHalvings = 16;
  constexpr double kStep = std::numbers::pi / kDirections;
  const Vec2 here = to_metres(snap(place));
  const auto passage = [&](double angle) {
    const Vec2 along{reach * std::cos(angle), reach * std::sin(angle)};
    const RayHit ahead = ray_cast(cells, here, cell, here + along), behind = ray_cast(cells, here, cell, here - along);
    return Passage{behind.place, ahead.place, ahead.hit && behind.hit};
  };
  const auto length_of = [](const Passage& p) { return distance(p.from, p.to); };
  std::vector<std::pair<double, int>> tried;
  for (int k = 0; k < kDirections; ++k) tried.emplace_back(length_of(passage(k * kStep)), k);
  const auto at = [&](int k) { return tried[static_cast<std::size_t>((k + kDirections) % kDirections)].first; };
  std::vector<std::pair<double, int>> valleys;
  for (const auto& [length, k] : tried)
    if (length <= at(k - 1) && length <= at(k + 1)) valleys.emplace_back(length, k);
  std::sort(valleys.begin(), valleys.end());
  Passage best = passage(valleys.front().second * kStep);
  for (std::size_t v = 0; v < std::min<std::size_t>(kRefined, valleys.size()); ++v) {
    // Between corners the length has one least value, and beyond a corner it jumps: the better of both sides, in ever smaller
    // steps.
    double angle = valleys[v].second * kStep, step = kStep / 2;
    double least = valleys[v].first;
    for (int i = 0; i < kHalvings; ++i, step /= 2)
      for (const double turned : {angle - step, angle + step})
        if (const Passage other = passage(turned); length_of(other) < least) {
          least = length_of(other), angle = turned;
          if (least < length_of(best)) best = other;
        }
  }
  return best;
}

PlaceSampler::PlaceSampler(const Cells& cells, std::span<const std::uint8_t> blocked) {
  cumulative_.reserve(cells.triangles.size());
  double sum = 0;
  for (CellIndex c = 0; c < cells.cell_count(); ++c)
    for (const CellTriangle& t : cells.triangles_of(c)) {
      const std::int64_t doubled = orient(cells.vertices[t.vertex[0]], cells.vertices[t.vertex[1]], cells.vertices[t.vertex[2]]);
      if (blocked.empty() || !blocked[c]) sum += 0.5 * kUnit * kUnit * static_cast<double>(std::max<std::int64_t>(doubled, 0));
      cumulative_.push_back(sum);
    }
}

PlaceSampler::Place PlaceSampler::at(const Cells& cells, double u, double v) const {
  if (cumulative_.empty() || !(cumulative_.back() > 0)) return {};
  const double wanted = u * cumulative_.back();
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, wanted);
  const auto t = static_cast<std::uint32_t>(found - cumulative_.begin());
  const double before = t == 0 ? 0 : cumulative_[t - 1];
  // What is left of u within its triangle is uniform again.
  double s = cumulative_[t] > before ? (wanted - before) / (cumulative_[t] - before) : 0;
  if (s + v > 1) s = 1 - s, v = 1 - v;
  const auto& corner = cells.triangles[t].vertex;
  const Vec2 a = cells.position(corner[0]), b = cells.position(corner[1]), c = cells.position(corner[2]);
  const auto cell =
      std::upper_bound(cells.triangle_start.begin(), cells.triangle_start.end(), t) - cells.triangle_start.begin() - 1;
  return {a + s * (b - a) + v * (c - a), static_cast<CellIndex>(cell)};
}

}  // namespace throng
