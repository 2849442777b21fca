// SPDX-License-Identifier: MIT
#include "draw/stage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "draw/palette.hpp"
#include "geometry/polygon.hpp"

namespace throng {
namespace {

constexpr Color kPavement{186, 178, 166}, kStairs{200, 193, 182}, kEarth{138, 136, 132}, kSkirt{164, 154, 138};
constexpr Color kRoofTone{150, 142, 136}, kLawnTone{120, 140, 82}, kWaterTone{88, 132, 148};

std::uint32_t mixed_bits(std::uint32_t value) {
  value = (value ^ (value >> 16)) * 0x7feb352dU;
  value = (value ^ (value >> 15)) * 0x846ca68bU;
  return value ^ (value >> 16);
}

double perimeter(const Ring& ring) {
  double sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) sum += distance(ring[i], ring[(i + 1) % ring.size()]);
  return sum;
}

double height_at(const Layer& layer, Vec2 p) { return layer.elevation + dot(layer.slope, p); }

bool begins_with(const std::string& name, std::string_view word) { return name.compare(0, word.size(), word) == 0; }

/// How high an obstacle is shown, and what it is made of.
struct Block {
  double height;
  Color wall, roof;
  Material surface;
};

Block block_of(const Polygon& polygon, std::uint32_t number) {
  constexpr std::array<Color, 8> kWalls{{{214, 198, 172},
                                         {196, 164, 136},
                                         {222, 212, 196},
                                         {184, 140, 116},
                                         {206, 200, 190},
                                         {190, 176, 158},
                                         {228, 206, 170},
                                         {170, 160, 152}}};
  constexpr std::array<Color, 4> kRoofs{{{150, 142, 136}, {164, 110, 86}, {128, 130, 134}, {152, 122, 104}}};
  double area = std::abs(signed_area(polygon.outer)), around = perimeter(polygon.outer);
  for (const Ring& hole : polygon.holes) area -= std::abs(signed_area(hole)), around += perimeter(hole);
  const double thick = around > 0 ? 2 * area / around : 0;
  const std::uint32_t dice = mixed_bits(number + 17);
  if (thick < 0.35) return {1.05, {176, 182, 190}, {206, 210, 214}, Material::kPlain};
  if (area < 3 && polygon.outer.size() >= 6) return {0.6, {170, 160, 146}, {96, 116, 66}, Material::kPlain};
  if (area < 4) {
    constexpr std::array<Color, 5> kAwnings{{{196, 70, 58}, {232, 222, 200}, {58, 110, 130}, {222, 166, 66}, {86, 124, 84}}};
    return {1.25, {150, 124, 98}, kAwnings[dice % kAwnings.size()], Material::kPlain};
  }
  if (area < 40) return {5.6, kWalls[2], kWalls[4], Material::kPlain};
  return {7 + 3.3 * static_cast<double>(dice % 4), kWalls[(dice >> 8) % kWalls.size()], kRoofs[(dice >> 16) % kRoofs.size()],
          Material::kFacade};
}

}  // namespace

HeightSpan height_span(const Scene& scene) {
  HeightSpan span{1e300, -1e300};
  for (const Layer& layer : scene.layers)
    for (const Polygon& polygon : layer.walkable)
      for (const Vec2 p : polygon.outer) {
        span.low = std::min(span.low, height_at(layer, p));
        span.high = std::max(span.high, height_at(layer, p));
      }
  if (span.low > span.high) return {0, 0};
  return span;
}

Standpoint standpoint_on(Vec2 low, Vec2 high, double ground, double turn, double tilt, const PerspectiveSettings& settings) {
  const Vec2 middle = 0.5 * (low + high);
  const double turned = turn * std::numbers::pi / 180, tilted = tilt * std::numbers::pi / 180;
  const Vec3 back{std::sin(turned) * std::cos(tilted), -std::cos(turned) * std::cos(tilted), std::sin(tilted)};
  const Vec3 right{std::cos(turned), std::sin(turned), 0};
  const Vec3 up{right.y * -back.z - right.z * -back.y, right.z * -back.x - right.x * -back.z,
                right.x * -back.y - right.y * -back.x};
  const double wide = std::tan(0.5 * settings.view_angle), tall = wide * settings.height / settings.width;
  // The farthest that any corner asks for.
  double away = 5;
  for (int corner = 0; corner < 4; ++corner) {
    const Vec3 p{(corner & 1 ? low.x : high.x) - middle.x, (corner & 2 ? low.y : high.y) - middle.y, 0};
    const double near = p.x * back.x + p.y * back.y + p.z * back.z;
    away = std::max(away, std::abs(p.x * right.x + p.y * right.y) / wide + near);
    away = std::max(away, std::abs(p.x * up.x + p.y * up.y + p.z * up.z) / tall + near);
  }
  return {{middle.x + away * back.x, middle.y + away * back.y, ground + away * back.z}, {middle.x, middle.y, ground}};
}

