// SPDX-License-Identifier: MIT
// Which buckets of a locator's grid a triangle or a wall overlaps.
#pragma once
#include <algorithm>
#include <span>

#include "navigation/locator.hpp"

namespace throng {

inline constexpr std::int32_t kConvexityUnits = 2;  ///< cells are convex up to this

struct BucketBox {
  Point low, high;
};

inline BucketBox bounds(std::span<const Point> points) {
  BucketBox box = {points[0], points[0]};
  for (Point p : points) {
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
  }
  return box;
}

/// Whether all of the box lies strictly right of a→b.
inline bool lies_right(const BucketBox& box, Point a, Point b) {
  return orient(a, b, box.low) < 0 && orient(a, b, box.high) < 0 && orient(a, b, {box.low.x, box.high.y}) < 0 &&
         orient(a, b, {box.high.x, box.low.y}) < 0;
}

/// Calls visit(bucket) for all buckets of the grid that a closed triangle or segment overlaps, with a little slack.
template <class Visit>
void for_buckets(const Locator::Grid& grid, std::span<const Point> outline, Visit visit) {
  const BucketBox box = bounds(outline);
  const auto column = [&](std::int32_t x) { return std::clamp((x - grid.origin.x) / grid.bucket_units, 0, grid.columns - 1); };
  const auto row = [&](std::int32_t y) { return std::clamp((y - grid.origin.y) / grid.bucket_units, 0, grid.rows - 1); };
  constexpr std::int32_t kSlack = kConvexityUnits + 1;
  const std::int32_t first = column(box.low.x - kSlack), last = column(box.high.x + kSlack);
  for (std::int32_t y = row(box.low.y - kSlack); y <= row(box.high.y + kSlack); ++y)
    for (std::int32_t x = first; x <= last; ++x) {
      const Point corner = {grid.origin.x + x * grid.bucket_units, grid.origin.y + y * grid.bucket_units};
      const BucketBox bucket = {{corner.x - kSlack, corner.y - kSlack},
                                {corner.x + grid.bucket_units + kSlack, corner.y + grid.bucket_units + kSlack}};
      bool apart = false;
      for (std::size_t i = 0; i < outline.size() && !apart; ++i)
        apart = lies_right(bucket, outline[i], outline[i + 1 == outline.size() ? 0 : i + 1]);
      if (!apart) visit(grid.first_bucket + static_cast<std::uint32_t>(y * grid.columns + x));
    }
}

}  // namespace throng
