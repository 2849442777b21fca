// SPDX-License-Identifier: MIT
#include "neighbours/row_grid.hpp"

#include <cmath>

namespace throng {
namespace {

constexpr double kPerSquare = 3;  // rows on average: the square and the eight round it then mostly hold the 8 nearest

}  // namespace

void RowGrid::build(std::span<const Point> points, std::span<const std::uint32_t> rows) {
  const std::size_t count = rows.size();
  low_ = high_ = points[rows[0] + 1];
  for (const std::uint32_t row : rows) {
    const Point p = points[row + 1];
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
  }
  const std::int64_t width = std::int64_t{high_.x} - low_.x + 1, height = std::int64_t{high_.y} - low_.y + 1;
  side_ =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(std::sqrt(kPerSquare * static_cast<double>(width) *
                                                                    static_cast<double>(height) / static_cast<double>(count))));
  // A long thin box has more squares than its area says.
  side_ = std::max(side_, std::max(width, height) / static_cast<std::int64_t>(2 * count + 16));
  columns_ = (width - 1) / side_ + 1, lines_ = (height - 1) / side_ + 1;
  start_.assign(static_cast<std::size_t>(columns_ * lines_) + 1, 0);
  residents_.resize(count);
  for (const std::uint32_t row : rows) ++start_[square_of(points[row + 1]) + 1];
  for (std::size_t s = 1; s < start_.size(); ++s) start_[s] += start_[s - 1];
  // Filling slides each start to its square's end; they are slid back afterwards.
  for (const std::uint32_t row : rows) residents_[start_[square_of(points[row + 1])]++] = {points[row + 1], row};
  for (std::size_t s = start_.size() - 1; s > 0; --s) start_[s] = start_[s - 1];
  start_[0] = 0;
}

}  // namespace throng
