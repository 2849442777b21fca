// SPDX-License-Identifier: MIT
#include "scene/city.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/random.hpp"

namespace throng {
namespace {

constexpr double kBorder = 1.0;    ///< footprints keep this far from the frame
constexpr double kLeastGap = 0.3;  ///< between houses that do not share a wall
constexpr double kReach = 24.0;    ///< no lot has a corner farther from its centre
constexpr double kPartyWalls =
    0.115;  ///< shared walls per candidate; trimming free-standing houses raises it to the published 0.125
constexpr double kLotWidth = 22.5;  ///< along the street, before jitter
constexpr double kLotDepth = 23.0;

enum Purpose : std::uint32_t { kCentres = 1, kDistrict, kTrim, kFill };

/// The direction at angle 2·atan(t), exact enough everywhere and without libm: t in [-1, 1] covers half a turn.
Vec2 direction(double t) {
  const double d = 1 + t * t;
  return {(1 - t * t) / d, 2 * t / d};
}

/// Turns v by the angle of the unit vector `by`.
Vec2 turned(Vec2 v, Vec2 by) { return {v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x}; }

/// The rectangle a house may fill: its footprint lies inside.
struct Lot {
  Vec2 centre;
  Vec2 axis;  ///< unit vector along the width
  double half_width = 0;
  double half_depth = 0;
};

struct House {
  Lot lot;
  Ring footprint;
  std::uint32_t row = 0;     ///< houses of one row may touch
  bool shares_wall = false;  ///< with the house before it in its row
  bool free_standing = true;
};

bool apart_along(Vec2 axis, const Lot& a, const Lot& b) {
  const auto extent = [&](const Lot& lot) {
    return lot.half_width * std::abs(dot(axis, lot.axis)) + lot.half_depth * std::abs(dot(axis, left(lot.axis)));
  };
  return std::abs(dot(axis, b.centre - a.centre)) >= extent(a) + extent(b) + kLeastGap;
}

/// At least kLeastGap between two lots, by separating axes (a little too careful corner to corner).
bool apart(const Lot& a, const Lot& b) {
  return apart_along(a.axis, a, b) || apart_along(left(a.axis), a, b) || apart_along(b.axis, a, b) ||
         apart_along(left(b.axis), a, b);
}

/// The houses placed so far, with a grid of buckets so that a collision test looks at a handful of them.
class Ground {
 public:
  explicit Ground(double side)
      : side_(side), columns_(std::max(1, static_cast<int>(side / kReach) + 1)), buckets_(columns_ * columns_) {}

  bool fits(const Lot& lot, std::uint32_t row) const {
    const double rx = lot.half_width * std::abs(lot.axis.x) + lot.half_depth * std::abs(lot.axis.y) + kBorder;
    const double ry = lot.half_width * std::abs(lot.axis.y) + lot.half_depth * std::abs(lot.axis.x) + kBorder;
    const Vec2 c = lot.centre;
    if (c.x < rx || c.y < ry || c.x > side_ - rx || c.y > side_ - ry) return false;
    const int column = bucket(c.x), line = bucket(c.y);
    for (int y = std::max(0, line - 2); y <= std::min(columns_ - 1, line + 2); ++y)
      for (int x = std::max(0, column - 2); x <= std::min(columns_ - 1, column + 2); ++x)
        for (const std::uint32_t other : buckets_[y * columns_ + x])
          if (houses_[other].row != row && !apart(houses_[other].lot, lot)) return false;
    return true;
  }

  void place(House house) {
    shared_walls_ += house.shares_wall;
    buckets_[bucket(house.lot.centre.y) * columns_ + bucket(house.lot.centre.x)].push_back(
        static_cast<std::uint32_t>(houses_.size()));
    houses_.push_back(std::move(house));
  }

  bool wants_rows() const { return shared_walls_ < kPartyWalls * (static_cast<double>(houses_.size()) + 8); }
  std::uint32_t new_row() { return ++rows_; }
  std::vector<House>& houses() { return houses_; }
  double side() const { return side_; }

