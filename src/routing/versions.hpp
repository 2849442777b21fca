// SPDX-License-Identifier: MIT
// What stays and what changes from one version of a baked scene to the next, as stored paths and labels need to know it.
#pragma once
#include <cstdint>
#include <vector>

#include "cells/abstraction.hpp"
#include "cells/cells.hpp"
#include "routing/roadmap.hpp"

namespace throng {

/// One profile's view of a version.
struct RoutingVersion {
  const Cells& cells;
  const Abstraction& tree;
  const Roadmap& roadmap;
};

struct VersionChange {
  std::vector<std::uint32_t> old_zone;     ///< of each zone: what it was, kNoZone if it is new
  std::vector<std::uint8_t> is_as_it_was;  ///< of each zone: nothing in it has changed
  std::vector<PortalIndex> old_portal;     ///< of each portal: what it was, kNoPortal if it is new
  std::vector<PortalIndex> new_portal;     ///< of each former portal: what it is, kNoPortal if it is gone
  std::vector<PortalIndex> rehung;         ///< portals that stay, with a new cell on one side (new numbers)
  std::vector<std::uint8_t> is_new_cell;   ///< of each cell
};

}  // namespace throng
