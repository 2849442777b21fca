// SPDX-License-Identifier: MIT
#include "navgraph/choice.hpp"

#include <algorithm>

#include "base/math.hpp"
#include "base/random.hpp"

namespace throng {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kHysteresis = 0.9;
constexpr std::uint32_t kPurpose = 0x70617468;  ///< "path": draws of their own
constexpr double kLeastArea = 5;  ///< m²; of one person in the small disc of a door nobody would say that it is crowded

double length_of(const NavGraph& graph, const FlowPath& path) {
  double length = 0;
  for (std::size_t i = 0; i < path.discs.size(); ++i) length += length_inside(graph, path, i);
  return std::max(length, 1e-3);
}

bool sees(const NavGraph& graph, DiscIndex from, DiscIndex to) {
  if (graph.sight.start.empty()) return false;
  for (std::size_t q = 4 * static_cast<std::size_t>(from); q < 4 * static_cast<std::size_t>(from) + 4; ++q)
    if (std::binary_search(graph.sight.discs.begin() + graph.sight.start[q], graph.sight.discs.begin() + graph.sight.start[q + 1],
                           to))
      return true;
  return false;
}

/// What a path costs its walker; less is better, never negative.
double burden(const NavGraph& graph, const Flow& flow, std::uint32_t i, const GraphCrowd& crowd, const Chooser& chooser) {
  const FlowPath& path = flow.paths[i];
  switch (chooser.criterion) {
    case PathCriterion::kLength:
      return chooser.lengths.empty() ? path.length : chooser.lengths[i];
    case PathCriterion::kWidth:
      return 1 / std::max(path.narrowest, 1e-3);
    case PathCriterion::kVisibility:
      return 1 / std::max(seen_share(graph, path), 1e-3);
    default:
      return travel_time(graph, path, crowd) * (chooser.lengths.empty() ? 1 : chooser.lengths[i] / length_of(graph, path));
  }
}

}  // namespace

double length_inside(const NavGraph& graph, const FlowPath& path, std::size_t i) {
  const Vec3 in = i == 0 ? graph.centre[path.discs[0]] : graph.gates[path.gates[i - 1]].middle();
  const Vec3 out = i + 1 == path.discs.size() ? graph.centre[path.discs[i]] : graph.gates[path.gates[i]].middle();
  return distance(in, out);
}

double speed_in_crowd(double density) {
  if (!(density > 0)) return 1.34;
  return std::max(0.1, 1.34 * (1 - exponential(-1.913 * (1 / density - 1 / 5.4))));
}

double travel_time(const NavGraph& graph, const FlowPath& path, const GraphCrowd& crowd) {
  double seconds = 0;
  for (std::size_t i = 0; i < path.discs.size(); ++i) {
    const DiscIndex d = path.discs[i];
    const double length = length_inside(graph, path, i);
    double density = crowd.people[d] / std::max(kLeastArea, kPi * graph.radius[d] * graph.radius[d]);
    if (!crowd.bound.empty() && i < path.gates.size()) {
      const double strip = std::max(kLeastArea, length * graph.gates[path.gates[i]].width());
      density = std::max(density, crowd.bound[path.gates[i]] / strip);
    }
    seconds += length / speed_in_crowd(density);
  }
  return seconds;
}

double seen_share(const NavGraph& graph, const FlowPath& path) {
  const DiscIndex from = path.discs[0];
  const auto seen = std::count_if(path.discs.begin(), path.discs.end(), [&](DiscIndex d) {
    return d == from || graph.gate_between(from, d) != kNoGate || sees(graph, from, d);
  });
  return static_cast<double>(seen) / static_cast<double>(path.discs.size());
}

std::uint32_t choose_path(const NavGraph& graph, const Flow& flow, const GraphCrowd& crowd, const Chooser& chooser) {
  std::uint32_t best = 0;
  double least = 0;
  for (std::uint32_t i = 0; i < flow.paths.size(); ++i) {
    const double unit = unit_from_bits(random_bits(chooser.seed, chooser.agent, i, kPurpose));
    double value = burden(graph, flow, i, crowd, chooser) * (1 + chooser.whim * (2 * unit - 1));
    if (chooser.current == i) value *= kHysteresis;
    if (i == 0 || value < least) least = value, best = i;
  }
  return best;
}

}  // namespace throng
