// SPDX-License-Identifier: MIT
#include "grid/body_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace throng {
namespace {

constexpr int kStandLattice = 7;  // places a side

struct Segment {
  Vec2 a, b;
};

double distance_squared(Vec2 p, const Segment& s) {
  const Vec2 way = s.b - s.a, to = p - s.a;
  const double squared = dot(way, way), share = squared > 0 ? std::clamp(dot(to, way) / squared, 0.0, 1.0) : 0;
  const Vec2 rest = to - share * way;
  return dot(rest, rest);
}

double side_of(const Segment& s, Vec2 p) { return (s.b.x - s.a.x) * (p.y - s.a.y) - (s.b.y - s.a.y) * (p.x - s.a.x); }

bool cross(const Segment& s, const Segment& t) {
  const double c = side_of(s, t.a), d = side_of(s, t.b), a = side_of(t, s.a), b = side_of(t, s.b);
  return ((c >= 0 && d <= 0) || (c <= 0 && d >= 0)) && ((a >= 0 && b <= 0) || (a <= 0 && b >= 0)) &&
         !(c == 0 && d == 0 && a == 0 && b == 0 && dot(t.a - s.a, t.b - s.a) > 0 && dot(t.a - s.b, t.b - s.b) > 0);
}

double distance_squared(const Segment& s, const Segment& t) {
  if (cross(s, t)) return 0;
  return std::min({distance_squared(s.a, t), distance_squared(s.b, t), distance_squared(t.a, s), distance_squared(t.b, s)});
}

/// Places of the lattice from the centre outwards, in squares.
struct StandLattice {
  std::array<Vec2, kStandLattice * kStandLattice> at;
  StandLattice() {
    std::size_t k = 0;
    for (int y = 1; y <= kStandLattice; ++y)
      for (int x = 1; x <= kStandLattice; ++x) at[k++] = {x / (kStandLattice + 1.0) - 0.5, y / (kStandLattice + 1.0) - 0.5};
    std::stable_sort(at.begin(), at.end(), [](Vec2 p, Vec2 q) { return dot(p, p) < dot(q, q); });
  }
};

}  // namespace

class BodyTilesBuilder {
 public:
  BodyTilesBuilder(const Cells& cells, const BodyTileSettings& settings, BodyTiles& tiles)
      : cells_(cells), settings_(settings), tiles_(tiles), grid_(tiles.grid_) {}

  void run() {
    sort_walls();
    find_stands();
    link();
    drop_close_stands();
    close_period();
    find_parts();
    // Till now the room of the way.
    const float most = widest_for(BodyTiles::kMostRoom);  // on nearly all of them
    for (BodyTiles::Links& links : tiles_.links_)
      for (BodyTiles::Link& l : links.to)
        if (l.tile != kNoTile)
          l.widest = std::min(l.widest == BodyTiles::kMostRoom ? most : widest_for(l.widest), tiles_.node_[l.tile].stand.room);
  }

 private:
  std::int32_t square_of(double v) const { return static_cast<std::int32_t>(std::floor(v / static_cast<double>(grid_.size()))); }

