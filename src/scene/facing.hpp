// SPDX-License-Identifier: MIT
// Which triangles of a mesh are seen from below only: the ceilings of rooms modelled from inside. One does not walk on their
// backs, though they are as level as a floor (a dungeon has twice the ground otherwise).
//
// Files differ in how far their facing can be trusted, so a mesh has to earn it piece by piece. A *piece* is what shared edges
// hold together. Its facing counts if neighbours agree on it (they run along their common edge in opposite directions) at all but
// one in a hundred edges, and if something level faces up in it, too. Loose triangles, mixed up ones, and floors that all face
// down tell nothing: those are ground whichever way they face.
//
// Cost: O(n log n) in triangles; vertices at the same place are one.
#pragma once
#include <cstdint>
#include <vector>

#include <throng/scene.hpp>

namespace throng {

/// Of each triangle: 1 if it faces down and its piece can be trusted. `least_up` is the cosine of the steepest ground. The
/// triangles' indices must be valid.
std::vector<std::uint8_t> find_ceilings(const Mesh& mesh, double least_up);

}  // namespace throng
