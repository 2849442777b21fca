// SPDX-License-Identifier: MIT
// Stage 4 of sample_surface: where exactly the ground of a border node ends (ALGORITHMS §2.11, "wall pieces").
#include <algorithm>
#include <cmath>

#include "scene/surface_stages.hpp"

namespace throng {
namespace {

constexpr double kReach = 1.5;       ///< steps round the crossing that a piece extends over
constexpr double kThin = 1e-7;       ///< m²; a plan smaller than this is a line
constexpr double kFloorFirst = 0.1;  ///< steps; a floor that ends so much before the obstacle ends there, too

struct Corners {
  std::array<Vec3, 12> at;
  int count = 0;
};

/// Keeps the part with sign · (coordinate − level) ≥ 0 (Sutherland & Hodgman).
template <class Coordinate>
void clip(Corners& polygon, Coordinate coordinate, double level, double sign) {
  Corners out;
  for (int i = 0; i < polygon.count; ++i) {
    const Vec3 a = polygon.at[i], b = polygon.at[(i + 1) % polygon.count];
    const double da = sign * (coordinate(a) - level), db = sign * (coordinate(b) - level);
    if (da >= 0) out.at[out.count++] = a;
    if ((da >= 0) != (db >= 0)) {
      const double t = da / (da - db);
      out.at[out.count++] = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
    }
  }
  polygon = out;
}

void clip_to_box(Corners& polygon, Vec2 middle, double reach) {
  const auto x = [](const Vec3& v) { return v.x; };
  const auto y = [](const Vec3& v) { return v.y; };
  clip(polygon, x, middle.x - reach, 1);
  clip(polygon, x, middle.x + reach, -1);
  clip(polygon, y, middle.y - reach, 1);
  clip(polygon, y, middle.y + reach, -1);
}

class PieceMaker {
 public:
  PieceMaker(const Mesh& mesh, const SamplingGrid& grid, Surface& surface) : mesh_(mesh), grid_(grid), surface_(surface) {}

  /// Obstacles and floor ends of one direction of one node.
  void add_direction(NodeIndex node, int direction, std::span<const LinkEvent> events) {
    const Vec2 here = surface_.position(node);
    const std::size_t before = surface_.pieces.size();
    const LinkEvent* floor_end = nullptr;
    double nearest = 1 + kFloorFirst;
    for (const LinkEvent& e : events) {
      if (e.floor_end) {
        floor_end = &e;
      } else {
        nearest = std::min<double>(nearest, e.along);
        add_obstacle(node, here, crossing(here, direction, e.along), e.triangle);
      }
    }
    if (floor_end != nullptr && floor_end->along < nearest - kFloorFirst)
      add_floor_edge(here, crossing(here, direction, floor_end->along), floor_end->triangle);
    // Nothing is known about what ended it: the node itself is the end.
    if (surface_.pieces.size() == before && direction % 2 == 0) add(here, here);
  }

 private:
  Vec2 crossing(Vec2 here, int direction, double along) const {
    return {here.x + along * grid_.step * kDirections[direction].i, here.y + along * grid_.step * kDirections[direction].j};
  }
  Corners corners(std::uint32_t triangle) const {
    Corners c;
    for (const std::uint32_t v : mesh_.triangles[triangle]) c.at[c.count++] = mesh_.vertices[v];
    return c;
  }
  void add(Vec2 a, Vec2 b) {
    surface_.pieces.push_back(
        {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(b.x), static_cast<float>(b.y)});
  }

  void add_obstacle(NodeIndex node, Vec2 here, Vec2 middle, std::uint32_t triangle) {
    const auto height = [](const Vec3& v) { return v.z; };
    Corners shape = corners(triangle);
    clip_to_box(shape, middle, kReach * grid_.step);
    Corners slab = shape;
    clip(slab, height, surface_.z[node] + grid_.step_height, 1);
    clip(slab, height, surface_.z[node] + grid_.head_room, -1);
    // On stairs the slab of the link was sheared; the level one may miss what blocked it.
    if (slab.count >= 2) shape = slab;
    if (shape.count == 0) return add(middle, middle);
    double area = 0;
    const auto plan = [&](int i) { return Vec2{shape.at[i % shape.count].x, shape.at[i % shape.count].y}; };
    for (int i = 1; i + 1 < shape.count; ++i) area += cross(plan(i) - plan(0), plan(i + 1) - plan(0));
    if (std::abs(area) < kThin) {
      Vec2 a = plan(0), b = plan(0);
      for (int i = 0; i < shape.count; ++i)
        for (int k = i + 1; k < shape.count; ++k)
          if (distance(plan(i), plan(k)) > distance(a, b)) a = plan(i), b = plan(k);
      return add(a, b);
    }
    bool seen = false;
    for (int i = 0; i < shape.count; ++i) {
      const Vec2 a = plan(i), b = plan(i + 1);
      if (cross(b - a, here - a) * area >= 0) continue;  // turned away from the node
      add(a, b);
      seen = true;
    }
    if (!seen) add(here, here);
  }

  /// The edge of a floor triangle that the ground ends at.
  void add_floor_edge(Vec2 here, Vec2 middle, std::uint32_t triangle) {
    const Corners shape = corners(triangle);
    Corners best;
    double least = 1e300;
    for (int i = 0; i < 3; ++i) {
      Corners edge;
      edge.at[0] = shape.at[i];
      edge.at[1] = shape.at[(i + 1) % 3];
      edge.count = 2;
      const WallPiece line{static_cast<float>(edge.at[0].x), static_cast<float>(edge.at[0].y), static_cast<float>(edge.at[1].x),
                           static_cast<float>(edge.at[1].y)};
      const double away = distance_to(line, middle);
      if (away < least) least = away, best = edge;
    }
    clip_to_box(best, middle, kReach * grid_.step);
    if (best.count < 2) return add(here, here);
    add({best.at[0].x, best.at[0].y}, {best.at[1].x, best.at[1].y});
  }

  const Mesh& mesh_;
  const SamplingGrid& grid_;
  Surface& surface_;
};

}  // namespace

void make_wall_pieces(const Mesh& mesh, const SamplingGrid& grid, const std::vector<LinkEvent>& events, Surface& surface) {
  PieceMaker maker(mesh, grid, surface);
  std::size_t at = 0;
  for (NodeIndex n = 0; n < surface.node_count(); ++n) {
    const std::size_t before = surface.pieces.size();
    for (int d = 0; d < 8; ++d) {
      const std::size_t first = at;
      while (at < events.size() && events[at].node == n && events[at].direction == d) ++at;
      if (surface.links[n][d] == kNoLink) maker.add_direction(n, d, {events.data() + first, at - first});
    }
    if (surface.pieces.size() == before) continue;
    surface.border.push_back(n);
    surface.piece_start.push_back(static_cast<std::uint32_t>(before));
  }
  surface.piece_start.push_back(static_cast<std::uint32_t>(surface.pieces.size()));
}

}  // namespace throng
