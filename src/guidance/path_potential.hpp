// SPDX-License-Identifier: MIT
// What the rest of a path costs, in the units of potential fields (Yersin et al. 2008, eq. 1; ALGORITHMS §4.3).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/fields.hpp>

#include "navgraph/choice.hpp"

namespace throng {

/// From the centre of each disc of a path to its end: what a metre costs on free ground, times Σ (ρ + 1) ℓ over the discs that
/// are left, ρ in people a square metre and ℓ the metres inside the disc. The paper has C r for ℓ and leaves C open (erratum
/// Y-2); discs of very different sizes on one path make any C wrong by up to 40 %. `people` in each disc; none: nobody.
inline void path_potentials(const NavGraph& graph, const FlowPath& path, std::span<const std::uint32_t> people,
                            const FieldSettings& field, std::vector<float>& out) {
  constexpr double kPi = 3.14159265358979323846;
  const double a_metre = field.length_weight + field.time_weight / field.max_speed;
  out.resize(path.discs.size());
  double behind = 0;  // from the gate into the next disc
  for (std::size_t i = path.discs.size(); i-- > 0;) {
    const double r = graph.radius[path.discs[i]];
    const double weight = a_metre * (people.empty() ? 1 : 1 + people[path.discs[i]] / (kPi * r * r));
    const bool is_last = i + 1 == path.discs.size();
    const double from_centre = is_last ? 0 : distance(graph.centre[path.discs[i]], graph.gates[path.gates[i]].middle());
    out[i] = static_cast<float>(behind + weight * from_centre);
    behind += weight * length_inside(graph, path, i);
  }
}

}  // namespace throng
