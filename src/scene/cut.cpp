// SPDX-License-Identifier: MIT
#include "scene/cut.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "geometry/point.hpp"
#include "scene/wall_gaps.hpp"

namespace throng {
namespace {

constexpr double kFloorClass = 0.1;   ///< metres, width of the histogram's classes
constexpr double kLevel = 0.9;        ///< cosine of the steepest triangle that counts as floor (26 degrees)
constexpr double kSimplify = 0.02;    ///< metres (tau_col of ALGORITHMS §1.1)
constexpr double kSeedMargin = 0.05;  ///< metres a seed of our own choice keeps from every line
constexpr int kSeedCandidates = 64;

std::string metres(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", v);
  return text;
}
std::string words(Vec2 p) { return "(" + metres(p.x) + ", " + metres(p.y) + ")"; }

/// A triangle's share in the slab, projected: at most three corners and two more from the second plane.
struct Piece {
  std::array<Vec2, 5> corner;
  int count = 0;
};

struct Corners {
  std::array<Vec3, 8> at;
  int count = 0;
  void add(Vec3 v) { at[count++] = v; }
};

/// Keeps the part with sign · (z - level) ≥ 0 (Sutherland & Hodgman).
Corners clip(const Corners& in, double level, double sign) {
  Corners out;
  for (int i = 0; i < in.count; ++i) {
    const Vec3 a = in.at[i], b = in.at[(i + 1) % in.count];
    const double da = sign * (a.z - level), db = sign * (b.z - level);
    if (da >= 0) out.add(a);
    if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
      // Always from the lower end, so that both triangles at an edge get the same point.
      const Vec3 from = a.z < b.z ? a : b, to = a.z < b.z ? b : a;
      const double t = (level - from.z) / (to.z - from.z);
      out.add({from.x + t * (to.x - from.x), from.y + t * (to.y - from.y), level});
    }
  }
  return out;
}

Piece piece_between(const std::array<Vec3, 3>& triangle, double low, double high) {
  Corners corners;
  for (const Vec3& v : triangle) corners.add(v);
  corners = clip(corners, low, 1);
  corners = clip(corners, high, -1);
  Piece piece;
  for (int i = 0; i < corners.count && piece.count < 5; ++i) piece.corner[piece.count++] = {corners.at[i].x, corners.at[i].y};
  return piece;
}

std::array<Vec3, 3> corners_of(const Mesh& mesh, const std::array<std::uint32_t, 3>& t) {
  return {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
}

/// Area in plan, positive if the triangle faces up; its cosine with the vertical is `area / true area`.
struct Facing {
  double plan_area;
  double cosine;
};

Facing facing(const std::array<Vec3, 3>& t) {
  const Vec3 u{t[1].x - t[0].x, t[1].y - t[0].y, t[1].z - t[0].z}, v{t[2].x - t[0].x, t[2].y - t[0].y, t[2].z - t[0].z};
  const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  const double size = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
  return {n.z / 2, size > 0 ? n.z / size : 0};
}

double middle_height(const std::array<Vec3, 3>& t) { return (t[0].z + t[1].z + t[2].z) / 3; }

std::optional<Problem> broken(const Mesh& mesh, const CutSettings& settings) {
  if (mesh.triangles.empty()) return Problem{"mesh", "it has no triangles", "export the geometry as triangles or polygons"};
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& v = mesh.vertices[i];
    if (!std::isfinite(v.z) || !fits_grid({v.x, v.y}))
      return Problem{"mesh vertex " + std::to_string(i), "a coordinate is not a number or farther than 16 km from the origin",
                     "check the units of the file and move the scene to its origin"};
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (const std::uint32_t v : mesh.triangles[i])
      if (v >= mesh.vertices.size())
        return Problem{"mesh triangle " + std::to_string(i),
                       "it names vertex " + std::to_string(v) + " of " + std::to_string(mesh.vertices.size()),
                       "export the file again"};
  if (!(settings.step >= 0) || !(settings.height > settings.step) || !std::isfinite(settings.height))
    return Problem{"cut", "step " + metres(settings.step) + " m and height " + metres(settings.height) + " m",
                   "use 0 ≤ step < height"};
  if (settings.floor && !std::isfinite(*settings.floor))
    return Problem{"cut", "the floor's height is not a number", "give it in metres"};
  return std::nullopt;
}

/// The outlines of all pieces, each segment once, as sorted grid segments.
class Outlines {
 public:
  void add(const Piece& piece) {
    if (piece.count < 2) return;
    std::array<Point, 5> p;
    for (int i = 0; i < piece.count; ++i) p[i] = snap(piece.corner[i]);
    std::int64_t twice_area = 0;
    for (int i = 1; i + 1 < piece.count; ++i) twice_area += orient(p[0], p[i], p[i + 1]);
    if (twice_area == 0) {
      // Vertical (or thinner than the grid): from one end of it to the other.
      const auto [first, last] = std::minmax_element(p.begin(), p.begin() + piece.count);
      return add(*first, *last);
    }
    for (int i = 0; i < piece.count; ++i) add(p[i], p[(i + 1) % piece.count]);
  }

  std::vector<Segment> unique() {
    std::sort(segments_.begin(), segments_.end());
    segments_.erase(std::unique(segments_.begin(), segments_.end()), segments_.end());
    std::vector<Segment> out;
    out.reserve(segments_.size());
    for (const auto& [a, b] : segments_) out.push_back({to_metres(a), to_metres(b)});
    return out;
  }

 private:
  void add(Point a, Point b) {
    if (a == b) return;
    segments_.emplace_back(std::min(a, b), std::max(a, b));
  }

  std::vector<std::pair<Point, Point>> segments_;
};

/// Whether p lies in a piece (which is convex) or on its outline.
bool covers(const Piece& piece, Vec2 p) {
  bool left_of = false, right_of = false;
  for (int i = 0; i < piece.count; ++i) {
    const Vec2 a = piece.corner[i], b = piece.corner[(i + 1) % piece.count];
    const double side = cross(b - a, p - a);
    left_of |= side > 0;
    right_of |= side < 0;
  }
  if (left_of != right_of) return true;
  return false;
}

double segment_distance(Vec2 p, const Segment& s) {
  const double squared = dot(s.b - s.a, s.b - s.a);
  const double t = squared > 0 ? std::clamp(dot(p - s.a, s.b - s.a) / squared, 0.0, 1.0) : 0;
  return distance(p, s.a + t * (s.b - s.a));
}

bool is_obstacle_at(const std::vector<Piece>& pieces, Vec2 p) {
  return std::any_of(pieces.begin(), pieces.end(), [p](const Piece& piece) { return covers(piece, p); });
}

/// The middle of the largest floor triangle that nothing stands on.
std::optional<Vec2> find_seed(const Mesh& mesh, double floor, double step, const std::vector<Piece>& solid,
                              const std::vector<Segment>& walls) {
  std::vector<std::pair<double, std::size_t>> candidates;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto t = corners_of(mesh, mesh.triangles[i]);
    const Facing f = facing(t);
    const bool near =
        std::all_of(t.begin(), t.end(), [&](const Vec3& v) { return std::abs(v.z - floor) <= std::max(step, kFloorClass); });
    if (near && f.cosine >= kLevel) candidates.emplace_back(-f.plan_area, i);
  }
  const std::size_t most = std::min<std::size_t>(kSeedCandidates, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most), candidates.end());
  for (std::size_t k = 0; k < most; ++k) {
    const auto t = corners_of(mesh, mesh.triangles[candidates[k].second]);
    const Vec2 middle{(t[0].x + t[1].x + t[2].x) / 3, (t[0].y + t[1].y + t[2].y) / 3};
    const bool clear =
        std::none_of(walls.begin(), walls.end(), [&](const Segment& s) { return segment_distance(middle, s) < kSeedMargin; });
    if (clear && !is_obstacle_at(solid, middle)) return middle;
  }
  return std::nullopt;
}

