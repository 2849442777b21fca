// SPDX-License-Identifier: MIT
// Counts overlaps and penetrations of a world for the report. Nothing in it trusts what avoided them.
#include <algorithm>
#include <cmath>

#include "neighbours/sight.hpp"
#include "world/state.hpp"

namespace throng {

/// Whether two who are near in plan are so on the ground: on one layer, or across a joint in sight, from where their cells say
/// that they stand.
bool World::State::are_on_one_ground(std::uint32_t i, std::uint32_t j) const {
  if (layer_of(i) == layer_of(j)) return true;
  return can_see(data().cells, snap(position(i)), agents.cell[i], snap(position(j)), agents.cell[j]);
}

ClosePairs::Counts World::State::count_overlaps(const std::vector<float>& x, const std::vector<float>& y) {
  const std::size_t count = agents.count;
  const ClosePairs::Bodies bodies = {{x.data(), count}, {y.data(), count}, {agents.radius.data(), count}};
  const ClosePairs::Period period = {static_cast<float>(settings.period_size.x), static_cast<float>(settings.period_size.y)};
  const auto meet = [&](std::uint32_t i, std::uint32_t j) { return are_on_one_ground(i, j); };
  return close_pairs.count(bodies, period, meet, *tasks);
}

/// Somebody on a joint may stand a hair beyond it, on the other layer's ground.
bool World::State::is_on_ground(Vec2 place, CellIndex cell) const {
  const Cells& cells = data().cells;
  if (data().locator.cell_at(place, cells.layer[cell]) != kNoCell) return true;
  const auto portals = cells.portals_of(cell);
  return std::any_of(portals.begin(), portals.end(), [&](PortalIndex portal) {
    return data().locator.cell_at(place, cells.layer[cells.across(portal, cell)]) != kNoCell;
  });
}

bool World::State::penetrates(std::uint32_t row) const {
  constexpr double kTolerance = 0.001;
  const double radius = agents.radius[row];
  const Vec2 at = position(row);
  return data().locator.clearance(at, layer_of(row), radius) < radius - kTolerance || !is_on_ground(at, agents.cell[row]);
}

/// Distance to the nearest wall of a layer or joint of any, at most so much; 0 beside the ground.
double World::State::room_at(Vec2 place, std::uint32_t layer, double up_to) const {
  if (data().locator.cell_at(place, layer) == kNoCell) return 0;
  double room = data().locator.clearance(place, layer, up_to);
  for (const auto& [a, b] : joints) {
    const Vec2 along = b - a;
    const double share = std::clamp(dot(place - a, along) / std::max(dot(along, along), 1e-12), 0.0, 1.0);
    room = std::min(room, distance(place, a + share * along));
  }
  return room;
}

/// The edges where layers meet.
void World::State::find_joints() {
  const Cells& cells = data().cells;
  joints.clear();
  for (const Portal& portal : cells.portals)
    if (cells.layer[portal.cell[0]] != cells.layer[portal.cell[1]])
      joints.push_back({to_metres(portal.position[0]), to_metres(portal.position[1])});
  wall_watch.forget();
}

/// After count_overlaps() of the same places.
std::uint32_t World::State::count_wall_penetrations() {
  const std::size_t count = agents.count;
  if (count == 0) return 0;
  const ClosePairs::Bodies bodies = {{agents.now.x.data(), count}, {agents.now.y.data(), count}, {agents.radius.data(), count}};
  const auto room = [&](Vec2 place, std::uint32_t layer, double up_to) { return room_at(place, layer, up_to); };
  const auto asks = [&](std::uint32_t row) { return penetrates(row); };
  const auto layer = [&](std::uint32_t row) { return layer_of(row); };
  return wall_watch.count(bodies, close_pairs, {room, asks, layer, data().locator.grids.size() > 1}, *tasks);
}

}  // namespace throng
