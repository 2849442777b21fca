// SPDX-License-Identifier: MIT
// The 8 nearest of every agent on its layer, by a uniform grid (row_grid.hpp): the neighbourhood graph's second mode.
#pragma once
#include "neighbours/neighbour_graph.hpp"
#include "neighbours/row_grid.hpp"

namespace throng {

class NearestGrid {
 public:
  static constexpr std::uint32_t kCount = 8;

  /// `points[i + 1]` is agent i on the grid. Returns the links cut by walls.
  std::uint32_t link(const NeighbourInput& input, std::span<const Point> points, const NeighbourSettings& settings,
                     TaskRunner& tasks, NeighbourLists& lists);

 private:
  std::vector<std::uint32_t> rows_;  // all
  RowGrid grid_;
};

}  // namespace throng
