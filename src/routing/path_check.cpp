// SPDX-License-Identifier: MIT
#include "routing/path_check.hpp"

#include <algorithm>

#include "geometry/tangents.hpp"
#include "routing/near_sides.hpp"

namespace throng {
namespace {

constexpr double kHair = 1e-6;          // metres beside a line that count as on it
constexpr double kOutside = 2 * kUnit;  // cells are convex up to this
constexpr double kFullTurn = 1e-6;      // by how much more than half a turn an arc may seem to go

class PathCheck {
 public:
  PathCheck(const Cells& cells, const PulledPath& path, std::span<const std::uint8_t> blocked, PathCheckScratch& scratch)
      : cells_(cells), path_(path), clearance_(cells, path.radius, blocked, scratch.clearance), visited_(scratch.visited) {}

  bool run(CellIndex cell) {
    Vec2 from = path_.start;
    for (std::size_t i = 0;; ++i) {
      const bool is_goal = i == path_.bends.size();
      const Vec2 to = is_goal ? path_.goal : path_.bends[i].arrive;
      if (!clearance_.leg_is_free({from, to, i == 0, is_goal}, cell)) return false;
      if (is_goal) return true;
      if (!walk(from, to, cell) || !turn(path_.bends[i], cell)) return false;
      from = path_.bends[i].leave;
    }
  }

 private:
  /// The cells along a line, in `visited_`.
  void visit(Vec2 from, Vec2 to, CellIndex cell) {
    visited_.assign(1, cell);
    for_sides_near(cells_, {from, normalised(to - from), 0, distance(from, to)}, kHair, cells_.cell_count(), visited_,
                   [](const Side&, std::uint32_t, Vec2, Vec2) {});
  }

  double depth_in(CellIndex c, Vec2 place) const {
    const auto sides = cells_.sides_of(c);
    double depth = 1e300;
    Vec2 a = cells_.position(sides.back().vertex);
    for (const Side& side : sides) {
      const Vec2 b = cells_.position(side.vertex);
      depth = std::min(depth, cross(b - a, place - a) / distance(a, b));
      a = b;
    }
    return depth;
  }

  /// On from a cell that holds `from` to one that holds `to`.
  bool walk(Vec2 from, Vec2 to, CellIndex& cell) {
    visit(from, to, cell);
    double best = -kOutside;
    for (const CellIndex c : visited_)
      if (const double depth = depth_in(c, to); depth > best) best = depth, cell = c;
    return best > -kOutside;
  }

  /// Round a corner, from the cell where the path arrives to the one where it leaves.
  bool turn(const Bend& bend, CellIndex& cell) {
    const Vec2 at = cells_.position(bend.vertex);
    if (bend.arrive == at) return true;  // a corner on no wall
    const Vec2 m = normalised(bend.arrive - at), n = normalised(bend.leave - at);
    if ((bend.turns_left ? 1 : -1) * cross(m, n) < -kFullTurn) return false;
    CornerInCell corner;
    visit(bend.arrive, at, cell);
    if (!find_corner(bend.vertex, corner) || !clearance_.arc_is_free(corner, m, n, bend.turns_left)) return false;
    return walk(at, bend.leave, cell = corner.cell);
  }

  bool find_corner(std::uint32_t vertex, CornerInCell& corner) const {
    for (const CellIndex c : visited_) {
      const auto sides = cells_.sides_of(c);
      for (std::uint32_t k = 0; k < sides.size(); ++k)
        if (sides[k].vertex == vertex) return corner = {c, k}, true;
    }
    return false;
  }

  const Cells& cells_;
  const PulledPath& path_;
  DiscClearance clearance_;
  std::vector<CellIndex>& visited_;
};

}  // namespace

bool can_be_walked(const Cells& cells, const PulledPath& path, CellIndex cell, std::span<const std::uint8_t> blocked,
                   PathCheckScratch& scratch) {
  return PathCheck(cells, path, blocked, scratch).run(cell);
}

}  // namespace throng