 private:
  int bucket(double v) const { return std::clamp(static_cast<int>(v / kReach), 0, columns_ - 1); }

  double side_;
  int columns_;
  std::vector<std::vector<std::uint32_t>> buckets_;
  std::vector<House> houses_;
  std::size_t shared_walls_ = 0;
  std::uint32_t rows_ = 0;
};

/// A point of a lot from fractions of its half width and half depth.
Vec2 corner(const Lot& lot, double u, double v) {
  return lot.centre + (u * lot.half_width) * lot.axis + (v * lot.half_depth) * left(lot.axis);
}

Ring rectangle(const Lot& lot) { return {corner(lot, -1, -1), corner(lot, 1, -1), corner(lot, 1, 1), corner(lot, -1, 1)}; }

/// Mostly a rectangle, some L (one corner missing), some U (a yard open to the back).
Ring footprint(const Lot& lot, RandomStream& random) {
  const double kind = random.unit();
  if (kind > 0.06) return rectangle(lot);
  if (kind > 0.02) {
    const double u = random.between(-0.3, 0.4), v = random.between(-0.3, 0.4);
    return {corner(lot, -1, -1), corner(lot, 1, -1), corner(lot, 1, v), corner(lot, u, v), corner(lot, u, 1), corner(lot, -1, 1)};
  }
  const double u = random.between(-0.6, -0.3), w = random.between(0.3, 0.6), v = random.between(-0.4, 0.2);
  return {corner(lot, -1, -1), corner(lot, 1, -1), corner(lot, 1, 1), corner(lot, w, 1),
          corner(lot, w, v),   corner(lot, u, v),  corner(lot, u, 1), corner(lot, -1, 1)};
}

/// Lays out one district in its own frame (u along the streets, v across) and places what fits.
class District {
 public:
  District(Ground& ground, const std::vector<Vec2>& centres, std::uint32_t self, double reach, double scale, RandomStream random)
      : ground_(ground), centres_(centres), self_(self), reach_(reach), scale_(scale), random_(random) {
    // One district in ten stays axis-parallel: the degenerate directions belong to a city, too.
    axis_ = direction(random_.chance(0.1) ? 0.0 : random_.between(-0.41, 0.41));
  }

  void build() {
    // All blocks of a district share their lot lines, as planned quarters do: facades face each other corner to corner. That, and
    // not the paper's rule, is why its city has only three cells a building: every corner that faces the middle of a wall adds a
    // foot.
    std::vector<Column> columns;
    int crossing = 0;
    for (double u = -reach_; u < reach_;) {
      columns.push_back(column_at(u));
      u = columns.back().houses.back().high + street_width(++crossing);
    }
    int street = 0;
    for (double v = -reach_; v < reach_;) {
      const Row row = row_at(v);
      for (const Column& column : columns) block(column, row);
      v = row.end + street_width(++street);
    }
  }

 private:
  struct Span {
    double low;
    double high;
  };
  /// Houses of a block along its street.
  struct Column {
    std::vector<Span> houses;
  };
  /// Houses of a block across it: those on the southern street and those on the northern one.
  struct Row {
    double start;
    Span south;
    Span north;
    double end;
  };

  Column column_at(double u) {
    Column column;
    const auto count = random_.integer(3, 6);
    for (int i = 0; i < count; ++i) {
      const double gap = random_.chance(0.8) ? random_.between(0.3, 0.39) : random_.between(0.8, 6);
      const double width = kLotWidth * scale_ * random_.between(0.75, 1.25) - gap;
      column.houses.push_back({u, u + width});
      u += width + gap;
    }
    return column;
  }

