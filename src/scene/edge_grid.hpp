// SPDX-License-Identifier: MIT
// A uniform grid over many segments, to ask which of them come near a place. Built once, read only.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/scene.hpp>

namespace throng {

class EdgeGrid {
 public:
  /// About one tile a segment, on average; a segment is entered in every tile it passes through. O(n + tiles passed).
  explicit EdgeGrid(std::span<const Segment> segments);

  std::uint32_t tile_count() const { return static_cast<std::uint32_t>(start_.size() - 1); }
  std::span<const std::uint32_t> in_tile(std::uint32_t tile) const {
    return {entries_.data() + start_[tile], start_[tile + 1] - start_[tile]};
  }
  /// Calls visit(segment index) for every segment in a tile within `reach` of p; one segment may come several times.
  template <class Visit>
  void near(Vec2 p, double reach, Visit visit) const {
    const int x1 = column(p.x + reach), y1 = line(p.y + reach);
    for (int y = line(p.y - reach); y <= y1; ++y)
      for (int x = column(p.x - reach); x <= x1; ++x)
        for (const std::uint32_t s : in_tile(static_cast<std::uint32_t>(y * columns_ + x))) visit(s);
  }

 private:
  int column(double x) const;
  int line(double y) const;
  template <class Visit>
  void tiles_of(const Segment& s, Visit visit) const;

  Vec2 low_;
  double tile_ = 1;
  int columns_ = 1;
  int lines_ = 1;
  std::vector<std::uint32_t> start_;
  std::vector<std::uint32_t> entries_;
};

}  // namespace throng
