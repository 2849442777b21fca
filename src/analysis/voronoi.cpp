// SPDX-License-Identifier: MIT
#include "analysis/voronoi.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/point_grid.hpp"
#include "geometry/polygon.hpp"

namespace throng {
namespace {

/// Closer people are in one place: their bisector would be noise.
constexpr double kSamePlace = 1e-4;

Ring circle(const VoronoiSettings& settings) {
  const std::uint32_t sides = std::max(settings.cutoff_sides, 3u);
  const double step = 2 * std::numbers::pi / sides;
  // Corners a little outside, so that the polygon has the circle's area: n/2 r² sin(2π/n) = π cutoff².
  const double radius = settings.cutoff * std::sqrt(step / std::sin(step));
  Ring ring;
  for (std::uint32_t i = 0; i < sides; ++i) ring.push_back({radius * std::cos(step * i), radius * std::sin(step * i)});
  return ring;
}

void clip_by_ring(Ring& ring, const Ring& convex, Ring& scratch) {
  for (std::size_t i = 0; i < convex.size() && !ring.empty(); ++i) {
    const Vec2 a = convex[i], b = convex[(i + 1) % convex.size()];
    clip_left_of(ring, a, b - a, scratch);
  }
}

}  // namespace

void clip_left_of(Ring& ring, Vec2 on, Vec2 along, Ring& scratch) {
  scratch.clear();
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 p = ring[i], q = ring[(i + 1) % ring.size()];
    const double at_p = cross(along, p - on), at_q = cross(along, q - on);
    if (at_p >= 0) scratch.push_back(p);
    if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0)) scratch.push_back(p + at_p / (at_p - at_q) * (q - p));
  }
  ring.swap(scratch);
}

double area_inside(const Polygon& polygon, const Ring& convex) {
  Ring part, scratch;
  const auto clipped = [&](const Ring& ring) {
    part = ring;
    clip_by_ring(part, convex, scratch);
    return std::abs(signed_area(part));
  };
  double area = clipped(polygon.outer);
  for (const Ring& hole : polygon.holes) area -= clipped(hole);
  return std::max(area, 0.0);
}

double shared_area(const Ring& convex, const Ring& other) {
  Ring part = convex, scratch;
  clip_by_ring(part, other, scratch);
  return std::abs(signed_area(part));
}

std::vector<VoronoiCell> voronoi_cells(const FrameView& frame, const VoronoiSettings& settings) {
  const Ring whole = circle(settings);
  const double corner = length(whole.front());
  const PointGrid grid(frame.x, frame.y, 2 * corner, settings.period);
  struct Near {
    double squared;
    std::uint32_t row;
    Vec2 offset;
  };
  std::vector<Near> near;
  std::vector<VoronoiCell> cells;
  Ring scratch;
  for (std::uint32_t i = 0; i < frame.size(); ++i) {
    if (frame.layer[i] != settings.layer) continue;
    near.clear();
    bool taken = false;
    grid.for_each_near(frame.position(i), 2 * corner, [&](std::uint32_t j, Vec2 offset) {
      if (j == i || frame.layer[j] != settings.layer) return;
      if (length(offset) >= kSamePlace)
        near.push_back({dot(offset, offset), j, offset});
      else if (j < i)
        taken = true;
    });
    if (taken) continue;
    std::sort(near.begin(), near.end(),
              [](const Near& a, const Near& b) { return a.squared != b.squared ? a.squared < b.squared : a.row < b.row; });
    VoronoiCell cell{i, whole, 0};
    double farthest_squared = corner * corner;
    for (const Near& n : near) {
      if (n.squared >= 4 * farthest_squared) break;  // its bisector lies behind the farthest corner, as those of all that follow
      // What is nearer to us than to the neighbour: left of the line that goes left across the way there.
      clip_left_of(cell.ring, 0.5 * n.offset, left(n.offset), scratch);
      farthest_squared = 0;
      for (const Vec2 p : cell.ring) farthest_squared = std::max(farthest_squared, dot(p, p));
    }
    cell.area = std::abs(signed_area(cell.ring));
    for (Vec2& p : cell.ring) p = p + frame.position(i);
    if (cell.area > 0) cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace throng
