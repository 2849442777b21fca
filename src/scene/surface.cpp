// SPDX-License-Identifier: MIT
#include "scene/surface.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "geometry/point.hpp"
#include "scene/facing.hpp"
#include "scene/surface_stages.hpp"

namespace throng {
namespace {

constexpr double kOffsetX = 0.41421356237309503, kOffsetY = 0.7320508075688772;  ///< of the grid, in steps: √2 − 1, √3 − 1
constexpr std::uint64_t kMaxTiles = 16'000'000;
constexpr double kDegree = 3.14159265358979323846 / 180;

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", v);
  return text;
}

std::vector<Problem> check(const SurfaceSettings& s) {
  std::vector<Problem> problems;
  const auto require = [&](bool good, const char* name, double value, const std::string& allowed) {
    if (!good) problems.push_back({"settings", std::string(name) + " is " + number(value), allowed});
  };
  require(s.step >= 0.01 && s.step <= 10, "step", s.step, "allowed are 0.01 to 10 m between columns");
  require(s.slope > 0 && s.slope <= 80, "slope", s.slope, "allowed are more than 0 to 80 degrees");
  require(s.head_room >= 0.3 && s.head_room <= 100, "head_room", s.head_room, "allowed are 0.3 to 100 m");
  require(s.step_height > 0 && 2 * s.step_height <= s.head_room, "step_height", s.step_height,
          "allowed are more than 0 m to half the head room");
  require(s.min_island >= 0, "min_island", s.min_island, "give square metres, 0 to keep everything");
  if (!problems.empty()) return problems;
  const double widest = s.step_height / std::tan(s.slope * kDegree);
  require(s.step <= widest * (1 + 1e-9), "step", s.step,
          "a slope of " + number(s.slope) + " degrees and steps of " + number(s.step_height) + " m need at most " +
              number(widest) + " m between columns");
  return problems;
}

std::vector<Problem> check(const Mesh& mesh) {
  if (mesh.empty()) return {{"mesh", "it has no triangles", "export the geometry as triangles or polygons"}};
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& v = mesh.vertices[i];
    if (!std::isfinite(v.z) || std::abs(v.z) > 16000 || !fits_grid({v.x, v.y}))
      return {{"mesh vertex " + std::to_string(i), "a coordinate is not a number or farther than 16 km from the origin",
               "check the units of the file and move the scene to its origin"}};
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (const std::uint32_t v : mesh.triangles[i])
      if (v >= mesh.vertices.size())
        return {{"mesh triangle " + std::to_string(i),
                 "it names vertex " + std::to_string(v) + " of " + std::to_string(mesh.vertices.size()),
                 "export the file again"}};
  return {};
}

/// The tiles a triangle can touch: its plan widened by two steps.
struct TileRange {
  std::int32_t x0, y0, x1, y1;
};
TileRange tiles_of(const SamplingGrid& grid, const GridTriangle& t) {
  const auto tile = [](double place, std::int32_t count) {
    return std::clamp(static_cast<std::int32_t>(std::floor(place / Surface::kTileSide)), 0, count - 1);
  };
  const auto [u0, u1] = std::minmax({t.u[0], t.u[1], t.u[2]});
  const auto [v0, v1] = std::minmax({t.v[0], t.v[1], t.v[2]});
  return {tile(u0 - 2, grid.tiles_x), tile(v0 - 2, grid.tiles_y), tile(u1 + 2, grid.tiles_x), tile(v1 + 2, grid.tiles_y)};
}

/// Lays the grid and counts what it will cost before anything large is allocated.
Result<SamplingGrid> lay_grid(const Mesh& mesh, const SurfaceSettings& s) {
  SamplingGrid grid;
  grid.step = s.step;
  grid.step_height = s.step_height;
  grid.head_room = s.head_room;
  grid.tangent = std::tan(s.slope * kDegree);
  grid.cosine = std::cos(s.slope * kDegree);
  grid.is_ceiling = find_ceilings(mesh, grid.cosine);
  Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  for (const auto& t : mesh.triangles)
    for (const std::uint32_t i : t) {
      const Vec3& v = mesh.vertices[i];
      low = {std::min(low.x, v.x), std::min(low.y, v.y)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y)};
    }
  // On a lattice of the plane, not of this mesh: an edit elsewhere does not move the columns here.
  grid.origin = {s.step * (std::floor(low.x / s.step) - 3 + kOffsetX), s.step * (std::floor(low.y / s.step) - 3 + kOffsetY)};
  const double tile = s.step * Surface::kTileSide;
  const double tiles_x = std::floor((high.x - grid.origin.x) / tile + 0.1) + 1,
               tiles_y = std::floor((high.y - grid.origin.y) / tile + 0.1) + 1;
  const auto too_much = [&](const std::string& what) {
    return Problem{"mesh",
                   what + " (it spans " + number(high.x - low.x) + " × " + number(high.y - low.y) + " m, with " + number(s.step) +
                       " m between columns)",
                   "use a larger step, a part of the mesh, or check the units of the file"};
  };
  if (tiles_x * tiles_y > static_cast<double>(kMaxTiles)) return too_much("the grid would have too many tiles");
  grid.tiles_x = static_cast<std::int32_t>(tiles_x);
  grid.tiles_y = static_cast<std::int32_t>(tiles_y);

