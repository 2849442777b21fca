// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>

#include "navigation/navigation_data.hpp"

namespace throng {

/// Whether every count, index and order in cells and tree is what queries rely on. Names the first thing that is not.
std::optional<std::string> check_cells(const NavigationData& data);

/// Makes what a file leaves out (key points, arcs, layouts) and verifies the rest of a profile.
std::optional<std::string> complete_routing(const NavigationData& data, ProfileRouting& routing);

}  // namespace throng
