// SPDX-License-Identifier: MIT
#include "draw/graph_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "draw/palette.hpp"

namespace throng {
namespace {

constexpr Color kTight{232, 226, 222};  ///< ground where the body does not fit
constexpr int kShades = 24;             ///< of clearance and height: runs of one shade are one rectangle
constexpr double kPi = 3.14159265358979323846;

struct Extent {
  double low = 1e300, high = -1e300, most_clearance = 0;
};

Extent extent_of(const NavGraph& g) {
  Extent e;
  for (NodeIndex n = 0; n < g.surface.node_count(); ++n) {
    e.low = std::min<double>(e.low, g.surface.z[n]);
    e.high = std::max<double>(e.high, g.surface.z[n]);
  }
  // A square's middle would leave everything else dark: full colour from half the widest disc on.
  for (const double r : g.radius) e.most_clearance = std::max(e.most_clearance, r);
  e.most_clearance = std::max(0.5, 0.6 * (e.most_clearance + g.body_radius));
  return e;
}

/// Shade −1: the body does not fit.
int shade_of(const NavGraph& g, NodeIndex n, const Extent& e, GraphPicture::Fill fill) {
  const auto shade = [](double value) { return std::clamp(static_cast<int>(value * kShades), 0, kShades - 1); };
  if (fill == GraphPicture::kClearance) return shade(g.clearance[n] / e.most_clearance);
  if (!g.is_feasible(n)) return -1;
  return e.high - e.low > 0.5 ? shade((g.surface.z[n] - e.low) / (e.high - e.low)) : 0;
}

Color color_of(int shade, GraphPicture::Fill fill) {
  if (shade < 0) return kTight;
  const double share = (shade + 0.5) / kShades;
  if (fill == GraphPicture::kClearance) return viridis(share);
  // Higher ground is darker: stairs and ramps show as steps of grey.
  return mixed({250, 250, 248}, {196, 204, 214}, share);
}

/// A row of linked nodes of one shade.
struct Run {
  double z;
  Vec2 low, high;
  int shade;
};

std::vector<Run> runs_of(const NavGraph& g, const Extent& e, GraphPicture::Fill fill) {
  const Surface& s = g.surface;
  std::vector<Run> runs;
  std::vector<bool> done(s.node_count());
  const double half = s.step / 2;
  for (NodeIndex first = 0; first < s.node_count(); ++first) {
    if (done[first] || g.clearance[first] < 0) continue;  // an edit has taken its ground
    const int shade = shade_of(g, first, e, fill);
    const NodeIndex west = s.neighbour(first, 4);
    if (west != kNoNode && !done[west] && shade_of(g, west, e, fill) == shade) continue;  // its run is found from its west end
    const Vec2 p = s.position(first);
    Run run{s.z[first], {p.x - half, p.y - half}, {p.x + half, p.y + half}, shade};
    for (NodeIndex n = first; n != kNoNode && !done[n] && shade_of(g, n, e, fill) == shade; n = s.neighbour(n, 0)) {
      done[n] = true;
      run.high.x = s.position(n).x + half;
    }
    runs.push_back(run);
  }
  std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.z < b.z; });
  return runs;
}

void draw_circle(DrawStream& out, Vec2 centre, double radius, Pen pen) {
  constexpr int kSides = 48;
  std::array<Vec2, kSides + 1> ring;
  for (int i = 0; i <= kSides; ++i)
    ring[i] = centre + radius * Vec2{std::cos(2 * kPi * i / kSides), std::sin(2 * kPi * i / kSides)};
  out.polyline(ring, pen);
}

std::vector<bool> seen_discs(const NavGraph& g, DiscIndex from) {
  std::vector<bool> seen(g.disc_count());
  if (g.sight.start.empty()) return seen;
  const std::size_t first = 4 * static_cast<std::size_t>(from);
  for (std::uint32_t k = g.sight.start[first]; k < g.sight.start[first + 4]; ++k) seen[g.sight.discs[k]] = true;
  return seen;
}

}  // namespace

