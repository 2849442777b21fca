// SPDX-License-Identifier: MIT
#include "peers/recast_peer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>
#include <unordered_map>

#include <recastnavigation/DetourAlloc.h>
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourNavMeshQuery.h>
#include <recastnavigation/Recast.h>

#include "peers/scene_triangles.hpp"

namespace throng {

/// What the pipeline is set to; lengths in metres.
struct RecastBody {
  float cell_size = 0.5f;
  float cell_height = 0.2f;
  float radius = 0.2f;
  float height = 1.8f;
  float climb = 0.4f;
  float low = -1, high = 3.8f;  ///< heights that are looked at
  int min_region_area = 8 * 8;  ///< cells
  bool has_detail = false;
};

namespace {

// Defaults of RecastDemo's tile sample, but for the body, which is ours.
constexpr float kMaxEdgeLength = 12.0f;
constexpr float kMaxSimplificationError = 1.3f;  // cells
constexpr int kMergeRegionSide = 20;             // cells
constexpr int kCornersPerPolygon = 6;
constexpr float kDetailCells = 6;       // between samples of the detail mesh
constexpr float kDetailErrorCells = 1;  // of height
// Ground under a roof this low is no place to stand, so the inside of a building costs no regions.
constexpr double kPrismHeight = 1.0;
// The demo's own default is 32. Larger tiles cut the mesh less and make queries faster: docs/benchmarks.md says by how much.
constexpr int kTileCells = 256;
// dtPolyRef has 32 bits, at least 10 of them salt: what is left names a tile and a polygon in it.
constexpr int kTileAndPolygonBits = 22;

constexpr int kNodePool = 65535;  // the most dtNodePool can address
constexpr int kMaxPolygons = 4096;
constexpr unsigned short kWalkFlag = 1;

template <class T, void (*free_it)(T*)>
struct Free {
  void operator()(T* object) const { free_it(object); }
};
using Heightfield = std::unique_ptr<rcHeightfield, Free<rcHeightfield, rcFreeHeightField>>;
using CompactHeightfield = std::unique_ptr<rcCompactHeightfield, Free<rcCompactHeightfield, rcFreeCompactHeightfield>>;
using ContourSet = std::unique_ptr<rcContourSet, Free<rcContourSet, rcFreeContourSet>>;
using PolyMesh = std::unique_ptr<rcPolyMesh, Free<rcPolyMesh, rcFreePolyMesh>>;
using PolyMeshDetail = std::unique_ptr<rcPolyMeshDetail, Free<rcPolyMeshDetail, rcFreePolyMeshDetail>>;
using NavMesh = std::unique_ptr<dtNavMesh, Free<dtNavMesh, dtFreeNavMesh>>;
using NavMeshQuery = std::unique_ptr<dtNavMeshQuery, Free<dtNavMeshQuery, dtFreeNavMeshQuery>>;

Problem problem(const std::string& what) { return {"Recast", what, "try another cell size"}; }

/// The square grid of tiles over the ground.
struct TileGrid {
  Vec2 low;
  double side = 0;
  int columns = 0;
  int rows = 0;
};

/// Triangles whose bounds touch each tile or the border cells around it.
std::vector<std::vector<int>> triangles_by_tile(const SceneTriangles& scene, const TileGrid& grid, double border) {
  std::vector<std::vector<int>> tiles(static_cast<std::size_t>(grid.columns) * grid.rows);
  for (std::size_t t = 0; t < scene.triangles.size(); ++t) {
    Vec2 low{1e30, 1e30}, high{-1e30, -1e30};
    for (const std::int32_t corner : scene.triangles[t]) {
      const double x = scene.vertices[3 * corner], y = scene.vertices[3 * corner + 2];
      low = {std::min(low.x, x), std::min(low.y, y)};
      high = {std::max(high.x, x), std::max(high.y, y)};
    }
    const auto tile = [&](double from, double at, int count) {
      return std::clamp(static_cast<int>(std::floor((at - from) / grid.side)), 0, count - 1);
    };
    for (int row = tile(grid.low.y, low.y - border, grid.rows); row <= tile(grid.low.y, high.y + border, grid.rows); ++row) {
      for (int column = tile(grid.low.x, low.x - border, grid.columns); column <= tile(grid.low.x, high.x + border, grid.columns);
           ++column) {
        tiles[static_cast<std::size_t>(row) * grid.columns + column].push_back(static_cast<int>(t));
      }
    }
  }
  return tiles;
}

/// One tile, from triangles to Detour's bytes (owned by the caller); nothing if there is no ground on it.
class TileBuilder {
 public:
  struct Bytes {
    unsigned char* data = nullptr;
    int size = 0;
  };

