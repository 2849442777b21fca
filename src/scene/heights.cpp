// SPDX-License-Identifier: MIT
#include "scene/heights.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

std::optional<double> height_of(const HeightGrid& grid, std::int32_t column, std::int32_t row) {
  const std::int64_t line = std::int64_t{row} - grid.first_row;
  if (line < 0 || line + 1 >= static_cast<std::int64_t>(grid.row_start.size())) return std::nullopt;
  const auto begin = grid.runs.begin() + grid.row_start[line], end = grid.runs.begin() + grid.row_start[line + 1];
  const auto after = std::upper_bound(begin, end, column, [](std::int32_t c, const HeightGrid::Run& r) { return c < r.column; });
  if (after == begin) return std::nullopt;
  const HeightGrid::Run& run = *(after - 1);
  const std::uint64_t index = run.first + static_cast<std::uint64_t>(std::int64_t{column} - run.column);
  const std::uint64_t last = after == grid.runs.end() ? grid.heights.size() : after->first;
  return index < last ? std::optional<double>(grid.heights[index]) : std::nullopt;
}

std::optional<double> height_at(const HeightGrid& grid, Vec2 place) {
  constexpr std::int32_t kReach = 2;  // steps beyond the last point
  if (grid.empty()) return std::nullopt;
  const double u = (place.x - grid.origin.x) / grid.step, v = (place.y - grid.origin.y) / grid.step;
  if (!(std::abs(u) < 1e9 && std::abs(v) < 1e9)) return std::nullopt;
  const auto i = static_cast<std::int32_t>(std::floor(u)), j = static_cast<std::int32_t>(std::floor(v));
  std::optional<double> nearest;
  double least = 1e300;
  const auto offer = [&](std::int32_t column, std::int32_t row) {
    const double away = (u - column) * (u - column) + (v - row) * (v - row);
    if (away >= least) return;
    if (const auto height = height_of(grid, column, row)) nearest = height, least = away;
  };
  for (std::int32_t k = 0; k < 4; ++k) offer(i + k % 2, j + k / 2);
  if (!nearest) {
    for (std::int32_t row = j + 1 - kReach; row <= j + kReach; ++row)
      for (std::int32_t column = i + 1 - kReach; column <= i + kReach; ++column) offer(column, row);
    return nearest;
  }
  double sum = 0, weights = 0;
  for (std::int32_t k = 0; k < 4; ++k) {
    const auto height = height_of(grid, i + k % 2, j + k / 2);
    if (!height || std::abs(*height - *nearest) > grid.rise) continue;
    const double weight = (k % 2 == 0 ? 1 - (u - i) : u - i) * (k / 2 == 0 ? 1 - (v - j) : v - j);
    sum += weight * *height;
    weights += weight;
  }
  return weights > 1e-9 ? sum / weights : *nearest;
}

bool is_consistent(const HeightGrid& grid) {
  if (grid.heights.empty()) return grid.runs.empty() && grid.row_start.size() <= 1;
  if (!(grid.step > 0) || !std::isfinite(grid.step) || !std::isfinite(grid.rise) || !std::isfinite(grid.origin.x) ||
      !std::isfinite(grid.origin.y))
    return false;
  if (grid.row_start.empty() || grid.row_start.front() != 0 || grid.row_start.back() != grid.runs.size() ||
      !std::is_sorted(grid.row_start.begin(), grid.row_start.end()))
    return false;
  if (grid.runs.empty() || grid.runs.front().first != 0) return false;
  for (std::size_t r = 0; r < grid.runs.size(); ++r) {
    const std::size_t end = r + 1 < grid.runs.size() ? grid.runs[r + 1].first : grid.heights.size();
    if (end <= grid.runs[r].first || end > grid.heights.size()) return false;
  }
  for (std::size_t line = 0; line + 1 < grid.row_start.size(); ++line)
    for (std::uint32_t r = grid.row_start[line] + 1; r < grid.row_start[line + 1]; ++r)
      if (std::int64_t{grid.runs[r].column} - grid.runs[r - 1].column < grid.runs[r].first - grid.runs[r - 1].first) return false;
  return std::all_of(grid.heights.begin(), grid.heights.end(), [](float h) { return std::isfinite(h); });
}

}  // namespace throng
