// SPDX-License-Identifier: MIT
// From cells to tiles, in this order: walls by square, ground by square, squares that joints join, numbers, links.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "grid/grid.hpp"

namespace throng {
namespace {

constexpr int kLattice = 7;  // points a side that a square without a free centre is tried at
constexpr int kSpots = 16;   // steps along an edge, between places that are tried as passage
constexpr std::uint8_t kNoGround = 0xff;

struct Wall {
  Point a, b;
};

bool is_between(Point a, Point b, Point p) {
  return std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y && p.y <= std::max(a.y, b.y);
}

/// Whether two closed segments have a point in common.
bool touch(Point a, Point b, Point c, Point d) {
  const std::int64_t c_side = orient(a, b, c), d_side = orient(a, b, d), a_side = orient(c, d, a), b_side = orient(c, d, b);
  if (((c_side > 0 && d_side < 0) || (c_side < 0 && d_side > 0)) && ((a_side > 0 && b_side < 0) || (a_side < 0 && b_side > 0)))
    return true;
  return (c_side == 0 && is_between(a, b, c)) || (d_side == 0 && is_between(a, b, d)) || (a_side == 0 && is_between(c, d, a)) ||
         (b_side == 0 && is_between(c, d, b));
}

double distance_squared(Point p, Point a, Point b) {
  const Vec2 way = to_metres(b) - to_metres(a), to = to_metres(p) - to_metres(a);
  const double squared = dot(way, way), share = squared > 0 ? std::clamp(dot(to, way) / squared, 0.0, 1.0) : 0;
  const Vec2 rest = to - share * way;
  return dot(rest, rest);
}

std::int32_t floor_div(std::int32_t a, std::int32_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// Lattice points from the centre outwards, as eighths of a square.
struct Lattice {
  std::array<std::array<std::int32_t, 2>, kLattice * kLattice> at;
  Lattice() {
    int k = 0;
    for (std::int32_t y = 1; y <= kLattice; ++y)
      for (std::int32_t x = 1; x <= kLattice; ++x) at[k++] = {x, y};
    constexpr std::int32_t kMiddle = (kLattice + 1) / 2;
    const auto far = [](const std::array<std::int32_t, 2>& p) {
      return (p[0] - kMiddle) * (p[0] - kMiddle) + (p[1] - kMiddle) * (p[1] - kMiddle);
    };
    std::stable_sort(at.begin(), at.end(), [&](const auto& p, const auto& q) { return far(p) < far(q); });
  }
};

}  // namespace

class GridBuilder {
 public:
  GridBuilder(const Cells& cells, const GridSettings& settings, Grid& grid) : cells_(cells), grid_(grid) {
    units_ = 2 * std::max(1, static_cast<std::int32_t>(std::lround(settings.size * kUnitsPerMetre / 2)));
    grid_.size_ = static_cast<float>(units_ * kUnit);
    grid_.per_metre_ = 1 / grid_.size_;
    room_ = std::min(settings.room, units_ * kUnit / 4);
  }

  void run(FunctionRef<double(Vec2, std::uint32_t)> elevation) {
    make_tables();
    sort_walls();
    find_ground();
    join_layers();
    number_tiles(elevation);
    link_edges();
    link_corners();
  }

 private:
  std::int32_t square_of(std::int32_t unit) const { return floor_div(unit, units_); }
  std::size_t entry_of(const Grid::Table& table, std::int32_t column, std::int32_t row) const {
    return table.first_entry + static_cast<std::size_t>(row - table.first_row) * static_cast<std::size_t>(table.columns) +
           static_cast<std::size_t>(column - table.first_column);
  }
  bool has(const Grid::Table& table, std::int32_t column, std::int32_t row) const {
    return column >= table.first_column && column < table.first_column + table.columns && row >= table.first_row &&
           row < table.first_row + table.rows;
  }
  Point vertex(const Side& side) const { return cells_.vertices[side.vertex]; }