  TileBuilder(const SceneTriangles& scene, const TileGrid& grid, const RecastBody& body, StageTimer& timer)
      : scene_(scene), grid_(grid), body_(body), timer_(timer) {
    constexpr float kRounding = 1e-4f;  // cells: 0.9 m are 18 half cells of 0.1 m, not 17
    config_.cs = body.cell_size;
    config_.ch = body.cell_height;
    config_.walkableHeight = static_cast<int>(std::ceil(body.height / body.cell_height - kRounding));
    config_.walkableClimb = static_cast<int>(std::floor(body.climb / body.cell_height + kRounding));
    config_.walkableRadius = static_cast<int>(std::ceil(body.radius / body.cell_size - kRounding));
    config_.maxEdgeLen = static_cast<int>(kMaxEdgeLength / config_.cs);
    config_.maxSimplificationError = kMaxSimplificationError;
    config_.minRegionArea = body.min_region_area;
    config_.mergeRegionArea = kMergeRegionSide * kMergeRegionSide;
    config_.maxVertsPerPoly = kCornersPerPolygon;
    config_.tileSize = kTileCells;
    config_.borderSize = config_.walkableRadius + 3;
    config_.width = config_.height = config_.tileSize + 2 * config_.borderSize;
  }

  int border_cells() const { return config_.borderSize; }

  /// False: Recast refused, and the answer would be wrong.
  bool build(int column, int row, const std::vector<int>& triangles, Bytes& bytes) {
    rcConfig config = config_;
    const float border = static_cast<float>(config.borderSize) * config.cs;
    const auto edge = [&](double low, int index) { return static_cast<float>(low + grid_.side * index); };
    const float low[3] = {edge(grid_.low.x, column) - border, body_.low, edge(grid_.low.y, row) - border};
    const float high[3] = {edge(grid_.low.x, column + 1) + border, body_.high, edge(grid_.low.y, row + 1) + border};
    rcVcopy(config.bmin, low);
    rcVcopy(config.bmax, high);

    PolyMesh mesh(rcAllocPolyMesh());
    if (!voxelise(config, triangles) || !polygonise(config, *mesh)) return false;
    if (mesh->npolys == 0) return true;
    PolyMeshDetail detail;
    if (body_.has_detail) {
      timer_.begin("detail");
      detail.reset(rcAllocPolyMeshDetail());
      if (!rcBuildPolyMeshDetail(&context_, *mesh, *compact_, kDetailCells * config.cs, kDetailErrorCells * config.ch, *detail))
        return false;
    }
    return pack(column, row, *mesh, detail.get(), bytes);
  }

