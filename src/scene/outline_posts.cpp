// SPDX-License-Identifier: MIT
// What stands between four columns and cuts none of the links round it: posts and thin pillars (scene/sheet_outlines.hpp). Only
// diagonal links meet it, so tracing along links does not find it.
#include <algorithm>
#include <cmath>
#include <map>

#include "scene/sheet_outlines.hpp"

namespace throng {
namespace {

bool cross_each_other(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  return cross(b - a, c - a) * cross(b - a, d - a) <= 0 && cross(d - c, a - c) * cross(d - c, b - c) <= 0;
}

/// Clockwise (Andrew's monotone chain); two points if all are on a line.
std::vector<Point> hull_of(std::vector<Point> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  std::vector<Point> hull;
  for (const bool back : {false, true}) {
    const std::size_t first = hull.size();
    for (const Point p : points) {
      while (hull.size() >= first + 2 && orient(hull[hull.size() - 2], hull.back(), p) >= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    if (!back) std::reverse(points.begin(), points.end());
  }
  return hull;
}

}  // namespace

std::vector<Post> find_posts(const Surface& s, const Sheets& sheets) {
  std::map<NodeIndex, std::vector<Point>> found;  // by the south-western node of the cell
  for (std::size_t b = 0; b < s.border.size(); ++b) {
    const NodeIndex n = s.border[b];
    const Vec2 at = s.position(n);
    for (int d = 1; d < 8; d += 2) {
      // All four links round the cell are there, and the one across is not.
      const NodeIndex one = s.neighbour(n, d - 1), two = s.neighbour(n, (d + 1) % 8);
      if (s.links[n][d] != kNoLink || one == kNoNode || two == kNoNode) continue;
      const NodeIndex far = s.neighbour(one, (d + 1) % 8);
      if (far == kNoNode || far != s.neighbour(two, d - 1)) continue;
      // Where a joint runs through a cell, the post is left out.
      const auto is_here = [&](NodeIndex m) { return sheets.of[m] == sheets.of[n]; };
      if (!is_here(one) || !is_here(two) || !is_here(far)) continue;
      const Vec2 across{s.step * kDirections[d].i, s.step * kDirections[d].j};
      const auto is_inside = [&](Vec2 p) {
        const Vec2 q = p - at;
        return q.x * across.x > 0 && q.y * across.y > 0 && std::abs(q.x) < s.step && std::abs(q.y) < s.step;
      };
      const NodeIndex south_west = d == 1 ? n : d == 5 ? far : s.neighbour(n, d == 3 ? 4 : 6);
      for (std::uint32_t k = s.piece_start[b]; k < s.piece_start[b + 1]; ++k) {
        const Vec2 p{s.pieces[k].ax, s.pieces[k].ay}, q{s.pieces[k].bx, s.pieces[k].by};
        if (!is_inside(p) || !is_inside(q) || !cross_each_other(at, at + across, p, q)) continue;
        auto& points = found[south_west];
        points.push_back(snap(p));
        points.push_back(snap(q));
      }
    }
  }
  std::vector<Post> posts;
  for (auto& [node, points] : found)
    if (std::vector<Point> hull = hull_of(std::move(points)); hull.size() >= 2) posts.push_back({node, std::move(hull)});
  return posts;
}

}  // namespace throng
