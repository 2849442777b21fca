// SPDX-License-Identifier: MIT
#include "navgraph/nav_graph.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

template <class T>
std::uint64_t size_of(const std::vector<T>& v) {
  return v.size() * sizeof(T);
}

struct Cell {
  ColumnPlace low;  ///< the column south-west of the point
  double fx, fy;    ///< the point's place between columns, 0 to 1
};

std::optional<Cell> cell_of(const Surface& s, Vec2 p) {
  const double u = (p.x - s.origin.x) / s.step, v = (p.y - s.origin.y) / s.step;
  const double limit = static_cast<double>(Surface::kTileSide) * std::max(s.tiles_x, s.tiles_y) + 2;
  if (!(u > -2 && v > -2 && u < limit && v < limit)) return std::nullopt;
  const double i = std::floor(u), j = std::floor(v);
  return Cell{{static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)}, u - i, v - j};
}

/// Bilinear over the four columns round a point: the node that is known, and those linked with it. Missing ones leave their
/// weight to the others.
double blend(const Surface& s, const Cell& cell, NodeIndex known) {
  const ColumnPlace at = s.place_of(known);
  const std::int32_t di = cell.low.i + (at.i == cell.low.i ? 1 : 0) - at.i, dj = cell.low.j + (at.j == cell.low.j ? 1 : 0) - at.j;
  const int along = di > 0 ? 0 : 4, across = dj > 0 ? 2 : 6;
  const NodeIndex one = s.neighbour(known, along), two = s.neighbour(known, across);
  NodeIndex corner = kNoNode;
  if (one != kNoNode) corner = s.neighbour(one, across);
  if (corner == kNoNode && two != kNoNode) corner = s.neighbour(two, along);
  const double wx = di > 0 ? 1 - cell.fx : cell.fx, wy = dj > 0 ? 1 - cell.fy : cell.fy;  // of the known column
  double sum = 0, weight = 0;
  const auto add = [&](NodeIndex n, double w) {
    if (n != kNoNode) sum += w * s.z[n], weight += w;
  };
  add(known, wx * wy + 1e-12);
  add(one, (1 - wx) * wy);
  add(two, wx * (1 - wy));
  add(corner, (1 - wx) * (1 - wy));
  return sum / weight;
}

/// The node of the four columns round a point that `judge` (less is better, nothing: refused) likes best.
template <class Judge>
NodeIndex best_corner(const Surface& s, const Cell& cell, Judge judge) {
  NodeIndex best = kNoNode;
  double least = 1e300;
  for (int k = 0; k < 4; ++k) {
    const ColumnPlace place{cell.low.i + k % 2, cell.low.j + k / 2};
    const std::uint32_t column = s.column_at(place);
    if (column == kNoColumn) continue;
    const double dx = k % 2 - cell.fx, dy = k / 2 - cell.fy;
    for (NodeIndex n = s.column_start[column]; n < s.column_start[column + 1]; ++n)
      if (const std::optional<double> value = judge(n, (dx * dx + dy * dy) * s.step * s.step); value && *value < least)
        least = *value, best = n;
  }
  return best;
}

bool belongs(const NavGraph& g, NodeIndex n, DiscIndex d) {
  const DiscIndex owner = g.owner[n];
  return owner == d || (owner != kNoDisc && g.gate_between(owner, d) != kNoGate);
}

}  // namespace

GateIndex NavGraph::gate_between(DiscIndex a, DiscIndex b) const {
  const auto mine = gates_of(a);
  const auto at = std::lower_bound(mine.begin(), mine.end(), b, [&](GateIndex g, DiscIndex d) { return gates[g].other(a) < d; });
  return at != mine.end() && gates[*at].other(a) == b ? *at : kNoGate;
}

std::uint64_t NavGraph::bytes() const {
  return surface.bytes() + size_of(clearance) + size_of(owner) + size_of(centre) + size_of(radius) + size_of(centre_node) +
         size_of(component) + size_of(gates) + size_of(gate_start) + size_of(disc_gates) + size_of(sight.start) +
         size_of(sight.discs) + sight.triangles.bytes();
}