  Row row_at(double v) {
    const auto deep = [&] { return kLotDepth * scale_ * random_.between(0.55, 0.85); };
    Row row;
    row.start = v;
    row.south.low = v + random_.between(0, 3);
    row.south.high = row.south.low + deep();
    row.north.low = row.south.high + (random_.chance(0.2) ? random_.between(0.3, 1) : random_.between(2, 10));
    row.north.high = row.north.low + deep();
    row.end = row.north.high + random_.between(0, 3);
    return row;
  }

  double street_width(int number) { return number % 5 == 0 ? random_.between(12, 14) : random_.between(4, 9); }

  Lot lot(double u, double v, double half_width, double half_depth, Vec2 turn = {1, 0}) const {
    return {centres_[self_] + turned({u, v}, axis_), turned(axis_, turn), half_width, half_depth};
  }

  /// Whether this district is the one nearest to p.
  bool owns(Vec2 p) const {
    const auto squared = [&](std::size_t i) { return dot(p - centres_[i], p - centres_[i]); };
    const double own = squared(self_);
    for (std::size_t i = 0; i < centres_.size(); ++i)
      if (i != self_ && squared(i) < own) return false;
    return true;
  }

  bool fits(const Lot& l, std::uint32_t row) const { return owns(l.centre) && ground_.fits(l, row); }

  void block(const Column& column, const Row& row) {
    // Blocks wholly outside the frame cost time only: the collision test would refuse each house.
    const Span u{column.houses.front().low, column.houses.back().high};
    const Vec2 middle = centres_[self_] + turned({(u.low + u.high) / 2, (row.start + row.end) / 2}, axis_);
    const double radius = (u.high - u.low + row.end - row.start) / 2;
    if (middle.x < -radius || middle.y < -radius || middle.x > ground_.side() + radius || middle.y > ground_.side() + radius)
      return;

    const double kind = random_.unit();
    if (kind < 0.035) return;  // a square
    std::size_t first = 0;
    if (kind < 0.30 && ground_.wants_rows()) first = court(column, row);
    frontage(column, first, row.south, false);
    frontage(column, first, row.north, true);
  }

  /// Row houses in a U round a court, or round a cul-de-sac, that opens to the southern street; they stand on the first lots of
  /// the block. All or nothing; returns how many lots were used.
  std::size_t court(const Column& column, const Row& row) {
    const std::size_t used = random_.chance(0.5) ? 1 : 2;
    const Span u{column.houses[0].low, column.houses[used - 1].high}, v{row.south.low, row.north.high};
    const double thick = std::min(random_.between(7, 10), (u.high - u.low - 4.5) / 2), overlap = random_.between(0.05, 0.3);
    if (thick < 4) return 0;
    const int wing_houses = static_cast<int>(random_.integer(2, 3)), end_houses = used == 2 ? 3 : 1;

    // The end spans the whole width, the wings run from it towards the street.
    std::vector<Lot> lots;
    const auto add = [&](Span x, Span y) {
      lots.push_back(lot((x.low + x.high) / 2, (y.low + y.high) / 2, (x.high - x.low) / 2, (y.high - y.low) / 2));
    };
    const double end_width = (u.high - u.low) / end_houses, wing = v.high - thick - v.low;
    for (int i = 0; i < end_houses; ++i)
      add({u.low + i * end_width - (i > 0 ? overlap : 0), u.low + (i + 1) * end_width}, {v.high - thick, v.high});
    for (const double x : {u.low, u.high - thick})
      for (int i = 0; i < wing_houses; ++i) {
        const double recess = i % 2 == 0 ? 0 : random_.between(0.2, 0.6);  // facades are not flush
        add({x + recess, x + thick - recess},
            {v.low + wing * (wing_houses - 1 - i) / wing_houses, v.low + wing * (wing_houses - i) / wing_houses + overlap});
      }
    const std::uint32_t id = ground_.new_row();
    if (!std::all_of(lots.begin(), lots.end(), [&](const Lot& l) { return fits(l, id); })) return 0;
    bool attached = false;
    for (const Lot& l : lots) ground_.place({l, rectangle(l), id, std::exchange(attached, true), false});
    return used;
  }

