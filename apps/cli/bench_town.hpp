// SPDX-License-Identifier: MIT
// A town full of people on flows between distant places: what benchmarks of flows and of regions share.
#pragma once
#include <array>
#include <vector>

#include <throng/world.hpp>

namespace throng::cli {

struct TownSettings {
  std::uint32_t buildings = 105;
  std::uint32_t flows = 7;
  double grid_step = 0.25;    ///< of the graph
  double min_radius = 0.75;   ///< of its discs
  std::size_t triangles = 0;  ///< about so many: a town as detailed as a model of one; 0: as few as there are
};

struct Town {
  Navigation navigation;
  NavigationGraph graph;
  std::size_t triangles;
  Vec2 low, high;
  std::vector<std::array<Vec2, 2>> ends;  ///< of flows: far apart
  Vec2 middle() const { return 0.5 * (low + high); }
};

Result<Town> make_town(const TownSettings& settings);

/// People of all kinds of speed everywhere between the two places of the first `flows` flows, as many in each direction, for
/// ever.
Result<World> fill_town(const Town& town, const WorldSettings& settings, std::uint32_t flows, std::uint32_t people);

}  // namespace throng::cli
