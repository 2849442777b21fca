// SPDX-License-Identifier: MIT
#include "navgraph/visibility.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr double kRim = 0.7;
constexpr double kDiagonal = 0.7071067811865476;
constexpr std::array<Vec2, 8> kRimPoints{{{1, 0},
                                          {kDiagonal, kDiagonal},
                                          {0, 1},
                                          {-kDiagonal, kDiagonal},
                                          {-1, 0},
                                          {-kDiagonal, -kDiagonal},
                                          {0, -1},
                                          {kDiagonal, -kDiagonal}}};

Vec3 eye(const NavGraph& graph, DiscIndex d) {
  const Vec3 c = graph.centre[d];
  return {c.x, c.y, c.z + kEyeHeight};
}

bool sees_rim(const NavGraph& graph, const SightGrid& triangles, DiscIndex from, DiscIndex to) {
  const Vec3 e = eye(graph, from), c = eye(graph, to);
  const double r = kRim * graph.radius[to];
  return std::any_of(kRimPoints.begin(), kRimPoints.end(), [&](Vec2 p) {
    return triangles.is_free(e, {c.x + r * p.x, c.y + r * p.y, c.z});
  });
}

bool see_each_other(const NavGraph& graph, const SightGrid& triangles, DiscIndex a, DiscIndex b) {
  return graph.gate_between(a, b) != kNoGate || triangles.is_free(eye(graph, a), eye(graph, b)) ||
         sees_rim(graph, triangles, a, b) || sees_rim(graph, triangles, b, a);
}

/// Discs in the order of square cells as large as the range: partners are in the nine cells round one's own.
struct Cells {
  double size;
  Vec2 origin;
  std::int32_t wide, high;
  std::vector<std::uint32_t> start;
  std::vector<DiscIndex> discs;

  Cells(const NavGraph& graph, double range) : size(range) {
    Vec2 low{1e300, 1e300}, most{-1e300, -1e300};
    for (const Vec3& c : graph.centre) {
      low = {std::min(low.x, c.x), std::min(low.y, c.y)};
      most = {std::max(most.x, c.x), std::max(most.y, c.y)};
    }
    origin = low;
    size = std::max(range, std::max(most.x - low.x, most.y - low.y) / 1000);
    wide = static_cast<std::int32_t>((most.x - low.x) / size) + 1;
    high = static_cast<std::int32_t>((most.y - low.y) / size) + 1;
    start.assign(static_cast<std::size_t>(wide) * high + 1, 0);
    for (const Vec3& c : graph.centre) ++start[cell(plan_of(c)) + 1];
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    discs.resize(graph.centre.size());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (DiscIndex d = 0; d < graph.disc_count(); ++d) discs[next[cell(plan_of(graph.centre[d]))]++] = d;
  }
  std::size_t cell(Vec2 p) const {
    return static_cast<std::size_t>((p.y - origin.y) / size) * wide + static_cast<std::size_t>((p.x - origin.x) / size);
  }
};

}  // namespace

void find_sight(double range, NavGraph& graph, TaskRunner& tasks) {
  const SightGrid& triangles = graph.sight.triangles;
  const Cells cells(graph, range);
  const DiscIndex count = graph.disc_count();
  // Each pair is looked at once, by its smaller disc.
  std::vector<std::vector<DiscIndex>> seen(count);
  tasks.parallel_for(count, 8, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t a = begin; a < end; ++a) {
      if (!graph.is_there(static_cast<DiscIndex>(a))) continue;
      const std::size_t home = cells.cell(plan_of(graph.centre[a]));
      const auto x = static_cast<std::int32_t>(home % cells.wide), y = static_cast<std::int32_t>(home / cells.wide);
      for (std::int32_t j = std::max(0, y - 1); j <= std::min(cells.high - 1, y + 1); ++j)
        for (std::int32_t i = std::max(0, x - 1); i <= std::min(cells.wide - 1, x + 1); ++i) {
          const std::size_t cell = static_cast<std::size_t>(j) * cells.wide + i;
          for (std::uint32_t k = cells.start[cell]; k < cells.start[cell + 1]; ++k) {
            const DiscIndex b = cells.discs[k];
            if (b <= a || !graph.is_there(b) || distance(graph.centre[a], graph.centre[b]) > range) continue;
            if (see_each_other(graph, triangles, static_cast<DiscIndex>(a), b)) seen[a].push_back(b);
          }
        }
    }
  });

  graph.sight.range = range;
  graph.sight.start.assign(4 * static_cast<std::size_t>(count) + 1, 0);
  const auto slot = [&](DiscIndex from, DiscIndex to) {
    return 4 * static_cast<std::size_t>(from) + quarter_of(plan_of(graph.centre[to]) - plan_of(graph.centre[from]));
  };
  for (DiscIndex a = 0; a < count; ++a)
    for (const DiscIndex b : seen[a]) ++graph.sight.start[slot(a, b) + 1], ++graph.sight.start[slot(b, a) + 1];
  for (std::size_t i = 1; i < graph.sight.start.size(); ++i) graph.sight.start[i] += graph.sight.start[i - 1];
  graph.sight.discs.resize(graph.sight.start.back());
  std::vector<std::uint32_t> next(graph.sight.start.begin(), graph.sight.start.end() - 1);
  for (DiscIndex a = 0; a < count; ++a)
    for (const DiscIndex b : seen[a]) {
      graph.sight.discs[next[slot(a, b)]++] = b;
      graph.sight.discs[next[slot(b, a)]++] = a;
    }
  for (std::size_t i = 0; i + 1 < graph.sight.start.size(); ++i)
    std::sort(graph.sight.discs.begin() + graph.sight.start[i], graph.sight.discs.begin() + graph.sight.start[i + 1]);
}

}  // namespace throng