  const auto limit = static_cast<double>(s.max_samples);
  double crossings = 0, slices = 0, entries = 0;
  std::vector<std::uint32_t> count(static_cast<std::size_t>(grid.tiles_x) * grid.tiles_y);
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    const GridTriangle t = grid.triangle(mesh, i);
    const double area = std::abs((t.u[1] - t.u[0]) * (t.v[2] - t.v[0]) - (t.v[1] - t.v[0]) * (t.u[2] - t.u[0])) / 2;
    const auto [u0, u1] = std::minmax({t.u[0], t.u[1], t.u[2]});
    const auto [v0, v1] = std::minmax({t.v[0], t.v[1], t.v[2]});
    crossings += area;
    slices += (u1 - u0) + (v1 - v0);
    const TileRange range = tiles_of(grid, t);
    entries += static_cast<double>(range.x1 - range.x0 + 1) * (range.y1 - range.y0 + 1);
    if (crossings > limit || slices > 4 * limit || entries > limit)
      return too_much("more than " + std::to_string(s.max_samples) + " samples would be needed");
    for (std::int32_t y = range.y0; y <= range.y1; ++y)
      for (std::int32_t x = range.x0; x <= range.x1; ++x) ++count[static_cast<std::size_t>(y) * grid.tiles_x + x];
  }
  grid.bin_start.assign(count.size() + 1, 0);
  for (std::size_t i = 0; i < count.size(); ++i) grid.bin_start[i + 1] = grid.bin_start[i] + count[i];
  grid.bin_triangles.resize(grid.bin_start.back());
  std::vector<std::uint64_t> next(grid.bin_start.begin(), grid.bin_start.end() - 1);
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    const TileRange range = tiles_of(grid, grid.triangle(mesh, i));
    for (std::int32_t y = range.y0; y <= range.y1; ++y)
      for (std::int32_t x = range.x0; x <= range.x1; ++x)
        grid.bin_triangles[next[static_cast<std::size_t>(y) * grid.tiles_x + x]++] = i;
  }
  return grid;
}

template <class T>
std::uint64_t size_of(const std::vector<T>& v) {
  return v.size() * sizeof(T);
}

}  // namespace

GridTriangle SamplingGrid::triangle(const Mesh& mesh, std::uint32_t index) const {
  GridTriangle t;
  for (int k = 0; k < 3; ++k) {
    const Vec3& p = mesh.vertices[mesh.triangles[index][k]];
    t.u[k] = (p.x - origin.x) / step;
    t.v[k] = (p.y - origin.y) / step;
    t.z[k] = p.z;
  }
  const double ux = (t.u[1] - t.u[0]) * step, uy = (t.v[1] - t.v[0]) * step, uz = t.z[1] - t.z[0];
  const double vx = (t.u[2] - t.u[0]) * step, vy = (t.v[2] - t.v[0]) * step, vz = t.z[2] - t.z[0];
  const double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  if (is_ceiling[index] || nz == 0) return t;
  const bool level = std::abs(nz) >= (cosine - 1e-9) * std::sqrt(nx * nx + ny * ny + nz * nz);
  t.ground = level ? Ground::kLevel : Ground::kSteep;
  return t;
}

