// SPDX-License-Identifier: MIT
#include "navgraph/crowd_queries.hpp"

#include <algorithm>

#include "navgraph/visibility.hpp"

namespace throng {

DiscRegister::DiscRegister(const NavGraph& graph, std::span<const Vec3> points, std::span<const DiscIndex> disc)
    : points_(points.begin(), points.end()),
      disc_(disc.begin(), disc.end()),
      start_(graph.disc_count() + 1, 0),
      people_(points.size()),
      reach_(graph.radius) {
  for (const DiscIndex d : disc_) ++start_[d + 1];
  for (std::size_t d = 1; d < start_.size(); ++d) start_[d] += start_[d - 1];
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (std::uint32_t i = 0; i < points_.size(); ++i) {
    const DiscIndex d = disc_[i];
    people_[next[d]++] = i;
    reach_[d] = std::max(reach_[d], distance(plan_of(points_[i]), plan_of(graph.centre[d])));
  }
}

void find_neighbours(const NavGraph& graph, const DiscRegister& people, Vec3 p, DiscIndex disc, double radius,
                     CrowdScratch& scratch, std::vector<std::uint32_t>& found) {
  found.clear();
  scratch.stamp.resize(graph.disc_count(), 0);
  ++scratch.run;
  scratch.open.assign(1, disc);
  scratch.stamp[disc] = scratch.run;
  while (!scratch.open.empty()) {
    const DiscIndex d = scratch.open.back();
    scratch.open.pop_back();
    for (const std::uint32_t i : people.in_disc(d))
      if (distance(people.point(i), p) <= radius) found.push_back(i);
    for (const GateIndex g : graph.gates_of(d)) {
      const DiscIndex other = graph.gates[g].other(d);
      if (scratch.stamp[other] == scratch.run) continue;
      if (distance(plan_of(graph.centre[other]), plan_of(p)) > people.reach(other) + radius) continue;
      scratch.stamp[other] = scratch.run;
      scratch.open.push_back(other);
    }
  }
  std::sort(found.begin(), found.end());
}

void find_visible(const NavGraph& graph, const DiscRegister& people, Vec3 p, DiscIndex disc, const View& view,
                  std::vector<std::uint32_t>& found) {
  found.clear();
  const Vec3 eye{p.x, p.y, p.z + view.height};
  const auto look_into = [&](DiscIndex d) {
    for (const std::uint32_t i : people.in_disc(d)) {
      const Vec3 q = people.point(i), head{q.x, q.y, q.z + view.height};
      if (distance(eye, head) > view.range) continue;
      if (view.towards) {
        const Vec2 to = plan_of(head) - plan_of(eye);
        if (dot(to, *view.towards) < view.cosine * length(to)) continue;
      }
      if (graph.sight.triangles.is_free(eye, head)) found.push_back(i);
    }
  };
  look_into(disc);
  const std::size_t first = 4 * static_cast<std::size_t>(disc);
  for (std::uint32_t k = graph.sight.start[first]; k < graph.sight.start[first + 4]; ++k) look_into(graph.sight.discs[k]);
  std::sort(found.begin(), found.end());
}

}  // namespace throng
