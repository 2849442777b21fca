// SPDX-License-Identifier: MIT
// What a file may ask of us. Every reader obeys these caps, so that no input, however hostile, takes all memory or hangs.
#pragma once
#include <cstddef>
#include <cstdint>

namespace throng::limits {

/// Larger files are refused before they are read.
inline constexpr std::uint64_t kFileBytes = std::uint64_t{256} << 20;
/// Points of all outlines of a scene together; also vertices of a mesh.
inline constexpr std::size_t kVertices = 5'000'000;
inline constexpr std::size_t kTriangles = 10'000'000;
/// Values of a JSON document: three for every vertex ([x, y] and its numbers) and room for the rest. About 1 GB as a tree.
inline constexpr std::size_t kJsonValues = 4 * kVertices;
/// Arrays in arrays: the deepest format of ours (a CityJSON MultiSolid inside its objects) needs 12.
inline constexpr std::size_t kNesting = 64;
/// Further problems of one file are counted, not listed.
inline constexpr std::size_t kProblems = 100;
/// A scene may be this wide and high; coordinates are then within 8 km of the origin and fit the 2^-10 m grid.
inline constexpr double kExtentMetres = 16'000;
/// No map projection reaches farther than this, and beyond it doubles begin to lose the grid.
inline constexpr double kCoordinateMetres = 1e8;
/// Coordinates farther from zero than this are moved: `Scene::origin` says by how much.
inline constexpr double kFarMetres = 4'000;
/// Cells of a grid map (8192 × 8192): a label of each is kept while outlines are traced.
inline constexpr std::size_t kGridCells = std::size_t{1} << 26;
/// Layers, areas and profiles of one scene.
inline constexpr std::size_t kLayers = 1'000;
inline constexpr std::size_t kAreas = 100'000;

}  // namespace throng::limits
