// SPDX-License-Identifier: MIT
#include "navgraph/surface_patch.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr std::int32_t kMargin = 3;    ///< columns round a box that are looked at again
constexpr double kWallReach = 2.6;     ///< steps; walls so near to a column are listed with it
constexpr double kPieceReach = 1.5;    ///< steps; walls so near to a border node become its pieces …
constexpr double kPieceExtent = 2.5;   ///< … as far as this
constexpr double kChangeReach = 2.75;  ///< steps round the columns that pieces of theirs extend over

constexpr float kSameHeight = 0.1f;  ///< metres; layers meet at joints

bool cross_each_other(Vec2 a, Vec2 b, const Segment& wall) {
  const auto side = [](Vec2 from, Vec2 to, Vec2 p) { return cross(to - from, p - from) > 0; };
  return side(a, b, wall.a) != side(a, b, wall.b) && side(wall.a, wall.b, a) != side(wall.a, wall.b, b);
}

WallPiece piece_of(Vec2 a, Vec2 b) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(b.x), static_cast<float>(b.y)};
}

double distance_to_wall(const Segment& wall, Vec2 p) {
  const Vec2 along = wall.b - wall.a;
  const double squared = dot(along, along);
  const double t = squared > 0 ? std::clamp(dot(p - wall.a, along) / squared, 0.0, 1.0) : 0;
  return distance(p, wall.a + t * along);
}

/// The part of a wall inside a square round a place; false if there is none.
bool clip_to_square(const Segment& wall, Vec2 middle, double reach, Segment& out) {
  double first = 0, last = 1;
  const auto clip = [&](double from, double to, double low, double high) {
    if (from == to) return from >= low && from <= high;
    double t0 = (low - from) / (to - from), t1 = (high - from) / (to - from);
    if (t0 > t1) std::swap(t0, t1);
    first = std::max(first, t0), last = std::min(last, t1);
    return first <= last;
  };
  if (!clip(wall.a.x, wall.b.x, middle.x - reach, middle.x + reach)) return false;
  if (!clip(wall.a.y, wall.b.y, middle.y - reach, middle.y + reach)) return false;
  out = {wall.a + first * (wall.b - wall.a), wall.a + last * (wall.b - wall.a)};
  return true;
}

}  // namespace

SurfacePatch::SurfacePatch(const Surface& surface, std::span<const float> clearance, std::span<const EditBox> boxes,
                           const GroundSource& source)
    : boxes_(boxes), source_(source), step_(surface.step), origin_(surface.origin) {
  find_zones(surface, boxes);
  for (std::uint32_t zone = 0; zone < zones_.size(); ++zone) find_spots(surface, clearance, zone);
}

/// Columns round the boxes. Zones that touch become one: links lead from column to column inside a zone only.
void SurfacePatch::find_zones(const Surface& surface, std::span<const EditBox> boxes) {
  const auto column = [&](double place, double origin) {
    return static_cast<std::int32_t>(std::floor((place - origin) / surface.step));
  };
  for (const EditBox& box : boxes) {
    Zone zone;
    zone.box.low = {column(box.low.x, origin_.x) - kMargin, column(box.low.y, origin_.y) - kMargin};
    zone.box.high = {column(box.high.x, origin_.x) + 1 + kMargin, column(box.high.y, origin_.y) + 1 + kMargin};
    for (bool is_alone = false; !is_alone;) {
      const auto other = std::find_if(zones_.begin(), zones_.end(), [&](const Zone& z) {
        return z.box.low.i <= zone.box.high.i + 2 && zone.box.low.i <= z.box.high.i + 2 && z.box.low.j <= zone.box.high.j + 2 &&
               zone.box.low.j <= z.box.high.j + 2;
      });
      is_alone = other == zones_.end();
      if (is_alone) break;
      zone.box.low = {std::min(zone.box.low.i, other->box.low.i), std::min(zone.box.low.j, other->box.low.j)};
      zone.box.high = {std::max(zone.box.high.i, other->box.high.i), std::max(zone.box.high.j, other->box.high.j)};
      zones_.erase(other);
    }
    zones_.push_back(std::move(zone));
  }
}