  void make_tables() {
    std::uint32_t layers = 0;
    for (const std::uint32_t layer : cells_.layer) layers = std::max(layers, layer + 1);
    struct Box {
      std::int32_t low_x = kCoordinateLimit, low_y = kCoordinateLimit, high_x = -kCoordinateLimit, high_y = -kCoordinateLimit;
    };
    std::vector<Box> boxes(layers);
    for (CellIndex c = 0; c < cells_.cell_count(); ++c) {
      Box& box = boxes[cells_.layer[c]];
      for (const Side& side : cells_.sides_of(c)) {
        const Point p = vertex(side);
        box.low_x = std::min(box.low_x, p.x), box.high_x = std::max(box.high_x, p.x);
        box.low_y = std::min(box.low_y, p.y), box.high_y = std::max(box.high_y, p.y);
      }
    }
    std::size_t entries = 0;
    for (const Box& box : boxes) {
      Grid::Table table;
      table.first_entry = entries;
      if (box.low_x <= box.high_x) {
        table.first_column = square_of(box.low_x) - 1, table.first_row = square_of(box.low_y) - 1;
        table.columns = square_of(box.high_x) + 2 - table.first_column;
        table.rows = square_of(box.high_y) + 2 - table.first_row;
      }
      entries += static_cast<std::size_t>(table.columns) * static_cast<std::size_t>(table.rows);
      grid_.tables_.push_back(table);
    }
    rank_.assign(entries, kNoGround);
    cell_.assign(entries, kNoCell);
    grid_.entries_.assign(entries, kNoTile);
  }

  /// Calls visit(column, row) for every square that a segment touches, and perhaps a few more beside it.
  template <class Visit>
  void along(Point a, Point b, Visit&& visit) const {
    if (a.y > b.y) std::swap(a, b);
    const std::int32_t first = square_of(a.y - 1), last = square_of(b.y);
    for (std::int32_t row = first; row <= last; ++row) {
      double from = a.x, to = b.x;
      if (a.y != b.y) {
        const auto x_at = [&](double y) {
          return a.x + (b.x - a.x) * std::clamp((y - a.y) / (static_cast<double>(b.y) - a.y), 0.0, 1.0);
        };
        from = x_at(static_cast<double>(row) * units_), to = x_at((row + 1.0) * units_);
      }
      if (from > to) std::swap(from, to);
      const auto left = square_of(static_cast<std::int32_t>(std::floor(from)) - 1);
      const auto right = square_of(static_cast<std::int32_t>(std::ceil(to)));
      for (std::int32_t column = left; column <= right; ++column) visit(column, row);
    }
  }

  void sort_walls() {
    std::vector<std::uint32_t> at;
    wall_start_.assign(grid_.entries_.size() + 1, 0);
    const auto each = [&](auto&& visit) {
      for (CellIndex c = 0; c < cells_.cell_count(); ++c) {
        const Grid::Table& table = grid_.tables_[cells_.layer[c]];
        const std::span<const Side> sides = cells_.sides_of(c);
        for (std::size_t i = 0; i < sides.size(); ++i) {
          if (sides[i].portal != kNoPortal) continue;
          const Wall wall{vertex(sides[i]), vertex(sides[(i + 1) % sides.size()])};
          along(wall.a, wall.b, [&](std::int32_t column, std::int32_t row) {
            if (has(table, column, row)) visit(entry_of(table, column, row), wall);
          });
        }
      }
    };
    each([&](std::size_t entry, const Wall&) { ++wall_start_[entry + 1]; });
    for (std::size_t i = 1; i < wall_start_.size(); ++i) wall_start_[i] += wall_start_[i - 1];
    walls_.resize(wall_start_.back());
    at.assign(wall_start_.begin(), wall_start_.end() - 1);
    each([&](std::size_t entry, const Wall& wall) { walls_[at[entry]++] = wall; });
  }

  /// Inside the cell, and not on one of its walls.
  bool holds(CellIndex c, Point p) const {
    const std::span<const Side> sides = cells_.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::int64_t side = orient(vertex(sides[i]), vertex(sides[(i + 1) % sides.size()]), p);
      if (side < 0 || (side == 0 && sides[i].portal == kNoPortal)) return false;
    }
    return true;
  }

