// SPDX-License-Identifier: MIT
#include "scene/edge_grid.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

int EdgeGrid::column(double x) const { return static_cast<int>(std::clamp((x - low_.x) / tile_, 0.0, columns_ - 1.0)); }
int EdgeGrid::line(double y) const { return static_cast<int>(std::clamp((y - low_.y) / tile_, 0.0, lines_ - 1.0)); }

template <class Visit>
void EdgeGrid::tiles_of(const Segment& s, Visit visit) const {
  const Vec2 a = s.a.y <= s.b.y ? s.a : s.b, b = s.a.y <= s.b.y ? s.b : s.a;
  const int first = line(a.y), last = line(b.y);
  for (int y = first; y <= last; ++y) {
    // The part of the segment within this line of tiles, a hair longer so that rounding loses no tile.
    double x0 = a.x, x1 = b.x;
    if (first != last) {
      const double slope = (b.x - a.x) / (b.y - a.y);
      if (y != first) x0 = a.x + slope * (low_.y + y * tile_ - a.y);
      if (y != last) x1 = a.x + slope * (low_.y + (y + 1) * tile_ - a.y);
    }
    const double hair = 1e-6 * tile_;
    const int to = column(std::max(x0, x1) + hair);
    for (int x = column(std::min(x0, x1) - hair); x <= to; ++x) visit(static_cast<std::uint32_t>(y * columns_ + x));
  }
}

EdgeGrid::EdgeGrid(std::span<const Segment> segments) {
  Vec2 high{-1e300, -1e300};
  low_ = {1e300, 1e300};
  for (const Segment& s : segments)
    for (const Vec2 p : {s.a, s.b}) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  if (segments.empty()) low_ = high = {0, 0};
  const double width = std::max(high.x - low_.x, 1e-3), height = std::max(high.y - low_.y, 1e-3);
  // Long thin scenes must not get more tiles than segments either: at least extent / count per tile.
  const double count = static_cast<double>(segments.size()) + 1;
  tile_ = std::max({std::sqrt(width * height / count), width / count, height / count});
  columns_ = static_cast<int>(width / tile_) + 1;
  lines_ = static_cast<int>(height / tile_) + 1;

  start_.assign(static_cast<std::size_t>(columns_) * lines_ + 1, 0);
  for (const Segment& s : segments) tiles_of(s, [&](std::uint32_t tile) { ++start_[tile + 1]; });
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  entries_.resize(start_.back());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (std::uint32_t i = 0; i < segments.size(); ++i)
    tiles_of(segments[i], [&](std::uint32_t tile) { entries_[next[tile]++] = i; });
}

}  // namespace throng
