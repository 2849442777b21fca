// SPDX-License-Identifier: MIT
// Which lines of a layer's outlines touch or cross (scene/sheet_outlines.hpp). Decided exactly, on the grid.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/point.hpp"
#include "scene/edge_grid.hpp"

namespace throng {

struct OutlineLine {
  std::uint32_t from, to;  ///< vertices
};

/// Lines of one layer in a grid.
class OutlineGrid {
 public:
  OutlineGrid(std::span<const Point> vertices, std::span<const OutlineLine> lines);

  /// Calls visit(a, b) for pairs of lines that have more than a vertex in common, and visit(a, a) for lines without length; a
  /// pair may come twice. Lines on the same two vertices, one there and one back, are a pair only if `is_pair(a, b)` says so.
  template <class IsPair, class Visit>
  void tangles(IsPair is_pair, Visit visit) const {
    for (std::uint32_t tile = 0; tile < grid_.tile_count(); ++tile) {
      const auto here = grid_.in_tile(tile);
      for (std::size_t i = 0; i < here.size(); ++i) {
        if (vertices_[lines_[here[i]].from] == vertices_[lines_[here[i]].to]) visit(here[i], here[i]);
        for (std::size_t k = i + 1; k < here.size(); ++k) {
          const OutlineLine &a = lines_[here[i]], &b = lines_[here[k]];
          const bool back = a.from == b.to && a.to == b.from;
          if (here[i] != here[k] && (back ? is_pair(here[i], here[k]) : touch(a, b))) visit(here[i], here[k]);
        }
      }
    }
  }
  /// Calls visit(line) for lines that may come as near to a place as `reach` metres.
  template <class Visit>
  void near(Point p, double reach, Visit visit) const {
    grid_.near(to_metres(p), reach, visit);
  }

 private:
  bool touch(const OutlineLine& a, const OutlineLine& b) const;

  std::span<const Point> vertices_;
  std::span<const OutlineLine> lines_;
  EdgeGrid grid_;
};

}  // namespace throng