  Point lattice_point(std::int32_t column, std::int32_t row, std::size_t rank) const {
    const auto at = lattice_.at[rank];
    return {column * units_ + at[0] * units_ / (kLattice + 1), row * units_ + at[1] * units_ / (kLattice + 1)};
  }

  /// For each square the point nearest to its centre that some cell holds. Squares in the inside of ground are settled by their
  /// centre; the others are tried point by point.
  void find_ground() {
    for (CellIndex c = 0; c < cells_.cell_count(); ++c) {
      const Grid::Table& table = grid_.tables_[cells_.layer[c]];
      Point low{kCoordinateLimit, kCoordinateLimit}, high{-kCoordinateLimit, -kCoordinateLimit};
      for (const Side& side : cells_.sides_of(c)) {
        const Point p = vertex(side);
        low = {std::min(low.x, p.x), std::min(low.y, p.y)}, high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
      for (std::int32_t row = square_of(low.y); row <= square_of(high.y); ++row) {
        const auto [left, right] = span_in(c, row, low, high);
        for (std::int32_t column = left; column <= right; ++column) {
          const std::size_t entry = entry_of(table, column, row);
          for (std::size_t rank = 0; rank < lattice_.at.size() && rank < rank_[entry]; ++rank)
            if (holds(c, lattice_point(column, row, rank))) {
              rank_[entry] = static_cast<std::uint8_t>(rank);
              cell_[entry] = c;
            }
        }
      }
    }
  }

  /// The columns that a cell may reach in a row of squares.
  std::array<std::int32_t, 2> span_in(CellIndex c, std::int32_t row, Point low, Point high) const {
    const double bottom = static_cast<double>(row) * units_, top = bottom + units_;
    double from = high.x, to = low.x;
    const std::span<const Side> sides = cells_.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const Point a = vertex(sides[i]), b = vertex(sides[(i + 1) % sides.size()]);
      if (std::max(a.y, b.y) < bottom || std::min(a.y, b.y) > top) continue;
      const auto x_at = [&](double y) {
        if (a.y == b.y) return static_cast<double>(a.x);
        return a.x + (b.x - a.x) * std::clamp((y - a.y) / (static_cast<double>(b.y) - a.y), 0.0, 1.0);
      };
      for (const double x : {x_at(bottom), x_at(top), a.y == b.y ? static_cast<double>(b.x) : x_at(bottom)})
        from = std::min(from, x), to = std::max(to, x);
    }
    return {square_of(std::max(low.x, static_cast<std::int32_t>(std::floor(from)))),
            square_of(std::min(high.x, static_cast<std::int32_t>(std::ceil(to))))};
  }

  std::uint32_t root(std::uint32_t entry) {
    while (leader_[entry] != entry) entry = leader_[entry] = leader_[leader_[entry]];
    return entry;
  }

  /// Squares of two layers that a joint runs through become one; one that it only bounds is known to both layers.
  void join_layers() {
    leader_.resize(grid_.entries_.size());
    for (std::uint32_t i = 0; i < leader_.size(); ++i) leader_[i] = i;
    for (const Portal& portal : cells_.portals) {
      const std::array<std::uint32_t, 2> layer = {cells_.layer[portal.cell[0]], cells_.layer[portal.cell[1]]};
      if (layer[0] == layer[1]) continue;
      const Point a = portal.position[0], b = portal.position[1];
      along(a, b, [&](std::int32_t column, std::int32_t row) {
        const Point low{column * units_, row * units_}, high{low.x + units_, low.y + units_};
        if (!reaches(a, b, low, high)) return;
        std::array<std::uint32_t, 2> entry{};
        for (int side = 0; side < 2; ++side) {
          const Grid::Table& table = grid_.tables_[layer[side]];
          if (!has(table, column, row)) return;
          entry[side] = root(static_cast<std::uint32_t>(entry_of(table, column, row)));
        }
        if (entry[0] == entry[1]) return;
        // A joint on the border of a square has ground of one layer in it only, unless the other has some of its own.
        const bool is_inside = reaches(a, b, {low.x + 1, low.y + 1}, {high.x - 1, high.y - 1});
        if (!is_inside && rank_[entry[0]] != kNoGround && rank_[entry[1]] != kNoGround) return;
        const bool first_leads = rank_[entry[0]] < rank_[entry[1]] || (rank_[entry[0]] == rank_[entry[1]] && entry[0] < entry[1]);
        leader_[entry[first_leads ? 1 : 0]] = entry[first_leads ? 0 : 1];
      });
    }
  }

