// SPDX-License-Identifier: MIT
// Reading the heights of a layer's ground (HeightGrid).
#pragma once
#include <optional>

#include <throng/scene.hpp>

namespace throng {

/// The height at a point of the grid.
std::optional<double> height_of(const HeightGrid& grid, std::int32_t column, std::int32_t row);

/// The height at a place: bilinear between those of the four grid points round it that are on the same ground as the nearest one
/// of them; within two steps of the ground's end the nearest point's; nothing farther out. O(log runs of a row).
std::optional<double> height_at(const HeightGrid& grid, Vec2 place);

/// Whether starts and runs are in order: what `height_at` relies on, for grids that come from files.
bool is_consistent(const HeightGrid& grid);

}  // namespace throng
