// SPDX-License-Identifier: MIT
// Stage 2 of sample_surface: who is linked with whom, and what stands between the others (ALGORITHMS §2.2, §2.11 "links").
#include <algorithm>
#include <cmath>

#include "scene/surface_stages.hpp"

namespace throng {
namespace {

constexpr double kTouch = 1e-6;                     ///< metres; what only touches the slab does not block
constexpr std::size_t kPerDirection = 4;            ///< blocking triangles kept: a quad is two, a corner four
constexpr std::size_t kFirstCompaction = 1u << 18;  ///< events of a tile

bool by_node(const LinkEvent& a, const LinkEvent& b) {
  const auto key = [](const LinkEvent& e) {
    return std::uint64_t{e.node} << 4 | std::uint64_t{e.direction} << 1 | (e.floor_end ? 1 : 0);
  };
  if (key(a) != key(b)) return key(a) < key(b);
  // Of floor ends the farthest counts, of obstacles the nearest.
  if (a.along != b.along) return (a.along < b.along) != a.floor_end;
  return a.triangle < b.triangle;
}

/// Sorts, and keeps the few events of each node and direction that matter: a mesh of noise has millions.
void compact(std::vector<LinkEvent>& events) {
  std::sort(events.begin(), events.end(), by_node);
  std::size_t kept = 0, run = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const LinkEvent e = events[i];
    const bool same = kept > 0 && events[kept - 1].node == e.node && events[kept - 1].direction == e.direction &&
                      events[kept - 1].floor_end == e.floor_end;
    if (same && events[kept - 1].triangle == e.triangle) continue;
    run = same ? run + 1 : 1;
    if (run <= (e.floor_end ? 1 : kPerDirection)) events[kept++] = e;
  }
  events.resize(kept);
}

/// The partner of each node in a column: the smallest rise within reach that is mutual. Columns hold one node for each storey.
NodeIndex partner(const Surface& s, NodeIndex node, std::uint32_t other, double most) {
  const auto closest = [&](std::uint32_t column, float z) {
    NodeIndex best = kNoNode;
    for (NodeIndex n = s.column_start[column]; n < s.column_start[column + 1]; ++n)
      if (std::abs(s.z[n] - z) <= most && (best == kNoNode || std::abs(s.z[n] - z) < std::abs(s.z[best] - z))) best = n;
    return best;
  };
  if (other == kNoColumn) return kNoNode;
  const NodeIndex found = closest(other, s.z[node]);
  return found != kNoNode && closest(s.column[node], s.z[found]) == node ? found : kNoNode;
}

/// Slices the triangles of one tile and collects what the links that start in it meet.
class TileSlicer {
 public:
  TileSlicer(const Mesh& mesh, const SamplingGrid& grid, const Surface& surface, std::vector<LinkEvent>& events)
      : mesh_(mesh), grid_(grid), surface_(surface), events_(events), compact_at_(kFirstCompaction) {}

  void run(std::size_t tile) {
    i0_ = static_cast<std::int32_t>(tile % grid_.tiles_x) * Surface::kTileSide;
    j0_ = static_cast<std::int32_t>(tile / grid_.tiles_x) * Surface::kTileSide;
    for (std::uint64_t k = grid_.bin_start[tile]; k < grid_.bin_start[tile + 1]; ++k) {
      triangle_ = grid_.bin_triangles[k];
      const GridTriangle t = grid_.triangle(mesh_, triangle_);
      is_level_ = t.ground == Ground::kLevel;
      std::array<double, 3> difference, sum;
      for (int c = 0; c < 3; ++c) difference[c] = t.u[c] - t.v[c], sum[c] = t.u[c] + t.v[c];
      const std::int32_t i1 = i0_ + Surface::kTileSide - 1, j1 = j0_ + Surface::kTileSide - 1;
      slice_all(0, t.v, t.u, t.z, j0_, j1);
      slice_all(2, t.u, t.v, t.z, i0_, i1);
      slice_all(1, difference, t.u, t.z, i0_ - j1, i1 - j0_);
      slice_all(7, sum, t.u, t.z, i0_ + j0_, i1 + j1);
    }
    compact(events_);
  }

