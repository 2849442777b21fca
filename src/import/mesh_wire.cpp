// SPDX-License-Identifier: MIT
#include "import/mesh_wire.hpp"

#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "import/limits.hpp"

namespace throng::mesh_wire {
namespace {

template <class Number>
Number take(std::string_view& bytes) {
  Number value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

}  // namespace

Result<Mesh> read_answer(std::string_view bytes, const std::string& name) {
  const auto fail = [&](std::string what, std::string fix) { return Problem{name, std::move(what), std::move(fix)}; };
  if (bytes.starts_with(mesh_wire::kFailMagic) && bytes.size() >= 16) {
    bytes.remove_prefix(8);
    const auto length = take<std::uint64_t>(bytes);
    std::string text(bytes.substr(0, std::min<std::uint64_t>(length, 300)));
    for (char& c : text) c = c >= ' ' ? c : ' ';
    return fail(fmt::format("the mesh cannot be read: {}", text), "check that it opens in a 3D program, or export it again");
  }
  const std::string damaged = "the importer's answer is damaged";
  const std::string again = "try again; if it stays, this is a bug of throng-mesh-import";
  if (!bytes.starts_with(mesh_wire::kMeshMagic) || bytes.size() < mesh_wire::kHeaderBytes) return fail(damaged, again);
  bytes.remove_prefix(8);
  const auto vertex_count = take<std::uint64_t>(bytes), triangle_count = take<std::uint64_t>(bytes);
  if (vertex_count > limits::kVertices || triangle_count > limits::kTriangles) {
    return fail(fmt::format("{} vertices and {} triangles found; at most {} and {} are allowed", vertex_count, triangle_count,
                            limits::kVertices, limits::kTriangles),
                "simplify the mesh");
  }
  if (bytes.size() != vertex_count * mesh_wire::kVertexBytes + triangle_count * mesh_wire::kTriangleBytes)
    return fail(damaged, again);
  if (triangle_count == 0) return fail("the mesh has no triangles", "export surfaces, not only points or lines");
  Mesh mesh;
  mesh.vertices.reserve(vertex_count);
  for (std::uint64_t i = 0; i < vertex_count; ++i) {
    Vec3 v;
    v.x = take<double>(bytes), v.y = take<double>(bytes), v.z = take<double>(bytes);
    if (!(std::abs(v.x) <= limits::kCoordinateMetres && std::abs(v.y) <= limits::kCoordinateMetres &&
          std::abs(v.z) <= limits::kCoordinateMetres)) {
      return fail(fmt::format("vertex {} at ({}, {}, {}) found; finite numbers within ±1e8 m are allowed", i, v.x, v.y, v.z),
                  "correct the mesh; it may be in another unit than metres");
    }
    mesh.vertices.push_back(v);
  }
  mesh.triangles.reserve(triangle_count);
  for (std::uint64_t i = 0; i < triangle_count; ++i) {
    std::array<std::uint32_t, 3> corner{};
    for (std::uint32_t& index : corner) {
      index = take<std::uint32_t>(bytes);
      if (index >= vertex_count) return fail(damaged, again);
    }
    mesh.triangles.push_back(corner);
  }
  return mesh;
}

}  // namespace throng::mesh_wire
