// SPDX-License-Identifier: MIT
#include "scene/outline_tangles.hpp"

#include <algorithm>

#include "scene/sheet_outlines.hpp"

namespace throng {
namespace {

std::vector<Segment> segments_of(std::span<const Point> vertices, std::span<const OutlineLine> lines) {
  std::vector<Segment> segments;
  segments.reserve(lines.size());
  for (const OutlineLine& l : lines) segments.push_back({to_metres(vertices[l.from]), to_metres(vertices[l.to])});
  return segments;
}

int sign(std::int64_t v) { return (v > 0) - (v < 0); }

bool lies_in_box(Point a, Point b, Point p) {
  return p.x >= std::min(a.x, b.x) && p.x <= std::max(a.x, b.x) && p.y >= std::min(a.y, b.y) && p.y <= std::max(a.y, b.y);
}

/// Closed segments.
bool meet(Point a, Point b, Point c, Point d) {
  const int abc = sign(orient(a, b, c)), abd = sign(orient(a, b, d)), cda = sign(orient(c, d, a)), cdb = sign(orient(c, d, b));
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && lies_in_box(a, b, c)) || (abd == 0 && lies_in_box(a, b, d)) || (cda == 0 && lies_in_box(c, d, a)) ||
         (cdb == 0 && lies_in_box(c, d, b));
}

/// Two segments from one point that run the same way.
bool coincide(Point common, Point a, Point b) {
  if (orient(common, a, b) != 0) return false;
  return (std::int64_t{a.x} - common.x) * (std::int64_t{b.x} - common.x) +
             (std::int64_t{a.y} - common.y) * (std::int64_t{b.y} - common.y) >=
         0;
}

}  // namespace

OutlineGrid::OutlineGrid(std::span<const Point> vertices, std::span<const OutlineLine> lines)
    : vertices_(vertices), lines_(lines), grid_(segments_of(vertices, lines)) {}

bool OutlineGrid::touch(const OutlineLine& a, const OutlineLine& b) const {
  const auto at = [&](std::uint32_t v) { return vertices_[v]; };
  if (a.from == b.from) return coincide(at(a.from), at(a.to), at(b.to));
  if (a.from == b.to) return coincide(at(a.from), at(a.to), at(b.from));
  if (a.to == b.from) return coincide(at(a.to), at(a.from), at(b.to));
  if (a.to == b.to) return coincide(at(a.to), at(a.from), at(b.from));
  return meet(at(a.from), at(a.to), at(b.from), at(b.to));
}

void untangle_outlines(const Sheets& sheets, std::vector<RawVertex>& raw, SheetOutlines& outlines) {
  std::vector<std::vector<OutlineLine>> lines(sheets.layer_count);
  for (const OutlineEdge& e : outlines.edges) lines[sheets.layer_of_sheet[e.sheet]].push_back({e.from, e.to});
  for (const auto& layer : lines)
    for (bool changed = true; changed;) {
      changed = false;
      const auto put_back = [&](std::uint32_t v) {
        if (raw[v].is_corner) return;
        raw[v].is_corner = true;
        outlines.vertices[v] = raw[v].corner;
        changed = true;
      };
      std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
      OutlineGrid(outlines.vertices, layer)
          .tangles([](std::uint32_t, std::uint32_t) { return false; },
                   [&](std::uint32_t a, std::uint32_t b) {
                     found.push_back({a, b});
                   });
      for (const auto& [a, b] : found)
        for (const std::uint32_t v : {layer[a].from, layer[a].to, layer[b].from, layer[b].to}) put_back(v);
    }
}

}  // namespace throng
