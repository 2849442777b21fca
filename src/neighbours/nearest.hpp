// SPDX-License-Identifier: MIT
// The 8 nearest of every agent by a uniform grid (ALGORITHMS §7.6): the neighbourhood graph's second mode.
//
// Agents are counted into squares that hold three on average (counting sort, rows of the grid one after the other); each searches
// rings of squares round its own until no nearer one can come. Cost: proportional to n at even density; where most agents crowd
// into few squares of the bounding box the search of a square becomes quadratic.
#pragma once
#include "neighbours/neighbour_graph.hpp"

namespace throng {

class NearestGrid {
 public:
  static constexpr std::uint32_t kCount = 8;

  /// `points[i + 1]` is agent i on the grid. Returns the links cut by walls.
  std::uint32_t link(const NeighbourInput& input, std::span<const Point> points, const NeighbourSettings& settings,
                     TaskRunner& tasks, NeighbourLists& lists);

 private:
  struct Resident {
    Point point;
    std::uint32_t row;
  };
  void sort(std::span<const Point> points);
  std::size_t square_of(Point p) const;

  Point low_{}, high_{};
  std::int64_t side_ = 1;  // of a square, in grid units
  std::int64_t columns_ = 1, rows_ = 1;
  std::vector<std::uint32_t> start_;
  std::vector<Resident> residents_;
};

}  // namespace throng
