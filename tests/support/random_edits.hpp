// SPDX-License-Identifier: MIT
// Obstacles that come, move and go at random.
#pragma once
#include <vector>

#include <throng/edits.hpp>

#include "base/random.hpp"
#include "support/random_scene.hpp"

namespace throng::testing {

struct RandomEdits {
  explicit RandomEdits(std::uint64_t seed, double extent, std::size_t obstacles, std::uint32_t layer_count = 1)
      : random(seed, 1, 3), side(extent), layers(layer_count) {
    for (std::uint32_t i = 0; i < obstacles; ++i) there.push_back(i);
  }
  Polygon shape() {
    const Vec2 centre{random.between(0, 1) * side, random.between(0, 1) * side};
    return {random_convex(random, centre, random.between(0.01, 0.15) * side), {}};
  }
  Edit next() {
    Edit edit;
    const double what = random.unit();
    if (there.empty() || what < 0.4) {
      edit.kind = EditKind::kAddObstacle;
      edit.layer = static_cast<std::uint32_t>(random.integer(0, static_cast<int>(layers) - 1));
      edit.shape = shape();
      return edit;
    }
    const auto at = static_cast<std::size_t>(random.integer(0, static_cast<int>(there.size()) - 1));
    edit.obstacle = there[at];
    edit.kind = what < 0.7 ? EditKind::kMoveObstacle : EditKind::kRemoveObstacle;
    if (edit.kind == EditKind::kMoveObstacle)
      edit.shape = shape();
    else
      there.erase(there.begin() + static_cast<std::ptrdiff_t>(at));
    return edit;
  }
  void done(const Edit& edit, const EditReport& report) {
    if (edit.kind == EditKind::kAddObstacle) there.push_back(report.obstacle);
  }
  RandomStream random;
  double side;
  std::uint32_t layers;
  std::vector<std::uint32_t> there;
};

}  // namespace throng::testing
