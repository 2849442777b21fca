// SPDX-License-Identifier: MIT
// Labels after an edit (ALGORITHMS §1.19): those of zones in which nothing has changed are copied. In the others each hub keeps
// its tree of shortest ways as far as it does not lead through cells that are gone; what hung behind them is found again by a
// Dijkstra search from the rim, and ways that the new cells make shorter spread from there (after Ramalingam & Reps 1996). The
// costs are those of a search from scratch, bit for bit: they are integers, and shortest costs are unique.
#pragma once
#include "base/tasks.hpp"
#include "routing/labels.hpp"
#include "routing/versions.hpp"

namespace throng {

Labels update_labels(const RoutingVersion& old, const Labels& labels, const RoutingVersion& now, const VersionChange& change,
                     TaskRunner& tasks);

}  // namespace throng
