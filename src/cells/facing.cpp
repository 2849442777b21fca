// SPDX-License-Identifier: MIT
#include "cells/facing.hpp"

#include <algorithm>

#include "cells/widths.hpp"

namespace throng {
namespace {

/// Directions in which the centre of a disc that touches a corner may be, from the corner: between the normals of the two walls
/// that end there.
struct Contact {
  Vec2 first, last;     ///< unit vectors; last is counter-clockwise of first
  bool is_all = false;  ///< several obstacles meet in the corner: no telling
};

/// The diameter of the largest disc through the origin with its centre in direction m that does not reach into a–b.
double fits(Vec2 m, Vec2 a, Vec2 b) {
  double diameter = Cells::kMostFacing;
  for (const Vec2 end : {a, b})
    if (const double ahead = dot(end, m); ahead > 0) diameter = std::min(diameter, dot(end, end) / ahead);
  // A disc that touches the line between the ends: its radius is the distance of its centre from the line.
  const Vec2 d = b - a;
  Vec2 normal = (1 / length(d)) * left(d);
  double height = dot(normal, a);
  if (height < 0) normal = -1 * normal, height = -height;
  if (const double rate = 1 + dot(normal, m); rate > 1e-12) {
    const double radius = height / rate, along = dot(radius * (m + normal) - a, d);
    if (along > 0 && along < dot(d, d)) diameter = std::min(diameter, 2 * radius);
  }
  return diameter;
}

/// The same for all directions of contact.
double fits(const Contact& contact, Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const Vec2 nearest = a + std::clamp(-dot(a, d) / dot(d, d), 0.0, 1.0) * d;
  double diameter = contact.is_all ? length(nearest) : std::min(fits(contact.first, a, b), fits(contact.last, a, b));
  for (const Vec2 p : {a, b, nearest})
    if (cross(contact.first, p) >= 0 && cross(p, contact.last) >= 0 && dot(contact.first + contact.last, p) > 0)
      diameter = std::min(diameter, length(p));
  return diameter;
}

}  // namespace

void find_facing(Cells& cells) {
  cells.facing.assign(cells.vertices.size(), Cells::kMostFacing);
  find_facing(cells, std::vector<std::uint8_t>(cells.vertices.size(), 1));
}

void find_facing(Cells& cells, std::span<const std::uint8_t> which) {
  const auto vertex_count = static_cast<std::uint32_t>(cells.vertices.size());
  const auto cell_count = static_cast<CellIndex>(cells.side_start.size() - 1);
  // The cells round each vertex, and the walls that end there.
  std::vector<std::uint32_t> start(vertex_count + 1, 0);
  for (const Side& side : cells.sides) ++start[side.vertex + 1];
  for (std::uint32_t v = 0; v < vertex_count; ++v) start[v + 1] += start[v];
  std::vector<CellIndex> round(cells.sides.size());
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  std::vector<Contact> contact(vertex_count);
  for (CellIndex c = 0; c < cell_count; ++c) {
    const auto sides = cells.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::uint32_t a = sides[i].vertex, b = sides[i + 1 < sides.size() ? i + 1 : 0].vertex;
      round[next[a]++] = c;
      if (sides[i].portal != kNoPortal) continue;
      const Vec2 wall = cells.position(b) - cells.position(a), normal = (1 / length(wall)) * left(wall);
      // The ground left of the wall begins at a and ends at b, counter-clockwise.
      contact[a].is_all |= contact[a].first != Vec2{};
      contact[a].first = normal;
      contact[b].is_all |= contact[b].last != Vec2{};
      contact[b].last = normal;
    }
  }

  std::vector<std::uint32_t> seen(cell_count, kNoCell);  // the last vertex whose flood came here
  std::vector<CellIndex> queue;
  for (std::uint32_t v = 0; v < vertex_count; ++v) {
    if (!which[v]) continue;
    cells.facing[v] = Cells::kMostFacing;
    if (contact[v].first == Vec2{}) continue;  // on open ground
    const Vec2 place = cells.position(v);
    double least = Cells::kMostFacing;
    queue.assign(round.begin() + start[v], round.begin() + start[v + 1]);
    for (const CellIndex c : queue) seen[c] = v;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const auto sides = cells.sides_of(queue[head]);
      for (std::size_t i = 0; i < sides.size(); ++i) {
        const std::uint32_t a = sides[i].vertex, b = sides[i + 1 < sides.size() ? i + 1 : 0].vertex;
        const PortalIndex portal = sides[i].portal;
        if (a == v || b == v || (portal != kNoPortal && seen[cells.across(portal, queue[head])] == v)) continue;
        const double diameter = fits(contact[v], cells.position(a) - place, cells.position(b) - place);
        if (diameter >= least) continue;
        if (portal == kNoPortal) {
          least = diameter;
        } else {
          queue.push_back(cells.across(portal, queue[head]));
          seen[queue.back()] = v;
        }
      }
    }
    cells.facing[v] = round_down(least);
  }
}

}  // namespace throng