bool SurfacePatch::is_in_changed_box(Vec2 place, double z, double tolerance, double margin) const {
  return std::any_of(boxes_.begin(), boxes_.end(), [&](const EditBox& b) {
    return place.x > b.low.x - margin && place.y > b.low.y - margin && place.x < b.high.x + margin &&
           place.y < b.high.y + margin && std::abs(source_.elevation(place, b.layer) - z) < tolerance;
  });
}

void SurfacePatch::find_spots(const Surface& surface, std::span<const float> clearance, std::uint32_t number) {
  Zone& zone = zones_[number];
  const double same_floor = surface.head_room / 2;  // floors are farther apart than that
  std::vector<Footing> footings;
  std::vector<NodeIndex> taken;
  zone.start.assign(1, 0);
  for (std::int32_t j = zone.box.low.j; j <= zone.box.high.j; ++j)
    for (std::int32_t i = zone.box.low.i; i <= zone.box.high.i; ++i) {
      const Vec2 place = surface.position(ColumnPlace{i, j});
      footings.clear();
      taken.clear();
      source_.find_footings(place, footings);
      const std::uint32_t column = surface.column_at({i, j});
      for (std::size_t f = 0; f < footings.size(); ++f) {
        const Footing& footing = footings[f];
        NodeIndex best = kNoNode;
        if (column != kNoColumn)
          for (NodeIndex n = surface.column_start[column]; n < surface.column_start[column + 1]; ++n)
            if (std::abs(surface.z[n] - footing.z) < same_floor && std::find(taken.begin(), taken.end(), n) == taken.end() &&
                (best == kNoNode || std::abs(surface.z[n] - footing.z) < std::abs(surface.z[best] - footing.z)))
              best = n;
        if (best == kNoNode) {
          // Where a bake found no ground, only an edit of this ground makes any.
          const bool is_low = std::any_of(footings.begin(), footings.end(), [&](const Footing& above) {
            return above.z - footing.z > kSameHeight && above.z - footing.z < surface.head_room;
          });
          if (is_low || !is_in_changed_box(place, footing.z, same_floor, surface.step)) continue;
          missing_.push_back({number, static_cast<std::uint32_t>(zone.spots.size()), {i, j}, footing.z});
        } else {
          taken.push_back(best);
        }
        zone.spots.push_back({best, footing, {}});
      }
      zone.start.push_back(static_cast<std::uint32_t>(zone.spots.size()));
      if (column == kNoColumn) continue;
      for (NodeIndex n = surface.column_start[column]; n < surface.column_start[column + 1]; ++n)
        if (clearance[n] >= 0 && std::find(taken.begin(), taken.end(), n) == taken.end() &&
            is_in_changed_box(place, surface.z[n], same_floor, surface.step))
          gone_.push_back(n);
    }
}