  /// Whether a closed segment meets a closed box.
  static bool reaches(Point a, Point b, Point low, Point high) {
    const auto inside = [&](Point p) { return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y; };
    if (inside(a) || inside(b)) return true;
    const Point right{high.x, low.y}, left{low.x, high.y};
    return touch(a, b, low, right) || touch(a, b, right, high) || touch(a, b, high, left) || touch(a, b, left, low);
  }

  void number_tiles(FunctionRef<double(Vec2, std::uint32_t)> elevation) {
    for (std::uint32_t layer = 0; layer < grid_.tables_.size(); ++layer) {
      const Grid::Table& table = grid_.tables_[layer];
      for (std::int32_t row = table.first_row; row < table.first_row + table.rows; ++row)
        for (std::int32_t column = table.first_column; column < table.first_column + table.columns; ++column) {
          const std::size_t entry = entry_of(table, column, row);
          if (rank_[entry] == kNoGround || root(static_cast<std::uint32_t>(entry)) != entry) continue;
          const Point point = lattice_point(column, row, rank_[entry]);
          grid_.entries_[entry] = static_cast<TileIndex>(grid_.square_.size());
          grid_.square_.push_back({column, row});
          grid_.point_.push_back(point);
          grid_.cell_.push_back(cell_[entry]);
          grid_.layer_.push_back(layer);
          grid_.height_.push_back(static_cast<float>(elevation(to_metres(point), layer)));
          grid_.is_flat_ &= grid_.height_.back() == grid_.height_.front();
        }
    }
    for (std::uint32_t entry = 0; entry < leader_.size(); ++entry) {
      const std::uint32_t leader = root(entry);
      if (leader == entry) continue;
      grid_.entries_[entry] = grid_.entries_[leader];
      if (grid_.entries_[leader] != kNoTile) joined_.emplace_back(grid_.entries_[leader], entry);
    }
    std::sort(joined_.begin(), joined_.end());
    grid_.next_.assign(grid_.square_.size(), {kNoTile, kNoTile, kNoTile, kNoTile});
    grid_.diagonal_.assign(grid_.square_.size(), {kNoTile, kNoTile, kNoTile, kNoTile});
  }

  /// Adds the walls of a tile's square, on all layers that it belongs to, to those of the present question.
  void add_walls(TileIndex tile) {
    const auto add = [&](std::size_t entry) {
      near_.insert(near_.end(), walls_.begin() + wall_start_[entry], walls_.begin() + wall_start_[entry + 1]);
    };
    add(entry_of(grid_.tables_[grid_.layer_[tile]], grid_.square_[tile][0], grid_.square_[tile][1]));
    for (auto at = std::lower_bound(joined_.begin(), joined_.end(), std::pair{tile, 0u});
         at != joined_.end() && at->first == tile; ++at)
      add(at->second);
  }

  /// Whether a straight line touches no wall, and keeps its distance to all.
  bool is_free(Point a, Point b, double distance = 0) const {
    const double limit = distance * distance;
    return std::none_of(near_.begin(), near_.end(), [&](const Wall& wall) {
      if (touch(a, b, wall.a, wall.b)) return true;
      return limit > 0 && (distance_squared(a, wall.a, wall.b) < limit || distance_squared(b, wall.a, wall.b) < limit ||
                           distance_squared(wall.a, a, b) < limit || distance_squared(wall.b, a, b) < limit);
    });
  }

