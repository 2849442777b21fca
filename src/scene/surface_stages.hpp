// SPDX-License-Identifier: MIT
// The stages of sample_surface (scene/surface.hpp), and what they share.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scene/surface.hpp"

namespace throng {

/// What a triangle is to feet.
enum class Ground : std::uint8_t {
  kNone,   ///< upright, or a ceiling
  kSteep,  ///< nobody stands on it, but it may be stepped over
  kLevel,  ///< level enough
};

/// A triangle in grid coordinates: columns are at integer (u, v).
struct GridTriangle {
  std::array<double, 3> u, v, z;
  Ground ground = Ground::kNone;
};

/// Slopes, tiles and who reaches into them.
struct SamplingGrid {
  double step = 0, step_height = 0, head_room = 0;
  double tangent = 0;  ///< of the steepest slope
  double cosine = 1;
  Vec2 origin;
  std::int32_t tiles_x = 0, tiles_y = 0;
  std::vector<std::uint8_t> is_ceiling;      ///< of each triangle
  std::vector<std::uint64_t> bin_start;      ///< of each tile
  std::vector<std::uint32_t> bin_triangles;  ///< triangles whose plan, widened by two steps, meets the tile, ascending

  GridTriangle triangle(const Mesh& mesh, std::uint32_t index) const;
};

/// The segment in which a vertical plane cuts a triangle: from (s0, z0) to (s1, z1), s0 ≤ s1.
struct Slice {
  double s0, z0, s1, z1;
  double z_at(double s) const { return s1 > s0 ? z0 + (s - s0) / (s1 - s0) * (z1 - z0) : z0; }
};

/// Cuts a triangle, given by its corners' `level` across the plane and place `s` along it. Corners on the plane count as beyond
/// it: of the triangles round an edge or a corner on the plane no two both have, and none misses, what lies there. Both triangles
/// at an edge compute its crossing from the same end, so that they meet in the same bits.
inline bool slice_triangle(const std::array<double, 3>& level, const std::array<double, 3>& s, const std::array<double, 3>& z,
                           double at, Slice& out) {
  const bool beyond[3] = {level[0] >= at, level[1] >= at, level[2] >= at};
  if (beyond[0] == beyond[1] && beyond[1] == beyond[2]) return false;
  const int alone = beyond[0] == beyond[1] ? 2 : beyond[0] == beyond[2] ? 1 : 0;
  double place[2], height[2];
  for (int k = 0; k < 2; ++k) {
    int low = alone, high = (alone + 1 + k) % 3;
    if (beyond[low]) std::swap(low, high);
    const double t = (at - level[low]) / (level[high] - level[low]);
    place[k] = s[low] + t * (s[high] - s[low]);
    height[k] = z[low] + t * (z[high] - z[low]);
  }
  const int first = place[0] <= place[1] ? 0 : 1;
  out = {place[first], height[first], place[1 - first], height[1 - first]};
  return true;
}

/// Why a direction of a node leads nowhere: a triangle in the way, or the floor's last one.
struct LinkEvent {
  NodeIndex node;
  std::uint32_t triangle;
  float along;  ///< 0 at the node, 1 at the next column
  std::uint8_t direction;
  bool floor_end;  ///< `along` is where this triangle's walkable floor ends; 1 if it does not
};

/// Stage 1: nodes of all columns, without links. Fills columns and z.
void sample_columns(const Mesh& mesh, const SamplingGrid& grid, Surface& surface, std::uint32_t& most_in_column,
                    TaskRunner& tasks);
/// Stage 2: links, and the events of all nodes that lack one, sorted by node, direction, kind and distance.
std::vector<LinkEvent> link_nodes(const Mesh& mesh, const SamplingGrid& grid, Surface& surface, TaskRunner& tasks);
/// Stage 3: drops small islands; renumbers nodes and events.
void drop_islands(const SurfaceSettings& settings, Surface& surface, std::vector<LinkEvent>& events);
/// Stage 4: events become wall pieces.
void make_wall_pieces(const Mesh& mesh, const SamplingGrid& grid, const std::vector<LinkEvent>& events, Surface& surface);

}  // namespace throng