/// New nodes at the end of their columns; columns in tiles of their own, or outside of the grid, if need be.
std::vector<NodeIndex> SurfacePatch::add_nodes(Surface& s) {
  constexpr std::int32_t kSide = Surface::kTileSide;
  // The grid grows by whole tiles, so that columns stay where they are.
  ColumnPlace low{0, 0}, high{s.tiles_x * kSide - 1, s.tiles_y * kSide - 1};
  for (const Missing& m : missing_) {
    low = {std::min(low.i, m.place.i), std::min(low.j, m.place.j)};
    high = {std::max(high.i, m.place.i), std::max(high.j, m.place.j)};
  }
  const auto tiles_before = [](std::int32_t first) { return (-first + kSide - 1) / kSide; };
  const std::int32_t west = tiles_before(low.i), south = tiles_before(low.j);
  const std::int32_t tiles_x = west + high.i / kSide + 1, tiles_y = south + high.j / kSide + 1;
  if (tiles_x != s.tiles_x || tiles_y != s.tiles_y) {
    std::vector<std::uint32_t> slots(static_cast<std::size_t>(tiles_x) * tiles_y, kNoColumn);
    for (std::uint32_t slot = 0; slot < s.slot_tile.size(); ++slot) {
      const std::uint32_t x = s.slot_tile[slot] % static_cast<std::uint32_t>(s.tiles_x) + static_cast<std::uint32_t>(west),
                          y = s.slot_tile[slot] / static_cast<std::uint32_t>(s.tiles_x) + static_cast<std::uint32_t>(south);
      s.slot_tile[slot] = y * static_cast<std::uint32_t>(tiles_x) + x;
      slots[s.slot_tile[slot]] = slot;
    }
    s.tile_slot = std::move(slots);
    s.tiles_x = tiles_x, s.tiles_y = tiles_y;
    s.origin = {s.origin.x - s.step * kSide * west, s.origin.y - s.step * kSide * south};
    const auto shift = [&](ColumnPlace& p) { p = {p.i + kSide * west, p.j + kSide * south}; };
    for (Missing& m : missing_) shift(m.place);
    for (Zone& zone : zones_) shift(zone.box.low), shift(zone.box.high);
    origin_ = s.origin;
  }
  for (const Missing& m : missing_) {
    std::uint32_t& slot = s.tile_slot[static_cast<std::size_t>(m.place.j / kSide) * s.tiles_x + m.place.i / kSide];
    if (slot != kNoColumn) continue;
    slot = static_cast<std::uint32_t>(s.slot_tile.size());
    s.slot_tile.push_back(static_cast<std::uint32_t>(m.place.j / kSide * s.tiles_x + m.place.i / kSide));
    s.column_start.resize(s.column_start.size() + Surface::kTileColumns, s.column_start.back());
  }

  struct Arrival {
    std::uint32_t column;
    const Missing* missing;
  };
  std::vector<Arrival> arrivals;
  for (const Missing& m : missing_) arrivals.push_back({s.column_at(m.place), &m});
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) { return a.column < b.column; });
  const std::uint32_t old_count = s.node_count(), count = old_count + static_cast<std::uint32_t>(arrivals.size());
  std::vector<NodeIndex> new_node(old_count);
  std::vector<float> z(count);
  std::vector<std::uint32_t> column(count);
  std::vector<std::array<std::uint8_t, 8>> links(count);
  std::array<std::uint8_t, 8> none;
  none.fill(kNoLink);
  NodeIndex from = 0, to = 0;
  const auto move_until = [&](NodeIndex end) {
    for (; from < end; ++from, ++to)
      new_node[from] = to, z[to] = s.z[from], column[to] = s.column[from], links[to] = s.links[from];
  };
  for (const Arrival& a : arrivals) {
    move_until(s.column_start[a.column + 1]);
    z[to] = a.missing->z, column[to] = a.column, links[to] = none;
    zones_[a.missing->zone].spots[a.missing->spot].node = to++;
  }
  move_until(old_count);
  std::size_t before = 0;  // arrivals in columns before
  for (std::uint32_t c = 0; c < s.column_start.size(); ++c) {
    while (before < arrivals.size() && arrivals[before].column < c) ++before;
    s.column_start[c] += static_cast<std::uint32_t>(before);
  }
  s.z = std::move(z), s.column = std::move(column), s.links = std::move(links);
  for (NodeIndex& n : gone_) n = new_node[n];
  std::vector<std::vector<std::uint8_t>> is_new(zones_.size());
  for (std::size_t zone = 0; zone < zones_.size(); ++zone) is_new[zone].assign(zones_[zone].spots.size(), 0);
  for (const Missing& m : missing_) is_new[m.zone][m.spot] = 1;
  for (std::size_t zone = 0; zone < zones_.size(); ++zone)
    for (std::size_t i = 0; i < zones_[zone].spots.size(); ++i)
      if (is_new[zone][i] == 0) zones_[zone].spots[i].node = new_node[zones_[zone].spots[i].node];
  missing_.clear();
  return new_node;
}

