// SPDX-License-Identifier: MIT
#pragma once
#include "base/tasks.hpp"
#include "routing/versions.hpp"
#include "routing/zone_paths.hpp"

namespace throng {

/// Stored paths after an edit (ALGORITHMS §1.19): those of zones in which nothing has changed are copied, those of the others are
/// found again from their parts.
ZonePaths update_zone_paths(const ZonePaths& paths, const RoutingVersion& now, const VersionChange& change, TaskRunner& tasks);

}  // namespace throng
