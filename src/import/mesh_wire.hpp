// SPDX-License-Identifier: MIT
// What the mesh importing child writes on its standard output, little endian:
//   8 bytes kMeshMagic, uint64 vertex count, uint64 triangle count, 3 float64 a vertex, 3 uint32 a triangle
//   or 8 bytes kFailMagic, uint64 length, that many bytes of text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <throng/result.hpp>
#include <throng/scene.hpp>

namespace throng::mesh_wire {

inline constexpr std::string_view kMeshMagic = "THRMESH1";
inline constexpr std::string_view kFailMagic = "THRFAIL1";
inline constexpr std::size_t kHeaderBytes = 8 + 8 + 8;
inline constexpr std::size_t kVertexBytes = 3 * sizeof(double);
inline constexpr std::size_t kTriangleBytes = 3 * sizeof(std::uint32_t);

/// The mesh in the child's answer, in the file's own axes. Every count, number and index is checked.
Result<Mesh> read_answer(std::string_view bytes, const std::string& name);

}  // namespace throng::mesh_wire