void add_scene(Perspective& view, const Scene& scene, std::span<const Polygon> outline) {
  const HeightSpan span = height_span(scene);
  const Vec2 origin = scene.origin;
  const auto moved = [&](const Polygon& polygon) {
    Polygon copy = polygon;
    for (Vec2& p : copy.outer) p = p + origin;
    for (Ring& hole : copy.holes)
      for (Vec2& p : hole) p = p + origin;
    return copy;
  };
  // The country around.
  Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  for (const Layer& layer : scene.layers)
    for (const std::vector<Polygon>* polygons : {&layer.walkable, &layer.obstacles})
      for (const Polygon& polygon : *polygons)
        for (const Vec2 p : polygon.outer) {
          low = {std::min(low.x, p.x), std::min(low.y, p.y)};
          high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
  if (low.x > high.x) return;
  constexpr double kCountry = 3000;  // m
  const bool has_ground = !scene.layers.empty() && !scene.layers[0].walkable.empty();
  const Polygon country = moved({{{low.x - kCountry, low.y - kCountry},
                                  {high.x + kCountry, low.y - kCountry},
                                  {high.x + kCountry, high.y + kCountry},
                                  {low.x - kCountry, high.y + kCountry}},
                                 {}});
  view.add_ground(country, span.low - 0.05, {0, 0}, has_ground ? kEarth : kPavement, Material::kPlain);

  if (scene.layers.size() == 1) {
    constexpr double kRoom = 2500, kParapet = 0.9;  // m², m
    const Layer& layer = scene.layers[0];
    const double base = layer.elevation - dot(layer.slope, origin);
    for (const Polygon& part : outline) {
      if (std::abs(signed_area(part.outer)) > kRoom) continue;
      for (std::size_t i = 0; i < part.outer.size(); ++i) {
        const Vec2 a = part.outer[i], b = part.outer[(i + 1) % part.outer.size()];
        const double ground_a = base + dot(layer.slope, a), ground_b = base + dot(layer.slope, b);
        view.add_wall({a.x, a.y, ground_a + kParapet}, {b.x, b.y, ground_b + kParapet}, std::min(ground_a, ground_b),
                      {196, 190, 180}, Material::kPlain);
      }
    }
  }
  std::uint32_t number = 0;
  for (std::uint32_t index = 0; index < scene.layers.size(); ++index) {
    const Layer& layer = scene.layers[index];
    const bool is_sloped = length(layer.slope) > 1e-6;
    const double base = layer.elevation - dot(layer.slope, origin);
    for (const Polygon& polygon : layer.walkable) {
      const Polygon ground = moved(polygon);
      view.add_ground(ground, base, layer.slope, is_sloped ? kStairs : kPavement,
                      is_sloped ? Material::kSteps : Material::kPaving);
      const auto top = [&](Vec2 p) { return Vec3{p.x, p.y, base + dot(layer.slope, p)}; };
      const bool turns_left = signed_area(ground.outer) > 0;
      for (std::size_t i = 0; i < ground.outer.size(); ++i) {
        const Vec2 a = ground.outer[i], b = ground.outer[(i + 1) % ground.outer.size()];
        view.add_wall(top(turns_left ? a : b), top(turns_left ? b : a), span.low, kSkirt, Material::kPlain);
      }
    }
    // Of layers of a slope, the lowest corner.
    const auto ground_of = [&](const Polygon& polygon) {
      double least = 1e300;
      for (const Vec2 p : polygon.outer) least = std::min(least, base + dot(layer.slope, p));
      return least;
    };
    for (const Area& area : scene.areas) {
      if (area.layer != index) continue;
      const Polygon shape = moved(area.shape);
      if (begins_with(area.name, "lawn")) view.add_ground(shape, base + 0.02, layer.slope, kLawnTone, Material::kLawn);
      if (begins_with(area.name, "water")) view.add_ground(shape, base + 0.35, layer.slope, kWaterTone, Material::kWater);
      if (begins_with(area.name, "house")) {
        const Block block = block_of(shape, ++number);
        view.add_block(shape, base, base + block.height, block.wall, block.roof, block.surface);
      }
      if (begins_with(area.name, "roof"))
        view.add_block(shape, ground_of(shape) + 5.6, ground_of(shape) + 6.4, {214, 206, 192}, {128, 132, 136}, Material::kPlain);
      if (begins_with(area.name, "tree")) {
        Vec2 middle{0, 0};
        for (const Vec2 p : shape.outer) middle = middle + (1.0 / static_cast<double>(shape.outer.size())) * p;
        ++number;
        view.add_tree(middle, ground_of(shape), 6.5 + (mixed_bits(number) & 3) * 0.7, number);
      }
    }
    for (const Polygon& polygon : layer.obstacles) {
      const Polygon shape = moved(polygon);
      const Block block = block_of(shape, ++number);
      const double ground = ground_of(shape);
      view.add_block(shape, ground, ground + block.height, block.wall, block.roof, block.surface);
    }
    for (const Segment& wall : layer.walls) {
      const Vec2 a = wall.a + origin, b = wall.b + origin;
      const double ground = base + std::min(dot(layer.slope, a), dot(layer.slope, b));
      view.add_wall({a.x, a.y, ground + 1.05}, {b.x, b.y, ground + 1.05}, ground, {176, 182, 190}, Material::kPlain);
    }
  }
}

std::span<const Figure> Figures::at(double time, std::optional<PeopleColor> color) {
  constexpr double kCycle = 1.45;  // m: two steps at a usual pace
  figures_.clear();
  if (trajectory_.frame_count() == 0) return figures_;
  walks_.resize(trajectory_.agents.size());
  const double place = std::clamp(time / trajectory_.frame_seconds, 0.0, static_cast<double>(trajectory_.frame_count() - 1));
  const auto number = static_cast<std::size_t>(place);
  const FrameView now = trajectory_.frame(number);
  const FrameView next = trajectory_.frame(std::min(number + 1, trajectory_.frame_count() - 1));
  const FrameView before = trajectory_.frame(number > 0 ? number - 1 : 0);
  const auto share = static_cast<float>(place - static_cast<double>(number));
  std::size_t ahead = 0, behind = 0;
  for (std::size_t row = 0; row < now.size(); ++row) {
    const AgentFacts& facts = now.facts(row);
    while (ahead < next.size() && next.facts(ahead).id < facts.id) ++ahead;
    while (behind < before.size() && before.facts(behind).id < facts.id) ++behind;
    Figure f;
    float x = now.x[row], y = now.y[row], z = now.z[row];
    Vec2 heading{now.heading_x[row], now.heading_y[row]};
    double dx = 0, dy = 0, seconds = 0;
    if (ahead < next.size() && next.facts(ahead).id == facts.id) {
      const float step_x = next.x[ahead] - x, step_y = next.y[ahead] - y;
      if (std::abs(step_x) + std::abs(step_y) < 5) {
        dx += step_x, dy += step_y, seconds += next.number > now.number ? trajectory_.frame_seconds : 0;
        x += share * step_x;
        y += share * step_y;
        z += share * (next.z[ahead] - z);
        heading = {heading.x + share * (next.heading_x[ahead] - heading.x),
                   heading.y + share * (next.heading_y[ahead] - heading.y)};
      }
    }
    if (behind < before.size() && before.facts(behind).id == facts.id && before.number < now.number) {
      const double step_x = now.x[row] - before.x[behind], step_y = now.y[row] - before.y[behind];
      if (std::abs(step_x) + std::abs(step_y) < 5) dx += step_x, dy += step_y, seconds += trajectory_.frame_seconds;
    }
    const double speed = seconds > 0 ? std::hypot(dx, dy) / seconds : 0;
    Walk& walk = walks_[now.agent[row]];
    if (walk.time < 0 || time < walk.time) {
      walk.phase = 6.2832 * (mixed_bits(facts.id) & 1023) / 1024;
      walk.speed = speed;
      walk.heading = heading;
    } else {
      const double passed = time - walk.time;
      const double gone = std::hypot(x - walk.x, y - walk.y);
      if (gone < 5) walk.phase += 6.2832 * gone / kCycle;
      const double follow = 1 - std::exp(-passed / 0.25);
      walk.speed += follow * (speed - walk.speed);
      // A body turns more slowly than a velocity.
      walk.heading = {walk.heading.x + follow * (heading.x - walk.heading.x),
                      walk.heading.y + follow * (heading.y - walk.heading.y)};
    }
    walk.time = time;
    walk.x = x;
    walk.y = y;
    f.place = {x, y, z};
    f.heading = walk.heading;
    f.radius = facts.radius > 0 ? facts.radius : 0.2;
    const double tall = (mixed_bits(facts.id * 3 + 5) & 255) / 255.0;
    f.height = f.radius < 0.17 ? 1.15 + 0.25 * tall : 1.58 + 0.28 * tall;
    f.stride = std::min(1.0, walk.speed / 1.2);
    f.phase = walk.phase;
    f.looks = facts.id;
    if (color) {
      f.has_color = true;
      f.color = person_color(*color, facts, walk.heading, walk.speed);
    }
    figures_.push_back(f);
  }
  return figures_;
}

}  // namespace throng