 private:
  bool voxelise(const rcConfig& config, const std::vector<int>& triangles) {
    timer_.begin("rasterise");
    corners_.clear();
    areas_.clear();
    for (const int t : triangles) {
      corners_.insert(corners_.end(), scene_.triangles[t].begin(), scene_.triangles[t].end());
      areas_.push_back(scene_.walkable[t] ? RC_WALKABLE_AREA : RC_NULL_AREA);
    }
    Heightfield field(rcAllocHeightfield());
    if (!rcCreateHeightfield(&context_, *field, config.width, config.height, config.bmin, config.bmax, config.cs, config.ch)) {
      return false;
    }
    if (!triangles.empty() &&
        !rcRasterizeTriangles(&context_, scene_.vertices.data(), static_cast<int>(scene_.vertices.size() / 3), corners_.data(),
                              areas_.data(), static_cast<int>(triangles.size()), *field, config.walkableClimb)) {
      return false;
    }
    timer_.begin("filter");
    rcFilterLowHangingWalkableObstacles(&context_, config.walkableClimb, *field);
    rcFilterLedgeSpans(&context_, config.walkableHeight, config.walkableClimb, *field);
    rcFilterWalkableLowHeightSpans(&context_, config.walkableHeight, *field);
    timer_.begin("compact");
    compact_.reset(rcAllocCompactHeightfield());
    return rcBuildCompactHeightfield(&context_, config.walkableHeight, config.walkableClimb, *field, *compact_);
  }

  bool polygonise(const rcConfig& config, rcPolyMesh& mesh) {
    timer_.begin("erode");
    if (!rcErodeWalkableArea(&context_, config.walkableRadius, *compact_)) return false;
    timer_.begin("regions");
    if (!rcBuildDistanceField(&context_, *compact_) ||
        !rcBuildRegions(&context_, *compact_, config.borderSize, config.minRegionArea, config.mergeRegionArea)) {
      return false;
    }
    timer_.begin("contours");
    ContourSet contours(rcAllocContourSet());
    if (!rcBuildContours(&context_, *compact_, config.maxSimplificationError, config.maxEdgeLen, *contours)) return false;
    timer_.begin("polygons");
    if (contours->nconts == 0) return true;
    return rcBuildPolyMesh(&context_, *contours, config.maxVertsPerPoly, mesh);
  }

  bool pack(int column, int row, rcPolyMesh& mesh, const rcPolyMeshDetail* detail, Bytes& bytes) {
    timer_.begin("detour");
    for (int i = 0; i < mesh.npolys; ++i) mesh.flags[i] = mesh.areas[i] == RC_WALKABLE_AREA ? kWalkFlag : 0;
    dtNavMeshCreateParams params{};
    params.verts = mesh.verts;
    params.vertCount = mesh.nverts;
    params.polys = mesh.polys;
    params.polyAreas = mesh.areas;
    params.polyFlags = mesh.flags;
    params.polyCount = mesh.npolys;
    params.nvp = mesh.nvp;
    if (detail != nullptr) {
      params.detailMeshes = detail->meshes;
      params.detailVerts = detail->verts;
      params.detailVertsCount = detail->nverts;
      params.detailTris = detail->tris;
      params.detailTriCount = detail->ntris;
    }
    params.walkableHeight = body_.height;
    params.walkableRadius = body_.radius;
    params.walkableClimb = body_.climb;
    params.tileX = column;
    params.tileY = row;
    rcVcopy(params.bmin, mesh.bmin);
    rcVcopy(params.bmax, mesh.bmax);
    params.cs = config_.cs;
    params.ch = config_.ch;
    params.buildBvTree = true;
    return dtCreateNavMeshData(&params, &bytes.data, &bytes.size);
  }

  const SceneTriangles& scene_;
  TileGrid grid_;
  const RecastBody& body_;
  StageTimer& timer_;
  rcContext context_{false};
  rcConfig config_{};
  CompactHeightfield compact_;
  std::vector<int> corners_;
  std::vector<unsigned char> areas_;
};

/// Physical memory that something adds at its peak.
class PeakMemory {
 public:
  PeakMemory() : measured_(reset_peak_memory()), before_(resident_memory_bytes()) {}
  /// 0 where it cannot be measured.
  std::uint64_t added() const {
    const std::uint64_t peak = peak_memory_bytes();
    return measured_ && peak > before_ ? peak - before_ : 0;
  }

