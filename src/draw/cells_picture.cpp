// SPDX-License-Identifier: MIT
#include "draw/cells_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "draw/palette.hpp"

namespace throng {
namespace {

constexpr Color kPortalGrey{150, 155, 162};
constexpr Color kRoadmapBlue{0, 114, 178, 110};
constexpr Color kJoint = kReddishPurple;
constexpr Color kShade{58, 96, 150};              ///< of storeys below others
constexpr double kCoarsestPixelForWidths = 0.16;  ///< metres

Color topology_color(Topology t) {
  switch (t) {
    case Topology::kDeadEnd:
      return pale(kVermillion, 0.55);
    case Topology::kPassage:
      return pale(kSkyBlue, 0.55);
    case Topology::kCrossroads:
      return pale(kBluishGreen, 0.6);
    default:
      return pale(kReddishPurple, 0.5);
  }
}

Color unshaded_color(const Cells& cells, CellIndex c, const CellsPicture& settings) {
  switch (settings.fill) {
    case CellsPicture::kTopology:
      return topology_color(cells.topology[c]);
    case CellsPicture::kZones:
      return c < settings.zone_of_cell.size() ? tint(settings.zone_of_cell[c]) : kPaper;
    case CellsPicture::kComponents:
      return tint(cells.component[c]);
    default:
      return tint(c);
  }
}

Color cell_color(const Cells& cells, CellIndex c, const CellsPicture& settings) {
  return mixed(unshaded_color(cells, c, settings), kShade, 0.45 * settings.shade);
}

bool is_joint(const Cells& cells, const Portal& p) { return cells.layer[p.cell[0]] != cells.layer[p.cell[1]]; }

Vec2 middle(const Cells& cells, const Portal& p) { return 0.5 * (cells.position(p.vertex[0]) + cells.position(p.vertex[1])); }

bool in_layer(const Cells& cells, const Portal& p, std::uint32_t layer) {
  return cells.layer[p.cell[0]] == layer || cells.layer[p.cell[1]] == layer;
}

void draw_fills(DrawStream& out, const Cells& cells, const CellsPicture& settings) {
  out.begin_layer("cells");
  std::vector<Vec2> ring;
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    if (cells.layer[c] != settings.layer) continue;
    ring.clear();
    for (const Side& s : cells.sides_of(c)) ring.push_back(cells.position(s.vertex));
    const std::span<const Vec2> shape = ring;
    out.polygon({&shape, 1}, cell_color(cells, c, settings));
  }
}

void draw_portals(DrawStream& out, const Cells& cells, const CellsPicture& settings, bool bottlenecks) {
  out.begin_layer(bottlenecks ? "bottlenecks" : "portals");
  const Pen pen = bottlenecks ? Pen{kVermillion, 0.05, 0.9} : Pen{kPortalGrey, 0.04, 0.35};
  for (const Portal& p : cells.portals) {
    if ((p.bottleneck != 0) != bottlenecks || !in_layer(cells, p, settings.layer) || is_joint(cells, p)) continue;
    const Vec2 line[] = {cells.position(p.vertex[0]), cells.position(p.vertex[1])};
    out.polyline(line, pen);
  }
}

void draw_joints(DrawStream& out, const Cells& cells, const CellsPicture& settings) {
  out.begin_layer("joints");
  for (const Portal& p : cells.portals) {
    if (!is_joint(cells, p) || !in_layer(cells, p, settings.layer)) continue;
    const Vec2 line[] = {cells.position(p.vertex[0]), cells.position(p.vertex[1])};
    out.polyline(line, {kJoint, 0.08, 1.8});
  }
}

/// Widths of bottlenecks, narrowest first, where a metre is long enough to see them and no other width stands in the way.
void draw_widths(DrawStream& out, const Cells& cells, const CellsPicture& settings) {
  out.begin_layer("widths");
  if (settings.pixel > kCoarsestPixelForWidths) return;
  struct Label {
    double width;
    Vec2 at;
  };
  std::vector<Label> labels;
  for (const Portal& p : cells.portals)
    if (p.bottleneck != 0 && in_layer(cells, p, settings.layer) && !is_joint(cells, p))
      labels.push_back({distance(cells.position(p.vertex[0]), cells.position(p.vertex[1])), middle(cells, p)});
  std::stable_sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.width < b.width; });

  // Tiles as large as a label: only the eight round a place can hold one that overlaps.
  const double size = 11 * settings.pixel, wide = 3.4 * size, high = 1.3 * size;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Vec2>> placed;
  for (const Label& label : labels) {
    const auto x = static_cast<std::int64_t>(std::floor(label.at.x / wide)),
               y = static_cast<std::int64_t>(std::floor(label.at.y / high));
    bool free = true;
    for (std::int64_t i = x - 1; i <= x + 1 && free; ++i)
      for (std::int64_t k = y - 1; k <= y + 1 && free; ++k)
        if (const auto tile = placed.find({i, k}); tile != placed.end())
          free = std::none_of(tile->second.begin(), tile->second.end(), [&](Vec2 other) {
            return std::abs(other.x - label.at.x) < wide && std::abs(other.y - label.at.y) < high;
          });
    if (!free) continue;
    placed[{x, y}].push_back(label.at);
    out.text(label.at, fmt::format("{:.2f}", label.width), size, mixed(kVermillion, kInk, 0.45));
  }
}