std::string known_floors(const std::vector<FloorLevel>& floors) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(floors.size(), 3); ++i)
    text += (i == 0 ? "" : ", ") + metres(floors[i].height) + " m (" + metres(floors[i].area) + " m²)";
  return text.empty() ? "the mesh has no level, upward-facing area: check its up axis" : "floors were found at " + text;
}

}  // namespace

std::vector<FloorLevel> find_floors(const Mesh& mesh) {
  // Classes are centred on multiples of their width, where floors usually are: noise does not split one in two. An ordered map,
  // because heights may be anything and the result must not depend on a hash.
  std::map<double, FloorLevel> classes;
  for (const auto& indices : mesh.triangles) {
    const auto t = corners_of(mesh, indices);
    const Facing f = facing(t);
    if (!(f.cosine >= kLevel)) continue;
    FloorLevel& level = classes[std::floor(middle_height(t) / kFloorClass + 0.5)];
    level.height += f.plan_area * middle_height(t);
    level.area += f.plan_area;
  }
  std::vector<FloorLevel> floors;
  for (const auto& [number, level] : classes) floors.push_back({level.height / level.area, level.area});
  std::stable_sort(floors.begin(), floors.end(), [](const FloorLevel& a, const FloorLevel& b) { return a.area > b.area; });
  return floors;
}

