// SPDX-License-Identifier: MIT
// How dense a crowd is at each place of the ground: people are spread over what lies near them on the same side of all walls.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/density_map.hpp"
#include "cells/cells.hpp"
#include "navigation/navigation_data.hpp"

namespace throng::server {

/// Metres over which a person counts for the density of a place.
inline constexpr double kDensityReach = 1.5;

struct SomePeople {
  Vec2 place;
  double people = 1;
};

/// Each is spread over the squares within `reach` whose middles it can walk to in a straight line from square to square, most near
/// the middle (1 - (d/reach)²): what lies behind a wall gets nothing, and the sum over the map is the number of people. Squares are
/// 0.5 m, larger where there would be more than `most_squares`.
DensityMap ground_density(const NavigationData& ground, std::uint32_t layer, std::span<const SomePeople> people,
                          double reach = kDensityReach, double most_squares = 250000);

/// A map as a primitive of overlays: ["grid", x, y, square, columns, per unit, base64 of a byte a square]. `shift` is added to the
/// place. The page draws it smoothly, on walkable ground only.
nlohmann::json grid_primitive(const DensityMap& map, Vec2 shift);

}  // namespace throng::server