void draw_roadmap(DrawStream& out, const Cells& cells, const CellsPicture& settings) {
  out.begin_layer("roadmap");
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    if (cells.layer[c] != settings.layer) continue;
    const auto portals = cells.portals_of(c);
    for (std::size_t i = 0; i < portals.size(); ++i)
      for (std::size_t j = i + 1; j < portals.size(); ++j) {
        const Vec2 line[] = {middle(cells, cells.portals[portals[i]]), middle(cells, cells.portals[portals[j]])};
        out.polyline(line, {kRoadmapBlue, 0.05, 0.5});
      }
  }
  for (const Portal& p : cells.portals)
    if (in_layer(cells, p, settings.layer)) out.disc(middle(cells, p), std::min(0.25, 1.2 * settings.pixel), kBlue);
}

}  // namespace

std::pair<Vec2, Vec2> bounds_of(const Cells& cells, std::optional<std::uint32_t> layer) {
  constexpr double kFar = 1e300;
  Vec2 low{kFar, kFar}, high{-kFar, -kFar};
  for (CellIndex c = 0; c < cells.cell_count(); ++c) {
    if (layer && cells.layer[c] != *layer) continue;
    for (const Side& s : cells.sides_of(c)) {
      const Vec2 p = cells.position(s.vertex);
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  if (low.x > high.x) return {{0, 0}, {1, 1}};
  return {low, high};
}

std::vector<std::vector<Vec2>> ground_outlines(const Cells& cells, std::uint32_t layer) {
  std::vector<CellIndex> cell_of_side(cells.sides.size());
  // For each portal, the index of its side in cell[0] and in cell[1].
  std::vector<std::array<std::uint32_t, 2>> side_of_portal(cells.portals.size());
  for (CellIndex c = 0; c < cells.cell_count(); ++c)
    for (std::uint32_t s = cells.side_start[c]; s < cells.side_start[c + 1]; ++s) {
      cell_of_side[s] = c;
      if (const std::uint32_t p = cells.sides[s].portal; p != kNoPortal) {
        const Portal& portal = cells.portals[p];
        side_of_portal[p][cells.sides[s].vertex == portal.vertex[0] ? 0 : 1] = s;
      }
    }
  const auto is_end = [&](std::uint32_t s) {
    return cells.sides[s].portal == kNoPortal || is_joint(cells, cells.portals[cells.sides[s].portal]);
  };
  const auto next = [&](std::uint32_t s) {
    const CellIndex c = cell_of_side[s];
    return s + 1 == cells.side_start[c + 1] ? cells.side_start[c] : s + 1;
  };

  std::vector<std::vector<Vec2>> outlines;
  std::vector<bool> used(cells.sides.size());
  for (std::uint32_t first = 0; first < cells.sides.size(); ++first) {
    if (used[first] || !is_end(first) || cells.layer[cell_of_side[first]] != layer) continue;
    std::vector<Vec2>& outline = outlines.emplace_back();
    std::uint32_t s = first;
    do {
      used[s] = true;
      outline.push_back(cells.position(cells.sides[s].vertex));
      // At the wall's end, turn through the cells round that corner until the next end. The bound only matters for broken data.
      s = next(s);
      for (std::size_t turns = 0; !is_end(s) && turns < cells.sides.size(); ++turns) {
        const std::uint32_t p = cells.sides[s].portal;
        const int here = side_of_portal[p][0] == s ? 0 : 1;
        s = next(side_of_portal[p][1 - here]);
      }
    } while (!used[s]);
  }
  return outlines;
}

void draw_cells(DrawStream& out, const Cells& cells, const CellsPicture& settings) {
  if (settings.solid) {
    const auto [low, high] = bounds_of(cells);
    out.begin_layer("solid");
    const double far = std::max(high.x - low.x, high.y - low.y);  // beyond the picture, so that its margins look built, too
    const Vec2 box[] = {
        {low.x - far, low.y - far}, {high.x + far, low.y - far}, {high.x + far, high.y + far}, {low.x - far, high.y + far}};
    const std::span<const Vec2> frame = box;
    out.polygon({&frame, 1}, kSolidGrey);
  }

  const auto outlines = ground_outlines(cells, settings.layer);
  out.begin_layer("ground");
  const std::vector<std::span<const Vec2>> rings(outlines.begin(), outlines.end());
  out.polygon(rings, mixed(kPaper, kShade, 0.45 * settings.shade));

  if (settings.fill != CellsPicture::kPlain) draw_fills(out, cells, settings);
  if (settings.portals) draw_portals(out, cells, settings, false);
  if (settings.roadmap) draw_roadmap(out, cells, settings);
  if (settings.bottlenecks) draw_portals(out, cells, settings, true);
  if (settings.walls) {
    out.begin_layer("walls");
    for (std::vector<Vec2> outline : outlines) {
      outline.push_back(outline.front());
      out.polyline(outline, {kWallGrey, 0.06, 0.6});
    }
    draw_joints(out, cells, settings);  // over the outlines they are part of
  }
  if (settings.bottlenecks) draw_widths(out, cells, settings);
}

void draw_storeys(DrawStream& out, const Cells& cells, std::uint32_t layer_count, CellsPicture settings) {
  for (std::uint32_t layer = 0; layer < layer_count; ++layer) {
    settings.layer = layer;
    settings.solid = layer == 0;
    settings.shade = layer_count < 2 ? 0 : 1 - static_cast<double>(layer) / (layer_count - 1);
    draw_cells(out, cells, settings);
  }
}

void draw_path(DrawStream& out, std::span<const Vec2> points, Color color, double pixel) {
  if (points.empty()) return;
  out.begin_layer("path");
  out.polyline(points, {kPaper, 0, 5});  // a halo, so that the line reads on any ground
  out.polyline(points, {color, 0, 2.6});
  out.disc(points.front(), 6 * pixel, kPaper);
  out.disc(points.front(), 4.8 * pixel, color);
  out.disc(points.back(), 7.5 * pixel, kPaper);
  out.disc(points.back(), 6.3 * pixel, color);
  out.disc(points.back(), 3.4 * pixel, kPaper);
}

std::vector<LegendEntry> cells_legend(const CellsPicture& settings) {
  std::vector<LegendEntry> entries{{"built or outside", kSolidGrey}};
  if (settings.fill == CellsPicture::kTopology)
    for (const auto& [words, kind] : {std::pair{"dead end", Topology::kDeadEnd}, std::pair{"passage", Topology::kPassage},
                                      std::pair{"crossroads", Topology::kCrossroads}, std::pair{"closed", Topology::kClosed}})
      entries.push_back({words, topology_color(kind)});
  if (settings.portals) entries.push_back({"portal", kPortalGrey, LegendEntry::kLine});
  if (settings.bottlenecks) entries.push_back({"bottleneck (m)", kVermillion, LegendEntry::kLine});
  if (settings.roadmap) entries.push_back({"roadmap", kBlue, LegendEntry::kDot});
  return entries;
}

}  // namespace throng
