// SPDX-License-Identifier: MIT
#include "detail/leg.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr float kBehind = 0.004f;          // m past a portal, so that who is looked at next is beyond it
constexpr float kGraze = 0.01f;            // m by which a line may pass a portal's end closer than the body
constexpr std::uint32_t kMostPortals = 8;  // as many as a walker finds again in its route

float way_to_walls(const Ground& ground, CellIndex cell, const LegRequest& request, float limit) {
  for (const Ground::Wall& wall : ground.walls_near(cell))
    limit = way_to_wall(wall, request.place, request.ahead, request.radius, limit);
  return limit;
}

/// Out of a convex cell, through whatever side.
float way_out(const Ground& ground, CellIndex cell, Vec2f place, Vec2f ahead, float limit) {
  for (const Ground::Edge& edge : ground.edges_of(cell)) {
    const float speed = edge.nx * ahead.x + edge.ny * ahead.y;
    if (speed <= 1e-6f) continue;
    const float inside = edge.nx * (edge.x - place.x) + edge.ny * (edge.y - place.y);
    limit = std::min(limit, std::max(0.0f, inside / speed) + kBehind);
  }
  return limit;
}

}  // namespace

float way_to_wall(const Ground::Wall& wall, Vec2f place, Vec2f ahead, float radius, float limit) {
  const WallFoot foot = foot_on(wall, place.x, place.y);
  const float reach = radius + limit;
  // The distance to a segment along a line is convex: who does not approach it now never will.
  if (foot.distance_squared >= reach * reach || ahead.x * foot.dx + ahead.y * foot.dy <= 0) return limit;
  const float body = radius - 0.8f * Ground::kTouch;
  if (foot.distance_squared <= body * body) return 0;
  const Vec2f from = {place.x - wall.x, place.y - wall.y}, along = {wall.dx, wall.dy};
  const float inverse = std::sqrt(wall.inverse_length_squared);
  const float height = inverse * cross(along, from), rise = inverse * cross(along, ahead);
  const float closing = height > 0 ? -rise : rise;
  float first = limit;
  if (closing > 0) {
    const float at = (std::abs(height) - body) / closing;
    const float share = dot(from + at * ahead, along) * wall.inverse_length_squared;
    if (at >= 0 && share >= 0 && share <= 1) first = std::min(first, at);
  }
  for (const Vec2f end : {from, from - along}) {
    const float nearing = dot(end, ahead);
    if (nearing >= 0) continue;
    const float depth = nearing * nearing - dot(end, end) + body * body;
    if (depth > 0) first = std::min(first, std::max(0.0f, -nearing - std::sqrt(depth)));
  }
  return first;
}

float leg_length(const Ground& ground, const Cells& cells, const LegRequest& request) {
  float limit = way_to_walls(ground, request.cell, request, request.distance);
  if (request.route == nullptr) return way_out(ground, request.cell, request.place, request.ahead, limit);
  const Route& route = *request.route;
  const auto count = static_cast<std::uint32_t>(route.portals.size());
  float passed = 0;
  for (std::uint32_t k = route.next; k < count; ++k) {
    if (k == route.next + kMostPortals) return std::min(limit, passed);
    const Portal& portal = cells.portals[route.portals[k]];
    const int end = portal.cell[0] == route.cells[k] ? 0 : 1;
    const Vec2 l = to_metres(portal.position[1 - end]), r = to_metres(portal.position[end]);
    const Vec2f to_right = {static_cast<float>(r.x) - request.place.x, static_cast<float>(r.y) - request.place.y};
    const Vec2f across = {static_cast<float>(l.x - r.x), static_cast<float>(l.y - r.y)};
    const float width = length(across), turn = cross(request.ahead, across);
    // Along the portal or back through it: the corridor turns here.
    if (turn <= 1e-3f * width) return std::min(limit, passed);
    const float at = cross(to_right, across) / turn, from_right = cross(to_right, request.ahead) / turn * width;
    if (at >= limit) return limit;
    const float inset = std::max(0.0f, std::min(request.radius, 0.5f * width) - kGraze);
    if (from_right < inset || from_right > width - inset) return std::min(limit, passed);
    passed = std::max(passed, at + kBehind);
    const CellIndex next = route.cells[k + 1];
    if (request.levels != nullptr && request.levels->level(next) != PatchLevel::kLow) return std::min(limit, passed);
    limit = way_to_walls(ground, next, request, limit);
  }
  return limit;
}

}  // namespace throng
