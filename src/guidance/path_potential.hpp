// SPDX-License-Identifier: MIT
// What the rest of a path costs, in the units of potential fields (Yersin et al. 2008, eq. 1; ALGORITHMS §4.3).
#pragma once
#include <cstdint>
#include <span>

#include <throng/fields.hpp>

#include "navgraph/choice.hpp"

namespace throng {

/// From the centre of the k-th disc of a path to its end: what a metre costs on free ground, times Σ (ρ + 1) ℓ over the discs
/// that are left, ρ in people a square metre and ℓ the metres inside the disc. The paper has C r for ℓ and leaves C open (erratum
/// Y-2); discs of very different sizes on one path make any C wrong by up to 40 %. With ℓ, in an empty scene, a sub-goal has the
/// potential that a field over the whole scene would give it. `people` in each disc; none: nobody.
inline double path_potential(const NavGraph& graph, const FlowPath& path, std::size_t k, std::span<const std::uint32_t> people,
                             const FieldSettings& field) {
  constexpr double kPi = 3.14159265358979323846;
  double weighted = 0;
  for (std::size_t i = k; i < path.discs.size(); ++i) {
    const double r = graph.radius[path.discs[i]];
    const double density = people.empty() ? 0 : people[path.discs[i]] / (kPi * r * r);
    const bool starts_here = i == k && k > 0 && k + 1 < path.discs.size();
    const double inside =
        starts_here ? distance(graph.centre[path.discs[k]], graph.gates[path.gates[k]].middle()) : length_inside(graph, path, i);
    weighted += (density + 1) * inside;
  }
  return static_cast<double>(field.length_weight + field.time_weight / field.max_speed) * weighted;
}

}  // namespace throng
