// SPDX-License-Identifier: MIT
// Candidates for the free place nearest to a point.
//
// A disc of radius r fits outside the sausages of radius r round the walls. The place nearest to a point p that is outside all of
// them is p itself, or on the outline of one sausage (its nearest point to p: a foot on an offset line or on an end circle), or
// where two outlines meet. All these are listed, by increasing distance, and the first that `fits` is the answer.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "navigation/locator.hpp"

namespace throng {

template <class Fits>
std::optional<Vec2> nearest_free_place(std::span<const Locator::Wall> walls, Vec2 p, double radius, Fits fits) {
  // Offset lines touch their wall's sausage exactly; a hair more keeps rounding on the free side.
  const double r = radius > 0 ? radius + 1e-9 : 0;
  struct Line {
    Vec2 a, b;
  };
  std::vector<Line> lines;
  std::vector<Vec2> centres;
  for (const Locator::Wall& wall : walls) {
    const Vec2 a = to_metres(wall.a), b = to_metres(wall.b), d = b - a;
    const Vec2 normal = (r / length(d)) * left(d);
    lines.push_back({a + normal, b + normal});
    if (r > 0) lines.push_back({a - normal, b - normal});
    centres.push_back(a);
    centres.push_back(b);
  }
  const auto before = [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
  std::sort(centres.begin(), centres.end(), before);
  centres.erase(std::unique(centres.begin(), centres.end()), centres.end());

  struct Candidate {
    double distance;
    Vec2 place;
  };
  std::vector<Candidate> candidates;
  double limit = 1e300;
  const auto flush = [&]() -> std::optional<Vec2> {
    std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
      return a.distance != b.distance ? a.distance < b.distance : before(a.place, b.place);
    });
    for (const Candidate& c : candidates)
      if (fits(c.place)) return c.place;
    return std::nullopt;
  };
  const auto add = [&](Vec2 q) {
    if (const double d = distance(p, q); d < limit) candidates.push_back({d, q});
  };
  for (const Line& line : lines) {
    const Vec2 d = line.b - line.a;
    add(line.a + std::clamp(dot(p - line.a, d) / dot(d, d), 0.0, 1.0) * d);
  }
  for (Vec2 c : centres) {
    const Vec2 d = p - c;
    const double l = length(d);
    if (l > 0) add(c + (r / l) * d);
  }
  // What touches one outline only bounds the search among crossings of two.
  std::optional<Vec2> best = flush();
  candidates.clear();
  if (best) limit = distance(p, *best);
  if (r <= 0) return best;

  const auto near_line = [&](const Line& l) {
    const Vec2 d = l.b - l.a;
    return distance(p, l.a + std::clamp(dot(p - l.a, d) / dot(d, d), 0.0, 1.0) * d) < limit;
  };
  std::erase_if(lines, [&](const Line& l) { return !near_line(l); });
  std::erase_if(centres, [&](Vec2 c) { return distance(p, c) - r >= limit; });
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Vec2 u = lines[i].b - lines[i].a;
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      const Vec2 v = lines[j].b - lines[j].a, w = lines[j].a - lines[i].a;
      const double det = cross(u, v);
      if (det == 0) continue;
      const double s = cross(w, v) / det, t = cross(w, u) / det;
      if (s >= 0 && s <= 1 && t >= 0 && t <= 1) add(lines[i].a + s * u);
    }
    for (Vec2 c : centres) {
      const double whole = dot(u, u), middle = dot(c - lines[i].a, u) / whole, height = cross(u, c - lines[i].a);
      const double rest = r * r - height * height / whole;
      if (rest < 0) continue;
      for (double s : {middle - std::sqrt(rest / whole), middle + std::sqrt(rest / whole)})
        if (s >= 0 && s <= 1) add(lines[i].a + s * u);
    }
  }
  for (std::size_t i = 0; i < centres.size(); ++i)
    for (std::size_t j = i + 1; j < centres.size(); ++j) {
      const Vec2 d = centres[j] - centres[i];
      const double squared = dot(d, d);
      if (squared > 4 * r * r) continue;
      const Vec2 middle = 0.5 * (centres[i] + centres[j]), across = std::sqrt((r * r - 0.25 * squared) / squared) * left(d);
      add(middle + across);
      add(middle - across);
    }
  const std::optional<Vec2> crossing = flush();
  return crossing ? crossing : best;
}

}  // namespace throng
