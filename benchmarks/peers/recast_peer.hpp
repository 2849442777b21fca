// SPDX-License-Identifier: MIT
// Recast and Detour on our scenes: the navigation mesh most users would build instead, measured in the same run.
//
// The pipeline is that of Recast's own tile sample with its default settings (watershed regions, contours with a 1.3 cell error,
// polygons of up to six corners), one tile after the other on one thread: rasterise ground and obstacles, filter, compact, erode
// by ceil(radius / cell_size) cells, distance field, regions, contours, polygons, Detour tile. Everything that helps it is done:
// each tile sees only triangles near it, roofs are marked unwalkable (they would cost regions of their own), the detail mesh is
// left out (the ground is flat), tiles have bounding-volume trees, and a query reuses its buffers.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include <throng/result.hpp>
#include <throng/scene.hpp>

#include "base/profile.hpp"

class dtNavMesh;

namespace throng {

class DetourPeer {
 public:
  struct Statistics {
    std::vector<StageTime> stages;
    double build_ms = 0;           ///< sum of the stages
    std::uint32_t tile_count = 0;  ///< tiles with ground on them
    std::uint32_t polygon_count = 0;
    std::uint64_t bytes = 0;       ///< of the finished mesh
    std::uint64_t peak_bytes = 0;  ///< physical memory the build added at its peak; 0 where it cannot be measured
  };
  struct Path {
    bool found = false;
    double length = 0;
    std::vector<Vec2> points;
  };

  /// The navigation mesh of layer 0; `cell_size` and `radius` in metres. Areas, elevation and other layers are not seen.
  static Result<DetourPeer> build(const Scene& scene, double cell_size, double radius);

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

 private:
  struct State;
  explicit DetourPeer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