  /// Houses side by side along one street; `from_north` tells which side of v faces it.
  void frontage(const Column& column, std::size_t first, Span v, bool from_north) {
    for (std::size_t i = first; i < column.houses.size();) {
      if (ground_.wants_rows() && random_.chance(0.12) && i + 1 < column.houses.size()) {
        const std::size_t last = std::min(column.houses.size() - 1, i + random_.chance(0.4));
        terrace({column.houses[i].low, column.houses[last].high}, v);
        i = last + 1;
      } else {
        free_standing(column.houses[i], v, from_north);
        ++i;
      }
    }
  }

  /// Most fill their lot exactly; others are turned, or smaller, or both.
  void free_standing(Span u, Span v, bool from_north) {
    double half_width = (u.high - u.low) / 2, half_depth = (v.high - v.low) / 2;
    Vec2 turn{1, 0}, shift;
    const double kind = random_.unit();
    if (kind < 0.04) {
      turn = direction(random_.between(-1, 1));
      half_width = half_depth = std::min(half_width, half_depth) * 0.8;
      half_width *= random_.between(0.8, 1.2);
    } else if (kind < 0.10) {
      turn = direction(random_.between(-0.06, 0.06));
      half_width *= 0.92, half_depth *= 0.92;
    } else if (kind < 0.14) {
      const double shorter = random_.between(0.6, 0.9);
      shift.y = (from_north ? 1 : -1) * half_depth * (1 - shorter);  // the front stays on the street
      half_depth *= shorter;
    }
    if (std::min(half_width, half_depth) < 2) return;
    const Lot l = lot((u.low + u.high) / 2 + shift.x, (v.low + v.high) / 2 + shift.y, half_width, half_depth, turn);
    const std::uint32_t id = ground_.new_row();
    if (fits(l, id)) ground_.place({l, footprint(l, random_), id, false, true});
  }

  /// Houses with party walls. Half of the rows are flush and share wall corners exactly, the others overlap by centimetres and
  /// step back and forth.
  void terrace(Span u, Span v) {
    const int count = std::max(2, static_cast<int>((u.high - u.low) / random_.between(6, 9)));
    const bool flush = random_.chance(0.5);
    const double house = (u.high - u.low) / count;
    const std::uint32_t id = ground_.new_row();
    bool attached = false;
    for (int i = 0; i < count; ++i) {
      // Corners come from (u, v) rather than from the lot, so that flush neighbours get the same doubles.
      const double step = flush ? 0 : random_.between(0, 0.7),
                   overlap = flush || i + 1 == count ? 0 : random_.between(0.03, 0.25);
      const Span x{u.low + i * house, u.low + (i + 1) * house + overlap}, y{v.low + step, v.high - step};
      const Lot l = lot((x.low + x.high) / 2, (y.low + y.high) / 2, (x.high - x.low) / 2, (y.high - y.low) / 2);
      if (!fits(l, id)) {
        attached = false;
        continue;
      }
      const auto at = [&](double a, double b) { return centres_[self_] + turned({a, b}, axis_); };
      ground_.place({l, {at(x.low, y.low), at(x.high, y.low), at(x.high, y.high), at(x.low, y.high)}, id, attached, false});
      attached = true;
    }
  }