Result<Layer> cut_mesh(const Mesh& mesh, const CutSettings& settings) {
  if (auto problem = broken(mesh, settings)) return *problem;

  const std::vector<FloorLevel> floors = find_floors(mesh);
  if (!settings.floor && floors.empty())
    return Problem{"mesh", "no triangle is level and faces up, so no floor was found",
                   "check the up axis (--up y or --up z), or give the floor's height"};
  const double floor = settings.floor.value_or(floors.empty() ? 0 : floors[0].height);
  const double low = floor + settings.step, high = floor + settings.height;

  Outlines outlines;
  std::vector<Piece> solid;
  Vec2 least{1e300, 1e300}, most{-1e300, -1e300};
  bool anything_there = false;
  for (const auto& indices : mesh.triangles) {
    const auto t = corners_of(mesh, indices);
    for (const Vec3& v : t) {
      least = {std::min(least.x, v.x), std::min(least.y, v.y)};
      most = {std::max(most.x, v.x), std::max(most.y, v.y)};
    }
    const double bottom = std::min({t[0].z, t[1].z, t[2].z}), top = std::max({t[0].z, t[1].z, t[2].z});
    anything_there |= bottom <= high && top >= floor - std::max(settings.step, kFloorClass);
    if (bottom > high || top < low) continue;
    const Piece piece = piece_between(t, low, high);
    outlines.add(piece);
    if (piece.count >= 3) solid.push_back(piece);
  }
  if (!anything_there)
    return Problem{"cut at " + metres(floor) + " m", "the mesh has no geometry at this height", known_floors(floors)};
  if (snap(least).x == snap(most).x || snap(least).y == snap(most).y)
    return Problem{"mesh", "seen from above it has no area", "check the up axis (--up y or --up z)"};

  Layer layer;
  layer.name = "floor at " + metres(floor) + " m";
  layer.elevation = floor;
  layer.simplify = kSimplify;
  layer.walls = outlines.unique();
  if (settings.close_gaps > 0) layer.walls = close_gaps(layer.walls, settings.close_gaps);
  layer.walkable.push_back({{least, {most.x, least.y}, most, {least.x, most.y}}, {}});

  if (settings.seed) {
    const Vec2 seed = *settings.seed;
    if (!(seed.x > least.x && seed.y > least.y && seed.x < most.x && seed.y < most.y))
      return Problem{"seed " + words(seed), "it lies outside the mesh, which spans " + words(least) + " to " + words(most),
                     "choose a point on the floor"};
    if (is_obstacle_at(solid, seed))
      return Problem{"seed " + words(seed), "something stands there between " + metres(low) + " and " + metres(high) + " m",
                     "choose a free point of the floor"};
    layer.seeds.push_back(seed);
  } else {
    const auto seed = find_seed(mesh, floor, settings.step, solid, layer.walls);
    if (!seed)
      return Problem{"cut at " + metres(floor) + " m", "no free floor was found near this height",
                     "give a seed point on the floor; " + known_floors(floors)};
    layer.seeds.push_back(*seed);
  }
  return layer;
}

}  // namespace throng
