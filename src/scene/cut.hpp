// SPDX-License-Identifier: MIT
// From triangles to a plan: the two-plane cut of Lamarche & Donikian 2004 §3.1 (ALGORITHMS §1.1, steps 1 and 2).
//
// What stands between a step's height and a person's height above the floor is in the way; everything else is floor, ceiling or
// sky. Each triangle is clipped to that slab and projected: a vertical piece leaves a line, any other its outline. Which side of
// the lines is ground is decided later, by flooding from the seed.
#pragma once
#include <optional>
#include <vector>

#include <throng/result.hpp>
#include <throng/scene.hpp>

namespace throng {

struct CutSettings {
  std::optional<double> floor;  ///< metres; default: the height with the most upward-facing, nearly level area
  double step = 0.2;            ///< metres; what is lower is stepped over
  double height = 1.8;          ///< metres; what is higher is walked under
  double close_gaps = 0.05;     ///< metres; narrower cracks between walls are closed, or the flood leaks out; 0 leaves them
  std::optional<Vec2> seed;     ///< a point of the ground to keep; default: the middle of the largest free floor triangle
};

/// A height at which a mesh has floor.
struct FloorLevel {
  double height = 0;  ///< metres
  double area = 0;    ///< square metres in plan
};

/// Floors of a mesh, largest first: nearly level, upward-facing area in classes of 0.1 m.
std::vector<FloorLevel> find_floors(const Mesh& mesh);

/// One storey of a mesh as a layer of walls (unique segments of the 2^-10 m grid, sorted), one seed and a frame round the mesh.
/// O(n log n), plus O(n) for each of at most 64 candidates for the seed. Problems: nothing to cut, broken numbers, no geometry at
/// that height, a seed outside or inside an obstacle.
Result<Layer> cut_mesh(const Mesh& mesh, const CutSettings& settings);

}  // namespace throng
