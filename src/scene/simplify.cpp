// SPDX-License-Identifier: MIT
#include "scene/simplify.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>

namespace throng {
namespace {

std::uint64_t key_of(Point p) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(p.x)) << 32) | static_cast<std::uint32_t>(p.y);
}

/// Vertices in square buckets, to find those in a thin triangle.
class VertexGrid {
 public:
  explicit VertexGrid(std::vector<Point> points) : points_(std::move(points)) {
    for (std::uint32_t i = 0; i < points_.size(); ++i) buckets_[bucket(points_[i].x, points_[i].y)].push_back(i);
  }
  void remove(Point p) {
    auto& list = buckets_[bucket(p.x, p.y)];
    std::erase_if(list, [&](std::uint32_t i) { return points_[i] == p; });
  }
  /// Whether a vertex other than the corners lies in the closed triangle.
  bool any_inside(Point a, Point b, Point c) const {
    if (orient(a, b, c) < 0) std::swap(b, c);
    // Walk the bounding box bucket row by bucket row, clipped to the long side's extent in that row.
    const std::int64_t y0 = std::min({a.y, b.y, c.y}) >> kShift, y1 = std::max({a.y, b.y, c.y}) >> kShift;
    const std::int64_t x0 = std::min({a.x, b.x, c.x}) >> kShift, x1 = std::max({a.x, b.x, c.x}) >> kShift;
    for (std::int64_t y = y0; y <= y1; ++y)
      for (std::int64_t x = x0; x <= x1; ++x) {
        const auto found = buckets_.find(pack(x, y));
        if (found == buckets_.end()) continue;
        for (std::uint32_t i : found->second) {
          const Point p = points_[i];
          if (p == a || p == b || p == c) continue;
          // A flat triangle is a stretch of a line: what lies beyond its ends is not inside.
          const bool in_box = p.x >= std::min({a.x, b.x, c.x}) && p.x <= std::max({a.x, b.x, c.x}) &&
                              p.y >= std::min({a.y, b.y, c.y}) && p.y <= std::max({a.y, b.y, c.y});
          if (in_box && orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0) return true;
        }
      }
    return false;
  }

 private:
  static constexpr int kShift = 14;  // 16 m
  static std::uint64_t pack(std::int64_t x, std::int64_t y) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32) | static_cast<std::uint32_t>(y);
  }
  static std::uint64_t bucket(std::int32_t x, std::int32_t y) { return pack(x >> kShift, y >> kShift); }
  std::vector<Point> points_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> buckets_;
};

double distance_to_chord(Point p, Point a, Point b) {
  const double length_squared = static_cast<double>(distance_squared(a, b));
  if (length_squared == 0) return std::sqrt(static_cast<double>(distance_squared(p, a)));
  return std::abs(static_cast<double>(orient(a, b, p))) / std::sqrt(length_squared);
}

/// The vertex advances along the chord: it lies between the ends, not on a spike.
bool lies_between(Point p, Point a, Point b) {
  const std::int64_t along =
      (std::int64_t{p.x} - a.x) * (std::int64_t{b.x} - a.x) + (std::int64_t{p.y} - a.y) * (std::int64_t{b.y} - a.y);
  return along > 0 && along < distance_squared(a, b);
}

}  // namespace

void merge_collinear_runs(std::vector<MapSegment>& segments, double tolerance_units, std::vector<std::uint32_t>* run_of,
                          std::span<const Point> others) {
  struct Ends {
    std::uint32_t segment[2];
    std::uint32_t count = 0;
  };
  std::unordered_map<std::uint64_t, Ends> at;
  at.reserve(segments.size() * 2);
  std::vector<Point> points;
  for (std::uint32_t i = 0; i < segments.size(); ++i)
    for (Point p : {segments[i].a, segments[i].b}) {
      Ends& ends = at[key_of(p)];
      if (ends.count < 2) ends.segment[ends.count] = i;
      if (ends.count++ == 0) points.push_back(p);
    }
  for (const Point p : others)
    if (const auto found = at.find(key_of(p)); found != at.end()) found->second.count = 3;
  std::vector<Point> all(points);
  all.insert(all.end(), others.begin(), others.end());
  VertexGrid grid(std::move(all));
  std::vector<std::uint32_t> into(segments.size());
  std::iota(into.begin(), into.end(), 0);
  std::vector<std::uint8_t> dead(segments.size(), 0);
  std::set<std::pair<Point, Point>> present;  // an outline never collapses to two segments on top of each other
  for (const MapSegment& s : segments) present.insert(std::minmax(s.a, s.b));
  std::unordered_map<std::uint32_t, std::vector<Point>> dropped;  // vertices a merged segment has swallowed

  for (Point p : points) {
    const Ends ends = at[key_of(p)];
    if (ends.count != 2) continue;
    MapSegment& s = segments[ends.segment[0]];
    MapSegment t = segments[ends.segment[1]];
    if (ends.segment[0] == ends.segment[1]) continue;
    // Turn t so that the run is s then t, or t then s, both pointing the same way.
    const bool s_ends_here = s.b == p;
    if ((t.a == p) != s_ends_here) std::swap(t.a, t.b), std::swap(t.left, t.right);
    if (s.left != t.left || s.right != t.right || s.wall != t.wall || s.joint >= 0 || t.joint >= 0) continue;
    const Point from = s_ends_here ? s.a : t.a, to = s_ends_here ? t.b : s.b;
    if (from == to || !lies_between(p, from, to) || distance_to_chord(p, from, to) > tolerance_units) continue;
    std::vector<Point> run;
    for (std::uint32_t i : {ends.segment[0], ends.segment[1]})
      if (const auto found = dropped.find(i); found != dropped.end())
        run.insert(run.end(), found->second.begin(), found->second.end());
    if (std::any_of(run.begin(), run.end(), [&](Point q) { return distance_to_chord(q, from, to) > tolerance_units; })) continue;
    if (grid.any_inside(from, p, to) || !present.insert(std::minmax(from, to)).second) continue;

    present.erase(std::minmax(from, p));
    present.erase(std::minmax(p, to));
    run.push_back(p);
    grid.remove(p);
    dead[ends.segment[1]] = 1;
    into[ends.segment[1]] = ends.segment[0];
    dropped.erase(ends.segment[1]);
    dropped[ends.segment[0]] = std::move(run);
    s.a = from;
    s.b = to;
    const Point far = s_ends_here ? to : from;
    Ends& far_ends = at[key_of(far)];
    for (std::uint32_t k = 0; k < std::min<std::uint32_t>(2, far_ends.count); ++k)
      if (far_ends.segment[k] == ends.segment[1]) far_ends.segment[k] = ends.segment[0];
  }
  std::vector<std::uint32_t> number(segments.size(), 0);
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < segments.size(); ++i)
    if (!dead[i]) {
      number[i] = kept;
      segments[kept++] = segments[i];
    }
  if (run_of != nullptr) {
    run_of->resize(into.size());
    for (std::uint32_t i = 0; i < into.size(); ++i) {
      std::uint32_t run = i;
      while (into[run] != run) run = into[run] = into[into[run]];
      (*run_of)[i] = number[run];
    }
  }
  segments.resize(kept);
}

}  // namespace throng
