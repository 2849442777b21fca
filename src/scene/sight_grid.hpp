// SPDX-License-Identifier: MIT
// Lines of sight through triangles: is anything between two points of space?
//
// Triangles lie in the square cells of a grid over the plan; a line visits the cells it crosses in order and stops at the first
// triangle it meets. Cells are about as large as the triangles, so that a cell holds few and a triangle is in few cells.
// O(cells crossed · triangles in them).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include <throng/scene.hpp>

namespace throng {

class SightGrid {
 public:
  SightGrid() = default;
  /// The mesh's indices and numbers must be good (sample_surface checks them).
  explicit SightGrid(const Mesh& mesh);

  /// Whether no triangle is between two points. A triangle that one of them lies on counts.
  bool is_free(Vec3 a, Vec3 b) const;
  std::uint64_t bytes() const;

 private:
  /// One corner and the two edges from it.
  struct Stored {
    std::array<float, 9> number;
    float low, high;
  };
  static bool crosses(const Stored& triangle, Vec3 from, Vec3 along);

  Vec2 origin_;
  double cell_ = 1;
  std::int32_t cells_x_ = 0, cells_y_ = 0;
  std::vector<std::uint32_t> start_;
  std::vector<std::uint32_t> entries_;
  std::vector<Stored> triangles_;
};

}  // namespace throng
