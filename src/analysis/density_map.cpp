// SPDX-License-Identifier: MIT
#include "analysis/density_map.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr double kMostSquares = 4e6;

}  // namespace

DensityMapper::DensityMapper(Vec2 low, Vec2 high, double square, std::uint16_t layer) : layer_(layer) {
  const Vec2 size{std::max(high.x - low.x, square), std::max(high.y - low.y, square)};
  square = std::max(square, std::sqrt(size.x * size.y / kMostSquares));
  counts_.low = low;
  counts_.square = square;
  counts_.columns = static_cast<std::uint32_t>(std::ceil(size.x / square));
  counts_.rows = static_cast<std::uint32_t>(std::ceil(size.y / square));
  counts_.density.assign(std::size_t{counts_.columns} * counts_.rows, 0);
}

void DensityMapper::add(const FrameView& frame) {
  ++frames_;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (frame.layer[i] != layer_) continue;
    const double column = std::floor((frame.x[i] - counts_.low.x) / counts_.square);
    const double row = std::floor((frame.y[i] - counts_.low.y) / counts_.square);
    // The upper border belongs to the last square.
    const double c = column == counts_.columns ? column - 1 : column, r = row == counts_.rows ? row - 1 : row;
    if (c < 0 || r < 0 || c >= counts_.columns || r >= counts_.rows) continue;
    ++counts_.density[static_cast<std::size_t>(r) * counts_.columns + static_cast<std::size_t>(c)];
  }
}

DensityMap DensityMapper::map() const {
  DensityMap result = counts_;
  const double scale = frames_ > 0 ? 1 / (static_cast<double>(frames_) * counts_.square * counts_.square) : 0;
  for (double& d : result.density) d *= scale;
  return result;
}

DensityMap density_map_of(const Trajectory& trajectory, double square, std::uint16_t layer) {
  Vec2 low{0, 0}, high{0, 0};
  bool any = false;
  for (std::size_t row = 0; row < trajectory.row_count(); ++row) {
    if (trajectory.layer[row] != layer) continue;
    const Vec2 p{trajectory.x[row], trajectory.y[row]};
    low = any ? Vec2{std::min(low.x, p.x), std::min(low.y, p.y)} : p;
    high = any ? Vec2{std::max(high.x, p.x), std::max(high.y, p.y)} : p;
    any = true;
  }
  DensityMapper mapper(low, high, square, layer);
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) mapper.add(trajectory.frame(k));
  return mapper.map();
}

}  // namespace throng