NodeIndex nearest_feasible(const NavGraph& graph, Vec3 p, double reach) {
  const Surface& s = graph.surface;
  const double u = (p.x - s.origin.x) / s.step, v = (p.y - s.origin.y) / s.step, rings = std::ceil(reach / s.step) + 1;
  if (!std::isfinite(u) || !std::isfinite(v) || !std::isfinite(p.z)) return kNoNode;
  const auto bound = [](double place, std::int32_t tiles) {
    return static_cast<std::int32_t>(std::clamp(std::floor(place), -1.0, static_cast<double>(tiles) * Surface::kTileSide));
  };
  NodeIndex best = kNoNode;
  double least = 1e300;
  for (std::int32_t j = bound(v - rings, s.tiles_y); j <= bound(v + rings + 1, s.tiles_y); ++j)
    for (std::int32_t i = bound(u - rings, s.tiles_x); i <= bound(u + rings + 1, s.tiles_x); ++i) {
      const std::uint32_t column = s.column_at({i, j});
      if (column == kNoColumn) continue;
      const Vec2 q = s.position(ColumnPlace{i, j});
      const double plan = (q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y);
      if (plan > (reach + s.step) * (reach + s.step)) continue;
      for (NodeIndex n = s.column_start[column]; n < s.column_start[column + 1]; ++n) {
        const double rise = s.z[n] - p.z;
        if (graph.owner[n] != kNoDisc && plan + rise * rise < least) least = plan + rise * rise, best = n;
      }
    }
  return best;
}

std::optional<DiscIndex> disc_at(const NavGraph& graph, Vec3 p) {
  const NodeIndex n = nearest_feasible(graph, p, graph.body_radius + graph.surface.step);
  if (n == kNoNode) return std::nullopt;
  // Whoever shares this node with its owner has a gate to the owner.
  DiscIndex best = graph.owner[n];
  for (const GateIndex g : graph.gates_of(graph.owner[n])) {
    const DiscIndex d = graph.gates[g].other(graph.owner[n]);
    const double now = graph.depth(best, plan_of(p)), then = graph.depth(d, plan_of(p));
    if (then > now && then > 0) best = d;
  }
  return best;
}

DiscIndex disc_near(const NavGraph& graph, Vec3 p) {
  const Surface& s = graph.surface;
  const double u = (p.x - s.origin.x) / s.step + 0.5, v = (p.y - s.origin.y) / s.step + 0.5;
  if (u >= 0 && v >= 0 && u < s.tiles_x * Surface::kTileSide && v < s.tiles_y * Surface::kTileSide) {
    const std::uint32_t column = s.column_at({static_cast<std::int32_t>(u), static_cast<std::int32_t>(v)});
    if (column != kNoColumn)
      if (const NodeIndex node = s.nearest_in_column(column, p.z); node != kNoNode && graph.owner[node] != kNoDisc)
        return graph.owner[node];
  }
  return disc_at(graph, p).value_or(kNoDisc);
}

double elevation_in(const NavGraph& graph, DiscIndex disc, Vec2 p) {
  const Surface& s = graph.surface;
  const double middle = graph.centre[disc].z;
  const auto cell = cell_of(s, p);
  if (!cell) return middle;
  NodeIndex n = best_corner(s, *cell, [&](NodeIndex m, double away) -> std::optional<double> {
    if (!belongs(graph, m, disc)) return std::nullopt;
    const double rise = s.z[m] - middle;
    return away + rise * rise;
  });
  if (n != kNoNode) return blend(s, *cell, n);
  // A disc may reach a little over nodes that only smaller bodies stand on.
  n = best_corner(s, *cell, [&](NodeIndex m, double) -> std::optional<double> { return std::abs(s.z[m] - middle); });
  return n != kNoNode && std::abs(s.z[n] - middle) < s.head_room + graph.radius[disc] ? blend(s, *cell, n) : middle;
}

std::optional<double> elevation_at(const NavGraph& graph, Vec3 p) {
  const Surface& s = graph.surface;
  const auto cell = cell_of(s, plan_of(p));
  if (!cell || !std::isfinite(p.z)) return std::nullopt;
  const NodeIndex n = best_corner(s, *cell, [&](NodeIndex m, double away) -> std::optional<double> {
    const double rise = s.z[m] - p.z;
    return rise * rise + 1e-6 * away;  // the storey first, then the nearest corner
  });
  if (n == kNoNode) return std::nullopt;
  return blend(s, *cell, n);
}

}  // namespace throng
