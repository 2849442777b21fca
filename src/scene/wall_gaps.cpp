// SPDX-License-Identifier: MIT
#include "scene/wall_gaps.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "geometry/point.hpp"
#include "scene/edge_grid.hpp"

namespace throng {
namespace {

struct GridSegment {
  Point a, b;
};

bool lies_on(Point p, GridSegment s) {
  return orient(s.a, s.b, p) == 0 && std::min(s.a.x, s.b.x) <= p.x && p.x <= std::max(s.a.x, s.b.x) &&
         std::min(s.a.y, s.b.y) <= p.y && p.y <= std::max(s.a.y, s.b.y);
}

Vec2 nearest_on(Vec2 p, const Segment& s) {
  const double squared = dot(s.b - s.a, s.b - s.a);
  return s.a + std::clamp(dot(p - s.a, s.b - s.a) / squared, 0.0, 1.0) * (s.b - s.a);
}

}  // namespace

std::vector<Segment> close_gaps(std::span<const Segment> walls, double reach) {
  std::vector<GridSegment> lines;
  std::vector<Segment> metres;
  std::vector<std::pair<Point, std::uint32_t>> ends;
  for (const Segment& s : walls) {
    const GridSegment line{snap(s.a), snap(s.b)};
    if (line.a == line.b) continue;
    const auto index = static_cast<std::uint32_t>(lines.size());
    ends.emplace_back(line.a, index);
    ends.emplace_back(line.b, index);
    lines.push_back(line);
    metres.push_back({to_metres(line.a), to_metres(line.b)});
  }
  std::sort(ends.begin(), ends.end());
  const EdgeGrid grid(metres);

  // Pieces: walls that share an end, or of which one ends exactly on the other.
  std::vector<std::uint32_t> leader(lines.size());
  std::iota(leader.begin(), leader.end(), 0u);
  const auto find = [&](std::uint32_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    leader[std::max(a, b)] = std::min(a, b);
  };
  struct Corner {
    Point at;
    std::uint32_t wall;
    bool loose;
  };
  std::vector<Corner> corners;
  for (std::size_t i = 0; i < ends.size();) {
    std::size_t next = i + 1;
    while (next < ends.size() && ends[next].first == ends[i].first) join(ends[i].second, ends[next++].second);
    Corner corner{ends[i].first, ends[i].second, next - i == 1};
    grid.near(to_metres(corner.at), 0, [&](std::uint32_t other) {
      if (other == corner.wall || !lies_on(corner.at, lines[other])) return;
      join(other, corner.wall);
      corner.loose = false;
    });
    corners.push_back(corner);
    i = next;
  }

  std::vector<std::pair<Point, Point>> closed;
  const auto add = [&](Point a, Point b) {
    if (a != b) closed.emplace_back(std::min(a, b), std::max(a, b));
  };
  std::vector<std::pair<std::uint32_t, Point>> splits;
  for (const Corner& corner : corners) {
    const Vec2 from = to_metres(corner.at);
    double least = reach;
    std::uint32_t closest = 0;
    Vec2 target;
    bool found = false;
    grid.near(from, reach, [&](std::uint32_t other) {
      if (other == corner.wall || (!corner.loose && find(other) == find(corner.wall))) return;
      const Vec2 at = nearest_on(from, metres[other]);
      const double d = distance(from, at);
      // By distance, then by index: tiles may hand out the same walls in another order.
      if (d < least || (found && d == least && other < closest)) least = d, closest = other, target = at, found = true;
    });
    if (!found) continue;
    const Point to = snap(target);
    splits.emplace_back(closest, to);
    add(corner.at, to);
  }

  // Each wall from its first end through its splits, by distance, to its other end.
  std::sort(splits.begin(), splits.end(), [&](const auto& s, const auto& t) {
    if (s.first != t.first) return s.first < t.first;
    const Point from = lines[s.first].a;
    const std::int64_t ds = distance_squared(from, s.second), dt = distance_squared(from, t.second);
    return ds != dt ? ds < dt : s.second < t.second;
  });
  std::size_t next_split = 0;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    Point from = lines[i].a;
    for (; next_split < splits.size() && splits[next_split].first == i; ++next_split) {
      add(from, splits[next_split].second);
      from = splits[next_split].second;
    }
    add(from, lines[i].b);
  }
  std::sort(closed.begin(), closed.end());
  closed.erase(std::unique(closed.begin(), closed.end()), closed.end());
  std::vector<Segment> out;
  out.reserve(closed.size());
  for (const auto& [a, b] : closed) out.push_back({to_metres(a), to_metres(b)});
  return out;
}

}  // namespace throng