 private:
  /// All planes of one direction: `level` is constant on a plane, `s` runs along it.
  void slice_all(int direction, const std::array<double, 3>& level, const std::array<double, 3>& s,
                 const std::array<double, 3>& z, std::int32_t lowest, std::int32_t highest) {
    const auto [least, most] = std::minmax({level[0], level[1], level[2]});
    const auto first = std::max<std::int32_t>(lowest, static_cast<std::int32_t>(std::ceil(least)));
    const auto last = std::min<std::int32_t>(highest, static_cast<std::int32_t>(std::floor(most)));
    for (std::int32_t k = first; k <= last; ++k) {
      Slice slice;
      if (!slice_triangle(level, s, z, k, slice)) continue;
      // Which links of this plane start in the tile.
      std::int32_t from = direction == 2 ? j0_ : i0_, to = from + Surface::kTileSide - 1;
      if (direction == 1) from = std::max(from, j0_ + k), to = std::min(to, j0_ + Surface::kTileSide - 1 + k);
      if (direction == 7) from = std::max(from, k - j0_ - Surface::kTileSide + 1), to = std::min(to, k - j0_);
      from = std::max(from, static_cast<std::int32_t>(std::floor(slice.s0)));
      to = std::min(to, static_cast<std::int32_t>(std::floor(slice.s1)));
      for (std::int32_t m = from; m <= to; ++m) {
        const double t0 = std::max(slice.s0, static_cast<double>(m)), t1 = std::min(slice.s1, m + 1.0);
        const ColumnPlace low = direction == 0   ? ColumnPlace{m, k}
                                : direction == 2 ? ColumnPlace{k, m}
                                : direction == 1 ? ColumnPlace{m, m - k}
                                                 : ColumnPlace{m, k - m};
        // An upright triangle has s0 = s1: its ends are told apart by height only.
        meet(direction, low, t0 - m, t0 > slice.s0 ? slice.z_at(t0) : slice.z0, t1 - m,
             t1 < slice.s1 ? slice.z_at(t1) : slice.z1);
      }
    }
  }

  /// A piece of a slice between two columns: from (t0, z0) to (t1, z1), 0 at the low column and 1 at the high one.
  void meet(int direction, ColumnPlace low, double t0, double z0, double t1, double z1) {
    const Surface& s = surface_;
    const std::uint32_t here = s.column_at(low);
    const std::uint32_t there = here != kNoColumn
                                    ? s.neighbour_column(here, direction)
                                    : s.column_at({low.i + kDirections[direction].i, low.j + kDirections[direction].j});
    const auto opposite = static_cast<std::uint8_t>(direction ^ 4);
    const auto forward = static_cast<std::uint8_t>(direction);
    if (here != kNoColumn)
      for (NodeIndex a = s.column_start[here]; a < s.column_start[here + 1]; ++a) {
        if (s.links[a][direction] == kNoLink) {
          meet_nothing(a, forward, t0, z0, t1, z1);
          continue;
        }
        const NodeIndex b = s.column_start[there] + s.links[a][direction];
        const double rise = s.z[b] - s.z[a];
        const double w0 = z0 - (s.z[a] + t0 * rise), w1 = z1 - (s.z[a] + t1 * rise);
        if (!blocks(w0, w1, grid_.head_room - std::abs(rise))) continue;
        add({a, triangle_, static_cast<float>(entry(t0, w0, t1, w1)), forward, false});
        add({b, triangle_, static_cast<float>(entry(1 - t1, w1, 1 - t0, w0)), opposite, false});
      }
    if (there != kNoColumn)
      for (NodeIndex b = s.column_start[there]; b < s.column_start[there + 1]; ++b)
        if (s.links[b][opposite] == kNoLink) meet_nothing(b, opposite, 1 - t1, z1, 1 - t0, z0);
  }

  bool blocks(double w0, double w1, double top) const {
    return std::max(w0, w1) > grid_.step_height + kTouch && std::min(w0, w1) < top - kTouch;
  }
  /// Where, coming from t0, the slice first is in the slab.
  double entry(double t0, double w0, double t1, double w1) const {
    const double level = grid_.step_height;
    return w0 < level && w1 > level ? t0 + (level - w0) / (w1 - w0) * (t1 - t0) : t0;
  }