  /// Whether there is a way for a body over the edge between two tiles.
  bool is_passable(TileIndex from, TileIndex to, int direction) {
    near_.clear();
    for (const TileIndex tile : {from, to}) add_walls(tile);
    if (near_.empty()) return true;
    find_bends(from, bends_from_);
    find_bends(to, bends_to_);
    const auto [column, row] = grid_.square_[to];
    const auto is_reached = [&](const std::vector<Point>& bends, Point spot) {
      return std::any_of(bends.begin(), bends.end(), [&](Point bend) { return is_free(bend, spot, room_); });
    };
    for (int i = 0; i <= kSpots; ++i) {
      // From the middle outwards: mostly the first will do.
      const std::int32_t along = (kSpots / 2 + ((i & 1) != 0 ? (i + 1) / 2 : -i / 2)) * units_ / kSpots;
      const Point spot =
          direction == kEast ? Point{column * units_, row * units_ + along} : Point{column * units_ + along, row * units_};
      if (is_reached(bends_from_, spot) && is_reached(bends_to_, spot)) return true;
    }
    return false;
  }

  /// The places of a tile with room for a body that one gets to from its point: straight to the first of them, which is the point
  /// itself if it has room, and from there with room.
  void find_bends(TileIndex tile, std::vector<Point>& bends) const {
    bends.clear();
    const auto [column, row] = grid_.square_[tile];
    for (std::size_t rank = 0; rank < lattice_.at.size(); ++rank) {
      const Point p = lattice_point(column, row, rank);
      if (!is_free(p, p, room_)) continue;
      if (bends.empty() ? is_free(grid_.point_[tile], p) : is_free(bends[0], p, room_)) bends.push_back(p);
    }
  }

  void link_edges() {
    for (std::uint32_t layer = 0; layer < grid_.tables_.size(); ++layer) {
      const Grid::Table& table = grid_.tables_[layer];
      for (std::int32_t row = table.first_row; row < table.first_row + table.rows; ++row)
        for (std::int32_t column = table.first_column; column < table.first_column + table.columns; ++column) {
          const TileIndex from = grid_.entries_[entry_of(table, column, row)];
          if (from == kNoTile) continue;
          for (const int direction : {kEast, kNorth}) {
            const TileIndex to = grid_.entry(column + (direction == kEast), row + (direction == kNorth), layer);
            if (to == kNoTile || grid_.next_[from][direction] != kNoTile || grid_.next_[to][opposite(direction)] != kNoTile)
              continue;
            if (!is_passable(from, to, direction)) continue;
            grid_.next_[from][direction] = to;
            grid_.next_[to][opposite(direction)] = from;
          }
        }
    }
  }

  void link_corners() {
    const auto step = [&](TileIndex tile, int direction) { return tile == kNoTile ? kNoTile : grid_.next_[tile][direction]; };
    for (TileIndex from = 0; from < grid_.tile_count(); ++from)
      for (const int corner : {kNorthEast, kNorthWest}) {
        const int across = corner == kNorthEast ? kEast : kWest;
        const TileIndex beside = step(from, across), above = step(from, kNorth), to = step(above, across);
        if (to == kNoTile || to != step(beside, kNorth)) continue;
        near_.clear();
        for (const TileIndex tile : {from, beside, above, to}) add_walls(tile);
        if (!is_free(grid_.point_[from], grid_.point_[to], room_)) continue;
        grid_.diagonal_[from][corner] = to;
        grid_.diagonal_[to][opposite(corner)] = from;
      }
  }

  const Cells& cells_;
  Grid& grid_;
  Lattice lattice_;
  std::int32_t units_ = 1;
  double room_ = 0;
  std::vector<std::uint8_t> rank_;  ///< by entry: which lattice point is free
  std::vector<CellIndex> cell_;     ///< that holds it
  std::vector<std::uint32_t> wall_start_;
  std::vector<Wall> walls_;
  std::vector<std::uint32_t> leader_;                        ///< entries that are one tile
  std::vector<std::pair<TileIndex, std::uint32_t>> joined_;  ///< tiles and their further entries
  std::vector<Wall> near_;
  std::vector<Point> bends_from_, bends_to_;
};

Grid::Grid(const Cells& cells, const GridSettings& settings, FunctionRef<double(Vec2, std::uint32_t)> elevation) {
  GridBuilder(cells, settings, *this).run(elevation);
}

}  // namespace throng