  Ground& ground_;
  const std::vector<Vec2>& centres_;
  std::uint32_t self_;
  double reach_;
  double scale_;
  RandomStream random_;
  Vec2 axis_;
};

/// Jittered centres, about 260 houses apart.
std::vector<Vec2> district_centres(double side, std::uint32_t buildings, std::uint64_t seed) {
  RandomStream random(seed, 0, kCentres);
  const int columns = std::max(1, static_cast<int>(std::sqrt(buildings / 260.0) + 0.5));
  const double pitch = side / columns;
  std::vector<Vec2> centres;
  for (int y = 0; y < columns; ++y)
    for (int x = 0; x < columns; ++x) {
      const double dx = random.between(0.15, 0.85), dy = random.between(0.15, 0.85);
      centres.push_back({(x + dx) * pitch, (y + dy) * pitch});
    }
  return centres;
}

Ground lay_out(double side, std::uint32_t buildings, std::uint64_t seed, double scale) {
  const std::vector<Vec2> centres = district_centres(side, buildings, seed);
  const double columns = std::sqrt(static_cast<double>(centres.size()));
  const double pitch = side / columns;
  // Only centres nearby can own a house: a district sees those within three pitches, so that the work stays linear in the city's
  // size.
  Ground ground(side);
  for (std::uint32_t d = 0; d < centres.size(); ++d) {
    std::vector<Vec2> nearby{centres[d]};
    for (std::uint32_t other = 0; other < centres.size(); ++other)
      if (other != d && distance(centres[d], centres[other]) < 3 * pitch) nearby.push_back(centres[other]);
    District(ground, nearby, 0, centres.size() == 1 ? side : 1.35 * pitch, scale, RandomStream(seed, d, kDistrict)).build();
  }
  return ground;
}

/// Drops free-standing houses, evenly over the city, until `buildings` are left.
void trim(std::vector<House>& houses, std::uint32_t buildings, std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  for (std::uint32_t i = 0; i < houses.size(); ++i) {
    const std::uint64_t key = random_bits(seed, i, 0, kTrim) >> 1;
    order.emplace_back(houses[i].free_standing ? key : key | std::uint64_t{1} << 63, i);
  }
  const std::size_t surplus = houses.size() - buildings;
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(surplus), order.end());
  std::vector<bool> dropped(houses.size());
  for (std::size_t i = 0; i < surplus; ++i) dropped[order[i].second] = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < houses.size(); ++i)
    if (!dropped[i]) {
      if (kept != i) houses[kept] = std::move(houses[i]);
      ++kept;
    }
  houses.resize(kept);
}

/// Puts small houses into gaps until `buildings` stand; they shrink as tries fail, so this always ends.
void fill(Ground& ground, std::uint32_t buildings, std::uint64_t seed) {
  RandomStream random(seed, 0, kFill);
  double size = 6;
  while (ground.houses().size() < buildings) {
    const double x = random.between(0, ground.side()), y = random.between(0, ground.side());
    const Lot l{{x, y}, direction(random.between(-1, 1)), size * random.between(0.8, 1.2), size * random.between(0.7, 1)};
    const std::uint32_t row = ground.new_row();
    if (ground.fits(l, row))
      ground.place({l, rectangle(l), row, false, true});
    else
      size = std::max(0.25, size * 0.998);
  }
}

}  // namespace

Scene make_city(std::uint32_t buildings, std::uint64_t seed) {
  buildings = std::clamp<std::uint32_t>(buildings, 1, kMaxBuildings);
  const double side = 1300 * std::sqrt(buildings / 2600.0);

  // Lots start at their natural size and shrink a little if a small or unlucky city cannot hold enough of them.
  Ground ground(side);
  for (const double scale : {1.2, 1.17, 1.14, 1.11, 1.08, 1.05, 1.02, 1.0, 0.97, 0.94, 0.91, 0.88, 0.84, 0.8}) {
    ground = lay_out(side, buildings, seed, scale);
    if (ground.houses().size() >= buildings) break;
  }
  fill(ground, buildings, seed);
  trim(ground.houses(), buildings, seed);

  Scene scene;
  scene.name = "city:" + std::to_string(buildings) + (seed == 1 ? "" : ",seed=" + std::to_string(seed));
  Layer& layer = scene.layers.emplace_back();
  layer.name = "ground";
  layer.walkable.push_back({{{0, 0}, {side, 0}, {side, side}, {0, side}}, {}});
  layer.obstacles.reserve(buildings);
  for (House& house : ground.houses()) layer.obstacles.push_back({std::move(house.footprint), {}});
  return scene;
}

}  // namespace throng