std::pair<Vec2, Vec2> bounds_of(const NavGraph& graph) {
  Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  for (NodeIndex n = 0; n < graph.surface.node_count(); ++n) {
    const Vec2 p = graph.surface.position(n);
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const Vec2 margin{graph.surface.step, graph.surface.step};
  return {low - margin, high + margin};
}

void draw_graph_picture(DrawStream& out, const NavGraph& graph, const GraphPicture& settings) {
  const Extent extent = extent_of(graph);
  const auto [low, high] = bounds_of(graph);
  out.begin_layer("solid");
  const double far = std::max(high.x - low.x, high.y - low.y);
  const Vec2 box[] = {
      {low.x - far, low.y - far}, {high.x + far, low.y - far}, {high.x + far, high.y + far}, {low.x - far, high.y + far}};
  const std::span<const Vec2> frame = box;
  out.polygon({&frame, 1}, kSolidGrey);

  out.begin_layer("ground");
  const double seam = 0.3 * settings.pixel;  // rectangles overlap a little, or antialiasing shows their seams
  for (const Run& run : runs_of(graph, extent, settings.fill)) {
    const Vec2 corners[] = {{run.low.x - seam, run.low.y - seam},
                            {run.high.x + seam, run.low.y - seam},
                            {run.high.x + seam, run.high.y + seam},
                            {run.low.x - seam, run.high.y + seam}};
    const std::span<const Vec2> shape = corners;
    out.polygon({&shape, 1}, color_of(run.shade, settings.fill));
  }

  std::vector<DiscIndex> order;
  for (DiscIndex d = 0; d < graph.disc_count(); ++d)
    if (graph.is_there(d)) order.push_back(d);
  std::stable_sort(order.begin(), order.end(), [&](DiscIndex a, DiscIndex b) { return graph.centre[a].z < graph.centre[b].z; });
  const std::vector<bool> seen =
      settings.seen_from ? seen_discs(graph, *settings.seen_from) : std::vector<bool>(graph.disc_count());

  if (settings.fill == GraphPicture::kDiscs || settings.fill == GraphPicture::kComponents || settings.seen_from) {
    out.begin_layer("discs");
    for (const DiscIndex d : order) {
      Color fill = tint(settings.fill == GraphPicture::kComponents ? graph.component[d] : d);
      fill.a = 120;
      if (settings.seen_from)
        fill = d == *settings.seen_from ? kVermillion : seen[d] ? Color{0, 158, 115, 150} : Color{150, 150, 150, 60};
      const Vec2 c = plan_of(graph.centre[d]);
      out.disc(c, graph.radius[d], fill);
      draw_circle(out, c, graph.radius[d], {{90, 96, 105, 150}, 0.02, 0.5});
    }
  }
  if (settings.gates && settings.fill != GraphPicture::kPlain) {
    out.begin_layer("gates");
    for (const Gate& g : graph.gates) {
      const Vec2 line[] = {plan_of(g.end[0]), plan_of(g.end[1])};
      out.polyline(line, {kBlue, 0.04, 0.8});
    }
  }
}

std::vector<LegendEntry> graph_legend(const NavGraph& graph, const GraphPicture& settings) {
  std::vector<LegendEntry> entries{{"no ground", kSolidGrey}};
  const Extent extent = extent_of(graph);
  if (settings.fill == GraphPicture::kClearance) {
    for (const double share : {0.0, 0.5, 1.0})
      entries.push_back(
          {fmt::format("{}{:.1f} m to a wall", share == 1 ? "≥ " : "", share * extent.most_clearance), viridis(share)});
  } else {
    entries.push_back({"too narrow", kTight});
    if (extent.high - extent.low > 0.5) {
      entries.push_back({fmt::format("{:.1f} m high", extent.low), color_of(0, settings.fill)});
      entries.push_back({fmt::format("{:.1f} m", extent.high), color_of(kShades - 1, settings.fill)});
    }
  }
  if (settings.fill != GraphPicture::kPlain && settings.gates) entries.push_back({"gate", kBlue, LegendEntry::kLine});
  if (settings.seen_from) {
    entries.push_back({"looks", kVermillion, LegendEntry::kDot});
    entries.push_back({"is seen", kBluishGreen, LegendEntry::kDot});
  }
  return entries;
}

}  // namespace throng
