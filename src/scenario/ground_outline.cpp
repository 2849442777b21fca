// SPDX-License-Identifier: MIT
#include "scenario/ground_outline.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "geometry/polygon.hpp"
#include "navigation/navigation_data.hpp"

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
