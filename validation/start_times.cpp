// SPDX-License-Identifier: MIT
#include "start_times.hpp"

namespace throng {

void StartWatch::see(const Simulation& simulation) {
  constexpr double kMoved = 0.01;  // m
  const World::Columns rows = simulation.world().columns();
  const bool is_first = places_.empty();
  if (is_first) {
    places_.resize(rows.x.size());
    starts_.assign(rows.x.size(), -1);
  }
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    const std::size_t person = rows.number[i] - 1;
    const Vec2 at{rows.x[i], rows.y[i]};
    if (!is_first && starts_[person] < 0 && length(at - places_[person]) > kMoved)
      starts_[person] = simulation.world().time() - simulation.scenario().settings.dt;
    places_[person] = at;
  }
}

}  // namespace throng
