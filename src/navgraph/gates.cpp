// SPDX-License-Identifier: MIT
// Gates between the discs of a cover (ALGORITHMS §2.5).
#include <algorithm>
#include <cmath>

#include "navgraph/build.hpp"
#include "navgraph/cover.hpp"

namespace throng {
namespace {

constexpr double kLeastHalfWidth = 0.02;  ///< metres; two linked nodes of a chain are joined however little room they have

/// The middle of a gate and half of it, from the middle to the left end.
struct Chord {
  Vec2 middle, half;
};

Chord chord_between(Vec2 a, double ra, Vec2 b, double rb) {
  const double d = distance(a, b);
  const Vec2 along = d > 0 ? (1 / d) * (b - a) : Vec2{1, 0};
  double place, half;
  if (d >= ra + rb) {
    place = ra + (d - ra - rb) / 2;  // consecutive discs of a chain, apart
    half = std::min(ra, rb);
  } else if (d <= std::abs(ra - rb)) {
    place = ra < rb ? 0 : d;  // one inside the other: across the smaller one
    half = std::min(ra, rb);
  } else {
    place = (d * d + ra * ra - rb * rb) / (2 * d);
    half = std::sqrt(std::max(0.0, ra * ra - place * place));
  }
  return {a + place * along, std::max(half, kLeastHalfWidth) * left(along)};
}

}  // namespace

Gate chord_of(const NavGraph& graph, DiscIndex a, DiscIndex b, double cost) {
  const Chord chord = chord_between(plan_of(graph.centre[a]), graph.radius[a], plan_of(graph.centre[b]), graph.radius[b]);
  const Vec2 l = chord.middle + chord.half, r = chord.middle - chord.half;
  return {{a, b}, {Vec3{l.x, l.y, 0}, Vec3{r.x, r.y, 0}}, cost};
}

void list_gates(NavGraph& graph) {
  // Ascending by the other: gates are sorted by (a, b), so the smaller others come first by themselves.
  graph.gate_start.assign(graph.disc_count() + 1, 0);
  for (const Gate& g : graph.gates)
    for (const DiscIndex d : g.disc) ++graph.gate_start[d + 1];
  for (DiscIndex d = 0; d < graph.disc_count(); ++d) graph.gate_start[d + 1] += graph.gate_start[d];
  graph.disc_gates.resize(2 * graph.gates.size());
  std::vector<std::uint32_t> next(graph.gate_start.begin(), graph.gate_start.end() - 1);
  for (GateIndex g = 0; g < graph.gates.size(); ++g) graph.disc_gates[next[graph.gates[g].disc[1]]++] = g;
  for (GateIndex g = 0; g < graph.gates.size(); ++g) graph.disc_gates[next[graph.gates[g].disc[0]]++] = g;
}

void raise_gate(const NavGraph& graph, Gate& g) {
  for (Vec3& end : g.end) {
    const DiscIndex nearer =
        std::abs(graph.depth(g.disc[0], plan_of(end))) < std::abs(graph.depth(g.disc[1], plan_of(end))) ? g.disc[0] : g.disc[1];
    end.z = elevation_in(graph, nearer, plan_of(end));
  }
}

void find_components(NavGraph& graph) {
  graph.component.assign(graph.disc_count(), kNoDisc);
  graph.component_count = 0;
  std::vector<DiscIndex> open;
  for (DiscIndex seed = 0; seed < graph.disc_count(); ++seed) {
    if (graph.component[seed] != kNoDisc || !graph.is_there(seed)) continue;
    graph.component[seed] = graph.component_count;
    open.assign(1, seed);
    while (!open.empty()) {
      const DiscIndex d = open.back();
      open.pop_back();
      for (const GateIndex g : graph.gates_of(d)) {
        const DiscIndex other = graph.gates[g].other(d);
        if (graph.component[other] != kNoDisc) continue;
        graph.component[other] = graph.component_count;
        open.push_back(other);
      }
    }
    ++graph.component_count;
  }
}

void make_gates(const Cover& cover, NavGraph& graph) {
  graph.owner = cover.owner;
  graph.radius = cover.radius;
  graph.centre_node = cover.centre_node;
  for (const NodeIndex n : cover.centre_node) {
    const Vec2 p = graph.surface.position(n);
    graph.centre.push_back({p.x, p.y, graph.surface.z[n]});
  }
  for (DiscIndex a = 0; a < graph.disc_count(); ++a) {
    std::vector<Cover::Neighbour> sorted = cover.neighbours[a];
    std::sort(sorted.begin(), sorted.end(), [](const auto& x, const auto& y) { return x.disc < y.disc; });
    for (const Cover::Neighbour& n : sorted)
      if (n.disc > a) graph.gates.push_back(chord_of(graph, a, n.disc, n.cost));
  }
  list_gates(graph);
  // Elevation needs the lists: which nodes belong to a disc is told by its neighbours.
  for (Gate& g : graph.gates) raise_gate(graph, g);
  find_components(graph);
}

}  // namespace throng
