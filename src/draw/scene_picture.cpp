// SPDX-License-Identifier: MIT
#include "draw/scene_picture.hpp"

#include <algorithm>
#include <cmath>

#include "draw/palette.hpp"

namespace throng {
namespace {

void grow(std::pair<Vec2, Vec2>& box, Vec2 p) {
  if (!std::isfinite(p.x) || !std::isfinite(p.y)) return;
  box.first = {std::min(box.first.x, p.x), std::min(box.first.y, p.y)};
  box.second = {std::max(box.second.x, p.x), std::max(box.second.y, p.y)};
}

void fill(DrawStream& out, const Polygon& polygon, Color color) {
  std::vector<std::span<const Vec2>> rings{polygon.outer};
  rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
  out.polygon(rings, color);
}

void outline(DrawStream& out, const Ring& ring, Pen pen) {
  if (ring.empty()) return;
  Ring closed = ring;
  closed.push_back(ring.front());
  out.polyline(closed, pen);
}

/// A circle as a polyline: DrawStream has discs only, and a ring must not hide what it marks.
void ring(DrawStream& out, Vec2 centre, double radius, Pen pen) {
  std::vector<Vec2> points;
  constexpr int kSides = 24;
  for (int i = 0; i <= kSides; ++i) {
    const double angle = 2 * 3.141592653589793 * i / kSides;
    points.push_back(centre + radius * Vec2{std::cos(angle), std::sin(angle)});
  }
  out.polyline(points, pen);
}

}  // namespace

std::pair<Vec2, Vec2> bounds_of(const Scene& scene, std::uint32_t layer) {
  constexpr double kFar = 1e300;
  std::pair<Vec2, Vec2> box{{kFar, kFar}, {-kFar, -kFar}};
  const auto grow_by_layer = [&](const Layer& l) {
    for (const auto* polygons : {&l.walkable, &l.obstacles})
      for (const Polygon& p : *polygons)
        for (const Vec2 v : p.outer) grow(box, v);
    for (const Segment& s : l.walls) grow(box, s.a), grow(box, s.b);
  };
  if (layer < scene.layers.size()) {
    grow_by_layer(scene.layers[layer]);
  } else {
    for (const Layer& l : scene.layers) grow_by_layer(l);
    for (const Vec3& v : scene.mesh.vertices) grow(box, {v.x, v.y});
  }
  if (box.first.x > box.second.x) return {{0, 0}, {1, 1}};
  return box;
}

void draw_scene(DrawStream& out, const Scene& scene, const ScenePicture& settings) {
  if (settings.layer >= scene.layers.size()) return;
  const Layer& layer = scene.layers[settings.layer];
  const auto [low, high] = bounds_of(scene, settings.layer);
  if (!layer.walkable.empty()) {
    out.begin_layer("outside");
    const Vec2 box[] = {low, {high.x, low.y}, high, {low.x, high.y}};
    const std::span<const Vec2> frame = box;
    out.polygon({&frame, 1}, kSolidGrey);
    out.begin_layer("walkable");
    for (const Polygon& p : layer.walkable) fill(out, p, kPaper);
  }
  if (settings.areas) {
    out.begin_layer("area fills");
    for (std::size_t i = 0; i < scene.areas.size(); ++i)
      if (scene.areas[i].layer == settings.layer) fill(out, scene.areas[i].shape, pale(tint(static_cast<std::uint32_t>(i)), 0.4));
  }
  out.begin_layer("obstacles");
  for (const Polygon& p : layer.obstacles) fill(out, p, kObstacleGrey);
  out.begin_layer("outlines");
  const Pen wall{kWallGrey, 0.08, 0.5};
  for (const auto* polygons : {&layer.obstacles, &layer.walkable})
    for (const Polygon& p : *polygons) {
      outline(out, p.outer, wall);
      for (const Ring& hole : p.holes) outline(out, hole, wall);
    }
  out.begin_layer("walls");
  for (const Segment& s : layer.walls) {
    const Vec2 line[] = {s.a, s.b};
    out.polyline(line, {kWallGrey, 0.1, 0.8});
  }
  out.begin_layer("seeds");
  for (const Vec2 seed : layer.seeds) out.disc(seed, 5 * settings.pixel, kBluishGreen);
  if (!settings.areas) return;
  out.begin_layer("area names");
  for (const Area& area : scene.areas) {
    if (area.layer != settings.layer || area.shape.outer.empty()) continue;
    Vec2 middle, least = area.shape.outer[0], most = least;
    for (const Vec2 v : area.shape.outer) {
      middle = middle + (1.0 / static_cast<double>(area.shape.outer.size())) * v;
      least = {std::min(least.x, v.x), std::min(least.y, v.y)};
      most = {std::max(most.x, v.x), std::max(most.y, v.y)};
    }
    // As large as fits in the area, but no larger than reads well.
    const double letters = std::max<double>(3, static_cast<double>(area.name.size()));
    const double size = std::min({(most.x - least.x) / (0.62 * letters), (most.y - least.y) * 0.5, 14 * settings.pixel});
    out.text(middle, area.name, size, kInk);
  }
}

void draw_findings(DrawStream& out, std::span<const Finding> findings, double pixel) {
  out.begin_layer("findings");
  for (const Finding& f : findings) {
    const Color red{200, 16, 46};
    const Color color = f.severity == Finding::kError     ? red
                        : f.severity == Finding::kWarning ? kVermillion
                                                          : pale(kVermillion, 0.4);
    if (f.outline.size() >= 2) out.polyline(f.outline, {color, 0.05, 2});
    ring(out, f.place, 9 * pixel, {color, 0, 2});
  }
}

}  // namespace throng
