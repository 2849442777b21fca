// SPDX-License-Identifier: MIT
// Vehicles (Yersin et al. 2008; ALGORITHMS §4.9): rectangles that drive along lines.
//
// A vehicle moves before people do and never onto anybody: it drives no further than to the next body in front of it, and not at
// all where turning would touch one. People then move and never onto a vehicle: who would is pushed out of it, or stays where it
// was, which is free. So nobody is ever run over, whatever people do; getting out of the way is guidance, and fields of regions
// of interest know of the danger as well.
#include <algorithm>
#include <cmath>

#include "world/state.hpp"

namespace throng {
namespace {

constexpr double kGap = 0.3;     // m kept to whoever is in front
constexpr double kTouch = 1e-3;  // m
constexpr float kAside = 0.9f;   // share of aside in the direction of those who flee
constexpr float kSeen = 4;       // m ahead that vehicles are walked round
constexpr float kRoom = 0.25f;   // m kept to them

/// How far a place is outside of a box, and the way out of it or to it; negative inside.
struct BoxDistance {
  double distance;
  Vec2 out;  ///< unit
};
BoxDistance distance_to(const GroundBox& box, Vec2 place) {
  const Vec2 ahead = {box.ahead.x, box.ahead.y}, left = {-ahead.y, ahead.x};
  const Vec2 to = place - Vec2{box.middle.x, box.middle.y};
  const double along = dot(to, ahead), across = dot(to, left);
  const double beyond_x = std::abs(along) - 0.5 * static_cast<double>(box.length);
  const double beyond_y = std::abs(across) - 0.5 * static_cast<double>(box.width);
  const Vec2 out_x = (along < 0 ? -1.0 : 1.0) * ahead, out_y = (across < 0 ? -1.0 : 1.0) * left;
  if (beyond_x <= 0 || beyond_y <= 0) return beyond_x > beyond_y ? BoxDistance{beyond_x, out_x} : BoxDistance{beyond_y, out_y};
  const double d = std::sqrt(beyond_x * beyond_x + beyond_y * beyond_y);
  return {d, (1 / d) * (beyond_x * out_x + beyond_y * out_y)};
}

bool overlap(const GroundBox& a, const GroundBox& b) {
  const auto separates = [](const GroundBox& by, const GroundBox& other) {
    for (const Vec2f axis : {by.ahead, Vec2f{-by.ahead.y, by.ahead.x}}) {
      const Vec2f left = {-other.ahead.y, other.ahead.x};
      const float own = axis == by.ahead ? by.length : by.width;
      const float reach = other.length * std::abs(dot(axis, other.ahead)) + other.width * std::abs(dot(axis, left));
      if (2 * std::abs(dot(axis, other.middle - by.middle)) >= own + reach) return true;
    }
    return false;
  };
  return a.layer == b.layer && !separates(a, b) && !separates(b, a);
}

}  // namespace

Result<std::uint32_t> World::State::add_vehicle(const VehicleDef& definition) {
  Vehicle vehicle{.definition = definition};
  const auto wrong = [](const char* what, const char* fix) { return Problem{"vehicle", what, fix}; };
  if (definition.path.size() < 2) return wrong("a path of fewer than two points", "give where it starts and where it drives to");
  for (const Vec2 p : definition.path)
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return wrong("a path that is not finite", "check its coordinates");
  for (std::size_t i = 1; i < definition.path.size(); ++i) {
    vehicle.until.push_back((i > 1 ? vehicle.until.back() : 0) + distance(definition.path[i - 1], definition.path[i]));
    if (!(distance(definition.path[i - 1], definition.path[i]) > 1e-3))
      return wrong("two equal points follow each other on its path", "leave one of them out");
  }
  for (const double v : {definition.length, definition.width, definition.speed, definition.acceleration, definition.deceleration})
    if (!(v > 0 && v < 1000))
      return wrong("a size, speed or acceleration that is not positive", "4.4 m, 1.8 m, 6 m/s and 2 m/s² are usual");
  for (const double v : {definition.danger_time, definition.danger_margin, definition.discomfort, definition.start_time})
    if (!(v >= 0 && v < 1e9)) return wrong("a negative time, margin or discomfort", "2 s, 0.5 m and 10 are usual");
  if (!(definition.hurry >= 1 && definition.hurry < 100)) return wrong("a hurry below 1", "2 is usual");
  if (definition.layer >= data().locator.grids.size()) return wrong("a layer that the scene has not", "number layers from 0");
  vehicles.push_back(std::move(vehicle));
  return static_cast<std::uint32_t>(vehicles.size() - 1);
}

/// Where a vehicle is that has driven so far.
GroundBox World::State::box_of(const Vehicle& vehicle, double driven) const {
  const auto& path = vehicle.definition.path;
  std::size_t leg = 0;
  while (leg + 1 < vehicle.until.size() && driven > vehicle.until[leg]) ++leg;
  const double from = leg == 0 ? 0 : vehicle.until[leg - 1], share = (driven - from) / (vehicle.until[leg] - from);
  const Vec2 at = path[leg] + share * (path[leg + 1] - path[leg]),
             ahead = (1 / (vehicle.until[leg] - from)) * (path[leg + 1] - path[leg]);
  return {{static_cast<float>(at.x), static_cast<float>(at.y)},
          {static_cast<float>(ahead.x), static_cast<float>(ahead.y)},
          static_cast<float>(vehicle.definition.length),
          static_cast<float>(vehicle.definition.width),
          vehicle.definition.layer};
}

/// How far it is to the next body in front of it, at most `reach`.
double World::State::room_ahead(const GroundBox& box, double reach) const {
  double room = reach;
  const Vec2f left = {-box.ahead.y, box.ahead.x};
  for (std::uint32_t row = 0; row < agents.count; ++row) {
    const Vec2f to = Vec2f{agents.now.x[row], agents.now.y[row]} - box.middle;
    const float along = dot(to, box.ahead);
    const double gap = static_cast<double>(along - 0.5f * box.length - agents.radius[row]) - kGap;
    if (along <= 0 || gap >= room || layer_of(row) != box.layer) continue;
    if (std::abs(dot(to, left)) < 0.5f * box.width + agents.radius[row] + 0.05f) room = gap;
  }
  return std::max(0.0, room);
}

/// Whether a box touches nobody and no vehicle but `self`.
bool World::State::is_clear(const GroundBox& box, const Vehicle& self) const {
  const float far = 0.5f * (box.length + box.width) + 5;
  for (std::uint32_t row = 0; row < agents.count; ++row) {
    const float x = agents.now.x[row], y = agents.now.y[row];
    if (std::abs(x - box.middle.x) > far || std::abs(y - box.middle.y) > far || layer_of(row) != box.layer) continue;
    if (distance_to(box, {x, y}).distance < static_cast<double>(agents.radius[row]) + kTouch) return false;
  }
  return std::none_of(vehicles.begin(), vehicles.end(),
                      [&](const Vehicle& other) { return &other != &self && other.is_there && overlap(box, other.box); });
}

void World::State::drive_vehicles() {
  const double dt = settings.dt;
  for (Vehicle& vehicle : vehicles) {
    const VehicleDef& def = vehicle.definition;
    if (!vehicle.is_there) {
      if (vehicle.is_gone || time() < def.start_time || !is_clear(box_of(vehicle, 0), vehicle)) continue;
      vehicle.is_there = true;
      vehicle.driven = vehicle.speed = 0;
      vehicle.box = box_of(vehicle, 0);
      continue;
    }
    const double room = room_ahead(vehicle.box, def.speed * def.speed / def.deceleration + 5);
    const double safe = std::sqrt(2 * def.deceleration * room);
    vehicle.speed = std::min({def.speed, safe, vehicle.speed + def.acceleration * dt});
    const double driven = std::min(vehicle.until.back(), vehicle.driven + std::min(room, vehicle.speed * dt));
    const GroundBox box = box_of(vehicle, driven);
    if (is_clear(box, vehicle)) {
      vehicle.driven = driven;
      vehicle.box = box;
    } else {
      vehicle.speed = 0;
    }
    if (vehicle.driven >= vehicle.until.back()) vehicle.is_there = false, vehicle.is_gone = !def.comes_back;
  }
}

/// What is dangerous in front of a vehicle, and a little of it beside.
DangerZone World::State::danger_of(const Vehicle& vehicle) const {
  const VehicleDef& def = vehicle.definition;
  const auto reach = static_cast<float>(std::max(vehicle.speed, 0.3 * def.speed) * def.danger_time);
  DangerZone zone;
  zone.box = vehicle.box;
  zone.box.middle = vehicle.box.middle + 0.5f * (vehicle.box.length + reach) * vehicle.box.ahead;
  zone.box.length = reach;
  zone.box.width = vehicle.box.width + 2 * static_cast<float>(def.danger_margin);
  zone.near_discomfort = static_cast<float>(def.discomfort);
  zone.far_discomfort = static_cast<float>(std::min(1.0, def.discomfort));
  zone.speed_factor = static_cast<float>(def.hurry);
  return zone;
}

/// What fields know of vehicles: nobody walks through them, and nobody likes to be in front of them.
void World::State::add_vehicles(CrowdField& crowd) const {
  for (const Vehicle& vehicle : vehicles) {
    if (!vehicle.is_there) continue;
    crowd.block(vehicle.box);
    if (vehicle.definition.discomfort > 0) crowd.add_zone(danger_of(vehicle));
  }
}

/// Past a vehicle that stands in the way: to the corner that is less of a detour.
Vec2f World::State::round_vehicle(std::uint32_t row, const GroundBox& box, Vec2f wanted) const {
  const float room = agents.radius[row] + kRoom, speed = length(wanted);
  const Vec2f place = {agents.now.x[row], agents.now.y[row]}, left = {-box.ahead.y, box.ahead.x}, way = (1 / speed) * wanted;
  // The way ahead as a segment in the frame of the box, against the box and some room.
  const Vec2f half = {0.5f * box.length + room, 0.5f * box.width + room};
  const Vec2f from = {dot(place - box.middle, box.ahead), dot(place - box.middle, left)};
  const Vec2f along = {kSeen * dot(way, box.ahead), kSeen * dot(way, left)};
  float enters = 0, leaves = 1;
  const auto clip = [&](float start, float step, float limit) {
    if (std::abs(step) < 1e-6f) return std::abs(start) < limit;
    const float a = (-limit - start) / step, b = (limit - start) / step;
    enters = std::max(enters, std::min(a, b)), leaves = std::min(leaves, std::max(a, b));
    return true;
  };
  if (!clip(from.x, along.x, half.x) || !clip(from.y, along.y, half.y) || enters >= leaves) return wanted;
  // The outermost corners, as seen from here.
  Vec2f best_left{}, best_right{};
  float most_left = -1e9f, most_right = 1e9f;
  for (const float x : {-1.0f, 1.0f})
    for (const float y : {-1.0f, 1.0f}) {
      const Vec2f corner = unit(box.middle + x * half.x * box.ahead + y * half.y * left - place);
      const float turn = cross(way, corner);
      if (turn > most_left) most_left = turn, best_left = corner;
      if (turn < most_right) most_right = turn, best_right = corner;
    }
  return speed * (std::abs(most_left) < std::abs(most_right) ? best_left : best_right);
}

/// Out of the way of vehicles, whatever else somebody wants.
Vec2f World::State::out_of_the_way(std::uint32_t row, Vec2f wanted) const {
  const Vec2f place = {agents.now.x[row], agents.now.y[row]};
  for (const Vehicle& vehicle : vehicles) {
    if (!vehicle.is_there || vehicle.box.layer != layer_of(row)) continue;
    if (wanted != Vec2f{}) wanted = round_vehicle(row, vehicle.box, wanted);
    if (vehicle.definition.discomfort <= 0) continue;
    const DangerZone zone = danger_of(vehicle);
    const Vec2f to = place - zone.box.middle, left = {-zone.box.ahead.y, zone.box.ahead.x};
    const float across = dot(to, left), margin = agents.radius[row];
    if (std::abs(dot(to, zone.box.ahead)) > 0.5f * zone.box.length + margin) continue;
    if (std::abs(across) > 0.5f * zone.box.width + margin) continue;
    const float speed = std::min(agents.max_speed[row], zone.speed_factor * agents.preferred_speed[row]);
    // To the nearer side; from the middle to where it wants to go anyway. Not into a wall.
    float side = std::abs(across) > 0.1f ? across : dot(wanted, left);
    side = side < 0 ? -1.0f : 1.0f;
    const auto is_open = [&](float towards) {
      const float reach = 0.5f * zone.box.width + 2 * margin - towards * across;
      const Vec2f there = place + towards * reach * left;
      return !walk(ground, agents.cell[row], place.x, place.y, there.x, there.y).is_blocked;
    };
    if (!is_open(side) && is_open(-side)) side = -side;
    return speed * unit(kAside * side * left + (1 - kAside) * unit(wanted));
  }
  return wanted;
}

/// Where somebody comes to rest that would move from its place, which is free, to another.
Walk World::State::keep_beside_vehicles(std::uint32_t row, const Walk& to) const {
  const std::uint32_t layer = layer_of(row);
  const float radius = agents.radius[row];
  const auto is_free = [&](Vec2f at) {
    return std::none_of(vehicles.begin(), vehicles.end(), [&](const Vehicle& vehicle) {
      return vehicle.is_there && vehicle.box.layer == layer &&
             distance_to(vehicle.box, {at.x, at.y}).distance < static_cast<double>(radius);
    });
  };
  if (is_free({to.x, to.y})) return to;
  Vec2f out = {to.x, to.y};
  for (const Vehicle& vehicle : vehicles) {
    if (!vehicle.is_there || vehicle.box.layer != layer) continue;
    const BoxDistance away = distance_to(vehicle.box, {out.x, out.y});
    const double push = static_cast<double>(radius) + kTouch - away.distance;
    if (push > 0) out = out + Vec2f{static_cast<float>(push * away.out.x), static_cast<float>(push * away.out.y)};
  }
  const Walk there = move_body(ground, agents.cell[row], agents.now.x[row], agents.now.y[row], out.x, out.y, radius);
  if (is_free({there.x, there.y})) return there;
  return {agents.now.x[row], agents.now.y[row], agents.cell[row], true};
}

}  // namespace throng
