// SPDX-License-Identifier: MIT
// What a bake leaves: one immutable object that planners, walkers and pictures read.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <throng/navigation.hpp>

#include "cells/abstraction.hpp"
#include "cells/cells.hpp"
#include "navigation/links.hpp"
#include "navigation/locator.hpp"
#include "navigation/queries.hpp"
#include "navigation/slope_speed.hpp"
#include "routing/labels.hpp"
#include "routing/roadmap.hpp"
#include "routing/zone_paths.hpp"
#include "scene/heights.hpp"

namespace throng {

/// One profile's costs, stored paths and labels over the common cells and zones.
struct ProfileRouting {
  std::string name;
  Roadmap roadmap;
  ZonePaths zone_paths;
  std::vector<Labels> labels;         ///< by increasing radius
  std::vector<std::uint8_t> blocked;  ///< cells it may not enter; empty if there are none
};

struct EditBasis;

/// What the cells and portals of the version before an edit are called now; kNoCell and kNoPortal: they are gone.
struct VersionLink {
  std::vector<CellIndex> new_cell;
  std::vector<PortalIndex> new_portal;
};

struct NavigationData {
  std::string scene_name;
  Vec2 origin;
  std::vector<std::string> layer_names;
  std::vector<double> layer_elevations;   ///< at (0, 0)
  std::vector<Vec2> layer_slopes;         ///< rise per metre
  std::vector<HeightGrid> layer_heights;  ///< empty ones where the plane above is all there is
  std::vector<SlopeSpeed> layer_speeds;
  std::vector<std::string> area_names;
  std::vector<BakedLink> links;
  Cells cells;
  Abstraction tree;
  std::vector<ProfileRouting> profiles;
  Locator locator;
  PlaceSampler sampler;
  BakeReport report;
  std::shared_ptr<const VersionLink> link;  ///< to the version before; null: there is none, or all is new
  std::shared_ptr<const EditBasis> basis;   ///< for edits (edit_basis.hpp); null: there can be none

  double elevation(Vec2 place, std::uint32_t layer) const {
    if (const auto height = height_at(layer_heights[layer], place)) return *height;
    return layer_elevations[layer] + dot(layer_slopes[layer], place);
  }
};

/// Size of everything a query may read.
std::uint64_t bytes_of(const NavigationData& data);

}  // namespace throng