 private:
  bool measured_;
  std::uint64_t before_;
};

double area_of(const dtMeshTile& tile) {
  double doubled = 0;
  for (int i = 0; i < tile.header->polyCount; ++i) {
    const dtPoly& polygon = tile.polys[i];
    for (int k = 0; k < polygon.vertCount; ++k) {
      const float* a = &tile.verts[3 * polygon.verts[k]];
      const float* b = &tile.verts[3 * polygon.verts[(k + 1) % polygon.vertCount]];
      doubled += static_cast<double>(a[2]) * b[0] - static_cast<double>(a[0]) * b[2];
    }
  }
  return std::abs(doubled) / 2;
}

/// Polygons that links join have the same number.
std::uint32_t label_parts(const dtNavMesh& mesh, std::unordered_map<dtPolyRef, std::uint32_t>& part) {
  std::uint32_t count = 0;
  std::vector<dtPolyRef> open;
  for (int t = 0; t < mesh.getMaxTiles(); ++t) {
    const dtMeshTile* tile = mesh.getTile(t);
    if (tile == nullptr || tile->header == nullptr) continue;
    for (int i = 0; i < tile->header->polyCount; ++i) {
      const dtPolyRef seed = mesh.getPolyRefBase(tile) | static_cast<dtPolyRef>(i);
      if (!part.emplace(seed, count).second) continue;
      open.assign(1, seed);
      while (!open.empty()) {
        const dtMeshTile* at = nullptr;
        const dtPoly* polygon = nullptr;
        mesh.getTileAndPolyByRefUnsafe(open.back(), &at, &polygon);
        open.pop_back();
        for (unsigned int k = polygon->firstLink; k != DT_NULL_LINK; k = at->links[k].next)
          if (at->links[k].ref != 0 && part.emplace(at->links[k].ref, count).second) open.push_back(at->links[k].ref);
      }
      ++count;
    }
  }
  return count;
}

SceneTriangles triangles_of(const Mesh& mesh, double slope) {
  SceneTriangles result;
  result.low = {1e30, 1e30};
  result.high = {-1e30, -1e30};
  for (const Vec3& p : mesh.vertices) {
    result.vertices.insert(result.vertices.end(), {static_cast<float>(p.x), static_cast<float>(p.z), static_cast<float>(p.y)});
    result.low = {std::min(result.low.x, p.x), std::min(result.low.y, p.y)};
    result.high = {std::max(result.high.x, p.x), std::max(result.high.y, p.y)};
  }
  const double least = std::cos(slope * std::numbers::pi / 180);
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    const double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    result.triangles.push_back(
        {static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]), static_cast<std::int32_t>(t[2])});
    result.walkable.push_back(nz > 0 && nz >= (least - 1e-9) * std::sqrt(nx * nx + ny * ny + nz * nz) ? 1 : 0);
  }
  return result;
}

}  // namespace

struct DetourPeer::State {
  Statistics statistics;
  NavMesh mesh;
  NavMeshQuery query;
  dtQueryFilter filter;
  std::unordered_map<dtPolyRef, std::uint32_t> part;
  std::uint32_t part_count = 0;
  std::vector<dtPolyRef> polygons = std::vector<dtPolyRef>(kMaxPolygons);
  std::vector<float> corners = std::vector<float>(3 * kMaxPolygons);
};

DetourPeer::DetourPeer(std::unique_ptr<State> state) : state_(std::move(state)) {}
DetourPeer::DetourPeer(DetourPeer&&) noexcept = default;
DetourPeer& DetourPeer::operator=(DetourPeer&&) noexcept = default;
DetourPeer::~DetourPeer() = default;

const DetourPeer::Statistics& DetourPeer::statistics() const { return state_->statistics; }
dtNavMesh* DetourPeer::mesh() const { return state_->mesh.get(); }

