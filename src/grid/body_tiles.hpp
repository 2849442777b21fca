// SPDX-License-Identifier: MIT
// Tiles as bodies use them: where in a tile somebody stands, and for which bodies there is room on the way to the next one.
//
// A body has a width, so a square that some ground reaches into need not hold one. Each tile gets a `stand`: its centre where a
// body of `body` radius has room there, else the nearest place of a lattice that has, else the roomiest one. A link to one of the
// eight neighbours knows how wide a body may be that walks from stand to stand in a straight line. Diagonal links exist only
// where the grid has them, that is where both tiles beside it are free: nobody cuts a corner.
//
// Stands that were moved to the side may come close to each other (a corridor narrower than two tiles covers two rows of squares
// by halves). Of two that are nearer than 0.7 tiles the one that was moved further is given up, unless that would part the
// ground.
//
// In a periodic world tiles beyond the border are those at the other end: links lead there.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/large_pages.hpp"
#include "grid/grid.hpp"

namespace throng {

/// Headings by eighths of a turn from east, counter-clockwise.
inline constexpr int kHeadings = 8;
struct HeadingStep {
  int column, row;
};
inline constexpr HeadingStep kHeadingSteps[kHeadings] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
constexpr int turned(int heading, int eighths) { return (heading + eighths) & 7; }
/// By how many eighths of a turn two headings differ: 0 to 4.
constexpr int eighths_between(int a, int b) {
  const int d = (a - b) & 7;
  return d > 4 ? 8 - d : d;
}

struct BodyTileSettings {
  double size = 0.5;   ///< m
  double body = 0.22;  ///< m, radius that stands have room for where they can
  Vec2 period_low, period_size;
};

class BodyTiles {
 public:
  BodyTiles() = default;
  BodyTiles(const Cells& cells, const BodyTileSettings& settings, FunctionRef<double(Vec2, std::uint32_t)> elevation);

  const Grid& grid() const { return grid_; }
  std::uint32_t tile_count() const { return static_cast<std::uint32_t>(node_.size()); }
  float size() const { return grid_.size(); }

  struct Stand {
    float x, y;
    float room;  ///< m to the nearest wall, at most kMostRoom; 0: nobody stands here
  };
  static constexpr float kMostRoom = 0.6f;
  /// A wall may be this much nearer than a body is wide, on the way between two stands: it slides along.
  static constexpr float kSlide = 0.05f;
  const Stand& stand(TileIndex t) const { return node_[t].stand; }
  /// The neighbour in a heading if a body of a radius gets there, else kNoTile.
  TileIndex next(TileIndex t, int heading, float radius) const {
    const Link& link = links_[t].to[static_cast<std::size_t>(heading)];
    return radius <= link.widest ? link.tile : kNoTile;
  }
  /// The heading in which a link leads to a neighbour; −1 if none does.
  int heading_to(TileIndex from, TileIndex to) const {
    for (int heading = 0; heading < kHeadings; ++heading)
      if (links_[from].to[static_cast<std::size_t>(heading)].tile == to) return heading;
    return -1;
  }
  /// A tile will be asked for soon: starts to fetch it from memory.
  void expect(TileIndex t) const { __builtin_prefetch(&node_[t]); }
  void expect_links(TileIndex t) const { __builtin_prefetch(&links_[t]); }
  void expect_square(TileIndex t) const { grid_.expect_square(t); }
  /// Tiles that can be reached from each other by the slimmest body have one number.
  std::uint32_t part(TileIndex t) const { return node_[t].part; }
  std::array<std::int32_t, 2> square(TileIndex t) const { return grid_.square(t); }
  std::uint32_t layer(TileIndex t) const { return grid_.layer(t); }
  /// The same tile inside the period.
  TileIndex inside(TileIndex t) const { return inside_.empty() || t == kNoTile ? t : inside_[t]; }
  /// From one place to another by the nearer way round.
  Vec2 way(Vec2 from, Vec2 to) const {
    Vec2 way = to - from;
    if (period_size_.x > 0) way.x -= period_size_.x * std::floor(way.x / period_size_.x + 0.5);
    if (period_size_.y > 0) way.y -= period_size_.y * std::floor(way.y / period_size_.y + 0.5);
    return way;
  }
  /// Columns and rows from one tile to another by the nearer way round.
  std::array<std::int32_t, 2> squares_between(TileIndex from, TileIndex to) const {
    const auto a = grid_.square(from), b = grid_.square(to);
    return nearer_way({b[0] - a[0], b[1] - a[1]});
  }
  /// The same squares by the nearer way round.
  std::array<std::int32_t, 2> nearer_way(std::array<std::int32_t, 2> d) const {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::int32_t many = period_squares_[axis];
      if (many == 0) continue;
      d[axis] = ((d[axis] % many) + many) % many;
      if (d[axis] > many / 2) d[axis] -= many;
    }
    return d;
  }

  /// The tile at a place for a body, or the nearest one that holds it within `reach` tiles and that `accepts` says yes to.
  TileIndex tile_for(Vec2 place, std::uint32_t layer, float radius, int reach, FunctionRef<bool(TileIndex)> accepts) const;

  std::uint64_t bytes() const;

 private:
  friend class BodyTilesBuilder;
  // A line of the cache for the links of a tile and a quarter of one for the rest: in a scene of a million tiles the way to them
  // is what a lookup costs.
  struct Link {
    TileIndex tile = kNoTile;
    float widest = -1;  ///< m, radius of a body that gets there and has room there; −1: none does
  };
  struct alignas(64) Links {
    std::array<Link, kHeadings> to;
  };
  struct alignas(16) Node {
    Stand stand;
    std::uint32_t part;
  };
  Grid grid_;
  LargeTable<Node> node_;
  LargeTable<Links> links_;
  std::vector<TileIndex> inside_;  ///< empty without a period
  Vec2 period_low_, period_size_;
  std::array<std::int32_t, 2> period_squares_{};
};

}  // namespace throng
