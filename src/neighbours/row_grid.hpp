// SPDX-License-Identifier: MIT
// Rows in the squares of a uniform grid (ALGORITHMS §7.6), to be visited from a place outwards.
//
// Counting sort into squares that hold three rows on average; a visit goes through rings of squares until no nearer row can come.
// Cost: proportional to the rows at even density; where most of them crowd into few squares of the bounding box, a visit of a
// square becomes long.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/point.hpp"

namespace throng {

class RowGrid {
 public:
  struct Resident {
    Point point;
    std::uint32_t row;
  };

  /// `points[row + 1]` is where a row is. At least one row.
  void build(std::span<const Point> points, std::span<const std::uint32_t> rows);

  /// Calls look_at(resident) ring by ring, until all that follow are further from `p` than the root of `farthest`, which look_at
  /// may lower meanwhile. `p` lies in the box of the rows.
  template <class LookAt>
  void visit(Point p, const std::int64_t& farthest, LookAt&& look_at) const {
    const std::int64_t column = (std::int64_t{p.x} - low_.x) / side_, line = (std::int64_t{p.y} - low_.y) / side_;
    const std::int64_t in_x = std::int64_t{p.x} - low_.x - column * side_, in_y = std::int64_t{p.y} - low_.y - line * side_;
    const std::int64_t to_border = std::min({in_x, in_y, side_ - in_x, side_ - in_y});
    const std::int64_t last_ring = std::max({column, columns_ - 1 - column, line, lines_ - 1 - line});
    for (std::int64_t ring = 0; ring <= last_ring; ++ring) {
      // What lies in this ring is at least as far as the border of the rings before.
      const auto gap = static_cast<double>(ring == 0 ? 0 : (ring - 1) * side_ + to_border);
      if (gap * gap > static_cast<double>(farthest)) break;
      for (std::int64_t l = std::max<std::int64_t>(line - ring, 0); l <= std::min(line + ring, lines_ - 1); ++l) {
        const bool whole = l == line - ring || l == line + ring;
        for (std::int64_t c = column - ring; c <= column + ring; c += whole || ring == 0 ? 1 : 2 * ring) {
          if (c < 0 || c >= columns_) continue;
          const auto square = static_cast<std::size_t>(l * columns_ + c);
          for (std::uint32_t k = start_[square]; k < start_[square + 1]; ++k) look_at(residents_[k]);
        }
      }
    }
  }

 private:
  std::size_t square_of(Point p) const {
    return static_cast<std::size_t>((std::int64_t{p.y} - low_.y) / side_ * columns_ + (std::int64_t{p.x} - low_.x) / side_);
  }

  Point low_{}, high_{};
  std::int64_t side_ = 1;  // of a square, in grid units
  std::int64_t columns_ = 1, lines_ = 1;
  std::vector<std::uint32_t> start_;
  std::vector<Resident> residents_;
};

}  // namespace throng