  /// The same for a node with no partner in this direction, as if the ground went on level; t counts from the node.
  void meet_nothing(NodeIndex node, std::uint8_t direction, double t0, double z0, double t1, double z1) {
    const double w0 = z0 - surface_.z[node], w1 = z1 - surface_.z[node];
    if (blocks(w0, w1, grid_.head_room)) add({node, triangle_, static_cast<float>(entry(t0, w0, t1, w1)), direction, false});
    // Floor that reaches the next column (1) outdoes floor that ends before it.
    if (is_level_ && std::abs(w0) <= grid_.step_height) add({node, triangle_, static_cast<float>(t1), direction, true});
  }

  void add(LinkEvent event) {
    events_.push_back(event);
    if (events_.size() < compact_at_) return;
    compact(events_);
    compact_at_ = std::max(kFirstCompaction, 2 * events_.size());
  }

  const Mesh& mesh_;
  const SamplingGrid& grid_;
  const Surface& surface_;
  std::vector<LinkEvent>& events_;
  std::size_t compact_at_;
  std::int32_t i0_ = 0, j0_ = 0;
  std::uint32_t triangle_ = 0;
  bool is_level_ = false;
};

}  // namespace

std::vector<LinkEvent> link_nodes(const Mesh& mesh, const SamplingGrid& grid, Surface& surface, TaskRunner& tasks) {
  constexpr std::size_t kGrain = 4096;
  const std::size_t nodes = surface.node_count();
  surface.links.assign(nodes, {kNoLink, kNoLink, kNoLink, kNoLink, kNoLink, kNoLink, kNoLink, kNoLink});
  const double straight = std::max(grid.step_height, grid.tangent * grid.step);
  const double diagonal = std::max(grid.step_height, grid.tangent * grid.step * std::sqrt(2.0));
  tasks.parallel_for(nodes, kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t n = begin; n < end; ++n)
      for (int d = 0; d < 8; ++d) {
        const std::uint32_t other = surface.neighbour_column(surface.column[n], d);
        const NodeIndex found = partner(surface, static_cast<NodeIndex>(n), other, d % 2 == 0 ? straight : diagonal);
        if (found != kNoNode) surface.links[n][d] = static_cast<std::uint8_t>(found - surface.column_start[other]);
      }
  });

  std::vector<std::uint32_t> busy;
  for (std::size_t tile = 0; tile + 1 < grid.bin_start.size(); ++tile)
    if (grid.bin_start[tile] < grid.bin_start[tile + 1]) busy.push_back(static_cast<std::uint32_t>(tile));
  std::vector<std::vector<LinkEvent>> found(busy.size());
  tasks.parallel_for(busy.size(), 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t b = begin; b < end; ++b) TileSlicer(mesh, grid, surface, found[b]).run(busy[b]);
  });

  std::size_t total = 0;
  for (const auto& part : found) total += part.size();
  std::vector<LinkEvent> events;
  events.reserve(total);
  for (auto& part : found) {
    events.insert(events.end(), part.begin(), part.end());
    std::vector<LinkEvent>().swap(part);
  }
  compact(events);
  for (const LinkEvent& e : events)
    if (!e.floor_end) surface.links[e.node][e.direction] = kNoLink;

  // A diagonal needs both ways round, so that nobody cuts a corner. The straight links do not change here.
  tasks.parallel_for(nodes, kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t n = begin; n < end; ++n)
      for (int d = 1; d < 8; d += 2) {
        const NodeIndex goal = surface.neighbour(static_cast<NodeIndex>(n), d);
        if (goal == kNoNode) continue;
        const NodeIndex one = surface.neighbour(static_cast<NodeIndex>(n), d - 1);
        const NodeIndex two = surface.neighbour(static_cast<NodeIndex>(n), (d + 1) % 8);
        if (one == kNoNode || two == kNoNode || surface.neighbour(one, (d + 1) % 8) != goal ||
            surface.neighbour(two, d - 1) != goal)
          surface.links[n][d] = kNoLink;
      }
  });
  return events;
}

}  // namespace throng