  /// Walls by the tiles whose surroundings they reach, so that a tile need not ask its neighbours.
  void sort_walls() {
    std::vector<std::pair<TileIndex, std::uint32_t>> found;
    const double reach = static_cast<double>(BodyTiles::kMostRoom);
    for (CellIndex c = 0; c < cells_.cell_count(); ++c) {
      const std::span<const Side> sides = cells_.sides_of(c);
      for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i].portal != kNoPortal) continue;
        const Segment wall{cells_.position(sides[i].vertex), cells_.position(sides[(i + 1) % sides.size()].vertex)};
        const auto index = static_cast<std::uint32_t>(walls_.size());
        walls_.push_back(wall);
        const std::int32_t bottom = square_of(std::min(wall.a.y, wall.b.y) - reach),
                           top = square_of(std::max(wall.a.y, wall.b.y) + reach);
        for (std::int32_t row = bottom; row <= top; ++row) {
          // The part of the wall that is near this row.
          const double low = static_cast<double>(row) * static_cast<double>(grid_.size()) - reach,
                       high = (row + 1.0) * static_cast<double>(grid_.size()) + reach;
          double from = wall.a.x, to = wall.b.x;
          if (wall.a.y != wall.b.y) {
            const auto x_at = [&](double y) {
              return wall.a.x + (wall.b.x - wall.a.x) * std::clamp((y - wall.a.y) / (wall.b.y - wall.a.y), 0.0, 1.0);
            };
            from = x_at(low), to = x_at(high);
          }
          if (from > to) std::swap(from, to);
          for (std::int32_t column = square_of(from - reach); column <= square_of(to + reach); ++column)
            if (const TileIndex t = grid_.tile_of_square(column, row, cells_.layer[c]); t != kNoTile)
              found.emplace_back(t, index);
        }
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    wall_start_.assign(grid_.tile_count() + 1, 0);
    for (const auto& [tile, wall] : found) ++wall_start_[tile + 1];
    std::partial_sum(wall_start_.begin(), wall_start_.end(), wall_start_.begin());
    for (const auto& [tile, wall] : found) near_.push_back(wall);
  }
  std::span<const std::uint32_t> walls_of(TileIndex t) const {
    return {near_.data() + wall_start_[t], wall_start_[t + 1] - wall_start_[t]};
  }

  void find_stands() {
    const StandLattice lattice;
    const auto size = static_cast<double>(grid_.size());
    tiles_.node_.resize(grid_.tile_count());
    rank_.assign(grid_.tile_count(), 0);
    for (TileIndex t = 0; t < grid_.tile_count(); ++t) {
      const Vec2 centre = grid_.centre(t), point = grid_.point(t);
      BodyTiles::Stand& stand = tiles_.node_[t].stand;
      stand = {static_cast<float>(centre.x), static_cast<float>(centre.y), BodyTiles::kMostRoom};
      const auto walls = walls_of(t);
      if (walls.empty()) continue;
      stand.room = 0;
      for (std::size_t rank = 0; rank < lattice.at.size(); ++rank) {
        const Vec2 place = centre + size * lattice.at[rank];
        double room = static_cast<double>(BodyTiles::kMostRoom) * static_cast<double>(BodyTiles::kMostRoom);
        bool is_seen = true;
        for (const std::uint32_t w : walls) {
          room = std::min(room, distance_squared(place, walls_[w]));
          is_seen = is_seen && (place == point || !cross({point, place}, walls_[w]));
        }
        room = std::sqrt(room);
        if (!is_seen || room <= static_cast<double>(stand.room) + 1e-4) continue;
        stand = {static_cast<float>(place.x), static_cast<float>(place.y), static_cast<float>(room)};
        rank_[t] = static_cast<std::uint8_t>(rank);
        if (room >= settings_.body) break;
      }
    }
  }

  float room_between(TileIndex from, TileIndex to) const {
    const BodyTiles::Stand &a = tiles_.node_[from].stand, &b = tiles_.node_[to].stand;
    if (a.room <= 0 || b.room <= 0) return 0;
    const Segment way{{static_cast<double>(a.x), static_cast<double>(a.y)}, {static_cast<double>(b.x), static_cast<double>(b.y)}};
    double room = static_cast<double>(BodyTiles::kMostRoom) * static_cast<double>(BodyTiles::kMostRoom);
    for (const TileIndex t : {from, to})
      for (const std::uint32_t w : walls_of(t)) room = std::min(room, distance_squared(way, walls_[w]));
    return static_cast<float>(std::sqrt(room));
  }

  /// The widest body for which there is room on a way, where it may slide along walls. Exactly: a radius r fits if r − kSlide, as
  /// floats subtract, is no more than the way's room.
  static float widest_for(float way) {
    float widest = way + BodyTiles::kSlide;
    while (widest - BodyTiles::kSlide > way) widest = std::nextafter(widest, 0.0f);
    for (float more = std::nextafter(widest, 10.0f); more - BodyTiles::kSlide <= way; more = std::nextafter(more, 10.0f))
      widest = more;
    return widest;
  }

  void link() {
    tiles_.links_.resize(grid_.tile_count());
    constexpr float kLeast = 0.05f;  // m: less is no way for anybody
    for (TileIndex t = 0; t < grid_.tile_count(); ++t)
      for (int heading = 0; heading < kHeadings; ++heading) {
        const TileIndex to = (heading & 1) == 0 ? grid_.next(t)[static_cast<std::size_t>(heading / 2)]
                                                : grid_.diagonal(t)[static_cast<std::size_t>(heading / 2)];
        if (to == kNoTile) continue;
        const float room = room_between(t, to);
        if (room > kLeast) tiles_.links_[t].to[static_cast<std::size_t>(heading)] = {to, room};
      }
  }

  std::uint32_t root(std::uint32_t t) {
    while (leader_[t] != t) t = leader_[t] = leader_[leader_[t]];
    return t;
  }

  void drop_close_stands() {
    std::vector<TileIndex> moved;
    for (TileIndex t = 0; t < grid_.tile_count(); ++t)
      if (rank_[t] > 0 && tiles_.node_[t].stand.room > 0) moved.push_back(t);
    std::stable_sort(moved.begin(), moved.end(), [&](TileIndex a, TileIndex b) { return rank_[a] < rank_[b]; });
    std::vector<std::uint8_t> is_kept(grid_.tile_count(), 1);
    for (const TileIndex t : moved) is_kept[t] = 0;
    const float near = 0.7f * grid_.size();
    std::vector<TileIndex> dropped;
    for (const TileIndex t : moved) {
      const auto [column, row] = grid_.square(t);
      bool is_close = false;
      for (const HeadingStep& step : kHeadingSteps) {
        const TileIndex other = grid_.tile_of_square(column + step.column, row + step.row, grid_.layer(t));
        if (other == kNoTile || is_kept[other] == 0 || tiles_.node_[other].stand.room <= 0) continue;
        const float dx = tiles_.node_[other].stand.x - tiles_.node_[t].stand.x,
                    dy = tiles_.node_[other].stand.y - tiles_.node_[t].stand.y;
        is_close |= dx * dx + dy * dy < near * near;
      }
      is_kept[t] = !is_close;
      if (is_close) dropped.push_back(t);
    }
    leader_.resize(grid_.tile_count());
    std::iota(leader_.begin(), leader_.end(), 0u);
    const auto join = [&](TileIndex t) {
      for (const BodyTiles::Link& l : tiles_.links_[t].to)
        if (l.tile != kNoTile && is_kept[l.tile] != 0 && root(l.tile) != root(t)) leader_[root(l.tile)] = root(t);
    };
    for (TileIndex t = 0; t < grid_.tile_count(); ++t)
      if (is_kept[t] != 0) join(t);
    for (const TileIndex t : dropped) {
      // Back if it joins what would be parted.
      std::uint32_t first = kNoTile;
      bool joins = false;
      for (const BodyTiles::Link& l : tiles_.links_[t].to) {
        if (l.tile == kNoTile || is_kept[l.tile] == 0) continue;
        const std::uint32_t r = root(l.tile);
        joins |= first != kNoTile && r != first;
        first = r;
      }
      if (!joins) continue;
      is_kept[t] = 1;
      join(t);
    }
    for (TileIndex t = 0; t < grid_.tile_count(); ++t)
      if (is_kept[t] == 0) tiles_.node_[t].stand.room = 0;
    for (BodyTiles::Links& links : tiles_.links_)
      for (BodyTiles::Link& l : links.to)
        if (l.tile != kNoTile && tiles_.node_[l.tile].stand.room <= 0) l = {};
  }

  void close_period() {
    tiles_.period_low_ = settings_.period_low, tiles_.period_size_ = settings_.period_size;
    if (settings_.period_size.x <= 0 && settings_.period_size.y <= 0) return;
    const auto size = static_cast<double>(grid_.size());
    const std::array<double, 2> low = {settings_.period_low.x, settings_.period_low.y},
                                span = {settings_.period_size.x, settings_.period_size.y};
    for (std::size_t axis = 0; axis < 2; ++axis)
      tiles_.period_squares_[axis] = static_cast<std::int32_t>(std::lround(span[axis] / size));
    tiles_.inside_.resize(grid_.tile_count());
    for (TileIndex t = 0; t < grid_.tile_count(); ++t) {
      std::array<std::int32_t, 2> square = grid_.square(t);
      for (std::size_t axis = 0; axis < 2; ++axis) {
        if (tiles_.period_squares_[axis] == 0) continue;
        const auto first = static_cast<std::int32_t>(std::lround(low[axis] / size));
        const std::int32_t many = tiles_.period_squares_[axis];
        square[axis] = first + (((square[axis] - first) % many) + many) % many;
      }
      const TileIndex inside = grid_.tile_of_square(square[0], square[1], grid_.layer(t));
      tiles_.inside_[t] = inside == kNoTile ? t : inside;
    }
    for (BodyTiles::Links& links : tiles_.links_)
      for (BodyTiles::Link& l : links.to)
        if (l.tile != kNoTile) l.tile = tiles_.inside_[l.tile];
  }

  void find_parts() {
    leader_.resize(grid_.tile_count());
    std::iota(leader_.begin(), leader_.end(), 0u);
    for (TileIndex t = 0; t < grid_.tile_count(); ++t)
      for (const BodyTiles::Link& l : tiles_.links_[t].to)
        if (l.tile != kNoTile && tiles_.node_[t].stand.room > 0) {
          const std::uint32_t a = root(t), b = root(l.tile);
          leader_[std::max(a, b)] = std::min(a, b);
        }
    for (TileIndex t = 0; t < grid_.tile_count(); ++t) tiles_.node_[t].part = root(t);
  }

  const Cells& cells_;
  const BodyTileSettings& settings_;
  BodyTiles& tiles_;
  const Grid& grid_;
  std::vector<Segment> walls_;
  std::vector<std::uint32_t> wall_start_, near_;
  std::vector<std::uint8_t> rank_;  ///< of the stand among the places of the lattice
  std::vector<std::uint32_t> leader_;
};