Result<DetourPeer> DetourPeer::build(const Scene& scene, double cell_size, double radius) {
  PeakMemory memory;
  StageTimer timer;
  timer.begin("triangles");
  const SceneTriangles triangles = triangulate_scene(scene, kPrismHeight);
  if (triangles.triangles.empty()) return problem("the scene has no ground");
  RecastBody body;
  body.cell_size = static_cast<float>(cell_size);
  body.radius = static_cast<float>(radius);
  Result<DetourPeer> peer = build(triangles, body, timer);
  if (peer) peer->state_->statistics.peak_bytes = memory.added();
  return peer;
}

Result<DetourPeer> DetourPeer::build(const Mesh& mesh, const MeshSettings& settings) {
  PeakMemory memory;
  StageTimer timer;
  timer.begin("triangles");
  const SceneTriangles triangles = triangles_of(mesh, settings.slope);
  if (triangles.triangles.empty()) return problem("the mesh is empty");
  RecastBody body;
  body.cell_size = static_cast<float>(settings.cell_size);
  body.cell_height = body.cell_size / 2;
  body.radius = static_cast<float>(settings.radius);
  body.height = static_cast<float>(settings.head_room);
  body.climb = static_cast<float>(settings.climb);
  const auto [low, high] =
      std::minmax_element(mesh.vertices.begin(), mesh.vertices.end(), [](const Vec3& a, const Vec3& b) { return a.z < b.z; });
  body.low = static_cast<float>(low->z) - 1;
  body.high = static_cast<float>(high->z) + body.height + 1;
  body.min_region_area = static_cast<int>(settings.min_island / (settings.cell_size * settings.cell_size));
  body.has_detail = true;
  Result<DetourPeer> peer = build(triangles, body, timer);
  if (peer) peer->state_->statistics.peak_bytes = memory.added();
  return peer;
}

Result<DetourPeer> DetourPeer::build(const SceneTriangles& triangles, const RecastBody& body, StageTimer& timer) {
  TileGrid grid{triangles.low, kTileCells * static_cast<double>(body.cell_size), 0, 0};
  grid.columns = std::max(1, static_cast<int>(std::ceil((triangles.high.x - triangles.low.x) / grid.side)));
  grid.rows = std::max(1, static_cast<int>(std::ceil((triangles.high.y - triangles.low.y) / grid.side)));
  const auto tile_bits = static_cast<int>(std::bit_width(static_cast<unsigned>(grid.columns) * grid.rows - 1u));
  if (tile_bits > kTileAndPolygonBits - 8) return problem("too many tiles for 32-bit references");

  auto state = std::make_unique<State>();
  state->mesh.reset(dtAllocNavMesh());
  dtNavMeshParams params{};
  params.orig[0] = static_cast<float>(grid.low.x), params.orig[2] = static_cast<float>(grid.low.y);
  params.tileWidth = params.tileHeight = static_cast<float>(grid.side);
  params.maxTiles = 1 << tile_bits;
  params.maxPolys = 1 << (kTileAndPolygonBits - tile_bits);
  if (dtStatusFailed(state->mesh->init(&params))) return problem("the navigation mesh could not be made");

  TileBuilder builder(triangles, grid, body, timer);
  const auto by_tile = triangles_by_tile(triangles, grid, builder.border_cells() * static_cast<double>(body.cell_size));
  Statistics& statistics = state->statistics;
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      TileBuilder::Bytes bytes;
      if (!builder.build(column, row, by_tile[static_cast<std::size_t>(row) * grid.columns + column], bytes)) {
        return problem("tile " + std::to_string(column) + ", " + std::to_string(row) + " failed");
      }
      if (bytes.data == nullptr) continue;
      if (dtStatusFailed(state->mesh->addTile(bytes.data, bytes.size, DT_TILE_FREE_DATA, 0, nullptr))) {
        dtFree(bytes.data);
        return problem("tile " + std::to_string(column) + ", " + std::to_string(row) + " was refused");
      }
      const dtMeshTile* tile = static_cast<const dtNavMesh&>(*state->mesh).getTileAt(column, row, 0);
      ++statistics.tile_count;
      statistics.polygon_count += static_cast<std::uint32_t>(tile->header->polyCount);
      statistics.area += area_of(*tile);
      statistics.bytes += static_cast<std::uint64_t>(bytes.size);
    }
  }
  timer.end();
  statistics.stages = timer.stages();
  statistics.build_ms = timer.total_ms();

  state->query.reset(dtAllocNavMeshQuery());
  if (dtStatusFailed(state->query->init(state->mesh.get(), kNodePool))) return problem("the query could not be made");
  state->filter.setIncludeFlags(kWalkFlag);
  state->part_count = label_parts(*state->mesh, state->part);
  return DetourPeer(std::move(state));
}

