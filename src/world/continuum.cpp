// SPDX-License-Identifier: MIT
// What continuum crowds (motion/continuum) have to know of a world: where people walk to, and which tiles that is.
//
// Places are areas, links (their entries) and, in a periodic world, headings along the period: a field to the end of what is seen
// beyond the border leads on for ever. Flows need no place of their own: they end in areas, and a field finds all ways there.
#include <algorithm>
#include <cmath>

#include "world/state.hpp"

namespace throng {
namespace {

/// The number of a place: its index among its kind, and the kind.
enum class Place : std::uint32_t { kArea, kLink, kHeading, kKinds };
std::uint32_t number_of(Place kind, std::uint32_t index) {
  return index * static_cast<std::uint32_t>(Place::kKinds) + static_cast<std::uint32_t>(kind);
}
constexpr std::uint32_t kNoArea = 0xffffffffu;
constexpr float kBorderCost = 4;  // times as much as elsewhere
constexpr float kAlong = 0.95f;   // cosine: so much of a heading along the period counts as such

}  // namespace

void World::State::lay_continuum_tiles() {
  if (models.continuum().is_there())
    models.continuum().lay_tiles(data().cells, [&](Vec2 place, std::uint32_t layer) { return data().elevation(place, layer); });
}

ContinuumGoal World::State::continuum_goal(std::uint32_t row, const Grid& tiles) const {
  ContinuumGoal goal;
  goal.profile = agents.profile[row];
  // Who follows a leader goes by that one's way-point, not by a field.
  if (agents.is_in_group(row) && groups[agents.band[row]].members[agents.member[row]].follows != Follows::kItself) return goal;
  const float x = agents.goal_x[row], y = agents.goal_y[row];
  if (agents.has_heading[row] != 0) {
    if (std::abs(x) > kAlong && settings.period_size.x > 0)
      goal.number = number_of(Place::kHeading, x > 0 ? kEast : kWest);
    else if (std::abs(y) > kAlong && settings.period_size.y > 0)
      goal.number = number_of(Place::kHeading, y > 0 ? kNorth : kSouth);
    return goal;
  }
  if (is_bound_for_link(row)) {
    goal.number = number_of(Place::kLink, agents.link[row]);
    return goal;
  }
  const std::uint32_t plan = agents.plan[row], entry = agents.plan_entry[row];
  if (plan != kNoPlan && entry < plans[plan].goals.size() && plans[plan].goals[entry].area != kNoArea) {
    goal.number = number_of(Place::kArea, plans[plan].goals[entry].area);
    return goal;
  }
  goal.is_tile = true;
  goal.number = tiles.tile_near(x, y, agents.goal_layer[row]);  // kNoTile: none
  return goal;
}

void World::State::continuum_tiles(std::uint32_t number, const Grid& tiles, std::vector<TileIndex>& list) const {
  constexpr auto kKinds = static_cast<std::uint32_t>(Place::kKinds);
  const std::uint32_t index = number / kKinds;
  switch (static_cast<Place>(number % kKinds)) {
    case Place::kArea:
      return areas[index].add_tiles(tiles, list);
    case Place::kLink:
      return links[index].entry.add_tiles(tiles, list);
    default:
      break;
  }
  // A heading: the last tiles, in its direction, that images of people reach.
  const bool is_along_x = index == kEast || index == kWest, is_forward = index == kEast || index == kNorth;
  const Vec2 low = settings.period_low, high = settings.period_low + settings.period_size;
  const auto seen = [&](TileIndex t) {
    const Vec2 at = tiles.centre(t);
    const double place = is_along_x ? at.x : at.y, from = is_along_x ? low.x : low.y, to = is_along_x ? high.x : high.y;
    const double beyond = (is_forward ? place - to : from - place) - kPeriodMargin / 2;
    return beyond <= 0 ? beyond : -1e30;
  };
  double last = -1e30;
  for (TileIndex t = 0; t < tiles.tile_count(); ++t) last = std::max(last, seen(t));
  for (TileIndex t = 0; t < tiles.tile_count(); ++t)
    if (seen(t) > last - 0.5 * static_cast<double>(tiles.size())) list.push_back(t);
}

/// Sets and fields of those who walk by the model `continuum` in this step.
void World::State::prepare_continuum() {
  if (!models.continuum().is_there()) return;
  const auto factors_of = [&](std::uint8_t profile, const Grid& tiles, std::vector<float>& factors) {
    const std::vector<float>& of_cell = data().profiles[profile].roadmap.factor;
    if (std::all_of(of_cell.begin(), of_cell.end(), [](float factor) { return factor == 1; })) return;
    factors.resize(tiles.tile_count() + 1, 0);
    for (TileIndex t = 0; t < tiles.tile_count(); ++t) factors[t] = of_cell[tiles.cell(t)];
    // Bodies have a width: nobody likes to walk along the very border of where it may not go.
    for (TileIndex t = 0; t < tiles.tile_count(); ++t) {
      if (factors[t] == 0) continue;
      const auto is_forbidden = [&](TileIndex other) { return other != kNoTile && of_cell[tiles.cell(other)] == 0; };
      const auto &next = tiles.next(t), &diagonal = tiles.diagonal(t);
      if (std::any_of(next.begin(), next.end(), is_forbidden) || std::any_of(diagonal.begin(), diagonal.end(), is_forbidden))
        factors[t] *= kBorderCost;
    }
  };
  const auto goal_of = [&](std::uint32_t row, const Grid& tiles) { return continuum_goal(row, tiles); };
  const auto tiles_of = [&](std::uint32_t number, const Grid& tiles, std::vector<TileIndex>& list) {
    continuum_tiles(number, tiles, list);
  };
  const auto vehicles_in = [&](CrowdField& crowd) { add_vehicles(crowd); };
  models.continuum().prepare(frozen(), data().cells, {goal_of, tiles_of, factors_of, vehicles_in}, *tasks);
}

/// What a set of a continuum crowd walks to, for those who look at its field.
FieldInfo World::State::describe_set(std::uint32_t model, const ContinuumFields& of, const ContinuumFields::Set& set) const {
  constexpr auto kKinds = static_cast<std::uint32_t>(Place::kKinds);
  FieldInfo info;
  info.model = model;
  info.people = set.people;
  info.tile = static_cast<double>(of.grid.size());
  if (set.goal.is_tile) {
    info.goal = FieldInfo::Goal::kPoint;
    info.point = of.grid.point(set.goal.number);
    info.layer = of.grid.layer(set.goal.number);
    return info;
  }
  info.index = set.goal.number / kKinds;
  const auto kind = static_cast<Place>(set.goal.number % kKinds);
  info.goal = kind == Place::kArea   ? FieldInfo::Goal::kArea
              : kind == Place::kLink ? FieldInfo::Goal::kLink
                                     : FieldInfo::Goal::kHeading;
  constexpr Vec2 kAhead[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  if (kind == Place::kHeading) info.point = kAhead[info.index];
  return info;
}

}  // namespace throng
