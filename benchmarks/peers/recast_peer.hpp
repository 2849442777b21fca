// SPDX-License-Identifier: MIT
// Recast and Detour on our scenes: the navigation mesh most users would build instead, measured in the same run.
//
// The pipeline is that of Recast's own tile sample with its default settings (watershed regions, contours with a 1.3 cell error,
// polygons of up to six corners), one tile after the other on one thread: rasterise ground and obstacles, filter, compact, erode
// by ceil(radius / cell_size) cells, distance field, regions, contours, polygons, Detour tile. Everything that helps it is done:
// each tile sees only triangles near it, roofs are marked unwalkable (they would cost regions of their own), the detail mesh is
// left out where the ground is flat, tiles have bounding-volume trees, and a query reuses its buffers.
//
// A triangle mesh with storeys goes through the same pipeline. Only triangles that face up are ground there, as in the demo;
// heights are counted in half cells, and the detail mesh is built, since without it a polygon does not know its own height.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <throng/result.hpp>
#include <throng/scene.hpp>

#include "base/profile.hpp"

class dtNavMesh;

namespace throng {

struct RecastBody;
struct SceneTriangles;

class DetourPeer {
 public:
  struct Statistics {
    std::vector<StageTime> stages;
    double build_ms = 0;           ///< sum of the stages
    std::uint32_t tile_count = 0;  ///< tiles with ground on them
    std::uint32_t polygon_count = 0;
    double area = 0;               ///< m² in plan of all polygons
    std::uint64_t bytes = 0;       ///< of the finished mesh
    std::uint64_t peak_bytes = 0;  ///< physical memory the build added at its peak; 0 where it cannot be measured
  };
  struct Path {
    bool found = false;
    double length = 0;         ///< metres in plan
    std::vector<Vec3> points;  ///< corners
  };
  /// Whom a mesh of triangles is for; metres and degrees.
  struct MeshSettings {
    double cell_size = 0.1;
    double radius = 0.2;
    double head_room = 2;
    double climb = 0.9;
    double slope = 45;
    double min_island = 2;  ///< m²; smaller regions are dropped
  };

  /// The navigation mesh of layer 0; `cell_size` and `radius` in metres. Areas, elevation and other layers are not seen.
  static Result<DetourPeer> build(const Scene& scene, double cell_size, double radius);

  /// The navigation mesh of triangles, z up, on any number of storeys.
  static Result<DetourPeer> build(const Mesh& mesh, const MeshSettings& settings);

  DetourPeer(DetourPeer&&) noexcept;
  DetourPeer& operator=(DetourPeer&&) noexcept;
  ~DetourPeer();

  const Statistics& statistics() const;
  dtNavMesh* mesh() const;

  /// From two points to the pulled path: findNearestPoly twice, findPath, findStraightPath. Partial paths count as not found. One
  /// thread at a time.
  Path find(Vec2 from, Vec2 to);
  /// The same into a path whose memory is reused.
  void find(Vec2 from, Vec2 to, Path& path);
  /// The same between places in space.
  void find(Vec3 from, Vec3 to, Path& path);

  /// The connected part of the mesh that the nearest polygon within the reaches belongs to; with none in plan
  /// the polygon has to lie straight above or below. Parts are numbered from 0 in no particular order.
  std::optional<std::uint32_t> part_at(Vec3 p, double reach_in_plan, double reach_in_height);
  std::uint32_t part_count() const;

 private:
  struct State;
  explicit DetourPeer(std::unique_ptr<State> state);
  static Result<DetourPeer> build(const SceneTriangles& triangles, const RecastBody& body, StageTimer& timer);
  std::unique_ptr<State> state_;
};

}  // namespace throng