DetourPeer::Path DetourPeer::find(Vec2 from, Vec2 to) {
  Path path;
  find(from, to, path);
  return path;
}

void DetourPeer::find(Vec2 from, Vec2 to, Path& path) { find(Vec3{from.x, from.y, 0}, Vec3{to.x, to.y, 0}, path); }

void DetourPeer::find(Vec3 from, Vec3 to, Path& path) {
  path.found = false;
  path.length = 0;
  path.points.clear();
  State& s = *state_;
  const float reach[3] = {2, 4, 2};  // RecastDemo's
  const float start[3] = {static_cast<float>(from.x), static_cast<float>(from.z), static_cast<float>(from.y)};
  const float goal[3] = {static_cast<float>(to.x), static_cast<float>(to.z), static_cast<float>(to.y)};
  dtPolyRef first = 0, last = 0;
  s.query->findNearestPoly(start, reach, &s.filter, &first, nullptr);
  s.query->findNearestPoly(goal, reach, &s.filter, &last, nullptr);
  if (first == 0 || last == 0) return;

  int polygon_count = 0;
  const dtStatus status = s.query->findPath(first, last, start, goal, &s.filter, s.polygons.data(), &polygon_count, kMaxPolygons);
  if (dtStatusFailed(status) || polygon_count == 0 || s.polygons[polygon_count - 1] != last) return;

  int corner_count = 0;
  const dtStatus pulled = s.query->findStraightPath(start, goal, s.polygons.data(), polygon_count, s.corners.data(), nullptr,
                                                    nullptr, &corner_count, kMaxPolygons);
  if (dtStatusFailed(pulled) || dtStatusDetail(pulled, DT_BUFFER_TOO_SMALL)) return;
  for (int i = 0; i < corner_count; ++i) {
    const Vec3 corner{s.corners[3 * i], s.corners[3 * i + 2], s.corners[3 * i + 1]};
    if (i > 0) path.length += std::hypot(corner.x - path.points.back().x, corner.y - path.points.back().y);
    path.points.push_back(corner);
  }
  path.found = true;
}

std::optional<std::uint32_t> DetourPeer::part_at(Vec3 p, double reach_in_plan, double reach_in_height) {
  State& s = *state_;
  const auto plan = static_cast<float>(reach_in_plan) + 1e-3f, height = static_cast<float>(reach_in_height);
  const float at[3] = {static_cast<float>(p.x), static_cast<float>(p.z), static_cast<float>(p.y)};
  const float reach[3] = {plan, height, plan};
  dtPolyRef polygon = 0;
  float nearest[3];
  s.query->findNearestPoly(at, reach, &s.filter, &polygon, nearest);
  if (polygon == 0) return std::nullopt;
  if (std::hypot(nearest[0] - at[0], nearest[2] - at[2]) > plan || std::abs(nearest[1] - at[1]) > height) return std::nullopt;
  return s.part.at(polygon);
}

std::uint32_t DetourPeer::part_count() const { return state_->part_count; }

}  // namespace throng
