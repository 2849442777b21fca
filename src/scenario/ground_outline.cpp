// SPDX-License-Identifier: MIT
#include "scenario/ground_outline.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "geometry/polygon.hpp"
#include "navigation/navigation_data.hpp"
#include "scene/map.hpp"

namespace throng {
namespace {

/// Whether a layer ends at a side: at a wall, or at a joint.
bool is_border(const Cells& cells, CellIndex cell, std::uint32_t side) {
  const PortalIndex portal = cells.sides_of(cell)[side].portal;
  return portal == kNoPortal || cells.layer[cells.across(portal, cell)] != cells.layer[cell];
}

/// Where the border goes on after side `side` of `cell`: through the portals that meet at its end, turning right as far as
/// possible, so that rings that touch in a point stay apart.
std::pair<CellIndex, std::uint32_t> next_border(const Cells& cells, CellIndex cell, std::uint32_t side) {
  for (;;) {
    const auto sides = cells.sides_of(cell);
    side = (side + 1) % static_cast<std::uint32_t>(sides.size());
    if (is_border(cells, cell, side)) return {cell, side};
    const Portal& portal = cells.portals[sides[side].portal];
    const int end = 1 - cells.end_of(sides[side].portal, cell);
    cell = portal.cell[end];
    side = portal.side[end];
  }
}

/// Walls with ground on both sides: lines, which no polygon can have inside.
std::vector<Segment> lines_in_ground(const Cells& cells, std::uint32_t layer) {
  std::set<std::pair<Point, Point>> sides;
  std::vector<Segment> lines;
  for (CellIndex cell = 0; cell < cells.cell_count(); ++cell) {
    if (cells.layer[cell] != layer) continue;
    const auto of_cell = cells.sides_of(cell);
    for (std::size_t i = 0; i < of_cell.size(); ++i) {
      if (of_cell[i].portal != kNoPortal) continue;
      const Vec2 a = cells.position(of_cell[i].vertex), b = cells.position(of_cell[(i + 1) % of_cell.size()].vertex);
      if (sides.contains({snap(b), snap(a)})) lines.push_back({a, b});
      sides.emplace(snap(a), snap(b));
    }
  }
  return lines;
}

/// A wall as a thin block round a line, so that blocks of walls that meet overlap.
Ring block_round(const Segment& line) {
  constexpr double kHalfWidth = 0.015;  // m
  const Vec2 along = (kHalfWidth / distance(line.a, line.b)) * (line.b - line.a), aside{-along.y, along.x};
  return {line.a - along - aside, line.b + along - aside, line.b + along + aside, line.a - along + aside};
}

double turn_of(Vec2 from, Vec2 to) { return std::atan2(cross(from, to), dot(from, to)); }

/// Rings of a map's outline with ground on their left; where several begin in a point the rightmost is taken, so that rings that
/// touch there stay apart.
std::vector<Ring> rings_of(const Map& map) {
  std::vector<std::pair<Vec2, Vec2>> edges;
  for (const MapSegment& s : map.segments) {
    if (!s.wall || (s.left == kSolid) == (s.right == kSolid)) continue;
    const Vec2 a = to_metres(s.a), b = to_metres(s.b);
    edges.push_back(s.right == kSolid ? std::pair(a, b) : std::pair(b, a));
  }
  std::multimap<std::pair<double, double>, std::size_t> from;
  for (std::size_t i = 0; i < edges.size(); ++i) from.emplace(std::pair(edges[i].first.x, edges[i].first.y), i);
  std::vector<bool> is_done(edges.size(), false);
  std::vector<Ring> rings;
  for (std::size_t first = 0; first < edges.size(); ++first) {
    if (is_done[first]) continue;
    Ring ring;
    for (std::size_t at = first; !is_done[at];) {
      is_done[at] = true;
      ring.push_back(edges[at].first);
      const Vec2 along = edges[at].second - edges[at].first;
      const auto [begin, end] = from.equal_range({edges[at].second.x, edges[at].second.y});
      double rightmost = 10;
      for (auto next = begin; next != end; ++next) {
        const double turn = turn_of(along, edges[next->second].second - edges[next->second].first);
        if (turn >= rightmost || (is_done[next->second] && next->second != first)) continue;
        rightmost = turn;
        at = next->second;
      }
    }
    if (ring.size() >= 3) rings.push_back(std::move(ring));
  }
  return rings;
}

/// The ground of a layer with its walls as thin blocks. Nothing if it cannot be told.
std::optional<std::vector<Polygon>> outline_round_walls(const Cells& cells, std::uint32_t layer,
                                                        const std::vector<Segment>& lines) {
  Scene scene;
  scene.layers.emplace_back();
  for (CellIndex cell = 0; cell < cells.cell_count(); ++cell) {
    if (cells.layer[cell] != layer) continue;
    Ring ring;
    for (const Side& side : cells.sides_of(cell)) ring.push_back(cells.position(side.vertex));
    scene.layers[0].walkable.push_back({std::move(ring), {}});
  }
  for (const Segment& line : lines) scene.layers[0].obstacles.push_back({block_round(line), {}});
  AreaSets sets;
  const auto map = extract_map(scene, 0, sets);
  if (!map) return std::nullopt;
  std::vector<Polygon> parts;
  std::vector<Ring> holes;
  for (Ring& ring : rings_of(*map)) {
    const double area = signed_area(ring);
    if (area > 0) parts.push_back({std::move(ring), {}});
    if (area < 0) holes.push_back(std::move(ring));
  }
  for (Ring& hole : holes) {
    // Of nested parts the innermost has the hole.
    Polygon* of = nullptr;
    for (Polygon& part : parts)
      if (contains(part.outer, 0.5 * (hole[0] + hole[1])) && (of == nullptr || signed_area(part.outer) < signed_area(of->outer)))
        of = &part;
    if (of != nullptr) of->holes.push_back(std::move(hole));
  }
  return parts;
}

void add_ring(std::string& text, const Ring& ring, Vec2 origin) {
  text += '(';
  for (std::size_t i = 0; i <= ring.size(); ++i) {
    const Vec2 p = ring[i % ring.size()] + origin;
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", p.x, p.y);
  }
  text += ')';
}

}  // namespace

std::vector<Polygon> ground_outline(const Navigation& navigation, std::uint32_t layer) {
  const Cells& cells = navigation.data().cells;
  if (const std::vector<Segment> lines = lines_in_ground(cells, layer); !lines.empty())
    if (auto outline = outline_round_walls(cells, layer, lines)) return std::move(*outline);
  std::vector<bool> is_done(cells.sides.size(), false);
  std::vector<Polygon> parts;
  std::vector<std::uint32_t> component;
  std::vector<std::pair<std::uint32_t, Ring>> holes;
  for (CellIndex first = 0; first < cells.cell_count(); ++first) {
    if (cells.layer[first] != layer) continue;
    for (std::uint32_t side = 0; side < cells.sides_of(first).size(); ++side) {
      if (!is_border(cells, first, side) || is_done[cells.side_start[first] + side]) continue;
      Ring ring;
      for (auto [cell, at] = std::pair(first, side); !is_done[cells.side_start[cell] + at];
           std::tie(cell, at) = next_border(cells, cell, at)) {
        is_done[cells.side_start[cell] + at] = true;
        const Vec2 p = cells.position(cells.sides_of(cell)[at].vertex);
        // Corners only: walls are cut where bottlenecks end.
        if (ring.size() >= 2 && cross(ring.back() - ring[ring.size() - 2], p - ring.back()) == 0)
          ring.back() = p;
        else
          ring.push_back(p);
      }
      if (ring.size() < 3) continue;
      if (signed_area(ring) > 0) {
        parts.push_back({std::move(ring), {}});
        component.push_back(cells.component[first]);
      } else {
        holes.emplace_back(cells.component[first], std::move(ring));
      }
    }
  }
  for (auto& [of, hole] : holes)
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (component[i] == of && contains(parts[i].outer, hole[0])) {
        parts[i].holes.push_back(std::move(hole));
        break;
      }
  return parts;
}

std::string ground_wkt(const Navigation& navigation, std::uint32_t layer) {
  const std::vector<Polygon> parts = ground_outline(navigation, layer);
  std::string text = parts.size() == 1 ? "POLYGON " : "MULTIPOLYGON (";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += i == 0 ? "(" : ", (";
    add_ring(text, parts[i].outer, navigation.origin());
    for (const Ring& hole : parts[i].holes) {
      text += ", ";
      add_ring(text, hole, navigation.origin());
    }
    text += ')';
  }
  if (parts.size() != 1) text += ')';
  return text;
}

}  // namespace throng
