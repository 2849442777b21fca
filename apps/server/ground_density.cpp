// SPDX-License-Identifier: MIT
#include "ground_density.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "exports.hpp"
#include "navigation/queries.hpp"

namespace throng::server {
namespace {

/// Squares on ground, and which neighbours one can step to from them: looked up when they are first asked for.
class Squares {
 public:
  Squares(const NavigationData& ground, std::uint32_t layer, const DensityMap& map)
      : ground_(ground), layer_(layer), map_(map), cells_(map.density.size(), kUnknown), steps_(map.density.size(), 0) {}

  Vec2 middle(std::size_t square) const {
    return map_.low + map_.square * Vec2{static_cast<double>(square % map_.columns) + 0.5, static_cast<double>(square / map_.columns) + 0.5};
  }
  bool is_ground(std::size_t square) {
    if (cells_[square] == kUnknown) {
      const CellIndex cell = ground_.locator.cell_at(middle(square), layer_);
      cells_[square] = cell == kNoCell ? kNone : static_cast<std::int64_t>(cell);
    }
    return cells_[square] != kNone;
  }
  /// To the next column (0) or row (1).
  bool is_open(std::size_t from, std::size_t to, unsigned direction) {
    const unsigned known = 1u << (2 * direction), open = 2u << (2 * direction);
    if ((steps_[from] & known) == 0) {
      const bool is_free = is_ground(from) && is_ground(to) &&
                           !ray_cast(ground_.cells, middle(from), static_cast<CellIndex>(cells_[from]), middle(to)).hit;
      steps_[from] = static_cast<std::uint8_t>(steps_[from] | known | (is_free ? open : 0));
    }
    return (steps_[from] & open) != 0;
  }

 private:
  static constexpr std::int64_t kUnknown = -2, kNone = -1;
  const NavigationData& ground_;
  std::uint32_t layer_;
  const DensityMap& map_;
  std::vector<std::int64_t> cells_;
  std::vector<std::uint8_t> steps_;
};

}  // namespace

DensityMap ground_density(const NavigationData& ground, std::uint32_t layer, std::span<const SomePeople> people, double reach,
                          double most_squares) {
  Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  for (const SomePeople& one : people) {
    low = {std::min(low.x, one.place.x), std::min(low.y, one.place.y)};
    high = {std::max(high.x, one.place.x), std::max(high.y, one.place.y)};
  }
  DensityMap map;
  if (people.empty()) return map;
  double square = 0.5;
  while ((high.x - low.x + 2 * reach) * (high.y - low.y + 2 * reach) / (square * square) > most_squares) square *= 2;
  // On a lattice that does not move with them: pictures of one moment after the other hold still.
  const auto on_lattice = [&](double value) { return square * std::floor(value / square); };
  map.low = {on_lattice(low.x - reach), on_lattice(low.y - reach)};
  map.square = square;
  map.columns = static_cast<std::uint32_t>((on_lattice(high.x + reach) - map.low.x) / square + 1.5);
  map.rows = static_cast<std::uint32_t>((on_lattice(high.y + reach) - map.low.y) / square + 1.5);
  map.density.assign(std::size_t{map.columns} * map.rows, 0);

  Squares squares(ground, layer, map);
  std::vector<std::uint32_t> seen(map.density.size(), 0);
  std::vector<std::size_t> front;
  std::vector<std::pair<std::size_t, double>> shares;
  std::uint32_t turn = 0;
  for (const SomePeople& one : people) {
    const auto column = static_cast<std::int64_t>((one.place.x - map.low.x) / square);
    const auto row = static_cast<std::int64_t>((one.place.y - map.low.y) / square);
    const auto index = [&](std::int64_t c, std::int64_t r) { return static_cast<std::size_t>(r) * map.columns + static_cast<std::size_t>(c); };
    // The nearest square that is ground on this side of the wall: the middle of its own may lie in one.
    const CellIndex cell = ground.locator.cell_at(one.place, layer);
    std::size_t start = index(column, row);
    double nearest = 1e300;
    for (std::int64_t r = std::max<std::int64_t>(0, row - 1); r <= std::min<std::int64_t>(row + 1, map.rows - 1); ++r)
      for (std::int64_t c = std::max<std::int64_t>(0, column - 1); c <= std::min<std::int64_t>(column + 1, map.columns - 1); ++c) {
        const std::size_t at = index(c, r);
        const double away = distance(squares.middle(at), one.place);
        if (away >= nearest || !squares.is_ground(at)) continue;
        if (cell != kNoCell && ray_cast(ground.cells, one.place, cell, squares.middle(at)).hit) continue;
        nearest = away;
        start = at;
      }
    ++turn;
    shares.clear();
    double sum = 0;
    front.assign(1, start);
    seen[start] = turn;
    while (!front.empty()) {
      const std::size_t at = front.back();
      front.pop_back();
      const double away = distance(squares.middle(at), one.place) / reach;
      const double share = at == start ? std::max(1 - away * away, 0.1) : 1 - away * away;
      shares.emplace_back(at, share);
      sum += share;
      const auto go = [&](std::size_t to, std::size_t from_lower, unsigned direction) {
        if (seen[to] == turn || distance(squares.middle(to), one.place) >= reach) return;
        if (!squares.is_open(from_lower, from_lower == at ? to : at, direction)) return;
        seen[to] = turn;
        front.push_back(to);
      };
      const std::size_t c = at % map.columns, r = at / map.columns;
      if (c + 1 < map.columns) go(at + 1, at, 0);
      if (c > 0) go(at - 1, at - 1, 0);
      if (r + 1 < map.rows) go(at + map.columns, at, 1);
      if (r > 0) go(at - map.columns, at - map.columns, 1);
    }
    for (const auto& [at, share] : shares) map.density[at] += one.people * share / (sum * square * square);
  }
  return map;
}

nlohmann::json grid_primitive(const DensityMap& map, Vec2 shift) {
  constexpr double kPerUnit = 1.0 / 32;  // people per m²: up to 8 in a byte
  std::string bytes(map.density.size(), '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(static_cast<unsigned char>(std::clamp(std::round(map.density[i] / kPerUnit), 0.0, 255.0)));
  return nlohmann::json::array({"grid", map.low.x + shift.x, map.low.y + shift.y, map.square, map.columns, kPerUnit, base64(bytes)});
}

}  // namespace throng::server