std::uint64_t Surface::bytes() const {
  return size_of(tile_slot) + size_of(slot_tile) + size_of(column_start) + size_of(z) + size_of(column) + size_of(links) +
         size_of(border) + size_of(piece_start) + size_of(pieces);
}

NodeIndex Surface::nearest_in_column(std::uint32_t c, double height) const {
  if (c == kNoColumn) return kNoNode;
  NodeIndex best = kNoNode;
  for (NodeIndex n = column_start[c]; n < column_start[c + 1]; ++n)
    if (best == kNoNode || std::abs(z[n] - height) < std::abs(z[best] - height)) best = n;
  return best;
}

NodeIndex Surface::nearest(Vec3 p, double reach) const {
  const double u = (p.x - origin.x) / step, v = (p.y - origin.y) / step;
  // Far outside the grid nothing is near; the comparison also refuses what is not a number.
  if (!(u > -1e6 && u < 1e8 && v > -1e6 && v < 1e8) || !std::isfinite(p.z)) return kNoNode;
  const auto i = static_cast<std::int32_t>(std::lround(u)), j = static_cast<std::int32_t>(std::lround(v));
  const auto rings = static_cast<std::int32_t>(std::min(std::ceil(reach / step), 1e4));
  NodeIndex best = kNoNode;
  double least = 1e300;
  for (std::int32_t ring = 0; ring <= rings; ++ring) {
    // Columns of this ring are at least (ring − 1/2) steps away.
    if (best != kNoNode && (ring - 0.5) * step > std::sqrt(least)) break;
    for (std::int32_t y = j - ring; y <= j + ring; ++y)
      for (std::int32_t x = i - ring; x <= i + ring; x += (y == j - ring || y == j + ring || ring == 0) ? 1 : 2 * ring) {
        const NodeIndex n = nearest_in_column(column_at({x, y}), p.z);
        if (n == kNoNode) continue;
        const Vec2 q = position(ColumnPlace{x, y});
        const double away = (q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y) + (z[n] - p.z) * (z[n] - p.z);
        if (away < least) least = away, best = n;
      }
  }
  return best;
}

Result<Surface> sample_surface(const Mesh& mesh, const SurfaceSettings& settings, TaskRunner& tasks) {
  if (auto problems = check(settings); !problems.empty()) return problems;
  if (auto problems = check(mesh); !problems.empty()) return problems;
  const Result<SamplingGrid> grid = lay_grid(mesh, settings);
  if (!grid) return grid.problems();

  Surface surface;
  surface.step = grid->step;
  surface.head_room = grid->head_room;
  surface.step_height = grid->step_height;
  surface.origin = grid->origin;
  surface.tiles_x = grid->tiles_x;
  surface.tiles_y = grid->tiles_y;
  std::uint32_t most_in_column = 0;
  sample_columns(mesh, *grid, surface, most_in_column, tasks);
  if (most_in_column >= kNoLink)
    return Problem{"mesh", std::to_string(most_in_column) + " floors lie over each other; at most 254 are possible",
                   "check the units of the file, or use a larger head room"};
  std::vector<LinkEvent> events = link_nodes(mesh, *grid, surface, tasks);
  drop_islands(settings, surface, events);
  if (surface.z.empty())
    return Problem{"mesh",
                   "there is no ground to stand on: nothing level enough with " + number(settings.head_room) +
                       " m of head room and at least " + number(settings.min_island) + " m²",
                   "check the up axis and the units, or allow steeper slopes and smaller islands"};
  make_wall_pieces(mesh, *grid, events, surface);
  return surface;
}

}  // namespace throng