void SurfacePatch::find_walls(const Surface& surface, Zone& zone) {
  walls_.clear();
  const double reach = kWallReach * step_;
  const Vec2 low = surface.position(zone.box.low), high = surface.position(zone.box.high);
  std::vector<std::uint32_t> layers;
  for (const Spot& s : zone.spots) layers.push_back(s.footing.layer);
  std::sort(layers.begin(), layers.end());
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  std::vector<Segment> lines;
  for (const std::uint32_t layer : layers) {
    lines.clear();
    source_.find_walls(layer, low - Vec2{reach, reach}, high + Vec2{reach, reach}, lines);
    for (const Segment& line : lines) walls_.push_back({layer, line});
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;  // column, wall
  for (std::uint32_t w = 0; w < walls_.size(); ++w) {
    const Segment& line = walls_[w].line;
    const auto range = [&](double a, double b, double origin, std::int32_t least, std::int32_t most) {
      const double from = std::floor((std::min(a, b) - reach - origin) / step_),
                   to = std::ceil((std::max(a, b) + reach - origin) / step_);
      return std::pair(static_cast<std::int32_t>(std::max<double>(from, least)),
                       static_cast<std::int32_t>(std::min<double>(to, most)));
    };
    const auto [i0, i1] = range(line.a.x, line.b.x, origin_.x, zone.box.low.i, zone.box.high.i);
    const auto [j0, j1] = range(line.a.y, line.b.y, origin_.y, zone.box.low.j, zone.box.high.j);
    for (std::int32_t j = j0; j <= j1; ++j)
      for (std::int32_t i = i0; i <= i1; ++i)
        if (distance_to_wall(line, surface.position(ColumnPlace{i, j})) <= reach)
          entries.emplace_back(static_cast<std::uint32_t>(zone.column({i, j})), w);
  }
  std::sort(entries.begin(), entries.end());
  zone.wall_start.assign(static_cast<std::size_t>(zone.width()) * static_cast<std::size_t>(zone.height()) + 1, 0);
  zone.wall_list.clear();
  for (const auto& [column, wall] : entries) {
    ++zone.wall_start[column + 1];
    zone.wall_list.push_back(wall);
  }
  for (std::size_t c = 1; c < zone.wall_start.size(); ++c) zone.wall_start[c] += zone.wall_start[c - 1];
}

/// Whom a node is linked with in a direction, diagonals without regard to the ways round.
NodeIndex SurfacePatch::partner(const Surface& surface, const Zone& zone, const Spot& spot, ColumnPlace at, int direction) const {
  const ColumnPlace there{at.i + kDirections[direction].i, at.j + kDirections[direction].j};
  const NodeIndex before = surface.neighbour(spot.node, direction);
  if (!zone.has(there)) return before;
  const std::size_t column = zone.column(there);
  const std::span<const Spot> spots{zone.spots.data() + zone.start[column], zone.start[column + 1] - zone.start[column]};
  // With what the layers do not know nothing has changed.
  if (before != kNoNode && std::none_of(spots.begin(), spots.end(), [&](const Spot& s) { return s.node == before; }) &&
      !std::binary_search(gone_.begin(), gone_.end(), before))
    return before;
  const Vec2 a = surface.position(at), b = surface.position(there);
  const std::size_t here = zone.column(at);
  for (const Spot& other : spots) {
    if (other.footing.layer != spot.footing.layer) continue;
    for (std::uint32_t k = zone.wall_start[here]; k < zone.wall_start[here + 1]; ++k) {
      const Wall& wall = walls_[zone.wall_list[k]];
      if (wall.layer == spot.footing.layer && cross_each_other(a, b, wall.line)) return kNoNode;
    }
    return other.node;
  }
  for (const Spot& other : spots)
    if (std::abs(other.footing.z - spot.footing.z) < surface.head_room / 2 && source_.leads(a, spot.footing, b, other.footing) &&
        source_.leads(b, other.footing, a, spot.footing))
      return other.node;
  return kNoNode;
}

void SurfacePatch::make_pieces(const Surface& surface, const Zone& zone, const Spot& spot, ColumnPlace at) {
  const auto is_missing = [&](int d) { return spot.next[d] == kNoNode; };
  bool is_border = false, is_end = false;
  for (int d = 0; d < 8; ++d) is_border |= is_missing(d), is_end |= d % 2 == 0 && is_missing(d);
  if (!is_border) return;
  const Vec2 here = surface.position(at);
  const std::size_t column = zone.column(at), before = pieces_.size();
  for (std::uint32_t k = zone.wall_start[column]; k < zone.wall_start[column + 1]; ++k) {
    const Wall& wall = walls_[zone.wall_list[k]];
    Segment part;
    if (wall.layer == spot.footing.layer && distance_to_wall(wall.line, here) <= kPieceReach * step_ &&
        clip_to_square(wall.line, here, kPieceExtent * step_, part))
      pieces_.push_back(piece_of(part.a, part.b));
  }
  // Nothing is known about what ended it: the node itself is the end.
  if (pieces_.size() == before && is_end) pieces_.push_back(piece_of(here, here));
}

void SurfacePatch::find_links(const Surface& surface, std::span<const float> clearance) {
  std::sort(gone_.begin(), gone_.end());
  changed_ = gone_;
  there_.clear();
  pieces_.clear();
  piece_start_.assign(1, 0);
  for (Zone& zone : zones_) {
    find_walls(surface, zone);
    const auto for_spots = [&](auto&& f) {
      for (std::int32_t j = zone.box.low.j; j <= zone.box.high.j; ++j)
        for (std::int32_t i = zone.box.low.i; i <= zone.box.high.i; ++i) {
          const std::size_t c = zone.column({i, j});
          for (std::uint32_t s = zone.start[c]; s < zone.start[c + 1]; ++s) f(zone.spots[s], ColumnPlace{i, j});
        }
    };
    for_spots([&](Spot& spot, ColumnPlace at) {
      for (int d = 0; d < 8; ++d) spot.next[d] = partner(surface, zone, spot, at, d);
    });
    // A diagonal needs both ways round. Those that leave the zone are as they were.
    const auto next = [&](NodeIndex n, ColumnPlace at, int d) {
      if (zone.has(at)) {
        const std::size_t c = zone.column(at);
        for (std::uint32_t s = zone.start[c]; s < zone.start[c + 1]; ++s)
          if (zone.spots[s].node == n) return zone.spots[s].next[d];
      }
      return surface.neighbour(n, d);
    };
    for_spots([&](Spot& spot, ColumnPlace at) {
      for (int d = 1; d < 8; d += 2) {
        const int first = d - 1, second = (d + 1) % 8;
        if (spot.next[d] == kNoNode) continue;
        const NodeIndex one = spot.next[first], two = spot.next[second];
        const auto move = [&](int k) { return ColumnPlace{at.i + kDirections[k].i, at.j + kDirections[k].j}; };
        if (one == kNoNode || two == kNoNode || next(one, move(first), second) != spot.next[d] ||
            next(two, move(second), first) != spot.next[d])
          spot.next[d] = kNoNode;
      }
    });
    for_spots([&](Spot& spot, ColumnPlace at) {
      bool differs = clearance[spot.node] < 0;
      for (int d = 0; d < 8; ++d) differs |= spot.next[d] != surface.neighbour(spot.node, d);
      if (differs) changed_.push_back(spot.node);
      there_.push_back(spot.node);
      make_pieces(surface, zone, spot, at);
      piece_start_.push_back(static_cast<std::uint32_t>(pieces_.size()));
    });
  }
  // Who was linked with a node that is gone, and is no spot.
  const std::size_t count = gone_.size();
  for (std::size_t i = 0; i < count; ++i)
    for (int d = 0; d < 8; ++d)
      if (const NodeIndex other = surface.neighbour(gone_[i], d); other != kNoNode) changed_.push_back(other);
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
}

void SurfacePatch::apply(Surface& surface, WallPieces& pieces) const {
  for (const NodeIndex n : gone_) {
    for (int d = 0; d < 8; ++d)
      if (const NodeIndex other = surface.neighbour(n, d); other != kNoNode) surface.links[other][d ^ 4] = kNoLink;
    surface.links[n].fill(kNoLink);
    pieces.replace(n, {});
  }
  std::size_t i = 0;
  for (const Zone& zone : zones_)
    for (const Spot& spot : zone.spots) {
      for (int d = 0; d < 8; ++d)
        surface.links[spot.node][d] =
            spot.next[d] == kNoNode
                ? kNoLink
                : static_cast<std::uint8_t>(spot.next[d] - surface.column_start[surface.column[spot.next[d]]]);
      pieces.replace(spot.node, std::span(pieces_).subspan(piece_start_[i], piece_start_[i + 1] - piece_start_[i]));
      ++i;
    }
}

double SurfacePatch::distance_to_change(Vec2 place) const {
  double least = 1e300;
  const double reach = kChangeReach * step_;
  for (const Zone& zone : zones_) {
    const auto outside = [&](double p, double origin, std::int32_t low, std::int32_t high) {
      return std::max({0.0, origin + step_ * low - reach - p, p - (origin + step_ * high + reach)});
    };
    const double x = outside(place.x, origin_.x, zone.box.low.i, zone.box.high.i),
                 y = outside(place.y, origin_.y, zone.box.low.j, zone.box.high.j);
    least = std::min(least, std::sqrt(x * x + y * y));
  }
  return least;
}

}  // namespace throng
