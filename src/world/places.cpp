// SPDX-License-Identifier: MIT
// Room for a body: free of walls, free of people, inside an area.
#include <algorithm>
#include <bit>
#include <cmath>

#include "neighbours/sight.hpp"
#include "world/state.hpp"

namespace throng {
namespace {

constexpr int kSpotTries = 64;

bool ring_holds(const Ring& ring, Vec2 p) {
  bool inside = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Vec2 a = ring[i], b = ring[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}

std::size_t square_of(double x, double y, std::size_t size) {
  const auto column = static_cast<std::uint32_t>(static_cast<std::int64_t>(std::floor(x)));
  const auto row = static_cast<std::uint32_t>(static_cast<std::int64_t>(std::floor(y)));
  return ((std::uint64_t{column} * 0x9E3779B97F4A7C15u) ^ (std::uint64_t{row} * 0xC2B2AE3D27D4EB4Fu)) >> 17 & (size - 1);
}

}  // namespace

void PeopleIndex::build(const Agents& agents) {
  head.assign(std::bit_ceil(std::size_t{2} * agents.count + 64), kNoIndex);
  entries.clear();
  largest = 0;
  is_valid = true;
  for (std::uint32_t row = 0; row < agents.count; ++row) add(agents, row);
}

void PeopleIndex::add(const Agents& agents, std::uint32_t row) {
  if (entries.size() > 2 * head.size()) return build(agents);
  std::uint32_t& first = head[square_of(agents.now.x[row], agents.now.y[row], head.size())];
  entries.push_back({row, first});
  first = static_cast<std::uint32_t>(entries.size() - 1);
  largest = std::max(largest, agents.radius[row]);
}

World::State::GoalArea World::State::GoalArea::of(const Polygon& shape, std::uint32_t layer) {
  GoalArea area{shape, layer, {1e30, 1e30}, {-1e30, -1e30}};
  for (const Vec2 p : shape.outer) {
    area.low = {std::min(area.low.x, p.x), std::min(area.low.y, p.y)};
    area.high = {std::max(area.high.x, p.x), std::max(area.high.y, p.y)};
  }
  return area;
}

bool World::State::GoalArea::holds(Vec2 p) const {
  if (p.x < low.x || p.y < low.y || p.x > high.x || p.y > high.y || !ring_holds(shape.outer, p)) return false;
  return std::none_of(shape.holes.begin(), shape.holes.end(), [p](const Ring& hole) { return ring_holds(hole, p); });
}

void World::State::GoalArea::add_tiles(const Grid& tiles, std::vector<TileIndex>& list) const {
  const std::size_t before = list.size();
  for (TileIndex t = 0; t < tiles.tile_count(); ++t)
    if (tiles.layer(t) == layer && holds(tiles.point(t))) list.push_back(t);
  const Vec2 middle = 0.5 * (low + high);
  const TileIndex t = tiles.tile_near(static_cast<float>(middle.x), static_cast<float>(middle.y), layer);
  if (list.size() == before && t != kNoTile) list.push_back(t);
}

bool World::State::fits(Vec2 place, std::uint32_t layer, double radius) const {
  return data().locator.cell_at(place, layer) != kNoCell && data().locator.clearance(place, layer, radius) >= radius;
}

bool World::State::is_free_of_people(Vec2 place, std::uint32_t layer, double radius) {
  if (!people.is_valid) people.build(agents);
  const double reach = radius + people.largest;
  const CellIndex cell = data().layer_names.size() > 1 ? data().locator.cell_at(place, layer) : kNoCell;
  // In a periodic world those behind the border count too.
  const Vec2 size = settings.period_size;
  const int columns = size.x > 0 ? 1 : 0, lines = size.y > 0 ? 1 : 0;
  for (int column = -columns; column <= columns; ++column)
    for (int line = -lines; line <= lines; ++line) {
      const Vec2 at = place + Vec2{column * size.x, line * size.y};
      for (double x = std::floor(at.x - reach); x <= at.x + reach; ++x)
        for (double y = std::floor(at.y - reach); y <= at.y + reach; ++y)
          for (std::uint32_t e = people.head[square_of(x, y, people.head.size())]; e != kNoIndex; e = people.entries[e].next) {
            const std::uint32_t row = people.entries[e].row;
            const double contact = radius + agents.radius[row];
            const double dx = agents.now.x[row] - at.x, dy = agents.now.y[row] - at.y;
            if (dx * dx + dy * dy >= contact * contact) continue;
            // Across a joint it counts if the two would see each other.
            if (layer_of(row) == layer ||
                (cell != kNoCell && can_see(data().cells, snap(at), cell, snap(position(row)), agents.cell[row])))
              return false;
          }
    }
  return true;
}

std::optional<Vec2> World::State::place_in(const GoalArea& area, double radius, std::uint32_t number, std::uint64_t draw) const {
  RandomStream random(settings.seed ^ (draw * 0x9E3779B97F4A7C15u), number, static_cast<std::uint32_t>(Draw::kPlace));
  for (int attempt = 0; attempt < kSpotTries; ++attempt) {
    const double x = random.between(area.low.x, area.high.x), y = random.between(area.low.y, area.high.y);
    if (area.holds({x, y}) && fits({x, y}, area.layer, radius)) return Vec2{x, y};
  }
  return std::nullopt;
}

/// Random tries first; where those fail because it is crowded, the places of a triangular lattice from a random one on.
std::optional<Vec2> World::State::free_place_in(const GoalArea& area, double radius, std::uint64_t draw) {
  const auto is_good = [&](Vec2 p) {
    return area.holds(p) && fits(p, area.layer, radius) && is_free_of_people(p, area.layer, radius);
  };
  RandomStream random(settings.seed, static_cast<std::uint32_t>(draw), static_cast<std::uint32_t>(Draw::kFreePlace));
  for (int attempt = 0; attempt < kSpotTries; ++attempt) {
    const Vec2 p = {random.between(area.low.x, area.high.x), random.between(area.low.y, area.high.y)};
    if (is_good(p)) return p;
  }
  const double step = 2.002 * radius, rise = 0.8660255 * step;
  const auto columns = static_cast<std::int64_t>((area.high.x - area.low.x) / step) + 1;
  const auto lines = static_cast<std::int64_t>((area.high.y - area.low.y) / rise) + 1;
  const std::int64_t count = columns * lines;
  constexpr std::int64_t kMostPlaces = 100'000;
  const std::int64_t from = random.integer(0, count - 1);
  for (std::int64_t k = 0; k < std::min(count, kMostPlaces); ++k) {
    const std::int64_t at = (from + k) % count, line = at / columns;
    const Vec2 p = {area.low.x + radius + (static_cast<double>(at % columns) + 0.5 * static_cast<double>(line & 1)) * step,
                    area.low.y + radius + static_cast<double>(line) * rise};
    if (is_good(p)) return p;
  }
  return std::nullopt;
}

}  // namespace throng
