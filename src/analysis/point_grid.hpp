// SPDX-License-Identifier: MIT
// Who is near: points sorted by the square they are in. O(n log n) to build, whatever their coordinates; a query costs a binary
// search for each row of squares and the points in them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/period.hpp"

namespace throng {

class PointGrid {
 public:
  /// Columns must outlive the grid. `square` > 0 is about the radius of the queries.
  PointGrid(std::span<const float> x, std::span<const float> y, double square, const Period& period = {})
      : x_(x), y_(y), period_(period), horizontal_(square, period.x), vertical_(square, period.y) {
    entries_.reserve(x.size());
    for (std::uint32_t i = 0; i < x.size(); ++i) entries_.push_back({key(horizontal_.index(x[i]), vertical_.index(y[i])), i});
    std::sort(entries_.begin(), entries_.end());
  }

  /// Calls f(index, vector from `centre` to the point) for every point nearer than `radius`, over the period's seams too. A point
  /// has one image: the nearest.
  template <class F>
  void for_each_near(Vec2 centre, double radius, F f) const {
    const Range columns = horizontal_.range(centre.x, radius), rows = vertical_.range(centre.y, radius);
    for (std::int64_t row = rows.first; row <= rows.last; ++row) {
      const std::int64_t wrapped = vertical_.wrap(row);
      // A range of columns over the seam is two.
      std::int64_t from = columns.first;
      while (from <= columns.last) {
        const std::int64_t start = horizontal_.wrap(from);
        std::int64_t count = columns.last - from + 1;
        if (horizontal_.count > 0) count = std::min(count, horizontal_.count - start);
        visit(key(start, wrapped), key(start + count - 1, wrapped), centre, radius, f);
        from += count;
      }
    }
  }

 private:
  struct Range {
    std::int64_t first, last;
  };
  struct Axis {
    double square;
    std::int64_t count;  ///< squares in a period; 0: no period

    Axis(double wanted, double period) : square(wanted), count(0) {
      if (period <= 0) return;
      count = std::max<std::int64_t>(1, static_cast<std::int64_t>(period / wanted));
      square = period / static_cast<double>(count);
    }
    std::int64_t wrap(std::int64_t i) const { return count == 0 ? i : ((i % count) + count) % count; }
    std::int64_t index(double at) const { return wrap(static_cast<std::int64_t>(std::floor(at / square))); }
    Range range(double centre, double radius) const {
      const Range r{static_cast<std::int64_t>(std::floor((centre - radius) / square)),
                    static_cast<std::int64_t>(std::floor((centre + radius) / square))};
      if (count > 0 && r.last - r.first >= count) return {0, count - 1};
      return r;
    }
  };
  struct Entry {
    std::uint64_t key;
    std::uint32_t index;
    friend bool operator<(const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.index < b.index; }
  };

  static std::uint64_t key(std::int64_t column, std::int64_t row) {
    constexpr std::int64_t kMiddle = std::int64_t{1} << 31;
    return static_cast<std::uint64_t>(row + kMiddle) << 32 | static_cast<std::uint32_t>(column + kMiddle);
  }

  template <class F>
  void visit(std::uint64_t first, std::uint64_t last, Vec2 centre, double radius, F& f) const {
    for (auto e = std::lower_bound(entries_.begin(), entries_.end(), Entry{first, 0}); e != entries_.end() && e->key <= last;
         ++e) {
      const Vec2 offset = period_.shortest(Vec2{x_[e->index], y_[e->index]} - centre);
      if (dot(offset, offset) < radius * radius) f(e->index, offset);
    }
  }

  std::span<const float> x_, y_;
  Period period_;
  Axis horizontal_, vertical_;
  std::vector<Entry> entries_;
};

}  // namespace throng