BodyTiles::BodyTiles(const Cells& cells, const BodyTileSettings& settings, FunctionRef<double(Vec2, std::uint32_t)> elevation)
    : grid_(cells, {.size = settings.size, .room = settings.size / 4}, elevation) {
  BodyTilesBuilder(cells, settings, *this).run();
}

TileIndex BodyTiles::tile_for(Vec2 place, std::uint32_t layer, float radius, int reach,
                              FunctionRef<bool(TileIndex)> accepts) const {
  const auto size = static_cast<double>(grid_.size());
  const auto column = static_cast<std::int32_t>(std::floor(place.x / size)),
             row = static_cast<std::int32_t>(std::floor(place.y / size));
  TileIndex best = kNoTile;
  double least = 1e30;
  for (int ring = 0; ring <= reach; ++ring) {
    // Nothing in a ring is nearer than this.
    const double nearest = (ring - 1) * size;
    if (best != kNoTile && nearest > 0 && nearest * nearest > least) break;
    for (int dy = -ring; dy <= ring; ++dy)
      for (int dx = -ring; dx <= ring; ++dx) {
        if (std::max(std::abs(dx), std::abs(dy)) != ring) continue;
        if (inside_.empty()) {
          // Nor anything in a square nearer than its nearest border: without a look at the tile.
          const auto gap = [&](double v, std::int32_t square, int d) {
            return d == 0 ? 0 : d > 0 ? (square + d) * size - v : v - (square + d + 1) * size;
          };
          const double x = gap(place.x, column, dx), y = gap(place.y, row, dy);
          if (x * x + y * y > least) continue;
        }
        const TileIndex t = inside(grid_.tile_of_square(column + dx, row + dy, layer));
        if (t == kNoTile || node_[t].stand.room < radius || !accepts(t)) continue;
        const Vec2 to = way(place, {static_cast<double>(node_[t].stand.x), static_cast<double>(node_[t].stand.y)});
        if (dot(to, to) < least) least = dot(to, to), best = t;
      }
  }
  return best;
}

std::uint64_t BodyTiles::bytes() const {
  return grid_.bytes() + tile_count() * std::uint64_t{sizeof(Node) + sizeof(Links)} + inside_.size() * sizeof(TileIndex);
}

}  // namespace throng
